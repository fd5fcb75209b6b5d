"""What a non-private reference is written from, and by whom: a language model on this machine, or code alone."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from dpspin.llm.chat import Chat
from dpspin_lab.baselines.asking import asked
from dpspin_lab.not_private import write_not_private

EXTRACTIVE = "extractive template"


class Source(Protocol):
    """Something exact that a text is written from."""

    @property
    def method(self) -> str:
        """What tables call it."""
        ...

    @property
    def settings(self) -> Mapping[str, object]:
        """What it was made with, for the record."""
        ...

    def prompt(self) -> str:
        """Return what a language model is asked."""
        ...

    def extract(self) -> str:
        """Return a text without any model."""
        ...


@dataclass(frozen=True, slots=True)
class Reference:
    """A text that protects nobody, and says so wherever it is stored."""

    method: str
    writer: str
    text: str = field(repr=False)
    settings: Mapping[str, object]
    private: Literal[False] = False


def refer(source: Source, chat: Chat | None = None) -> Reference:
    """Have a source put into words, by a model on this machine or by the template; nothing verifies the text."""
    if chat is None:
        return Reference(source.method, EXTRACTIVE, source.extract(), dict(source.settings))
    text = asked(chat, source.prompt())
    return Reference(source.method, chat.endpoint.model, text, dict(source.settings))


def write(folder: Path, reference: Reference) -> Path:
    """Write one marked file, never beside a release."""
    return write_not_private(folder, reference.method.replace(" ", "-"), asdict(reference))
