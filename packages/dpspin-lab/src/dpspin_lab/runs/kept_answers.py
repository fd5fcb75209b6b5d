"""Answers of a language model, kept by what was asked: an interrupted evaluation asks nothing twice."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Lock
from typing import Literal

from pydantic import ValidationError

from dpspin.boundary.model_base import FrozenModel, digest_of
from dpspin.boundary.safe_files import write_whole
from dpspin.llm.chat import Answering, Chat
from dpspin.llm.question import Failure, Question, Reply
from dpspin_lab.not_private import RANDOMNESS, evaluation_folder

ANSWERS = "answers"  # the folder beside the data sets


class KeptReply(FrozenModel):
    """One answer as it lies in a file, with what it took when it was asked for."""

    private: Literal[False] = False
    randomness: Literal["SIMULATED-NOT-PRIVATE"] = RANDOMNESS
    model: str
    text: str
    prompt_tokens: int
    answer_tokens: int
    seconds: float

    @property
    def reply(self) -> Reply:
        """The same as it came."""
        return Reply(self.text, self.prompt_tokens, self.answer_tokens, self.seconds)


@dataclass(frozen=True, slots=True)
class KeptAnswers:
    """Stands between a chat and its client. Where the model is served is not part of what was asked.

    A question that the server refuses, fails over or answers with no completion is no answer, and is not kept: another
    server may take it. Two who ask the same at once are answered once.
    """

    client: Answering
    model: str
    folder: Path
    heard: Callable[[Reply], None] = field(default=lambda _: None, repr=False)  # told of every answer
    locks: dict[Path, Lock] = field(default_factory=dict, repr=False)

    @property
    def host(self) -> str:
        """The client's host."""
        return self.client.host

    @property
    def address(self) -> str:
        """The client's address."""
        return self.client.address

    @property
    def is_here(self) -> bool:
        """Whether the client's server is on this machine."""
        return self.client.is_here

    def ask(self, question: Question) -> Reply | Failure:
        """Look the answer up, or ask for it."""
        path = self._path(question)
        with self.locks.setdefault(path, Lock()):
            reply = self.known(question) or self._asked(question, path)
        if isinstance(reply, Reply):
            self.heard(reply)
        return reply

    def known(self, question: Question) -> Reply | None:
        """Look the answer up."""
        kept = _kept(self._path(question))
        return None if kept is None else kept.reply

    def _path(self, question: Question) -> Path:
        return self.folder / f"{_digest(self.model, question)}.json"

    def _asked(self, question: Question, path: Path) -> Reply | Failure:
        reply = self.client.ask(question)
        if isinstance(reply, Reply) and reply.text is not None:
            kept = KeptReply(
                model=self.model,
                text=reply.text,
                prompt_tokens=reply.prompt_tokens,
                answer_tokens=reply.answer_tokens,
                seconds=reply.seconds,
            )
            evaluation_folder(self.folder)
            write_whole(path, kept.model_dump_json().encode())
        return reply


@dataclass(frozen=True, slots=True)
class Unasked:
    """Asks nobody: it answers what was kept, says anything of the rest, and lists that."""

    keeper: KeptAnswers
    questions: list[Question] = field(default_factory=list, repr=False)

    @property
    def host(self) -> str:
        """The client's host."""
        return self.keeper.host

    @property
    def address(self) -> str:
        """The client's address."""
        return self.keeper.address

    @property
    def is_here(self) -> bool:
        """Whether the client's server is on this machine."""
        return self.keeper.is_here

    def ask(self, question: Question) -> Reply:
        """Look the answer up, or note the question."""
        kept = self.keeper.known(question)
        if kept is None and question not in self.questions:
            self.questions.append(question)
        return kept or Reply("...")


def keeping(chat: Chat, out: Path, heard: Callable[[Reply], None] = lambda _: None) -> KeptAnswers:
    """Keep what a chat's model answers beside the results of an evaluation."""
    return KeptAnswers(chat.client, chat.endpoint.model, out / ANSWERS, heard)


def _digest(model: str, question: Question) -> str:
    asked = {**asdict(question), "form": [type(question.form).__name__, asdict(question.form)]}
    return digest_of([model, asked]).partition(":")[2]


def _kept(path: Path) -> KeptReply | None:
    """Read what was kept; a damaged file is none, so that its question is asked again."""
    try:
        return KeptReply.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
