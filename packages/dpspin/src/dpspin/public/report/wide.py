"""The themes and the areas of a release as wide tables: one row each, with what a spreadsheet user looks for first."""

from dataclasses import dataclass
from decimal import Decimal

from dpspin.public.narrate.claims.areas import by_share
from dpspin.public.narrate.facts import Estimate, Facts
from dpspin.public.report.bins import known_bin


@dataclass(frozen=True, slots=True)
class ThemeRow:
    """One theme whose mass was released, listed or not; the fields are the columns, the technical ones last."""

    theme: str
    area: str
    listed: bool
    share_percent: Decimal | None
    low_percent: Decimal | None
    high_percent: Decimal | None
    rank: int | None
    bin: str
    clear_of_noise: bool | None
    description: str
    noisy_mass: float
    atom_id: int


@dataclass(frozen=True, slots=True)
class AreaRow:
    """One heading of the dictionary; it has a share where the masses of all of its themes were released and add up."""

    area: str
    share_percent: Decimal | None
    low_percent: Decimal | None
    high_percent: Decimal | None
    themes: int
    listed_themes: int


Row = ThemeRow | AreaRow


def theme_rows(facts: Facts) -> list[ThemeRow]:
    """Return the themes, the largest first; their shares are rounded as the sentences round them."""
    places = {atom: place for place, atom in enumerate(facts.labels)}
    largest_first = sorted(facts.masses, key=lambda atom: (-facts.masses[atom], places[atom]))
    about = {int(atom.id): atom for atom in facts.atoms.atoms}
    return [_theme_row(facts, atom, about[atom].parent or "", about[atom].description) for atom in largest_first]


def _theme_row(facts: Facts, atom: int, area: str, description: str) -> ThemeRow:
    entry = facts.listed.get(atom)
    share, low, high = _percentages(facts, facts.theme(atom))
    return ThemeRow(
        theme=facts.labels[atom],
        area=area,
        listed=entry is not None,
        share_percent=share,
        low_percent=low,
        high_percent=high,
        rank=None if entry is None else entry.rank,
        bin="" if entry is None else known_bin(facts.plan, entry),
        clear_of_noise=None if entry is None else entry.clears_noise,
        description=" ".join(description.split()),
        noisy_mass=facts.masses[atom],
        atom_id=atom,
    )


def area_rows(facts: Facts) -> list[AreaRow]:
    """Return the areas, the largest first; in the order of the dictionary where they have no shares."""
    return [_area_row(facts, area) for area in by_share(facts) or facts.areas]


def _area_row(facts: Facts, area: str) -> AreaRow:
    members = facts.areas[area]
    share, low, high = _percentages(facts, facts.area_estimates.get(area))
    return AreaRow(
        area=area,
        share_percent=share,
        low_percent=low,
        high_percent=high,
        themes=len(members),
        listed_themes=sum(atom in facts.listed for atom in members),
    )


def _percentages(facts: Facts, estimate: Estimate | None) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
    """Return a share and the ends of its interval, where there is one that says anything."""
    if estimate is None or not facts.has_shares:
        return None, None, None
    return facts.percent(estimate.share), *facts.outward(estimate)
