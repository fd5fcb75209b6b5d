"""Is a judge to be believed? Texts with a known answer: how often it tells a true text from a spoiled one.

A language model answers whatever it is asked. Its scores mean something only if it scores a text higher than the same
text with other themes, other bins, most of it missing, or its words in disorder. The bar is set beforehand.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from dpspin.audit.epsilon_bound import at_least, at_most
from dpspin.boundary.plan import SemanticPlan
from dpspin_lab.runs.summary import Row

_FIRST_SENTENCE: Final = re.compile(r".+?[.!?](?=\s|$)", re.DOTALL)
PASS: Final = 0.8  # of all cases
EACH: Final = 0.5  # of every kind: a judge that is blind to one kind of falsehood is no judge of texts
CONFIDENCE: Final = 0.95


class Spoiling(StrEnum):
    """How a text is made worse."""

    THEMES = "themes of another plan"
    BINS = "wrong bins"
    SENTENCE = "first sentence only"
    SHUFFLED = "words shuffled"
    EMPTY = "no words"


LOWERED: Final[Mapping[Spoiling, str]] = {
    Spoiling.THEMES: "faithfulness",
    Spoiling.BINS: "faithfulness",
    Spoiling.SENTENCE: "coverage",
    Spoiling.SHUFFLED: "clarity",
    Spoiling.EMPTY: "coverage",
}  # the score that has to be lower; stated here, before any judge is asked


def spoiled_texts(text: str, plan: SemanticPlan, others: Sequence[str], seed: int) -> Iterator[tuple[Spoiling, str]]:
    """Yield what can be spoiled; ``others`` are labels that the plan does not list."""
    made = {
        Spoiling.THEMES: with_other_themes(text, plan, others),
        Spoiling.BINS: with_wrong_bins(text, plan),
        Spoiling.SENTENCE: first_sentence(text),
        Spoiling.SHUFFLED: shuffled(text, seed),
        Spoiling.EMPTY: "",
    }
    yield from ((how, spoiled) for how, spoiled in made.items() if spoiled != text)


def with_other_themes(text: str, plan: SemanticPlan, others: Sequence[str]) -> str:
    """Name other themes in the place of those that the plan lists."""
    return _replaced(text, dict(zip((entry.label for entry in plan.entries), others, strict=False)))


def with_wrong_bins(text: str, plan: SemanticPlan) -> str:
    """Call each bin by the name of the one above it, and the highest by that of the lowest; labels stay."""
    names = [support_bin.name for support_bin in plan.rules.bins]
    labels = {entry.label: entry.label for entry in plan.entries}
    return _replaced(text, {**dict(zip(names, [names[-1], *names[:-1]], strict=True)), **labels})


def first_sentence(text: str) -> str:
    """Cut a text off after its first sentence.

    >>> first_sentence("Fees lead at 2.5 percent. Staff follow.")
    'Fees lead at 2.5 percent.'
    """
    found = _FIRST_SENTENCE.match(text)
    return found[0] if found else text


def shuffled(text: str, seed: int) -> str:
    """Put the words into an order drawn by the seed."""
    return " ".join(np.random.default_rng(seed).permutation(text.split()))


def _replaced(text: str, words: Mapping[str, str]) -> str:
    """Replace whole words in one pass, the longest first, whatever their capitals; a capital letter stays one."""
    lowered = {old.lower(): new for old, new in words.items()}
    longest_first = "|".join(re.escape(old) for old in sorted(words, key=len, reverse=True))
    whole_words = re.compile(rf"(?<!\w)(?:{longest_first})(?!\w)", re.IGNORECASE)
    return whole_words.sub(lambda found: _cased(found[0], lowered), text) if words else text


def _cased(found: str, words: Mapping[str, str]) -> str:
    new = words[found.lower()]
    return new[:1].upper() + new[1:] if found[:1].isupper() else new


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
