"""Files of the one folder that the app was started in: found by their names, and never outside of it."""

from pathlib import Path
from typing import Final

from dpspin.boundary.printable import is_printable
from dpspin.errors import InputError

DATA: Final = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".parquet", ".pq", ".arrow", ".feather", ".xlsx")
COMPRESSED: Final = (".gz", ".zst", ".bz2")
DICTIONARIES: Final = (".yaml", ".yml", ".json", ".txt")


def data_files(folder: Path) -> list[str]:
    """Return the names of files that may hold records."""
    return [name for name in _names(folder) if _bare(name).endswith(DATA)]


def dictionary_files(folder: Path) -> list[str]:
    """Return the names of files that may hold a dictionary."""
    return [name for name in _names(folder) if name.lower().endswith(DICTIONARIES)]


def chosen(folder: Path, name: str, among: list[str]) -> str:
    """Return the whole path of a file that was offered; whatever else is named is refused."""
    if name not in among:
        raise InputError("there is no such file in the folder of this app: choose one that is shown")
    return str(folder / name)


def _names(folder: Path) -> list[str]:
    """Return the names of regular files in the folder itself: no link leads out of it, and no name hides a sign."""
    found = (each for each in folder.iterdir() if not each.name.startswith(".") and each.is_file())
    return sorted(each.name for each in found if not each.is_symlink() and is_printable(each.name))


def _bare(name: str) -> str:
    lower = name.lower()
    return next((lower.removesuffix(each) for each in COMPRESSED if lower.endswith(each)), lower)
