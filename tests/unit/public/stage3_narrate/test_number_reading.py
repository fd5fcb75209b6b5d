import pytest

from dpspin.public.stage3_narrate.verify.passages import Passage
from dpspin.public.stage3_narrate.verify.quantities import Kind, quantities_of


def read(text):
    return [(q.kind, q.value, q.decimals) for q in quantities_of(Passage(0, text, text, ()))]


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("318.40", (Kind.DIGITS, 318.4, 2)),
        ("12,345.6", (Kind.DIGITS, 12345.6, 1)),
        ("a mass of -1.3", (Kind.DIGITS, -1.3, 1)),
        ("a mass of −1.3", (Kind.DIGITS, -1.3, 1)),
        ("1e-6", (Kind.DIGITS, 1e-6, 6)),
        ("15.9%", (Kind.PERCENT, 15.9, 1)),
        ("16 percent", (Kind.PERCENT, 16, 0)),
        ("2nd", (Kind.ORDINAL, 2, 0)),
        ("seven", (Kind.WORD, 7, 0)),
        ("one released theme", (Kind.WORD, 1, 0)),
        ("twice", (Kind.VAGUE, 0, 0)),
        ("3x", (Kind.VAGUE, 3, 0)),
        ("a third", (Kind.VAGUE, 0, 0)),
    ],
)
def test_a_number_is_read_as_written(text, quantity):
    assert read(text) == [quantity]


@pytest.mark.parametrize("text", ["one of the themes", "no one", "someone", "attend", "the third theme"])
def test_words_that_count_nothing_are_no_numbers(text):
    assert read(text) == []


def test_a_range_is_two_positive_numbers():
    assert [value for _, value, _ in read("300.1-320.5")] == [300.1, 320.5]


@pytest.mark.parametrize(
    ("written", "released", "match"),
    [("318", 318.4, True), ("318", 317.4, False), ("318.4", 318.4372, True), ("318.44", 318.4372, True),
     ("318.4400", 318.4372, False), ("0", 0.3, False), ("0.3", 0.26, True)],
)  # fmt: skip
def test_a_number_must_be_the_released_value_at_the_precision_written(written, released, match):
    (quantity,) = quantities_of(Passage(0, written, written, ()))
    assert quantity.rounds(released) is match


def test_an_integer_must_hit_a_public_constant_exactly():
    (quantity,) = quantities_of(Passage(0, "1", "1", ()))
    assert quantity.equals(1.0)
    assert not quantity.equals(0.8)
