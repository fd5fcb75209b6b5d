"""The forecast of a release in a few sentences, from public inputs alone: fast enough to follow a slider."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.request_terms import placed, read_as
from dpspin.public.atoms.packs import load_named
from dpspin.public.preview import in_short
from dpspin.public.preview.forecast import forecast
from dpspin.public.preview.public_inputs import PreviewRequest, besides_usual
from dpspin.public.wording.promise import WEAK, even_guess_becomes, odds_sentence

PUBLIC = ("records.unit", "loss.epsilon", "denominator", "records.views")


@dataclass(frozen=True, slots=True)
class Outlook:
    """What will be seen, what will not, and what a stranger may learn of one person."""

    seen: str
    unseen: str
    compared: str
    by_value: tuple[str, ...]
    odds: str
    weak: bool


def dictionary(name: str) -> AtomUniverse:
    """Return a dictionary; it is read again when its file has changed."""
    file = Path(name)
    return _loaded(name, file.stat().st_mtime_ns if file.is_absolute() else 0)


@lru_cache(maxsize=8)
def _loaded(name: str, changed: int) -> AtomUniverse:
    del changed  # it only tells one state of a file from another
    return load_named(name)


@lru_cache(maxsize=8)
def _besides(atoms: AtomUniverse) -> int:
    return besides_usual(atoms)


def outlook(draft: Mapping[str, Any]) -> Outlook:
    """Forecast what was told; of everything private nothing is looked at."""
    asked = read_as(PreviewRequest, placed({field: draft[field] for field in PUBLIC if field in draft}))
    atoms = dictionary(str(draft["atoms"]))
    it = forecast(
        asked.records.unit,
        asked.records.adjacency,
        asked.loss,
        asked.mechanism,
        atoms=atoms.size,
        size=asked.size_of(atoms.size),
        denominator=asked.denominator.value,
        besides=_besides(atoms),
        views=asked.records.shared_views,
    )
    return Outlook(
        seen=in_short.seen(it),
        unseen=in_short.unseen(it),
        compared=in_short.compared(it),
        by_value=tuple(
            f"By {view.title}: a theme is told from nothing from about {in_short.count(view.cell_threshold.units)} "
            f"{in_short.people_of(it)} of one value on."
            for view in it.views
        ),
        odds=odds_sentence(asked.records.unit, asked.records.adjacency, asked.loss),
        weak=even_guess_becomes(asked.loss) > WEAK,
    )
