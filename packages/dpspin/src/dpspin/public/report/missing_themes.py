"""The page's list of candidates: themes that the dictionary may lack, with the share that lies nearest to each."""

from dataclasses import dataclass
from typing import Final

from dpspin.boundary.views import loss_of_view
from dpspin.public.narrate.facts import Facts
from dpspin.public.wording.numbers import plain_up, scale_of

MOST: Final = 10  # that the page shows: a long list is no hint


@dataclass(frozen=True, slots=True)
class MissingTheme:
    """One candidate that stands clear of the noise."""

    name: str
    share: str
    interval: str


@dataclass(frozen=True, slots=True)
class MissingThemes:
    """The largest that do, of how many, and what was asked."""

    themes: tuple[MissingTheme, ...]
    clear: int
    candidates: int
    asked_of: str
    epsilon: str


def missing_themes(facts: Facts) -> MissingThemes | None:
    """Lay out the view by candidates; nothing where it was not measured."""
    table = facts.candidates
    if table is None:
        return None
    scale, found = scale_of(facts.plan), [(name, facts.nearest_to(name)) for name in table.lacking[:MOST]]
    return MissingThemes(
        themes=tuple(MissingTheme(name, scale.text(it.share), scale.interval(it.low, it.high)) for name, it in found),
        clear=len(table.lacking),
        candidates=len(table.facet.names),
        asked_of=table.facet.asked_of,
        epsilon=plain_up(loss_of_view(facts.plan.statement.loss, table.view).epsilon),
    )
