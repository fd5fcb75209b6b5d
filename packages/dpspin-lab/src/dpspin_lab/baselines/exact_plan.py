"""The paper's non-private reference: exact masses put into words by the same prompts, to compare with offline.

Nothing here protects anybody. A reference is no plan: it has no statement and cannot become a ``plan.json``. Its one
file says what it is, and is not written where a release lies.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.certify import SupportBin, even_share_bins
from dpspin.boundary.postprocess import bin_of, top
from dpspin.boundary.privacy import RecordUnit
from dpspin.curator.release.measurement import Measurement
from dpspin.errors import RequestError
from dpspin.public.narrate.decoders.prompts import Introduction, prose_prompt
from dpspin.public.narrate.modes import Mode
from dpspin.rehearse import masses_of
from dpspin_lab.baselines.references import Reference, Source
from dpspin_lab.not_private import write_not_private
from dpspin_lab.runs.words import text_by_bins

REFERENCE: Final = Introduction(
    "The input is a non-private reference aggregate summary plan.", "Non-private reference summary plan:"
)
NAME: Final = "reference"


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """One theme; the mass is exact, and has the name of a noisy one only because the prompt's lines are the same."""

    atom_id: int
    label: str
    description: str
    bin: str
    noisy_mass: float


@dataclass(frozen=True, slots=True)
class ReferencePlan:
    """The paper's P_NP: the top L of the exact sketch."""

    entries: tuple[ReferenceEntry, ...]


def exact_masses(source: str, text: str, universe: AtomUniverse) -> list[float]:
    """Measure public or generated records by the default map, record by record, without noise."""
    asked = Measurement(
        data=source,
        text=text,
        unit=RecordUnit(),
        atoms_auxiliary_is_public=universe.provenance.needs_comparison,  # nothing here is protected
    )
    measured, _ = asked.records(universe, None).measure()
    return [float(mass) for mass in masses_of(measured)[: universe.size]]


def reference_plan(
    masses: Sequence[float],
    universe: AtomUniverse,
    *,
    denominator: int,
    size: int = 10,
    bins: tuple[SupportBin, ...] | None = None,
) -> ReferencePlan:
    """Take the largest exact masses, given in dictionary order, with the bins of a release."""
    if denominator < 1 or size < 1:
        raise RequestError("a reference needs a denominator and a size above zero")
    floors = bins or even_share_bins(universe.size, bound=1.0)
    chosen = [(universe.atoms[place], masses[place]) for place in top(masses, min(size, universe.size))]
    return ReferencePlan(
        tuple(
            ReferenceEntry(atom.id, atom.label, atom.description, bin_of(mass / denominator, floors), mass)
            for atom, mass in chosen
        )
    )


def plan_source(plan: ReferencePlan, mode: Mode = Mode.DISPLAY) -> Source:
    """Show the paper's P_NP as one reference among the others, by the prompts and the template of a release."""
    settings = {"mode": mode.value, "entries": [asdict(entry) for entry in plan.entries]}
    asked = prose_prompt(plan.entries, mode, margin=0.0, introduction=REFERENCE)
    return Source("non-private plan", settings, asked, text_by_bins(plan, marked=mode is Mode.AUDIT))


def write_reference(folder: Path, reference: Reference) -> Path:
    """Write plan and text into one file, marked; never beside a release."""
    return write_not_private(folder, NAME, {**reference.settings, "text": reference.text})
