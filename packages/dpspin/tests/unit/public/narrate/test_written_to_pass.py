"""Texts whose words were written to pass although they mislead, one for each way that once led through.

Beside each stands what may be said instead: so a refusal is not one of everything. What else a text must say is added
to both, so that each fails by its own rule alone.
"""

import pytest

from completing import complete
from dpspin.errors import RequestError
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.verify import verify
from dpspin.public.report.folder import report
from factories import plan_of
from pages import words
from shop_plans import (
    BESIDE_A_SURVEY,
    BESIDE_NONE,
    BINS,
    CLEAR,
    MENTIONED,
    NOT_READ,
    ODD,
    SAMPLED_USERS,
    SHOP,
    USERS,
    WITHOUT_IDS,
    stated,
)
from tricks import LARGEST, LISTED, NOT_A_COUNT, VOICE, Trick, refused_and_held

BY_SHARE = (
    "The listed themes by share: “app crashes” (22.1%), “lost data” (15.0%), “late delivery” (8.0%), “slow refund” "
    "(7.9%) and “double charge” (4.5%)"
)
FIRST_LINE = "- “Slow refund”: 7.9% (7.6% to 8.2% without the privacy noise)."
LINE = "- “Double charge”: 4.5% (4.2% to 4.8% without the privacy noise)."
HEADING = "Among the listed themes:"
LIST = f"{HEADING}\n{LINE}"
OVERLAP = "The intervals of “late delivery” and “slow refund” overlap."
MARKED = "“App crashes” [atom:1] is listed."
BESIDE = "“app crashes” has a larger part than in the public baseline."

TRICKS = {
    "a meaning goes on with another sentence": Trick(
        f"{LISTED} In the dictionary, “late delivery” stands for “it comes late. Nobody can be identified”.",
        "not-read",
        f"{LISTED} In the dictionary, “double charge” stands for “money is taken twice”.",
    ),
    "a meaning goes on with another clause": Trick(
        f"{LISTED} In the dictionary, “slow refund” stands for “it comes late; app crashes are larger”.", "not-read"
    ),
    "a part is told by its article": Trick(f"{LISTED} The plan lists “app crashes”.", "not-read"),
    "a connective orders": Trick(
        f"{LARGEST} Next, “double charge” has a share of 4.5%.",
        "not-read",
        f"{LARGEST} “Double charge” has a share of 4.5%.",
    ),
    "a connective sets against each other": Trick(
        f"{LISTED} However, “lost data” is listed.", "not-read", f"{LISTED} “Lost data” is listed."
    ),
    "a connective adds up what is a part": Trick(
        f"{LISTED} The 5 listed themes make up 57.5% together. In addition, “app crashes” stands at 22.1%.",
        "not-read",
        f"{LISTED} The 5 listed themes make up 57.5% together (56.3% to 58.9% without the privacy noise). "
        "“App crashes” stands at 22.1%.",
    ),
    "overlapping intervals are called alike": Trick(
        f"{LISTED} Under the noise, “late delivery” and “slow refund” are alike in share.", "not-read", OVERLAP
    ),
    "the name of a bin speaks": Trick(
        f"{LISTED} “App crashes” has more than 90% of all user released support.", "not-read", plan=ODD
    ),
    "only what is not listed is spoken of": Trick(
        "“Broken zip” is not listed: its share is 0.0% (0.0% to 0.3% without the privacy noise).",
        "no-theme",
        f"{LISTED} “Broken zip” is not listed: its share is 0.0% (0.0% to 0.3% without the privacy noise).",
    ),
    # Markers and signs
    "an area has the marker of a theme": Trick(
        f"{MARKED} The area “software” [atom:1] has the largest share of all areas, as filed (37.1%).",
        "marker-label-mismatch",
        f"{MARKED} The area “software” has the largest share of all areas, as filed (37.1%).",
        mode=Mode.AUDIT,
    ),
    "a marker begins with a zero": Trick(
        f"{MARKED} “Lost data” [atom:02] is listed.",
        "not-read",
        f"{MARKED} “Lost data” [atom:2] is listed.",
        mode=Mode.AUDIT,
    ),
    "a marker has digits of another script": Trick(
        f"{MARKED} “Lost data” [atom:٢] is listed.",
        "not-read",
        f"{MARKED} “Lost data” [atom:2] is listed.",
        mode=Mode.AUDIT,
    ),
    "a name has a letter that only looks like its own": Trick(f"{LISTED} “Lost d\u0430ta” is listed.", "not-read"),
    # What leans on the sentence before
    "a rank follows on whatever was named before": Trick(
        "“Double charge” is listed. “Lost data” (15.0%) follows by released rank.",
        "not-read",
        "“Double charge” is listed. “Lost data” (15.0%) comes behind “app crashes” in the released order.",
    ),
    "a rank follows on another theme than the first": Trick(
        "“Lost data” (15.0%) comes behind “double charge” in the released order.",
        "wrong-number",
        "Behind “app crashes” comes “lost data” (15.0%) in the released order.",
    ),
    "an area follows on another area than the largest": Trick(
        f"{LISTED} The area “money” (12.4%) has a smaller share than the area “goods”.",
        "wrong-number",
        f"{LISTED} The area “money” (12.4%) has a smaller share than the area “software”.",
    ),
    "a list runs on behind its colon": Trick(
        f"{LISTED} {BY_SHARE}; “rude driver” is not listed.", "not-read", f"{BY_SHARE}."
    ),
    "what was not read goes on with the themes": Trick(
        "Text that was recognised as not in English was not read, "
        "and 15.0% (14.7% to 15.3% without the privacy noise) is its share; "
        f"“app crashes” stands at 22.1%. {LISTED}",
        "not-read",
        "Text that was recognised as not in English was not read, "
        "and 15.0% (14.7% to 15.3% without the privacy noise) is its share. "
        "“App crashes” stands at 22.1%.",
        NOT_READ,
    ),
    "two claims stand in one sentence": Trick(
        f"{LISTED} “App crashes” is listed; “lost data” is listed.", "not-read", f"{LISTED} “Lost data” is listed."
    ),
    # Lists
    "a bullet inside a line is a minus": Trick(f"{LISTED} {LINE}", "layout", f"{LISTED}\n\n{LIST}"),
    "lines stand under a sentence as if they were its own": Trick(
        f"{OVERLAP}\n{LINE}", "layout", f"{OVERLAP}\n\n{LIST}"
    ),
    "lines are not of themes with their shares": Trick(
        f"{LISTED}\n\n{HEADING}\n- “Double charge” is listed.", "not-read"
    ),
    "a list has no heading": Trick(LINE, "layout", LIST),
    "a heading stands in a paragraph": Trick(f"{LISTED} {HEADING}", "layout"),
    "a heading has no list": Trick(f"{LISTED}\n\n{HEADING}", "layout"),
    "a list has a sign that is not its own": Trick(
        f"{LISTED}\n\n{LINE.replace('-', '•')}", "not-read", f"{LISTED}\n\n{LIST}"
    ),
    "an empty line hides that a list goes on": Trick(
        f"{HEADING}\n{FIRST_LINE}\n\n{LINE}", "layout", f"{HEADING}\n{FIRST_LINE}\n{LINE}"
    ),
    "a list orders against the ranks": Trick(
        f"{HEADING}\n{LINE}\n{FIRST_LINE}", "layout", f"{HEADING}\n{FIRST_LINE}\n{LINE}"
    ),
    "a list counts a theme twice": Trick(
        f"{HEADING}\n{FIRST_LINE}\n{LINE}\n{LINE}", "layout", f"{HEADING}\n{FIRST_LINE}\n{LINE}"
    ),
    # What is said of people and of the whole
    "what was not read is a part of the text": Trick(
        f"{LISTED} 15.0% of the text was not read, because it is not in English "
        "(14.7% to 15.3% without the privacy noise).",
        "not-read",
        plan=NOT_READ,
    ),
    "a share is a part of so many users": Trick(
        "“App crashes” has a share of 22.1%. A share is a part of the public denominator of 2,000.",
        "not-read",
        "“App crashes” stands at 22.1%. Every share is relative to a declared total of 2,000.",
    ),
    "a prevalence is called a measure": Trick(
        f"{NOT_A_COUNT} “App crashes” has a share of 22.1%.",
        "unsupported-public-claim",
        "“App crashes” has a share of 22.1%.",
        MENTIONED,
    ),
    "themes divide a whole in which each counts for several": Trick(
        f"{LISTED} 22.1% goes to “app crashes”; 15.0% goes to “lost data”.",
        "not-read",
        "“App crashes” stands at 22.1%. “Lost data” stands at 15.0%.",
        MENTIONED,
    ),
    "who left records without an id is protected whole": Trick(
        f"{LISTED} For each user, this release costs epsilon 1 and delta 0.", "wrong-parameter", plan=WITHOUT_IDS
    ),
    "who left records without an id counts once": Trick(
        f"{LISTED} {VOICE}", "unsupported-public-claim", plan=WITHOUT_IDS
    ),
    "who is in a sample by chance counts once": Trick(
        f"{LISTED} {VOICE}", "unsupported-public-claim", plan=SAMPLED_USERS
    ),
    "the loss of one release is told as all of it": Trick(
        f"{LISTED} For each user, epsilon is 1 and delta is 0.",
        "not-read",
        f"{LISTED} For each user, this release costs epsilon 1 and delta 0.",
        USERS,
    ),
    "a part of the themes is told as one of all that was measured": Trick(
        f"{LISTED} “App crashes” has a larger part of all that was measured than of the public baseline.",
        "not-read",
        f"Among the themes, {BESIDE}",
        BESIDE_A_SURVEY,
    ),
    "a part of the themes and of what fits none is told as one of the themes": Trick(
        f"Among the themes, {BESIDE}",
        "wrong-number",
        f"Among the themes and what fits none of them, {BESIDE}",
        BESIDE_NONE,
    ),
}


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_is_refused_by_its_rule_and_what_holds_is_not(name):
    assert refused_and_held(TRICKS[name]) == ((TRICKS[name].rule,), ())


TWO = complete(f"{LISTED} “Lost data” is listed.", CLEAR, SHOP)


@pytest.mark.parametrize("space", ["\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u3000", "\u00a0", "\t"])
def test_only_spaces_and_new_lines_stand_between_sentences(space):
    assert verify(CLEAR, TWO, "display", SHOP).accepted
    (whole,) = verify(CLEAR, TWO.replace(". “L", f".{space}“L"), "display", SHOP).refused
    assert whole.rule == "not-read"


@pytest.mark.parametrize("space", ["  ", "\n", " \n", "\n ", "\n\n\n", "\n \n", "\n\n\n\n"])
def test_one_space_stands_between_sentences_and_one_empty_line_between_paragraphs(space):
    assert verify(CLEAR, TWO.replace(". “L", ".\n\n“L") + "\n", "display", SHOP).accepted
    assert verify(CLEAR, TWO.replace(". “L", f".{space}“L"), "display", SHOP).rules() == ("layout",)


@pytest.mark.parametrize("before", [" ", "\n", "- ", "Among the listed themes:\n", "\n\n\n"])
def test_nothing_stands_before_the_first_sentence(before):
    assert not verify(CLEAR, f"{before}{TWO}", "display", SHOP).accepted


@pytest.mark.parametrize(
    "forged", [{"label": "everybody is happy"}, {"description": "All is well."}, {"parent": "successes"}]
)
def test_a_plan_whose_words_were_changed_by_hand_is_refused(forged):
    first, *others = CLEAR.entries
    plan = CLEAR.model_copy(update={"entries": (first.model_copy(update=forged), *others)})
    with pytest.raises(RequestError, match="changed by hand"):
        verify(plan, LISTED, "display", SHOP)


def test_the_languages_of_a_map_are_codes_and_no_words():
    words_of_a_plan = ("english, and nobody can be identified from this text, which",)
    reads = NOT_READ.statement.contribution_map.model_copy(update={"languages": words_of_a_plan})
    with pytest.raises(RequestError, match="no code of a language"):
        verify(stated(NOT_READ, contribution_map=reads), LISTED, "display", SHOP)


def test_the_narration_of_another_plan_is_held_to_this_one():
    other = plan_of(SHOP, [90.0, 300.0, 160.0, 158.0, 442.0, 60.0, -40.0], bins=BINS, size=5)
    said = "“Double charge” has the largest share of all themes, as filed (22.1%)"
    told = narrate(other, SHOP)
    assert said in told.text
    page = words(report(CLEAR, SHOP, narration=told))
    assert said.casefold() not in page.casefold()
    assert "not shown" in page
