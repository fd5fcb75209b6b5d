"""``dpspin narrate``: from a plan to a verified text; and how ``report`` gets one, from a template or a model.

A model reads the plan, and no record.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.flags import JsonOption, PlanArgument
from dpspin.cli.terminal import say
from dpspin.errors import RequestError
from dpspin.public.narrate.modes import DecoderName, Length, Mode

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.boundary.plan import SemanticPlan
    from dpspin.llm.question import Price
    from dpspin.public.narrate.narrate import Narration
    from dpspin.public.narrate.writer import NarrationRecord

ATTEMPTS = 3


DecoderOption = Annotated[
    DecoderName,
    typer.Option(
        "--decoder",
        help="template: no model; claims: a model chooses checked claims, code writes; llm: a model writes.",
    ),
]
TemplateLengthOption = Annotated[
    Length | None,
    typer.Option("--length", help="The template's text: short (about five sentences) or full (default)."),
]
UrlOption = Annotated[
    str | None,
    typer.Option(
        "--llm-url", help="An OpenAI-compatible endpoint, as http://127.0.0.1:8080/v1; it reads the plan only."
    ),
]
ModelOption = Annotated[str | None, typer.Option("--llm-model", help="The model's name there.")]
PriceOption = Annotated[
    str | None,
    typer.Option("--llm-price", help="The price of a million tokens read/written, as 0.15/0.60: adds a cost."),
]
AttemptsOption = Annotated[
    int, typer.Option("--attempts", min=1, max=20, help="How often a model may try; then the template writes.")
]
TemperatureOption = Annotated[float, typer.Option("--temperature", min=0.0, max=2.0, help="Of the model.")]
LlmSeedOption = Annotated[int, typer.Option("--seed", min=0, help="Of the model.")]
ModeOption = Annotated[Mode, typer.Option("--mode", help="display: for readers; audit: with markers and masses.")]


def narrate(
    plan: PlanArgument,
    mode: ModeOption = Mode.DISPLAY,
    length: TemplateLengthOption = None,
    decoder: DecoderOption = DecoderName.TEMPLATE,
    llm_url: UrlOption = None,
    llm_model: ModelOption = None,
    llm_price: PriceOption = None,
    attempts: AttemptsOption = ATTEMPTS,
    temperature: TemperatureOption = 0.0,
    seed: LlmSeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Write the summary of a plan. Every sentence has passed the verifier; nothing but the plan is read."""
    from dpspin.cli.plans import plan_in, read_plan
    from dpspin.public.atoms.packs import require_atoms_beside

    plan = plan_in(plan)
    released = read_plan(plan)
    options = WritingOptions(decoder, length, llm_url, llm_model, llm_price, attempts, temperature, seed)
    _, record = options.narrated(released, mode, require_atoms_beside(plan, released))
    tell_fallback(record)
    say(record.to_json() if as_json else record.text, nl=not as_json)


@dataclass(frozen=True, slots=True)
class WritingOptions:
    """Who writes, and how."""

    decoder: DecoderName
    length: Length | None
    url: str | None
    model: str | None
    price: str | None
    attempts: int
    temperature: float
    seed: int

    @property
    def asks_a_model(self) -> bool:
        """Tell whether anything leaves this machine's process at all."""
        return self.decoder.asks_a_model

    def require(self) -> None:
        """Refuse a model without an address, and an address without a model's decoder."""
        if self.asks_a_model and (self.url is None or self.model is None):
            raise RequestError(f"--decoder {self.decoder} asks a language model: name --llm-url and --llm-model")
        if not self.asks_a_model and (self.url or self.model or self.price):
            raise RequestError("--llm-url, --llm-model and --llm-price go with --decoder claims or llm")
        if self.asks_a_model and self.length is not None:
            raise RequestError("--length is for the template's text: leave it out, or leave the decoder out")

    def narrated(
        self, plan: "SemanticPlan", mode: "Mode", atoms: "AtomUniverse"
    ) -> "tuple[Narration, NarrationRecord]":
        """Write the text of a plan, and how it came about; the template needs no second attempt."""
        from dpspin.llm.chat import Chat
        from dpspin.llm.endpoint import Endpoint
        from dpspin.public.narrate.writer import Writer

        self.require()
        if not self.asks_a_model:
            return Writer(self.decoder, max_attempts=1, length=self.length or Length.FULL)(plan, mode, atoms)
        chat = Chat(Endpoint(self.url or "", self.model or ""), temperature=self.temperature, seed=self.seed)
        return Writer(self.decoder, chat, self.attempts, _price(self.price))(plan, mode, atoms)


def tell_fallback(record: "NarrationRecord") -> None:
    """Say on stderr that the text is not the model's."""
    if record.used_fallback:
        say(f"The template wrote this text instead of the model: {record.fallback_reason}.", err=True)


def _price(given: str | None) -> "Price | None":
    from dpspin.llm.question import Price

    if given is None:
        return None
    try:
        prompt, answer = (float(part) for part in given.split("/"))
    except ValueError:
        raise RequestError(f"a price is written as read/written, such as 0.15/0.60, not {given!r}") from None
    if not (0 <= prompt < float("inf") and 0 <= answer < float("inf")):
        raise RequestError("a price is a number from zero up")
    return Price(prompt, answer)
