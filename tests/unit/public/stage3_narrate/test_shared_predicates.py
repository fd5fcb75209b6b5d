"""What is said of one theme and shared with the next: "so does B", "B too", lists in order, bins as headings."""

import pytest

from dpspin.lab.verifier.plans import benchmark_plans
from dpspin.public.stage3_narrate.verify.verifier import verify

HOSPITAL = "hospital-survey"
FALSE = [
    (HOSPITAL, "Long wait has high support. So does discharge papers."),
    (HOSPITAL, "Long wait has high support. Discharge papers does too."),
    (HOSPITAL, "Long wait has high support. Discharge papers also."),
    (HOSPITAL, "Long wait is high, kind nurses too."),
    (HOSPITAL, "Long wait has high support, together with discharge papers."),
    (HOSPITAL, "Discharge papers has low support. It is joined by noise at night."),
    (HOSPITAL, "Long wait is high, unlike clear explanations."),
    (HOSPITAL, "In descending order of support:\n- Long wait\n- Clear explanations\n- Wait for test results"),
    (HOSPITAL, "Next come kind nurses, noise at night and pain control, in that order."),
    (HOSPITAL, "Support falls from long wait to kind nurses to clear explanations."),
    (HOSPITAL, "Kind nurses lies between long wait and clear explanations."),
    (HOSPITAL, "Long wait is higher than kind nurses, and kind nurses than clear explanations."),
    (HOSPITAL, "Kind nurses stands above all except long wait."),
    (HOSPITAL, "| High | Moderate | Low |\n|---|---|---|\n| Long wait | Kind nurses | Noise at night |"),
    (HOSPITAL, "Pain is not treated quickly."),
    ("support-tickets", "Together, refund not received and damaged item have less support than late delivery."),
    ("support-tickets", "Late delivery exceeds refund not received by 518.8."),
    ("assistant-chats", "Only C++ / C# lies above its public baseline."),
    ("city-services", "Waste is picked up on the day."),
]
TRUE = [
    (HOSPITAL, "Long wait has high support. So does clear explanations."),
    (HOSPITAL, "Kind nurses has moderate support. Pain control does too."),
    (HOSPITAL, "In descending order of support:\n- Long wait\n- Wait for test results\n- Kind nurses"),
    (HOSPITAL, "| High | Moderate | Low |\n|---|---|---|\n| Long wait | Kind nurses | Discharge papers |"),
]


def accepted(name, text):
    plan, universe = benchmark_plans()[name]
    return verify(plan, text, "display", universe).accepted


@pytest.mark.parametrize(("name", "text"), FALSE)
def test_a_false_sharing_is_refused(name, text):
    assert not accepted(name, text)


@pytest.mark.parametrize(("name", "text"), TRUE)
def test_a_true_sharing_is_accepted(name, text):
    assert accepted(name, text)
