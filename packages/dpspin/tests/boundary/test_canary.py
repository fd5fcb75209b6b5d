"""A unique token in every cell of every record comes out nowhere: not in a release, not in talk, not in an error."""

import json
import traceback
from pathlib import Path

import pyarrow as pa
import pytest

import dpspin as package
from dpspin.errors import DpSpinError

CANARY = "zqxvcanary"
TEXTS = [
    f"my parcel is late {CANARY}1 and nobody answers",
    f"{CANARY}2 charged twice, I want my money back",
    f"{CANARY}3",
    f"the app crashes {CANARY}4 all day",
]


def rows():
    return [(f"{CANARY}user{i % 7}", TEXTS[i % len(TEXTS)], f"{CANARY}other{i}") for i in range(200)]


def csv_file(folder, extra=""):
    path = folder / "records.csv"
    lines = [f'{user},"{text}",{other}' for user, text, other in rows()]
    path.write_text("\n".join(["user,text,other", *lines]) + "\n" + extra)
    return path


def options(tmp_path, *more):
    return (
        *("--atoms", "support-tickets", "--text", "text", "--denominator", "200", "--out", tmp_path / "out"),
        *("--map", "paper"),
        *("--ledger", tmp_path / "ledger.db", "--epsilon", "1", *more),
    )


ATOMS = ("--atoms", "support-tickets", "--map", "paper")
UNITS = {"record": ("--unit", "record"), "user": ("--unit", "user", "--user", "user", "--bound", "2")}
MECHANISMS = {
    "laplace": (),
    "gaussian": ("--mechanism", "gaussian", "--delta", "1e-6"),
    "private_topL": ("--mechanism", "private_topL", "--delta", "1e-6"),
}


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_no_record_content_leaves_through_a_release(tmp_path, dpspin, unit, mechanism, caplog):
    ran = dpspin("release", csv_file(tmp_path), *options(tmp_path, *UNITS[unit], *MECHANISMS[mechanism]))
    assert ran.code == 0, ran.err
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"plan.json", "report.html", "summary.txt", "plan.csv", "label.json"}
    for path in [*files, tmp_path / "ledger.db"]:
        assert CANARY.encode() not in path.read_bytes(), path.name
        assert CANARY not in path.name
    assert CANARY not in ran.out + ran.err + caplog.text


@pytest.mark.parametrize("unit", UNITS)
def test_no_record_content_leaves_through_sketches(tmp_path, dpspin, unit, caplog):
    key, half = tmp_path / "user.key", tmp_path / "half.sketch"
    said = [dpspin("sketch", "--new-user-key", key)]
    words = (*UNITS[unit], *(("--user-key", key) if unit == "user" else ()))
    said.append(dpspin("sketch", csv_file(tmp_path), *ATOMS, "--text", "text", "--out", half, *words))
    said.append(
        dpspin(
            *("release", "--sketch", half, "--atoms", "support-tickets", "--dataset", "tickets", "--epsilon", "1"),
            *("--denominator", "200", "--out", tmp_path / "out"),
        )
    )
    assert [ran.code for ran in said] == [0, 0, 0], said
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "records.csv"]
    assert {path.name for path in files} >= {"half.sketch", "user.key", "plan.json", "default-ledger.db"}
    for path in files:
        assert CANARY.encode() not in path.read_bytes(), path.name
    assert not any(CANARY in ran.out + ran.err for ran in said)
    assert CANARY not in caplog.text


def test_the_release_folder_holds_no_count_of_records(tmp_path, dpspin):
    dpspin("release", csv_file(tmp_path), *options(tmp_path, *UNITS["record"], "--denominator", "512"))
    diagnostics = json.loads((tmp_path / "out/curator/diagnostics.json").read_text())
    assert diagnostics["records"] == 200
    plan = json.loads((tmp_path / "out/release/plan.json").read_text())
    assert 200 not in _numbers(plan)
    assert _mode(tmp_path / "out/curator") == 0o700
    assert _mode(tmp_path / "out/curator/diagnostics.json") == 0o600


def _numbers(value):
    match value:
        case dict():
            return {number for item in value.values() for number in _numbers(item)}
        case list():
            return {number for item in value for number in _numbers(item)}
        case int() | float():
            return {value}
        case _:
            return set()


def _mode(path):
    return path.stat().st_mode & 0o777


BROKEN = {
    "strict rows": (f'u,"{CANARY}",x,{CANARY},too many\n', ("--strict-rows", *UNITS["record"])),
    "missing user": (f',"{CANARY}",x\n', UNITS["user"]),
    "unclosed quote": (f'u,"{CANARY}\n', UNITS["record"]),
    "no such column": ("", ("--unit", "user", "--user", "nobody")),
    "budget too small": ("", (*UNITS["record"], "--dataset", "poor")),
}


@pytest.mark.parametrize("case", ["strict rows", "missing user", "unclosed quote", "no such column"])
def test_no_record_content_leaves_through_an_error_of_a_sketch(tmp_path, dpspin, case):
    extra, words = BROKEN[case]
    dpspin("sketch", "--new-user-key", tmp_path / "user.key")
    key = ("--user-key", tmp_path / "user.key") if "--user" in words else ()
    out = tmp_path / "a.sketch"
    ran = dpspin(
        *("sketch", csv_file(tmp_path, extra), *ATOMS, "--text", "text"),
        *("--out", out, *words, *key),
    )
    assert ran.code == 2
    assert ran.err.startswith("dpspin: ")
    assert CANARY not in ran.out + ran.err
    assert sorted(path.name for path in tmp_path.iterdir() if "sketch" in path.name) == []


@pytest.mark.parametrize("case", BROKEN)
def test_no_record_content_leaves_through_an_error(tmp_path, dpspin, case):
    extra, words = BROKEN[case]
    dpspin("ledger", "init", "--dataset", "poor", "--epsilon", "0.5", "--ledger", tmp_path / "ledger.db")
    ran = dpspin("release", csv_file(tmp_path, extra), *options(tmp_path, *words))
    assert ran.code in {2, 3}
    assert ran.err.startswith("dpspin: ")
    assert CANARY not in ran.out + ran.err
    assert not (tmp_path / "out").exists()


def test_no_record_content_is_in_the_traceback_of_an_error():
    table = pa.table({"user": [f"{CANARY}u", None], "text": [f"{CANARY} late parcel", f"{CANARY}"]})
    with pytest.raises(DpSpinError) as refused:
        package.release(
            table,
            text="text",
            user="user",
            atoms=package.packs.load("support-tickets"),
            unit=package.UserUnit(bound=1.0),
            loss=package.PrivacyLoss(1.0),
            denominator=100,
            map=package.Recipe(package.MapKind.PAPER),
        )
    assert CANARY not in "".join(traceback.format_exception(refused.value))


def test_the_test_would_see_a_leak(tmp_path):
    assert CANARY.encode() in csv_file(tmp_path).read_bytes()
    assert Path(tmp_path / "records.csv").is_file()
