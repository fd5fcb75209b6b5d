"""Claims about single themes: that they are listed, their bin, share, interval, rank, mass and meaning."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from dpspin.public.narrate.claims.claim import Claim, Problem, Share, ends
from dpspin.public.narrate.claims.laws import not_listed, not_released
from dpspin.public.narrate.facts import Facts


@dataclass(frozen=True, slots=True)
class Mention(Claim):
    """These themes are in the plan."""

    kind: ClassVar[str] = "mention"
    themes: tuple[int, ...]

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that all of them are listed."""
        return not_listed(facts, *self.themes)


@dataclass(frozen=True, slots=True)
class InBin(Claim):
    """These themes have the support of this bin."""

    kind: ClassVar[str] = "in_bin"
    themes: tuple[int, ...]
    bin: str

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that all of them are listed, in this bin."""
        return not_listed(facts, *self.themes) or next(
            (
                Problem("wrong-bin", f"{facts.labels[theme]!r} has {facts.listed[theme].bin} support, not {self.bin}.")
                for theme in self.themes
                if facts.listed[theme].bin != self.bin
            ),
            None,
        )


@dataclass(frozen=True, slots=True)
class WholeBin(Claim):
    """These are all themes of a bin, by rank."""

    kind: ClassVar[str] = "whole_bin"
    bin: str
    themes: tuple[int, ...] = ()

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask for a theme in the bin."""
        if any(entry.bin == self.bin for entry in facts.plan.entries):
            return None
        return Problem("wrong-bin", f"No listed theme has {self.bin} support.")

    def figures(self, facts: Facts) -> dict[str, object]:
        """Name them all."""
        return {"themes": tuple(atom for atom, entry in facts.listed.items() if entry.bin == self.bin)}


@dataclass(frozen=True, slots=True)
class ShareOf(Claim):
    """The share of a listed theme."""

    kind: ClassVar[str] = "share_of"
    theme: int
    share: Decimal | None = None

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that it is listed."""
        return not_listed(facts, self.theme)

    def figures(self, facts: Facts) -> dict[str, object]:
        """Give its share."""
        return {"share": Share(facts.theme(self.theme).share)}


@dataclass(frozen=True, slots=True)
class IntervalOf(Claim):
    """The share of a listed theme with its interval."""

    kind: ClassVar[str] = "interval_of"
    theme: int
    share: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that it is listed."""
        return not_listed(facts, self.theme)

    def figures(self, facts: Facts) -> dict[str, object]:
        """Give its share and the ends of its interval."""
        return ends(facts.theme(self.theme))


@dataclass(frozen=True, slots=True)
class Unlisted(Claim):
    """The share of a theme that is not listed, where its mass was released all the same."""

    kind: ClassVar[str] = "unlisted"
    theme: int
    share: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that it was released, and is not listed."""
        if self.theme in facts.listed:
            return Problem("unsupported-label", f"{facts.labels[self.theme]!r} is listed.")
        return not_released(facts, self.theme)

    def figures(self, facts: Facts) -> dict[str, object]:
        """Give its share and the ends of its interval."""
        return ends(facts.theme(self.theme))


@dataclass(frozen=True, slots=True)
class Shares(Claim):
    """The shares of several listed themes, in the order of their ranks."""

    kind: ClassVar[str] = "shares"
    items: tuple[tuple[int, Any], ...]

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that they are listed, and named in the order of their ranks."""
        ids = [theme for theme, _ in self.items]
        missing = not_listed(facts, *ids)
        if missing is None and ids != [atom for atom in facts.listed if atom in ids]:
            return Problem("unsupported-comparison", "Name these themes in the order of their ranks.")
        return missing

    def figures(self, facts: Facts) -> dict[str, object]:
        """Give the share of each."""
        return {"items": tuple((theme, Share(facts.theme(theme).share)) for theme, _ in self.items)}


@dataclass(frozen=True, slots=True)
class RankOf(Claim):
    """The released rank of a theme: a field of the plan, whatever the margins are."""

    kind: ClassVar[str] = "rank_of"
    audit_only: ClassVar[bool] = True
    theme: int
    rank: int | None = None

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that it is listed."""
        return not_listed(facts, self.theme)

    def figures(self, facts: Facts) -> dict[str, object]:
        """Give its rank."""
        return {"rank": facts.listed[self.theme].rank}


@dataclass(frozen=True, slots=True)
class MassOf(Claim):
    """The released noisy mass of a theme, with one decimal."""

    kind: ClassVar[str] = "mass_of"
    audit_only: ClassVar[bool] = True
    theme: int
    mass: float | None = None

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that it is listed."""
        return not_listed(facts, self.theme)

    def figures(self, facts: Facts) -> dict[str, object]:
        """Give its mass."""
        return {"mass": round(facts.listed[self.theme].noisy_mass, 1) + 0.0}  # + 0.0 turns -0.0 into 0.0


@dataclass(frozen=True, slots=True)
class Means(Claim):
    """What a theme means, in the words of the dictionary."""

    kind: ClassVar[str] = "means"
    theme: int
    meaning: str | None = None

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that it was released, and says what it means."""
        if self.theme in facts.meanings:
            return not_released(facts, self.theme)
        return Problem("unsupported-meaning", f"The dictionary does not say what {facts.labels[self.theme]!r} means.")

    def figures(self, facts: Facts) -> dict[str, object]:
        """Give its description."""
        return {"meaning": facts.meanings[self.theme]}


@dataclass(frozen=True, slots=True)
class Unclear(Claim):
    """These themes do not stand clear of the noise."""

    kind: ClassVar[str] = "unclear"
    themes: tuple[int, ...]

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that none of them clears the admission threshold."""
        missing = not_listed(facts, *self.themes)
        if missing is None and any(facts.listed[theme].clears_noise for theme in self.themes):
            return Problem("unsupported-clearance", "Some of these themes stand clear of the noise.")
        return missing
