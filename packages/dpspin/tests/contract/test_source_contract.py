"""What every place promises: the same records in the same words, the same sketch, and refusals that quote nobody."""

import hashlib

import pytest

from dpspin.boundary.accounting import Window
from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.check.peek import seen_file
from dpspin.curator.records.columns import BadRows, Columns, Dated, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.dialect import FROM_THE_HEADER, Dialect
from dpspin.curator.records.find_files import locate
from dpspin.errors import InputError
from source_tables import DATABASES, FILE_LIKE, FILES, TABLES
from spark_corpora import UNITS, Case, numbers_of, source_of

NAMES = ("body", "who", "when")
CANARY = "zebrafinch"
ROWS = [
    (f"{CANARY} late parcel", "ann", "May"),
    (f'{CANARY} said "no", twice; why | not', "bob", "June"),
    (f"{CANARY} ä€🙂 100 %s", "ann", "May"),
    (f"17 {CANARY}", "17", "May"),
    (f"{CANARY} json:[1]", "json:[1]", ""),
    (f"{CANARY} nobody", None, None),
    (None, "carl", "May"),
]
COLUMNS = Columns("body", "who")
LENIENT = RowPolicy(missing_users=MissingUsers.OWN_UNIT)
SEEDS = (*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 40)))

each_table = pytest.mark.parametrize("kind", TABLES)
each_database = pytest.mark.parametrize("kind", DATABASES)


@pytest.fixture(autouse=True)
def _servers(every_place):
    pass


def read(source, columns=COLUMNS, policy=LENIENT):
    """Return what is read, twice the same."""
    corpus = open_corpus(source, columns, policy)
    first, again = (
        [row for batch in corpus.batches() for row in zip(*batch.to_pydict().values(), strict=True)] for _ in range(2)
    )
    assert first == again
    return first


def refusal(source, columns=COLUMNS, policy=LENIENT):
    with pytest.raises(InputError) as refused:
        read(source, columns, policy)
    told = "".join(map(str, (refused.value, refused.value.__cause__, refused.value.__context__)))
    assert CANARY not in told
    return refused.value.code


@each_table
def test_the_same_records_are_the_same_everywhere(tmp_path, kind):
    hashed = f"sha256:{hashlib.sha256(b'json:[1]').hexdigest()}"
    expected = [(text, hashed if user == "json:[1]" else user) for text, user, _ in ROWS]
    assert read(TABLES[kind](tmp_path, NAMES, ROWS)) == expected == read(FILES["parquet"](tmp_path, NAMES, ROWS))


@each_table
@pytest.mark.parametrize("seed", SEEDS)
def test_the_sketch_is_the_same_bit_for_bit(tmp_path, kind, seed):
    case = Case(seed)
    names, rows = case.table().column_names, [tuple(row.values()) for row in case.table().to_pylist()]
    asked = case.fields()
    here = source_of(FILES["parquet"](tmp_path, names, rows), asked)
    there = source_of(TABLES[kind](tmp_path, names, rows), asked)
    assert numbers_of(there.measure()) == numbers_of(here.measure())
    key = bytes(range(32))
    assert there.likeness(key).to_bytes() == here.likeness(key).to_bytes()


@each_table
def test_the_sketch_is_that_of_a_csv_file(tmp_path, kind):
    rows = [[cell or "" for cell in row] for row in ROWS]
    asked = {**UNITS["user"], "unit": {"kind": "user", "missing": "own_unit", "bound": 1}}
    written = (FILES["csv"], FILES["parquet"], TABLES[kind])
    one, two, three = (numbers_of(source_of(write(tmp_path, NAMES, rows), asked).measure()) for write in written)
    assert one == two == three


@each_table
def test_every_kind_of_column_is_read(tmp_path, kind):
    source = TABLES[kind](tmp_path, NAMES, ROWS)
    may = Columns("body", "who", window=Window("when", "May"))
    assert [user for _, user in read(source, may)] == ["ann", "ann", "17", "carl"]
    labelled = Columns("body", label="when", teacher="dpspin_teacher")
    assert [row[1:] for row in read(source, labelled)][:2] == [("May", None), ("June", None)]
    year = PeriodFacet(column="when", every="month", first="2026-01", last="2026-12")
    dated = TABLES[kind](tmp_path, NAMES, [("late", "ann", "2026-05-31"), ("late", "bob", "2026-06-01")])
    june = Columns("body", "who", dated=Dated(year, frozenset(["2026-06"])))
    assert read(dated, june) == [("late", "bob")]


@each_table
def test_one_row_more_is_one_row_more_and_another_content(tmp_path, kind):
    before, after = (TABLES[kind](tmp_path, NAMES, rows) for rows in (ROWS[:-1], ROWS))
    assert read(after)[:-1] == read(before)
    contents = {open_corpus(source, COLUMNS, LENIENT).content_digest() for source in (before, after)}
    assert len(contents) == 2


@each_table
def test_content_is_known_again_in_any_order_and_any_table(tmp_path, kind):
    if kind in FILE_LIKE:
        pytest.skip("files are known by their bytes")
    sources = [
        TABLES[each](tmp_path, NAMES, rows) for each, rows in ((kind, ROWS), (kind, ROWS[::-1]), ("sqlite", ROWS))
    ]
    assert len({open_corpus(source, COLUMNS, LENIENT).content_digest() for source in sources}) == 1
    assert len({open_corpus(sources[0], Columns(name), LENIENT).content_digest() for name in NAMES}) == 3


@each_table
def test_columns_that_are_missing_are_refused_by_code(tmp_path, kind):
    source = TABLES[kind](tmp_path, NAMES, ROWS)
    for columns in (Columns("nobody"), Columns("body", "whom"), Columns("Body"), Columns("body", "rowid")):
        assert refusal(source, columns) == "source.no-such-column"


@each_table
def test_odd_names_are_names(tmp_path, kind):
    names = ('bo"dy', "who%s;--", "when ' %d")
    assert read(TABLES[kind](tmp_path, names, ROWS), Columns(names[0], names[1]))[0] == (ROWS[0][0], "ann")


@each_table
def test_rows_without_text_are_refused_where_rows_are_strict(tmp_path, kind):
    source = TABLES[kind](tmp_path, NAMES, ROWS)
    assert refusal(source, policy=RowPolicy(BadRows.REFUSE, MissingUsers.OWN_UNIT)) == "records-refused.bad-row"
    assert refusal(source, policy=RowPolicy()) == "records-refused.no-user"


@each_table
def test_a_dialect_is_refused(tmp_path, kind):
    with pytest.raises(InputError, match="delimiter"):
        open_corpus(TABLES[kind](tmp_path, NAMES, ROWS), COLUMNS, LENIENT, Dialect(delimiter=";"))


@each_table
def test_a_person_can_look_at_the_first_rows(tmp_path, kind):
    (table,) = locate(TABLES[kind](tmp_path, NAMES, ROWS * 100))
    seen = seen_file(table, FROM_THE_HEADER)
    assert [column.name for column in seen.columns] == list(NAMES)
    assert seen.columns[2].kind == "single words or codes"


@each_table
def test_a_table_of_nobody_is_a_table(tmp_path, kind):
    assert read(TABLES[kind](tmp_path, NAMES, [])) == []


CONDITIONS = {
    "when = 'May'": ["ann", "ann", "17", "carl"],
    "when != 'May' and who is not null": ["bob", "json:[1]"],
    "when < 'June' and when > ''": [],
    "who in ('bob', '17')": ["bob", "17"],
    '"who" is null': [None],
    "body is null and who = 'carl'": ["carl"],
    "who = 'x'' OR 1=1 --'": [],
    "who >= 'ann' and who <= 'bob'": ["ann", "bob", "ann"],
}


@each_database
@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_choose_rows_by_their_own_cells(tmp_path, kind, condition):
    source = TABLES[kind](tmp_path, NAMES, ROWS) + f"&where={condition}"
    users = [row[0] for row in read(source, Columns("who", facets=("when",)))]
    assert users == CONDITIONS[condition]


@each_database
def test_a_condition_is_part_of_the_request_and_none_leaves_it_as_it_was(tmp_path, kind):
    source = TABLES[kind](tmp_path, NAMES, ROWS)
    assert open_corpus(source, COLUMNS).declared == {}
    one, other = (
        open_corpus(f"{source}&where={told}", COLUMNS).declared for told in ("a = 'b'".replace("a", "who"), "who='b'")
    )
    assert one == other == {"where": "\"who\" = 'b'"}


@each_database
def test_a_condition_on_no_column_of_the_table_is_refused(tmp_path, kind):
    source = TABLES[kind](tmp_path, NAMES, ROWS)
    assert refusal(f"{source}&where=nobody = 'x'") == "source.no-such-column"


@each_database
def test_a_table_that_is_not_there_is_refused(tmp_path, kind):
    source = TABLES[kind](tmp_path, NAMES, ROWS)
    place, _, name = source.rpartition("=")
    assert refusal(f"{place}=no_{name}") == "source.no-such-table"
    assert refusal(f"{place}={name.upper()}") == "source.no-such-table"
