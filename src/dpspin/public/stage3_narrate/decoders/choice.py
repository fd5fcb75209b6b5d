"""Choose a decoder by name, narrate with it, and write down how it went."""

from dataclasses import dataclass
from enum import StrEnum

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.llm.chat import Chat
from dpspin.llm.usage import Price, Usage
from dpspin.public.stage3_narrate.decoders.claim_forms import as_json
from dpspin.public.stage3_narrate.decoders.claims_llm import ClaimsDecoder
from dpspin.public.stage3_narrate.decoders.composition import Composition
from dpspin.public.stage3_narrate.decoders.llm import LlmDecoder
from dpspin.public.stage3_narrate.narrate import Narration, narrate
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.record import ClaimsRecord, ModelRecord, NarrationRecord, record_of


class Writing(StrEnum):
    """How a language model takes part."""

    CLAIMS = "claims"  # it chooses claims, code writes
    LLM = "llm"  # it writes


@dataclass(frozen=True, slots=True)
class Writer:
    """A language model that writes the text of plans."""

    writing: Writing
    chat: Chat
    max_attempts: int = 3
    price: Price | None = None

    def __call__(
        self, plan: SemanticPlan, mode: Mode, atoms: AtomUniverse | None = None
    ) -> tuple[Narration, NarrationRecord]:
        """Narrate a plan, and say what this one text took."""
        before = self.chat.meter.usage
        claims: list[Composition | None] = []
        decoder: ClaimsDecoder | LlmDecoder
        match self.writing:
            case Writing.CLAIMS:
                decoder = ClaimsDecoder(self.chat, mode)
                claims = decoder.compositions
            case Writing.LLM:
                decoder = LlmDecoder(self.chat, mode)
        narration = narrate(plan, decoder, mode=mode, max_attempts=self.max_attempts, atoms=atoms)
        return narration, record_of(
            narration,
            plan,
            decoder=self.writing.value,
            max_attempts=self.max_attempts,
            model=model_record(self.chat, self.chat.meter.usage - before, self.price),
            claims=[None if each is None else claims_record(each) for each in claims],
        )


def model_record(chat: Chat, usage: Usage, price: Price | None) -> ModelRecord:
    """Say who was asked and what it took."""
    return ModelRecord(
        model=chat.endpoint.model,
        endpoint=chat.place,
        temperature=chat.temperature,
        seed=chat.seed,
        calls=usage.calls,
        prompt_tokens=usage.prompt_tokens,
        answer_tokens=usage.answer_tokens,
        cost=None if price is None else usage.cost(price),
    )


def claims_record(composition: Composition) -> ClaimsRecord:
    """Say what became of a draft."""
    return ClaimsRecord(
        kept=tuple(map(as_json, composition.kept)),
        dropped=tuple(map(as_json, composition.dropped)),
        filled=tuple(map(as_json, composition.filled)),
        repeats=composition.repeats,
        malformed=composition.malformed,
    )
