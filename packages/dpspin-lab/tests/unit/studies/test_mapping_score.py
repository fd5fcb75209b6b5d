import numpy as np
import pytest

from dpspin.curator.assign.labelled_texts import LabelledTexts
from dpspin.curator.assign.recipes import weights_of
from dpspin_lab.studies.map_truth import recall_within, score
from factories import WeightsMap

SIZE, TIMES = 12, 5  # more atoms than the ten that the overlap compares; each text often enough to be labels
NONE = SIZE
# Right; half right; one of two atoms noticed, and a wrong one; a text of none taken a little for the last.
KINDS = (
    (frozenset({0}), {0: 1.0}),
    (frozenset({1}), {1: 0.5, 2: 0.5}),
    (frozenset({0, 1}), {0: 0.75, 11: 0.25}),
    (frozenset(), {11: 0.25, NONE: 0.75}),
)


def row(weights: dict[int, float]) -> list[float]:
    return [weights.get(place, 0.0) for place in range(SIZE + 1)]


TRUTH = LabelledTexts(("text",) * 4 * TIMES, tuple(atoms for atoms, _ in KINDS) * TIMES, SIZE)
WEIGHTS = np.array([row(weights) for _, weights in KINDS] * TIMES)


def test_precision_is_the_part_of_the_assigned_mass_that_is_true():
    assert score(WEIGHTS, TRUTH).precision == pytest.approx((1 + 0.5 + 0.75) / 3.25)


def test_recall_counts_the_true_atoms_that_were_named():
    assert score(WEIGHTS, TRUTH).recall == pytest.approx(3 / 4)


def test_total_variation_compares_shares_of_the_covered_mass():
    assert score(WEIGHTS, TRUTH).total_variation == pytest.approx(0.5 - 0.5 / 3.25)  # what the second atom lacks


def test_overlap_compares_the_ten_largest():
    assert score(WEIGHTS, TRUTH).overlap == pytest.approx(0.9)  # the last atom takes the place of the tenth


def test_coverage_is_the_mass_on_atoms_per_text():
    found = score(WEIGHTS, TRUTH)
    assert (found.covered, found.covered_in_truth) == pytest.approx((3.25 / 4, 0.75))


def test_the_truth_itself_scores_best():
    found = score(TRUTH.shares, TRUTH)
    assert (found.precision, found.recall, found.total_variation, found.overlap) == pytest.approx((1, 1, 0, 1))
    assert found.covered == found.covered_in_truth


def test_recall_asks_for_no_more_atoms_than_may_be_named():
    rich = LabelledTexts(("text",) * 20, (frozenset(range(5)),) * 20, SIZE)
    atoms = np.array([row({0: 0.5, 3: 0.3, 4: 0.2})] * 20)[:, :-1]
    assert recall_within(atoms, rich, most=3) == 1
    assert recall_within(atoms, rich, most=5) == 3 / 5


def test_recall_looks_only_at_the_heaviest():
    late = LabelledTexts(("text",) * 20, (frozenset({4}),) * 20, SIZE)
    atoms = np.array([row({0: 0.4, 3: 0.35, 4: 0.25})] * 20)[:, :-1]
    assert recall_within(atoms, late, most=2) == 0
    assert recall_within(atoms, late, most=3) == 1


def test_weights_have_one_column_for_each_atom_and_none_of_these():
    answers = {"late": (0.5, 0.25, 0.0), "hello": (0.0, 0.0, 1.0), "": (0.0, 0.0, 0.0)}
    found = weights_of(WeightsMap(2, answers.__getitem__), list(answers), size=2)
    assert found.tolist() == [list(weights) for weights in answers.values()]
