"""Plain sentences that name a listed theme and are still false, or say what no plan can say: none is accepted."""

import pytest

from completing import complete
from dpspin.boundary.atoms import Atom
from dpspin.boundary.certify import three_bins
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.verify import LONGEST, Status, verify
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of
from report_cards import well_sorted

TICKETS = universe_of(
    [
        Atom(id=1, label="app crashes", description="The app closes by itself, freezes or does not open."),
        Atom(id=2, label="lost data", description="Records, settings or photos disappeared."),
        Atom(id=3, label="late delivery"),
        Atom(id=4, label="slow refund"),
    ]
)
BINS = three_bins(0.15, 0.05)
CLEAR = well_sorted(plan_of(TICKETS, [442.0, 300.0, 60.0, 1.0], bins=BINS, size=3), TICKETS)
PAPER = well_sorted(PAPER_PLAN, PAPER_UNIVERSE)
SIMULATED = CLEAR.model_copy(
    update={"statement": CLEAR.statement.model_copy(update={"randomness": "SIMULATED-NOT-PRIVATE"})}
)
LISTED = "“App crashes” is listed."
FALSE = (
    "“App crashes” increased by 22.1%.",
    "Support for “app crashes” fell to 22.1%.",
    "“App crashes” is caused by “lost data”.",
    "“App crashes” leads to “lost data”.",
    "Fix “app crashes” first.",
    "“App crashes” annoys Anna Schmidt from Berlin.",
    "“App crashes” mostly hits women.",
    "“App crashes” has far more support than all others together.",
    "These numbers are exact: “app crashes” 442.0.",
    "“App crashes” is absent.",
    "“App crashes” has a small support.",
    "“App crashes” is close to “lost data”.",
    "“App crashes” has more than 22.1% support.",
    "“App crashes” is not listed.",
    "There is no support for “app crashes”.",
    "Nobody complains about “app crashes”.",
    "Neither “app crashes” nor “lost data” is listed.",
    "“App crashes” is listed without noise.",
    f"{LISTED} The data contain no noise.",
    f"{LISTED} No record was protected.",
    f"{LISTED} No theme is listed.",
    f"{LISTED} The listed themes cannot be told apart.",
    "Every theme has high support, for instance “app crashes”.",
    "Only “app crashes” are listed.",
    "All themes are listed, “app crashes” too.",
    "“Lost data” exceeds all other themes.",
    f"{LISTED} Most themes have high support.",
    "“App crashes” is below the detection limit.",
    "The interval of “app crashes” reaches down to zero.",
    f"{LISTED} None of these stands clear of the noise.",
    "Only one theme is listed: “app crashes”.",
    f"{LISTED} Epsilon is 3.",
    f"{LISTED} The plan lists four themes.",
    "With 5% confidence, “app crashes” has a larger share than “lost data”.",
    "“App crashes” has high released support.",  # a bin, which names no number
    "“App crashes” is listed; “lost data” is listed.",
    f"{LISTED} The numbers are simulated.",
    "“Slow refund” is the leader.",
    "“App crashes” has a support of 42.17 points.",
    "“App crashes” goes hand in hand with “lost data”.",
    f"{LISTED} This text has been verified.",
    "“App crashes” ↑ have high support.",
    "“Slow refund” has high released support.",
    "“Lost data” has the largest share of all themes, as filed (22.1%).",
    "“App crashes” has the largest share of all themes, as filed (22.2%).",
    "“App crashes” has the largest share of all themes, as filed (22.10%).",
    "“Lost data” has a larger share than “app crashes”.",
    "“App crashes” has a smaller share than “lost data”.",
    "From “app crashes” to “lost data” in the released order, the intervals of all 2 themes overlap.",
    "“App crashes” has the highest released share (22.1%), but its interval overlaps that of “lost data”.",
    "The intervals of “app crashes” and “lost data” overlap.",
    "“App crashes” has low released support.",
    "In the dictionary, “app crashes” stands for “records, settings or photos disappeared”.",
    "“App crashes” has released rank 1.",  # an exact value, in a text for readers
)


def judged(text):
    """Judge a text that says what every text about this plan must say."""
    return verify(CLEAR, complete(text, CLEAR, TICKETS), Mode.DISPLAY, TICKETS)


def test_what_stands_beside_a_falsehood_holds_by_itself():
    assert judged(LISTED).accepted


@pytest.mark.parametrize("text", FALSE)
def test_a_falsehood_is_refused(text):
    verdict = judged(text)
    assert not verdict.accepted
    assert any(sentence.status is not Status.VERIFIED for sentence in verdict.sentences)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (f"{LISTED} “Slow refund” has a share of 0.1%.", "unsupported-label"),
        ("The interval of “app crashes” reaches down to zero.", "unsupported-clearance"),
        ("“Lost data” has a larger share than “app crashes”.", "unsupported-comparison"),
        (
            "“Lost data” has the largest share of all themes, as filed (15.0%).",
            "unsupported-superlative",
        ),
        ("“App crashes” has a share of 22.2%.", "wrong-number"),
        ("“App crashes” has released rank 1.", "exact-value"),
        ("“App crashes” [atom:1] is listed.", "marker-in-display"),
        (f"{LISTED} People hate “app crashes”.", "not-read"),
        ("All released values carry noise.", "no-theme"),
        (
            "“Slow refund” is not listed: its share is 0.1% (0.0% to 0.4% without the privacy noise).",
            "no-theme",
        ),
    ],
)
def test_what_is_wrong_has_a_name(text, rule):
    assert judged(text).rules() == (rule,)


def test_what_is_too_long_is_not_read():
    assert verify(CLEAR, "x" * (LONGEST + 1), Mode.DISPLAY, TICKETS).rules() == ("unreadable-text",)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("“Long wait” is listed.", "missing-marker"),
        ("“Long wait” [atom:42] is listed.", "marker-label-mismatch"),
        ("“Long wait” [atom:17] has released rank 2.", "wrong-number"),
    ],
)
def test_markers_are_held_to_the_plan(text, rule):
    whole = complete(text, PAPER, PAPER_UNIVERSE, Mode.AUDIT)
    assert verify(PAPER, whole, Mode.AUDIT, PAPER_UNIVERSE).rules() == (rule,)


@pytest.mark.parametrize("atom", [0, 10**9, 10**18, 10**400])
def test_a_theme_may_have_any_id_and_a_marker_of_any_length_is_only_a_marker(atom):
    universe = universe_of([Atom(id=atom, label="late parcel"), Atom(id=7, label="rude reply")])
    plan = well_sorted(plan_of(universe, [442.0, 300.0]), universe)
    assert narrate(plan, universe, mode=Mode.AUDIT).verdict.accepted
    endless = f"“Rude reply” [atom:7] is listed. “Late parcel” [atom:{'9' * 5000}] is listed."
    whole = complete(endless, plan, universe, Mode.AUDIT)
    assert verify(plan, whole, Mode.AUDIT, universe).rules() == ("not-read",)


AWKWARD = universe_of(
    [
        Atom(id=1, label="delivery", parent="delivery"),
        Atom(id=2, label="slow refund", parent="billing"),
        Atom(id=3, label="."),
    ]
)
AWKWARD_PLAN = plan_of(AWKWARD, [942.0, 300.0, 1.0], bins=BINS, size=2)


@pytest.mark.parametrize(
    "text",
    [
        "The theme “delivery” [atom:2] is listed.",
        "The area “delivery” [atom:1] has the largest share of all areas, as filed (47.1%).",
    ],
)
def test_a_name_of_an_area_carries_no_marker_of_another_theme(text):
    (sentence,) = verify(AWKWARD_PLAN, text, Mode.AUDIT, AWKWARD).sentences
    assert (sentence.status, sentence.rule) == (Status.FALSE, "marker-label-mismatch")


@pytest.mark.parametrize(("mode", "marker"), [(Mode.DISPLAY, ""), (Mode.AUDIT, " [atom:1]")])
@pytest.mark.parametrize("area", ["delivery", "Delivery"])
def test_a_theme_and_an_area_of_one_name_are_told_apart(mode, marker, area):
    universe = universe_of([Atom(id=1, label="delivery", parent=area), Atom(id=2, label="slow refund", parent="money")])
    plan = plan_of(universe, [942.0, 300.0], bins=BINS, size=2)
    told = narrate(plan, universe, mode=mode)
    assert f"- The theme “delivery”{marker}: 47.1%" in told.text
    bare = verify(plan, told.text.replace("The theme “delivery”", "“Delivery”"), mode, universe)
    assert "not-read" in bare.rules()
    other = f"The theme “slow refund”{' [atom:2]' * bool(marker)} is listed."  # no area is called that
    assert [each.rule for each in verify(plan, other, mode, universe).sentences] == ["not-read"]


def test_a_name_alone_is_no_sentence_even_where_it_is_a_full_stop():
    listed, alone = verify(AWKWARD_PLAN, "“Slow refund” is listed.\n- “.”", Mode.DISPLAY, AWKWARD).sentences
    assert (listed.status, alone.status) == (Status.VERIFIED, Status.NOT_READ)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("larger", "larger\u200b"),
        lambda text: text.replace("a", "\u0430", 1),  # a Cyrillic letter
        lambda text: text.replace("larger", "**larger**"),
        lambda text: text.replace(".", " ✓."),
        lambda text: f"<b>{text}</b>",
        lambda text: text.replace("long wait", "long\u00a0wait").replace("Long wait", "Long\u00a0wait"),
        lambda text: text[:-1],
        lambda text: text.replace(".", "!"),
        lambda text: f"{text}\n\ue000",
    ],
)
def test_no_sign_is_passed_over(change):
    text = "“Long wait” has a larger share than “food quality”."
    duties = complete(text, PAPER, PAPER_UNIVERSE).removesuffix(text)
    assert verify(PAPER, duties + text, Mode.DISPLAY, PAPER_UNIVERSE).accepted
    assert change(text) != text
    assert not verify(PAPER, duties + change(text), Mode.DISPLAY, PAPER_UNIVERSE).accepted


@pytest.mark.parametrize("mode", list(Mode))
def test_a_simulated_plan_is_never_called_private(mode):
    text = TemplateDecoder(mode)(Facts(SIMULATED, TICKETS))
    assert "its numbers are simulated and not private" in text
    assert verify(SIMULATED, text, mode, TICKETS).accepted
    claimed = f"{text} This is an aggregate summary of a differentially private plan."
    assert "unsupported-public-claim" in verify(SIMULATED, claimed, mode, TICKETS).rules()


def test_the_verdict_says_by_which_dictionary_and_forms_it_was_read():
    verdict = verify(PAPER, "“Long wait” is listed.", Mode.DISPLAY, PAPER_UNIVERSE)
    assert verdict.dictionary == PAPER_UNIVERSE.digest
    assert verdict.forms.startswith("sha256:")
