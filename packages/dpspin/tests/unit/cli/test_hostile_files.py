"""Files that are none, or have no end: pipes, devices, gigantic plans, numbers without end. One line, exit code 2."""

import io
import json
import os
import signal
from pathlib import Path

import pytest

from dpspin.boundary.safe_files import read_plain, read_plain_text
from dpspin.cli import plans
from dpspin.curator.aggregate.pseudonyms import shared_pseudonyms
from dpspin.curator.aggregate.sketch_file import read_header
from dpspin.curator.assign.saved_maps import load_map
from dpspin.errors import SourceError
from dpspin.public.atoms.dictionary_files import dumps
from factories import PAPER_PLAN, PAPER_UNIVERSE

HANGS = 20  # seconds: what opens a pipe waits for ever


@pytest.fixture(autouse=True)
def _never_hang():
    def stop(*_):
        raise TimeoutError("it hangs")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(HANGS)
    yield
    signal.alarm(0)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("plan.json").write_text(PAPER_PLAN.to_json())
    Path("atoms.yaml").write_text(dumps(PAPER_UNIVERSE))
    Path("data.csv").write_text("text\n" + "long wait\n" * 30)
    for name in ("pipe", "pipe.json", "pipe.yaml", "pipe.csv"):
        os.mkfifo(name)
    Path("zero.json").symlink_to("/dev/zero")
    return tmp_path


RELEASE = ("release", "data.csv", "--text", "text", "--unit", "record", "--epsilon", "1", "--denominator", "30")


@pytest.mark.parametrize("path", ["pipe.json", "zero.json", "/dev/zero", "."])
@pytest.mark.parametrize(
    "words",
    [
        ("verify", "PATH", "plan.json"),
        ("verify", "plan.json", "PATH"),
        ("verify", "--batch", "PATH"),
        ("narrate", "PATH"),
        ("report", "PATH"),
        ("report", "plan.json", "--text", "PATH"),
        ("atoms", "show", "PATH"),
        ("atoms", "build", "phrases", "data.csv", "--text", "text", "--out", "new.json", "--profile", "PATH"),
        (*RELEASE, "--atoms", "atoms.yaml", "--out", "out", "--baseline", "PATH"),
        (*RELEASE, "--atoms", "PATH", "--out", "out"),
        (*RELEASE, "--atoms", "atoms.yaml", "--out", "out", "--map", "PATH"),
        (*RELEASE, "--atoms", "atoms.yaml", "--out", "out", "--reading", "PATH"),
        ("read", "PATH"),
        ("release", "--sketch", "PATH", "--atoms", "atoms.yaml", "--epsilon", "1", "--denominator", "30", "--dataset",
         "d", "--out", "out"),
    ],
)  # fmt: skip
def test_what_is_no_regular_file_is_refused_at_once(dpspin, here, words, path):
    ran = dpspin(*(path if word == "PATH" else word for word in words))
    assert ran.code == 2, ran
    assert "Traceback" not in ran.err
    assert ran.out == ""


def test_a_line_of_a_batch_that_names_a_pipe_or_a_device_is_answered_and_the_rest_goes_on(dpspin, here):
    plans = ["pipe", "/dev/zero", "plan.json", "a\0b", "x" * 5000]
    text = "“Long wait” is listed. The map is untested, so nobody knows how well it sorts these records."
    lines = [{"plan": plan, "text": text, "id": n} for n, plan in enumerate(plans)]
    lines += [{"plan": "plan.json", "atoms": "pipe.json", "text": ""}]
    Path("atoms.json").write_text(dumps(PAPER_UNIVERSE))
    Path("batch.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran = dpspin("verify", "--batch", "batch.jsonl")
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert [("error" in answer) for answer in answers] == [True, True, False, True, True, True]
    assert answers[2]["accepted"]


def test_python_readers_refuse_pipes_too(here):
    for reader in (load_map, shared_pseudonyms, read_header):
        with pytest.raises(SourceError):
            reader(Path("pipe"))


def test_a_gigantic_plan_is_refused_without_being_read(dpspin, here):
    with Path("huge.json").open("wb") as file:
        file.truncate(2 * 2**30)  # no byte of it lies on the disk
    for words in (
        ("verify", "huge.json", "plan.json"),
        ("verify", "--batch", "huge.json"),
        ("atoms", "show", "huge.json"),
    ):
        ran = dpspin(*words)
        assert (ran.code, "larger than" in ran.err) == (2, True), ran.err


def test_a_file_is_read_up_to_its_limit(tmp_path):
    file = tmp_path / "small"
    file.write_bytes(b"a\r\nb\rc\n")
    assert read_plain_text(file) == "a\nb\nc\n"
    assert read_plain(file, most=7) == b"a\r\nb\rc\n"
    with pytest.raises(OSError, match="larger than"):
        read_plain(file, most=6)


def test_stdin_has_a_limit_too(dpspin, here, monkeypatch):
    monkeypatch.setattr(plans.read_text, "__defaults__", (10,))
    monkeypatch.setattr("sys.stdin", io.StringIO(PAPER_PLAN.to_json()))
    ran = dpspin("verify", "-", "plan.json")
    assert (ran.code, "cannot read '-'" in ran.err) == (2, True)


NUMBERS = ["0x" + "f" * 20_000, "9" * 20_000, "1.0e+999", "-" + "9" * 400, "0b" + "1" * 30_000, "1" + ":59" * 9000]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "key", ["id: {}", "id: 1\n    parent: {}", "id: 1\n    cues: [{}]", "{}: 1", "id: 2001-13-45", "id: " + "[" * 3000]
)
def test_numbers_without_end_in_a_dictionary_are_refused_in_one_line(dpspin, here, number, key):
    text = "name: t\nversion: '1'\nprovenance: {source: handwritten, note: n}\natoms:\n  - label: a\n    "
    Path("numbers.yaml").write_text(text + key.format(number) + "\n")
    ran = dpspin("atoms", "show", "numbers.yaml")
    assert (ran.code, ran.err.count("\n")) == (2, 1), ran.err[:300]


@pytest.mark.parametrize("number", [*NUMBERS, "[" * 3000, "2001-13-45", "'", "\x00", "*a"])
def test_numbers_without_end_in_a_profile_are_refused_in_one_line(dpspin, here, number):
    Path("own.yaml").write_text(f"name: t\ndomain: d\nmin_support: {number}\n")
    words = ("atoms", "build", "phrases", "data.csv", "--text", "text", "--out", "new.json", "--profile", "own.yaml")
    ran = dpspin(*words)
    assert (ran.code, ran.err.count("\n")) == (2, 1), ran.err[:300]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("b.json", '{"long wait": ' + "9" * 20_000 + "}"),
        ("b.json", '{"' + "9" * 20_000 + '": 1}'),
        ("b.json", "[" * 100_000),
        ("b.csv", f"label,share\n{'9' * 20_000},1\n"),
        ("b.csv", f"label,share\n{'x' * 200_000},1\n"),
        ("b.csv", "label,share\nlong wait,1e999\n"),
        ("b.csv", "label,share\nlong wait,\x00\n"),
    ],
)
def test_numbers_without_end_in_a_baseline_are_refused_in_one_line(dpspin, here, name, text):
    Path(name).write_text(text)
    ran = dpspin(*RELEASE, "--atoms", "atoms.yaml", "--out", "out", "--baseline", name)
    assert (ran.code, ran.err.count("\n")) == (2, 1), ran.err[:300]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("statement", "loss", "epsilon"), 1e-300),
        (("statement", "loss", "epsilon"), 1e300),
        (("statement", "loss", "epsilon"), 5e-324),
        (("rules", "size"), 10**400),
        (("dictionary", "size"), 10**400),
        (("rules", "beta"), 5e-324),
        (("statement", "sampling"), {"kind": "poisson", "rate": 1e-9}),
        (("denominator", "value"), 10**4000),
        (("entries", 0, "atom_id"), 10**4000),
        (("entries", 0, "noisy_mass"), 1e308),
    ],
)  # fmt: skip
def test_a_plan_with_extreme_numbers_ends_in_one_line(dpspin, here, path, value):
    plan = json.loads(PAPER_PLAN.to_json())
    place = plan
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    for size in ((), (10**400,)):  # a larger dictionary lets more of it be calculated
        if size:
            plan["dictionary"]["size"] = size[0]
        Path("plan.json").write_text(json.dumps(plan))
        ran = dpspin("verify", "plan.json", "atoms.yaml")
        assert (ran.code in {1, 2}, ran.err.count("\n")) == (True, 1), ran.err[:300]
