"""The paper's contract, rule by rule and example by example, as its appendix prints them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.boundary.atoms import Atom
from dpspin.boundary.certify import three_bins
from dpspin.public.narrate.contract.screen import screen
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import Mode
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of

FACTS = Facts(PAPER_PLAN, PAPER_UNIVERSE)

THREE = "long wait [atom:17], friendly staff [atom:42], and food quality [atom:81]"
ACCEPTED = (
    "Long wait time [atom:17] has high semantic support.",
    f"The released plan identifies {THREE} as recurring themes.",
    (
        f"The released plan highlights {THREE} as recurring themes. Long wait [atom:17] has a higher released noisy "
        "mass than food quality [atom:81]."
    ),
    "Long wait [atom:17] has a noisy mass of 318.4 and is the top-ranked theme.",
    "Food quality [atom:81] has lower support than long wait [atom:17].",
    "The 3 admitted themes are long wait [atom:17], friendly staff [atom:42] and food quality [atom:81].",
    "The plan is of 2000 records with epsilon 1. Food quality [atom:81] is ranked third.",
    "Friendly staff [atom:42] has the second-highest support.",
    "Long wait [atom:17] has high support and food quality [atom:81] has moderate support.",
    "Support for food quality [atom:81] is moderate; long wait [atom:17] (bin=high), friendly staff [atom:42].",
    "Long wait [atom:17] is the most prominent theme, friendly staff [atom:42] the second most prominent.",
    "The most common themes are long wait [atom:17], friendly staff [atom:42] and food quality [atom:81].",
    "Food quality [atom:81] is one of the most frequently reported themes.",
    "Long wait [atom:17] exceeds food quality [atom:81] in support.",
    "With high support: long wait [atom:17], with moderate support: friendly staff [atom:42], food quality [atom:81].",
    "Themes with high support include long wait [atom:17]; food quality [atom:81] is listed with moderate support.",
    "The 3 listed themes include long wait [atom:17] and food quality [atom:81].",
    "This output is an aggregate summary based on a differentially private plan. It lists long wait [atom:17].",
)
REJECTED = {
    "Many users complained that a specific waiter named John ignored them on Friday night.": "raw-record-pattern",
    "The main themes are long wait [atom:17], friendly staff [atom:42], food quality [atom:81], and parking problems "
    "[atom:99].": "unknown-marker",
    "Exactly 612 records mention long wait [atom:17].": "unsupported-number",
    "95% of all customers complain about long wait [atom:17].": "unsupported-number",
    "Long wait [atom:17] was found in 2000 records.": "unsupported-number",
    "Exactly 3 records mention long wait [atom:17].": "unsupported-number",
    "Food quality [atom:81] has a noisy mass of 318.4.": "unsupported-number",
    "Long wait [atom:17] has low semantic support.": "wrong-bin",
    "Support for food quality [atom:81] is high.": "wrong-bin",
    "Food quality [atom:81] (bin=high) is listed.": "wrong-bin",
    "Food quality [atom:81] has a high bin.": "wrong-bin",
    "Themes with high support: food quality [atom:81].": "wrong-bin",
    "Themes with high support include food quality [atom:81].": "wrong-bin",
    "Besides long wait [atom:17], themes with high support: food quality [atom:81].": "wrong-bin",
    "Long wait [atom:17] with moderate support and food quality [atom:81] with moderate support.": "wrong-bin",
    "The 7 listed themes include long wait [atom:17] and food quality [atom:81].": "unsupported-number",
    "Food quality [atom:81] is ranked second.": "unsupported-superlative",
    f"Food quality [atom:81] is ranked {'9' * 5000}.": "unsupported-number",
    "Long wait [atom:17] has the second-highest support.": "unsupported-superlative",
    "Food quality [atom:81] exceeds long wait [atom:17] in support.": "unsupported-comparison",
    "Food quality [atom:81] has higher support than long wait [atom:17].": "unsupported-comparison",
    "Food quality [atom:81] has the highest support.": "unsupported-superlative",
    "Food quality [atom:81] is the most prominent theme.": "unsupported-superlative",
    "Long wait [atom:17] is the second most common theme.": "unsupported-superlative",
    "The most frequently mentioned concern is food quality [atom:81].": "unsupported-superlative",
    "The main theme is friendly staff [atom:42].": "unsupported-superlative",
    "Long wait [atom:17] is more important than food quality [atom:81].": "importance-ordering",
    "Long wait has high support.": "missing-marker",
    "Write to ann@example.org about long wait [atom:17].": "raw-record-pattern",
    "Call 555-123-4567 about long wait [atom:17].": "raw-record-pattern",
    "The number 123-45-6789 stands beside long wait [atom:17].": "raw-record-pattern",
    "Account 8841-22 is about long wait [atom:17].": "raw-record-pattern",
    "Mr. Smith spoke of long wait [atom:17].": "raw-record-pattern",
    'One wrote "I have waited here for three hours" of long wait [atom:17].': "raw-record-pattern",
}


@pytest.mark.parametrize("text", ACCEPTED)
def test_what_the_paper_accepts_is_accepted(text):
    screened = screen(FACTS, text, Mode.AUDIT)
    assert screened.accepted, screened.violations
    assert (screened.unsupported_atom_rate, screened.unsupported_comparison_rate) == (0.0, 0.0)


@pytest.mark.parametrize(("text", "rule"), REJECTED.items())
def test_what_the_paper_rejects_is_rejected_by_its_rule(text, rule):
    assert rule in {violation.rule for violation in screen(FACTS, text, Mode.AUDIT).violations}


@given(st.lists(st.sampled_from([*ACCEPTED, *REJECTED]), min_size=1, max_size=4), st.sampled_from(Mode))
def test_an_accepted_text_meets_every_threshold(sentences, mode):
    """Thresholds on the rates come on top of "no violation" in the paper: there is nothing left for them to refuse."""
    screened = screen(FACTS, " ".join(sentences), mode)
    rates = (screened.unsupported_atom_rate, screened.unsupported_comparison_rate)
    assert rates == (0.0, 0.0) or not screened.accepted


def test_the_measures_are_those_of_the_paper():
    screened = screen(FACTS, "Long wait [atom:17], parking [atom:99] and more [atom:99].", Mode.AUDIT)
    assert screened.unsupported_atom_rate == 0.5
    right, wrong = (
        "Long wait [atom:17] has higher support than food quality [atom:81].",
        "Food quality [atom:81] is top-ranked.",
    )
    both = screen(FACTS, f"{right} {wrong}", Mode.AUDIT)
    assert (both.comparisons, both.unsupported_comparison_rate) == (2, 0.5)
    important = screen(FACTS, "Long wait [atom:17] is more important than food quality [atom:81].", Mode.AUDIT)
    assert important.comparisons == 0


def listed(bins):
    """Return a plan with the given themes in these bins, high to low, and one more theme that is not listed."""
    names = [(label, name) for name, labels in bins.items() for label in labels]
    floors = {"high": 1200.0, "moderate": 600.0, "low": 200.0}
    universe = universe_of(
        [*(Atom(id=i, label=label) for i, (label, _) in enumerate(names)), Atom(id=99, label="soft hair")]
    )
    masses = [*(floors[name] - place for place, (_, name) in enumerate(names)), 0.0]
    return Facts(plan_of(universe, masses, bins=three_bins(0.5, 0.2), size=len(names)), universe)


CREDIT = {
    "moderate": ["incorrect information on credit reports"],
    "low": ["credit reporting", "identity theft", "debt collection"],
}
BEAUTY = {
    "high": ["easy application", "sensitive skin", "waste money"],
    "moderate": ["product quality", "long hair"],
    "low": ["dry hair", "natural hair", "hair quality", "dry skin", "skin feel"],
}
DINING = {
    "low": [
        *("long wait", "friendly staff", "customer service", "delicious food", "pizza place"),
        *("service staff", "food place", "Mexican food", "lunch special", "bar restaurant"),
    ]
}
PRINTED = (
    pytest.param(
        CREDIT,
        "The aggregate summary identifies moderate semantic support for incorrect information on credit reports and "
        "low semantic support for the admitted credit-reporting, identity-theft, and debt-collection themes.\n- "
        "Moderate-support theme: incorrect information on credit reports.\n- Low-support themes: credit-reporting, "
        "identity-theft, and debt-collection themes.",
        id="complaints, main text",
    ),
    pytest.param(
        CREDIT,
        "The aggregate summary reveals moderate concerns regarding incorrect information on credit reports, with "
        "notable entries related to information that does not belong to the individual and issues with account "
        "status. Additionally, there are low-level reports concerning problems with dispute statements during credit "
        "reporting investigations, identity theft related to credit cards, and various debt collection issues, "
        "including attempts to collect debts that are not owed and insufficient information for debt verification.\n- "
        "Moderate support of incorrect information on credit reports.\n- Low support of issues related to credit "
        "reporting investigations and identity theft.\n- Low support of debt collection disputes and inaccuracies.",
        id="complaints, appendix",
    ),
    pytest.param(
        BEAUTY,
        "The aggregate summary identifies high semantic support for easy application, sensitive skin, and waste money. "
        "Moderate semantic support is reported for product quality and long hair, while dry hair, natural hair, hair "
        "quality, dry skin, and skin feel have low support.\n- High-support themes: easy application, sensitive skin, "
        "waste money.\n- Moderate-support themes: product quality, long hair.\n- Low-support themes: dry hair, natural "
        "hair, hair quality, dry skin, skin feel.",
        id="beauty",
    ),
    pytest.param(
        DINING,
        "The aggregate summary identifies low semantic support across the admitted dining-related themes, including "
        "long wait times, friendly staff, customer service, delicious food, pizza places, service staff, food places, "
        "Mexican food, lunch specials, and bar restaurants.\n- Long wait times and customer service have low released "
        "support.\n- Friendly staff has low released support.\n- Several food-related categories, including Mexican "
        "food and pizza places, have low released support.",
        id="dining",
    ),
)


@pytest.mark.parametrize(("bins", "text"), PRINTED)
def test_its_printed_display_summaries_pass(bins, text):
    """All four as they are printed; with a theme of no plan, or of a plan whose themes are all high, they do not."""
    screened = screen(listed(bins), text, Mode.DISPLAY)
    assert screened.accepted, screened.violations
    assert not screen(listed(bins), text + " Soft hair is there too.", Mode.DISPLAY).accepted
    every = [label for labels in bins.values() for label in labels]
    refused = screen(listed({"high": every}), text, Mode.DISPLAY).violations
    assert {violation.rule for violation in refused} == {"wrong-bin"}
