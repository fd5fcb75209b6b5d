"""Whether the map of a pack hears a "not": pairs of sentences, of which one states a theme and the other denies it."""

from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import yaml

from dpspin.curator.assign.recipes import Recipe, fit_by_recipe
from dpspin.public.atoms import packs
from restaurant_dictionary import dense

PAIRS = yaml.safe_load((Path(__file__).parent / "polarity" / "pairs.yaml").read_text(encoding="utf-8"))
MOST_FOOLED = {  # measured: 0.65, 0.75, 0.90, 0.70, 0.30, 0.70 and 0.95
    "app-reviews": 0.7,
    "assistant-chats": 0.8,
    "bank-complaints": 0.9,
    "employee-survey": 0.75,
    "product-reviews": 0.4,
    "restaurant-reviews": 0.8,
    "support-tickets": 0.95,
}
FEWEST_FOUND = 0.85  # measured: between 0.90 and 1.00

pytestmark = pytest.mark.long


@cache
def masses(pack, side):
    """Return how much of each stated, or of each denied, sentence is on the theme."""
    universe = packs.load(pack)
    place = {atom: position for position, atom in enumerate(universe.ids)}
    found = dense(fit_by_recipe(Recipe(languages=()), universe, None)(pa.array([pair[side] for pair in PAIRS[pack]])))
    return np.array([row[place[pair["theme"]]] for row, pair in zip(found, PAIRS[pack], strict=True)])


def test_every_pack_is_tried():
    assert PAIRS.keys() == MOST_FOOLED.keys() == set(packs.names())


@pytest.mark.parametrize("pack", MOST_FOOLED)
def test_a_denied_theme_is_taken_for_a_stated_one_no_more_often_than_measured(pack):
    # Words and pairs of words tell what a sentence is about and hardly what it says about that. Near misses help.
    assert (masses(pack, "denied") > 0.5).mean() <= MOST_FOOLED[pack]


@pytest.mark.parametrize("pack", MOST_FOOLED)
def test_a_stated_theme_is_found(pack):
    assert (masses(pack, "stated") >= 0.3).mean() >= FEWEST_FOUND
    assert masses(pack, "stated").mean() > masses(pack, "denied").mean()
