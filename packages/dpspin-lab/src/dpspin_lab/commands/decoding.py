"""The options of ``dpspin lab paper`` for texts that a language model writes."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.errors import RequestError
from dpspin_lab.commands.options import price_of

if TYPE_CHECKING:
    from dpspin_lab.runs.model_runs import Decoding


class Backend(StrEnum):
    """How a model writes."""

    LLM = "llm"
    CLAIMS = "claims"


class Embedding(StrEnum):
    """Which model tells how near two texts are in meaning."""

    NONE = "none"
    STATIC = "static"
    MINILM = "minilm"


PLANS, ATTEMPTS, AT_ONCE = 20, 3, 1
UrlOption = Annotated[
    str | None,
    typer.Option(
        "--decoder-url",
        help="Also let a language model write texts, of private and of exact plans: an OpenAI-compatible endpoint, key "
        "in $DPSPIN_LLM_KEY. On this machine, or see --llm-endpoint-is-trusted.",
    ),
]
ModelOption = Annotated[str | None, typer.Option("--decoder-model", help="The writer's name there.")]
BackendOption = Annotated[
    list[Backend] | None,
    typer.Option(
        "--decoder-backend", help="llm: prose, by the paper's contract; claims: it chooses, code writes. May be both."
    ),
]
PlansOption = Annotated[
    int, typer.Option("--decoder-plans", min=1, help="About how many plans of each data set, exact ones among them.")
]
AttemptsOption = Annotated[
    int, typer.Option("--decoder-attempts", min=1, help="How often a text that was refused may be written in all.")
]
AtOnceOption = Annotated[int, typer.Option("--decoder-at-once", min=1, help="Questions at once.")]
PriceInOption = Annotated[
    float | None, typer.Option("--decoder-price-in", min=0, help="What a million tokens in cost, for the estimate.")
]
PriceOutOption = Annotated[
    float | None, typer.Option("--decoder-price-out", min=0, help="What a million tokens out cost.")
]
EstimateOption = Annotated[
    bool, typer.Option("--decoder-estimate", help="Say what the writer will take, from its first questions, and stop.")
]
EmbedderOption = Annotated[
    Embedding, typer.Option("--embedder", help="Also compare the writer's texts by an embedding that is installed.")
]


def decoding_of(
    url: str | None,
    model: str | None,
    backends: list[Backend] | None,
    prices: tuple[float | None, float | None],
    *,
    plans: int,
    attempts: int,
    at_once: int,
    embedder: Embedding,
    estimate_only: bool,
    trusted: bool,
    records_are_public: bool,
) -> "Decoding | None":
    """Return who writes, or nothing where nobody is named."""
    from dpspin_lab.not_private import endpoint_at
    from dpspin_lab.runs.model_runs import Decoding

    if url is None and model is None:
        given = (backends, estimate_only, embedder is not Embedding.NONE, prices != (None, None))
        if any(given) or (plans, attempts, at_once) != (PLANS, ATTEMPTS, AT_ONCE):
            raise RequestError("options of the writer go with --decoder-url and --decoder-model")
        return None
    if url is None or model is None:
        raise RequestError("a writer needs an address and a name: give both --decoder-url and --decoder-model")
    chosen = dict.fromkeys(backends or [Backend.LLM])
    return Decoding(
        endpoint_at(url, model, trusted=trusted),
        tuple(each.value for each in chosen),
        plans=plans,
        attempts=attempts,
        at_once=at_once,
        embedder=embedder.value,
        price=price_of("decoder", prices),
        estimate_only=estimate_only,
        records_are_public=records_are_public,
    )
