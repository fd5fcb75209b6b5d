"""What is counted, how it is printed, and floors under the figures."""

import pytest

from dpspin_lab.verifier.benchmark import KINDS, Case, CaseSet
from dpspin_lab.verifier.measure import (
    Outcome,
    Tally,
    judged,
    may_be_read,
    measured,
    measured_lines,
    miss_lines,
    outcomes_of,
)

MUST_SAY = "The map is untested, so nobody knows how well it sorts these records."
TRUE, FALSE = (f"{said} {MUST_SAY}" for said in ("“Price” is listed.", "The interval of “price” reaches down to zero."))


def case(kind="true", text=TRUE, number=1):
    verdict = "accept" if kind == "true" else "reject"
    return Case(id=f"case-{number}", plan="restaurants", mode="display", verdict=verdict, kind=kind, text=text)


def outcome(kind, accepted, milliseconds=2.0):
    return Outcome(case(kind), accepted, () if accepted else ("wrong-bin",), milliseconds)


def test_answers_are_compared_with_the_verdict():
    right, wrong = judged([case(), case("negation", FALSE)])
    assert (right.accepted, right.is_right, right.rules) == (True, True, ())
    assert (wrong.accepted, wrong.is_right, wrong.rules) == (False, True, ("unsupported-clearance",))
    assert right.milliseconds >= 0


def test_true_and_false_texts_are_tallied_apart_and_by_kind():
    found = measured(
        "some", [outcome("true", True), outcome("true", False), outcome("cause", False), outcome("trend", True)]
    )
    assert (found.accepted, found.caught) == (Tally(1, 2), Tally(1, 2))
    assert (found.by_kind["cause"], found.by_kind["trend"]) == (Tally(1, 1), Tally(0, 1))
    assert found.by_kind["place"] == Tally(0, 0)


@pytest.mark.parametrize(("milliseconds", "worst"), [((), 0.0), ((3.0,), 3.0), ((1.0, 5.0, 3.0), 5.0)])
def test_times_of_few_texts(milliseconds, worst):
    times = measured("some", [outcome("true", True, each) for each in milliseconds]).times
    assert times.worst == worst
    assert times.median <= worst


def test_the_table_has_one_row_per_kind_and_one_column_per_set():
    lines = list(measured_lines([measured("some", [outcome("cause", False)]), measured("none", [])]))
    assert len({line.count("|") for line in lines}) == 1
    assert [line.split(" | ")[0] for line in lines[4:-2]] == [f"| {kind}" for kind in KINDS]
    assert "| cause | 100.0 % (1/1) | – |" in lines


def test_misses_show_the_text_and_what_went_wrong():
    lines = list(miss_lines([outcome("true", False), outcome("cause", True), outcome("place", False)]))
    assert lines[0].endswith("refused by wrong-bin")
    assert "accepted, though cause" in lines[4]
    assert lines.count(TRUE) == 2


def test_the_command_prints_only_totals_of_the_held_back_set(dpspin):
    ran = dpspin("lab", "verifier", "--set", "held-back", "--misses")
    assert not may_be_read(CaseSet.HELD_BACK)
    assert all(line.startswith("| ") for line in ran.out.strip().splitlines())


@pytest.mark.long
def test_no_false_text_of_the_development_set_is_accepted():
    found = measured("development", outcomes_of(CaseSet.DEVELOPMENT))
    assert found.caught.recall == 1.0
    assert found.times.median < 20
