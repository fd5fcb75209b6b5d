"""A judge in the evaluation: all questions about one data set, and the three tables that they become."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin_lab.judge.asking import KeptJudge
from dpspin_lab.judge.case import Basis, require_here
from dpspin_lab.judge.rows import exact_rows, known_rows, rival_rows, score_rows
from dpspin_lab.judge.texts import Texts
from dpspin_lab.runs.summary import Row, read_summary, write_table

TEXTS: Final = 3  # of each method, as in the paper
ANSWER_TOKENS: Final = 200  # for six numbers and a sentence; a model that goes on is cut off
SCORES, PAIRS, KNOWN = "judged", "judged_pairs", "judged_known"  # the tables


@dataclass(frozen=True, slots=True)
class Judging:
    """Who judges how many texts of each method, and whether the exact plan is shown as well.

    Simulated noise is drawn from seeds that stand in public code: who reads such a release can take the noise off. So
    another machine is shown one only of records that are public, and nobody but the caller knows that they are.
    """

    chat: Chat
    texts: int = TEXTS
    references: bool = False
    records_are_public: bool = False

    def __post_init__(self) -> None:
        if self.references:
            require_here(Basis.EXACT, self.chat)
        if not (self.records_are_public or self.chat.client.is_here):
            raise RequestError(
                "a judge on another machine could take the noise off simulated releases, since its seeds are known: "
                "serve it on 127.0.0.1, or say that all records are public (--judge-records-are-public)"
            )


def questions(texts: Texts, *, references: bool) -> int:
    """Count what is asked: a score for each text, two orders for each pair, and both for each known answer."""
    rivals = sum(not case.method.startswith("plan, ") for case in texts.cases)
    exact = 1 + 2 * len(texts.exact_pairs) if references else 0
    return len(texts.cases) + 2 * rivals + 4 * len(texts.known) + exact


def judge_texts(texts: Texts, ask: KeptJudge, folder: Path, *, references: bool) -> None:
    """Ask everything about one data set, known answers first, and write the tables; rows of other judges stay."""
    cases = (*texts.cases, *([texts.exact_case] if references else []))
    for case in cases:
        require_here(case.basis, ask.chat)
    _write(folder, KNOWN, known_rows(texts.known, ask), ask.name)
    _write(folder, SCORES, score_rows(cases, ask), ask.name)
    pairs = rival_rows(texts.cases, ask)
    _write(folder, PAIRS, [*pairs, *(exact_rows(texts.exact_pairs, ask) if references else ())], ask.name)


def _write(folder: Path, name: str, rows: Iterable[Row], judge: str) -> None:
    found = [{"judge": judge, **row} for row in rows]
    path = folder / f"{name}.json"
    others = [row for row in read_summary(path) if row["judge"] != judge] if path.is_file() else []
    write_table(folder, name, [*others, *found])
