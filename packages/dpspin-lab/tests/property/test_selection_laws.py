"""What leaving one unit out of the target does to the sample: the trap of exactly n."""

from hypothesis import given
from hypothesis import strategies as st

from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.split import selected

users = st.lists(st.sampled_from([f"user {place}" for place in range(12)]), min_size=2, max_size=40)


def target_of(names: list[str], ids: list[int]) -> Corpus:
    blank = ("",) * len(ids)
    identities = tuple(f"id {place}" for place in ids)
    return Corpus("made up", identities, identities, tuple(names), blank, blank, blank)


def chosen_users(target: Corpus, rows: tuple[int, ...]) -> set[str]:
    return {target.users[row] for row in rows}


def without(names: list[str], user: str) -> Corpus:
    kept = [place for place, name in enumerate(names) if name != user]
    return target_of([names[place] for place in kept], kept)


@given(names=users, seed=st.integers(0, 99), data=st.data())
def test_exactly_n_may_replace_the_unit_by_one_other_and_no_more(names, seed, data):
    gone = data.draw(st.sampled_from(names))
    n = data.draw(st.integers(1, len(set(names))))
    before, after = target_of(names, list(range(len(names)))), without(names, gone)
    sample, other = (
        chosen_users(one, selected(one, by_user=True, n=n, seed=seed, strict=False)) for one in (before, after)
    )
    assert sample - other <= {gone}
    assert len(other - sample) == (1 if gone in sample and n < len(set(names)) else 0)
