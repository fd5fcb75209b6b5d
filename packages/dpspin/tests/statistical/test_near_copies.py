"""Near-copies are recognised in every trial, and collections of the same shape that share nobody in none.

A comparison is 5 standard deviations away from a false alarm even for the worst source of texts that there is, so a
thousand of them raise one with a probability below 3 in 10,000. Seeds are fixed.
"""

import dataclasses
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pa_parquet
import pytest

from dpspin.curator.aggregate import likeness
from dpspin.curator.aggregate.likeness import BY_CHANCE, Sample, Shared, likeness_of
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.demo.chance import chance_of, shuffled
from dpspin.demo.synthetic import generate_tickets

KEY = b"of a ledger".ljust(32)
ROWS = 400
TRIALS = 1000


def known_by(data, *, users, key=KEY):
    return likeness_of(open_corpus(data, Columns("text", "user_id" if users else None)).batches(), key)


def tickets(seed, rows=ROWS):
    """Tickets of the same templates; every seed has users of its own."""
    table = generate_tickets(rows, seed).records
    own = pa.array([f"{seed}-{user}" for user in table.column("user_id").to_pylist()])
    return table.set_column(table.column_names.index("user_id"), "user_id", own)


def with_changed(table, share, seed):
    """Exchange a share of the rows for others, by other users; at least one."""
    others = max(1, round(share * table.num_rows))
    return pa.concat_tables([table.slice(others), tickets(seed, others)])


ORIGINAL = tickets(0)


@pytest.mark.slow
@pytest.mark.statistical
def test_disjoint_collections_of_the_same_shape_are_never_taken_for_one():
    collections = [tickets(seed) for seed in range(TRIALS + 1)]
    by_users = [known_by(each, users=True) for each in collections]
    by_records = [dataclasses.replace(each, users=Sample(2**64 - 1, np.empty(0, np.uint64))) for each in by_users]
    for known in (by_users, by_records):
        assert [known[0].shared_with(other) for other in known[1:]] == [None] * TRIALS
        assert [one.shared_with(other) for one, other in pairwise(known)] == [None] * TRIALS


@pytest.mark.parametrize("more", [0, 1, 20])
def test_a_collection_of_which_every_row_is_written_twice_is_known_again(more):
    twice = pa.concat_tables([ORIGINAL, ORIGINAL, *([tickets(9, more)] if more else [])])
    assert known_by(twice, users=False).shared_with(known_by(ORIGINAL, users=False)) is Shared.RECORDS


@pytest.mark.parametrize("users", [False, True], ids=["records", "users"])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5], ids=["one row", "a tenth", "half"])
def test_a_collection_with_changed_rows_is_recognised(share, users):
    original = known_by(ORIGINAL, users=users)
    found = [original.shared_with(known_by(with_changed(ORIGINAL, share, seed), users=users)) for seed in range(1, 31)]
    assert found == [Shared.USERS if users else Shared.RECORDS] * 30


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_a_large_collection_with_changed_rows_is_recognised_from_a_sample(share):
    """At 0.5 a sample of 2,048 is 7 standard deviations above the rule."""
    rows = 8000
    texts = np.array([f"letter {number}" for number in range(2 * rows)])
    kept = round((1 - share) * rows)
    original = table_of(texts[:rows])
    changed = table_of(np.concatenate([texts[:kept], texts[rows : 2 * rows - kept]]))
    for trial in range(30):  # of keys: each chooses another sample
        key = bytes([trial]) * 32
        one, other = known_by(original, users=False, key=key), known_by(changed, users=False, key=key)
        assert one.shared_with(other) is Shared.RECORDS


def table_of(texts):
    return pa.table({"text": pa.array(texts.tolist(), pa.large_string())})


def test_the_same_users_are_recognised_though_every_row_is_another():
    for seed in range(1, 21):
        other = tickets(seed)
        theirs = [f"0-u{number:06d}" for number in range(1, ROWS + 1)]
        moved = other.set_column(1, "user_id", pa.array([theirs[n % (ROWS // 2)] for n in range(ROWS)]))
        assert known_by(ORIGINAL, users=True).shared_with(known_by(moved, users=True)) is Shared.USERS


@pytest.mark.parametrize("users", [False, True], ids=["records", "users"])
def test_format_order_other_columns_and_spaces_do_not_matter(tmp_path, users):
    order = shuffled(list(range(ROWS)), chance_of(7))
    spaced = pa.array([f"  {text.replace(' ', '   ')}\t" for text in ORIGINAL.column("text").to_pylist()])
    pa_csv.write_csv(ORIGINAL, tmp_path / "a.csv")
    pa_parquet.write_table(ORIGINAL.take(order).select(["user_id", "text"]), tmp_path / "b.parquet")
    pa_parquet.write_table(ORIGINAL.set_column(4, "text", spaced), tmp_path / "c.parquet")
    known = [known_by(tmp_path / name, users=users).to_bytes() for name in ("a.csv", "b.parquet", "c.parquet")]
    assert len({known_by(ORIGINAL, users=users).to_bytes(), *known}) == 1


def test_a_small_part_of_a_large_collection_is_recognised_down_to_some_size():
    whole = table_of(np.array([f"letter {number}" for number in range(20_000)]))
    known = known_by(whole, users=False)
    assert known.shared_with(known_by(whole.slice(0, 1000), users=False)) is Shared.RECORDS
    assert known.shared_with(known_by(whole.slice(0, 40), users=False)) is None  # said in SECURITY.md


def worst_source(seed, size=1000):
    """Draw so that each text is expected once: then 1/e of those that stand once are in another such collection."""
    chance = chance_of(seed)
    drawn = [f"form letter {int(size * chance.random())}" for _ in range(size)]
    return known_by(table_of(np.array(drawn)), users=False)


def test_even_the_source_that_repeats_itself_most_raises_no_alarm_and_comes_near_its_bound():
    drawn = [worst_source(seed) for seed in range(300)]
    assert not any(one.shared_with(other) for one, other in pairwise(drawn))
    shares = [
        len(np.intersect1d(one.texts.hashes, other.texts.hashes)) / min(len(one.texts.hashes), len(other.texts.hashes))
        for one, other in pairwise(drawn)
    ]
    assert np.mean(shares) == pytest.approx(BY_CHANCE, abs=0.02)


def test_without_the_rule_that_a_text_stands_once_the_same_source_would_raise_alarms(monkeypatch):
    """Power: the rule is what keeps short and common texts from being taken for the same records."""
    monkeypatch.setattr(likeness._Smallest, "that_stand_equally_often", likeness._Smallest.all)
    assert worst_source(1).shared_with(worst_source(2)) is Shared.RECORDS


def test_short_common_texts_alone_are_nobodys():
    thanks = table_of(np.array(["thanks!"] * 200 + ["ok"] * 100 + ["great product"] * 50))
    assert known_by(thanks, users=False).shared_with(known_by(thanks, users=False)) is None
