"""A language model that writes the text of plans: choose a decoder by name, narrate, and write down how it went."""

from dataclasses import dataclass
from enum import StrEnum

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.llm.chat import Chat
from dpspin.llm.usage import Price, Usage
from dpspin.public.narrate.decoders.claims import ClaimsDecoder
from dpspin.public.narrate.decoders.llm import ProseDecoder
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.narrate import Narration, narrate
from dpspin.public.narrate.record import ClaimsRecord, ModelRecord, NarrationRecord, record_of


class Writing(StrEnum):
    """How a language model takes part."""

    CLAIMS = "claims"  # it chooses claims, code writes
    LLM = "llm"  # it writes; what is published is settled


@dataclass(frozen=True, slots=True)
class Writer:
    """A language model under fixed settings."""

    writing: Writing
    chat: Chat
    max_attempts: int = 3
    price: Price | None = None

    def __call__(self, plan: SemanticPlan, mode: Mode, atoms: AtomUniverse) -> tuple[Narration, NarrationRecord]:
        """Narrate a plan, and say what this one text took."""
        before = self.chat.meter.usage
        decoder = ClaimsDecoder(self.chat, mode) if self.writing is Writing.CLAIMS else ProseDecoder(self.chat, mode)
        narration = narrate(plan, atoms, decoder, mode=mode, max_attempts=self.max_attempts)
        chosen = decoder.compositions if isinstance(decoder, ClaimsDecoder) else []
        return narration, record_of(
            narration,
            plan,
            decoder=self.writing.value,
            max_attempts=self.max_attempts,
            model=_model(self.chat, self.chat.meter.usage - before, self.price),
            claims=[None if each is None else ClaimsRecord.of(each) for each in chosen],
        )


def _model(chat: Chat, usage: Usage, price: Price | None) -> ModelRecord:
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
