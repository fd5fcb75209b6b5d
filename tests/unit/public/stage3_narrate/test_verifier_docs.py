"""The documentation page of the rules is tested: same names, and every example gets the verdict printed there."""

import re
from pathlib import Path

import pytest

from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.verifier import CHECKS, verify
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE

PAGE = (Path(__file__).parents[4] / "docs" / "reference" / "verifier-rules.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def plan_for(rule):
    """Return the page's plan; the rule on coverage speaks of one that also measured what belongs to no theme."""
    return COVERED_PLAN if rule == "unsupported-coverage" else PAPER_PLAN


def example(rule, verdict):
    ((mode, text),) = re.findall(rf"^{verdict}(?: \((display)\))?: `` ?(.*?) ?``$", SECTIONS[rule], re.MULTILINE)
    return text, Mode(mode or "audit")


def test_the_page_lists_exactly_the_rules_of_the_verifier():
    assert list(SECTIONS) == [rule.name for rule in CHECKS]


@pytest.mark.parametrize("rule", SECTIONS)
def test_the_accepted_example_is_accepted(rule):
    text, mode = example(rule, "Accepted")
    assert verify(plan_for(rule), text, mode, PAPER_UNIVERSE).violations == ()


@pytest.mark.parametrize("rule", SECTIONS)
def test_the_rejected_example_breaks_its_rule(rule):
    text, mode = example(rule, "Rejected")
    assert rule in verify(plan_for(rule), text, mode, PAPER_UNIVERSE).rules()


@pytest.mark.parametrize("rule", SECTIONS)
def test_every_rule_says_how_to_mend(rule):
    assert re.search(r"^To mend it: .+\.$", SECTIONS[rule], re.MULTILINE)
