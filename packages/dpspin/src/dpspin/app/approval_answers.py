"""What the jobs about approvals tell the pages: plain values, for the curator's side."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FiledRow:
    """A request that was filed, in one row."""

    digest: str
    short: str
    standing: str
    dataset: str
    cost: str
    asked_by: str
    day: str
    note: str
    decided: str  # by whom, when and why; empty: nobody has

    @property
    def url(self) -> str:
        """Where an officer looks at it."""
        return f"/approvals/{self.short}"


@dataclass(frozen=True, slots=True)
class ReviewShown:
    """Everything that an officer is shown of a request."""

    row: FiledRow
    facts: tuple[tuple[str, str], ...]
    told: str
    promise: tuple[str, ...]
    not_covered: tuple[str, ...]
    forecast: str
    in_short: tuple[str, ...]
    budgets: tuple[str, ...]
    spent: tuple[tuple[str, str, str, str], ...]  # day, how much, what, by whom
    verdicts: tuple[tuple[str, str, str, str, str], ...]  # day, decision, officer, until, reason
