"""Texts of an evaluation on generated tickets, and judges of several characters who answer about them over HTTP."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from dpspin.boundary.atoms import Atom
from dpspin.demo.synthetic import generate_tickets
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin_lab.baselines.comparison import Compared, compared
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.split import Split, split_by_hash
from dpspin_lab.judge.answers import NAMES, KeptJudge
from dpspin_lab.judge.texts import texts_of
from dpspin_lab.runs.grids import MAIN_K
from dpspin_lab.runs.prepared import Prepared
from dpspin_lab.runs.record_preparation import fit, prepare_by
from factories import universe_of
from fake_llm import FakeModel, Heard, Said, completion

LABELS = (
    *("late delivery", "refund", "password reset", "broken item", "wrong size", "double charge", "rude agent"),
    *("slow website", "missing part", "cancel order", "change address", "gift card", "return label", "invoice"),
    *("discount code", "loyalty points", "opening hours", "size chart", "spare part", "order status", "newsletter"),
)
ARROWS = re.compile(r"<<<\n(.*?)\n>>>", re.DOTALL)


@cache
def ticket_split() -> Split:
    records = generate_tickets(300, seed=3).records
    texts, users = tuple(records.column("text").to_pylist()), tuple(records.column("user_id").to_pylist())
    nothing, bins = ("",) * len(texts), tuple(("high", "low")[number % 2] for number in range(len(texts)))
    corpus = Corpus("cfpb", tuple(records.column("ticket_id").to_pylist()), texts, users, nothing, bins, nothing)
    return split_by_hash(corpus, by_user=False, auxiliary_share=0.5, salt="test")


def ticket_records(*, probe: bool = False) -> Prepared:
    universe = universe_of([Atom(id=place, label=label) for place, label in enumerate(LABELS)])
    atoms, fitted = fit(ticket_split().auxiliary, universe, probe=probe)
    return prepare_by(replace(fitted, atoms_per_record=MAIN_K), ticket_split(), atoms)


@cache
def ticket_comparison() -> Compared:
    split = ticket_split()
    with TemporaryDirectory() as folder:
        ticket_records().write(Path(folder) / "kept.npz")
        return compared(replace(split, target=replace(split.target, name="cfpb")), Path(folder) / "kept.npz")


@cache
def ticket_texts(count: int = 2):
    return texts_of(ticket_comparison(), "generated tickets", count)


def scores(value: int, **changed: int) -> str:
    return json.dumps({**dict.fromkeys(NAMES, value), "rationale": "so", **changed})


def choice(letter: str) -> str:
    return json.dumps({"choice": letter, "rationale": "so"})


class Judge(FakeModel):
    """Answers by what is between the arrows: ``score`` gets a summary, ``choose`` the two that are compared."""

    def __init__(self, score: Callable[[str], str | Said], choose: Callable[[str, str], str | Said]) -> None:
        super().__init__()
        self.score, self.choose = score, choose

    def answer(self, heard: Heard) -> Said:
        self.heard.append(heard)
        question = heard.body["messages"][0]["content"]
        shown = ARROWS.findall(question.replace("<<<\n\n>>>", "<<<\n \n>>>"))
        said = self.choose(*_two(shown)) if "\nSummary B" in question else self.score(shown[-1].strip())
        return said if isinstance(said, Said) else completion(said)


def _two(shown: list[str]) -> tuple[str, str]:
    """Find both summaries: after one plan, or each after an object of its own."""
    first, second = (shown[1], shown[2]) if len(shown) == 3 else (shown[1], shown[3])
    return first.strip(), second.strip()


def honest() -> Judge:
    """Knows every true text, and likes plans better than what rivals write."""
    plans = {case.summary for case in ticket_texts().cases if case.method.startswith("plan, ")}
    true = {case.summary for case in ticket_texts().cases}

    def chosen(first: str, second: str) -> str:
        return choice("tie" if (first in plans) == (second in plans) else "A" if first in plans else "B")

    return Judge(lambda text: scores(5 if text in true else 1), chosen)


def judge_of_places() -> Judge:
    """Finds everything good, and the first text better."""
    return Judge(lambda _: scores(4), lambda *_: choice("A"))


def kept_judge(url: str, folder: Path, name: str = "tiny") -> KeptJudge:
    return KeptJudge(Chat(Endpoint(url, name, retries=0), max_tokens=300), folder)
