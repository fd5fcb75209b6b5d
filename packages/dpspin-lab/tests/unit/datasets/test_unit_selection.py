import pytest

from dpspin.errors import RequestError
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.split import selected

USERS = 100
RECORDS = 300


def target_of(users: list[str] | None) -> Corpus:
    ids = tuple(f"id {place}" for place in range(RECORDS))
    blank = ("",) * RECORDS
    return Corpus("made up", ids, ids, None if users is None else tuple(users), blank, blank, blank)


PEOPLE = target_of([f"user {place % USERS}" for place in range(RECORDS)])


def rows(*, n: int = 40, seed: int = 1, by_user: bool = False, strict: bool = True) -> tuple[int, ...]:
    return selected(PEOPLE, by_user=by_user, n=n, seed=seed, strict=strict)


def test_exactly_n_records_in_the_order_of_the_target():
    assert len(rows()) == len(set(rows())) == 40
    assert rows() == tuple(sorted(rows()))


def test_all_records_of_exactly_n_users():
    chosen = rows(by_user=True)
    users = {PEOPLE.users[row] for row in chosen}
    assert len(users) == 40
    assert chosen == tuple(row for row, user in enumerate(PEOPLE.users) if user in users)


def test_the_seed_chooses_and_repeats():
    assert rows() == rows()
    assert rows() != rows(seed=2)


def test_smaller_samples_are_inside_larger_ones():
    assert set(rows(n=40)) < set(rows(n=41))


def test_records_of_nobody_are_no_user():
    target = target_of(["", *(f"user {place}" for place in range(RECORDS - 1))])
    assert 0 not in selected(target, by_user=True, n=RECORDS, seed=1, strict=False)


@pytest.mark.parametrize(("by_user", "available"), [(False, RECORDS), (True, USERS)])
def test_strict_sample_size_stops_instead_of_running_smaller(by_user, available):
    assert len(rows(n=available, by_user=by_user)) == RECORDS
    with pytest.raises(RequestError, match="strict_sample_size: false takes all"):
        rows(n=available + 1, by_user=by_user)
    assert len(rows(n=available + 1, by_user=by_user, strict=False)) == RECORDS


def test_no_units_are_no_run():
    with pytest.raises(RequestError, match="0 records were asked"):
        rows(n=0, strict=False)
