"""Claims about views by the text itself: our examples nearest to a theme, and themes that the dictionary may lack.

An example is one that the dictionary's authors wrote. It stands in brackets and is never told as somebody's words. A
candidate is a theme of a public list; that something lies nearest to it is what a map says, and so it is told.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from dpspin.boundary import percentages
from dpspin.public.narrate.claims.claim import AsFiled, Problem, WithInterval, broken, ends, not_listed
from dpspin.public.narrate.facts import Facts


def _nearest(facts: Facts, theme: int) -> tuple[str, ...]:
    return () if facts.examples is None else facts.examples.nearest(theme)


@dataclass(frozen=True, slots=True)
class NearestExample(AsFiled):
    """One example of a listed theme is nearest to more of it than the others, beyond the noise."""

    kind: ClassVar[str] = "nearest_example"
    theme: int
    example: str | None = None

    def _law(self, facts: Facts) -> Problem | None:
        message = f"No example of {facts.labels.get(self.theme, self.theme)!r} is certainly nearest to most of it."
        return not_listed(facts, self.theme) or broken(
            "unsupported-example", message, unless=len(_nearest(facts, self.theme)) == 1
        )

    def _figures(self, facts: Facts) -> Mapping[str, Any]:
        return {"example": _nearest(facts, self.theme)[0]}


@dataclass(frozen=True, slots=True)
class AmongNearest(AsFiled):
    """One of a few examples of a listed theme is nearest to more of it than the others, and nobody can tell which."""

    kind: ClassVar[str] = "among_nearest"
    theme: int
    examples: tuple[str, ...] | None = None

    def _law(self, facts: Facts) -> Problem | None:
        message = f"The noise leaves no few examples of {facts.labels.get(self.theme, self.theme)!r} to choose from."
        return not_listed(facts, self.theme) or broken(
            "unsupported-example", message, unless=len(_nearest(facts, self.theme)) > 1
        )

    def _figures(self, facts: Facts) -> Mapping[str, Any]:
        return {"examples": _nearest(facts, self.theme)}


@dataclass(frozen=True, slots=True)
class ExampleConfidence(AsFiled):
    """With which confidence all that is said of examples holds together, and what that does not cover."""

    kind: ClassVar[str] = "example_confidence"
    confidence: Decimal | None = None

    def _law(self, facts: Facts) -> Problem | None:
        told = any(_nearest(facts, theme) for theme in facts.listed)
        return broken("unsupported-example", "Nothing is said of examples.", unless=told)

    def _figures(self, facts: Facts) -> Mapping[str, Any]:
        return {"confidence": percentages.confidence(facts.plan.rules.beta)}


def _lacking(facts: Facts) -> tuple[str, ...]:
    return () if facts.candidates is None else facts.candidates.lacking


@dataclass(frozen=True, slots=True)
class LacksTheme(WithInterval):
    """Something lies nearest to a candidate, beyond the noise: the dictionary may lack it."""

    kind: ClassVar[str] = "lacks_theme"
    candidate: str

    def _law(self, facts: Facts) -> Problem | None:
        message = f"It is not certain that anything lies nearest to the candidate {self.candidate!r}."
        return broken("unsupported-candidate", message, unless=self.candidate in _lacking(facts))

    def _figures(self, facts: Facts) -> Mapping[str, Any]:
        return ends(facts.nearest_to(self.candidate), facts)


@dataclass(frozen=True, slots=True)
class CandidatesSeen(AsFiled):
    """How many candidates stand clear of the noise, of how many; of the others nothing is told."""

    kind: ClassVar[str] = "candidates_seen"
    telling: str | None = None
    clear: int | None = None
    size: int | None = None

    def _law(self, facts: Facts) -> Problem | None:
        message = "No candidates were looked for."
        return broken("unsupported-candidate", message, unless=facts.candidates is not None)

    def _figures(self, facts: Facts) -> Mapping[str, Any]:
        assert facts.candidates is not None  # noqa: S101  no law is broken
        clear = len(_lacking(facts))
        size = len(facts.candidates.facet.names)
        return {"telling": "some" if clear else "none", "clear": clear or None, "size": size}


@dataclass(frozen=True, slots=True)
class CandidateConfidence(AsFiled):
    """With which confidence all that is said of candidates holds together, and what that does not cover."""

    kind: ClassVar[str] = "candidate_confidence"
    confidence: Decimal | None = None

    def _law(self, facts: Facts) -> Problem | None:
        return broken("unsupported-candidate", "Nothing is said of candidates.", unless=bool(_lacking(facts)))

    def _figures(self, facts: Facts) -> Mapping[str, Any]:
        return {"confidence": percentages.confidence(facts.plan.rules.beta)}
