"""Texts that were written to pass although they mislead, one for each way that once led through.

Beside each stands what may be said instead: so a refusal is not one of everything.
"""

from dataclasses import dataclass

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.certify import FixedMargin
from dpspin.boundary.denominator import TotalMass
from dpspin.boundary.plan import SemanticPlan, SupportBin, three_bins
from dpspin.boundary.privacy import MissingUsers, PoissonSample, Prevalence, UserUnit
from dpspin.boundary.reading import reading_of, reread
from dpspin.errors import DictionaryError, RequestError
from dpspin.public.narrate.facts import Facts, require_speakable
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.policy import Mode
from dpspin.public.narrate.settle import settle
from dpspin.public.narrate.verify import verify
from dpspin.public.report.folder import report
from dpspin.public.stage0_atoms.files import dumps
from factories import plan_of, universe_of
from pages import words
from report_cards import card_of, identity

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
CLEAR = plan_of(SHOP, MASSES, bins=BINS, size=5)
CHOSEN = CLEAR.model_copy(update={"noisy_sketch": None})
UNCLEAR = plan_of(SHOP, [300.0, 200.0, 3.0, -2.0, -3.0, 1.0, 0.0], bins=BINS, size=4, admission="fixed")
DROWNED = plan_of(SHOP, MASSES, bins=BINS, size=5, epsilon=0.01, admission="fixed")
NOT_READ = plan_of(SHOP, MASSES, bins=BINS, size=5, not_read=300.0)
ODD = plan_of(
    SHOP,
    MASSES,
    size=5,
    bins=(SupportBin(name="more than 90% of all user", at_least=0.1), SupportBin(name="low", at_least=0)),
)


def read_by(plan: SemanticPlan, **changes: object) -> SemanticPlan:
    return reread(plan, SHOP, reading_of(plan).model_copy(update=changes))


def stated(plan: SemanticPlan, **changes: object) -> SemanticPlan:
    return plan.model_copy(update={"statement": plan.statement.model_copy(update=changes)})


def sorted_with(precision: float) -> SemanticPlan:
    card = card_of(identity(8), ids=SHOP.ids, precision=precision)
    return stated(CLEAR, contribution_map=CLEAR.statement.contribution_map.model_copy(update={"card": card}))


FIXED = read_by(CLEAR, margin=FixedMargin(mass=0))
OF_TOTAL = read_by(plan_of(SHOP, [*MASSES[:5], 74.0, 1.0], bins=BINS, size=5), denominator=TotalMass())
SIMULATED = stated(CLEAR, randomness="SIMULATED-NOT-PRIVATE")
SAMPLED = stated(CLEAR, sampling=PoissonSample(rate=0.25))
LEADING = plan_of(SHOP, [442.0, 437.0, 300.0, 200.0, 100.0, 1.0, 0.0], bins=BINS, size=5)  # a lead of 5, for once
FAINT = plan_of(SHOP, [41.5, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0], bins=BINS, size=2, epsilon=0.1, admission="fixed")
BELOW_ZERO = plan_of(SHOP, [3.0, -40.0, -45.0, -50.0, -50.0, -50.0, -50.0], bins=BINS, size=2, admission="fixed")
USERS = plan_of(SHOP, MASSES, bins=BINS, size=5, unit=UserUnit(bound=1.0))
SAMPLED_USERS = stated(USERS, sampling=PoissonSample(rate=0.25))
WITHOUT_IDS = plan_of(SHOP, MASSES, bins=BINS, size=5, unit=UserUnit(bound=1.0, missing=MissingUsers.OWN_UNIT))
MENTIONED = stated(CLEAR, quantity=Prevalence())
SURVEY = baseline_of(SHOP, {1: 20, 2: 30, 3: 20, 4: 10, 5: 10, 6: 5, 7: 5}, source="a survey")
BESIDE_A_SURVEY = reread(
    (COVERED := plan_of(SHOP, MASSES, bins=BINS, size=5, none=6000.0, denominator=8000)),
    SHOP,
    reading_of(COVERED).model_copy(update={"baseline": SURVEY}),
)

LISTED = "“App crashes” is listed."
NOT_A_COUNT = "A share is a bounded noisy measure, not a count of records or users."
BY_CHOICE = "The listed themes were chosen privately, and a theme that is not listed may be as large as they are."
BY_MARGIN = "A public margin orders the listed themes, and bounds no error of the noise."
BY_SIMULATION = "This is an aggregate summary, and its numbers are simulated and not private."
OF_A_SAMPLE = "The values are those of a secret sample, scaled up, and all statements are about that sample."
LEFT_OPEN = "“Late delivery” and “rude driver” do not stand clear of the noise."
DROWNING = "“Lost data”, “late delivery”, “slow refund” and “double charge” do not stand clear of the noise."
IN_ENGLISH = (
    "Text that is not in English was not read: its share is 15.0% (14.7% to 15.3% without the privacy noise). "
    f"{NOT_A_COUNT}"
)
UNSURE = "“App crashes” and “lost data” do not stand clear of the noise."
VOICE = "Each user counts once, divided over what they wrote about: a share is a share of voice, not of users."
MENTIONS = (
    "A share is the number of records that mention a theme, over the denominator, and each record counts for a few "
    "themes at most."
)
LINE = "- “Double charge”: 4.5% (4.2% to 4.8% without the privacy noise)."
TESTED = "On labelled test text, {} of what was filed under a theme belonged there."


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
        "The areas “money” (12%) and “shipping” (11%) come behind “software” in the released order.",
        "unsupported-superlative",
        f"{DROWNING} {LISTED}",
        DROWNED,
    ),
    "a private choice is blamed on the noise": Trick(
        f"{BY_CHOICE} {LISTED} A theme that is not listed may still be present: the noise leaves it unclear.",
        "unsupported-public-claim",
        f"{BY_CHOICE} {LISTED}",
        CHOSEN,
    ),
    "after a private choice one theme leads all": Trick(
        f"{BY_CHOICE} {NOT_A_COUNT} “App crashes” is the largest theme (22.1%).",
        "wrong-number",
        f"{BY_CHOICE} {NOT_A_COUNT} “App crashes” is the largest listed theme (22.1%).",
        CHOSEN,
    ),
    "a common denominator keeps areas from being told apart": Trick(
        f"{LISTED} The noise does not separate the areas “money” and “shipping”.",
        "unsupported-comparison",
        f"{LISTED} {NOT_A_COUNT} "
        "The areas “money” (20.2%) and “shipping” (19.1%) come behind “software” in the released order.",
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
        f"{BY_MARGIN} “Late delivery” is larger than “slow refund”.",
        "unsupported-comparison",
        f"{BY_MARGIN} {NOT_A_COUNT} “Late delivery” stands at 8.0%; “slow refund” stands at 7.9%.",
        FIXED,
    ),
    "a share may be noise alone": Trick(
        f"{LEFT_OPEN} {NOT_A_COUNT} “Rude driver” has a share of 0.1%.",
        "unsupported-clearance",
        f"{LEFT_OPEN} {NOT_A_COUNT} “Rude driver” has a share of 0.1% (0.0% to 0.4% without the privacy noise).",
        UNCLEAR,
    ),
    "a bin may be noise alone": Trick(
        f"{LEFT_OPEN} “Rude driver” has low released support.", "unsupported-clearance", LEFT_OPEN, UNCLEAR
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
    "a part of a bin is told as all of it": Trick(
        "All listed themes with high released support: “app crashes”.",
        "wrong-number",
        "All listed themes with high released support: “app crashes” and “lost data”.",
    ),
    "a part is told by its article": Trick(f"{LISTED} The plan lists “app crashes”.", "not-read"),
    "a connective orders": Trick(
        f"{NOT_A_COUNT} “App crashes” is the largest theme (22.1%). Next, “double charge” has a share of 4.5%.",
        "not-read",
        f"{NOT_A_COUNT} “App crashes” is the largest theme (22.1%). “Double charge” has a share of 4.5%.",
    ),
    "a connective sets against each other": Trick(
        f"{LISTED} However, “lost data” is listed.", "not-read", f"{LISTED} “Lost data” is listed."
    ),
    "not told apart is called alike": Trick(
        "Under the noise, “late delivery” and “slow refund” are alike in share.",
        "not-read",
        "The noise does not separate “late delivery” and “slow refund”.",
    ),
    "an area has the marker of a theme": Trick(
        f"{NOT_A_COUNT} “App crashes” [atom:1] is listed. “Software” [atom:1] is the largest area (37.1%).",
        "marker-label-mismatch",
        f"{NOT_A_COUNT} “App crashes” [atom:1] is listed. “Software” is the largest area (37.1%).",
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
        "not-read",
        f"{LISTED} {NOT_A_COUNT}\n\n- “App crashes”: 22.1% (21.8% to 22.4% without the privacy noise).",
    ),
    "a name has a letter that only looks like its own": Trick("“App cr\u0430shes” is listed.", "not-read"),
    "the name of a bin speaks": Trick(
        "“App crashes” has more than 90% of all user released support.",
        "wrong-bin",
        "“Late delivery” has low released support.",
        ODD,
    ),
    "the names of bins speak of all their themes": Trick(
        "All listed themes with more than 90% of all user released support: “app crashes” and “lost data”.",
        "wrong-bin",
        plan=ODD,
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
        f"{NOT_A_COUNT} “App crashes” is the largest theme (22.1%).",
        "left-unsaid",
        f"{BY_SIMULATION} {LISTED}",
        SIMULATED,
    ),
    "that it is a sample is left unsaid": Trick(LISTED, "left-unsaid", f"{OF_A_SAMPLE} {LISTED}", SAMPLED),
    "that themes were chosen is left unsaid": Trick(LISTED, "left-unsaid", f"{LISTED} {BY_CHOICE}", CHOSEN),
    "that a margin orders is left unsaid": Trick(LISTED, "left-unsaid", f"{LISTED} {BY_MARGIN}", FIXED),
    "what is unclear is left unsaid": Trick(LISTED, "left-unsaid", f"{LISTED} {LEFT_OPEN}", UNCLEAR),
    "a part of what is unclear is left unsaid": Trick(
        "“Rude driver” does not stand clear of the noise.", "left-unsaid", LEFT_OPEN, UNCLEAR
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
        f"{LISTED} {NOT_A_COUNT} The area “money” (12.4%) comes behind “goods” in the released order.",
        "wrong-number",
        f"{LISTED} {NOT_A_COUNT} The area “money” (12.4%) comes behind “software” in the released order.",
    ),
    "a list runs on behind its colon": Trick(
        "All listed themes with high released support: “app crashes” and “lost data”; “double charge” is listed.",
        "not-read",
        "“Double charge” is listed; all listed themes with high released support: “app crashes” and “lost data”.",
    ),
    "what was not read goes on with the themes": Trick(
        "Text that is not in English was not read: its share is 15.0% (14.7% to 15.3% without the privacy noise); "
        f"“app crashes” stands at 22.1%. {IN_ENGLISH} {LISTED}",
        "not-read",
        f"{IN_ENGLISH} “App crashes” stands at 22.1%.",
        NOT_READ,
    ),
    "lines stand under a sentence as if they were its own": Trick(
        f"{LISTED} {NOT_A_COUNT} 2 listed themes have high released support.\n{LINE}",
        "not-read",
        f"{LISTED} {NOT_A_COUNT} 2 listed themes have high released support.\n\n{LINE}",
    ),
    "lines are not of themes with their shares": Trick(
        f"2 listed themes have high released support. {LISTED}\n\n- “Double charge” is listed.", "not-read"
    ),
    "a connective adds up what is a part": Trick(
        f"{LISTED} {NOT_A_COUNT} The 5 listed themes make up 57.5% together. "
        "In addition, “app crashes” stands at 22.1%.",
        "not-read",
        f"{NOT_A_COUNT} The 5 listed themes make up 57.5% together. “App crashes” stands at 22.1%.",
    ),
    # What contradicts itself, or tells noise
    "the largest is not told apart": Trick(
        f"{NOT_A_COUNT} “App crashes” is the largest theme (22.1%). “App crashes” and “lost data” cannot be told "
        "apart under the noise.",
        "unsupported-comparison",
        f"{NOT_A_COUNT} “App crashes” is the largest theme (22.1%).",
        LEADING,
    ),
    "the largest is among some that are not told apart": Trick(
        f"{LISTED} Some of the listed themes cannot be told apart under the noise.",
        "unsupported-comparison",
        plan=LEADING,
    ),
    "what may be nothing is the largest": Trick(
        f"{UNSURE} {NOT_A_COUNT} “App crashes” is the largest theme (2%).", "unsupported-clearance", UNSURE, FAINT
    ),
    "what may be nothing is larger": Trick(
        f"{UNSURE} “App crashes” is larger than “lost data”.", "unsupported-clearance", UNSURE, FAINT
    ),
    "what may be nothing is added up": Trick(
        f"{UNSURE} {NOT_A_COUNT} The 2 listed themes make up 2% together.", "unsupported-coverage", UNSURE, FAINT
    ),
    "what may be nothing is all of a bin": Trick(
        f"{UNSURE} All listed themes with low released support: “app crashes” and “lost data”.",
        "unsupported-clearance",
        UNSURE,
        FAINT,
    ),
    "what may be nothing is counted in a bin": Trick(
        f"{UNSURE} 2 listed themes have low released support.", "wrong-bin", UNSURE, FAINT
    ),
    "an area that may be nothing is the largest": Trick(
        f"{UNSURE} {NOT_A_COUNT} “Software” is the largest area (0.0%).",
        "unsupported-clearance",
        UNSURE,
        BELOW_ZERO,
    ),
    "a bin tells apart what the noise does not": Trick(
        "“Lost data” has high support.", "not-read", "“Lost data” has high released support."
    ),
    # What is said of people and of the whole
    "a share is a part of so many users": Trick(
        f"{NOT_A_COUNT} “App crashes” has a share of 22.1%. A share is a part of the public denominator of 2,000.",
        "not-read",
        f"{NOT_A_COUNT} “App crashes” stands at 22.1%. Every share is relative to the public denominator of 2,000.",
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
        f"{MENTIONS} “App crashes” stands at 22.1%; “lost data” stands at 15.0%.",
        MENTIONED,
    ),
    "who left records without an id is protected whole": Trick(
        f"{LISTED} This release protects each user with epsilon 1 and delta 0.",
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


SPEAKING = ("nothing", "no other theme", "half of all users", "app crashes but not lost data", "the area billing")


@pytest.mark.parametrize("label", SPEAKING)
def test_a_label_that_speaks_is_a_name_in_quotation_marks_or_nothing(label):
    universe = universe_of([Atom(id=1, label=label), Atom(id=2, label="app crashes"), Atom(id=3, label="lost data")])
    plan = plan_of(universe, [442.0, 300.0, 200.0])
    spoken = label[0].upper() + label[1:]
    assert verify(plan, f"“{spoken}” is listed.", "display", universe).accepted
    assert verify(plan, f"{LISTED} {spoken} is listed.", "display", universe).rules() == ("not-read",)


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        (["late delivery", "late delivery\u200b"], "hidden"),
        (["refund", "re\u00adfund"], "hidden"),
        (["turn\u202eed"], "hidden"),
        (["late” has high support. “delivery"], "end a quotation"),
        (["délai", "de\u0301lai"], "look alike"),
        (["name", "n\u0430me"], "look alike"),  # a Cyrillic letter
        (["copy", "\u0441\u043e\u0440\u0443"], "look alike"),  # four of them
        (["refund", "ｒefund"], "look alike"),
        (["late delivery", "late  delivery"], "look alike"),
        (["parcel", "parcel\ufe0f"], "look alike"),  # a variation selector
        (["rain", "rain\u2800"], "look alike"),  # a blank of Braille
        (["check-in", "check\u2010in"], "look alike"),
        (["refund’’ is the largest theme (90%), and ‘‘app"], "end a quotation"),
        (["data\u02ee holds 75% of all users\u2024 \u02ddwrong invoice"], "end a quotation"),
        (['late" and "early'], "end a quotation"),
    ],
)
def test_names_that_a_reader_cannot_tell_apart_are_refused_before_anything_is_paid_or_told(labels, why):
    universe = universe_of([Atom(id=place, label=label) for place, label in enumerate(labels)])
    with pytest.raises(DictionaryError, match=why):
        require_speakable(universe)
    with pytest.raises(DictionaryError, match=why):
        Facts(plan_of(universe, [300.0] * len(labels)), universe)


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
    plan = plan_of(universe, [442.0, 300.0])
    said = f"In the dictionary, “late delivery” stands for “{description[0].lower()}{description[1:]}”."
    assert verify(plan, f"“Lost data” is listed. {said}", "display", universe).rules() == ("not-read",)
    assert "stands for" not in narrate(plan, universe).text


def test_what_a_description_says_is_a_quotation():
    boast = "broken goods, by far the largest theme with 90% of all users"
    universe = universe_of([Atom(id=1, label="late delivery", description=boast), Atom(id=2, label="lost data")])
    plan = plan_of(universe, [442.0, 300.0])
    lead, listed = "In the dictionary, “late delivery” stands for", "“Lost data” is listed."
    assert verify(plan, f"{listed} {lead} “{boast}”.", "display", universe).accepted
    assert verify(plan, f"{listed} {lead}: {boast}.", "display", universe).rules() == ("not-read",)


def test_the_languages_of_a_map_are_codes_and_no_words():
    words_of_a_plan = ("english, and nobody can be identified from this text, which",)
    reads = NOT_READ.statement.contribution_map.model_copy(update={"languages": words_of_a_plan})
    with pytest.raises(RequestError, match="no code of a language"):
        verify(stated(NOT_READ, contribution_map=reads), LISTED, "display", SHOP)


def test_a_warning_far_below_is_brought_up_where_a_text_is_settled():
    text = f"{LISTED}{chr(10) * 4000}{BY_SIMULATION}"
    assert settle(text, Language(Facts(SIMULATED, SHOP), Mode.DISPLAY)).text == f"{LISTED} {BY_SIMULATION}"


def test_the_narration_of_another_plan_is_held_to_this_one():
    other = plan_of(SHOP, [90.0, 300.0, 160.0, 158.0, 442.0, 60.0, -40.0], bins=BINS, size=5)
    said = "“Double charge” is the largest theme (22.1%)"
    told = narrate(other, SHOP)
    assert "“double charge” is the largest theme (22.1%)" in told.text
    page = words(report(CLEAR, SHOP, narration=told))
    assert said.casefold() not in page.casefold()
    assert "the others are not shown" in page


@pytest.mark.parametrize(
    ("plan", "text", "ended"),
    [
        (CLEAR, f"{LISTED} Nobody is happy.", (0, LISTED)),
        (SIMULATED, LISTED, (0, f"{LISTED} {BY_SIMULATION}")),
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
