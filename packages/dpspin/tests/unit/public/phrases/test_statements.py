"""Sentences about phrases: each that is written holds, and each false one is turned away."""

import re

import pytest
from pydantic import ValidationError

from dpspin.boundary.phrases import NoisyPhrase, PhraseRelease
from dpspin.boundary.statement import NO_TEXTS
from dpspin.errors import InputError
from dpspin.public.phrases.publish import phrases_page, publish_phrases
from dpspin.public.phrases.statements import HasPhrase, claim_in, is_verified, promises_of, sentences_of
from phrase_records import release

RELEASE = release()
LOW = RELEASE.low(RELEASE.phrases[0])
FALSE = {
    "more than is certain": f"At least {LOW + 1} users have the phrase “subscription renewal”.",
    "a phrase that was not released": "At least 1 user has the phrase “cancel”.",
    "another unit": f"At least {LOW} records have the phrase “subscription renewal”.",
    "another form": f"About {LOW} users have the phrase “subscription renewal”.",
    "at most": f"At most {LOW} users have the phrase “subscription renewal”.",
    "exactly": "190 users have the phrase “Maria”.",
    "two claims": "At least 1 user has the phrase “Maria”. Maria is rude.",
    "a number of another spelling": f"At least 0{LOW} users have the phrase “subscription renewal”.",
    "wrong thousands": "At least 1,7 users have the phrase “subscription renewal”.",
    "nobody": "At least 0 users have the phrase “Maria”.",
    "capitals": "At least 1 user has the phrase “maria”.",
}


def test_every_sentence_holds():
    told = sentences_of(RELEASE)
    assert len(told) == 3
    assert all(is_verified(sentence, RELEASE) for sentence in told)
    assert f"At least {LOW} users have the phrase “subscription renewal”." in told


@pytest.mark.parametrize("case", FALSE)
def test_false_sentences_are_turned_away(case):
    assert not is_verified(FALSE[case], RELEASE)


@pytest.mark.parametrize("least", [1, 2, 999, 1000, 1234567])
def test_a_claim_is_read_back(least):
    claim = HasPhrase("sensitive skin", least, "record")
    assert claim_in(claim.sentence()) == claim


def test_a_weaker_sentence_holds_too():
    assert is_verified(f"At least {LOW - 5} users have the phrase “subscription renewal”.", RELEASE)


def test_the_promise_says_what_delta_means():
    told = " ".join(promises_of(RELEASE))
    assert "phrase of one user alone" in told
    assert "at most 0.1 %" in told  # 1,000 users at 1e-6
    assert "spent epsilon 1 of 1" in told


def test_the_page_has_no_script_and_shows_only_what_was_kept(tmp_path):
    kept = RELEASE.only(frozenset({"nuisance"}))
    page = phrases_page(kept)
    assert "nuisance" in page
    assert "Maria" not in page
    assert re.findall(r"<script(?! type=\"application/json\")", page) == []
    for file in publish_phrases(tmp_path / "release", kept):
        assert b"Maria" not in file.read_bytes()


def test_the_page_names_the_dictionary_and_says_where_nothing_is_published():
    left = {"dictionary": "letters", "dictionary_digest": "sha256:a", "map_digest": "sha256:b", "separation": NO_TEXTS}
    told = PhraseRelease.model_validate({**RELEASE.model_dump(), "left_over": left, "phrases": ()})
    page = phrases_page(told)
    assert "letters" in page
    assert "No phrase is published, so there is nothing to say of any" in page
    assert "does not mean that nobody wrote of anything else" in page
    assert "Every sentence was read back" not in page
    assert "Every phrase" not in page
    assert "Every sentence was read back" in phrases_page(RELEASE)


def test_a_forged_release_is_refused():
    low = [{"phrase": "nuisance", "count": RELEASE.terms.threshold}]
    with pytest.raises(ValidationError):
        PhraseRelease.model_validate({**RELEASE.model_dump(), "phrases": low})
    twice = [{"phrase": "nuisance", "count": 99}, {"phrase": "nuisance", "count": 98}]
    with pytest.raises(ValidationError):
        PhraseRelease.model_validate({**RELEASE.model_dump(), "phrases": twice})
    with pytest.raises(InputError):
        PhraseRelease.from_json("{}")


@pytest.mark.parametrize("phrase", ["", "two  spaces", "a\u202eb", "“quoted”", "line\nbreak"])
def test_a_phrase_is_plain_words(phrase):
    with pytest.raises(ValidationError):
        NoisyPhrase(phrase=phrase, count=99)
