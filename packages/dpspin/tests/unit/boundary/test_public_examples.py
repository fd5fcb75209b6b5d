"""Which examples stand for a theme: few, different, the dictionary's own, and the same everywhere."""

from hypothesis import given
from hypothesis import strategies as st

from dpspin.boundary.atoms import Atom
from dpspin.boundary.facets import ExampleFacet
from dpspin.boundary.public_examples import can_be_said, chosen_examples
from dpspin.public.atoms.packs import load, names
from text_viewed_plans import BY_EXAMPLE, CAFE

words = ("late", "parcel", "never", "came", "again", "box", "wet", "torn", "driver", "rude", "[x]", "“y”")
sentences = st.lists(st.lists(st.sampled_from(words), min_size=1).map(" ".join), max_size=12)


@given(sentences, st.integers(2, 6))
def test_the_chosen_are_different_sayable_examples_in_the_order_of_the_dictionary(told, most):
    atom = Atom(id=1, label="late", examples=tuple(told))
    chosen = chosen_examples(atom, most)
    sayable = [each for each in dict.fromkeys(atom.examples) if can_be_said(each)]
    assert len(chosen) == min(most, len(sayable))
    assert [each for each in sayable if each in chosen] == list(chosen)


def test_a_second_one_of_the_same_kind_is_not_taken_while_another_kind_is_left():
    kinds = ("The parcel is late.", "Nobody answers the phone.", "My card was charged twice.")
    told = tuple(f"{sentence[:-1]}{tail}" for sentence in kinds for tail in (".", " again.", " today.", "!"))
    chosen = chosen_examples(Atom(id=1, label="x", examples=told), most=3)
    assert [next(kind for kind in kinds if each.startswith(kind[:-1])) for each in chosen] == list(kinds)


def test_every_theme_of_every_pack_has_six():
    for name in names():
        assert all(len(chosen_examples(atom)) == 6 for atom in load(name).atoms), name


def test_the_rule_never_changes():
    """Plans name examples by their numbers: if this fails, plans that were published mean other sentences."""
    told = tuple(
        f"The {thing} {what}."
        for thing in ("parcel", "box", "letter")
        for what in ("is late", "came late again", "was wet", "never came", "is lost")
    )
    assert chosen_examples(Atom(id=1, label="late", examples=told)) == (
        "The parcel is late.",
        "The parcel came late again.",
        "The parcel was wet.",
        "The parcel never came.",
        "The parcel is lost.",
        "The box never came.",
    )
    assert BY_EXAMPLE.sentences == ("sha256:bf286a58a6e009a815c58904e7a1811b9e485ad1879c7da2a5b6d25766c4a0d5")


def test_a_facet_is_of_one_dictionary():
    assert BY_EXAMPLE.is_of(CAFE)
    other = CAFE.model_copy(update={"atoms": CAFE.atoms[:2]})
    assert not BY_EXAMPLE.is_of(other)
    assert not ExampleFacet.of(other).is_of(CAFE)
