"""Phrase dictionaries: every step of the paper on invented reviews."""

import pytest

from dpspin.errors import DictionaryError, RequestError
from dpspin.public.atoms.build.phrases import build_phrases
from dpspin.public.atoms.build.profile import Profile, Topic, profile_names, read_profile
from dpspin.public.atoms.build.themes import is_slip

BEAUTY = read_profile("amazon-beauty")
GUESTS = read_profile("yelp-restaurants")


def labels_of(built):
    return [atom.label for atom in built.universe.atoms]


def built_from(*texts, profile=BEAUTY, **options):
    return build_phrases(texts, profile, **{"min_support": 1, **options})


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ("It is easy to apply.", "easy application"),
        ("Quality hair, I must say.", "hair quality"),
        ("I wasted my money.", "waste money"),
        ("My skin was very dry.", "dry skin"),
    ],
)
def test_variants_become_the_papers_labels_for_beauty(said, label):
    assert labels_of(built_from(said)) == [label]


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ("The staff was friendly.", "friendly staff"),
        ("Food was delicious!", "delicious food"),
        ("Horrible service.", "terrible service"),
    ],
)
def test_variants_become_the_papers_labels_for_restaurants(said, label):
    assert labels_of(built_from(said, profile=GUESTS)) == [label]


@pytest.mark.parametrize(
    "said",
    ["A new item.", "A great product, lovely skin.", "Fresh pasta and a long spoon.", "Hair hair!", "Dry Martini Skin"],
)
def test_what_is_generic_mere_praise_a_repeat_or_of_another_field_is_no_atom(said):
    with pytest.raises(RequestError, match="no phrase of the profile"):
        built_from(said)


def test_distinct_concerns_stay_distinct():
    built = built_from("My dry skin, my sensitive skin, my skin irritation.", "Hair loss; dry hair; hair growth.")
    assert set(labels_of(built)) == {
        "dry skin", "sensitive skin", "skin irritation", "hair loss", "dry hair", "hair growth",
    }  # fmt: skip


def test_support_counts_each_document_once_over_all_variants():
    built = built_from("Easy to apply, applies easily, easy application.", "Easy application.", "Dry skin.")
    assert [(one.label, one.support) for one in built.manifest.supports] == [("easy application", 2), ("dry skin", 1)]


def test_support_counts_users_where_they_are_given():
    texts, users = ["Dry skin."] * 3 + ["Long hair."] * 2, ["a", "a", "a", "b", None]
    built = build_phrases(texts, BEAUTY, users=users, min_support=1)
    assert [(one.label, one.support) for one in built.manifest.supports] == [("long hair", 2), ("dry skin", 1)]
    assert built.manifest.support_counts == "users"


def test_rare_phrases_go_ties_are_broken_by_name_and_size_is_a_limit():
    texts = ["Dry skin, oily skin, long hair."] * 25 + ["Curly hair."] * 24
    built = build_phrases(texts, BEAUTY)
    assert labels_of(built) == ["dry skin", "long hair", "oily skin"]
    assert labels_of(build_phrases(texts, BEAUTY, size=2)) == ["dry skin", "long hair"]


def test_an_accidental_word_order_is_dropped_and_a_common_one_counted():
    rare = {("skin", "dry"): 1, ("dry", "skin"): 40}
    assert is_slip(("skin", "dry"), rare)
    assert not is_slip(("dry", "skin"), rare)
    assert not is_slip(("dry", "skin"), {("dry", "skin"): 1})


def test_the_manifest_says_what_each_step_left_and_under_which_rules():
    built = built_from("Dry skin, great product, red pasta.", "Wasted money, money trash.", size=5)
    manifest = built.manifest
    assert {step.name: step.candidates for step in manifest.steps} == {
        "two-word phrases": 5,
        "without generic": 5,
        "without sentiment only": 4,
        "without names": 4,
        "without word order": 4,
        "without outside the domain": 3,
        "canonical": 3,
        "merged": 2,
        "minimum support": 2,
        "kept": 2,
    }
    assert manifest.dictionary_digest == built.universe.digest
    assert (manifest.rules.profile, manifest.rules.profile_digest) == ("amazon-beauty", BEAUTY.digest)
    assert manifest.rules.canonical_labels["hair quality"] == ("quality hair",)
    assert (manifest.min_support, manifest.requested_size, manifest.size) == (1, 5, 2)
    assert manifest.refinement == "rules"


def test_the_same_text_gives_the_same_dictionary():
    texts = ["Dry skin and long hair.", "Long hair", "The pump leaks."]
    assert built_from(*texts) == built_from(*texts) == built_from(*reversed(texts))


def test_the_ways_to_say_an_atom_are_its_cues_and_its_topic_the_parent():
    (atom,) = built_from("I wasted my money.", "Wasted money!", "Money trash.").universe.atoms
    assert (atom.cues, atom.parent) == (("wasted money", "money trash"), "price")


@pytest.mark.parametrize("name", profile_names())
def test_a_ready_profile_names_only_what_it_can_find(name):
    """Each label is in the domain or named, has one or two words, and its own variants lead to it."""
    profile = read_profile(name)
    for label in profile.labels:
        assert 1 <= len(label.split()) <= 2
        assert profile.topic_of([key for key, of in profile.label_of.items() if of == label]) is not None, label


def test_a_phrase_for_two_labels_is_refused(tmp_path):
    file = tmp_path / "two.yaml"
    file.write_text(
        "name: n\ndomain: d\nmin_support: 1\ntopics: {t: {about: [a], says: [b]}}\n"
        "labels: {dry skin: [arid skin], arid hand: [skin arid]}\n"
    )
    with pytest.raises(DictionaryError, match="for two labels"):
        read_profile(str(file))


def test_an_unknown_profile_is_refused_with_the_known_ones():
    with pytest.raises(RequestError, match="amazon-beauty, generic, yelp-restaurants"):
        read_profile("amazon")


def test_a_profile_of_ones_own():
    kettles = Profile(name="k", domain="d", min_support=1, topics={"lid": Topic(about=("lid",), says=("loose",))})
    assert labels_of(build_phrases(["The lid is loose.", "Dry skin."], kettles)) == ["loose lid"]
