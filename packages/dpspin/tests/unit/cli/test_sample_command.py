"""``dpspin sample`` and ``dpspin release --reading`` as a curator meets them."""

from pathlib import Path

import pytest

import dpspin as package
from dpspin.boundary.plan import SemanticPlan
from dpspin.curator.ledger.ledger import open_ledger
from reading_desk import NUMBER, read_all, true_themes, write_records

RECORDS = ("--text", "text", "--atoms", "atoms.txt", "--unit", "record", "--dataset", "tickets")
SIZE = ("--denominator", str(NUMBER))
SAMPLE = ("sample", "records.csv", *RECORDS, "--read", "60", "--out", "reading")
RELEASE = ("release", "records.csv", *RECORDS, *SIZE, "--epsilon", "1", "--reading", "reading", "--out", "out")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_records(tmp_path)
    return tmp_path


@pytest.fixture
def drawn(folder, dpspin):
    ran = dpspin(*SAMPLE, *SIZE)
    assert ran.code == 0, ran.err
    return package.open_reading("reading")


def plan():
    return SemanticPlan.from_json(Path("out/release/plan.json").read_bytes())


def spent(dataset="tickets"):
    budget = open_ledger("default-ledger.db").budget(dataset)
    return 0.0 if budget is None else float(budget.spent.epsilon)


def test_a_sample_is_drawn_and_the_curator_told_what_comes_next(drawn, dpspin):
    again = dpspin(*SAMPLE, *SIZE)
    number = len(drawn.records())
    assert 20 < number < 110  # 400 coins at .15: beyond in one of 10^7 runs
    assert (again.code, again.out) == (0, "")
    assert f"{number:,} records are drawn, {number:,} of them not read yet" in again.err
    assert "dpspin read reading" in again.err
    assert "--reading reading" in again.err
    assert "Nothing was charged" in again.err
    assert spent() == 0.0
    assert drawn.drawing.rate == 60 / NUMBER


def test_a_read_sample_grounds_the_release(drawn, dpspin):
    unread = dpspin(*RELEASE)
    assert (unread.code, spent()) == (2, 0.0)
    assert "not been read" in unread.err
    assert str(len(drawn.records())) not in unread.err
    read_all(drawn)
    ran = dpspin(*RELEASE)
    assert ran.code == 0, ran.err
    grounding = plan().statement.grounding
    assert (grounding.rate, grounding.reader, spent()) == (60 / NUMBER, "a person", 1.0)
    assert plan().grounded is not None
    assert "at no cost" in dpspin(*RELEASE).err


def test_a_request_file_settles_what_is_drawn_and_names_the_reading(folder, dpspin):
    words = (*RELEASE[:-2], "--reading-share", "0.4")
    assert dpspin(*words, "--save-request", "request.yaml").code == 0
    assert "reading:\n  folder: reading\n  share: 0.4\n" in (folder / "request.yaml").read_text()
    ran = dpspin("sample", "request.yaml", "--read", "60", "--out", "reading")
    assert ran.code == 0, ran.err
    read_all(package.open_reading("reading"))
    assert dpspin("release", "request.yaml", "--out", "out").code == 0
    assert plan().statement.grounding.share == 0.4
    assert "--dataset" in dpspin("sample", "request.yaml", "--dataset", "d", "--read", "60", "--out", "r2").err


def test_the_number_of_units_is_a_public_one(dpspin):
    for words in ((), ("--denominator", "total")):
        refused = dpspin(*SAMPLE, *words)
        assert refused.code == 2
        assert "public number" in refused.err
    assert dpspin(*SAMPLE, "--denominator", "total", "--of", "600").code == 0
    assert package.open_reading("reading").drawing.rate == 0.1
    for read, of in (("60", "60"), ("60", "0"), ("1", "2000000000000"), ("0", "9")):
        refused = dpspin("sample", "records.csv", *RECORDS, "--read", read, "--of", of, "--out", "other")
        assert refused.code == 2, (read, of)


def test_a_changed_reading_does_not_change_what_was_released(drawn, dpspin):
    read_all(drawn)
    assert dpspin(*RELEASE).code == 0
    first = plan()
    first_of_all = drawn.records()[0]
    drawn.read(first_of_all.id, "refund" if true_themes(first_of_all.text) == "none" else "none")
    again = dpspin(*RELEASE)
    assert again.code == 0
    assert "changed since it was released" in again.err
    assert plan() == first
    drawn.read_by_model("the model m", first_of_all.id, "app crash")
    assert dpspin(*RELEASE).code == 0  # the same request, whoever reads now
    other = dpspin(*RELEASE, "--epsilon", "1.5")
    assert other.code == 2
    assert "pays for one" in other.err


def test_all_records_of_a_drawn_user_are_read(folder, dpspin):
    words = ("--text", "text", "--atoms", "atoms.txt", "--unit", "user", "--user", "user", "--denominator", "40")
    assert dpspin("sample", "records.csv", *words, "--read", "10", "--out", "reading").code == 0
    drawn = package.open_reading("reading")
    assert len(drawn.records()) % 10 == 0  # each of 40 users wrote ten
    assert len(drawn.records()) > 0  # none in one of 10^5 runs
    read_all(drawn)
    told = ("release", "records.csv", *words, "--epsilon", "1", "--reading", "reading", "--out", "out")
    assert dpspin(*told).code == 0
    assert plan().statement.grounding.rate == 0.25


@pytest.mark.parametrize(
    "more",
    [
        ("--quantity", "prevalence", "--prevalence-atoms", "2"),
        ("--mechanism", "gaussian", "--delta", "1e-6"),
        ("--count-share", "0.2"),
    ],
    ids=lambda more: more[1],
)
def test_other_measurements_are_grounded_too(dpspin, more):
    of_records = more if "--quantity" in more else ()
    size = () if "--count-share" in more else SIZE
    assert dpspin(*SAMPLE, "--of", "400", *of_records).code == 0
    read_all(package.open_reading("reading"))
    ran = dpspin(
        "release", "records.csv", *RECORDS, *size, "--epsilon", "2", "--reading", "reading", "--out", "o", *more
    )
    assert ran.code == 0, ran.err
    assert SemanticPlan.from_json(Path("o/release/plan.json").read_bytes()).grounded is not None


def test_a_window_has_its_own_sample(folder, dpspin):
    window = ("--partition", "month", "--window", "1")
    dpspin("ledger", "init", "--dataset", "tickets", "--epsilon", "2", "--partition", "month")
    assert dpspin(*SAMPLE, *SIZE, *window).code == 0
    drawn = package.open_reading("reading")
    assert {true_themes(record.text) for record in drawn.records()} == {"refund", "none"}  # the odd rows
    read_all(drawn)
    other = dpspin(*RELEASE, "--partition", "month", "--window", "0")
    assert other.code == 2
    assert "another request" in other.err
    assert dpspin(*RELEASE, *window).code == 0


REFUSED = {
    "another snapshot": (("--snapshot", "may"), "another request"),
    "another map": (("--per-record", "2"), "another request"),
    "another dataset": (("--dataset", "letters"), "another request"),
    "a random sample": (("--sample-rate", "0.5"), "leave --sample-rate out"),
    "replacement": (("--adjacency", "replace"), "--adjacency add_drop"),
    "selection": (("--mechanism", "private_topL", "--delta", "1e-6"), "laplace or gaussian"),
    "no folder": (("--reading", "nowhere"), "dpspin sample"),
    "no share": (("--reading-share", "1"), "--reading-share"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_reading_does_not_fit_is_refused_before_any_charge(drawn, dpspin, case):
    read_all(drawn)
    more, told = REFUSED[case]
    refused = dpspin(*RELEASE, *more)
    assert refused.code == 2
    assert told in refused.err
    assert (spent(), spent("letters")) == (0.0, 0.0)
    assert not (drawn.path / "released.json").exists()


def test_sketch_files_have_no_records_to_read(dpspin, drawn):
    records = ("--text", "text", "--atoms", "atoms.txt", "--unit", "record")
    assert dpspin("sketch", "records.csv", *records, "--out", "a.sketch").code == 0
    told = ("--atoms", "atoms.txt", *SIZE, "--epsilon", "1", "--dataset", "tickets", "--reading", "reading")
    refused = dpspin("release", "--sketch", "a.sketch", *told, "--out", "out")
    assert refused.code == 2
    assert "leave --reading out" in refused.err


def test_changed_records_and_foreign_rows_are_refused(folder, drawn, dpspin):
    read_all(drawn)
    table = drawn.path / "reading.csv"
    whole = table.read_bytes()
    table.write_bytes(whole + b"r00,foreign,none\r\n")
    assert "not drawn" in dpspin(*RELEASE).err
    table.write_bytes(whole)
    write_records(folder, number=NUMBER + 1)
    assert "changed since" in dpspin(*RELEASE).err
    assert "another sample" in dpspin(*SAMPLE, *SIZE).err
    assert table.read_bytes() == whole
    assert spent() == 0.0


def test_a_sample_does_not_lie_in_what_is_published(folder, drawn, dpspin):
    read_all(drawn)
    (folder / "out").mkdir()
    (folder / "reading").rename(folder / "out" / "release")
    refused = dpspin(*RELEASE, "--reading", "out/release")
    assert (refused.code, spent()) == (2, 0.0)
    assert "published" in refused.err


def test_another_ledger_would_have_drawn_another_sample(drawn, dpspin):
    read_all(drawn)
    refused = dpspin(*RELEASE, "--ledger", "other.db")
    assert refused.code == 2
    assert "another ledger" in refused.err
