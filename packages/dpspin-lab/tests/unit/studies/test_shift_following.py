import numpy as np
import pytest

from dpspin.boundary.atoms import Atom, AtomId
from dpspin.curator.assign.grade_map import card_of
from dpspin.curator.assign.labelled_texts import LabelledTexts
from dpspin_lab.studies.map_truth import _resampled, follow
from factories import WeightsMap, universe_of

SIZE = 10
COUNTS = (600, 560, 520, 480, 440, 400, 360, 320, 280, 240, 400)  # of each atom, and of none of these
CLASSES = [place for place, count in enumerate(COUNTS) for _ in range(count)]
# The text is the place of its atom, so that a map can be as good or as bad as a test wants.
WORLD = LabelledTexts(
    tuple(str(place) for place in CLASSES),
    tuple(frozenset({place}) if place < SIZE else frozenset() for place in CLASSES),
    SIZE,
)
USUAL = WORLD.shares.mean(axis=0)


def perfect(text: str) -> np.ndarray:
    return np.eye(SIZE + 1)[int(text)]


def half_blind(text: str) -> np.ndarray:
    return (perfect(text) + USUAL) / 2


def with_card(weigh) -> WeightsMap:
    """Return a map whose card states how it confuses the atoms."""
    made = WeightsMap(SIZE, weigh)
    universe = universe_of([Atom(id=AtomId(place), label=f"atom {place}") for place in range(SIZE)])
    card = card_of(
        universe, np.array([weigh(text) for text in WORLD.texts]), WORLD.shares, "itself", real_text=True, corrects=True
    )
    made.statement = made.statement.model_copy(update={"card": card})
    return made


@pytest.fixture(scope="module")
def followed():
    case = (WORLD, WORLD, with_card(half_blind), WeightsMap(SIZE, perfect))
    return {found.method: found for found in follow([case])}


def test_weights_that_are_the_truth_follow_all_the_way(followed):
    found = followed["the paper's"]  # in its place stands the perfect map
    assert (found.doubled, found.halved) == pytest.approx((1, 1), abs=0.05)
    assert found.total_variation < 0.01


def test_constant_shares_do_not_follow_at_all(followed):
    found = followed["auxiliary shares alone"]
    assert (found.doubled, found.halved) == pytest.approx((0, 0), abs=0.05)
    assert found.total_variation > 0.08  # the doubled atom alone gained this on average


def test_a_half_blind_map_goes_half_the_way_and_its_correction_no_less(followed):
    raw, mended = followed["hybrid, raw masses"], followed["hybrid, corrected"]
    assert (raw.doubled, raw.halved) == pytest.approx((0.5, 0.5), abs=0.05)
    assert min(mended.doubled, mended.halved) > 0.45
    assert mended.total_variation < raw.total_variation + 0.005


def test_resampling_doubles_one_share_halves_another_and_scales_the_rest_alike():
    chance = np.random.default_rng(1)  # noqa: TID251 - a simulation of the lab
    truth = np.eye(4)[chance.choice(4, size=100_000, p=[0.2, 0.1, 0.3, 0.4])]
    before = truth.mean(axis=0)
    rows = _resampled(truth, 0, 1, chance)
    after = truth[rows].mean(axis=0)
    assert len(rows) == len(truth)
    assert after[:2] / before[:2] == pytest.approx([2, 0.5], rel=0.03)
    assert after[2] / before[2] == pytest.approx(after[3] / before[3], rel=0.03)
