"""A look at the records for a period of a series: how many of them count in it, and whether their users are known.

Everything here is exact and depends on the records. It is for the curator's eyes; nothing of it goes into a release.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin.curator.aggregate.allowances import Allowances
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.check.doubts import ENOUGH, MANY_UNREADABLE, Doubt
from dpspin.curator.records.columns import USER, Dated, facet_column
from dpspin.curator.records.corpus import ProtectedCorpus

COUNTED, EARLIER, LATER, UNDATED = "counted", "earlier", "later", "undated"
HARDLY_ANY: Final = 0.01  # of the users, or of those before, whichever are fewer


@dataclass(frozen=True, slots=True)
class DateLook:
    """How many records count in a period, and why the others do not. Private."""

    period: str
    records: int
    counted: int
    earlier: int
    later: int
    undated: int

    def __repr__(self) -> str:
        return "DateLook(<private>)"


@dataclass(frozen=True, slots=True)
class UserLook:
    """How many of the users who count were in an earlier period of the same life. Private."""

    users: int
    known: int
    before: int  # users who have used something of their allowance

    def __repr__(self) -> str:
        return "UserLook(<private>)"


def look_at_dates(
    corpus: ProtectedCorpus, dated: Dated, period: str, tell: Callable[[int], None] | None = None
) -> DateLook:
    """Read the dates of all records; the corpus has them in a column beside the text."""
    found = Counter[str]()
    for batch in corpus.batches():
        for told in batch.column(facet_column(dated.calendar.column)).value_counts().to_pylist():
            found[_why(told["values"], dated, period)] += told["counts"]
        if tell is not None:
            tell(batch.num_rows)
    return DateLook(period, found.total(), *(found[why] for why in (COUNTED, EARLIER, LATER, UNDATED)))


def _why(cell: str | None, dated: Dated, period: str) -> str:
    """Say whether a record with this date counts, by the rule of the release itself, or why it does not."""
    if dated.holds(cell):
        return COUNTED
    name = None if cell is None else dated.calendar.period_of(cell)
    if name is None:
        return UNDATED
    return EARLIER if name < period else LATER


def look_at_users(corpus: ProtectedCorpus, before: Allowances, pseudonyms: Pseudonyms) -> UserLook:
    """Count the users, and those of them who have used something of their allowance."""
    batches = [batch.column(USER).drop_null().unique() for batch in corpus.batches()]
    users = pa.chunked_array(batches, pa.large_string()).unique()
    known = int(np.count_nonzero(before.used_by(pseudonyms(users)))) if len(users) else 0
    return UserLook(len(users), known, len(before.used))


def doubts_about_dates(look: DateLook, dated: Dated, now: datetime | None = None) -> list[Doubt]:
    """Judge whether these are the records of the period, and whether it is over."""
    column, found = dated.calendar.column, []
    today = dated.calendar.period_of((now or datetime.now(UTC)).isoformat())
    if today is not None and today <= look.period:
        found.append(
            Doubt(
                f"{look.period} is not over yet.",
                "Its later records would not be counted any more: a period is added once, when it is whole.",
            )
        )
    if not look.counted:
        found.append(
            Doubt(
                f"No record is dated in {look.period}: {look.earlier:,} earlier, {look.later:,} later, "
                f"{look.undated:,} without a date in {column!r}.",
                "Is it the right file, and the right period? Added like this, the period is closed without anybody.",
            )
        )
    if look.undated > MANY_UNREADABLE * look.records:
        found.append(
            Doubt(
                f"{look.undated / look.records:.0%} of the records have no date in {column!r} that can be read.",
                "Dates are written as 2026-02-28, with a time or without. What has none is left out.",
            )
        )
    return found


def doubts_about_known(look: UserLook) -> list[Doubt]:
    """Judge whether users are written as in the periods before: under another spelling each is a new one."""
    fewest = min(look.users, look.before)
    if fewest < ENOUGH or look.known >= HARDLY_ANY * fewest:
        return []
    return [
        Doubt(
            f"Of {look.users:,} users {look.known:,} were in an earlier period, where {look.before:,} were counted.",
            "Are their ids written in another way now? Whoever gets a new id gets a new allowance, and is protected "
            "less: write ids as before.",
        )
    ]
