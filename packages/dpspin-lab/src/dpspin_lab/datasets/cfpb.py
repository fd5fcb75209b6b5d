"""CFPB complaints (a public-domain work of the US government): each carries its label from the Bureau's taxonomy.

There is no consumer id, so one complaint is one protected unit (the paper's CFPB protocol), although a consumer may
have filed several.
"""

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.crosswalk import Crosswalk, read_crosswalk
from dpspin.errors import SourceError
from dpspin.public.atoms.build.taxonomy import CFPB_LEVELS as LEVELS
from dpspin.public.atoms.build.taxonomy import build_taxonomy, path_of
from dpspin_lab.datasets.corpus import NOBODY, Corpus, Published, gathered
from dpspin_lab.datasets.public_files import Columns, Row, found, rows_of

NEW_ERA: Final = "2023-01-01"  # the older slices of the sample end before it
AS_WRITTEN: Final = Crosswalk({})
FILES: Final = ("complaints.csv", "complaints.csv.zip", "complaints.parquet")
WHERE: Final = (
    "Fetch complaints.csv.zip from the CFPB Consumer Complaint Database "
    "(https://www.consumerfinance.gov/data-research/consumer-complaints/) and put it there, or a part of it as Parquet "
    "with the same column names"
)
IDENTITY, NARRATIVE, RECEIVED = "Complaint ID", "Consumer complaint narrative", "Date received"
COLUMNS: Final[Columns] = {**dict.fromkeys((*LEVELS, NARRATIVE), str), RECEIVED: (str, date), IDENTITY: (str, int)}
_DAYS: Final = ("%Y-%m-%d", "%m/%d/%Y", "%m/%d/%y")  # the bulk file has the first; exports of a search the others


def read_complaints(folder: Path, renamed: Crosswalk = AS_WRITTEN) -> Corpus:
    """Read the complaints of ``cfpb/`` that have a narrative; most of the database has none."""
    file = found(folder / "cfpb", FILES, WHERE)
    return gathered("cfpb", _published(file, renamed), with_users=False)


def crosswalk() -> Crosswalk:
    """Return the Bureau's renamings, written from the labels of the sample (no text was read for it)."""
    return read_crosswalk(Path(__file__).with_name("cfpb-crosswalk.csv"))


def taxonomy_path(row: Row) -> str:
    """Return the paper's atom label of a complaint; an empty level is left out.

    >>> taxonomy_path({"Product": "Mortgage", "Issue": "Closing", "Sub-issue": None})
    'Mortgage / Closing'
    """
    return path_of(row[level] for level in LEVELS)


def taxonomy_atoms(auxiliary: Corpus, size: int) -> AtomUniverse:
    """Return the ``size`` most frequent taxonomy paths of the auxiliary complaints; of equal ones the first by name."""
    return build_taxonomy(auxiliary.paths, size, name=f"cfpb-{size}", levels=LEVELS).universe


def _published(file: Path, renamed: Crosswalk) -> Iterator[Published]:
    for row in rows_of(file, COLUMNS):
        if narrative := row[NARRATIVE]:
            day, identity = _day(file, row[RECEIVED]), "" if row[IDENTITY] is None else str(row[IDENTITY])
            yield Published(identity, narrative, NOBODY, day, row["Issue"] or "", renamed(taxonomy_path(row)))


def _day(file: Path, written: str | date | None) -> str:
    if isinstance(written, date):
        return written.strftime("%Y-%m-%d")
    if not written:
        return ""
    for form in _DAYS:
        try:
            return datetime.strptime(written, form).strftime("%Y-%m-%d")  # noqa: DTZ007 - a day, not a moment
        except ValueError:
            continue
    raise SourceError(f"a date in {file} is written in no form of the Bureau's exports; keep them as published")
