"""The written cases of the verifier's benchmark: that they can be read, and that bad ones are refused."""

from collections import Counter

import pytest

from dpspin.errors import InputError
from dpspin_lab.verifier.benchmark import KINDS, CaseSet, benchmark_plans, parsed_cases, written_cases

GOOD = "{id: a, plan: restaurants, mode: display, verdict: reject, kind: cause, text: x}"


def test_ids_are_unique_over_all_files():
    ids = Counter(case.id for case_set in CaseSet for case in written_cases(case_set))
    assert [name for name, times in ids.items() if times > 1] == []


def test_the_held_back_texts_are_not_among_the_development_texts():
    development, held_back = ({case.text for case in written_cases(case_set)} for case_set in CaseSet)
    assert not development & held_back


def test_the_development_set_covers_every_plan_every_kind_and_both_modes():
    cases = written_cases(CaseSet.DEVELOPMENT)
    assert len(cases) > 2000
    assert {case.plan for case in cases} == set(benchmark_plans())
    kinds = Counter(case.kind for case in cases)
    assert min(kinds[kind] for kind in KINDS) >= 20
    assert {(case.mode.value, case.is_true) for case in cases} == {
        (mode, true) for mode in ("audit", "display") for true in (True, False)
    }


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        ("restaurants", "moon", "no plan moon"),
        ("cause", "casue", "no kind casue"),
        ("reject", "accept", "exactly the true texts"),
        ("display", "loud", "mode"),
        ("text: x", "text: ''", "text"),
        ("id: a", "id: a, colour: red", "colour"),
    ],
)
def test_a_malformed_case_is_named(good, bad, said):
    assert parsed_cases(f"[{GOOD}]", "one.yaml")[0].kind == "cause"
    with pytest.raises(InputError, match=said):
        parsed_cases(f"[{GOOD.replace(good, bad)}]", "one.yaml")


def test_an_empty_file_has_no_cases():
    assert parsed_cases("# remarks only\n", "one.yaml") == ()
