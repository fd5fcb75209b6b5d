"""The invented plans over which the verifier is measured: many domains, awkward labels, every kind of policy.

No records lie behind them. They state a release, because texts about releases are what the verifier reads.
"""

from functools import cache
from importlib import resources
from typing import Any

import yaml

from dpspin.boundary.atoms import Atom, AtomUniverse, Provenance
from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.certify import CertifiedMargins, FixedMargin, SupportBin
from dpspin.boundary.mechanisms import AnyMechanism, Gaussian, Laplace, PrivateTopL, noise_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import (
    MASS,
    Adjacency,
    AnyQuantity,
    Prevalence,
    PrivacyLoss,
    RecordUnit,
    UserUnit,
)
from dpspin.boundary.reading import ChosenAtoms, Reading, WholeSketch, read_noise
from dpspin.boundary.sensitivity import sensitivity_of
from dpspin.boundary.separation import NO_TEXTS
from dpspin.boundary.statement import MapStatement, PrivacyStatement

_MECHANISMS: dict[str, AnyMechanism] = {"laplace": Laplace(), "gaussian": Gaussian(), "private_topL": PrivateTopL()}
_ATOMS_PER_RECORD = 3


@cache
def benchmark_plans() -> dict[str, tuple[SemanticPlan, AtomUniverse]]:
    """Return every plan of the benchmark with its dictionary, by name."""
    text = (resources.files("dpspin_lab.verifier") / "plans.yaml").read_text("utf-8")
    return {name: _plan(name, given) for name, given in yaml.safe_load(text).items()}


def _plan(name: str, given: dict[str, Any]) -> tuple[SemanticPlan, AtomUniverse]:
    universe = _universe(name, given)
    statement = _statement(given, universe.size)
    plan = read_noise(_noisy(given, statement), statement, universe, _reading(given, universe), software="benchmark")
    return plan, universe


def _universe(name: str, given: dict[str, Any]) -> AtomUniverse:
    atoms = (Atom(id=number, label=label, description=words) for number, _, label, words in given["atoms"])
    written = Provenance(source="handwritten", note="invented for the verifier's benchmark")
    return AtomUniverse(name=f"{name} themes", version="1", provenance=written, atoms=tuple(atoms))


def _statement(given: dict[str, Any], atoms: int) -> PrivacyStatement:
    unit = UserUnit(given["unit"]) if "unit" in given else RecordUnit()
    quantity: AnyQuantity = Prevalence(most_atoms=_ATOMS_PER_RECORD) if given.get("quantity") == "prevalence" else MASS
    loss, mechanism = (
        PrivacyLoss(given["epsilon"], given.get("delta", 0.0)),
        _MECHANISMS[given.get("mechanism", "laplace")],
    )
    none = "none" in given
    sensitivity = sensitivity_of(unit, Adjacency.ADD_DROP, quantity)
    return PrivacyStatement(
        unit=unit,
        adjacency=Adjacency.ADD_DROP,
        loss=loss,
        mechanism=mechanism,
        noise=noise_of(mechanism, loss, sensitivity, atoms=atoms, size=given["size"], besides=none),
        randomness="os-csprng",
        separation=NO_TEXTS,
        contribution_map=MapStatement(
            name="invented",
            fitted_on="nothing",
            atoms_per_record=_ATOMS_PER_RECORD,
            digest="sha256:0",
            answers_none=none,
        ),
        quantity=quantity,
    )


def _noisy(given: dict[str, Any], statement: PrivacyStatement) -> WholeSketch | ChosenAtoms:
    masses, none = [float(mass) for _, mass, _, _ in given["atoms"]], given.get("none")
    if statement.mechanism.selects:
        return ChosenAtoms(tuple(range(given["size"])), masses[: given["size"]], none)
    return WholeSketch(masses, none)


def _reading(given: dict[str, Any], universe: AtomUniverse) -> Reading:
    ids: dict[str, int] = {atom.label: atom.id for atom in universe.atoms}
    public = given.get("baseline")
    amounts = {ids[label]: float(amount) for label, amount in public.items()} if public else None
    return Reading(
        denominator=given["denominator"],
        size=given["size"],
        admission=given.get("admission"),
        margin=FixedMargin(mass=given["margin"]) if "margin" in given else CertifiedMargins(),
        bins=tuple(SupportBin(name=each, at_least=floor) for each, floor in given["bins"].items()),
        title=given["title"],
        baseline=baseline_of(universe, amounts, source="last year's public report") if amounts else None,
    )
