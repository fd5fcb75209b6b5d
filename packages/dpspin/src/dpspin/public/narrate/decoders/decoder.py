"""What a decoder is, and what it is told of its earlier attempts: candidates and judgements, functions of the plan."""

from dataclasses import dataclass
from typing import Final

from dpspin.public.narrate.contract.screen import Screening
from dpspin.public.narrate.verify import Verdict

LONGEST_EXCERPT: Final = 80


Judgement = (
    Verdict | Screening
)  # of a candidate that was read sentence by sentence, or screened by the paper's contract


@dataclass(frozen=True, slots=True)
class Attempt:
    """One candidate and what was found in it."""

    text: str
    judgement: Judgement

    @property
    def feedback(self) -> str:
        """What is wrong with it, line by line: the rule, the place, and how to mend it; then all that is unsaid."""
        match self.judgement:
            case Verdict(refused=refused, missing=missing):
                unsaid = (f"- {each.rule}: {each.message}" for each in missing)
                return "\n".join((*(_line(each.rule, each.text, each.message) for each in refused), *unsaid))
            case Screening(violations=found):
                return "\n".join(_line(each.rule, self.text[slice(*each.span)], each.message) for each in found)


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
