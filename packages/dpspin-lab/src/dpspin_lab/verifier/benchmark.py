"""The benchmark of the verifier: invented plans of many domains, and texts about them with the verdict that is right.

No records lie behind the plans. They state a release, because texts about releases are what the verifier reads.
"""

from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, Literal, Self

import yaml
from pydantic import Field, TypeAdapter, model_validator

from dpspin.boundary.atoms import Atom, AtomUniverse, Provenance
from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.certify import CertifiedMargins, FixedMargin, SupportBin
from dpspin.boundary.mechanisms import AnyMechanism
from dpspin.boundary.mechanisms.base import noise_of
from dpspin.boundary.mechanisms.gaussian import Gaussian
from dpspin.boundary.mechanisms.laplace import Laplace
from dpspin.boundary.mechanisms.private_top_l import PrivateTopL
from dpspin.boundary.model_base import FrozenModel, explained_as
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.privacy import (
    MASS,
    Adjacency,
    AnyQuantity,
    Prevalence,
    PrivacyLoss,
    RecordUnit,
    UserUnit,
    sensitivity_of,
)
from dpspin.boundary.read_plan import ReaderChoices, read_noise
from dpspin.boundary.statement import NO_TEXTS, MapStatement, PrivacyStatement
from dpspin.errors import InputError
from dpspin.public.narrate.modes import Mode

_MECHANISMS: dict[str, AnyMechanism] = {"laplace": Laplace(), "gaussian": Gaussian(), "private_topL": PrivateTopL()}
_ATOMS_PER_RECORD = 3
TRUE = "true"
KINDS = (
    *("raw-quotation", "record-detail", "unreleased-label", "unreleased-synonym", "invented-theme"),
    *("wrong-bin", "wrong-number", "number-word", "fraction", "frequency-reading"),
    *("wrong-comparison", "passive-comparison", "inverse-comparison", "unsupported-order"),
    *("wrong-superlative", "wrong-rank", "implicit-rank", "negation", "pronoun"),
    *("wrong-marker", "unknown-marker", "missing-marker", "list-item", "table-cell"),
    *("quantifier", "wrong-count", "false-tie", "importance", "cause", "trend", "subgroup", "place", "entity"),
    *("advice", "feeling", "completeness", "privacy-overclaim", "wrong-parameter"),
    *("lookalike", "other-language", "off-topic"),
)
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where libyaml is there


@cache
def benchmark_plans() -> dict[str, tuple[SemanticPlan, AtomUniverse]]:
    """Return every plan of the benchmark with its dictionary, by name."""
    text = (resources.files("dpspin_lab.verifier") / "plans.yaml").read_text("utf-8")
    return {name: _plan(name, given) for name, given in yaml.safe_load(text).items()}


def _plan(name: str, given: dict[str, Any]) -> tuple[SemanticPlan, AtomUniverse]:
    universe = _universe(name, given)
    statement = _stated(given, universe.size)
    plan = read_noise(_noisy(given, statement), statement, universe, _reading(given, universe), software="benchmark")
    return plan, universe


def _universe(name: str, given: dict[str, Any]) -> AtomUniverse:
    atoms = (Atom(id=number, label=label, description=words) for number, _, label, words in given["atoms"])
    written = Provenance(source="handwritten", note="invented for the verifier's benchmark")
    return AtomUniverse(name=f"{name} themes", version="1", provenance=written, atoms=tuple(atoms))


def _stated(given: dict[str, Any], atoms: int) -> PrivacyStatement:
    quantity: AnyQuantity = Prevalence(most_atoms=_ATOMS_PER_RECORD) if given.get("quantity") == "prevalence" else MASS
    return invented_statement(
        _MECHANISMS[given.get("mechanism", "laplace")],
        PrivacyLoss(given["epsilon"], given.get("delta", 0.0)),
        unit=UserUnit(given["unit"]) if "unit" in given else RecordUnit(),
        quantity=quantity,
        atoms=atoms,
        size=given["size"],
        none="none" in given,
    )


def invented_statement(
    mechanism: AnyMechanism,
    loss: PrivacyLoss,
    *,
    unit: RecordUnit | UserUnit = RecordUnit(),  # noqa: B008  frozen
    quantity: AnyQuantity = MASS,
    atoms: int,
    size: int,
    none: bool = False,
) -> PrivacyStatement:
    """State a release that nobody made, for texts about releases."""
    sensitivity = sensitivity_of(unit, Adjacency.ADD_DROP, quantity)
    return PrivacyStatement(
        unit=unit,
        adjacency=Adjacency.ADD_DROP,
        loss=loss,
        mechanism=mechanism,
        noise=noise_of(mechanism, loss, sensitivity, atoms=atoms, size=size, besides=none),
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


def _noisy(given: dict[str, Any], statement: PrivacyStatement) -> NoisyMasses:
    masses, none = [float(mass) for _, mass, _, _ in given["atoms"]], given.get("none")
    if statement.mechanism.selects:
        return NoisyMasses(masses[: given["size"]], none, positions=tuple(range(given["size"])))
    return NoisyMasses(masses, none)


def _reading(given: dict[str, Any], universe: AtomUniverse) -> ReaderChoices:
    ids: dict[str, int] = {atom.label: atom.id for atom in universe.atoms}
    public = given.get("baseline")
    amounts = {ids[label]: float(amount) for label, amount in public.items()} if public else None
    return ReaderChoices(
        denominator=given["denominator"],
        size=given["size"],
        admission=given.get("admission"),
        margin=FixedMargin(mass=given["margin"]) if "margin" in given else CertifiedMargins(),
        bins=tuple(SupportBin(name=each, at_least=floor) for each, floor in given["bins"].items()),
        title=given["title"],
        baseline=baseline_of(universe, amounts, source="last year's public report") if amounts else None,
    )


class CaseSet(StrEnum):
    """The verifier was built with the development cases in view; nobody tunes to the held-back ones."""

    DEVELOPMENT = "development"
    HELD_BACK = "held-back"


class Case(FrozenModel):
    """One text, true or with one planted falsehood."""

    id: str = Field(min_length=1)
    plan: str
    mode: Mode
    verdict: Literal["accept", "reject"]
    kind: str
    text: str = Field(min_length=1)

    @model_validator(mode="after")
    def _fits_the_benchmark(self) -> Self:
        if self.plan not in benchmark_plans():
            raise ValueError(f"case {self.id}: there is no plan {self.plan}")
        if self.kind not in (TRUE, *KINDS):
            raise ValueError(f"case {self.id}: there is no kind {self.kind}")
        if (self.kind == TRUE) != (self.verdict == "accept"):
            raise ValueError(f"case {self.id}: exactly the true texts are to be accepted")
        return self

    @property
    def is_true(self) -> bool:
        """Tell a text that must be accepted."""
        return self.verdict == "accept"


_CASES = TypeAdapter(tuple[Case, ...])


@cache
def written_cases(case_set: CaseSet) -> tuple[Case, ...]:
    """Read every file of a set; an empty folder is an empty set."""
    folder = resources.files("dpspin_lab.verifier") / "cases" / case_set.value.replace("-", "_")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name)
    return tuple(case for file in files for case in parsed_cases(file.read_text("utf-8"), file.name))


def parsed_cases(text: str, name: str) -> tuple[Case, ...]:
    """Read one file of cases, or say in plain words what is wrong with it.

    >>> one, = parsed_cases("[{id: a, plan: restaurants, mode: display, verdict: reject, kind: cause, text: x}]", "f")
    >>> one.is_true
    False
    """
    with explained_as(InputError, f"the verifier's cases in {name}"):
        return _CASES.validate_python(yaml.load(text, Loader=_LOADER) or [])  # noqa: S506  a safe loader
