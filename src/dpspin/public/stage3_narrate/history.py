"""What a decoder is told about its earlier attempts: candidates, verdicts and feedback, all functions of the plan."""

from dataclasses import dataclass

from dpspin.public.stage3_narrate.verify.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Attempt:
    """One candidate and what the verifier said of it."""

    text: str
    verdict: Verdict

    @property
    def feedback(self) -> str:
        """The verifier's advice on this candidate."""
        return feedback_on(self.text, self.verdict)


@dataclass(frozen=True, slots=True)
class History:
    """The paper's H: every earlier attempt of this narration, oldest first."""

    attempts: tuple[Attempt, ...] = ()

    def __len__(self) -> int:
        return len(self.attempts)

    def and_then(self, attempt: Attempt) -> "History":
        """Return the history with one more attempt."""
        return History((*self.attempts, attempt))

    @property
    def feedback(self) -> str:
        """The advice on the latest candidate; empty before the first."""
        return self.attempts[-1].feedback if self.attempts else ""


def feedback_on(text: str, verdict: Verdict) -> str:
    """Write one line per violation: the rule, where it was broken, and how to mend it.

    >>> from dpspin.public.stage3_narrate.verify.verdict import Violation
    >>> broken = Violation(rule="missing-marker", message="Put [atom:17] directly after 'long wait'.", span=(0, 9))
    >>> verdict = Verdict(accepted=False, violations=(broken,), unsupported_atom_rate=0.0,
    ...                   unsupported_comparison_rate=0.0, comparisons=0)
    >>> print(feedback_on("Long wait has high support.", verdict))
    - missing-marker at “Long wait”: Put [atom:17] directly after 'long wait'.
    """
    return "\n".join(
        f"- {violation.rule} at “{_excerpt(text[slice(*violation.span)])}”: {violation.message}"
        for violation in verdict.violations
    )


def _excerpt(piece: str, longest: int = 80) -> str:
    line = " ".join(piece.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
