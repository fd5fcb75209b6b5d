"""What the verifier answers: a decision, the named violations behind it, and the paper's contract metrics."""

from pydantic import Field

from dpspin.boundary.sealed import Sealed

Span = tuple[int, int]


class Violation(Sealed):
    """One broken rule. ``message`` is one sentence that tells a decoder how to mend the text at ``span``."""

    rule: str
    message: str
    span: Span


class Verdict(Sealed):
    """The decision on one text; it is accepted if and only if no violation was found.

    ``unsupported_atom_rate`` and ``unsupported_comparison_rate`` are the paper's UAR and UCR. A UCR of zero means
    little when no comparison was made, so it is read together with ``comparisons``.
    """

    accepted: bool
    violations: tuple[Violation, ...] = ()
    unsupported_atom_rate: float = Field(ge=0, le=1)
    unsupported_comparison_rate: float = Field(ge=0, le=1)
    comparisons: int = Field(ge=0)
    lexicon: str = ""  # version and digest of the words and phrases by which the text was read

    def to_json(self) -> str:
        """Return the verdict as one line of JSON, ready for a log of attempts."""
        return self.model_dump_json()

    def rules(self) -> tuple[str, ...]:
        """Return the names of the broken rules, each once, in the order of the text."""
        return tuple(dict.fromkeys(violation.rule for violation in self.violations))


def rate(part: int, whole: int) -> float:
    """Return part / max(1, whole), the form of both UAR and UCR.

    >>> rate(1, 4), rate(0, 0)
    (0.25, 0.0)
    """
    return part / max(1, whole)
