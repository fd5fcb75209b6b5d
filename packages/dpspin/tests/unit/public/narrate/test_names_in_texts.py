"""Names of themes that would speak, mislead or hide something in a text, and names that may stand there."""

import pytest

from completing import complete
from dpspin.boundary.atoms import Atom
from dpspin.errors import DictionaryError
from dpspin.public.atoms.speakable_names import require_speakable
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.verify import verify
from factories import plan_of, universe_of

LISTED = "“App crashes” is listed."


def rules_of(text, universe, masses=(442.0, 300.0)):
    """Return what is wrong with a text about themes of these masses, once it says what every text must say."""
    plan = plan_of(universe, masses)
    verdict = verify(plan, complete(text, plan, universe), "display", universe)
    assert verdict.accepted is (not verdict.rules())
    return verdict.rules()


SPEAKING = ("nothing", "no other theme", "half of all users", "app crashes but not lost data", "the area billing")


@pytest.mark.parametrize("label", SPEAKING)
def test_a_label_that_speaks_is_a_name_in_quotation_marks_or_nothing(label):
    universe = universe_of([Atom(id=1, label=label), Atom(id=2, label="app crashes"), Atom(id=3, label="lost data")])
    spoken = label[0].upper() + label[1:]
    assert rules_of(f"“{spoken}” is listed.", universe, (442.0, 300.0, 200.0)) == ()
    assert rules_of(f"{LISTED} {spoken} is listed.", universe, (442.0, 300.0, 200.0)) == ("not-read",)


LOOK_ALIKES = [
    ["二番", "ニ番"],  # kanji, katakana
    ["カード", "力ード"],
    ["カード", "カ一ド"],  # a long vowel, kanji one
    ["カード", "カ—ド"],  # and a dash
    ["出口", "出ロ"],
    ["工事", "エ事"],
    ["へや", "ヘや"],  # hiragana, katakana
    ["べや", "ベや"],  # with a mark
    ["リスト", "りスト"],
    ["タ食", "夕食"],
    ["ㄧ番", "一番"],  # bopomofo
    ["A/B", "AノB"],
    ["AㅣB", "AlB"],  # hangul
    ["Đ 5", "Ð 5"],
    ["kra", "ĸra"],
    ["yxw", "γχω"],  # Greek
    ["Ʒ D", "3 D"],
    ["Jo", "Ϳο"],
]


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        (["late delivery\u200b"], "the sign"),  # hidden signs
        (["re\u00adfund"], "the sign"),
        (["turn\u202eed"], "the sign"),
        (["slow\u200dness"], "the sign"),  # a joiner between Latin letters
        (["late” has high support. “delivery"], "the sign"),  # signs that seem to end a quotation
        (["data\u02ee holds 75% of all users\u2024 \u02ddwrong invoice"], "the sign"),
        (['late" and "early'], "the sign"),
        (["refund’’ is the largest theme (90%), and ‘‘app"], "an apostrophe"),
        (["lost data’ or ‘slow"], "an apostrophe"),
        (["the drivers'"], "an apostrophe"),
        (["guests’ needs"], "an apostrophe"),  # as a quotation ends
        (["parcel\ufe0f"], "the sign"),  # a variation selector
        (["rain\u2800"], "the sign"),  # a blank of Braille
        (["rain\u00a0coat"], "the sign"),
        (["check\u2010in"], "the sign"),  # a hyphen that is not the usual one
        (["ｒefund"], "the sign"),
        (["slow [atom:3]"], "the sign"),
        (["\u0251pp crashes"], "the sign"),  # a letter of phonetics
        (["\U0001d5ee data"], "the sign"),  # a letter of mathematics
        (["lost\u20dd data"], "the sign"),  # a circle around a letter
        (["data\u0941"], "the sign"),  # a vowel of another script
        (["\u13da\u13a2"], "the sign"),  # Cherokee, full of letters that look like Latin ones
        (["n\u0430me"], "two alphabets"),  # a Cyrillic letter
        (["l\u03bfst data"], "two alphabets"),  # a Greek letter
        (["délai", "de\u0301lai"], "look alike"),
        (["copy", "\u0441\u043e\u0440\u0443"], "look alike"),  # four Cyrillic letters
        (["late delivery", "late  delivery"], "look alike"),
        (["modem", "modern"], "look alike"),
        (["bill due", "BilI due"], "look alike"),
        (["plan B0", "plan BO"], "look alike"),
        (["wall", "vvall"], "look alike"),
        (["dear bill", "clear bill"], "look alike"),
        (["late parcel", "late parcel."], "look alike"),
        (["pick-up", "pick–up"], "look alike"),
        (["can't pay", "can’t pay"], "look alike"),
        *((pair, "look alike") for pair in LOOK_ALIKES),
    ],
)
def test_names_that_a_reader_cannot_tell_apart_are_refused_before_anything_is_paid_or_told(labels, why):
    universe = universe_of([Atom(id=place, label=label) for place, label in enumerate(labels)])
    with pytest.raises(DictionaryError, match=why):
        require_speakable(universe)
    with pytest.raises(DictionaryError, match=why):
        Facts(plan_of(universe, [300.0] * len(labels)), universe)


@pytest.mark.parametrize(
    "label",
    [
        "can't pay (24/7)", "guests' needs", "l’été", "de\u0301lai", "R&D – costs, fees", "5 € + 3% = ?",
        "#1 @home_office*", "No. 1: good; fine!", "tiếng Việt", "größe", "доставка", "παράδοση", "हिन्दी सेवा", "บริการ",
        "配送が遅い", "iPhoneの充電", "배송 App",
    ],
)  # fmt: skip
def test_names_of_everyday_writing_are_spoken_of(label):
    universe = universe_of([Atom(id=1, label=label, parent=f"all {label}"), Atom(id=2, label="app crashes")])
    told = narrate(plan_of(universe, [442.0, 300.0]), universe)
    assert (told.verdict.accepted, told.used_fallback) == (True, False)
    assert f"“{label}”" in told.text or f"“{label[0].upper()}{label[1:]}”" in told.text


@pytest.mark.parametrize("label", ["لغو سفارش", "می\u200cخواهم", "ביטול הזמנה", "refund שלום"])
def test_a_name_that_is_written_from_right_to_left_is_set_apart_and_only_so_is_it_read(label):
    universe = universe_of([Atom(id=1, label=label), Atom(id=2, label="app crashes")])
    shown = label[0].upper() + label[1:]
    assert rules_of(f"“\u2068{shown}\u2069” is listed.", universe) == ()
    for turned in (f"“{shown}”", f"“\u2068{shown}”", f"“{shown}\u2069”", f"\u2068“{shown}”\u2069"):
        assert rules_of(f"{LISTED} {turned} is listed.", universe) == ("not-read",)
    assert rules_of(f"{LISTED} “\u2068App crashes\u2069” is listed.", universe) == ("not-read",)


@pytest.mark.parametrize(
    "description",
    [
        "It comes late\u2024 Nobody can be identified",  # signs that look like a full stop, and like a semicolon
        "It comes late\uff0e Nobody can be identified",
        "It comes late\u3002Nobody can be identified",
        "It comes late\uff1b everybody is angry",
        "It comes late \u2014 verified",
        "It comes late\u201d. \u201cNobody",
    ],
)
def test_a_description_that_would_be_sentences_of_its_own_is_not_told(description):
    universe = universe_of([Atom(id=1, label="late delivery", description=description), Atom(id=2, label="lost data")])
    said = f"In the dictionary, “late delivery” stands for “{description[0].lower()}{description[1:]}”."
    assert rules_of(f"“Lost data” is listed. {said}", universe) == ("not-read",)
    assert "stands for" not in narrate(plan_of(universe, [442.0, 300.0]), universe).text


def test_what_a_description_says_is_a_quotation():
    boast = "broken goods, by far the largest theme with 90% of all users"
    universe = universe_of([Atom(id=1, label="late delivery", description=boast), Atom(id=2, label="lost data")])
    lead, listed = "In the dictionary, “late delivery” stands for", "“Lost data” is listed."
    assert rules_of(f"{listed} {lead} “{boast}”.", universe) == ()
    assert rules_of(f"{listed} {lead}: {boast}.", universe) == ("not-read",)
