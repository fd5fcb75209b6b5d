"""Kept answers: private files without any text, safe against a kill, and no calls in a second run."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from dpspin.curator.assign.llm.kept_answers import Answers, AnswersOfThisRun
from dpspin.curator.assign.llm.labeller import Labeller
from dpspin.curator.assign.llm.llm_map import LlmMap, Trial, estimate
from dpspin.curator.assign.llm.theme_question import UNREADABLE, ModelAnswer
from dpspin.curator.assign.llm.trusted_endpoint import Endpoint
from dpspin.errors import SourceError
from dpspin.llm.question import Price
from factories import PAPER_UNIVERSE
from fake_llm import FakeModel, themes

TEXTS = [f"zqxvcanary number {i}" for i in range(6)]


def files(folder):
    return sorted(folder.iterdir())


def test_answers_are_found_again_and_the_first_one_stands(tmp_path):
    Answers(tmp_path).keep("model", "a text", ModelAnswer((81, 17)))
    again = Answers(tmp_path)
    again.keep("model", "a text", ModelAnswer((42,)))
    again.keep("model", "odd", UNREADABLE)
    again.keep("model", "empty", ModelAnswer(()))
    assert again.find("model", "a text") == ModelAnswer((81, 17))
    assert again.find("model", "odd") == UNREADABLE
    assert again.find("model", "empty") == ModelAnswer(())
    assert again.find("model", "another text") is None
    assert again.find("another model", "a text") is None


def test_of_a_secret_sample_answers_live_as_long_as_the_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answers = AnswersOfThisRun()
    answers.keep("model", "a text", ModelAnswer((81, 17)))
    answers.keep("model", "a text", ModelAnswer((42,)))
    assert answers.find("model", "a text") == ModelAnswer((81, 17))
    assert answers.find("another model", "a text") is None
    assert files(tmp_path) == []
    assert estimate(200, Trial(10, 10, 1, 0.5), price=Price(1.0, 1.0)).times(0.1).calls == 20


def test_no_file_is_made_before_an_answer_is_sought(tmp_path):
    answers = Answers(tmp_path / "curator")
    assert files(tmp_path) == []
    assert answers.find("model", "a text") is None


def test_files_are_private_and_hold_no_text(tmp_path):
    answers = Answers(tmp_path / "curator")
    for text in TEXTS:
        answers.keep("model", text, ModelAnswer((17,)))
    assert {path.name: path.stat().st_mode & 0o777 for path in files(tmp_path / "curator")} == {
        "llm-answers.db": 0o600,
        "llm-answers.key": 0o600,
    }
    assert (tmp_path / "curator").stat().st_mode & 0o777 == 0o700
    assert all(b"zqxvcanary" not in path.read_bytes() for path in files(tmp_path / "curator"))


def test_two_folders_name_the_same_text_differently(tmp_path):
    for name in ("a", "b"):
        Answers(tmp_path / name).keep("model", "a text", ModelAnswer((17,)))
    (tmp_path / "a/llm-answers.key").write_bytes((tmp_path / "b/llm-answers.key").read_bytes())
    assert Answers(tmp_path / "a").find("model", "a text") is None


@pytest.mark.parametrize("name", ["llm-answers.db", "llm-answers.key"])
def test_a_damaged_file_is_a_clear_error(tmp_path, name):
    Answers(tmp_path).keep("model", "a text", ModelAnswer((17,)))
    (tmp_path / name).write_bytes(b"zqxvcanary" * 200)
    with pytest.raises(SourceError, match=r"llm-answers") as refused:
        Answers(tmp_path).find("model", "a text")
    assert "zqxvcanary" not in str(refused.value)


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_killed_run_goes_on_where_it_was(tmp_path):
    with FakeModel() as model:
        folder = tmp_path / "curator"
        script = Path(__file__).parents[3] / "programs" / "killed_llm_run.py"
        words = [sys.executable, script, model.url, folder, *TEXTS]

        def speak(text):
            if text == TEXTS[3] and killed.poll() is None:
                os.kill(killed.pid, signal.SIGKILL)
            return themes("long wait")

        model.speak = speak
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        killed = subprocess.Popen([str(word) for word in words], env=environment)
        assert killed.wait(60) == -signal.SIGKILL
        assert model.texts == TEXTS[:4]

        model.heard.clear()
        resumed = LlmMap(Labeller(PAPER_UNIVERSE, Endpoint(model.url, "tiny"), Answers(folder)))
        made = resumed(pa.array(TEXTS))
        assert model.texts == TEXTS[3:]
        assert made.atoms.tolist() == [0] * len(TEXTS)
