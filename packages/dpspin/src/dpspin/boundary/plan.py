"""The differentially private semantic plan: the only thing that crosses from the curator to the public side."""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pydantic import model_validator

from dpspin.boundary.baseline import BestGuess
from dpspin.boundary.denominator import FreeTotal, PaidCount, certificates_beside, loss_of_themes
from dpspin.boundary.folders import read_plan_text, save_plan_text
from dpspin.boundary.grounded_shares import GroundedTheme
from dpspin.boundary.mechanisms import noise_of
from dpspin.boundary.model_base import explained_as
from dpspin.boundary.percentages import has_shares
from dpspin.boundary.plan_fields import GROUNDED_SCHEMA, PlanEntry, PlanFields, Uncovered
from dpspin.boundary.plan_views import html_table, listed_in, pandas_frame, plot, polars_frame, short_form
from dpspin.boundary.postprocess import (
    admitted_positions,
    bin_of,
    denoised_of,
    denominator_at,
    grounded_of,
    quantified_of,
    read_mass,
    released_in,
)
from dpspin.boundary.privacy import Adjacency, sensitivity_of
from dpspin.boundary.series_place import series_contradictions
from dpspin.boundary.view_contradictions import view_contradictions
from dpspin.errors import PlanError, RequestError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from matplotlib.axes import Axes


class SemanticPlan(PlanFields):
    """Admitted atoms with noisy masses, and the statement under which they were released.

    ``uncovered`` is there exactly when the map answers "none of these", ``not_read`` exactly when it states its
    languages. Nothing else about the run is in here: no counts, no durations, no digest of the data. The constructor
    checks that every derived field follows from the noisy masses and the rules.
    """

    @model_validator(mode="after")
    def _follows_from_its_masses(self) -> Self:
        try:
            for contradiction in contradictions(self):
                raise ValueError(contradiction)
        except ArithmeticError:
            raise ValueError("its parameters lie beyond what can be calculated") from None
        return self

    @property
    def has_shares(self) -> bool:
        """Whether shares say anything: what they refer to stands clear of the noise, and no part of it beyond it."""
        return has_shares(self)

    def entry(self, atom_id: int) -> PlanEntry | None:
        """Return the admitted entry of an atom, or None."""
        return next((entry for entry in self.entries if entry.atom_id == atom_id), None)

    def save(self, path: str | Path) -> Path:
        """Write the plan to a file, or as ``plan.json`` into a folder, whole or not at all; return where it is."""
        return save_plan_text(self.to_json(), path, is_private=self.is_private)

    @classmethod
    def load(cls, path: str | Path) -> "SemanticPlan":
        """Read a plan file, or the one in the folder of a release."""
        return cls.from_json(read_plan_text(path))

    def top(self, n: int = 10) -> tuple[PlanEntry | GroundedTheme, ...]:
        """Return the n largest of the listed themes, by rank: as a reader would file them, where a sample was read."""
        if n < 0:
            raise RequestError("n is how many themes are wanted: zero or more")
        return listed_in(self)[:n]

    def to_frame(self) -> "pd.DataFrame":
        """Return the listed themes as a pandas data frame, one row each; by the reading, where a sample was read."""
        return pandas_frame(self)

    def to_polars(self) -> "pl.DataFrame":
        """Return the listed themes as a polars data frame, one row each; by the reading, where a sample was read."""
        return polars_frame(self)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the listed themes as bars with their intervals, on these axes or on new ones; return the axes."""
        return plot(self, ax)

    def __repr_args__(self) -> Iterable[tuple[str, object]]:
        return short_form(self)

    def _repr_html_(self) -> str:
        """Show shares, intervals and bars as a table in a notebook."""
        return html_table(self)

    def to_json(self) -> str:
        """Return the plan file's text; equal plans give equal text."""
        return self.model_dump_json(indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> "SemanticPlan":
        """Read a plan file, or say in plain words why it is none."""
        with explained_as(PlanError, "this plan (a plan.json as `dpspin schema plan` describes it)"):
            return cls.model_validate_json(text)


def contradictions(plan: PlanFields) -> Iterator[str]:
    """Yield everything in a plan that does not follow from its noisy masses and rules."""
    if len(plan.entries) > plan.rules.size or plan.rules.size > plan.dictionary.size:
        yield "the plan lists more atoms than its size or its dictionary allows"
    if len({entry.atom_id for entry in plan.entries}) != len(plan.entries):
        yield "an atom is listed twice"
    if [entry.rank for entry in plan.entries] != list(range(1, len(plan.entries) + 1)):
        yield "entries must be listed by rank, from 1"
    if any(a.noisy_mass < b.noisy_mass for a, b in zip(plan.entries, plan.entries[1:], strict=False)):
        yield "ranks must follow the noisy masses"
    for entry in plan.entries:
        yield from _entry_contradictions(entry, plan)
    yield from _denominator_contradictions(plan)
    yield from _beside_contradictions(plan)
    yield from _sketch_contradictions(plan)
    yield from _card_contradictions(plan) or _quantified_contradictions(plan)
    yield from _baseline_contradictions(plan)
    yield from _noise_contradictions(plan)
    yield from _grounding_contradictions(plan)
    yield from view_contradictions(plan)
    yield from series_contradictions(plan)
    yield from _label_contradictions(plan)


def _entry_contradictions(entry: PlanEntry, plan: PlanFields) -> Iterator[str]:
    rules, name = plan.rules, f"atom {entry.atom_id}"
    yield from _misread(name, entry, plan)
    if entry.bin != bin_of(entry.support, rules.bins):
        yield f"{name}: the bin does not follow from the support"
    if entry.clears_noise != (entry.noisy_mass > rules.certificates.admission_threshold):
        yield f"{name}: clears_noise does not follow from the threshold"
    if rules.admission == "threshold" and not entry.clears_noise:
        yield f"{name}: is listed but does not clear the admission threshold"


_SAID = {
    "mass": "the mass",
    "support": "the support",
    "low": "the interval",
    "high": "the interval",
    "support_low": "the interval of the support",
    "support_high": "the interval of the support",
}


def _misread(name: str, stated: PlanEntry | Uncovered, plan: PlanFields) -> Iterator[str]:
    for part, value in read_mass(stated.noisy_mass, plan.denominator, plan.rules).items():
        if not _same(getattr(stated, part), value):
            yield f"{name}: {_SAID[part]} does not follow from the noisy mass, the rules and the denominator"


def _same(a: float, b: float) -> bool:
    """Compare two derived numbers: equal up to the rounding of the last float digits."""
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def _denominator_contradictions(plan: PlanFields) -> Iterator[str]:
    if isinstance(plan.denominator, PaidCount) and plan.statement.adjacency is not Adjacency.ADD_DROP:
        yield "a count is bought only where presence is protected"
    if isinstance(plan.denominator, FreeTotal) and not plan.released_masses:
        yield "only a full noisy sketch has a total"
        return
    read = denominator_at(plan, plan.rules.beta)
    if not all(_same(getattr(plan.denominator, name), value) for name, value in read if name != "kind"):
        yield "the denominator does not follow from what was released"


def _beside_contradictions(plan: PlanFields) -> Iterator[str]:
    mapped = plan.statement.contribution_map
    if (plan.uncovered is not None) != mapped.answers_none:
        yield 'what is uncovered goes with a map that answers "none of these", and only with it'
    if (plan.not_read is not None) != bool(mapped.languages):
        yield "what is not read goes with a map that states its languages, and only with it"
    for name, stated in (("what is uncovered", plan.uncovered), ("what is not read", plan.not_read)):
        if stated is not None:
            yield from _misread(name, stated, plan)


def _sketch_contradictions(plan: PlanFields) -> Iterator[str]:
    if (plan.noisy_sketch is None) != plan.statement.mechanism.selects:
        yield "a full noisy sketch goes with a mechanism that measures every atom, and only with it"
    if plan.noisy_sketch is None:
        if len(plan.entries) != plan.rules.size:
            yield "a mechanism that selects admits exactly as many atoms as the plan's size"
        return
    released = {item.atom_id: item.noisy_mass for item in plan.noisy_sketch}
    if len(plan.noisy_sketch) != plan.dictionary.size or len(released) != plan.dictionary.size:
        yield "the noisy sketch must list every atom of the dictionary once"
    if any(released.get(entry.atom_id) != entry.noisy_mass for entry in plan.entries):
        yield "an entry disagrees with the noisy sketch"
    admitted = admitted_positions([item.noisy_mass for item in plan.noisy_sketch], plan.rules)
    if [plan.noisy_sketch[place].atom_id for place in admitted] != [entry.atom_id for entry in plan.entries]:
        yield "the entries are not the ones that the rules admit from the noisy sketch"


def _card_contradictions(plan: PlanFields) -> list[str]:
    card = plan.statement.contribution_map.card
    if card is None:
        return []
    ids = [atom.atom_id for atom in card.atoms]
    measured = ids if plan.noisy_sketch is None else [item.atom_id for item in plan.noisy_sketch]
    same_atoms = len(set(ids)) == len(ids) == plan.dictionary.size and ids == measured
    known = same_atoms and all(entry.atom_id in ids for entry in plan.entries)
    return [] if known else ["the map's report card is of another dictionary"]


def _quantified_contradictions(plan: PlanFields) -> Iterator[str]:
    expected = quantified_of(released_in(plan), plan.statement, plan.rules)
    if [one.atom_id for one in expected] != [one.atom_id for one in plan.quantified] or not all(
        math.isclose(getattr(one, part), getattr(other, part), abs_tol=1e-5)
        for one, other in zip(expected, plan.quantified, strict=False)
        for part in ("share", "low", "high")
    ):
        yield "the quantified shares do not follow from the noisy masses and the report card"


def _baseline_contradictions(plan: PlanFields) -> Iterator[str]:
    if plan.baseline is None or plan.noisy_sketch is None:
        if plan.denoised:
            yield "a best guess needs a public baseline and a full noisy sketch"
        return
    if [each.atom_id for each in plan.baseline.shares] != [item.atom_id for item in plan.noisy_sketch]:
        yield "the baseline is of another dictionary"
        return
    if plan.baseline.none is not None and plan.uncovered is None:
        yield 'the baseline knows a share of "none of these", which was not measured'
        return
    unnamed = ["?"] * len(plan.noisy_sketch)  # labels are the dictionary's
    read = denoised_of(released_in(plan), plan.statement, plan.rules, plan.baseline, unnamed)
    if len(plan.denoised) != len(read) or not all(map(BestGuess.follows, plan.denoised, read)):
        yield "the best guess does not follow from the noisy masses and the baseline"


def _noise_contradictions(plan: PlanFields) -> Iterator[str]:
    """Find noise and certificates that promise more than they may; less is nobody's harm."""
    statement, rules, atoms = plan.statement, plan.rules, plan.dictionary.size
    needed = noise_of(
        statement.mechanism,
        loss_of_themes(statement.loss_of_sketch, plan.denominator),
        sensitivity_of(statement.unit, statement.adjacency, statement.quantity),
        atoms=atoms,
        size=rules.size,
        besides=statement.contribution_map.besides,
        sampling=statement.sampling,
    )
    if needed.kind != statement.noise.kind or statement.noise.std < needed.std * (1 - 1e-9):
        yield "the stated noise is too small for the stated privacy loss"
    allowed = certificates_beside(plan.denominator, statement, atoms=atoms, size=rules.size, beta=rules.beta)
    if any(getattr(rules.certificates, name) < value * (1 - 1e-9) for name, value in allowed):
        yield "a certificate promises more than the stated noise allows"


def _grounding_contradictions(plan: PlanFields) -> Iterator[str]:
    grounded = plan.grounded
    if (grounded is None) != (plan.statement.grounding is None) or (grounded is None) == (
        plan.schema_version == GROUNDED_SCHEMA
    ):
        yield f"what a read sample says goes with a statement about that sample, and with schema {GROUNDED_SCHEMA}"
    if grounded is None or plan.statement.grounding is None:
        return
    lengths = {len(grounded.readings.corrections), len(grounded.readings.squares)}
    if plan.noisy_sketch is None or lengths != {len(plan.released_masses)}:
        yield "a read sample has one sum for every coordinate of a full noisy sketch"
        return
    names = [(int(item.atom_id), "?") for item in plan.noisy_sketch]  # labels are the dictionary's
    read = grounded_of(released_in(plan), plan.statement, plan.rules, plan.denominator, names)
    if read is None or not grounded.follows(read):
        yield "the grounded shares do not follow from the noisy masses and the noisy readings"


def _label_contradictions(plan: PlanFields) -> Iterator[str]:
    """Find a theme of two names: a reader would take the numbers of one for those of another."""
    as_read = plan.grounded.themes if plan.grounded else ()
    themes: tuple[PlanEntry | BestGuess | GroundedTheme, ...] = (*plan.entries, *plan.denoised, *as_read)
    named = {(theme.atom_id, theme.label) for theme in themes}
    if len(named) > len({atom_id for atom_id, _ in named}):
        yield "an atom has two labels"
