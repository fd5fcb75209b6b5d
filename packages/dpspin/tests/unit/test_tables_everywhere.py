"""Whatever reads records reads them from a table, too: samples, sketches, series, phrases, auxiliary text, commands."""

import json
import sqlite3
from contextlib import closing

import pytest

import dpspin as package
from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.series import SeriesTerms
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import RecordsRefused, RequestError
from dpspin.phrasing import PhraseRequest, find
from dpspin.public.phrases.statements import promises_of
from dpspin.sampling import sample
from dpspin.series import add_period, open_series
from source_tables import csv_file, sqlite
from spark_corpora import ATOMS

NAMES = ("body", "who", "day")
ROWS = [
    ("my parcel is late again" if n % 2 else "the staff was rude to me", f"u{n % 40}", f"2026-0{1 + n % 2}-11")
    for n in range(200)
]
ASKED = {
    "atoms": ATOMS,
    "text": "body",
    "unit": "user",
    "user": "who",
    "denominator": 40,
    "map": "paper",
    "dataset": "t",
}


@pytest.fixture
def source(tmp_path):
    return sqlite(tmp_path, NAMES, ROWS)


def test_a_sample_is_drawn_and_is_the_same_again(source, tmp_path):
    asked = {**ASKED, "ledger": tmp_path / "ledger.db"}
    for name in ("one", "other"):
        sample(source, read=10, out=tmp_path / name, **asked)
    drawn = [[file.read_bytes() for file in sorted((tmp_path / name).glob("*.csv"))] for name in ("one", "other")]
    assert drawn[0] == drawn[1] != []


def test_a_series_is_fed_from_a_table_and_takes_no_condition(source, tmp_path):
    calendar = PeriodFacet(column="day", every="month", first="2026-01", last="2026-06")
    terms = SeriesTerms(every=calendar, epsilon=1.0, lifetime_bound=2.0, per_period_bound=1.0)
    (tmp_path / "atoms.txt").write_text("late parcel\nrude staff\n")
    fields = {"atoms": str(tmp_path / "atoms.txt"), "text": "body", "user": "who", "map": "paper", "dataset": "t"}
    open_series(tmp_path / "series", terms, **fields, ledger=str(tmp_path / "ledger.db"))
    added = add_period(tmp_path / "series", source, "2026-01")
    assert added.answer.diagnostics.records == 100
    with pytest.raises(RequestError) as refused:
        add_period(tmp_path / "series", f"{source}&where=who = 'u1'", "2026-02")
    assert refused.value.code == "request.series-rows"


def test_phrases_are_counted_in_a_table_and_say_what_is_on_trust(source, tmp_path):
    file = source.partition(":///")[2].partition("?")[0]
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE VIEW v AS SELECT * FROM t")
    fields = {"records.text": "body", "records.user": "who", "records.unit": "user", "denominator": 40}
    loss = {"loss.epsilon": 8, "loss.delta": 1e-4, "account.dataset": "t"}

    def promised(address, name):
        told = {"records.data": address, **fields, **loss, "account.ledger": str(tmp_path / f"{name}.db")}
        folder, _ = find(PhraseRequest.read(told), tmp_path / name, lambda _records: None)
        return " ".join(promises_of(folder.release))

    assert "a table that is made of others" not in promised(source, "table")
    assert "a table that is made of others" in promised(f"sqlite:///{file}?table=v&view=row_by_row", "view")


def test_auxiliary_text_in_a_table_is_compared_with_the_records(source, tmp_path):
    asked = {**ASKED, "epsilon": 1, "ledger": tmp_path / "ledger.db"}
    same = package.Auxiliary(source, "body", "who")
    with pytest.raises(RecordsRefused):
        package.release(csv_file(tmp_path, NAMES, ROWS), **asked, auxiliary=same)
    others = sqlite(tmp_path, NAMES, [(f"no words in common {n}", f"x{n}", "") for n in range(50)])
    plan = package.release(source, **asked, auxiliary=package.Auxiliary(others, "body", "who"))
    assert plan.account.balances[0].spent_epsilon == 1


def test_the_same_records_as_a_file_and_as_a_table_are_near_copies(source, tmp_path):
    asked = {**ASKED, "epsilon": 1, "ledger": tmp_path / "ledger.db"}
    package.release(source, **asked)
    with pytest.raises(package.errors.DpSpinError, match="'t'"):
        package.release(csv_file(tmp_path, NAMES, ROWS), **{**asked, "dataset": "other"})


def test_a_sketch_file_of_a_table_keeps_its_condition(source, tmp_path, dpspin):
    told = ("--atoms", "support-tickets", "--map", "paper", "--text", "body", "--unit", "record")
    ran = dpspin("sketch", f"{source}&where=day = '2026-01-11'", *told, "--out", tmp_path / "a.sketch")
    assert ran.code == 0, ran.err
    terms = ("--atoms", "support-tickets", "--epsilon", "1", "--denominator", "100", "--dataset", "t")
    ran = dpspin("release", "--sketch", tmp_path / "a.sketch", *terms, "--out", tmp_path / "out")
    assert ran.code == 0, ran.err


def test_a_request_file_holds_an_address_and_no_condition_changes_no_fingerprint(source, tmp_path):
    request = package.ReleaseRequest.of(
        f"{source}&where=day = '2026-01-11'", **{**ASKED, "atoms": "support-tickets"}, epsilon=1
    )
    request.save(tmp_path / "request.yaml")
    assert package.ReleaseRequest.load(tmp_path / "request.yaml") == request
    assert open_corpus(source, Columns("body")).declared == {}


def test_a_look_tells_the_columns_of_a_table(source, dpspin):
    ran = dpspin("check", source, "--json")
    seen = json.loads(ran.out)["files"][0]
    assert (seen["format"], [column["name"] for column in seen["columns"]]) == ("sqlite table", list(NAMES))
