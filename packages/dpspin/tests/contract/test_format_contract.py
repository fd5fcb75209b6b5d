"""What every registered format promises: the same records in the same words, and refusals by code that quote nobody.

A format needs nothing of its own here: it is registered in ``find_files.FORMATS`` and writes its own files.
"""

import gzip
import hashlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpspin.boundary.accounting import Window
from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.check.peek import seen_file
from dpspin.curator.records.columns import COLUMN_KINDS, BadRows, Columns, Dated, RowPolicy, facet_column
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.dialect import FROM_THE_HEADER, Dialect
from dpspin.curator.records.find_files import FORMATS, SUPPORTED, data_file, require_used
from dpspin.errors import InputError, RequestError

NAMES = ("body", "who", "when")
CANARY = "zebrafinch"  # stands in every record, and in no message
ROWS = [
    (f"{CANARY} late parcel", "ann", "May"),
    (f'{CANARY} said "no", twice; why | not', "bob", "June"),
    (f"{CANARY} ä€🙂", "ann", "May"),
    (f"17 {CANARY}", "17", "May"),
    (f"{CANARY} json:[1]", "json:[1]", ""),
]
COLUMNS = Columns("body", "who")
LENIENT = RowPolicy(missing_users=MissingUsers.OWN_UNIT)
words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12)
cells = st.tuples(words, words, words)

each_format = pytest.mark.parametrize("written", FORMATS, ids=str)


def file_of(folder, written, rows, names=NAMES, suffix=None):
    path = folder / f"records{suffix or written.suffixes[0]}"
    written.write(path, [names, *rows])
    return path


def read(path, columns=COLUMNS, policy=LENIENT):
    """Return what is read, twice the same: texts first, and whatever else is named."""
    corpus = open_corpus(path, columns, policy)
    first, again = (
        [row for batch in corpus.batches() for row in zip(*batch.to_pydict().values(), strict=True)] for _ in range(2)
    )
    assert first == again
    return first


def refusal(path, columns=COLUMNS, policy=LENIENT):
    with pytest.raises(InputError) as refused:
        read(path, columns, policy)
    told = "".join(map(str, (refused.value, refused.value.__cause__, refused.value.__context__)))
    assert CANARY not in told
    return refused.value.code


@each_format
def test_the_same_records_are_the_same_in_every_format(tmp_path, written):
    expected = [(text, f"sha256:{_hash(user)}" if user.startswith("json:") else user) for text, user, _ in ROWS]
    assert read(file_of(tmp_path, written, ROWS)) == expected


def _hash(user):
    return hashlib.sha256(user.encode()).hexdigest()


@each_format
def test_every_kind_of_column_is_read(tmp_path, written):
    may = Columns("body", "who", window=Window("when", "May"))
    assert [user for _, user in read(file_of(tmp_path, written, ROWS), may)] == ["ann", "ann", "17"]
    labelled = Columns("body", label="when", teacher="dpspin_teacher")
    assert [row[1:] for row in read(file_of(tmp_path, written, ROWS), labelled)][:2] == [("May", None), ("June", None)]
    alone = {
        kind: Columns("body", **{kind: "when"}) for kind in COLUMN_KINDS.keys() - {"text", "window", "facet", "dated"}
    }
    for kind, columns in {**alone, facet_column("when"): Columns("body", facets=("when",))}.items():
        batches = open_corpus(tmp_path / f"records{written.suffixes[0]}", columns, LENIENT)
        assert [cell for batch in batches.batches() for cell in batch.column(kind).to_pylist()][:2] == ["May", "June"]


@each_format
def test_records_of_a_period_are_found_by_their_own_dates(tmp_path, written):
    days = ("2026-05-01", "2026-05-31T23:30:00-02:00", "2026-06-30", "May", "2025-05-05")
    rows = [("late", f"user {place}", day) for place, day in enumerate(days)]
    year = PeriodFacet(column="when", every="month", first="2026-01", last="2026-12")
    for month, users in (("2026-05", ["user 0"]), ("2026-06", ["user 1", "user 2"]), ("2026-07", [])):
        of_it = Columns("body", "who", dated=Dated(year, frozenset([month])))
        assert [user for _, user in read(file_of(tmp_path, written, rows), of_it)] == users


@each_format
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
@given(rows=st.lists(cells, min_size=1, max_size=5), row=cells, place=st.integers(0, 5))
def test_one_row_more_is_one_row_more(tmp_path_factory, written, rows, row, place):
    folder = tmp_path_factory.getbasetemp()
    more = [*rows[:place], row, *rows[place:]]
    before, after = (read(file_of(folder, written, some)) for some in (rows, more))
    place = min(place, len(rows))
    assert after[:place] + after[place + 1 :] == before


@each_format
def test_every_suffix_is_known_and_so_is_a_compressed_file(tmp_path, written):
    expected = read(file_of(tmp_path, written, ROWS))
    for suffix in written.suffixes:
        path = file_of(tmp_path, written, ROWS, suffix=suffix.upper())
        packed = path.with_name(path.name + ".gz")
        packed.write_bytes(gzip.compress(path.read_bytes()))
        assert read(path) == read(packed) == expected
    assert written.words in SUPPORTED


@each_format
def test_columns_that_are_missing_or_there_twice_are_refused_by_code(tmp_path, written):
    path = file_of(tmp_path, written, ROWS)
    assert refusal(path, Columns("nobody")) == "source.no-such-column"
    assert refusal(path, Columns("body", "whom")) == "source.no-such-column"
    assert refusal(path, Columns("Body ")) == "source.no-such-column"
    if not written.names_apart:  # there names stand in a row, and nothing keeps one from standing there twice
        twice = file_of(tmp_path, written, ROWS, names=("body", "who", "who"))
        assert refusal(twice) == "source.column-twice"


@each_format
def test_an_empty_file_is_refused(tmp_path, written):
    path = tmp_path / f"records{written.suffixes[0]}"
    path.write_bytes(b"")
    assert refusal(path) in {"source.empty", "source.unreadable"}


@each_format
@pytest.mark.parametrize("other", FORMATS, ids=str)
def test_a_file_under_the_suffix_of_another_format_is_refused_by_code_or_read_alike(tmp_path, written, other):
    """Tabs may stand in a .csv file: what can pass for another format has the same records there."""
    path = file_of(tmp_path, written, ROWS, suffix=other.suffixes[0])
    try:
        found = read(path)
    except InputError:
        stable = {"source.wrong-suffix", "source.unreadable", "source.no-such-column", "source.empty"}
        assert refusal(path) in stable
    else:
        assert found == read(file_of(tmp_path, written, ROWS))


@each_format
def test_a_file_that_is_cut_short_quotes_no_record(tmp_path, written):
    whole = file_of(tmp_path, written, ROWS).read_bytes()
    refused = 0
    for kept in range(0, len(whole), max(1, len(whole) // 20)):
        path = tmp_path / f"cut{written.suffixes[0]}"
        path.write_bytes(whole[:kept])
        try:
            found = read(path)
        except InputError:
            refusal(path)
            refused += 1
        else:
            assert len(found) <= len(ROWS)
    assert refused


@each_format
def test_a_row_without_text_is_nobody_elses_business_and_refused_where_rows_are_strict(tmp_path, written):
    unreadable = None if written.names_apart else b"\xff" if "encoding" in written.told_by else 17
    path = file_of(tmp_path, written, [(unreadable, "carl", "May"), *ROWS])
    first, *rest = read(path)
    assert first == (None, "carl")
    assert refusal(path, policy=RowPolicy(BadRows.REFUSE, MissingUsers.OWN_UNIT)) == "records-refused.bad-row"
    assert rest == read(file_of(tmp_path, written, ROWS))


@each_format
def test_what_is_declared_of_another_format_is_refused(tmp_path, written):
    file = data_file(file_of(tmp_path, written, ROWS))
    parts = {"encoding": "utf-8", "delimiter": ",", "sheet": "Records"}
    for part, value in parts.items():
        if part in written.told_by:
            require_used(Dialect(**{part: value}), [file])
        else:
            with pytest.raises(RequestError) as refused:
                require_used(Dialect(**{part: value}), [file])
            assert (refused.value.code, refused.value.field) == ("request.misplaced", f"records.dialect.{part}")


@each_format
def test_a_person_can_look_at_the_first_rows(tmp_path, written):
    seen = seen_file(data_file(file_of(tmp_path, written, ROWS * 100)), FROM_THE_HEADER)
    assert [column.name for column in seen.columns] == list(NAMES)
    assert seen.columns[2].kind == "single words or codes"


def test_formats_are_told_apart_by_name_and_suffix():
    suffixes = [suffix for each in FORMATS for suffix in each.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert len({each.name for each in FORMATS}) == len(FORMATS)
