"""The page's list of examples: which of ours is nearest to most of each listed theme, or the few of which one is."""

from dataclasses import dataclass

from dpspin.boundary.views import loss_of_view
from dpspin.public.narrate.facts import Facts
from dpspin.public.wording.numbers import plain_up


@dataclass(frozen=True, slots=True)
class NearestLine:
    """One listed theme; no example where the noise leaves it open, several where it leaves them to choose from."""

    theme: str
    atom_id: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NearestExamples:
    """All listed themes by their examples."""

    lines: tuple[NearestLine, ...]
    open: tuple[str, ...]  # themes of which nothing can be told
    epsilon: str


def nearest_examples(facts: Facts) -> NearestExamples | None:
    """Lay out the view by examples; nothing where it was not measured, or nothing is listed."""
    table = facts.examples
    if table is None or not facts.listed:
        return None
    every = [NearestLine(facts.labels[atom], atom, table.nearest(atom)) for atom in facts.listed]
    return NearestExamples(
        lines=tuple(line for line in every if line.examples),
        open=tuple(line.theme for line in every if not line.examples),
        epsilon=plain_up(loss_of_view(facts.plan.statement.loss, table.view).epsilon),
    )
