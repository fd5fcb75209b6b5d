"""How a text came about, for whoever wants to check it: who wrote it, what was tried, and what it took."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from dpspin.boundary.model_base import Sealed, digest_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.software import SOFTWARE
from dpspin.public.narrate.contract.screen import Screening
from dpspin.public.narrate.decoders.claims import Composition
from dpspin.public.narrate.decoders.decoder import Attempt
from dpspin.public.narrate.decoders.menu import as_json
from dpspin.public.narrate.narrate import Narration
from dpspin.public.narrate.verify import Verdict

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

    @classmethod
    def of(cls, composition: Composition) -> "ClaimsRecord":
        """Say what became of a draft."""
        kept, dropped, filled = (
            tuple(map(as_json, claims)) for claims in (composition.kept, composition.dropped, composition.filled)
        )
        counts = {"repeats": composition.repeats, "malformed": composition.malformed}
        return cls(kept=kept, dropped=dropped, filled=filled, **counts)


class SettledRecord(Sealed):
    """What became of the sentences of free prose."""

    kept: int = Field(ge=0)
    replaced: int = Field(ge=0)
    left_out: int = Field(ge=0)


class AttemptRecord(Sealed):
    """One candidate: verified sentence by sentence, or screened by the paper's contract.

    ``claims`` is there where claims were chosen and could be read.
    """

    text: str
    accepted: bool
    verdict: Verdict | None = None
    screening: Screening | None = None
    claims: ClaimsRecord | None = None

    @classmethod
    def of(cls, attempt: Attempt, claims: ClaimsRecord | None = None) -> "AttemptRecord":
        """Write down an attempt."""
        judgement = attempt.judgement
        return cls(
            text=attempt.text,
            accepted=judgement.accepted,
            verdict=judgement if isinstance(judgement, Verdict) else None,
            screening=judgement if isinstance(judgement, Screening) else None,
            claims=claims,
        )


class NarrationRecord(Sealed):
    """The content of ``narration.json``: a function of the plan, public settings and the model's answers."""

    schema_version: Literal["2"] = "2"
    software: str = SOFTWARE
    plan: str  # digest
    decoder: str
    mode: str
    text: str
    verdict: Verdict
    model: ModelRecord | None
    max_attempts: int = Field(ge=1)
    attempts: tuple[AttemptRecord, ...]
    settled: SettledRecord | None
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
    chosen = [*claims, *([None] * len(narration.attempts))]
    return NarrationRecord(
        plan=digest_of(plan.model_dump(mode="json")),
        decoder=decoder,
        mode=narration.mode.value,
        text=narration.text,
        verdict=narration.verdict,
        model=model,
        max_attempts=max_attempts,
        attempts=tuple(AttemptRecord.of(*pair) for pair in zip(narration.attempts, chosen, strict=False)),
        settled=narration.settled and SettledRecord.model_validate(narration.settled, from_attributes=True),
        used_fallback=narration.used_fallback,
        fallback_reason=_reason(narration),
    )


def _reason(narration: Narration) -> str | None:
    if not narration.used_fallback:
        return None
    if narration.failure is None and narration.settled is not None:
        return "nothing of the model's text could be read as claims that hold"
    return narration.failure or f"no candidate was accepted in {len(narration.attempts)} attempts"
