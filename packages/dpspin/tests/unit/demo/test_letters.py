import pytest

from dpspin.demo.chance import chance_of
from dpspin.demo.letters import _announced, letter_about, ticket_bank, variants


@pytest.mark.parametrize(
    ("sentence", "announced"),
    [
        ("The app is slow.", "Also, the app is slow."),
        ("A reply would be nice.", "Also, a reply would be nice."),
        ("I've no idea.", "Also, I've no idea."),
        ("POST works.", "Also, POST works."),
        ("Maripéa is broken.", "Also, Maripéa is broken."),
    ],
)
def test_an_announced_sentence_keeps_capitals_only_where_they_belong(sentence, announced):
    assert _announced(sentence, "Also, ", ticket_bank()) == announced


def test_every_sentence_of_a_theme_counts_once():
    letters = [letter_about([16, 50], "chat", chance_of(seed)) for seed in range(200)]
    assert {len(letter.sentence_themes) for letter in letters} == {2, 3, 4, 5, 6}
    assert all(set(letter.sentence_themes) == {16, 50} for letter in letters)


def test_a_letter_without_themes_is_off_topic():
    letter = letter_about([], "form", chance_of(1))
    assert letter.text
    assert letter.sentence_themes == ()


def test_nobody_shouts_about_praise():
    outbursts = {variant for phrase in ticket_bank().outbursts for variant in phrase if "{" not in variant}
    texts = [letter_about([54], "app", chance_of(seed)).text for seed in range(200)]
    assert not any(outburst in text for text in texts for outburst in outbursts)


def test_alternatives_multiply_and_slots_stay():
    assert len(variants("<a|b> <c|d|e> <order>")) == 6
    assert variants("plain") == ("plain",)
