"""Who writes the text of a plan, by name, and how it came about, for whoever wants to check it."""

from dataclasses import asdict, dataclass
from typing import Literal

from pydantic import Field

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import FrozenModel, digest_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.software import SOFTWARE
from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.question import Price, Usage
from dpspin.public.narrate.decoders.claims import ClaimsDecoder
from dpspin.public.narrate.decoders.decoder import Attempt, Decoder
from dpspin.public.narrate.decoders.llm import LlmDecoder
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.modes import DecoderName, Length, Mode
from dpspin.public.narrate.narrate import Narration, narrate
from dpspin.public.narrate.verify import Verdict


class ModelRecord(FrozenModel):
    """Which model was asked, where and how. The endpoint is a host name, or ``loopback``: no path, no key."""

    model: str
    endpoint: str
    temperature: float
    seed: int
    calls: int = Field(ge=0)
    prompt_tokens: int = Field(ge=0)
    answer_tokens: int = Field(ge=0)
    cost: float | None = Field(ge=0)  # in the currency of the price that was given

    @classmethod
    def of(cls, chat: Chat, usage: Usage, price: Price | None) -> "ModelRecord":
        """Say what one text took."""
        return cls(
            model=chat.endpoint.model,
            endpoint=chat.place,
            temperature=chat.temperature,
            seed=chat.seed,
            cost=None if price is None else usage.cost(price),
            **asdict(usage),
        )


class SettledRecord(FrozenModel):
    """What became of the sentences of free prose."""

    kept: int = Field(ge=0)
    replaced: int = Field(ge=0)
    left_out: int = Field(ge=0)


class NarrationRecord(FrozenModel):
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
    attempts: tuple[Attempt, ...]
    settled: SettledRecord | None
    used_fallback: bool
    fallback_reason: str | None

    def to_json(self) -> str:
        """Return the file's text."""
        return self.model_dump_json(indent=2) + "\n"


def decoder_named(name: DecoderName, mode: Mode, chat: Chat | None = None, length: Length = Length.FULL) -> Decoder:
    """Return the decoder of that name; ``length`` is the template's, and a model is asked by its chat."""
    if name is DecoderName.TEMPLATE:
        return TemplateDecoder(mode, length)
    if chat is None:
        raise RequestError(f"the decoder {name.value} asks a language model: name one", code="decoder-without-model")
    match name:
        case DecoderName.CLAIMS:
            return ClaimsDecoder(chat, mode)
        case DecoderName.LLM:
            return LlmDecoder(chat, mode)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the texts of plans under fixed settings."""

    decoder: DecoderName
    chat: Chat | None = None
    max_attempts: int = 3
    price: Price | None = None
    length: Length = Length.FULL

    def __call__(self, plan: SemanticPlan, mode: Mode, atoms: AtomUniverse) -> tuple[Narration, NarrationRecord]:
        """Narrate a plan, and say how this one text came about and what it took."""
        before = self.chat.meter.usage if self.chat else Usage()
        decoder = decoder_named(self.decoder, mode, self.chat, self.length)
        told = narrate(plan, atoms, decoder, mode=mode, max_attempts=self.max_attempts)
        return told, NarrationRecord(
            plan=digest_of(plan.model_dump(mode="json")),
            decoder=self.decoder.value,
            mode=mode.value,
            text=told.text,
            verdict=told.verdict,
            model=ModelRecord.of(self.chat, self.chat.meter.usage - before, self.price) if self.chat else None,
            max_attempts=self.max_attempts,
            attempts=_with_claims(told.attempts, decoder),
            settled=told.settled and SettledRecord.model_validate(told.settled, from_attributes=True),
            used_fallback=told.used_fallback,
            fallback_reason=_reason(told),
        )


def _with_claims(attempts: tuple[Attempt, ...], decoder: Decoder) -> tuple[Attempt, ...]:
    """Add what became of the claims that were chosen in each attempt."""
    chosen = decoder.compositions if isinstance(decoder, ClaimsDecoder) else []
    records = [None if each is None else each.record for each in chosen] + [None] * len(attempts)
    return tuple(
        attempt.model_copy(update={"claims": claims}) for attempt, claims in zip(attempts, records, strict=False)
    )


def _reason(narration: Narration) -> str | None:
    if not narration.used_fallback:
        return None
    if narration.failure is None and narration.settled is not None:
        return "nothing of the model's text could be read as claims that hold"
    return narration.failure or f"no candidate was accepted in {len(narration.attempts)} attempts"
