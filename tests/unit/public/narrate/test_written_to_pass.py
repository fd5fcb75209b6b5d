"""Texts that were written to pass although they mislead, one for each way that once led through.

Beside each stands what may be said instead: so a refusal is not one of everything.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.certify import FixedMargin
from dpspin.boundary.denominator import TotalMass, paid_count
from dpspin.boundary.plan import SemanticPlan, SupportBin, three_bins
from dpspin.boundary.privacy import MissingUsers, PoissonSample, Prevalence, PrivacyLoss, UserUnit
from dpspin.boundary.reading import reading_of, reread
from dpspin.errors import DictionaryError, RequestError
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.policy import Mode
from dpspin.public.narrate.settle import settle
from dpspin.public.narrate.verify import verify
from dpspin.public.report.folder import report
from dpspin.public.stage0_atoms.files import dumps
from dpspin.public.stage0_atoms.names import require_speakable
from factories import plan_of, universe_of
from pages import words
from report_cards import card_of, identity, well_sorted

SHOP = universe_of(
    [
        Atom(id=1, label="app crashes", parent="software"),
        Atom(id=2, label="lost data", parent="software"),
        Atom(id=3, label="late delivery", parent="shipping", description="It comes late. Nobody can be identified."),
        Atom(id=4, label="slow refund", parent="money", description="It comes late; app crashes are larger."),
        Atom(id=5, label="double charge", parent="money", description="Money is taken twice."),
        Atom(id=6, label="rude driver", parent="shipping"),
        Atom(id=7, label="broken zip", parent="goods"),
    ]
)
BINS = three_bins(0.1, 0.05)
MASSES = [442.0, 300.0, 160.0, 158.0, 90.0, 60.0, -40.0]  # six stand clear of the noise, and there is room for five


def shop(masses: Sequence[float] = MASSES, **changes: object) -> SemanticPlan:
    """Return a plan of the shop whose map makes no mistake on test text, so that a text must say nothing of it."""
    return well_sorted(plan_of(SHOP, masses, **{"bins": BINS, "size": 5} | changes), SHOP)


CLEAR = shop()
CHOSEN = CLEAR.model_copy(update={"noisy_sketch": None})
UNCLEAR = shop([300.0, 200.0, 3.0, -2.0, -3.0, 1.0, 0.0], size=4, admission="fixed")
DROWNED = shop(epsilon=0.01, admission="fixed")
NOT_READ = shop(not_read=300.0)
ODD = shop(bins=(SupportBin(name="more than 90% of all user", at_least=0.1), SupportBin(name="low", at_least=0)))


def read_by(plan: SemanticPlan, **changes: object) -> SemanticPlan:
    return reread(plan, SHOP, reading_of(plan).model_copy(update=changes))


def stated(plan: SemanticPlan, **changes: object) -> SemanticPlan:
    return plan.model_copy(update={"statement": plan.statement.model_copy(update=changes)})


def sorted_with(precision: float) -> SemanticPlan:
    card = card_of(identity(8), ids=SHOP.ids, precision=precision)
    return stated(CLEAR, contribution_map=CLEAR.statement.contribution_map.model_copy(update={"card": card}))


FIXED = read_by(CLEAR, margin=FixedMargin(mass=0))
OF_TOTAL = read_by(shop([*MASSES[:5], 74.0, 1.0]), denominator=TotalMass())
SIMULATED = stated(CLEAR, randomness="SIMULATED-NOT-PRIVATE")
SAMPLED = stated(CLEAR, sampling=PoissonSample(rate=0.25))
LEADING = shop([442.0, 437.0, 300.0, 200.0, 100.0, 1.0, 0.0])  # a lead of 5, for once
FAINT = shop([41.5, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0], size=2, epsilon=0.1, admission="fixed")
BELOW_ZERO = shop([3.0, -40.0, -45.0, -50.0, -50.0, -50.0, -50.0], size=2, admission="fixed")
USERS = shop(unit=UserUnit(bound=1.0))
SAMPLED_USERS = stated(USERS, sampling=PoissonSample(rate=0.25))
WITHOUT_IDS = shop(unit=UserUnit(bound=1.0, missing=MissingUsers.OWN_UNIT))
DROPPED = shop(unit=UserUnit(bound=1.0, missing=MissingUsers.DROP))
UNTESTED = plan_of(SHOP, MASSES, bins=BINS, size=5)
BADLY_SORTED, WORSE_SORTED = (well_sorted(CLEAR, SHOP, rate) for rate in (0.5, 0.3))
CLOSE = shop([442.0, 441.0, 300.0, 200.0, 100.0, 1.0, 0.0])
LOST_TOTAL = read_by(shop([60.0, -20.0, -20.0, -20.0, 0.0, 0.0, 0.0]), denominator=TotalMass())  # it may be noise alone
MENTIONED = stated(CLEAR, quantity=Prevalence())
LOST_COUNT = MENTIONED.model_copy(update={"denominator": paid_count(3, MENTIONED.statement.loss, share=0.1, beta=0.05)})
# A theme of "money" lies above the only theme of "goods", though the sums of the two areas meet.
DECIDED = shop([442.0, 300.0, 20.0, 40.0, -25.0, -10.0, 12.0])
UNLIKELY = shop([20.0, 0.0, 10.0, 158.0, -40.0, 5.0, 150.0])  # "money" sums up to less than its first theme
NEARLY_SURE = shop([442.0, 300.0, 90.0, 1.0, 0.0, 0.0, -1.0], size=3, epsilon=20.0, beta=1e-15)
A_LITTLE_OVER = stated(CLEAR, loss=PrivacyLoss(1.00000000004))
SURVEY = baseline_of(SHOP, {1: 20, 2: 30, 3: 20, 4: 10, 5: 10, 6: 5, 7: 5}, source="a survey")
SURVEY_WITH_NONE = baseline_of(SHOP, {1: 1, 2: 30, 3: 20, 4: 10, 5: 10, 6: 5, 7: 5}, 120, source="a survey")
COVERED = shop(none=6000.0, denominator=8000)
BESIDE_A_SURVEY, BESIDE_NONE = (read_by(COVERED, baseline=baseline) for baseline in (SURVEY, SURVEY_WITH_NONE))

LISTED = "“App crashes” is listed."
NOT_A_COUNT = "A share is a bounded noisy measure, not a count of records or users."
BY_CHOICE = "The listed themes were chosen with noise, and the themes that are not listed have no released values."
BY_MARGIN = "Any order of the listed themes rests on a public margin, which bounds no error of the noise."
BY_SIMULATION = "This is an aggregate summary, and its numbers are simulated and not private."
OF_A_SAMPLE = "The values are those of a random sample, scaled up, and all statements are about that sample."
LEFT_OPEN = "The intervals of “late delivery” and “rude driver” reach down to zero."
DROWNING = "The intervals of “lost data”, “late delivery”, “slow refund” and “double charge” reach down to zero."
IN_ENGLISH = (
    "Text that is not in English was not read, and 15.0% (14.7% to 15.3% without the privacy noise) is its share. "
    f"{NOT_A_COUNT}"
)
UNSURE = "The intervals of “app crashes” and “lost data” reach down to zero."
VOICE = "Each user counts once at most, divided over what they wrote about: a share is a share of voice, not of users."
MENTIONS = (
    "A share is a noisy count of records with text filed under a theme, out of a declared total of 2,000, and each "
    "counts for 3 themes at most."
)
BY_SHARE = (
    "The listed themes by share: “app crashes” (22.1%), “lost data” (15.0%), “late delivery” (8.0%), “slow refund” "
    "(7.9%) and “double charge” (4.5%)"
)
LINE = "- “Double charge”: 4.5% (4.2% to 4.8% without the privacy noise)."
LIST = f"Among the listed themes:\n{LINE}"
TESTED = (
    "On labelled test text, {} of what was filed under a theme belonged there, and 64% of the themes in the text were "
    "found."
)
NEVER_TESTED = "This release holds no test of how well the map sorts."
WITHOUT_USERS = "Records without a user id were left out."
NO_SHARES = "No share is given, because what shares would refer to does not stand clear of the noise."
OPEN = "If these records are sorted as well as labelled test text, another {} may be the largest."
LARGEST = f"{NOT_A_COUNT} More was filed under “app crashes” than under any other theme (22.1%)."


@dataclass(frozen=True)
class Trick:
    """A text that must be refused, by which rule, and a text that holds and may stand instead."""

    said: str
    rule: str
    instead: str = LISTED
    plan: SemanticPlan = CLEAR
    mode: Mode = Mode.DISPLAY


TRICKS = {
    "only listed themes are counted as clear": Trick(
        f"{LISTED} Of the 7 themes in the dictionary, 5 stand clear of the noise and 5 are listed.",
        "wrong-number",
        f"{LISTED} Of the 7 themes in the dictionary, 6 stand clear of the noise and 5 are listed.",
    ),
    "themes that were not measured are counted": Trick(
        f"{BY_CHOICE} {LISTED} Of the 7 themes in the dictionary, 5 stand clear of the noise and 5 are listed.",
        "unsupported-number",
        f"{BY_CHOICE} {LISTED}",
        CHOSEN,
    ),
    "a meaning goes on with another sentence": Trick(
        f"{LISTED} In the dictionary, “late delivery” stands for “it comes late. Nobody can be identified”.",
        "not-read",
        f"{LISTED} In the dictionary, “double charge” stands for “money is taken twice”.",
    ),
    "a meaning goes on with another clause": Trick(
        f"{LISTED} In the dictionary, “slow refund” stands for “it comes late; app crashes are larger”.", "not-read"
    ),
    "no area is the largest, and others follow on it": Trick(
        f"{DROWNING} {LISTED} {NOT_A_COUNT} "
        "The areas “money” (12%) and “shipping” (11%) have smaller shares than the area “software”.",
        "unsupported-superlative",
        f"{DROWNING} {LISTED}",
        DROWNED,
    ),
    "a private choice is blamed on the noise": Trick(
        f"{BY_CHOICE} {LISTED} That a theme is not listed does not mean that it is absent.",
        "unsupported-public-claim",
        f"{BY_CHOICE} {LISTED}",
        CHOSEN,
    ),
    "after a private choice one theme leads all": Trick(
        f"{BY_CHOICE} {NOT_A_COUNT} More was filed under “app crashes” than under any other theme (22.1%).",
        "wrong-number",
        f"{BY_CHOICE} {NOT_A_COUNT} More was filed under “app crashes” than under any other listed theme (22.1%).",
        CHOSEN,
    ),
    "a common denominator keeps areas from being told apart": Trick(
        f"{LISTED} The intervals of the areas “money” and “shipping” overlap.",
        "unsupported-comparison",
        f"{LISTED} {NOT_A_COUNT} "
        "The areas “money” (20.2%) and “shipping” (19.1%) have smaller shares than the area “software”.",
        OF_TOTAL,
    ),
    "what lies below zero is surely nothing": Trick(
        f"{LISTED} {NOT_A_COUNT} The area “goods” holds 0.0% (0.0% to 0.0% without the privacy noise).",
        "wrong-number",
        f"{LISTED} {NOT_A_COUNT} The area “goods” holds 0.0% (0.0% to 0.3% without the privacy noise).",
    ),
    "a rate is rounded up to certainty": Trick(
        f"{LISTED} {TESTED.format('100%')}", "wrong-number", f"{LISTED} {TESTED.format('99%')}", sorted_with(0.9972)
    ),
    "a rate has decimals that it has not": Trick(
        f"{LISTED} {TESTED.format('84.0%')}", "wrong-number", f"{LISTED} {TESTED.format('84%')}", sorted_with(0.8461)
    ),
    "a share has too few decimals for its interval": Trick(
        f"{NOT_A_COUNT} “App crashes”: 22% (21.8% to 22.4% without the privacy noise).",
        "wrong-number",
        f"{NOT_A_COUNT} “App crashes”: 22.1% (21.8% to 22.4% without the privacy noise).",
    ),
    "a share has a decimal too many": Trick(
        f"{NOT_A_COUNT} “App crashes” has a share of 22.10%.",
        "wrong-number",
        f"{NOT_A_COUNT} “App crashes” has a share of 22.1%.",
    ),
    "delta is minus nothing": Trick(
        f"{LISTED} For each record, this release costs epsilon 1 and delta -0.",
        "wrong-number",
        f"{LISTED} For each record, this release costs epsilon 1 and delta 0.",
    ),
    "a public margin makes one theme larger": Trick(
        f"{BY_MARGIN} “Late delivery” has a larger share than “slow refund”.",
        "unsupported-comparison",
        f"{BY_MARGIN} {NOT_A_COUNT} “Late delivery” stands at 8.0%. “Slow refund” stands at 7.9%.",
        FIXED,
    ),
    "a share may be noise alone": Trick(
        f"{LEFT_OPEN} {NOT_A_COUNT} “Rude driver” has a share of 0.1%.",
        "unsupported-clearance",
        f"{LEFT_OPEN} {NOT_A_COUNT} “Rude driver” has a share of 0.1% (0.0% to 0.4% without the privacy noise).",
        UNCLEAR,
    ),
    "an area may be noise alone": Trick(
        f"{DROWNING} {LISTED} {NOT_A_COUNT} The area “money” holds 12% across 2 themes.",
        "unsupported-clearance",
        f"{DROWNING} {LISTED} {NOT_A_COUNT} The area “money” holds 12% (0% to 42% without the privacy noise).",
        DROWNED,
    ),
    "some shares are told as all": Trick(
        f"{NOT_A_COUNT} Shares by theme: “app crashes” (22.1%) and “lost data” (15.0%).",
        "wrong-number",
        f"{NOT_A_COUNT} “Lost data” (15.0%) and “late delivery” (8.0%) come behind “app crashes” in the released "
        "order.",
    ),
    "a part is told by its article": Trick(f"{LISTED} The plan lists “app crashes”.", "not-read"),
    "a connective orders": Trick(
        f"{NOT_A_COUNT} More was filed under “app crashes” than under any other theme (22.1%). Next, “double charge” has a share of 4.5%.",
        "not-read",
        f"{NOT_A_COUNT} More was filed under “app crashes” than under any other theme (22.1%). “Double charge” has a share of 4.5%.",
    ),
    "a connective sets against each other": Trick(
        f"{LISTED} However, “lost data” is listed.", "not-read", f"{LISTED} “Lost data” is listed."
    ),
    "not told apart is called alike": Trick(
        "Under the noise, “late delivery” and “slow refund” are alike in share.",
        "not-read",
        "The intervals of “late delivery” and “slow refund” overlap.",
    ),
    "an area has the marker of a theme": Trick(
        f"{NOT_A_COUNT} “App crashes” [atom:1] is listed. “Software” [atom:1] is the largest area (37.1%).",
        "marker-label-mismatch",
        f"{NOT_A_COUNT} “App crashes” [atom:1] is listed. More was filed under the area “software” than under any other (37.1%).",
        mode=Mode.AUDIT,
    ),
    "a marker begins with a zero": Trick(
        "“App crashes” [atom:01] is listed.", "not-read", "“App crashes” [atom:1] is listed.", mode=Mode.AUDIT
    ),
    "a marker has digits of another script": Trick(
        "“App crashes” [atom:١] is listed.", "not-read", "“App crashes” [atom:1] is listed.", mode=Mode.AUDIT
    ),
    "a bullet inside a line is a minus": Trick(
        f"{LISTED} {NOT_A_COUNT} - “App crashes”: 22.1% (21.8% to 22.4% without the privacy noise).",
        "layout",
        f"{LISTED} {NOT_A_COUNT}\n\nAmong the listed themes:\n"
        "- “App crashes”: 22.1% (21.8% to 22.4% without the privacy noise).",
    ),
    "a name has a letter that only looks like its own": Trick("“App cr\u0430shes” is listed.", "not-read"),
    "the name of a bin speaks": Trick(
        f"{LISTED} “App crashes” has more than 90% of all user released support.", "not-read", plan=ODD
    ),
    "what was not read is a part of the text": Trick(
        f"{IN_ENGLISH} {LISTED} 15.0% of the text was not read, because it is not in English "
        "(14.7% to 15.3% without the privacy noise).",
        "not-read",
        f"{IN_ENGLISH} {LISTED}",
        NOT_READ,
    ),
    "only what is not listed is spoken of": Trick(
        f"{NOT_A_COUNT} “Broken zip” is not listed: its share is 0.0% (0.0% to 0.3% without the privacy noise).",
        "no-theme",
        f"{LISTED} {NOT_A_COUNT} "
        "“Broken zip” is not listed: its share is 0.0% (0.0% to 0.3% without the privacy noise).",
    ),
    "that it is simulated is left unsaid": Trick(
        f"{NOT_A_COUNT} More was filed under “app crashes” than under any other theme (22.1%).",
        "left-unsaid",
        f"{BY_SIMULATION} {LISTED}",
        SIMULATED,
    ),
    "that it is a sample is left unsaid": Trick(LISTED, "left-unsaid", f"{OF_A_SAMPLE} {LISTED}", SAMPLED),
    "that themes were chosen is left unsaid": Trick(LISTED, "left-unsaid", f"{LISTED} {BY_CHOICE}", CHOSEN),
    "that a margin orders is left unsaid": Trick(LISTED, "left-unsaid", f"{LISTED} {BY_MARGIN}", FIXED),
    "what is unclear is left unsaid": Trick(LISTED, "left-unsaid", f"{LISTED} {LEFT_OPEN}", UNCLEAR),
    "a part of what is unclear is left unsaid": Trick(
        "The interval of “rude driver” reaches down to zero.", "left-unsaid", LEFT_OPEN, UNCLEAR
    ),
    "that much was not read is left unsaid": Trick(LISTED, "left-unsaid", f"{IN_ENGLISH} {LISTED}", NOT_READ),
    # What leans on the sentence before
    "a rank follows on whatever was named before": Trick(
        f"{NOT_A_COUNT} “Double charge” is listed. “Lost data” (15.0%) follows by released rank.",
        "not-read",
        f"{NOT_A_COUNT} “Double charge” is listed. “Lost data” (15.0%) comes behind “app crashes” in the released "
        "order.",
    ),
    "a rank follows on another theme than the first": Trick(
        f"{NOT_A_COUNT} “Lost data” (15.0%) comes behind “double charge” in the released order.",
        "wrong-number",
        f"{NOT_A_COUNT} Behind “app crashes” comes “lost data” (15.0%) in the released order.",
    ),
    "an area follows on another area than the largest": Trick(
        f"{LISTED} {NOT_A_COUNT} The area “money” (12.4%) has a smaller share than the area “goods”.",
        "wrong-number",
        f"{LISTED} {NOT_A_COUNT} The area “money” (12.4%) has a smaller share than the area “software”.",
    ),
    "a list runs on behind its colon": Trick(
        f"{LISTED} {BY_SHARE}; The interval of “rude driver” reaches down to zero.",
        "not-read",
        f"{NOT_A_COUNT} {BY_SHARE}.",
    ),
    "what was not read goes on with the themes": Trick(
        "Text that is not in English was not read, and 15.0% (14.7% to 15.3% without the privacy noise) is its share; "
        f"“app crashes” stands at 22.1%. {IN_ENGLISH} {LISTED}",
        "not-read",
        f"{IN_ENGLISH} “App crashes” stands at 22.1%.",
        NOT_READ,
    ),
    "lines stand under a sentence as if they were its own": Trick(
        f"{NOT_A_COUNT} The intervals of “late delivery” and “slow refund” overlap.\n{LINE}",
        "layout",
        f"{NOT_A_COUNT} The intervals of “late delivery” and “slow refund” overlap.\n\n{LIST}",
    ),
    "lines are not of themes with their shares": Trick(
        f"{LISTED}\n\nAmong the listed themes:\n- “Double charge” is listed.", "not-read"
    ),
    "a connective adds up what is a part": Trick(
        f"{LISTED} {NOT_A_COUNT} The 5 listed themes make up 57.5% together. "
        "In addition, “app crashes” stands at 22.1%.",
        "not-read",
        f"{NOT_A_COUNT} The 5 listed themes make up 57.5% together. “App crashes” stands at 22.1%.",
    ),
    # What contradicts itself, or tells noise
    "the largest is not told apart": Trick(
        f"{NOT_A_COUNT} More was filed under “app crashes” than under any other theme (22.1%). “App crashes” and “lost data” cannot be told "
        "apart under the noise.",
        "unsupported-comparison",
        f"{NOT_A_COUNT} More was filed under “app crashes” than under any other theme (22.1%).",
        LEADING,
    ),
    "the largest is among some that are not told apart": Trick(
        f"{LISTED} The noise does not separate the 2 themes from “app crashes” to “lost data” in the released order.",
        "unsupported-comparison",
        plan=LEADING,
    ),
    "what may be nothing is the largest": Trick(
        f"{UNSURE} {NOT_A_COUNT} More was filed under “app crashes” than under any other theme (2%).",
        "unsupported-clearance",
        UNSURE,
        FAINT,
    ),
    "what may be nothing is larger": Trick(
        f"{UNSURE} “App crashes” has a larger share than “lost data”.", "unsupported-clearance", UNSURE, FAINT
    ),
    "what may be nothing is added up": Trick(
        f"{UNSURE} {NOT_A_COUNT} The 2 listed themes make up 2% together.", "unsupported-coverage", UNSURE, FAINT
    ),
    "an area that may be nothing is the largest": Trick(
        f"{UNSURE} {NOT_A_COUNT} More was filed under the area “software” than under any other (0.0%).",
        "unsupported-clearance",
        UNSURE,
        BELOW_ZERO,
    ),
    # What is said of people and of the whole
    "a share is a part of so many users": Trick(
        f"{NOT_A_COUNT} “App crashes” has a share of 22.1%. A share is a part of the public denominator of 2,000.",
        "not-read",
        f"{NOT_A_COUNT} “App crashes” stands at 22.1%. Every share is relative to a declared total of 2,000.",
    ),
    "what a share is is left unsaid": Trick(
        "“App crashes” has a share of 22.1%.", "left-unsaid", f"{VOICE} “App crashes” has a share of 22.1%.", USERS
    ),
    "a prevalence is called a measure": Trick(
        f"{MENTIONS} {NOT_A_COUNT} “App crashes” has a share of 22.1%.",
        "unsupported-public-claim",
        f"{MENTIONS} “App crashes” has a share of 22.1%.",
        MENTIONED,
    ),
    "themes divide a whole in which each counts for several": Trick(
        f"{LISTED} {MENTIONS} 22.1% goes to “app crashes”; 15.0% goes to “lost data”.",
        "not-read",
        f"{MENTIONS} “App crashes” stands at 22.1%. “Lost data” stands at 15.0%.",
        MENTIONED,
    ),
    "who left records without an id is protected whole": Trick(
        f"{LISTED} For each user, this release costs epsilon 1 and delta 0.",
        "wrong-parameter",
        plan=WITHOUT_IDS,
    ),
    "who left records without an id counts once": Trick(
        f"{LISTED} {VOICE}", "unsupported-public-claim", plan=WITHOUT_IDS
    ),
    "who is in a sample by chance counts once": Trick(
        f"{LISTED} {OF_A_SAMPLE} {VOICE}", "unsupported-public-claim", f"{LISTED} {OF_A_SAMPLE}", SAMPLED_USERS
    ),
    "the loss of one release is told as all of it": Trick(
        f"{LISTED} For each user, epsilon is 1 and delta is 0.",
        "not-read",
        f"{LISTED} For each user, this release costs epsilon 1 and delta 0.",
        USERS,
    ),
    "a part of the themes is told as one of all that was measured": Trick(
        "“App crashes” has a larger part of all that was measured than of the public baseline.",
        "not-read",
        "Among the themes, “app crashes” has a larger part than in the public baseline.",
        BESIDE_A_SURVEY,
    ),
    "a part of the themes and of what fits none is told as one of the themes": Trick(
        "Among the themes, “app crashes” has a larger part than in the public baseline.",
        "wrong-number",
        "Among the themes and what fits none of them, “app crashes” has a larger part than in the public baseline.",
        BESIDE_NONE,
    ),
    # What stands beside another claim seems to hold of it
    "two claims stand in one sentence": Trick(
        "“App crashes” is listed; “lost data” is listed.", "not-read", "“App crashes” is listed. “Lost data” is listed."
    ),
    "a list has no heading": Trick(f"{NOT_A_COUNT}\n\n{LINE}", "layout", f"{NOT_A_COUNT}\n\n{LIST}"),
    "a heading stands in a paragraph": Trick(f"{LISTED} Among the listed themes:", "layout"),
    "a heading has no list": Trick(f"{LISTED}\n\nAmong the listed themes:", "layout"),
    "a list has a sign that is not its own": Trick(
        f"{LISTED} {NOT_A_COUNT}\n\n{LINE.replace('-', '•')}", "not-read", f"{LISTED} {NOT_A_COUNT}\n\n{LIST}"
    ),
    "an empty line hides that a list goes on": Trick(
        f"{NOT_A_COUNT}\n\n{LIST}\n\n{LINE}", "layout", f"{NOT_A_COUNT}\n\n{LIST}\n{LINE}"
    ),
    # What is open, and what is not
    "the highest share is called the largest": Trick(
        f"{NOT_A_COUNT} More was filed under “app crashes” than under any other theme (22.1%).",
        "unsupported-superlative",
        f"{NOT_A_COUNT} “App crashes” has the highest released share (22.1%), and may not be the largest without the "
        "privacy noise.",
        CLOSE,
    ),
    "what is the largest is said to be open": Trick(
        f"{NOT_A_COUNT} “App crashes” has the highest released share (22.1%), and may not be the largest without the "
        "privacy noise.",
        "unsupported-superlative",
        LARGEST,
    ),
    "that the noise may have changed an order is left out": Trick(
        f"{NOT_A_COUNT} “Lost data” (15.0%), “late delivery” (8.0%) and “slow refund” (7.9%) come behind “app crashes” "
        "in the released order.",
        "wrong-number",
        f"{NOT_A_COUNT} “Lost data” (15.0%), “late delivery” (8.0%) and “slow refund” (7.9%) come behind “app crashes” "
        "in the released order, some with overlapping intervals.",
    ),
    "areas are tied though a theme decides between them": Trick(
        f"{LISTED} The intervals of the areas “money” and “goods” overlap.",
        "unsupported-comparison",
        f"{LISTED} The intervals of the areas “money” and “shipping” overlap.",
        DECIDED,
    ),
    "an area is less than one of its themes": Trick(
        f"{LISTED} {NOT_A_COUNT} The area “money” holds 0.8% (0.4% to 1.1% without the privacy noise).",
        "wrong-number",
        f"{LISTED} {NOT_A_COUNT} The area “money” holds 2.0% (0.4% to 2.3% without the privacy noise).",
        DECIDED,
    ),
    "the largest area has a smaller share than another": Trick(
        f"“Slow refund” is listed. {NOT_A_COUNT} More was filed under the area “goods” than under any other (7.5%).",
        "unsupported-superlative",
        f"{NOT_A_COUNT} More was filed under “slow refund” than under any other theme (7.9%). "
        "The area “money” holds 7.9% (5.6% to 8.2% without the privacy noise).",
        UNLIKELY,
    ),
    "what is not listed is less than one of its themes": Trick(
        f"{LISTED} {NOT_A_COUNT} "
        "The 2 themes that are not listed make up 1.0% (0.0% to 3.3% without the privacy noise).",
        "wrong-number",
        f"{LISTED} {NOT_A_COUNT} "
        "The 2 themes that are not listed make up 3.0% (0.0% to 3.3% without the privacy noise).",
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
    "a share is of what may be noise alone": Trick(
        f"{LISTED} {NO_SHARES} {NOT_A_COUNT} “App crashes” has a share of 6,000%.",
        "unsupported-number",
        f"{LISTED} {NO_SHARES}",
        LOST_TOTAL,
    ),
    "an area is a share of what may be noise alone": Trick(
        f"{LISTED} {NO_SHARES} {NOT_A_COUNT} More was filed under the area “software” than under any other (4,000%).",
        "unsupported-number",
        f"{LISTED} {NO_SHARES}",
        LOST_TOTAL,
    ),
    "shares refer to what may be noise alone": Trick(
        f"{LISTED} {NO_SHARES} Shares refer to the total of all masses, about 1.0.",
        "unsupported-number",
        f"{LISTED} {NO_SHARES}",
        LOST_TOTAL,
    ),
    "units are counted out of what may be noise alone": Trick(
        f"{LISTED} {NO_SHARES} A share is a noisy count of records with text filed under a theme, out of a private "
        "count of about 3 records, and each counts for 3 themes at most.",
        "unsupported-number",
        f"{LISTED} {NO_SHARES}",
        LOST_COUNT,
    ),
    "that there are no shares is left unsaid": Trick(LISTED, "left-unsaid", f"{LISTED} {NO_SHARES}", LOST_TOTAL),
    "that there are no shares is said though there are": Trick(f"{LISTED} {NO_SHARES}", "unsupported-public-claim"),
    # What the map leaves open
    "that nobody tested the map is left unsaid": Trick(LISTED, "left-unsaid", f"{LISTED} {NEVER_TESTED}", UNTESTED),
    "a map that was tested is called untested": Trick(f"{LISTED} {NEVER_TESTED}", "unsupported-public-claim"),
    "that records were left out is left unsaid": Trick(LISTED, "left-unsaid", f"{LISTED} {WITHOUT_USERS}", DROPPED),
    "that sorting leaves the largest theme open is left unsaid": Trick(
        LARGEST, "left-unsaid", f"{LARGEST} {OPEN.format('theme')}", BADLY_SORTED
    ),
    "that sorting leaves the largest area open is left unsaid": Trick(
        f"{LISTED} {NOT_A_COUNT} More was filed under the area “software” than under any other (37.1%).",
        "left-unsaid",
        f"{LISTED} {NOT_A_COUNT} More was filed under the area “software” than under any other (37.1%). {OPEN.format('area or theme')}",
        WORSE_SORTED,
    ),
    "less is left open than sorting leaves": Trick(
        f"{LISTED} {OPEN.format('theme')}", "wrong-number", f"{LISTED} {OPEN.format('area or theme')}", WORSE_SORTED
    ),
    "sorting without a mistake leaves something open": Trick(
        f"{LARGEST} {OPEN.format('theme')}", "unsupported-quality", LARGEST
    ),
    "points are given, and not of what": Trick(
        f"{LISTED} With 95% confidence, the privacy noise moves no listed theme by more than 0.3 points.",
        "left-unsaid",
        f"{LISTED} {NOT_A_COUNT} With 95% confidence, the privacy noise moves no listed theme by more than 0.3 points.",
    ),
    "a lead is given, and not of what": Trick(
        "“App crashes” exceeds “lost data” by 6.6 to 7.6 points (without the privacy noise, confidence 95%).",
        "left-unsaid",
        f"{NOT_A_COUNT} “App crashes” exceeds “lost data” by 6.6 to 7.6 points (without the privacy noise, confidence "
        "95%).",
    ),
}


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_is_refused_by_its_rule_and_what_holds_is_not(name):
    trick = TRICKS[name]
    refused = verify(trick.plan, trick.said, trick.mode, SHOP)
    assert (refused.accepted, refused.rules()) == (False, (trick.rule,))
    held = verify(trick.plan, trick.instead, trick.mode, SHOP)
    assert held.accepted, held.rules()


@pytest.mark.parametrize("space", ["\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u3000", "\u00a0", "\t"])
def test_only_spaces_and_new_lines_stand_between_sentences(space):
    assert verify(CLEAR, f"{LISTED} “Lost data” is listed.", "display", SHOP).accepted
    assert verify(CLEAR, f"{LISTED}{space}“Lost data” is listed.", "display", SHOP).rules() == ("not-read",)


@pytest.mark.parametrize("space", ["  ", "\n", " \n", "\n ", "\n\n\n", "\n \n", "\n\n\n\n"])
def test_one_space_stands_between_sentences_and_one_empty_line_between_paragraphs(space):
    assert verify(CLEAR, f"{LISTED}\n\n“Lost data” is listed.\n", "display", SHOP).accepted
    assert verify(CLEAR, f"{LISTED}{space}“Lost data” is listed.", "display", SHOP).rules() == ("layout",)


@pytest.mark.parametrize("before", [" ", "\n", "- ", "Among the listed themes:\n", "\n\n\n"])
def test_nothing_stands_before_the_first_sentence(before):
    assert not verify(CLEAR, f"{before}{LISTED}", "display", SHOP).accepted


SPEAKING = ("nothing", "no other theme", "half of all users", "app crashes but not lost data", "the area billing")


@pytest.mark.parametrize("label", SPEAKING)
def test_a_label_that_speaks_is_a_name_in_quotation_marks_or_nothing(label):
    universe = universe_of([Atom(id=1, label=label), Atom(id=2, label="app crashes"), Atom(id=3, label="lost data")])
    plan = well_sorted(plan_of(universe, [442.0, 300.0, 200.0]), universe)
    spoken = label[0].upper() + label[1:]
    assert verify(plan, f"“{spoken}” is listed.", "display", universe).accepted
    assert verify(plan, f"{LISTED} {spoken} is listed.", "display", universe).rules() == ("not-read",)


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
        (["parcel\ufe0f"], "the sign"),  # a variation selector
        (["rain\u2800"], "the sign"),  # a blank of Braille
        (["rain\u00a0coat"], "the sign"),
        (["check\u2010in"], "the sign"),  # a hyphen that is not the usual one
        (["ｒefund"], "the sign"),
        (["slow [atom:3]"], "the sign"),
        (["\u0251pp crashes"], "the sign"),  # a letter of phonetics
        (["\U0001d5ee data"], "the sign"),  # a letter of mathematics
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
        (["pick-up", "pick–up"], "look alike"),
        (["can't pay", "can’t pay"], "look alike"),
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
        "can't pay (24/7)", "l’été", "R&D – costs, fees", "5 € + 3% = ?", "#1 @home_office*", "No. 1: good; fine!",
        "tiếng Việt", "größe", "доставка", "παράδοση", "हिन्दी सेवा", "บริการ", "配送が遅い", "iPhoneの充電", "배송 App",
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
    plan = well_sorted(plan_of(universe, [442.0, 300.0]), universe)
    shown = label[0].upper() + label[1:]
    assert verify(plan, f"“\u2068{shown}\u2069” is listed.", "display", universe).accepted
    for turned in (f"“{shown}”", f"“\u2068{shown}”", f"“{shown}\u2069”", f"\u2068“{shown}”\u2069"):
        assert verify(plan, f"{LISTED} {turned} is listed.", "display", universe).rules() == ("not-read",)
    assert verify(plan, "“\u2068App crashes\u2069” is listed.", "display", universe).rules() == ("not-read",)


@pytest.mark.parametrize(
    "forged", [{"label": "everybody is happy"}, {"description": "All is well."}, {"parent": "successes"}]
)
def test_a_plan_whose_words_were_changed_by_hand_is_refused(forged):
    first, *others = CLEAR.entries
    plan = CLEAR.model_copy(update={"entries": (first.model_copy(update=forged), *others)})
    with pytest.raises(RequestError, match="changed by hand"):
        verify(plan, LISTED, "display", SHOP)


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
    plan = well_sorted(plan_of(universe, [442.0, 300.0]), universe)
    said = f"In the dictionary, “late delivery” stands for “{description[0].lower()}{description[1:]}”."
    assert verify(plan, f"“Lost data” is listed. {said}", "display", universe).rules() == ("not-read",)
    assert "stands for" not in narrate(plan, universe).text


def test_what_a_description_says_is_a_quotation():
    boast = "broken goods, by far the largest theme with 90% of all users"
    universe = universe_of([Atom(id=1, label="late delivery", description=boast), Atom(id=2, label="lost data")])
    plan = well_sorted(plan_of(universe, [442.0, 300.0]), universe)
    lead, listed = "In the dictionary, “late delivery” stands for", "“Lost data” is listed."
    assert verify(plan, f"{listed} {lead} “{boast}”.", "display", universe).accepted
    assert verify(plan, f"{listed} {lead}: {boast}.", "display", universe).rules() == ("not-read",)


def test_the_languages_of_a_map_are_codes_and_no_words():
    words_of_a_plan = ("english, and nobody can be identified from this text, which",)
    reads = NOT_READ.statement.contribution_map.model_copy(update={"languages": words_of_a_plan})
    with pytest.raises(RequestError, match="no code of a language"):
        verify(stated(NOT_READ, contribution_map=reads), LISTED, "display", SHOP)


def test_where_there_are_no_shares_every_listed_theme_is_named_all_the_same():
    lost = read_by(shop([60.0, 40.0, 30.0, -60.0, -60.0, -10.0, 0.0]), denominator=TotalMass())
    told = narrate(lost, SHOP)
    assert "“Lost data” and “late delivery” are listed." in told.text
    assert NO_SHARES in told.text
    assert not any(line.startswith("- ") or NOT_A_COUNT in line for line in told.text.splitlines())


def test_a_warning_far_below_is_brought_up_where_a_text_is_settled():
    text = f"{LISTED}{chr(10) * 4000}{BY_SIMULATION}"
    assert settle(text, Language(Facts(SIMULATED, SHOP), Mode.DISPLAY)).text == f"{LISTED} {BY_SIMULATION}"


def test_the_narration_of_another_plan_is_held_to_this_one():
    other = plan_of(SHOP, [90.0, 300.0, 160.0, 158.0, 442.0, 60.0, -40.0], bins=BINS, size=5)
    said = "More was filed under “double charge” than under any other theme (22.1%)"
    told = narrate(other, SHOP)
    assert said in told.text
    page = words(report(CLEAR, SHOP, narration=told))
    assert said.casefold() not in page.casefold()
    assert "the others are not shown" in page


@pytest.mark.parametrize(
    ("plan", "text", "ended"),
    [
        (CLEAR, f"{LISTED} Nobody is happy.", (0, LISTED)),
        (SIMULATED, LISTED, (0, f"{LISTED} {BY_SIMULATION}")),
        (UNTESTED, LISTED, (0, f"{LISTED} {NEVER_TESTED}")),
        (BADLY_SORTED, LARGEST, (0, f"{LARGEST} {OPEN.format('theme')}")),
        (CLEAR, "All released values carry noise. Nobody is happy.", (1, "All released values carry noise.")),
        (CLEAR, "Nobody is happy.", (1, "")),
    ],
)
def test_what_settling_leaves_is_verified_again_and_its_code_tells(plan, text, ended, dpspin, tmp_path):
    (tmp_path / "plan.json").write_text(plan.to_json())
    (tmp_path / "atoms.json").write_text(dumps(SHOP))
    (tmp_path / "text.txt").write_text(text)
    ran = dpspin("verify", tmp_path, tmp_path / "text.txt", "--settle")
    assert (ran.code, ran.out.strip()) == ended
