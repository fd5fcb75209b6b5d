"""A token in every record of a sample is in the curator's folder and on the reader's screen, and nowhere else."""

import builtins
import traceback
from pathlib import Path

import pytest

import dpspin as package
from dpspin.errors import DpSpinError
from fake_llm import FakeModel, failing, themes
from reading_desk import about_records, read_all, write_records

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

CANARY = "zqxvcanary"
TEXTS = (f"my parcel is late {CANARY}1", f"{CANARY}2 refund my money", f"a crash {CANARY}3", f"hello {CANARY}4")
SHARED = ("--text", "text", "--atoms", "atoms.txt", "--dataset", "tickets", "--ledger", "ledger.db")
UNITS = {
    "record": ("--unit", "record", "--denominator", "400"),
    "user": ("--unit", "user", "--user", "user", "--denominator", "40"),
}
NEVER = ("records.csv", "reading.csv")  # where records lie on purpose


@pytest.fixture(autouse=True)
def _desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_records(tmp_path, TEXTS)


def files():
    return [path for path in Path().rglob("*") if path.is_file() and path.name not in NEVER]


def ids():
    return [row.id for row in package.open_reading("reading").records()]


@pytest.mark.parametrize("unit", UNITS)
def test_what_is_read_leaves_the_folder_by_no_file_and_no_word(dpspin, unit, caplog, monkeypatch):
    told = ("records.csv", *SHARED, *UNITS[unit])
    ran = [dpspin("sample", *told, "--read", "20", "--out", "reading")]
    ran.append(dpspin("release", *told, "--epsilon", "1", "--reading", "reading", "--out", "out"))
    read_all(package.open_reading("reading"))
    ran.append(dpspin("release", *told, "--epsilon", "1", "--reading", "reading", "--out", "out"))
    package.open_reading("reading").read(ids()[0], "late parcel; refund; app crash")
    ran.append(dpspin("release", *told, "--epsilon", "1", "--reading", "reading", "--out", "out"))
    ran.append(dpspin("release", *told, "--epsilon", "2", "--reading", "reading", "--out", "out"))
    assert [each.code for each in ran] == [0, 2, 0, 0, 2], ran
    steps = iter("b")
    said = "".join(each.out + each.err for each in ran) + caplog.text
    assert {path.name for path in files()} >= {"plan.json", "report.html", "drawing.json", "released.json", "ledger.db"}
    for secret in (CANARY, *ids()):
        assert secret not in said
        assert not [path for path in files() if secret.encode() in path.read_bytes()]
    monkeypatch.setattr(builtins, "input", lambda: "b" if next(steps, None) else "q")
    assert CANARY in dpspin("read", "reading").err  # the test would see it


def test_the_number_of_records_that_were_drawn_is_told_by_no_released_file(dpspin):
    told = ("records.csv", *SHARED, *UNITS["record"])
    assert dpspin("sample", *told, "--read", "60", "--out", "reading").code == 0
    read_all(package.open_reading("reading"))
    assert dpspin("release", *told, "--epsilon", "1", "--reading", "reading", "--out", "out").code == 0
    plan = package.SemanticPlan.load("out")
    number = len(ids())
    assert number not in _numbers(plan.model_dump(mode="json"))
    assert {path.name for path in Path("out/curator").iterdir()} == {"receipt.json", "diagnostics.json"}


def _numbers(value):
    match value:
        case dict():
            return {number for item in value.values() for number in _numbers(item)}
        case list() | tuple():
            return {number for item in value for number in _numbers(item)}
        case int() | float():
            return {value}
        case _:
            return set()


def test_a_model_that_fails_over_a_record_does_not_repeat_it(dpspin, caplog):
    told = ("records.csv", *SHARED, *UNITS["record"])
    assert dpspin("sample", *told, "--read", "20", "--out", "reading").code == 0
    with FakeModel(lambda text: failing(429) if CANARY in text else themes("none"), knows_public=False) as model:
        ran = dpspin("read", "reading", "--llm-url", model.url, "--llm-model", "m")
        assert CANARY in "".join(model.texts)
    assert ran.code == 2
    assert CANARY not in ran.out + ran.err + caplog.text


BROKEN = {
    "unknown theme": lambda table: table.replace(b",none\r", f",{CANARY}\r".encode()),
    "a cell too many": lambda table: table + f"r1,{CANARY},none,{CANARY}\r\n".encode(),
    "no UTF-8": lambda table: table + f"r1,{CANARY}\xe4,none\r\n".encode("latin-1"),
    "an open quote": lambda table: table + f'r1,"{CANARY}\r\n'.encode(),
    "foreign rows": lambda table: table + f"r1,{CANARY},none\r\n".encode(),
    "no header": lambda table: table.partition(b"\n")[2],
}


@pytest.mark.parametrize("case", BROKEN)
def test_no_error_repeats_what_stands_in_the_table(tmp_path, case):
    folder = package.sample(**about_records(tmp_path), read=60, out="reading")
    read_all(folder)
    table, names = folder.path / "reading.csv", ids()
    table.write_bytes(BROKEN[case](table.read_bytes()))
    with pytest.raises(DpSpinError) as refused:
        package.release(**about_records(tmp_path), epsilon=1, reading="reading")
    told = "".join(traceback.format_exception(refused.value))
    assert not [each for each in (CANARY, *names) if each in told]
