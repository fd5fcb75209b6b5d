"""Texts whose numbers and orders were written to pass although they mislead, and what may be said instead."""

import pytest

from dpspin.boundary.denominator import TotalMass
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.narrate import narrate
from shop_plans import (
    A_LITTLE_OVER,
    ALL_BUT_ALL,
    BELOW_ZERO,
    CHOSEN,
    CLOSE,
    DECIDED,
    DROWNED,
    FAINT,
    FIXED,
    LEADING,
    LOST_COUNT,
    LOST_TOTAL,
    LOST_TOTAL_OF_TWO,
    MENTIONED,
    NEARLY_SURE,
    SHOP,
    UNCLEAR,
    UNLIKELY,
    WORSE_SORTED,
    read_by,
    shop,
    sorted_with,
)
from tricks import LARGEST, LISTED, NOT_A_COUNT, Trick, refused_and_held

TESTED = (
    "The map was checked on labelled test text and not on these records: {} of what was filed under a theme belonged "
    "there, and 64% of the themes in the text were found."
)
NEVER_TESTED = "The map is untested, so nobody knows how well it sorts these records."
NO_SHARES = "No share is given, because what shares would refer to is too noisy."
OPEN = "Sorting errors as on labelled test text may hide that another {} is the largest."
HIGHEST = "“App crashes” has the highest released share (22.1%), but its interval overlaps that of “lost data”."
COUNTED = "Of the 7 themes in the dictionary, {} have intervals above zero and 5 are listed."
AREA = f"{LISTED} The area “{{}}” has the largest share of all areas, as filed ({{}})."
BEHIND = (
    "“Lost data” (15.0%), “late delivery” (8.0%) and “slow refund” (7.9%) come behind “app crashes” "
    "in the released order"
)

TRICKS = {
    "only listed themes are counted as clear": Trick(
        f"{LISTED} {COUNTED.format(5)}", "wrong-number", f"{LISTED} {COUNTED.format(6)}"
    ),
    "themes that were not measured are counted": Trick(
        f"{LISTED} {COUNTED.format(5)}", "unsupported-number", plan=CHOSEN
    ),
    "after a private choice one theme leads all": Trick(
        LARGEST, "wrong-number", LARGEST.replace("all themes", "all listed themes"), CHOSEN
    ),
    "what lies below zero is surely nothing": Trick(
        f"{LISTED} The area “goods” holds 0.0% (0.0% to 0.0% without the privacy noise).",
        "wrong-number",
        f"{LISTED} The area “goods” holds 0.0% (0.0% to 0.3% without the privacy noise).",
    ),
    "some shares are told as all": Trick(
        "Shares by theme: “app crashes” (22.1%) and “lost data” (15.0%).",
        "wrong-number",
        "“App crashes” stands at 22.1%. “Lost data” stands at 15.0%.",
    ),
    # Rounding
    "a rate is rounded up to certainty": Trick(
        f"{LISTED} {TESTED.format('100%')}", "wrong-number", f"{LISTED} {TESTED.format('99%')}", sorted_with(0.9972)
    ),
    "a rate has decimals that it has not": Trick(
        f"{LISTED} {TESTED.format('84.0%')}", "wrong-number", f"{LISTED} {TESTED.format('84%')}", sorted_with(0.8461)
    ),
    "a share has too few decimals for its interval": Trick(
        "“App crashes”: 22% (21.8% to 22.4% without the privacy noise).",
        "wrong-number",
        "“App crashes”: 22.1% (21.8% to 22.4% without the privacy noise).",
    ),
    "a share has a decimal too many": Trick(
        "“App crashes” has a share of 22.10%.", "wrong-number", "“App crashes” has a share of 22.1%."
    ),
    "a share is more than all of a measured total": Trick(
        "“App crashes” has a share of 101.4%.", "wrong-number", "“App crashes” has a share of 100.0%.", ALL_BUT_ALL
    ),
    "delta is minus nothing": Trick(
        f"{LISTED} For each record, this release costs epsilon 1 and delta -0.",
        "wrong-number",
        f"{LISTED} For each record, this release costs epsilon 1 and delta 0.",
    ),
    "a confidence is rounded up to certainty": Trick(
        f"{LISTED} With 100% confidence, the privacy noise has not changed the order of the listed themes.",
        "wrong-number",
        f"{LISTED} With 99.999999999999% confidence, the privacy noise has not changed the order of the listed themes.",
        NEARLY_SURE,
    ),
    "epsilon is rounded down": Trick(
        f"{LISTED} For each record, this release costs epsilon 1 and delta 0.",
        "wrong-number",
        f"{LISTED} For each record, this release costs epsilon 1.000000001 and delta 0.",
        A_LITTLE_OVER,
    ),
    # What is open, and what is not
    "a public margin makes one theme larger": Trick(
        "“App crashes” has a larger share than “slow refund”.",
        "unsupported-comparison",
        "“App crashes” stands at 22.1%. “Slow refund” stands at 7.9%.",
        FIXED,
    ),
    "a public margin makes one theme the largest": Trick(
        LARGEST, "unsupported-comparison", "“App crashes” stands at 22.1%.", FIXED
    ),
    "the highest share is called the largest": Trick(LARGEST, "unsupported-superlative", HIGHEST, CLOSE),
    "the interval of the highest share is said to overlap": Trick(HIGHEST, "unsupported-comparison", LARGEST),
    "another theme than the next one has the interval that overlaps": Trick(
        HIGHEST.replace("lost data", "late delivery"), "wrong-number", HIGHEST, CLOSE
    ),
    "the largest is not told apart": Trick(
        f"{LARGEST} “App crashes” and “lost data” cannot be told apart under the noise.",
        "not-read",
        f"{LARGEST} The intervals of “app crashes” and “lost data” overlap.",  # the lead has a margin of its own
        LEADING,
    ),
    "intervals that lie apart overlap": Trick(
        f"{LISTED} The intervals of “lost data”, “late delivery” and “slow refund” overlap.",
        "unsupported-comparison",
        f"{LISTED} The intervals of “late delivery” and “slow refund” overlap.",
    ),
    "a run of ranks goes on where intervals lie apart": Trick(
        f"{LISTED} From “late delivery” to “double charge” in the released order, the intervals of all 3 themes "
        "overlap.",
        "unsupported-comparison",
        f"{LISTED} From “late delivery” to “slow refund” in the released order, the intervals of all 2 themes overlap.",
    ),
    "a run of ranks is said to be longer": Trick(
        f"{LISTED} From “late delivery” to “slow refund” in the released order, the intervals of all 5 themes overlap.",
        "wrong-number",
    ),
    "that intervals overlap on the way is left out": Trick(
        f"{BEHIND}.", "wrong-number", f"{BEHIND}, some with overlapping intervals."
    ),
    "themes of one value stand in an order": Trick(
        "“Lost data” (15.0%) and “late delivery” (15.0%) come behind “app crashes” in the released order, some with "
        "overlapping intervals.",
        "unsupported-comparison",
        "“Lost data” (15.0%) comes behind “app crashes” in the released order.",
        shop([442.0, 300.0, 300.0, 158.0, 90.0, 60.0, -40.0]),
    ),
    "a theme stands behind one of the same value": Trick(
        "“Lost data” (15.0%) comes behind “app crashes” in the released order, some with overlapping intervals.",
        "unsupported-comparison",
        plan=shop([300.0, 300.0, 160.0, 158.0, 90.0, 60.0, -40.0]),
    ),
    "a count of records is called a mass": Trick(
        "“App crashes” [atom:1] has a noisy mass of 442.0.",
        "wrong-number",
        "“App crashes” [atom:1] has a noisy count of 442.0.",
        MENTIONED,
        Mode.AUDIT,
    ),
    "a mass is called a count": Trick(
        "The noisy count of “app crashes” [atom:1] is 442.0.",
        "wrong-number",
        "The noisy mass of “app crashes” [atom:1] is 442.0.",
        mode=Mode.AUDIT,
    ),
    # What may be noise alone
    "what stands clear reaches down to zero": Trick(
        f"{LISTED} The intervals of “lost data” and “late delivery” reach down to zero.",
        "unsupported-clearance",
        f"{LISTED} The interval of “late delivery” reaches down to zero.",
        UNCLEAR,
    ),
    "a share may be noise alone": Trick(
        "“Rude driver” has a share of 0.1%.",
        "unsupported-clearance",
        "“Rude driver” has a share of 0.1% (0.0% to 0.4% without the privacy noise).",
        UNCLEAR,
    ),
    "intervals are those of shares that nobody knows": Trick(
        f"{LISTED} The intervals of “app crashes” and “lost data” overlap.",
        "unsupported-number",
        plan=LOST_TOTAL_OF_TWO,
    ),
    "an area may be noise alone": Trick(
        f"{LISTED} The area “money” has the largest share of all areas, as filed (12%).",
        "unsupported-clearance",
        f"{LISTED} The area “money” holds 12% (0% to 42% without the privacy noise).",
        DROWNED,
    ),
    "what may be nothing is the largest": Trick(LARGEST.replace("22.1%", "2%"), "unsupported-clearance", plan=FAINT),
    "what may be nothing is larger": Trick(
        "“App crashes” has a larger share than “lost data”.", "unsupported-clearance", plan=FAINT
    ),
    "what may be nothing is added up": Trick(
        f"{LISTED} The 2 listed themes make up 2% together (0% to 5% without the privacy noise).",
        "unsupported-coverage",
        plan=FAINT,
    ),
    "an area that may be nothing is the largest": Trick(
        AREA.format("software", "0.0%"), "unsupported-clearance", plan=BELOW_ZERO
    ),
    # Areas
    "no area is the largest, and others follow on it": Trick(
        f"{LISTED} The areas “money” (12%) and “shipping” (11%) have smaller shares than the area “software”.",
        "unsupported-superlative",
        f"{LISTED} The intervals of the areas “money” and “shipping” overlap.",
        DROWNED,
    ),
    "intervals of areas that lie apart overlap": Trick(
        f"{LISTED} The intervals of the areas “software” and “goods” overlap.",
        "unsupported-comparison",
        f"{LISTED} The area “money” (12.4%) has a smaller share than the area “software”.",
    ),
    "an area is less than one of its themes": Trick(
        f"{LISTED} The area “money” holds 0.8% (0.4% to 1.1% without the privacy noise).",
        "wrong-number",
        f"{LISTED} The area “money” holds 2.0% (0.4% to 2.3% without the privacy noise).",
        DECIDED,
    ),
    "the largest area has a smaller share than another": Trick(
        AREA.format("goods", "7.5%").replace("App crashes", "Slow refund"),
        "unsupported-superlative",
        "“Slow refund” has the largest share of all themes, as filed (7.9%). "
        "The area “money” holds 7.9% (5.6% to 8.2% without the privacy noise).",
        UNLIKELY,
    ),
    "what is not listed is less than one of its themes": Trick(
        f"{LISTED} The 2 themes that are not listed make up 1.0% (0.0% to 3.3% without the privacy noise).",
        "wrong-number",
        f"{LISTED} The 2 themes that are not listed make up 3.0% (0.0% to 3.3% without the privacy noise).",
    ),
    # What shares refer to may be noise alone
    "a share is of what may be noise alone": Trick(
        f"{LISTED} “App crashes” has a share of 6,000%.", "unsupported-number", plan=LOST_TOTAL
    ),
    "an area is a share of what may be noise alone": Trick(
        AREA.format("software", "4,000%"), "unsupported-number", plan=LOST_TOTAL
    ),
    "shares refer to what may be noise alone": Trick(
        f"{LISTED} Shares refer to the total of all masses, about 1.0.", "unsupported-number", plan=LOST_TOTAL
    ),
    "units are counted out of what may be noise alone": Trick(
        f"{LISTED} A share is a noisy count of records with at least 10% of a record filed under a theme, "
        "out of a noisy count of about 3 "
        "records, and each counts for 3 themes at most.",
        "unsupported-number",
        plan=LOST_COUNT,
    ),
    "that there are no shares is said though there are": Trick(f"{LISTED} {NO_SHARES}", "unsupported-public-claim"),
    # What the map leaves open
    "a map that was tested is called untested": Trick(f"{LISTED} {NEVER_TESTED}", "unsupported-public-claim"),
    "less is left open than sorting leaves": Trick(
        f"{LISTED} {OPEN.format('theme')}", "wrong-number", f"{LISTED} {OPEN.format('area or theme')}", WORSE_SORTED
    ),
    "sorting without a mistake leaves something open": Trick(
        f"{LARGEST} {OPEN.format('theme')}", "unsupported-quality", LARGEST
    ),
}


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_is_refused_by_its_rule_and_what_holds_is_not(name):
    assert refused_and_held(TRICKS[name]) == ((TRICKS[name].rule,), ())


def test_where_there_are_no_shares_every_listed_theme_is_named_all_the_same():
    lost = read_by(shop([60.0, 40.0, 30.0, -60.0, -60.0, -10.0, 0.0]), denominator=TotalMass())
    told = narrate(lost, SHOP)
    assert "“Lost data” and “late delivery” are listed." in told.text
    assert NO_SHARES in told.text
    assert not any(line.startswith("- ") or NOT_A_COUNT in line for line in told.text.splitlines())
