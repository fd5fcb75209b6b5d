"""What no text may leave out: each duty is asked for by itself, in its own words, and settling adds it."""

import pytest

from completing import complete
from dpspin.boundary.denominator import TotalMass, paid_count
from dpspin.boundary.privacy import UserUnit
from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.verify import settle, verify
from report_cards import well_sorted
from shop_plans import (
    BADLY_SORTED,
    BESIDE_A_SURVEY,
    CHOSEN,
    CLEAR,
    CLOSE,
    DROPPED,
    FITS_NONE,
    LEADING,
    LOST_COUNT,
    LOST_TOTAL,
    MASSES,
    MENTIONED,
    NEARLY_SURE,
    NOT_READ,
    OF_TOTAL,
    RASH,
    SAMPLED,
    SHOP,
    SIMULATED,
    UNCLEAR,
    UNTESTED,
    USERS,
    WITHOUT_IDS,
    WORSE_SORTED,
    read_by,
    shop,
)
from tricks import LARGEST, LISTED, NOT_A_COUNT, VOICE

SHARE = "“App crashes” has a share of 22.1%."
OF_2000 = "Shares refer to a declared total of 2,000."
SORTED = (
    "The map was checked on labelled test text and not on these records: {0} of what was filed under a theme belonged "
    "there, and {0} of the themes in the text were found."
)
NO_SHARES = "No share is given, because what shares would refer to is too noisy."
NEVER_TESTED = "The map is untested, so nobody knows how well it sorts these records."
BY_SIMULATION = "This is an aggregate summary, and its numbers are simulated and not private."
MENTIONS = (
    "A share is a noisy count of records with at least 10% of a record filed under a theme, "
    "out of a declared total of 2,000, and each "
    "counts for 3 themes at most."
)
LEFT_OPEN = "The intervals of “late delivery” and “rude driver” reach down to zero."
OPEN = "Sorting errors as on labelled test text may hide that another {} is the largest."
REORDERED = "Sorting errors as on labelled test text may change the order of themes."
FITS_NO_THEME = "75.0% was filed under none of the themes (74.9% to 75.1% without the privacy noise)."
WELL_SORTED = well_sorted(CLEAR, SHOP, 0.9)  # “late delivery” (160) and “slow refund” (158) may change places
ABOVE_ALL = "A user may count more than once, so shares of a number of users may come to more than one hundred percent."
UNREAD = "Text that was recognised as in none of the languages that the map reads was not read."
TALKATIVE = shop(unit=UserUnit(bound=3.0))


def lost_count(plan):
    return plan.model_copy(update={"denominator": paid_count(3, plan.statement.loss, share=0.1, beta=0.05)})


DUTIES = [
    (SIMULATED, LISTED, BY_SIMULATION),
    (RASH, LISTED, "Each kind of statement about the noise holds with 80% confidence."),
    (LOST_TOTAL, LISTED, NO_SHARES),
    (LOST_COUNT, LISTED, NO_SHARES),
    (SAMPLED, LISTED, "The values are those of a random sample, scaled up, and all statements are about that sample."),
    (DROPPED, LISTED, "Records without a user id were left out."),
    (
        CHOSEN,
        LISTED,
        "The listed themes were chosen with noise, and the themes that are not listed have no released values.",
    ),
    # How well the map sorts, and what it left out
    (UNTESTED, LISTED, NEVER_TESTED),
    (CLEAR, LISTED, SORTED.format("100%")),
    (BADLY_SORTED, LISTED, SORTED.format("50%")),
    (
        NOT_READ,
        LISTED,
        (
            "Text that was recognised as not in English was not read, "
            "and 15.0% (14.7% to 15.3% without the privacy noise) is its share."
        ),
    ),
    (FITS_NONE, LISTED, "15.0% was filed under none of the themes (14.7% to 15.3% without the privacy noise)."),
    (lost_count(NOT_READ), LISTED, UNREAD),
    (lost_count(FITS_NONE), LISTED, "Some text was filed under none of the themes."),
    # What may be noise alone: all of it
    (UNCLEAR, LISTED, LEFT_OPEN),
    (UNCLEAR, f"{LISTED} The interval of “rude driver” reaches down to zero.", LEFT_OPEN),
    # What a share is, and of what
    (CLEAR, SHARE, NOT_A_COUNT),
    (CLEAR, SHARE, OF_2000),
    (FITS_NONE, LISTED, NOT_A_COUNT),  # that is a share, too
    (FITS_NONE, LISTED, OF_2000),
    (USERS, SHARE, VOICE),
    (USERS, SHARE, OF_2000),
    (WITHOUT_IDS, SHARE, NOT_A_COUNT),
    (TALKATIVE, SHARE, ABOVE_ALL),
    (MENTIONED, SHARE, MENTIONS),
    (OF_TOTAL, "“App crashes” has a share of 36.1%.", "Shares refer to the total of all masses, about 1,225.0."),
    (
        LEADING,
        f"{LISTED} With 95% confidence, the privacy noise moves no listed theme by more than 0.4 points.",
        NOT_A_COUNT,
    ),
    (
        CLEAR,
        "“App crashes” exceeds “lost data” by 6.6 to 7.6 points (without the privacy noise, confidence 95%).",
        NOT_A_COUNT,
    ),
    # What sorting leaves open of an order
    (BADLY_SORTED, LARGEST, OPEN.format("theme")),
    (BADLY_SORTED, "“App crashes” has a larger share than “lost data”.", OPEN.format("theme")),
    (BADLY_SORTED, "“Lost data” (15.0%) comes behind “app crashes” in the released order.", OPEN.format("theme")),
    (
        BADLY_SORTED,
        "“App crashes” exceeds “lost data” by 6.6 to 7.6 points (without the privacy noise, confidence 95%).",
        OPEN.format("theme"),
    ),
    (
        WORSE_SORTED,
        f"{LISTED} The area “software” has the largest share of all areas, as filed (37.1%).",
        OPEN.format("area or theme"),
    ),
    (
        WORSE_SORTED,
        f"{LISTED} The area “money” (12.4%) has a smaller share than the area “software”.",
        OPEN.format("area or theme"),
    ),
    (
        well_sorted(LEADING, SHOP, 0.5),
        "“App crashes” has the highest released share (22.1%), but its interval overlaps that of “lost data”.",
        OPEN.format("theme"),
    ),
    (
        well_sorted(NEARLY_SURE, SHOP, 0.5),
        f"{LISTED} With 99.999999999999% confidence, the privacy noise has not changed the order of the listed themes.",
        OPEN.format("theme"),
    ),
    # and below the first, which such sorting leaves where it is
    (WELL_SORTED, "“Lost data” (15.0%) comes behind “app crashes” in the released order.", REORDERED),
    (WELL_SORTED, "“Lost data” has a larger share than “slow refund”.", REORDERED),
    (
        well_sorted(CLOSE, SHOP, 0.9),
        "“App crashes” has the highest released share (22.1%), but its interval overlaps that of “lost data”.",
        REORDERED,
    ),
    # and of what is set beside a baseline
    (
        well_sorted(BESIDE_A_SURVEY, SHOP, 0.5),
        "Among the themes, “app crashes” has a larger part than in the public baseline.",
        "Sorting errors as on labelled test text may hide that a theme lies on the other side of the public baseline.",
    ),
]


@pytest.mark.parametrize(("plan", "text", "duty"), DUTIES)
def test_a_text_that_keeps_silent_about_one_thing_is_told_which(plan, text, duty):
    whole = complete(text, plan, SHOP)
    assert verify(plan, whole, "display", SHOP).accepted
    assert whole.count(f"{duty} ") == 1
    silent = verify(plan, whole.replace(f"{duty} ", ""), "display", SHOP)
    assert (silent.accepted, silent.refused) == (False, ())
    assert [(each.rule, each.message) for each in silent.missing] == [("left-unsaid", f"Add: {duty}")]


@pytest.mark.parametrize(
    ("plan", "text", "whole"),
    [
        (CLEAR, LISTED, {SORTED.format("100%")}),  # without shares nothing is said of them
        (UNTESTED, LISTED, {NEVER_TESTED}),
        (WELL_SORTED, LARGEST, {SORTED.format("90%"), NOT_A_COUNT, OF_2000}),  # the first stays the first
        (CLEAR, LARGEST, {SORTED.format("100%"), NOT_A_COUNT, OF_2000}),  # such sorting leaves nothing open
        (BADLY_SORTED, SHARE, {SORTED.format("50%"), NOT_A_COUNT, OF_2000}),  # nothing is ordered
        (
            well_sorted(BESIDE_A_SURVEY, SHOP, 0.9),
            f"{LISTED} Among the themes, “lost data” has a smaller part than in the public baseline.",
            {SORTED.format("90%"), FITS_NO_THEME, NOT_A_COUNT, "Shares refer to a declared total of 8,000."},
        ),
        (TALKATIVE, LISTED, {SORTED.format("100%")}),
        (
            read_by(shop([*MASSES[:5], 74.0, 1.0], unit=UserUnit(bound=3.0)), denominator=TotalMass()),
            "“App crashes” has a share of 36.1%.",
            {SORTED.format("100%"), NOT_A_COUNT, "Shares refer to the total of all masses, about 1,225."},
        ),  # no part of a total is more than all of it
        (MENTIONED, SHARE, {SORTED.format("100%"), MENTIONS}),  # that names the denominator
        (well_sorted(CLOSE, SHOP, 0.5), SHARE, {SORTED.format("50%"), NOT_A_COUNT, OF_2000}),
    ],
)
def test_no_more_is_asked_for_than_a_text_gives_cause_for(plan, text, whole):
    missing = verify(plan, text, "display", SHOP).missing
    assert {each.message.removeprefix("Add: ") for each in missing} == whole


def settled(text, plan):
    return settle(text, Language(Facts(plan, SHOP), Mode.DISPLAY)).text


@pytest.mark.parametrize(("plan", "text", "duty"), DUTIES)
def test_settling_adds_what_is_left_unsaid_and_what_it_adds_gives_cause_for(plan, text, duty):
    ended = settled(text, plan)
    assert duty in ended
    assert verify(plan, ended, "display", SHOP).accepted


def test_a_warning_far_below_is_brought_up_where_a_text_is_settled():
    text = f"{LISTED}{chr(10) * 4000}{BY_SIMULATION}"
    assert settled(text, SIMULATED) == f"{LISTED} {BY_SIMULATION} {SORTED.format('100%')}"


def test_a_settled_list_stands_by_rank_with_each_theme_once():
    lines = [
        "- “Double charge”: 4.5% (4.2% to 4.8% without the privacy noise).",
        "- “Slow refund”: 7.9% (7.6% to 8.2% without the privacy noise).",
        "- “Double charge” has a share of 4.5% (4.2% to 4.8% without the privacy noise).",
    ]
    ended = settled("\n".join(("Among the listed themes:", *lines)), CLEAR)
    assert ended.endswith("\n\n" + "\n".join(("Among the listed themes:", lines[1], lines[0])))
    assert verify(CLEAR, ended, "display", SHOP).accepted


@pytest.mark.parametrize(
    ("plan", "text", "ended"),
    [
        (CLEAR, f"{LISTED} Nobody is happy.", (0, f"{LISTED} {SORTED.format('100%')}")),
        (UNTESTED, LISTED, (0, f"{LISTED} {NEVER_TESTED}")),
        (
            CLEAR,
            "All released values carry noise. Nobody is happy.",
            (1, f"All released values carry noise. {SORTED.format('100%')}"),
        ),
        (CLEAR, "Nobody is happy.", (1, SORTED.format("100%"))),
    ],
)
def test_what_settling_leaves_is_verified_again_and_its_code_tells(plan, text, ended, dpspin, tmp_path):
    (tmp_path / "plan.json").write_text(plan.to_json())
    (tmp_path / "atoms.json").write_text(dumps(SHOP))
    (tmp_path / "text.txt").write_text(text)
    ran = dpspin("verify", tmp_path, tmp_path / "text.txt", "--settle")
    assert (ran.code, ran.out.strip()) == ended
