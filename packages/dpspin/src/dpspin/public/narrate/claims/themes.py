"""Claims about single themes: that they are listed, their share, interval, rank, mass and meaning."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from dpspin.boundary.privacy import MASS, Prevalence
from dpspin.public.narrate.claims.claim import (
    AsFiled,
    Claim,
    Problem,
    WithInterval,
    ends,
    not_clear,
    not_listed,
    not_released,
    not_unclear,
)
from dpspin.public.narrate.facts import Facts
from dpspin.public.wording.quantities import value_words


@dataclass(frozen=True, slots=True)
class Mention(Claim):
    """These themes are in the plan."""

    kind: ClassVar[str] = "mention"
    themes: tuple[int, ...]

    def _law(self, facts: Facts) -> Problem | None:
        return not_listed(facts, *self.themes)


@dataclass(frozen=True, slots=True)
class OfListedTheme(AsFiled):
    """What is said of one listed theme, whether it stands clear of the noise or not."""

    theme: int

    def _law(self, facts: Facts) -> Problem | None:
        return not_listed(facts, self.theme)


@dataclass(frozen=True, slots=True)
class ShareOf(OfListedTheme):
    """The share of a listed theme."""

    kind: ClassVar[str] = "share_of"
    share: Decimal | None = None

    def _law(self, facts: Facts) -> Problem | None:
        """Ask that it is listed and stands clear of the noise: without an interval nothing else says how sure it is."""
        return not_clear(facts, self.theme)

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"share": facts.percent(facts.theme(self.theme).share)}


@dataclass(frozen=True, slots=True)
class IntervalOf(WithInterval):
    """The share of a listed theme with its interval."""

    kind: ClassVar[str] = "interval_of"
    theme: int

    def _law(self, facts: Facts) -> Problem | None:
        return not_listed(facts, self.theme)

    def _figures(self, facts: Facts) -> dict[str, object]:
        return ends(facts.theme(self.theme), facts)


@dataclass(frozen=True, slots=True)
class Unlisted(IntervalOf):
    """The share of a theme that is not listed, where its mass was released all the same."""

    kind: ClassVar[str] = "unlisted"

    def _law(self, facts: Facts) -> Problem | None:
        if self.theme in facts.listed:
            return Problem("unsupported-label", f"{facts.labels[self.theme]!r} is listed.")
        return not_released(facts, self.theme)


@dataclass(frozen=True, slots=True)
class Shares(AsFiled):
    """The shares of all listed themes, in the order of their ranks."""

    kind: ClassVar[str] = "shares"
    items: tuple[tuple[int, Any], ...] = ()

    def _law(self, facts: Facts) -> Problem | None:
        """Ask for listed themes, which all stand clear of the noise."""
        return not_clear(facts, *facts.listed)

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"items": with_shares(facts, tuple(facts.listed))}


@dataclass(frozen=True, slots=True)
class RankOf(OfListedTheme):
    """The released rank of a theme: a field of the plan, whatever the margins are."""

    kind: ClassVar[str] = "rank_of"
    audit_only: ClassVar[bool] = True
    rank: int | None = None

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"rank": facts.listed[self.theme].rank}


@dataclass(frozen=True, slots=True)
class MassOf(OfListedTheme):
    """The released noisy value of a theme, with one decimal: a mass, or a count of units."""

    kind: ClassVar[str] = "mass_of"
    audit_only: ClassVar[bool] = True
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"value": (value_words(MASS).one, value_words(Prevalence()).one)}
    mass: float | None = None
    value: str | None = None

    def _figures(self, facts: Facts) -> dict[str, object]:
        mass = round(facts.listed[self.theme].noisy_mass, 1) + 0.0  # + 0.0 turns -0.0 into 0.0
        return {"mass": mass, "value": value_words(facts.plan.statement.quantity).one}


@dataclass(frozen=True, slots=True)
class Means(Claim):
    """What a theme means, in the words of the dictionary."""

    kind: ClassVar[str] = "means"
    theme: int
    meaning: str | None = None

    @property
    def of_both(self) -> bool:
        """Say it of two plans too: they have one dictionary."""
        return True

    def _law(self, facts: Facts) -> Problem | None:
        if self.theme in facts.meanings:
            return not_released(facts, self.theme)
        return Problem("unsupported-meaning", f"The dictionary does not say what {facts.labels[self.theme]!r} means.")

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"meaning": facts.meanings[self.theme]}


@dataclass(frozen=True, slots=True)
class Unclear(AsFiled):
    """The intervals of these themes reach down to zero."""

    kind: ClassVar[str] = "unclear"
    themes: tuple[int, ...]

    def _law(self, facts: Facts) -> Problem | None:
        return not_listed(facts, *self.themes) or not_unclear(facts, self.themes)


def with_shares(facts: Facts, themes: tuple[int, ...]) -> tuple[tuple[int, Decimal], ...]:
    """Give each theme of a list its share."""
    return tuple((theme, facts.percent(facts.theme(theme).share)) for theme in themes)
