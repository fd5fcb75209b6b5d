"""Read a public baseline from a file: CSV or JSON, atoms by id or label, one amount each."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.baseline import Baseline, baseline_of
from dpspin.boundary.safe_files import read_plain_text
from dpspin.errors import InputError

NONE = ("none", "none of these")
LONGEST_ID = 40  # digits; Python refuses to read numbers of thousands
COLUMNS = "a column atom_id or label, and a column share"


def read_baseline(path: Path, universe: AtomUniverse) -> Baseline:
    """Read a baseline; its source is the file's name. "none" (or "none of these") stands for what is not covered.

    Amounts need not sum to one: they are scaled. Atoms that are not named have none.
    """
    try:
        text = read_plain_text(path, "utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = f" ({error.strerror})" if isinstance(error, OSError) else ""
        raise InputError(
            f"the baseline {str(path)!r} cannot be read{why}: it must be a CSV or JSON file in UTF-8"
        ) from None
    rows = _json_rows(text, path) if path.suffix.lower() == ".json" else _csv_rows(text, path)
    amounts = _amounts(rows, {atom.label.casefold(): atom.id for atom in universe.atoms}, path)
    return baseline_of(universe, {i: v for i, v in amounts.items() if i >= 0}, amounts.get(-1), source=path.name)


def _csv_rows(text: str, path: Path) -> list[Mapping[str, object]]:
    try:
        return list(csv.DictReader(io.StringIO(text)))
    except csv.Error:
        raise InputError(f"the baseline {str(path)!r} is no CSV: a cell has no end, or a byte no meaning") from None


def _json_rows(text: str, path: Path) -> list[Mapping[str, object]]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"the baseline {str(path)!r} is not JSON") from None
    if isinstance(content, dict):
        return [{"label": name, "share": share} for name, share in content.items()]
    return [row if isinstance(row, dict) else {} for row in content] if isinstance(content, list) else [{}]


def _amounts(rows: Iterable[Mapping[str, object]], ids: dict[str, int], path: Path) -> dict[int, float]:
    amounts: dict[int, float] = {}
    for number, row in enumerate(rows, start=1):
        where = f"row {number} of the baseline {str(path)!r}"
        atom_id = _atom(str(row.get("atom_id") or row.get("label") or ""), ids, where)
        if atom_id in amounts:
            raise InputError(f"{where} names an atom a second time")
        try:
            amounts[atom_id] = float(str(row.get("share")))
        except ValueError:
            raise InputError(f"{where} has no number in its share; a baseline has {COLUMNS}") from None
    return amounts


def _atom(name: str, ids: dict[str, int], where: str) -> int:
    """Return the atom's id, or -1 for "none of these"."""
    known = name.strip().casefold()
    if known in NONE and known not in ids:
        return -1
    if known in ids:
        return ids[known]
    if known.isdecimal() and len(known) <= LONGEST_ID and int(known) in ids.values():
        return int(known)
    raise InputError(f"{where} names no atom of the dictionary; a baseline has {COLUMNS}")
