"""Excel files with one sheet, written by hand: a zip of the few XML parts that a workbook needs."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

MAIN: Final = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
KIND: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def write_workbook(path: Path, rows: Iterable[Sequence[object]]) -> None:
    """Write rows of strings, numbers, booleans and empty cells."""
    lines = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        file.writestr("[Content_Types].xml", _types())
        file.writestr("_rels/.rels", _relation("officeDocument", "xl/workbook.xml"))
        file.writestr("xl/_rels/workbook.xml.rels", _relation("worksheet", "worksheets/sheet1.xml"))
        sheets = '<sheets><sheet name="Records" sheetId="1" r:id="rId1"/></sheets>'
        file.writestr("xl/workbook.xml", f'<workbook {MAIN} xmlns:r="{OFFICE}">{sheets}</workbook>')
        file.writestr("xl/worksheets/sheet1.xml", f"<worksheet {MAIN}><sheetData>{lines}</sheetData></worksheet>")


def _cell(value: object) -> str:
    match value:
        case None:
            return "<c/>"
        case bool():
            return f'<c t="b"><v>{int(value)}</v></c>'
        case int() | float():
            return f"<c><v>{value!r}</v></c>"
        case _:
            return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(str(value))}</t></is></c>'


def _types() -> str:
    parts = (("/xl/workbook.xml", "sheet.main"), ("/xl/worksheets/sheet1.xml", "worksheet"))
    overrides = "".join(f'<Override PartName="{part}" ContentType="{KIND}.{kind}+xml"/>' for part, kind in parts)
    relations = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    return f'<Types xmlns="{PACKAGE}/content-types">{relations}{overrides}</Types>'


def _relation(kind: str, target: str) -> str:
    one = f'<Relationship Id="rId1" Type="{OFFICE}/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{PACKAGE}/relationships">{one}</Relationships>'
