"""What a run says: an audit text for the verifier and, where they are compared, display texts of both plans.

The display text is never verified in the paper, so ``legacy_text`` takes it as it comes. Under our own contracts it is
settled like any text of the product.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Protocol

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import marker_of
from dpspin.curator.assign.embedders import installed
from dpspin.curator.assign.sentence_evidence import Embedder
from dpspin.errors import EndpointError, QuestionRefused, RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.question import Usage
from dpspin.public.narrate.contract.screen import screen
from dpspin.public.narrate.decoders.decoder import Attempt, History
from dpspin.public.narrate.decoders.llm import LlmDecoder
from dpspin.public.narrate.decoders.prompts import plan_lines
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import DecoderName, Mode
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.writer import Writer
from dpspin.text.words import listing
from dpspin_lab.metrics.decoding import COMPARING, measured_candidate, themes_in
from dpspin_lab.metrics.text import embedding_cosine, likeness
from dpspin_lab.runs.config import RunConfig

OPENING: Final = "This is a short aggregate summary of a semantic plan."  # true of a private and of an exact plan
Measures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """A text and the decoder's own candidates; a fallback is not one of them."""

    text: str
    attempts: tuple[Attempt, ...]
    used_fallback: bool


@dataclass(frozen=True, slots=True)
class Words:
    """All that a run says; ``display`` and ``reference``, of the exact plan, where the run compares them."""

    audit: Told
    display: str | None = field(repr=False)
    reference: str | None = field(repr=False)
    reference_plan: str | None = field(default=None, repr=False)  # what the exact text was written from
    usage: Usage | None = None  # of a model, where one was asked


class _Theme(Protocol):
    """What the template says of a theme."""

    @property
    def atom_id(self) -> int: ...

    @property
    def label(self) -> str: ...

    @property
    def bin(self) -> str: ...


class _Listing(Protocol):
    """A plan, or the exact one of the paper."""

    @property
    def entries(self) -> Sequence[_Theme]: ...


class _Decoder(Protocol):
    """Writes about a plan under one contract."""

    def audit(self, plan: SemanticPlan) -> Told: ...

    def display(self, plan: SemanticPlan) -> str: ...


def text_by_bins(plan: _Listing, *, marked: bool = False) -> str:
    """Write the paper's own template: the listed themes by their support bins, and no number. It is not verified.

    It is the same for private and exact plans, so that texts of plans that agree are equal.
    """
    members: dict[str, list[str]] = {}
    for entry in plan.entries:
        label = f"{entry.label} {marker_of(entry.atom_id)}" if marked else entry.label
        members.setdefault(entry.bin, []).append(label)
    return " ".join((OPENING, *(f"Themes with {name} support: {listing(labels)}." for name, labels in members.items())))


@dataclass(frozen=True, slots=True)
class _Template:
    """Without a model. The paper's contract has the paper's text, by bins and with markers."""

    atoms: AtomUniverse
    legacy: bool

    def audit(self, plan: SemanticPlan) -> Told:
        if not self.legacy:
            told = narrate(plan, self.atoms, mode=Mode.AUDIT)
            return Told(told.text, told.attempts, told.used_fallback)
        text = text_by_bins(plan, marked=True)
        return Told(text, (Attempt.of(text, screen(Facts(plan, self.atoms), text, Mode.AUDIT)),), used_fallback=False)

    def display(self, plan: SemanticPlan) -> str:
        return text_by_bins(plan)


@dataclass(frozen=True, slots=True)
class _Legacy:
    """The paper's way with a model: what the screen accepts is taken whole, else remarks and another attempt."""

    atoms: AtomUniverse
    chat: Chat
    attempts: int

    def audit(self, plan: SemanticPlan) -> Told:
        facts, history = Facts(plan, self.atoms), History()
        decoder = LlmDecoder(self.chat, Mode.AUDIT)
        while len(history.attempts) < self.attempts:
            try:
                candidate = decoder(facts, history)
            except QuestionRefused:
                if not history.attempts:
                    raise
                break  # the conversation is too long for the model: no further attempt can be made
            attempt = Attempt.of(candidate, screen(facts, candidate, Mode.AUDIT))
            history = history.and_then(attempt)
            if attempt.accepted:
                return Told(candidate, history.attempts, used_fallback=False)
        return Told(text_by_bins(plan, marked=True), history.attempts, used_fallback=True)

    def display(self, plan: SemanticPlan) -> str:
        return LlmDecoder(self.chat, Mode.DISPLAY)(Facts(plan, self.atoms), History())


@dataclass(frozen=True, slots=True)
class _Verified:
    """The product's way: whatever a model says, what is shown reads back as claims that hold."""

    atoms: AtomUniverse
    writer: Writer

    def audit(self, plan: SemanticPlan) -> Told:
        return self._told(plan, Mode.AUDIT)

    def display(self, plan: SemanticPlan) -> str:
        return self._told(plan, Mode.DISPLAY).text

    def _told(self, plan: SemanticPlan, mode: Mode) -> Told:
        told, record = self.writer(plan, mode, self.atoms)
        if told.failure is not None:  # of the server: the run is not finished, and is made again
            raise EndpointError(told.failure)
        return Told(told.text, record.attempts, told.used_fallback)


def put_into_words(
    config: RunConfig, plan: SemanticPlan, exact: SemanticPlan | None, atoms: AtomUniverse, chat: Chat | None
) -> Words:
    """Write about the private plan and, where the run compares, about the exact one."""
    decoder = _decoder(config, atoms, chat)
    return Words(
        audit=decoder.audit(plan),
        display=None if exact is None else decoder.display(plan),
        reference=None if exact is None else decoder.display(exact),
        reference_plan=None if exact is None else "\n".join(plan_lines(exact.entries)),
        usage=chat.meter.usage if chat and config.asks_a_model else None,
    )


def text_measures(config: RunConfig, plan: SemanticPlan, words: Words, atoms: AtomUniverse) -> Measures:
    """Measure what the decoder itself wrote, and how alike the texts of both plans are."""
    facts = Facts(plan, atoms)
    found = _of_a_model(facts, words) if config.asks_a_model else _of_the_template(facts, words.audit)
    if words.display is None or words.reference is None:
        return found
    alike = likeness(words.display, words.reference)
    embedded = config.summary_embedding_backend
    return {
        **found,
        "j_tok": alike.tokens.value,
        "j_tok_empty": alike.tokens.both_empty,
        "j_2": alike.bigrams.value,
        "j_2_empty": alike.bigrams.both_empty,
        "j_kp": alike.keyphrases.value,
        "j_kp_empty": alike.keyphrases.both_empty,
        "cos_tfidf": alike.tfidf_cosine,
        **({} if embedded == "none" else {"cos_emb": _embedded(embedded, words.display, words.reference)}),
    }


def _decoder(config: RunConfig, atoms: AtomUniverse, chat: Chat | None) -> _Decoder:
    legacy = config.decoder_contract_mode == "legacy_text"
    if not config.asks_a_model:
        return _Template(atoms, legacy)
    if chat is None:
        raise RequestError(
            f"the run's text is written by {config.decoder_model}: say where it is served (--llm-url)",
            code="decoder-without-model",
        )
    if legacy:
        return _Legacy(atoms, chat, config.decoder_attempts)
    return _Verified(atoms, Writer(DecoderName(config.decoder_backend), chat, config.decoder_attempts))


def _of_the_template(facts: Facts, told: Told) -> Measures:
    """Measure each text by its own contract: ours by what its sentences were read as, the paper's by the screen.

    The screen takes a dictionary's description for a quotation, and knows none of our ways to compare.
    """
    screened, last = screen(facts, told.text, Mode.AUDIT), told.attempts[-1]
    comparisons, rate = screened.comparisons, screened.unsupported_comparison_rate
    if last.verdict is not None:
        refused = len(last.verdict.refused)  # whatever else they say, they may compare
        comparisons = refused + sum(not COMPARING.isdisjoint(each.claims) for each in last.verdict.sentences)
        rate = refused / max(1, comparisons)
    return {
        "accepted": last.accepted and not told.used_fallback,
        "uar": screened.unsupported_atom_rate,
        "ucr": rate,
        "comparisons": comparisons,
    }


def _of_a_model(facts: Facts, words: Words) -> Measures:
    """Measure the model's last candidate: the one that was taken, or the last that was not."""
    first, last = (measured_candidate(words.audit.attempts[place], facts) for place in (0, -1))
    usage = words.usage or Usage()
    return {
        "accepted": last.accepted,
        "first_accepted": first.accepted,
        "attempts": len(words.audit.attempts),
        "fallback": words.audit.used_fallback,
        "uar": last.uar,
        "ucr": last.ucr,
        "comparisons": last.comparisons,
        "named": last.named,
        **_of_the_display(facts, words.display),
        "questions": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "answer_tokens": usage.answer_tokens,
    }


def _of_the_display(facts: Facts, text: str | None) -> Measures:
    if text is None:
        return {}
    listed = facts.listed.keys()
    return {
        "display_named": len(themes_in(facts.atoms, text) & listed) / max(1, len(listed)),
        "display_accepted": screen(facts, text, Mode.DISPLAY).accepted,
    }


def _embedded(name: str, one: str, other: str) -> float:
    return embedding_cosine(_embedder(name), one, other)


@lru_cache(maxsize=1)
def _embedder(name: str) -> Embedder:
    return installed(name)
