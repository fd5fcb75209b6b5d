"""Report cards for tests, and plans whose map has one."""

from collections.abc import Sequence

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.read_plan import ReaderChoices, read_noise
from dpspin.boundary.report_card import AtomCard, ReportCard
from dpspin.boundary.statement import PrivacyStatement
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE

MASSES, NONE = (318.4, 271.9, 244.7, 1.3), 248.1
READING = ReaderChoices(denominator=2000, size=3)


def identity(classes: int) -> list[list[float]]:
    """Return the confusion of a map that makes no mistake."""
    return [[float(row == column) for column in range(classes)] for row in range(classes)]


def leaning(classes: int, towards: int = 0, lean: float = 0.2) -> list[list[float]]:
    """Return the confusion of a map that gives a part of everything to one class."""
    unit = [lean * (column == towards) for column in range(classes)]
    return [[(1 - lean) * own + part for own, part in zip(row, unit, strict=True)] for row in identity(classes)]


def card_of(
    confusion: Sequence[Sequence[float]],
    /,
    *,
    ids: Sequence[int] | None = None,
    texts: int = 10**6,
    truth: Sequence[float] | None = None,
    **changes: object,
) -> ReportCard:
    """Build the card with this confusion; its texts are spread evenly over the classes unless ``truth`` is given."""
    classes = len(confusion)
    fields = {
        "measured_on": "500 labelled letters",
        "real_text": True,
        "texts": texts,
        "precision": 0.83,
        "recall": 0.64,
        "total_variation": 0.071,
        "covered_in_truth": 0.8,
        "covered_by_map": 0.75,
        "atoms": [
            {"atom_id": atom_id, "expressed": 40.0, "precision": 0.9, "recall": 0.7}
            for atom_id in ids or range(classes - 1)
        ],
        "reliability": (),
        "shares_in_truth": truth or [1 / classes] * classes,
        "confusion": confusion,
    }
    return ReportCard.model_validate(fields | changes)


PAPER_CARD = card_of(leaning(5), ids=PAPER_UNIVERSE.ids)


def untested(card: ReportCard) -> ReportCard:
    """Return the card with a first atom that the held-out texts say nothing about."""
    unknown = AtomCard(atom_id=card.atoms[0].atom_id, expressed=0.0, precision=None, recall=None)
    return card.model_copy(update={"atoms": (unknown, *card.atoms[1:])})


def stated_with(card: ReportCard | None, *, none: bool = True, **changes: object) -> PrivacyStatement:
    """Return the paper's statement with a map that has this card."""
    statement = (COVERED_PLAN if none else PAPER_PLAN).statement
    described = statement.contribution_map.model_copy(update={"card": card, **changes})
    return statement.model_copy(update={"contribution_map": described})


def mapped_plan(
    card: ReportCard | None, *, none: float | None = NONE, universe: AtomUniverse = PAPER_UNIVERSE, **changes: object
) -> SemanticPlan:
    """Read the paper's masses under a map that has this card."""
    statement = stated_with(card, none=none is not None, **changes)
    return read_noise(NoisyMasses(MASSES, none), statement, universe, READING, software="dpspin test")


def well_sorted(plan: SemanticPlan, universe: AtomUniverse, rate: float = 1.0) -> SemanticPlan:
    """Return the plan with a map that was right on test text at this rate: no text must say that it was not tested."""
    atoms = [{"atom_id": atom, "expressed": 40.0, "precision": rate, "recall": rate} for atom in universe.ids]
    card = card_of(identity(universe.size + 1), precision=rate, recall=rate, atoms=atoms)
    tested = plan.statement.contribution_map.model_copy(update={"card": card})
    return plan.model_copy(update={"statement": plan.statement.model_copy(update={"contribution_map": tested})})
