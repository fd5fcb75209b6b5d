"""What a decoder is, and what it is told of its earlier attempts: candidates and judgements, functions of the plan."""

from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

from pydantic import Field

from dpspin.boundary.model_base import FrozenModel
from dpspin.public.narrate.contract.screen import Screening
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.verify import Settled, Verdict

LONGEST_EXCERPT: Final = 80

Judgement = Verdict | Screening  # of a candidate that was read sentence by sentence, or screened by the contract
ClaimJson = dict[str, Any]


class ClaimsRecord(FrozenModel):
    """What became of a model's claims: written, dropped because they do not hold, filled in because left out."""

    kept: tuple[ClaimJson, ...]
    dropped: tuple[ClaimJson, ...]
    filled: tuple[ClaimJson, ...]
    repeats: int = Field(ge=0)
    malformed: int = Field(ge=0)


class Attempt(FrozenModel):
    """One candidate, and what was found in it: verified sentence by sentence, or screened by the paper's contract.

    ``claims`` is there where claims were chosen and could be read.
    """

    text: str
    accepted: bool
    verdict: Verdict | None = None
    screening: Screening | None = None
    claims: ClaimsRecord | None = None

    @classmethod
    def of(cls, text: str, judgement: Judgement) -> "Attempt":
        """Write down a candidate and its judgement."""
        kind = "verdict" if isinstance(judgement, Verdict) else "screening"
        return cls.model_validate({"text": text, "accepted": judgement.accepted, kind: judgement})

    @property
    def feedback(self) -> str:
        """What is wrong with it, line by line: the rule, the place, and how to mend it; then all that is unsaid."""
        lines: list[str] = []
        if self.verdict is not None:
            lines += (_line(each.rule, each.text, each.message) for each in self.verdict.refused)
            lines += (f"- {each.rule}: {each.message}" for each in self.verdict.missing)
        if self.screening is not None:
            found = self.screening.violations
            lines += (_line(each.rule, self.text[slice(*each.span)], each.message) for each in found)
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class History:
    """The paper's H: every earlier attempt of this narration, oldest first."""

    attempts: tuple[Attempt, ...] = ()

    @property
    def feedback(self) -> str:
        """The remarks on the latest candidate; empty before the first."""
        return self.attempts[-1].feedback if self.attempts else ""

    def and_then(self, attempt: Attempt) -> "History":
        """Return the history with one more attempt."""
        return History((*self.attempts, attempt))


class Decoder(Protocol):
    """Write a candidate from the plan and the history of this narration; it never sees a record."""

    def __call__(self, facts: Facts, history: History, /) -> str:
        """Return the next candidate."""


@runtime_checkable
class FreeWriter(Protocol):
    """A decoder whose prose is screened first, and settled before it is published."""

    def judge(self, text: str, language: Language) -> Judgement:
        """Screen a candidate."""

    def settled(self, text: str, language: Language) -> Settled:
        """Return what may be published of it."""


def _line(rule: str | None, piece: str, message: str | None) -> str:
    words = " ".join(piece.split())
    excerpt = words if len(words) <= LONGEST_EXCERPT else words[: LONGEST_EXCERPT - 1] + "…"
    return f"- {rule} at “{excerpt}”: {message}"
