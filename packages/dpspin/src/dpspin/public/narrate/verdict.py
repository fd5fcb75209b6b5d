"""What the verifier answers: whether each sentence was read as claims that hold, and the text is accepted."""

from enum import StrEnum

from pydantic import Field

from dpspin.boundary.model_base import Sealed

Span = tuple[int, int]


class Status(StrEnum):
    """What became of a sentence. There is no fourth case."""

    VERIFIED = "verified"  # it reads as claims, and all of them hold
    FALSE = "false"  # it was read, and does not hold
    NOT_READ = "not read"  # no form reads it


class SentenceVerdict(Sealed):
    """The decision on one sentence; ``rule`` and ``message`` say what is wrong, ``atoms`` which rows it rests on."""

    text: str
    span: Span
    status: Status
    claims: tuple[str, ...] = ()  # kinds
    atoms: tuple[int, ...] = ()
    bullet: bool = False
    rule: str | None = None
    message: str | None = None


class Missing(Sealed):
    """What a text as a whole lacks: which rule says so, and what to add."""

    rule: str
    message: str


class Verdict(Sealed):
    """The decision on one text: accepted if every sentence is verified, and nothing that must be said is missing."""

    accepted: bool
    sentences: tuple[SentenceVerdict, ...]
    missing: tuple[Missing, ...] = ()
    dictionary: str = Field(min_length=1)  # the digest of the dictionary by which it was read
    forms: str = Field(min_length=1)  # the digest of the forms by which it was read

    @property
    def verified(self) -> tuple[SentenceVerdict, ...]:
        """The sentences that hold."""
        return tuple(each for each in self.sentences if each.status is Status.VERIFIED)

    @property
    def refused(self) -> tuple[SentenceVerdict, ...]:
        """The sentences that are not verified."""
        return tuple(each for each in self.sentences if each.status is not Status.VERIFIED)

    def rules(self) -> tuple[str, ...]:
        """Return the names of the broken rules, each once: those of sentences in the order of the text."""
        broken = (*(each.rule for each in self.refused if each.rule is not None), *(each.rule for each in self.missing))
        return tuple(dict.fromkeys(broken))
