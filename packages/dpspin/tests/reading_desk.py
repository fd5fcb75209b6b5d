"""A collection, its request and its read sample, for the tests of reading."""

from pathlib import Path

import dpspin

TRUTH = {"late": "late parcel", "money": "refund", "crash": "app crash", "hello": "none"}
TEXTS = (
    'my parcel is late,\n"very" late',
    "refund; I want my money | back",
    "the app had a crash\tagain",
    "hello, nothing to report",
)
NUMBER = 400


def write_records(folder: Path, texts=TEXTS, number: int = NUMBER) -> Path:
    """Write as many records, of 40 users, and the dictionary beside them."""
    (folder / "atoms.txt").write_text("late parcel\nrefund\napp crash\n")
    rows = ['"{}","u{}","{}"'.format(texts[n % len(texts)].replace('"', '""'), n % 40, n % 2) for n in range(number)]
    file = folder / "records.csv"
    file.write_text("\n".join(["text,user,month", *rows]) + "\n")
    return file


def about_records(folder: Path, **more: object) -> dict[str, object]:
    """Return what a sample and its release are both told."""
    told = {"data": str(folder / "records.csv"), "atoms": str(folder / "atoms.txt"), "text": "text", "unit": "record"}
    return {**told, "denominator": NUMBER, "dataset": "tickets", "ledger": str(folder / "ledger.db"), **more}


def true_themes(text: str) -> str:
    """Return the cell that a careful reader fills in."""
    return next(themes for word, themes in TRUTH.items() if word in text)


def read_all(folder: dpspin.ReadingFolder) -> None:
    """Read every record of a sample."""
    for record in folder.records():
        folder.read(record.id, true_themes(record.text))
