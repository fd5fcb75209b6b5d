# ruff: noqa: E501  sentences stand in one line
"""False sentences about two values, ratios, declared sizes and what else moved, of plans of several shapes: none passes.

Each begins with a true sentence, of which something is changed, or was written freely.
"""

import pytest

from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.verify import Status, check_sentence
from shop_plans import SHOP
from viewed_plans import BY_CHANNEL, BY_MONTH, BY_THREE, FEW, MONTHS, NOBODY, SIZED, THREE, viewed

NOISE = "without the privacy noise"
LEVEL = [200.0, 150.0, 100.0, 100.0, 50.0, 40.0, 10.0, 350.0]
TWICE = viewed([[400.0, *LEVEL[1:7], 150.0], LEVEL, FEW, NOBODY])  # app crashes 40 % and 20 %
ONCE_AND_A_HALF = viewed([[320.0, *LEVEL[1:7], 230.0], LEVEL, FEW, NOBODY])  # 32 % and 20 %
FROM_NOTHING = viewed([LEVEL, [0.0, *LEVEL[1:7], 550.0], FEW, NOBODY])  # 20 %, and none at all
QUIET = viewed([LEVEL, LEVEL, LEVEL, FEW, NOBODY], facet=MONTHS)
ALIKE = viewed([LEVEL, LEVEL, LEVEL, FEW, NOBODY], facet=THREE)

PAIR = f"“App crashes” has a larger share of what was filed where “channel” is “app” (46.1%) than where it is “web” (16.7%), by 28.2 to 30.7 points {NOISE}."
TURNED = f"“Late delivery” has a smaller share of what was filed where “channel” is “app” (4.6%) than where it is “web” (15.3%), by 9.9 to 11.4 points {NOISE}."
TIMES = f"Where “channel” is “app”, “app crashes” has a share of what was filed there that is 2.6 to 3.0 times its share where “channel” is “web”, {NOISE}."
HERE = f"Where “channel” is “app”, “app crashes” has a share of what was filed there that is 2.5 to 3.0 times its share elsewhere, {NOISE}."
OTHERS = "Of the 5 listed themes, 4 have shares of what was filed where “channel” is “app” that are told apart from where it is “web”, and no other one differs by more than 0.9 points."
OTHERS_HERE = "Where “channel” is “app”, of the 5 listed themes 4 have shares of what was filed there that are told apart from elsewhere, and no other one differs by more than 1.6 points."
FELL = f"By “date”, the share of “app crashes” fell from 45.6% of what was filed in “2026-05” to 16.5% in “2026-06”, by 28.2 to 30.7 points {NOISE}."
ROSE = f"By “date”, the share of “late delivery” rose from 4.1% of what was filed in “2026-05” to 15.1% in “2026-06”, by 9.9 to 11.4 points {NOISE}."
MOVED = "By “date”, of the 5 listed themes 4 have shares of what was filed that rose or fell beyond the noise from “2026-05” to “2026-06”, and no other one moved by more than 0.9 points."
STILL = "By “date”, none of the 5 listed themes has a share of what was filed that rose or fell beyond the noise from “2026-06” to “2026-07”, and none moved by more than 0.8 points."
RATE = f"“App crashes” has a larger share of the declared size where “channel” is “app” (6.00%) than where it is “web” (0.70%), by 5.23 to 5.37 points {NOISE}."
RATIO = f"Where “channel” is “app”, “app crashes” has a share of the declared size there that is 8.2 to 8.9 times its share where “channel” is “web”, {NOISE}."
SIZE = "By “channel”, the size of “app” is declared as 5,000, and was not counted from the records."
ABOUT = f"Where “channel” is “app”, “app crashes” has a share of what was filed there that is about twice its share where “channel” is “web” (1.9 to 2.1 times {NOISE})."
LEAST = f"Where “channel” is “app”, “app crashes” has a share of what was filed there that is at least 57.0 times its share where “channel” is “web”, {NOISE}."

TRUE = (
    *((BY_CHANNEL, each) for each in (PAIR, TURNED, TIMES, HERE, OTHERS, OTHERS_HERE)),
    *((BY_MONTH, each) for each in (FELL, ROSE, MOVED, STILL)),
    *((SIZED, each) for each in (RATE, RATIO, SIZE)),
    (TWICE, ABOUT),
    (FROM_NOTHING, LEAST),
)

CHANGED = (
    # a wrong direction
    (BY_CHANNEL, PAIR, ("larger", "smaller")),
    (BY_CHANNEL, PAIR, ("larger", "the largest")),
    (BY_CHANNEL, TURNED, ("smaller", "larger")),
    (
        BY_CHANNEL,
        PAIR,
        ("“app” (46.1%) than where it is “web” (16.7%)", "“web” (16.7%) than where it is “app” (46.1%)"),
    ),
    (BY_CHANNEL, PAIR, ("“app” (46.1%)", "“web” (46.1%)"), ("it is “web”", "it is “app”")),
    (
        BY_CHANNEL,
        TIMES,
        ("“channel” is “app”, ", "“channel” is “web”, "),
        ("“channel” is “web”, without", "“channel” is “app”, without"),
    ),
    (BY_MONTH, FELL, ("fell", "rose")),
    (BY_MONTH, ROSE, ("rose", "fell")),
    (
        BY_MONTH,
        ROSE,
        (
            "from 4.1% of what was filed in “2026-05” to 15.1% in “2026-06”",
            "from 15.1% of what was filed in “2026-06” to 4.1% in “2026-05”",
        ),
    ),
    # a wrong value, or one of which hardly anything is known
    (BY_CHANNEL, PAIR, ("“web”", "“other”")),
    (BY_CHANNEL, PAIR, ("“web”", "“missing”")),
    (BY_CHANNEL, PAIR, ("“web”", "“fax”")),
    (BY_CHANNEL, PAIR, ("“web”", "“app”")),
    (BY_CHANNEL, PAIR, ("where it is “web”", "elsewhere")),
    (BY_CHANNEL, PAIR, ("“channel”", "“region”")),
    (BY_CHANNEL, OTHERS, ("“web”", "“other”")),
    (BY_CHANNEL, OTHERS_HERE, ("“app”", "“web”")),
    (BY_CHANNEL, OTHERS_HERE, ("“app”", "“missing”")),
    (BY_CHANNEL, HERE, ("“app”", "“other”")),
    # nothing rises or falls but in time, and only from one period to the next
    (BY_CHANNEL, PAIR, ("has a larger share", "rose in its share")),
    (BY_MONTH, FELL, ("“2026-05”", "“2026-07”")),
    (BY_MONTH, FELL, ("“2026-06”", "“2026-07”")),
    (BY_MONTH, ROSE, ("“2026-06”", "“2026-07”")),
    (BY_MONTH, ROSE, ("“2026-06”", "“other”")),
    (BY_MONTH, ROSE, ("“2026-05”", "“missing”")),
    (BY_MONTH, MOVED, ("“2026-06”", "“2026-07”")),
    (BY_MONTH, MOVED, ("from “2026-05” to “2026-06”", "from “2026-06” to “2026-05”")),
    (BY_MONTH, STILL, ("“2026-06” to “2026-07”", "“2026-05” to “2026-06”")),
    # another theme
    (BY_CHANNEL, PAIR, ("“App crashes”", "“Lost data”")),
    (BY_CHANNEL, TURNED, ("“Late delivery”", "“Slow refund”")),
    (BY_CHANNEL, PAIR, ("“App crashes”", "“Rude driver”")),
    (BY_CHANNEL, PAIR, ("“App crashes”", "The area “software”")),
    (BY_MONTH, ROSE, ("“late delivery”", "“lost data”")),
    (BY_CHANNEL, TIMES, ("“app crashes”", "“double charge”")),
    # figures, and what they are of
    (BY_CHANNEL, PAIR, ("28.2", "28.3")),
    (BY_CHANNEL, PAIR, ("30.7", "30.6")),
    (BY_CHANNEL, PAIR, ("28.2 to 30.7", "29.4")),
    (BY_CHANNEL, PAIR, ("46.1%", "46%")),
    (BY_CHANNEL, PAIR, ("16.7%", "16.8%")),
    (BY_CHANNEL, PAIR, ("28.2 to 30.7", "27.4 to 31.5")),  # that is elsewhere's
    (BY_CHANNEL, PAIR, (" without the privacy noise", "")),
    (BY_CHANNEL, PAIR, ("points", "percent")),
    (BY_CHANNEL, PAIR, (" of what was filed", "")),
    (BY_CHANNEL, PAIR, ("of what was filed", "of the declared size")),
    (BY_CHANNEL, PAIR, ("of what was filed", "of all users")),
    (BY_MONTH, FELL, ("the share of “app crashes” fell", "the number of “app crashes” fell")),
    (BY_MONTH, FELL, ("28.2", "-28.2")),
    # ratios
    (BY_CHANNEL, TIMES, ("2.6 to 3.0", "2.7 to 3.0")),
    (BY_CHANNEL, TIMES, ("2.6 to 3.0", "2.6 to 2.9")),
    (BY_CHANNEL, TIMES, ("2.6 to 3.0", "2.60 to 3.00")),
    (BY_CHANNEL, TIMES, ("2.6 to 3.0", "3")),
    (BY_CHANNEL, TIMES, ("is 2.6 to 3.0 times", "is at least 2.6 times")),
    (BY_CHANNEL, TIMES, ("is 2.6 to 3.0 times", "is about three times")),
    (BY_CHANNEL, TIMES, ("times its share", "times as large as its share")),
    (BY_CHANNEL, HERE, ("2.5 to 3.0", "2.6 to 3.0")),
    (BY_CHANNEL, HERE, ("elsewhere", "everywhere")),
    (BY_CHANNEL, TIMES, ("a share of what was filed there", "a number of users there")),
    (ONCE_AND_A_HALF, ABOUT, ("1.9 to 2.1", "1.5 to 1.8")),
    (ONCE_AND_A_HALF, ABOUT, ("1.9 to 2.1", "1.7 to 2.3")),
    (TWICE, ABOUT, ("1.9 to 2.1", "2.0 to 2.1")),
    (TWICE, ABOUT, ("about twice", "exactly twice")),
    (TWICE, ABOUT, ("about twice", "twice")),
    (TWICE, ABOUT, ("about twice", "about half")),
    (FROM_NOTHING, LEAST, ("at least 57.0", "57.0 to 90.0")),
    (FROM_NOTHING, LEAST, ("at least 57.0", "at least 57.1")),
    (FROM_NOTHING, LEAST, ("at least 57.0", "at most 57.0")),
    (FROM_NOTHING, LEAST, ("at least 57.0 times", "infinitely many times")),
    # what else there is
    (BY_CHANNEL, OTHERS, ("0.9", "0.8")),
    (BY_CHANNEL, OTHERS, (", 4 have", ", 5 have")),
    (BY_CHANNEL, OTHERS, ("5 listed themes", "7 listed themes")),
    (BY_CHANNEL, OTHERS, ("5 listed themes", "5 themes")),
    (BY_CHANNEL, OTHERS, ("no other one differs by more than 0.9 points", "no other one differs")),
    (BY_CHANNEL, OTHERS_HERE, ("1.6", "0.9")),
    (BY_CHANNEL, OTHERS_HERE, ("from elsewhere", "from “web”")),
    (BY_MONTH, MOVED, ("4 have", "3 have")),
    (BY_MONTH, MOVED, ("no other one moved by more than 0.9 points", "no other one moved")),
    (BY_MONTH, STILL, ("none moved by more than 0.8 points", "all of them stayed the same")),
    (QUIET, MOVED, ("4 have", "1 has")),
    # declared sizes
    (SIZED, RATE, ("of the declared size", "of what was filed")),
    (SIZED, RATE, ("6.00%", "46.1%")),
    (SIZED, RATE, ("“web”", "“other”")),
    (SIZED, RATIO, ("of the declared size", "of what was filed")),
    (SIZED, SIZE, ("5,000", "20,000")),
    (SIZED, SIZE, ("5,000", "5000")),
    (SIZED, SIZE, ("“app”", "“other”")),
    (SIZED, SIZE, ("declared as", "")),
    (SIZED, SIZE, (", and was not counted from the records", "")),
    (BY_CHANNEL, SIZE, ("5,000", "5,000")),
    (BY_THREE, RATE, ("declared size", "declared size")),
)

WRITTEN = (
    (BY_CHANNEL, PAIR.replace("“channel” is “app”", "“channel” is “app” and “web”")),
    (BY_CHANNEL, "“App crashes” doubled from “web” to “app”."),
    (
        BY_CHANNEL,
        f"By “channel”, the share of “app crashes” rose from 16.7% of what was filed in “web” to 46.1% in “app”, by 28.2 to 30.7 points {NOISE}.",
    ),
    (BY_CHANNEL, "Of the 5 listed themes, none differs between “app” and “web”."),
    (
        BY_CHANNEL,
        "None of the 5 listed themes has a share of what was filed where “channel” is “app” that is told apart from where it is “web”, and none differs by more than 0.9 points.",
    ),
    (
        BY_CHANNEL,
        "All of the 5 listed themes have shares of what was filed where “channel” is “app” that are told apart from where it is “web”.",
    ),
    (
        BY_CHANNEL,
        f"“Double charge” has a larger share of what was filed where “channel” is “app” (6.1%) than where it is “web” (5.9%), by 0.1 to 0.9 points {NOISE}.",
    ),
    (
        BY_MONTH,
        f"“App crashes” has a larger share of what was filed where “date” is “2026-05” (45.6%) than where it is “2026-06” (16.5%), by 28.2 to 30.7 points {NOISE}.",
    ),
    (
        BY_MONTH,
        f"“App crashes” has a larger share of what was filed where “date” is “2026-05” (45.6%) than where it is “2026-07” (16.3%), by 28.0 to 30.9 points {NOISE}.",
    ),
    (BY_MONTH, "“Late delivery” rises since “2026-06”."),
    (BY_MONTH, "“Late delivery” will rise in “2026-07”."),
    (
        BY_MONTH,
        f"By “date”, the share of “late delivery” fell from 15.1% of what was filed in “2026-06” to 14.9% in “2026-07”, by 0.1 to 0.5 points {NOISE}.",
    ),
    (
        BY_MONTH,
        f"Where “date” is “2026-05”, “app crashes” has a share of what was filed there that is 2.6 to 2.9 times its share where “date” is “2026-07”, {NOISE}.",
    ),
    (QUIET, FELL),
    (
        QUIET,
        "By “date”, all of the 5 listed themes have shares of what was filed that rose or fell beyond the noise from “2026-05” to “2026-06”.",
    ),
    (ALIKE, PAIR),
    (ALIKE, TIMES),
    (TWICE, TIMES),
    (SIZED, PAIR),
    (SIZED, "6.00% of the customers of “app” had “app crashes”."),
    (SIZED, "The declared sizes by “channel” add up to all customers."),
    (
        FROM_NOTHING,
        f"Where “channel” is “app”, “app crashes” has a share of what was filed there that is about twice its share where “channel” is “web” (1.9 to 2.1 times {NOISE}).",
    ),
    (FROM_NOTHING, "“App crashes” is absent where “channel” is “web”."),
)


def status(plan, sentence):
    language = Language(Facts(plan, SHOP), Mode.DISPLAY)
    return [check_sentence(each, language).status for each in language.read(sentence)]


@pytest.mark.parametrize(("plan", "sentence"), TRUE)
def test_what_is_changed_below_was_true(plan, sentence):
    assert status(plan, sentence) == [Status.VERIFIED]


@pytest.mark.parametrize(("plan", "true", "changes"), [(plan, true, changes) for plan, true, *changes in CHANGED])
def test_a_true_sentence_with_something_changed_does_not_pass(plan, true, changes):
    sentence = true
    for old, new in changes:
        assert old in sentence
        sentence = sentence.replace(old, new)
    assert sentence != true or (plan, true) not in TRUE
    assert Status.VERIFIED not in status(plan, sentence)


@pytest.mark.parametrize(("plan", "sentence"), WRITTEN)
def test_what_was_written_to_pass_does_not(plan, sentence):
    assert Status.VERIFIED not in status(plan, sentence)


def test_there_are_as_many_as_it_takes():
    assert len(CHANGED) + len(WRITTEN) >= 60
