import pytest

from dpspin.demo.chance import chance_of, pick_several, shuffled
from dpspin.demo.letters import CAREFUL, SLOPPY, THUMBS, Handwriting, handwritten

TEXT = "I've ordered something yesterday, and the Maripéa watch hasn't arrived 🙂."


def test_a_careful_writer_changes_nothing_unless_shouting():
    typed = {handwritten(TEXT, CAREFUL, chance_of(seed)) for seed in range(300)}
    assert typed == {TEXT, TEXT.upper()}


def test_thumbs_write_lower_case_without_apostrophes_or_a_last_stop():
    typed = handwritten(TEXT, Handwriting(slips=0.0, apostrophes=False, lower_case=True), chance_of(1))
    assert typed == "ive ordered something yesterday, and the maripéa watch hasnt arrived 🙂"
    assert THUMBS.lower_case


def test_slips_touch_one_letter_of_longer_words_and_keep_the_first():
    always = Handwriting(slips=1.0, apostrophes=True, lower_case=False)
    for seed in range(100):
        word = handwritten("something", always, chance_of(seed))
        assert word[0] in "sS"
        assert abs(len(word) - len("something")) <= 1
    assert handwritten("the u2 :-)", always, chance_of(1)) == "the u2 :-)"


def test_sloppy_writers_make_some_slips():
    assert any(
        handwritten(TEXT, SLOPPY, chance_of(seed)).lower() != TEXT.replace("'", "").lower() for seed in range(30)
    )


@pytest.mark.parametrize("count", [0, 2, 9])
def test_pick_several_takes_different_items(count):
    picked = pick_several("abcd", count, chance_of(1))
    assert len(picked) == len(set(picked)) == min(count, 4)


def test_shuffled_keeps_every_item():
    assert sorted(shuffled(range(50), chance_of(2))) == list(range(50)) != shuffled(range(50), chance_of(2))
