import pytest

pytest.importorskip("numba")
from dpspin.curator.assign.kernels.alphabet import Alphabet
from dpspin.curator.assign.kernels.read_sentences import IN_SMALL
from dpspin.curator.assign.kernels.sentence_layout import DIGIT, DOTTED_I, LETTER, OTHER, UNREADABLE


def kind_of(letter):
    """Return what a character in lower case is to the reference's patterns."""
    if letter.isascii() or letter == "\N{RIGHT SINGLE QUOTATION MARK}":
        return ord(letter.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    return ord(" ") if letter.isspace() else DIGIT if letter.isdecimal() else LETTER if letter.isalnum() else OTHER


def test_every_code_point_has_the_byte_of_its_lower_case():
    in_small = IN_SMALL.tolist()
    for point, byte in enumerate(Alphabet.of(["late"]).characters.tolist()):
        read = [in_small[byte], OTHER] if byte == DOTTED_I else [in_small[byte]]
        is_surrogate = 0xD800 <= point < 0xE000
        assert read == ([UNREADABLE] if is_surrogate else list(map(kind_of, chr(point).lower()))), hex(point)


def test_a_letter_of_the_words_has_a_byte_of_its_own_in_either_case():
    alphabet = Alphabet.of(["œuvre", "réé", "√"])
    assert alphabet.spelled("é") == bytes([alphabet.characters[ord("É")]])
    assert len({alphabet.characters[ord(letter)] for letter in "éœŒè√"}) == 4
    assert (alphabet.knows("œé"), alphabet.knows("è"), alphabet.knows("√")) == (True, False, False)
