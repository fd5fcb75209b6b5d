"""What a decoder is told about its earlier attempts: candidates and judgements, all functions of the plan."""

from dataclasses import dataclass
from typing import Final

from dpspin.public.narrate.contract.screen import Screening
from dpspin.public.narrate.verdict import Verdict

LONGEST_EXCERPT: Final = 80


@dataclass(frozen=True, slots=True)
class Verified:
    """A candidate was read sentence by sentence."""

    verdict: Verdict

    @property
    def accepted(self) -> bool:
        """Whether every sentence holds."""
        return self.verdict.accepted

    def feedback(self, text: str) -> str:  # noqa: ARG002  a screen needs it
        """Return a line for each sentence that was refused (the rule, the sentence, how to mend it) and all unsaid."""
        refused = (_line(each.rule, each.text, each.message) for each in self.verdict.refused)
        return "\n".join((*refused, *(f"- {each.rule}: {each.message}" for each in self.verdict.missing)))


@dataclass(frozen=True, slots=True)
class Screened:
    """A candidate was screened by the paper's contract."""

    screening: Screening

    @property
    def accepted(self) -> bool:
        """Whether no violation was found."""
        return self.screening.accepted

    def feedback(self, text: str) -> str:
        """Return one line for each violation: the rule, the place, and how to mend it."""
        found = self.screening.violations
        return "\n".join(_line(each.rule, text[slice(*each.span)], each.message) for each in found)


Judgement = Verified | Screened


@dataclass(frozen=True, slots=True)
class Attempt:
    """One candidate and what was found in it."""

    text: str
    judgement: Judgement

    @property
    def feedback(self) -> str:
        """What is wrong with it, line by line."""
        return self.judgement.feedback(self.text)


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


def _line(rule: str | None, piece: str, message: str | None) -> str:
    words = " ".join(piece.split())
    excerpt = words if len(words) <= LONGEST_EXCERPT else words[: LONGEST_EXCERPT - 1] + "…"
    return f"- {rule} at “{excerpt}”: {message}"
