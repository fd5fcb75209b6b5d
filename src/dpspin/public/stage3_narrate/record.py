"""How a text came about, for whoever wants to check it: who wrote it, what was tried, and what it took."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.sealed import Sealed, digest_of
from dpspin.boundary.software import SOFTWARE
from dpspin.public.stage3_narrate.history import Attempt
from dpspin.public.stage3_narrate.narrate import Narration
from dpspin.public.stage3_narrate.verify.verdict import Verdict

ClaimJson = dict[str, Any]


class ModelRecord(Sealed):
    """Which model was asked, where and how. The endpoint is a host name, or ``loopback``: no path, no key."""

    model: str
    endpoint: str
    temperature: float
    seed: int
    calls: int = Field(ge=0)
    prompt_tokens: int = Field(ge=0)
    answer_tokens: int = Field(ge=0)
    cost: float | None = Field(ge=0)  # in the currency of the price that was given


class ClaimsRecord(Sealed):
    """What became of a model's claims: written, dropped because they do not hold, filled in because left out."""

    kept: tuple[ClaimJson, ...]
    dropped: tuple[ClaimJson, ...]
    filled: tuple[ClaimJson, ...]
    repeats: int = Field(ge=0)
    malformed: int = Field(ge=0)


class AttemptRecord(Sealed):
    """One candidate and its verdict; ``claims`` is there where claims were chosen and could be read."""

    text: str
    verdict: Verdict
    claims: ClaimsRecord | None = None


class NarrationRecord(Sealed):
    """The content of ``narration.json``: a function of the plan, public settings and the model's answers."""

    schema_version: Literal["1"] = "1"
    software: str = SOFTWARE
    plan: str  # digest
    decoder: str
    mode: str
    text: str
    model: ModelRecord | None
    max_attempts: int = Field(ge=1)
    attempts: tuple[AttemptRecord, ...]
    used_fallback: bool
    fallback_reason: str | None

    def to_json(self) -> str:
        """Return the file's text."""
        return self.model_dump_json(indent=2) + "\n"


def record_of(
    narration: Narration,
    plan: SemanticPlan,
    *,
    decoder: str,
    max_attempts: int,
    model: ModelRecord | None = None,
    claims: Sequence[ClaimsRecord | None] = (),
) -> NarrationRecord:
    """Write down a narration; ``claims`` go with the attempts, in order."""
    return NarrationRecord(
        plan=digest_of(plan.model_dump(mode="json")),
        decoder=decoder,
        mode=narration.mode.value,
        text=narration.text,
        model=model,
        max_attempts=max_attempts,
        attempts=tuple(_attempt(each, place, claims) for place, each in enumerate(narration.attempts)),
        used_fallback=narration.used_fallback,
        fallback_reason=_reason(narration),
    )


def _attempt(attempt: Attempt, place: int, claims: Sequence[ClaimsRecord | None]) -> AttemptRecord:
    return AttemptRecord(
        text=attempt.text, verdict=attempt.verdict, claims=claims[place] if place < len(claims) else None
    )


def _reason(narration: Narration) -> str | None:
    if not narration.used_fallback:
        return None
    return narration.failure or f"no candidate was accepted in {len(narration.attempts)} attempts"
