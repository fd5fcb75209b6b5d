"""Every kind of map that a recipe can name keeps the laws of a map: one more kind is tested here without a new line."""

from functools import cache

import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.assign.contribution import row_sums
from dpspin.curator.assign.map_trust import is_ours
from dpspin.curator.assign.recipes import MapKind, Recipe, fit_by_recipe
from dpspin.curator.assign.saved_maps import load_map, save_map
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import DictionaryError, RequestError
from restaurant_dictionary import ATOMS, UNIVERSE, exclusive_texts, restaurant, several_texts

TAUGHT_BY = {MapKind.TAUGHT: several_texts, MapKind.SUPERVISED: exclusive_texts}  # what cannot do without labels
TEXTS = (
    *("We waited an hour, and the soup was cold.", "The waiter was rude to us.", "", "ok", "Thanks!"),
    *(
        "No wait at all; nobody was rude.",
        "Der Kellner war sehr unfreundlich zu uns allen.",
        "crème brûlée, stone cold",
    ),
    *("wait " * 300, "Zebra ÉCLAIR 東京", "It took forever.Rude!<br/>took forever"),
)
EVERY_KIND = pytest.mark.parametrize("kind", MapKind)


def auxiliary(kind):
    if kind not in TAUGHT_BY:
        return None
    labelled = TAUGHT_BY[kind]()
    labels = [";".join(ATOMS[place].label for place in sorted(atoms)) for atoms in labelled.atoms]
    return open_corpus(pa.table({"words": list(labelled.texts), "atoms": labels}), Columns("words", None, "atoms"))


def fit(kind, most=None, universe=UNIVERSE):
    return fit_by_recipe(Recipe(kind, most), universe, auxiliary(kind))


@cache
def fitted(kind, most=None):
    return fit(kind, most)


def rows_of(fitted_map, texts):
    """What each record gives, as atoms and ticks: integers, to be compared as they are."""
    given = fitted_map(pa.array(texts, pa.large_string()))
    parts = zip(np.split(given.atoms, given.offsets[1:-1]), np.split(given.ticks, given.offsets[1:-1]), strict=True)
    return [sorted(zip(atoms.tolist(), ticks.tolist(), strict=True)) for atoms, ticks in parts]


@EVERY_KIND
def test_fitted_twice_it_is_the_same_map(kind, monkeypatch):
    monkeypatch.setenv("DPSPIN_CACHE", "off")
    again = fit(kind, universe=restaurant())
    assert again.statement == fitted(kind).statement
    assert rows_of(again, TEXTS) == rows_of(fitted(kind), TEXTS)


@EVERY_KIND
@pytest.mark.parametrize("most", [None, 1])
def test_a_record_alone_in_company_and_in_other_order_gives_the_same(kind, most):
    made = fitted(kind, most)
    together = rows_of(made, TEXTS)
    assert [rows_of(made, [text])[0] for text in TEXTS] == together
    assert rows_of(made, TEXTS[::-1]) == together[::-1]
    assert rows_of(made, TEXTS * 150) == together * 150


@EVERY_KIND
@pytest.mark.parametrize("most", [None, 1, 2])
def test_contributions_are_bounded(kind, most):
    made = fitted(kind, most)
    given = made(pa.array([*TEXTS, None], pa.large_string()))
    besides = made.statement.besides
    assert given.universe_size == UNIVERSE.size + besides
    assert (row_sums(given.offsets, given.ticks) <= TICKS_PER_MASS).all()
    assert rows_of(made, [None]) == [[]]
    if most is not None:
        assert made.statement.atoms_per_record == most
        assert all(sum(atom < UNIVERSE.size for atom, _ in row) <= most for row in rows_of(made, TEXTS))


@EVERY_KIND
@pytest.mark.parametrize("most", [None, 2])
def test_saved_and_loaded_it_gives_the_same_bits(kind, most, tmp_path):
    made = fitted(kind, most)
    save_map(made, tmp_path / "a.map")
    loaded = load_map(tmp_path / "a.map", UNIVERSE)
    assert loaded.statement == made.statement
    assert rows_of(loaded, TEXTS) == rows_of(made, TEXTS)
    save_map(loaded, tmp_path / "b.map")
    assert (tmp_path / "a.map").read_bytes() == (tmp_path / "b.map").read_bytes()


@EVERY_KIND
def test_its_statement_says_what_a_reader_must_know(kind):
    stated = fitted(kind).statement
    assert stated.digest.startswith("sha256:")
    assert stated.fitted_on
    assert stated.card is not None
    assert stated.made_by != "caller"
    assert stated.learned_from_auxiliary is (kind in TAUGHT_BY)
    assert is_ours(fitted(kind))


@EVERY_KIND
def test_without_what_it_needs_it_is_refused(kind):
    with pytest.raises(RequestError):
        Recipe(kind, atoms_per_record=0)
    if kind in TAUGHT_BY:
        with pytest.raises(RequestError):
            fit_by_recipe(Recipe(kind), UNIVERSE, None)
    bare = restaurant(tuple(atom.model_copy(update={"examples": ()}) for atom in ATOMS), background=())
    if kind in {MapKind.CUES, MapKind.EMBEDDING}:
        with pytest.raises(DictionaryError):
            fit_by_recipe(Recipe(kind), bare, None)


@EVERY_KIND
def test_another_dictionary_is_another_map(kind):
    assert fit(kind, universe=restaurant(version="2")).statement.digest != fitted(kind).statement.digest
