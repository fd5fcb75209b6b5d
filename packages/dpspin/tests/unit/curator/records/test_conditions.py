"""Conditions on a row's own cells, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.curator.records.conditions import Condition, Conditions, Literal, conditions_in
from dpspin.errors import RequestError

names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=8)
literals = st.one_of(
    st.builds(Literal, names, is_number=st.just(False)),
    st.integers(-(10**12), 10**12).map(lambda number: Literal(str(number), is_number=True)),
)
comparisons = st.builds(
    Condition, names, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), literals.map(lambda each: (each,))
)
members = st.builds(Condition, names, st.just("in"), st.lists(literals, min_size=1, max_size=3).map(tuple))
nulls = st.builds(Condition, names, st.sampled_from(["is null", "is not null"]))


@given(st.lists(st.one_of(comparisons, members, nulls), min_size=1, max_size=4))
def test_what_is_written_is_read_again(asked):
    written = str(Conditions(asked))
    again = conditions_in(written)
    assert set(again) == set(asked)
    assert str(again) == written


def test_one_meaning_has_one_text():
    one = conditions_in("year>=2025 AND Status<>'open'")
    assert str(one) == str(conditions_in("  Status != 'open' and year >= 2025 and year >= 2025 "))
    assert [each.literals[0].value for each in one] == [2025, "open"]
    assert conditions_in("") == conditions_in("  ") == ()
    assert conditions_in("a = -1.5")[0].literals[0].value == -1.5


@pytest.mark.parametrize(
    "told",
    [
        *("a", "a =", "= 1", "a = b", "a == 1", "a = 1 or b = 2", "a = 1 and", "a = 1 b = 2", "not a = 1", "a = 1;"),
        *(
            "a like 'x'",
            "a in ()",
            "a in (1",
            "a in 1",
            "a in (1,)",
            "a is 1",
            "a is not 1",
            "a not in (1)",
            "a = null",
        ),
        *("a = 'x", 'a" = 1', "a = 1 -- x", "a = 1 /* x */", "lower(a) = 'x'", "a = (select 1)", "a in (select b)"),
        *("exists (select 1)", "a = $1", "a = :x", "a = 1x", "a = true", "a = 1e5", "(a = 1)", "1 = 1", "a.b = 1"),
    ],
)
def test_everything_else_is_refused_and_not_repeated(told):
    with pytest.raises(RequestError) as refused:
        conditions_in(f"zebra = 'finch' and {told}")
    assert "zebra" not in str(refused.value)
    assert refused.value.code == "request.condition"
