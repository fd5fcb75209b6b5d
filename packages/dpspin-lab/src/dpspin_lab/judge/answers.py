"""Questions to a judge, and what it may answer: strict JSON with exactly these keys, or nothing that counts.

Answers can be kept, so that an interrupted evaluation goes on where it was.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, Protocol, TypeVar

from pydantic import Field, ValidationError

from dpspin.boundary.model_base import FrozenModel, digest_of
from dpspin.boundary.safe_files import write_whole
from dpspin.errors import QuestionRefused, RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.question import Message
from dpspin_lab.not_private import evaluation_folder

Score = Annotated[int, Field(strict=True, ge=1, le=5)]
Answer = TypeVar("Answer", bound=FrozenModel)

_AGAIN = "That was not the JSON object that was asked for. Answer again with it alone."


class Scores(FrozenModel):
    """The paper's six scores, from 1 to 5. ``privacy_safety`` rates words, and is no guarantee."""

    coverage: Score
    specificity: Score
    insightfulness: Score
    faithfulness: Score
    privacy_safety: Score
    clarity: Score
    rationale: str


NAMES = tuple(name for name in Scores.model_fields if name != "rationale")


class BlindChoice(FrozenModel):
    """Which of two summaries is better, by the letters under which they were shown."""

    choice: Literal["A", "B", "tie"]
    rationale: str


def read_answer(kind: type[Answer], words: str) -> Answer | None:
    """Read a JSON object, or nothing.

    >>> read_answer(BlindChoice, '{"choice": "A", "rationale": "shorter"}')
    BlindChoice(choice='A', rationale='shorter')
    >>> read_answer(BlindChoice, 'Sure: {"choice": "A", "rationale": "shorter"}') is None
    True
    """
    try:
        return kind.model_validate_json(words)
    except ValidationError:
        return None


def asked(chat: Chat, question: str, kind: type[Answer]) -> Answer | None:
    """Ask, and once more if the answer cannot be read; then there is none."""
    if chat.temperature != 0:
        raise RequestError("a judge answers at temperature 0")
    messages: tuple[Message, ...] = ({"role": "user", "content": question},)
    words = chat.json(messages, kind.__name__, kind.model_json_schema())
    if (answer := read_answer(kind, words)) is not None:
        return answer
    again: tuple[Message, ...] = ({"role": "assistant", "content": words}, {"role": "user", "content": _AGAIN})
    return read_answer(kind, chat.json((*messages, *again), kind.__name__, kind.model_json_schema()))


class Asking(Protocol):
    """Whoever answers questions in a given form."""

    def __call__(self, question: str, kind: type[Answer], /) -> Answer | None:
        """Return the answer, or nothing where it could not be read."""
        ...


Asked = tuple[str, type[FrozenModel]]  # a question, and the form of its answer


@dataclass(frozen=True, slots=True)
class Listing:
    """Asks nobody, and lists what would be asked."""

    asked: list[Asked] = field(default_factory=list, repr=False)

    def __call__(self, question: str, kind: type[Answer], /) -> Answer | None:
        """Note the question; there is no answer."""
        self.asked.append((question, kind))
        return None


class Kept(FrozenModel):
    """One answer as it lies in a file; none where the judge's words could not be read."""

    private: Literal[False] = False
    judge: str
    answer: str | None


@dataclass(frozen=True, slots=True)
class KeptJudge:
    """A judge whose answers are kept under the digest of model and question, one file each.

    A question that the server refuses is no answer, and is not kept: another server may take it.
    """

    chat: Chat
    folder: Path
    tell: Callable[[int], None] = field(default=lambda _: None, repr=False)

    @property
    def name(self) -> str:
        """The model's name."""
        return self.chat.endpoint.model

    def __call__(self, question: str, kind: type[Answer], /) -> Answer | None:
        """Look the answer up, or ask for it."""
        path = self._path(question, kind)
        kept = _kept(path)
        found = self._ask(path, question, kind) if kept is None else _answer(kept, kind)
        self.tell(1)
        return found

    def knows(self, question: str, kind: type[FrozenModel]) -> bool:
        """Tell whether the answer was kept."""
        return _kept(self._path(question, kind)) is not None

    def _path(self, question: str, kind: type[FrozenModel]) -> Path:
        return self.folder / f"{digest_of([self.name, kind.__name__, question]).partition(':')[2]}.json"

    def _ask(self, path: Path, question: str, kind: type[Answer]) -> Answer | None:
        try:
            found = asked(self.chat, question, kind)
        except QuestionRefused:
            return None
        kept = Kept(judge=self.name, answer=None if found is None else found.model_dump_json())
        evaluation_folder(self.folder)
        write_whole(path, kept.model_dump_json().encode())
        return found


def _kept(path: Path) -> Kept | None:
    """Read what was kept; a damaged file is none, so that its question is asked again."""
    try:
        return Kept.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def _answer(kept: Kept, kind: type[Answer]) -> Answer | None:
    return None if kept.answer is None else read_answer(kind, kept.answer)
