"""A record of words that the map knows is read without asking for its language; every other one is asked about."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from dpspin.curator.assign import calibrated_map
from dpspin.curator.assign.familiar_words import FEWEST_WORDS, familiar
from dpspin.curator.assign.recipes import MapKind, Recipe, fit_by_recipe
from dpspin.curator.assign.saved_maps import load_map, save_map
from restaurant_dictionary import UNIVERSE

FITTED = fit_by_recipe(Recipe(), UNIVERSE, None)
ENGLISH = "We waited an hour, and the soup was cold and the waiter was rude."
GERMAN = "Der Kellner war sehr unfreundlich zu uns allen, und die Suppe war kalt."
NOT_READ = UNIVERSE.size + 1


def masses(fitted, texts):
    given = fitted(pa.array(texts, pa.large_string()))
    rows = np.zeros((len(texts), given.universe_size), np.int64)
    rows[given.rows, given.atoms] = given.ticks
    return rows


@pytest.fixture
def asked(monkeypatch):
    """The texts whose language somebody asked for."""
    seen = []

    def watched(texts, languages):
        seen.extend(texts)
        return [text is not None and "Kellner" in text for text in texts]

    monkeypatch.setattr(calibrated_map, "in_other_languages", watched)
    return seen


def test_only_of_unfamiliar_texts_the_language_is_asked(asked):
    short = "Rude!"
    rows = masses(FITTED, [ENGLISH, GERMAN, short, None])
    assert asked == [GERMAN, short, None]
    assert (rows[:, NOT_READ] > 0).tolist() == [False, True, False, False]


def test_a_map_of_before_asks_of_every_text_and_keeps_its_digest(asked, tmp_path):
    before = replace(FITTED, by_familiar_words=False)
    masses(before, [ENGLISH, GERMAN])
    assert asked == [ENGLISH, GERMAN]
    assert before.statement.digest != FITTED.statement.digest
    for fitted in (before, FITTED):
        save_map(fitted, tmp_path / "kept.map")
        loaded = load_map(tmp_path / "kept.map", UNIVERSE)
        assert (loaded.by_familiar_words, loaded.statement) == (fitted.by_familiar_words, fitted.statement)


@pytest.mark.parametrize(
    ("languages", "by_words"), [(("en",), True), (("de", "en"), True), (("de",), False), ((), False)]
)
def test_familiar_words_decide_only_where_the_dictionarys_own_language_is_read(languages, by_words):
    assert fit_by_recipe(Recipe(languages=languages), UNIVERSE, None).by_familiar_words is by_words


@pytest.mark.parametrize("kind", [MapKind.CUES, MapKind.NAMES])
def test_maps_whose_digests_were_kept_keep_them(kind):
    assert not fit_by_recipe(Recipe(kind), UNIVERSE, None).by_familiar_words


def test_the_language_of_a_text_depends_on_no_other_text():
    alone = [masses(FITTED, [text])[0].tolist() for text in (ENGLISH, GERMAN, "Rude!")]
    assert masses(FITTED, [ENGLISH, GERMAN, "Rude!"]).tolist() == alone


def test_most_words_are_seven_of_ten_and_there_are_enough():
    known = ENGLISH.replace(",", "").split()[: FEWEST_WORDS + 1]
    assert familiar(FITTED.sources, [" ".join(known), " ".join(known[: FEWEST_WORDS - 1])]).tolist() == [True, False]
    strange = [*known[:7], "zzyx", "qwrt", "blarg"]
    assert familiar(FITTED.sources, [" ".join(strange), " ".join([*strange, "vrumf"])]).tolist() == [True, False]
