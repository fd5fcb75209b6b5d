"""Excel files for tests, written by hand: a zip of the few XML parts that a workbook needs."""

import datetime as dt
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
FIRST_DAY = dt.datetime(1899, 12, 30)  # noqa: DTZ001  Excel's days have no time zone
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"


class Elapsed(float):
    """Days that a cell shows as hours and minutes."""

    __slots__ = ()


class Error(str):
    """The value of a cell whose formula failed."""

    __slots__ = ()


def write_workbook(path, sheets, hidden=()):
    """Write sheets, each a list of rows; dates are numbers with a format, as Excel has them."""
    names = list(sheets)
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        file.writestr("[Content_Types].xml", _types(len(names)))
        file.writestr("_rels/.rels", _relations([("officeDocument", "xl/workbook.xml")]))
        file.writestr("xl/workbook.xml", _workbook(names, hidden))
        parts = [("worksheet", f"worksheets/sheet{n + 1}.xml") for n in range(len(names))]
        file.writestr("xl/_rels/workbook.xml.rels", _relations([*parts, ("styles", "styles.xml")]))
        file.writestr("xl/styles.xml", _styles())
        for n, name in enumerate(names):
            file.writestr(f"xl/worksheets/sheet{n + 1}.xml", _sheet(sheets[name]))


def _types(sheets):
    parts = [("/xl/workbook.xml", "sheet.main"), ("/xl/styles.xml", "styles")]
    parts += [(f"/xl/worksheets/sheet{n + 1}.xml", "worksheet") for n in range(sheets)]
    overrides = "".join(f'<Override PartName="{part}" ContentType="{KIND}.{kind}+xml"/>' for part, kind in parts)
    defaults = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    return (
        f'<Types xmlns="{TYPES}">{defaults}<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>'
    )


def _relations(parts):
    each = "".join(
        f'<Relationship Id="rId{n + 1}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(parts)
    )
    return f"<Relationships {RELATIONS}>{each}</Relationships>"


def _workbook(names, hidden):
    sheets = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{n + 1}"{" state=" + quoteattr("hidden") if name in hidden else ""} '
        f'r:id="rId{n + 1}"/>'
        for n, name in enumerate(names)
    )
    return f'<workbook {MAIN} xmlns:r="{OFFICE}"><sheets>{sheets}</sheets></workbook>'


def _styles():
    used = "".join(f'<xf numFmtId="{number}"/>' for number in (0, 14, 22, 46))
    formats = f'<cellXfs count="4">{used}</cellXfs>'
    return f"<styleSheet {MAIN}>{formats}</styleSheet>"


def _sheet(rows):
    lines = "".join(
        f'<row r="{y + 1}">{"".join(_cell(x, y, value) for x, value in enumerate(row) if value is not None)}</row>'
        for y, row in enumerate(rows)
    )
    return f"<worksheet {MAIN}><sheetData>{lines}</sheetData></worksheet>"


def _cell(x, y, value):
    place = f"{chr(65 + x)}{y + 1}"
    match value:
        case Error():
            return f'<c r="{place}" t="e"><v>{value}</v></c>'
        case bool():
            return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
        case str():
            return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
        case _:
            number, style = _number(value)
            return f'<c r="{place}" s="{style}"><v>{number!r}</v></c>'


def _number(value):
    """Return a number and the place of its format, as Excel has them."""
    match value:
        case Elapsed():
            return float(value), 3
        case dt.datetime():
            return (value - FIRST_DAY) / dt.timedelta(1), 2
        case dt.date():
            return (value - FIRST_DAY.date()).days, 1
        case _:
            return value, 0
