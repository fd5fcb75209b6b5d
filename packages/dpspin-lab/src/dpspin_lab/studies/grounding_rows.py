"""The collections on which grounding is tried: complaints, reviews, generated tickets, and maps made up to break it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.privacy import MASS, AnyQuantity, Prevalence, RecordUnit, UserUnit
from dpspin.curator.assign.calibrated_fits import fit_hybrid
from dpspin.curator.assign.contribution import ContributionMap, Floats
from dpspin.curator.assign.labelled_texts import LabelledTexts
from dpspin.demo.synthetic import generate_tickets
from dpspin_lab.datasets import phrase_labels
from dpspin_lab.datasets.cfpb import NEW_ERA, read_complaints
from dpspin_lab.datasets.split import split_by_time
from dpspin_lab.markdown import table_lines
from dpspin_lab.metrics.error_parts import shares
from dpspin_lab.studies.grounded_truth import Grounded, Rise, Setting, grounded, rise, shifts
from dpspin_lab.studies.lessons import halves, labels_of, lesson_of
from dpspin_lab.studies.map_truth import SIZES
from dpspin_lab.studies.read_units import RECORD, ReadUnits, made_up, names_of, origin_of, read_units

READINGS = (300, 1000)
TICKETS = 2000
RANDOM = "random halves"
Collections = Mapping[str, ReadUnits]
_COLUMNS = (
    *("collection", "units", "epsilon", "readings", "covered", "with none", "card", "half-width", "forecast"),
    *("by agreement", "error of the ten largest", "TV", "Overlap@10"),
)


def collections(folder: Path) -> Collections:
    """Read and map all that is tried; the files are those of the truth tables."""
    return {**complaints(folder), **reviews(folder), **tickets(), **hostile()}


def grounding_table(tried: Collections, draws: int, seed: int) -> Iterator[Grounded]:
    """Simulate every row: the collections as they are, shifted, and one of them at other losses and rates."""
    for name, units in tried.items():
        for readings in READINGS:
            yield grounded(name, units, Setting(readings), draws=draws, seed=seed)
            if RANDOM in name:
                moved = name.replace(RANDOM, "one doubled, one halved")
                ways = [likely for _, likely in shifts(units)]
                yield grounded(moved, units, Setting(readings), draws=draws, seed=seed, likely=ways)
        if name == f"CFPB, m = {SIZES[0]}, {RANDOM}":
            for setting in (Setting(300, 0.2), Setting(1000, 0.2), Setting(6000), Setting(6000, 0.2)):
                yield grounded(name, units, setting, draws=draws, seed=seed)


def rise_table(tried: Collections, draws: int, seed: int) -> Iterator[Rise]:
    """Simulate what is reported of a doubled theme's rise, with 1,000 readings, on real and generated text."""
    made = hostile().keys()
    for name, units in tried.items():
        if name not in made and units.origin.quantity == MASS:
            yield rise(name, units, Setting(1000), draws=draws, seed=seed)


def complaints(folder: Path) -> Collections:
    """Map CFPB complaints by what other complaints taught: random halves, and older ones for newer ones."""
    found = {}
    everything = read_complaints(folder)
    for size in SIZES:
        splits = {RANDOM: halves(everything, 0), "older to newer": split_by_time(everything, NEW_ERA)}
        for how, split in splits.items():
            one = lesson_of(split, size)
            found[f"CFPB, m = {size}, {how}"] = _units(one.universe, one.hybrid(), one.target, one.taught)
    return found


def reviews(folder: Path) -> Collections:
    """Map the project's labelled reviews, those held back, by what the others taught and by the dictionary alone."""
    found = {}
    for corpus in (phrase_labels.AMAZON, phrase_labels.YELP):
        universe = phrase_labels.dictionary(corpus)
        taught, held = (phrase_labels.labelled(corpus, folder, part) for part in ("taught", "held"))
        for how, fitted in {
            "taught": fit_hybrid(universe, taught),
            "dictionary alone": fit_hybrid(universe, None),
        }.items():
            found[f"{corpus.name}, {how}"] = _units(universe, fitted, held, taught)
    return found


def tickets() -> Collections:
    """Map generated tickets by the pack alone: records, users, and prevalence; other tickets have the rival shares."""
    corpus, others = generate_tickets(TICKETS, 0), labels_of(generate_tickets(TICKETS, 1))
    labels, fitted = labels_of(corpus), fit_hybrid(corpus.universe, None)
    users = corpus.records["user_id"].to_pylist()
    return {
        "generated tickets": _units(corpus.universe, fitted, labels, others),
        "generated tickets, users": _units(corpus.universe, fitted, labels, others, UserUnit(1.0), users=users),
        "generated tickets, prevalence": _units(
            corpus.universe, fitted, labels, others, quantity=Prevalence(most_atoms=3)
        ),
    }


def _units(
    universe: AtomUniverse,
    fitted: ContributionMap,
    target: LabelledTexts,
    taught: LabelledTexts,
    unit: RecordUnit | UserUnit = RECORD,
    *,
    quantity: AnyQuantity = MASS,
    users: Sequence[str] | None = None,
) -> ReadUnits:
    rival = shares(taught.shares[:, :-1].sum(axis=0))
    mapped = fitted(pa.array(target.texts, pa.large_string()))
    origin = origin_of(universe, fitted.statement, unit, quantity)
    return read_units(origin, names_of(universe), mapped, target.atoms, auxiliary=rival, users=users)


def hostile(size: int = 50, records: int = 600) -> Collections:
    """Make up maps and labels that a normal law should find hard; each record has one theme or none."""
    rows, none = np.arange(records), size
    ten, five = rows % 10, rows % 5
    large = np.where(rows % 10 < 3, 0, 1 + rows % (size - 1))  # noqa: PLR2004  three of ten records are on theme 0
    rare = np.where(rows % 300 < size, rows % 300, none)
    return {
        "made up: a theme of 30 % always taken for another": _made_up(
            _eye(np.where(large == 0, 1, large), size), large
        ),
        "made up: ten themes, the map answers none": _made_up(_eye(np.full(records, none), size), ten),
        "made up: ten themes, each taken for the next": _made_up(_eye((ten + 1) % 10, size), ten),
        "made up: one theme has everything": _made_up(_eye(0 * rows, size), 0 * rows),
        "made up: themes of a 300th, the map answers none": _made_up(_eye(np.full(records, none), size), rare),
        "made up: five themes, .4 of each record on none": _made_up(
            0.6 * _eye(five, size) + 0.4 * _eye(np.full(records, none), size), five
        ),
    }


def _made_up(weights: Floats, themes: np.ndarray) -> ReadUnits:
    none = weights.shape[1] - 1
    return made_up(weights, [frozenset() if theme == none else frozenset({theme}) for theme in themes.tolist()])


def _eye(places: np.ndarray, size: int) -> Floats:
    rows: Floats = np.eye(size + 1)[places]
    return rows


def grounding_lines(rows: Iterable[Grounded]) -> Iterator[str]:
    """Write coverage in percent, widths and errors in points."""
    yield from table_lines(_COLUMNS, map(_cells, rows), words=2)


def rise_lines(rows: Iterable[Rise]) -> Iterator[str]:
    """Write what is reported as parts of the true rise."""
    cells = ((row.collection, f"{row.readings:,}", *(f"{each:.2f}" for each in row.reported.values())) for row in rows)
    yield from table_lines(("a theme doubled", "readings", "mapped", "grounded", "best guess"), cells, words=1)


def _cells(row: Grounded) -> tuple[str, ...]:
    card = "" if row.card_covered is None else f"{100 * row.card_covered:.1f}"
    return (
        row.collection,
        row.unit,
        f"{row.epsilon / 2:g} + {row.epsilon / 2:g}",
        f"{row.readings:,}",
        *(f"{100 * each:.1f}" for each in (row.covered, row.with_none)),
        card,
        *(f"{each:.2f}" for each in (row.half_width, row.forecast, row.by_agreement)),
        " / ".join(f"{each:.2f}" for each in row.errors),
        " / ".join(f"{each:.3f}" for each in row.distances),
        " / ".join(f"{each:.2f}" for each in row.overlaps),
    )
