"""Is a judge to be believed? How often it tells a true text from a spoiled one, against a bar set beforehand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dpspin.audit.bound import at_least, at_most
from dpspin_lab.judge.spoiling import Spoiling
from dpspin_lab.runs.summary import Row

PASS: Final = 0.8  # of all cases
EACH: Final = 0.5  # of every kind: a judge that is blind to one kind of falsehood is no judge of texts
CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of a number of cases, with Clopper and Pearson's interval.

    >>> print(Rate(9, 10))
    90 % (55 to 100 %) of 10
    """

    right: int
    cases: int

    def __str__(self) -> str:
        if not self.cases:
            return "-"
        low, high = self.interval
        return f"{100 * self.part:.0f} % ({100 * low:.0f} to {100 * high:.0f} %) of {self.cases}"

    @property
    def part(self) -> float:
        """The part that is right; of nothing, none is."""
        return self.right / self.cases if self.cases else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The exact binomial interval at 95 %, as if cases were independent."""
        failure = (1 - CONFIDENCE) / 2
        return float(at_least(self.right, self.cases, failure)), float(at_most(self.right, self.cases, failure))


@dataclass(frozen=True, slots=True)
class Validity:
    """What one judge made of all cases with a known answer, by kind; over all data sets."""

    judge: str
    by_score: Mapping[Spoiling, Rate]
    by_pair: Mapping[Spoiling, Rate]

    @property
    def scores_count(self) -> bool:
        """Whether its scores are believed."""
        return _passes(self.by_score)

    @property
    def choices_count(self) -> bool:
        """Whether its preferences are believed."""
        return _passes(self.by_pair)


def validities(rows: Iterable[Row]) -> dict[str, Validity]:
    """Pool the tables of known answers by judge."""
    judges: dict[str, list[Row]] = {}
    for row in rows:
        judges.setdefault(row["judge"], []).append(row)
    return {
        judge: Validity(judge, _rates(every, "by_score"), _rates(every, "by_pair")) for judge, every in judges.items()
    }


def pooled(rates: Mapping[Spoiling, Rate]) -> Rate:
    """Add the kinds up."""
    return Rate(sum(rate.right for rate in rates.values()), sum(rate.cases for rate in rates.values()))


def _rates(rows: Sequence[Row], column: str) -> dict[Spoiling, Rate]:
    chosen = {how: [row for row in rows if row["spoiled"] == how] for how in Spoiling}
    return {
        how: Rate(sum(row[column] for row in every), sum(row["cases"] for row in every))
        for how, every in chosen.items()
        if every
    }


def _passes(rates: Mapping[Spoiling, Rate]) -> bool:
    """Pass over all cases and in every kind; a kind that was not tried is not passed.

    >>> blind_to_bins = {how: Rate(9 * (how is not Spoiling.BINS), 9) for how in Spoiling}
    >>> pooled(blind_to_bins).part, _passes(blind_to_bins)
    (0.8, False)
    """
    return pooled(rates).part >= PASS and all(how in rates and rates[how].part >= EACH for how in Spoiling)
