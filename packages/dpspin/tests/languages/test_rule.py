"""The rule that tells languages apart, on texts that it was not made for."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import dpspin
from dpspin.errors import RequestError
from dpspin.text.languages import in_other_languages, language_of, names_of, require_codes, spoken_in

HERE = Path(__file__).parent
FOREIGN = yaml.safe_load((HERE / "foreign.yaml").read_text())
TRUTH = sorted((HERE.parent / "truth").glob("*.yaml"))


@pytest.mark.parametrize("language", ["de", "fr", "es"])
def test_text_in_another_language_is_told(language):
    assert sum(in_other_languages(FOREIGN[language], ["en"])) / len(FOREIGN[language]) >= 0.95


@pytest.mark.parametrize("language", FOREIGN)
def test_most_of_every_language_is_told(language):
    assert sum(in_other_languages(FOREIGN[language], ["en"])) / len(FOREIGN[language]) >= 0.9


@pytest.mark.parametrize("path", TRUTH, ids=lambda path: path.stem)
def test_english_text_is_read(path):
    texts = [record["text"] for record in yaml.safe_load(path.read_text())]
    assert sum(in_other_languages(texts, ["en"])) / len(texts) <= 0.01


def test_a_text_is_read_by_a_map_of_its_language():
    assert not any(in_other_languages(FOREIGN["de"][:5], ["de"]))


@given(st.text())
def test_any_text_gets_an_answer(text):
    assert in_other_languages([text, None], ["en"])[1] is False


@pytest.mark.parametrize("text", ["", " \n", "OK", "n/a", "12345 67", "👍👍", "\ud800 " * 20, "\x00" * 50, "￾￿" * 20])
def test_what_cannot_be_told_has_no_language(text):
    assert language_of(text) is None


def test_the_ready_packs_speak_english():
    assert {dpspin.packs.load(name).languages for name in dpspin.packs.names()} == {("en",)}


def test_the_languages_of_sentences_are_those_of_a_tenth_of_them():
    assert spoken_in([*FOREIGN["de"][:20], *FOREIGN["fr"][:20], FOREIGN["it"][3]]) == ("de", "fr")
    assert spoken_in(["ok", "1"]) == ()


def test_a_code_that_is_none_is_refused():
    with pytest.raises(RequestError, match="'xx' is no code of a language"):
        require_codes(["en", "xx"])
    assert names_of(["en", "zh"]) == ["English", "Chinese"]
