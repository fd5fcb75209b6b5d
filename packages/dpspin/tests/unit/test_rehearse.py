"""A rehearsal on auxiliary text: exact clipping, the public size, and releases as good as they are said to be."""

import pyarrow as pa
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.certify import even_share_bins
from dpspin.boundary.mechanisms import Gaussian, Laplace, PrivateTopL
from dpspin.boundary.privacy import Adjacency, MissingUsers, PrivacyLoss, RecordUnit, UserUnit
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import RequestError
from dpspin.public.preview.public_inputs import PublicInputs
from dpspin.public.preview.rehearsed import render_rehearsal
from dpspin.rehearse import rehearse
from factories import WeightsMap, universe_of

UNIVERSE = universe_of([Atom(id=10 + i, label=label) for i, label in enumerate("abcd")])
MAP = WeightsMap(4, lambda text: [float(letter == text) for letter in "abcd"] + [float(text not in "abcd")])


def request_for(unit, mechanism=Laplace(), loss=PrivacyLoss(1.0), size=3, denominator=1000):  # noqa: B008  frozen values
    return PublicInputs(
        unit=unit,
        adjacency=Adjacency.ADD_DROP,
        loss=loss,
        mechanism=mechanism,
        atoms=4,
        size=size,
        denominator=denominator,
        beta=0.05,
        bins=even_share_bins(4, unit.bound),
        besides=1,
    )


def rehearsed(texts, request, users=None, **more):
    columns = Columns("text", None if users is None else "user")
    table = pa.table({"text": texts} if users is None else {"text": texts, "user": users})
    corpus = open_corpus(table, columns, RowPolicy(missing_users=MissingUsers.DROP))
    return rehearse(corpus, MAP, UNIVERSE, request, **{"releases": 200, **more})


def test_shares_are_those_of_the_map_at_the_public_size():
    it = rehearsed(["a"] * 5 + ["b"] * 3 + ["x"] * 2, request_for(RecordUnit()))
    assert it.units == 10
    assert it.uncovered == pytest.approx(0.2)
    assert [(theme.label, round(theme.support, 6)) for theme in it.themes] == [
        ("a", 0.5),
        ("b", 0.3),
        ("c", 0),
        ("d", 0),
    ]
    assert [theme.atom_id for theme in it.themes] == [10, 11, 12, 13]


def test_large_themes_are_always_listed_and_absent_ones_hardly_ever():
    it = rehearsed(["a"] * 5 + ["b"] * 3 + ["x"] * 2, request_for(RecordUnit()), releases=1000)
    assert [theme.listed for theme in it.themes[:2]] == [1.0, 1.0]
    assert max(theme.listed for theme in it.themes[2:]) < 0.06
    assert it.overlap.mean == pytest.approx(2 / 3, abs=0.03)
    assert it.certified_pairs.low == 1
    assert it.orders_hold >= 0.95
    assert it.intervals_hold >= 0.93  # at least 0.95 is promised; one seed in 500 would fall below


def test_with_enough_privacy_loss_everything_is_found():
    it = rehearsed(["a", "b", "b", "c", "c", "c"], request_for(RecordUnit(), loss=PrivacyLoss(50.0)))
    assert it.overlap.mean == it.overlap.low == 1.0
    assert it.admitted.mean == 3
    assert it.certified_pairs.mean == 3


def test_clipping_takes_exactly_what_goes_beyond_the_bound():
    users = ["u"] * 4 + ["v"] + ["w"] * 3
    it = rehearsed(["a"] * 4 + ["b"] + ["x"] * 3, request_for(UserUnit(2.0)), users)
    assert it.units == 3
    assert {row.bound: round(row.lost, 6) for row in it.clipping} == {
        0.5: 1 - 1.5 / 8,
        1.0: 0.625,
        2.0: 1 - 5 / 8,
        3.0: 0.125,
        5.0: 0.0,
    }
    chosen = it.clipping[2]
    assert chosen.limit_of_kept == pytest.approx(chosen.admission_threshold.mass / (5 * 1000 / 3))


def test_the_requests_own_bound_is_in_the_table_even_where_nothing_is_lost():
    it = rehearsed(["a", "b"], request_for(UserUnit(7.0)), ["u", "v"])
    assert [row.bound for row in it.clipping] == [0.5, 1.0, 2.0, 3.0, 5.0, 7.0]
    assert "B = 1 would show the smallest themes; active users would weigh less" in words(it)


def test_a_larger_bound_is_named_where_it_shows_smaller_themes():
    it = rehearsed(["a"] * 40, request_for(UserUnit(0.25)), ["u"] * 40)
    assert "no other bound of the table" in words(it)  # every user is heavy: noise and mass grow alike
    assert it.clipping[0].bound == 0.25


def test_users_without_any_theme_count_and_records_without_a_user_do_not():
    silent = WeightsMap(4, lambda text: [float(letter == text) for letter in "abcd"] + [0.0])
    table = pa.table({"text": ["a", "x", "a"], "user": ["u", "v", None]})
    corpus = open_corpus(table, Columns("text", "user"), RowPolicy(missing_users=MissingUsers.DROP))
    it = rehearse(corpus, silent, UNIVERSE, request_for(UserUnit(1.0)), releases=10)
    assert it.units == 2
    assert it.themes[0].support == pytest.approx(0.5)


@pytest.mark.parametrize("mechanism", [Gaussian(), PrivateTopL()], ids=str)
def test_other_mechanisms_are_rehearsed_too(mechanism):
    it = rehearsed(["a"] * 5 + ["b"] * 4, request_for(RecordUnit(), mechanism, PrivacyLoss(2.0, 1e-6)), releases=20)
    assert it.themes[0].listed == 1.0
    assert it.clipping == ()
    assert "Bound B" not in render_rehearsal(it)


def test_the_same_seed_gives_the_same_rehearsal_and_another_one_does_not():
    texts, request = ["a"] * 5 + ["b"] * 4 + ["c"], request_for(RecordUnit(), loss=PrivacyLoss(0.05))
    assert rehearsed(texts, request) == rehearsed(texts, request)
    assert rehearsed(texts, request) != rehearsed(texts, request, seed=1)


def test_no_text_at_all_is_refused():
    with pytest.raises(RequestError, match="no auxiliary record"):
        rehearsed(pa.array([], pa.string()), request_for(RecordUnit()))


def test_a_denominator_beyond_any_sketch_is_refused():
    with pytest.raises(RequestError, match="too large"):
        rehearsed(["a"], request_for(RecordUnit(), denominator=2**40))


def test_the_terminal_text_fits_80_columns_and_says_what_it_is():
    it = rehearsed(["a"] * 5 + ["b"] * 3 + ["x"], request_for(UserUnit(1.0)), list("uuuvvwwwx"), learned_from_it=True)
    assert max(map(len, render_rehearsal(it).splitlines())) <= 80
    assert "Its themes are not those of the protected records" in words(it)
    assert "The map learned from the same text" in words(it)
    assert "Overlap@3" in words(it)


def words(rehearsal):
    return " ".join(render_rehearsal(rehearsal).split())
