"""A report card on the terminal: the whole first, then the atoms that are measured worst."""

from collections.abc import Iterator

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.report_card import AtomCard, ReportCard
from dpspin.boundary.statement import MapStatement

WORST = 12


def card_lines(statement: MapStatement, universe: AtomUniverse) -> Iterator[str]:
    """Say in plain words how far a map can be believed."""
    yield f"map: {statement.name}, fitted on {statement.fitted_on}"
    yield f"digest: {statement.digest}"
    if statement.card is None:
        yield "no report card: there is neither labelled auxiliary text nor an example sentence to test the map on"
        return
    yield from _whole(statement.card)
    yield from _atoms(statement.card, universe)


def _whole(card: ReportCard) -> Iterator[str]:
    yield f"\nmeasured on {card.measured_on}, none of which the map learned from:"
    yield f"  of the mass it assigns, {card.precision:.0%} is on themes that the text expresses"
    yield f"  of the themes that texts express, it finds {card.recall:.0%}"
    yield f"  {card.total_variation:.1%} of the total lies on the wrong theme once errors have cancelled out"
    yield f"  covered by the dictionary: {card.covered_by_map:.0%} by the map, {card.covered_in_truth:.0%} in truth"


def _atoms(card: ReportCard, universe: AtomUniverse) -> Iterator[str]:
    labels = {atom.id: atom.label for atom in universe.atoms}
    tested = [atom for atom in card.atoms if atom.recall is not None]
    head = f"measured worst ({min(WORST, len(tested))} of {len(card.atoms)}):"
    yield f"\n{head:<33}precision   recall   texts"
    for atom in sorted(tested, key=_worth)[:WORST]:
        precision = "     –" if atom.precision is None else f"{atom.precision:6.0%}"
        recall, texts = f"{atom.recall or 0.0:6.0%}", f"{atom.expressed or 0.0:5.0f}"
        yield f"  {labels[atom.atom_id][:32]:<32}  {precision}   {recall}   {texts}"


def _worth(atom: AtomCard) -> float:
    return (atom.precision or 0.0) + (atom.recall or 0.0)
