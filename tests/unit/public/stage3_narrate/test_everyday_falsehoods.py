"""Plain sentences that name a listed theme and are still false, or say what no plan can say."""

import math

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.plan import three_bins
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.lexicon import general_stems, public_stems, stem
from dpspin.public.stage3_narrate.verify.verifier import verify
from factories import plan_of, universe_of

TICKETS = universe_of(
    [
        Atom(id=1, label="app crashes", description="The app closes by itself, freezes or does not open."),
        Atom(id=2, label="lost data", description="Records, settings or photos disappeared."),
        Atom(id=3, label="late delivery"),
        Atom(id=4, label="slow refund"),
    ]
)
BINS = three_bins(0.15, 0.05)
CLEAR = plan_of(TICKETS, [442.0, 300.0, 60.0, 1.0], bins=BINS, size=3)
UNCLEAR = plan_of(TICKETS, [442.0, 300.0, 60.0, 1.0], bins=BINS, size=4, admission="fixed")
SIMULATED = CLEAR.model_copy(
    update={"statement": CLEAR.statement.model_copy(update={"randomness": "SIMULATED-NOT-PRIVATE"})}
)
LISTED = "App crashes are listed."

FALSE = [
    ("unsupported-word", "App crashes increased by 22.1%."),
    ("unsupported-word", "Support for app crashes fell to 22.1%."),
    ("unsupported-word", "App crashes are caused by lost data."),
    ("unsupported-word", "App crashes lead to lost data."),
    ("unsupported-word", "App crashes are due to lost data."),
    ("unsupported-word", "Fix app crashes first."),
    ("unsupported-word", "App crashes annoy Anna Schmidt from Berlin."),
    ("unsupported-word", "App crashes mostly hit women."),
    ("unsupported-quantifier", "App crashes have far more support than all others together."),
    ("unsupported-word", "These numbers are exact: app crashes 442.0."),
    ("unsupported-word", "App crashes are absent."),
    ("unsupported-word", "App crashes have a small support."),
    ("unsupported-comparison", "App crashes are close to lost data."),
    ("unsupported-comparison", "App crashes have more than 22.1% support."),
    ("unsupported-negation", "App crashes are not listed."),
    ("unsupported-negation", "There is no support for app crashes."),
    ("unsupported-negation", "Nobody complains about app crashes."),
    ("unsupported-negation", "Neither app crashes nor lost data are listed."),
    ("unsupported-negation", "App crashes are listed without noise."),
    ("unsupported-negation", f"{LISTED} The data contain no noise."),
    ("unsupported-negation", f"{LISTED} No record was protected."),
    ("unsupported-negation", f"{LISTED} No theme is listed."),
    ("unsupported-comparison", f"{LISTED} The listed themes cannot be told apart."),
    ("wrong-bin", "Every theme has high support, for instance app crashes."),
    ("unsupported-quantifier", "Only app crashes are listed."),
    ("unsupported-quantifier", "All themes are listed, app crashes too."),
    ("unsupported-superlative", "Lost data exceed all other themes."),
    ("unsupported-quantifier", f"{LISTED} Most themes have high support."),
    ("unsupported-clearance", "App crashes are below the detection limit."),
    ("unsupported-clearance", "App crashes do not stand clear of the noise."),
    ("unsupported-clearance", f"{LISTED} None of these stands clear of the noise."),
    ("unsupported-number", "Only one theme is listed: app crashes."),
    ("unsupported-number", f"{LISTED} Epsilon is 3."),
    ("unsupported-number", f"{LISTED} The privacy loss is 4."),
    ("unsupported-number", f"{LISTED} Delta is 1."),
    ("unsupported-number", f"{LISTED} The plan lists four themes."),
    ("unsupported-number", f"{LISTED} There are 3 themes in the dictionary."),
    ("unsupported-number", f"{LISTED} Two themes stand clear of the noise."),
    ("unsupported-number", f"{LISTED} The detection limit is 3%."),
    ("unsupported-number", "With 5% confidence, app crashes have high support."),
    ("not-private", f"{LISTED} The numbers are simulated."),
]
TRUE = [
    "App crashes are a recurring theme.",
    "App crashes and lost data stand clear of the noise.",
    "All themes stand clear of the noise, also app crashes.",
    "Only three themes are listed, among them app crashes.",
    "Of all listed themes, app crashes have the highest support.",
    "App crashes exceed all other themes.",
    f"{LISTED} The plan lists three of the 4 themes in the dictionary.",
    f"{LISTED} Epsilon is 1, delta is 0 and the denominator is 2,000.",
    f"{LISTED} All released values carry noise.",
    f"{LISTED} Support is not a count and does not say how many records there are.",
    f"{LISTED} The detection limit is 0.18% of the denominator, a mass of 3.67.",
]


@pytest.mark.parametrize(("rule", "text"), FALSE)
def test_an_everyday_falsehood_is_rejected(rule, text):
    assert rule in verify(CLEAR, text).rules()


@pytest.mark.parametrize("text", TRUE)
def test_a_plain_true_sentence_is_accepted(text):
    assert verify(CLEAR, text, atoms=TICKETS).violations == ()


def test_who_stands_clear_of_the_noise_is_read_from_the_plan():
    assert "unsupported-clearance" in verify(UNCLEAR, "All themes stand clear of the noise, also app crashes.").rules()
    assert "unsupported-clearance" in verify(UNCLEAR, "Slow refund stands clear of the noise.").rules()
    assert verify(UNCLEAR, "Slow refund does not stand clear of the noise.").accepted
    assert verify(UNCLEAR, "Slow refund cannot be told from the noise.").accepted


@pytest.mark.parametrize("decimals", [0, 1, 2, 3])
def test_an_interval_may_be_rounded_outward_as_the_report_prints_it(decimals):
    for entry in CLEAR.entries:
        low, high = (10**decimals * 100 * end / CLEAR.denominator.value for end in (entry.low, entry.high))
        floor, ceiling = math.floor(low) / 10**decimals, math.ceil(high) / 10**decimals
        interval = f"{floor:.{decimals}f}% to {ceiling:.{decimals}f}%"
        assert verify(CLEAR, f"The interval of {entry.label} is {interval}.").accepted, interval


def test_an_interval_is_not_rounded_inward():
    assert "unsupported-number" in verify(CLEAR, "The interval of app crashes is 21.91% to 22.35%.").rules()


@pytest.mark.parametrize("mode", list(Mode))
def test_a_simulated_plan_is_never_called_private(mode):
    text = TemplateDecoder(mode)(SIMULATED)
    assert text.startswith("This is an aggregate summary, and its numbers are simulated and not private.")
    assert verify(SIMULATED, text, mode).accepted
    for claim in ("a differentially private plan", "this private plan"):
        assert "not-private" in verify(SIMULATED, f"App crashes are listed in {claim}.").rules()


def test_the_lexicon_holds_no_causes_trends_advice_or_people():
    words = "increased fell caused annoy fix hit women mostly recently exact nobody anonymous"
    beside_themes = "because reflects contributes affects people exact"
    assert not {stem(word) for word in words.split()} & general_stems()
    assert not {stem(word) for word in beside_themes.split()} & public_stems()


@pytest.mark.parametrize(
    ("word", "rule"),
    [("all", "unsupported-quantifier"), ("not", "unsupported-negation"), ("7 a a a", "unsupported-number")],
)
def test_in_a_very_long_sentence_every_mistake_is_found(word, rule):
    verdict = verify(CLEAR, "App crashes " + f"{word} " * 500)
    assert [violation.rule for violation in verdict.violations] == [rule] * 500
