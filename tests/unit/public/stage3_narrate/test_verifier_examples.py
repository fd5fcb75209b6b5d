"""Every rule by example: what it accepts, what it rejects. The plan is the running example of the paper's appendix."""

import re

import pytest

from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.verifier import CHECKS, verify
from factories import PAPER_BINS, PAPER_PLAN, PAPER_UNIVERSE, plan_of

A, B, C = "long wait [atom:17]", "friendly staff [atom:42]", "food quality [atom:81]"
CLOSE_PLAN = plan_of(PAPER_UNIVERSE, [60.0, 59.0, 58.0, 1.3], bins=PAPER_BINS, size=3)

ACCEPTED = [
    f"{A}, {B} and {C} are recurring themes of the released plan.",
    "The plan lists **Long wait** [atom:17], “friendly staff” [atom:42] and Food-Quality ([atom:81]).",
    "Long waits [atom:17] have high support.",
    "Guests wait a long time to be seated [atom:17].",
    f"{A} has high support, {B} and {C} have moderate support.",
    f"{A} has high support, {B} moderate support.",
    f"{B} and {C} have moderate support, {A} high support.",
    f"High-support themes: {A}. Moderate-support themes: {B} and {C}.",
    f"Support is high for {A} and moderate for {B}.",
    f"{A} (high), {B} (moderate), {C} (moderate)",
    f"{A} stands in the highest support bin.",
    f"{B} has moderate to high support.",
    f"{A} has high support, while {B} and {C} have medium support.",
    f"Themes with moderate support are {B} and {C}, and {A} has high support.",
    "High support:\n- long wait [atom:17]\n\nModerate support:\n- friendly staff [atom:42]\n- food quality [atom:81]",
    f"{A} has a noisy mass of 318.4.",
    f"{A} has a noisy mass of about 318 and a support of 0.159, or 15.9%.",
    f"{A} (318.4), {B} (271.9) and {C} (244.7) are the three released themes.",
    f"Noisy masses are 318.4 for {A} and 271.9 for {B}.",
    f"Two themes have moderate support and one theme has high support. {A} is listed.",
    f"With 95% confidence, {A} stands clear of the noise.",
    f"The public denominator is 2,000 and epsilon is 1. {A} is listed.",
    f"Support is not a share of users and not a number of records. {A} is listed.",
    f"{A} has higher support than {B}.",
    f"{C} has a lower noisy mass than {A}.",
    f"{A} has higher support than {B} and {C}.",
    f"{A} exceeds {B} in support.",
    f"{C} trails {B}.",
    f"{B} is exceeded by {A}.",
    f"Compared with {C}, {A} has more support.",
    f"{A} has higher support compared to {C}.",
    f"Support is higher for {A} than for {C}.",
    f"{C} does not have higher support than {A}.",
    f"{A}, followed by {B} and {C}.",
    f"{A} exceeds the noise threshold.",
    f"{A} has the highest support.",
    f"The top-ranked theme is {A}, followed by {B}.",
    f"{A} has higher support than all other themes.",
    f"{A} leads with high support.",
    f"The leading themes are {A} and {B}.",
    f"The top two themes are {A} and {B}.",
    f"{B} is ranked second and {C} third.",
    f"{B} has released rank 2.",
    f"{C} has the lowest support.",
    f"{A} ranks first; second is {B}.",
    f"This is an aggregate summary based on a differentially private plan. {A} is listed.",
]
REJECTED = [
    ("unreadable-text", f"{A} has a noisy mass of 318400000000000000000."),
    ("unknown-marker", f"{A} and rude staff [atom:7] are listed."),
    ("unknown-marker", f"The main themes are {A}, {B}, {C}, and parking problems [atom:99]."),
    ("malformed-marker", "long wait [atom: 17] is listed."),
    ("malformed-marker", "long wait [Atom:17] is listed."),
    ("malformed-marker", "long wait [atom:x] is listed."),
    ("malformed-marker", "long wait [atom:17, atom:42] is listed."),
    ("malformed-marker", "long wait (atom 17) is listed."),
    ("malformed-marker", "long wait [atom:017] is listed."),
    ("marker-label-mismatch", "long wait [atom:42] is listed."),
    ("marker-label-mismatch", "“long wait” [atom:42] is listed."),
    ("missing-marker", "Long wait has high support."),
    ("missing-marker", f"{A} is listed. Long waits have high support."),
    ("missing-marker", "long wait, friendly staff [atom:42] are listed."),
    ("unsupported-label", f"{A} and parking problems are listed."),
    ("unsupported-label", f"{A} and a parking-problem are listed."),
    ("wrong-bin", f"{A} has moderate support."),
    ("wrong-bin", f"{B} has high support."),
    ("wrong-bin", f"High-support themes: {A}, {B} and {C}."),
    ("wrong-bin", f"{A} and {B} have high support, {C} low support."),
    ("wrong-bin", f"{A} has high support, {B} moderate support, {C} low support."),
    ("wrong-bin", f"{B} shows strong support."),
    ("wrong-bin", f"{A} has weak support."),
    ("wrong-bin", f"Support for {A} is low."),
    ("wrong-bin", f"{A} does not have high support."),
    ("wrong-bin", f"Neither {A} nor {B} has high support."),
    ("wrong-bin", f"{A} (low) is listed."),
    ("wrong-bin", f"{A} has high support, as does {B}."),
    ("wrong-bin", f"All released themes have high support. {A} is listed."),
    ("wrong-bin", "High support:\n- long wait [atom:17]\n- friendly staff [atom:42]"),
    ("wrong-bin", f"{B} stands in the highest support bin."),
    ("wrong-bin", f"{A} has high support, while {B} and {C} have low support."),
    ("unsupported-number", "Exactly 612 records mention long wait [atom:17]."),
    ("unsupported-number", f"{A} has a noisy mass of 318.5."),
    ("unsupported-number", f"{A} has a noisy mass of 271.9."),
    ("unsupported-number", f"{A} (271.9) and {B} (318.4) are listed."),
    ("unsupported-number", f"{A} has a support of 2,000."),
    ("unsupported-number", f"{A} has a support of 12%."),
    ("unsupported-number", f"{A} has zero support."),
    ("unsupported-number", f"{A} has twice the support of {B}."),
    ("unsupported-number", f"{A} makes up half of the total."),
    ("unsupported-number", f"{A} has 3x the mass of {C}."),
    ("unsupported-number", f"Five themes are released. {A} is listed."),
    ("unsupported-number", f"Two themes have high support. {A} is listed."),
    ("unsupported-number", f"{A} holds dozens of entries."),
    ("frequency-reading", f"318 records mention {A}."),
    ("frequency-reading", f"15.9% of users speak of {A}."),
    ("frequency-reading", f"Many users complained about {A}."),
    ("frequency-reading", f"One in five customers met {A}."),
    ("frequency-reading", f"{A} was mentioned by a large group of customers."),
    ("frequency-reading", f"Customers in Texas report {A}."),
    ("frequency-reading", f"{A} is frequently mentioned."),
    ("frequency-reading", f"{A} is the most common theme."),
    ("unsupported-baseline", f"The public baseline is the same. {A} is listed."),
    ("unsupported-coverage", f"The dictionary covers 15.9%. {A} is listed."),
    (
        "unsupported-coverage",
        f"Text that belongs to none of the 4 themes [none] has a support of 15.9%. {A} is listed.",
    ),
    ("unsupported-comparison", f"{C} has higher support than {A}."),
    ("unsupported-comparison", f"{A} has less support than {C}."),
    ("unsupported-comparison", f"{B} outweighs {A}."),
    ("unsupported-comparison", f"{A} trails {B}."),
    ("unsupported-comparison", f"{A} is exceeded by {B}."),
    ("unsupported-comparison", f"{C} ranks above {B}."),
    ("unsupported-comparison", f"{C} is ahead of {B}."),
    ("unsupported-comparison", f"{A} lags behind {B}."),
    ("unsupported-comparison", f"{A} does not have higher support than {B}."),
    ("unsupported-comparison", f"{B} has higher support than {A} and {C}."),
    ("unsupported-comparison", f"{A} has higher support than rude staff."),
    ("unsupported-comparison", f"{B} has lower support."),
    ("unsupported-comparison", f"{A} and {B} have equal support."),
    ("unsupported-comparison", f"{A} has as much support as {B}."),
    ("unsupported-comparison", f"{A} and {B} cannot be told apart."),
    ("unsupported-comparison", f"{C}, followed by {B}."),
    ("unsupported-comparison", f"Compared with {A}, {C} has more support."),
    ("unsupported-superlative", f"{B} has the highest support."),
    ("unsupported-superlative", f"The top-ranked theme is {B}."),
    ("unsupported-superlative", f"{C} has the largest noisy mass."),
    ("unsupported-superlative", f"{B} leads the plan."),
    ("unsupported-superlative", f"{B} is ranked first."),
    ("unsupported-superlative", f"{B} has the lowest support."),
    ("unsupported-superlative", f"{B} is ranked third."),
    ("unsupported-superlative", f"{B} has rank 3."),
    ("unsupported-superlative", f"{A} ranks first, {C} second."),
    ("unsupported-superlative", f"The leading themes are {A} and {C}."),
    ("unsupported-superlative", f"The top two themes are {A} and {C}."),
    ("unsupported-superlative", f"{B} has higher support than all other themes."),
    ("unsupported-superlative", f"{C} is among the leading themes."),
    ("unsupported-superlative", f"{A} does not have the highest support."),
    ("importance-ordering", f"{A} is more important than {B}."),
    ("importance-ordering", f"{A} is the most important theme."),
    ("importance-ordering", f"{A} is a key theme."),
    ("importance-ordering", f"{A} is critical."),
    ("importance-ordering", f"{A} is the main priority."),
    ("importance-ordering", f"{A} matters most."),
    ("raw-record-pattern", f"{A} was reported by ann@example.org."),
    ("raw-record-pattern", f"{A}: call (555) 123-4567."),
    ("raw-record-pattern", f"{A} for 123-45-6789."),
    ("raw-record-pattern", f"{A} in case #48213."),
    ("raw-record-pattern", f"{A} on ticket TKT-4821."),
    ("raw-record-pattern", f"{A} with 4111111111111111."),
    ("raw-record-pattern", f"{A} at https://example.org/x."),
    ("raw-record-pattern", f"{A} on 2024-05-17."),
    ("raw-record-pattern", f"{A} on March 3."),
    ("raw-record-pattern", f"{A} on Friday."),
    ("raw-record-pattern", f"{A}: “we sat there for two hours straight”."),
    ("raw-record-pattern", f"{A} because of Dr. Miller."),
    ("raw-record-pattern", f"{A} with a waiter named John."),
    ("unsupported-completeness", f"{A} is listed. The listed themes give a full picture."),
    ("overclaimed-precision", f"{A} is listed. The values are true."),
    ("unsupported-public-claim", f"{A} is listed. The dictionary was built from the records."),
    ("unclear-reference", f"{A} is listed. The latter has high support."),
    ("wrong-parameter", f"{A} is listed. The protected unit is the user."),
    ("wrong-parameter", f"{A} is listed in a plan of the Gaussian mechanism."),
    ("unsupported-clearance", f"{A} does not stand clear of the noise."),
    ("unsupported-negation", f"{A} is not listed."),
    ("unsupported-quantifier", f"Only {A} is listed."),
    ("not-private", f"{A} is listed. The numbers are simulated."),
    ("unsupported-word", f"{A} is caused by {B}."),
    ("unsupported-word", f"{A} has increased."),
    ("unsupported-theme", f"{A} is listed. The music is too loud."),
    ("unsupported-theme", f"{A} is listed. Guests wait a long time."),
    ("no-theme", ""),
    ("no-theme", "   \n"),
    ("no-theme", "This is an aggregate summary of a differentially private plan."),
]
SLOPPY = "Many users complained that a specific waiter named John ignored them on Friday night."


@pytest.mark.parametrize("text", ACCEPTED)
def test_true_audit_text_is_accepted(text):
    assert verify(PAPER_PLAN, text, Mode.AUDIT, PAPER_UNIVERSE).violations == ()


@pytest.mark.parametrize(("rule", "text"), REJECTED)
def test_false_audit_text_is_rejected_under_its_rule(rule, text):
    verdict = verify(PAPER_PLAN, text, Mode.AUDIT, PAPER_UNIVERSE)
    assert not verdict.accepted
    assert rule in verdict.rules()


@pytest.mark.parametrize("text", [text for text in ACCEPTED if "seated [atom:17]" not in text])  # that needs its marker
def test_the_same_text_without_markers_is_accepted_for_display(text):
    plain = re.sub(r" \(?\[atom:\d+\]\)?", "", text)
    assert verify(PAPER_PLAN, plain, Mode.DISPLAY, PAPER_UNIVERSE).violations == ()


@pytest.mark.parametrize("text", ["long wait [atom:17] has high support.", "High support: long wait ([atom:17])"])
def test_display_text_shows_no_markers(text):
    assert verify(PAPER_PLAN, text, Mode.DISPLAY).rules() == ("marker-in-display",)


@pytest.mark.parametrize("mode", list(Mode))
def test_the_disallowed_sentence_of_the_paper_is_rejected_in_both_modes(mode):
    rules = verify(PAPER_PLAN, SLOPPY, mode).rules()
    assert {"frequency-reading", "raw-record-pattern", "unsupported-theme"} <= set(rules)


@pytest.mark.parametrize("mode", list(Mode))
def test_a_theme_named_beside_it_does_not_save_the_disallowed_sentence(mode):
    text = "Long wait [atom:17] has high support. " if mode is Mode.AUDIT else "Long wait has high support. "
    assert "unsupported-theme" in verify(PAPER_PLAN, text + SLOPPY, mode).rules()


def test_the_papers_number_example_on_its_one_entry_plan():
    plan = plan_of(PAPER_UNIVERSE, [318.4, 0.0, 0.0, 0.0], bins=PAPER_BINS)
    assert "unsupported-number" in verify(plan, "Exactly 612 records mention long wait [atom:17].", Mode.AUDIT).rules()
    assert verify(plan, "The noisy mass of long wait [atom:17] is 318.4.", Mode.AUDIT).accepted


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("unsupported-comparison", f"{A} has higher support than {B}."),
        ("unsupported-superlative", f"{A} has the highest support."),
        ("unsupported-superlative", f"{C} has the lowest support."),
    ],
)
def test_an_order_within_the_margin_is_not_certified(rule, text):
    verdict = verify(CLOSE_PLAN, text, Mode.AUDIT)
    assert verdict.rules() == (rule,)
    assert "margin" in verdict.violations[0].message


def test_what_is_within_the_margin_may_be_called_inseparable():
    assert verify(CLOSE_PLAN, f"{A} and {B} cannot be told apart.", Mode.AUDIT).accepted


def test_a_display_sentence_may_paraphrase_the_description_of_one_atom():
    assert verify(PAPER_PLAN, "Long wait is listed. Guests wait a long time to be served.", Mode.DISPLAY).accepted
    mixed = verify(PAPER_PLAN, "Long wait is listed. Guests are kind.", Mode.DISPLAY)
    assert mixed.rules() == ("unsupported-theme",)


def test_labels_outside_the_plan_are_known_as_labels_only_with_the_dictionary():
    text = f"{A} and parking problems are listed."
    assert verify(PAPER_PLAN, text, Mode.AUDIT).rules() == ("unsupported-word",)
    assert verify(PAPER_PLAN, text, Mode.AUDIT, PAPER_UNIVERSE).rules() == ("unsupported-label",)


def test_every_rule_has_a_rejected_example():
    assert {rule.name for rule in CHECKS} == {rule for rule, _ in REJECTED} | {"marker-in-display"}
