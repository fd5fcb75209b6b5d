"""``narrate`` and ``report`` with a language model: what is printed and written, and what is refused beforehand."""

import json
import subprocess
import sys

import pytest

from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.narrate.claims.orders import Larger, Largest
from dpspin.public.narrate.decoders.menu import as_json
from factories import PAPER_PLAN, PAPER_UNIVERSE
from fake_llm import FakeWriter, completion, failing

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
LISTED = "“Long wait” is listed."
GOOD = f"{LISTED} The map is untested, so nobody knows how well it sorts these records."
BAD = "“Long wait” has low support."
CHOSEN = json.dumps({"paragraph": [as_json(Largest(17)), as_json(Larger(81, 17))], "bullets": []})


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.json").write_text(PAPER_PLAN.to_json())
    (tmp_path / "atoms.json").write_text(dumps(PAPER_UNIVERSE))
    return tmp_path


def at(server, decoder, *more):
    return ("--decoder", decoder, "--llm-url", server.url, "--llm-model", "tiny", *more)


def test_a_model_writes_and_the_record_says_how(dpspin):
    with FakeWriter([BAD, GOOD]) as server:
        ran = dpspin("narrate", "plan.json", *at(server, "llm", "--seed", "4", "--llm-price", "1/10", "--json"))
    assert ran.code == 0, ran.err
    record = json.loads(ran.out)
    assert (record["text"], record["decoder"], record["mode"]) == (GOOD, "llm", "display")
    assert [attempt["accepted"] for attempt in record["attempts"]] == [False, True]
    assert record["attempts"][0]["screening"]["violations"][0]["rule"] == "wrong-bin"
    assert record["settled"] == {"kept": 2, "replaced": 0, "left_out": 0}
    assert record["model"] == {
        "model": "tiny",
        "endpoint": "loopback",
        "temperature": 0.0,
        "seed": 4,
        "calls": 2,
        "prompt_tokens": 200,
        "answer_tokens": 20,
        "cost": pytest.approx(0.0004),
    }
    assert (record["used_fallback"], record["fallback_reason"]) == (False, None)


def test_a_model_chooses_claims_and_the_record_tells_what_was_dropped_and_filled_in(dpspin):
    with FakeWriter([CHOSEN]) as server:
        ran = dpspin("narrate", "plan.json", *at(server, "claims", "--json"))
    record = json.loads(ran.out)
    claims = record["attempts"][0]["claims"]
    assert claims["kept"] == [{"claim": "largest", "theme": 17}]
    assert claims["dropped"] == [{"claim": "larger", "theme": 81, "other": 17}]
    assert {"claim": "interval_of", "theme": 42} in claims["filled"]
    assert all(entry.label in record["text"].casefold() for entry in PAPER_PLAN.entries)


def test_the_template_steps_in_and_says_so(dpspin):
    with FakeWriter([BAD]) as server:
        ran = dpspin("narrate", "plan.json", *at(server, "llm", "--attempts", "2"))
    assert ran.code == 0
    assert ran.out.strip() == dpspin("narrate", "plan.json").out.strip()
    assert "no candidate was accepted in 2 attempts" in ran.err


def test_an_endpoint_that_fails_midway_ends_in_the_template_and_says_so(dpspin):
    with FakeWriter([completion(BAD), failing(403)]) as server:
        ran = dpspin("narrate", "plan.json", *at(server, "llm", "--json"))
    record = json.loads(ran.out)
    assert record["used_fallback"]
    assert "does not accept the key (403)" in record["fallback_reason"]


def test_a_report_is_written_by_a_model_with_its_record_beside_it(folder, dpspin):
    with FakeWriter([GOOD]) as server:
        ran = dpspin("report", "plan.json", *at(server, "llm"), "--out", "page.html")
    assert ran.code == 0, ran.err
    assert LISTED in (folder / "page.html").read_text()
    assert json.loads((folder / "narration.json").read_text())["text"] == GOOD


def test_the_template_leaves_no_record_beside_a_report(folder, dpspin):
    assert dpspin("report", "plan.json").code == 0
    assert not (folder / "narration.json").exists()


def test_an_unreachable_endpoint_is_an_error_and_nothing_is_written(folder, dpspin):
    with FakeWriter([failing(401)]) as server:
        ran = dpspin("report", "plan.json", *at(server, "claims"))
    assert ran.code == 2
    assert "DPSPIN_LLM_KEY" in ran.err
    assert not (folder / "report.html").exists()
    assert not (folder / "narration.json").exists()


ADDRESS = ("--llm-url", "http://127.0.0.1:9/v1", "--llm-model", "m")
REFUSED = {
    "no address": (("--decoder", "llm"), "--llm-url"),
    "no model": (("--decoder", "claims", "--llm-url", "http://127.0.0.1:9/v1"), "--llm-model"),
    "an address for the template": (ADDRESS, "go with --decoder"),
    "a password in the address": (
        ("--decoder", "llm", "--llm-url", "http://u:zqxv@127.0.0.1/v1", "--llm-model", "m"),
        "without user, password",
    ),
    "a price of one number": ((*ADDRESS, "--decoder", "llm", "--llm-price", "3"), "read/written"),
    "a price below zero": ((*ADDRESS, "--decoder", "llm", "--llm-price", "-1/2"), "from zero up"),
}


@pytest.mark.parametrize("command", ["narrate", "report"])
@pytest.mark.parametrize("case", REFUSED)
def test_options_that_do_not_fit_are_refused(dpspin, command, case):
    words, why = REFUSED[case]
    ran = dpspin(command, "plan.json", *words)
    assert ran.code == 2
    assert why in ran.err
    assert "zqxv" not in ran.err


def test_a_given_text_and_a_model_do_not_go_together(folder, dpspin):
    (folder / "text.txt").write_text(GOOD)
    ran = dpspin("report", "plan.json", "--text", "text.txt", "--decoder", "llm", *ADDRESS)
    assert ran.code == 2
    assert "leave out --text or --decoder" in ran.err


@pytest.mark.parametrize("decoder", ["claims", "llm"])
def test_a_missing_package_is_named(folder, decoder):
    program = "import sys; sys.modules['openai'] = None; from dpspin.cli.main import run; run()"
    words = ["narrate", "plan.json", "--decoder", decoder, *ADDRESS]
    ran = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "pip install 'dpspin[llm]'" in ran.stderr


def test_the_template_needs_no_such_package(folder):
    program = "import sys; sys.modules['openai'] = None; from dpspin.cli.main import run; run()"
    ran = subprocess.run(
        [sys.executable, "-c", program, "narrate", "plan.json"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
