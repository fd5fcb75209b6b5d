"""Claims about the whole: how many themes are listed and how much they hold, the rest, and what fits none of them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from dpspin.boundary.denominator import PublicNumber
from dpspin.boundary.plan_fields import Uncovered
from dpspin.boundary.privacy import MASS, Everyone
from dpspin.public.narrate.as_read import Estimate
from dpspin.public.narrate.claims.claim import AsFiled, Problem, WithInterval, broken, ends, nothing_listed
from dpspin.public.narrate.facts import Facts

NONE_OF_THEM: Final = (
    "was filed under none of the themes",
    "have no text filed under a theme",
)  # of text, and of units
OF_THAT: Final = ("is its share", "were counted with some of it")


@dataclass(frozen=True, slots=True)
class Listed(AsFiled):
    """How many themes of the dictionary are listed, and how many have intervals above zero, listed or not."""

    kind: ClassVar[str] = "listed"
    count: int | None = None
    size: int | None = None
    clear: int | None = None

    def _law(self, facts: Facts) -> Problem | None:
        measured = facts.plan.noisy_sketch is not None
        return nothing_listed(facts) or broken("unsupported-number", "The others were not measured.", unless=measured)

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"count": len(facts.listed), "size": facts.atoms.size, "clear": len(facts.clear)}


@dataclass(frozen=True, slots=True)
class NothingClear(AsFiled):
    """No theme is listed, because none came out above the threshold for noise."""

    kind: ClassVar[str] = "nothing_clear"
    size: int | None = None

    def _law(self, facts: Facts) -> Problem | None:
        return broken("unsupported-clearance", "Some themes are listed.", unless=not facts.listed)

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"size": facts.atoms.size}


@dataclass(frozen=True, slots=True)
class ListedHold(WithInterval):
    """How much all listed themes hold together."""

    kind: ClassVar[str] = "listed_hold"
    count: int | None = None

    def _law(self, facts: Facts) -> Problem | None:
        """Ask for several themes that all stand clear of the noise, and for masses, which alone add up to a part."""
        several = len(facts.listed) > 1 and not facts.unclear and facts.plan.statement.quantity == MASS
        fits = several and sum(facts.theme(theme).share for theme in facts.listed) <= 1
        is_a_part = fits and not facts.contradict([facts.together])
        return broken("unsupported-coverage", "The listed themes have no sum.", unless=is_a_part)

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"count": len(facts.listed), **ends(facts.together, facts)}


@dataclass(frozen=True, slots=True)
class RestHolds(WithInterval):
    """How much the themes that are not listed hold together."""

    kind: ClassVar[str] = "rest_holds"
    count: int | None = None

    def _law(self, facts: Facts) -> Problem | None:
        """Ask that all masses were released, that they add up, that some are not listed, and that they are a part."""
        adds_up = facts.adds_up and len(facts.listed) < facts.atoms.size
        is_a_part = adds_up and not facts.contradict([facts.tail, *map(facts.theme, facts.listed)])
        return broken("unsupported-coverage", "What is not listed has no sum.", unless=is_a_part)

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"count": facts.atoms.size - len(facts.listed), **ends(facts.tail, facts)}


@dataclass(frozen=True, slots=True)
class FitsNone(WithInterval):
    """How much belongs to none of the themes, where the map answers so."""

    kind: ClassVar[str] = "fits_none"
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"none_of_them": NONE_OF_THEM}
    none_of_them: str | None = None

    def _law(self, facts: Facts) -> Problem | None:
        return _not_measured(facts.plan.uncovered)

    def _figures(self, facts: Facts) -> dict[str, object]:
        """Give its share and interval; where units are counted, those without any theme."""
        words = NONE_OF_THEM[facts.plan.statement.quantity != MASS]
        return {"none_of_them": words, **ends(_estimate(facts, facts.plan.uncovered), facts)}


@dataclass(frozen=True, slots=True)
class NotRead(WithInterval):
    """How much is in languages that the map does not read, where it states those that it does."""

    kind: ClassVar[str] = "not_read"
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"of_that": OF_THAT}
    languages: str | None = None
    of_that: str | None = None

    def _law(self, facts: Facts) -> Problem | None:
        return _not_measured(facts.plan.not_read)

    def _figures(self, facts: Facts) -> dict[str, object]:
        """Name the languages, and give share and interval; where units are counted, those that have such text."""
        words = {"languages": facts.languages, "of_that": OF_THAT[facts.plan.statement.quantity != MASS]}
        return {**words, **ends(_estimate(facts, facts.plan.not_read), facts)}


@dataclass(frozen=True, slots=True)
class NotFiled(WithInterval):
    """How much of a declared total was filed nowhere, where that is certainly something.

    A record whose text can be read has a mass of one, and so has a user whose bound is one. So what is left of the
    total is most likely in no record; nothing that was measured tells why.
    """

    kind: ClassVar[str] = "not_filed"

    def _law(self, facts: Facts) -> Problem | None:
        left = _not_filed(facts)
        message = "It is not certain that any of the declared total was not filed."
        return broken("unsupported-coverage", message, unless=left is not None and facts.outward(left)[0] > 0)

    def _figures(self, facts: Facts) -> dict[str, object]:
        left = _not_filed(facts)
        assert left is not None  # noqa: S101  no law is broken
        return ends(left, facts)


def _not_filed(facts: Facts) -> Estimate | None:
    """Return what a declared total leaves; None where what was counted has another measure, or not all was."""
    plan, stated = facts.plan, facts.plan.statement
    whole = stated.quantity == MASS and stated.unit.bound == 1 and stated.contribution_map.answers_none
    everyone = isinstance(stated.sampling, Everyone) and stated.series is None
    if not (whole and everyone and isinstance(plan.denominator, PublicNumber) and plan.released_masses):
        return None
    total, size = math.fsum(plan.released_masses), plan.denominator.value
    reach = stated.noise.sum_quantile(len(plan.released_masses), plan.rules.beta / 2)
    left = (max(0.0, 1 - each / size) for each in (total, total + reach, total - reach))
    return Estimate(*left)


def _not_measured(value: Uncovered | None) -> Problem | None:
    return broken("unsupported-coverage", "This was not measured.", unless=value is not None)


def _estimate(facts: Facts, value: Uncovered | None) -> Estimate:
    assert value is not None  # noqa: S101  no law is broken
    return facts.beside(value)
