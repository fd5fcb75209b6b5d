"""The options of ``dpspin lab paper`` for a language model that judges texts."""

from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.errors import RequestError
from dpspin_lab.commands.options import price_of

if TYPE_CHECKING:
    from dpspin_lab.judge.judging import Judging

JUDGED = 3  # texts of each method
UrlOption = Annotated[
    str | None,
    typer.Option(
        "--judge-url",
        help="Also let a language model judge the texts: an OpenAI-compatible endpoint, key in $DPSPIN_LLM_KEY. It "
        "reads simulated releases, whose noise is no secret, so it must be on this machine, or see "
        "--llm-endpoint-is-trusted.",
    ),
]
ModelOption = Annotated[str | None, typer.Option("--judge-model", help="The judge's name there.")]
TextsOption = Annotated[
    int, typer.Option("--judge-texts", min=1, help="Texts of each method that are judged, each of its own noise.")
]
ReferencesOption = Annotated[
    bool,
    typer.Option(
        "--judge-references",
        help="Also show the judge the exact plan, which protects NOBODY.",
    ),
]
PriceInOption = Annotated[
    float | None, typer.Option("--judge-price-in", min=0, help="What a million tokens in cost, for the estimate.")
]
PriceOutOption = Annotated[
    float | None, typer.Option("--judge-price-out", min=0, help="What a million tokens out cost.")
]


def judging_of(
    url: str | None,
    model: str | None,
    prices: tuple[float | None, float | None],
    *,
    texts: int,
    references: bool,
    trusted: bool,
    records_are_public: bool,
) -> "Judging | None":
    """Return who judges, or nothing where nobody is named."""
    from dpspin.llm.chat import Chat
    from dpspin_lab.judge.judging import ANSWER_TOKENS, Judging
    from dpspin_lab.not_private import endpoint_at

    if url is None and model is None:
        if references or texts != JUDGED or prices != (None, None):
            raise RequestError("options of the judge go with --judge-url and --judge-model")
        return None
    if url is None or model is None:
        raise RequestError("a judge needs an address and a name: give both --judge-url and --judge-model")
    chat = Chat(endpoint_at(url, model, trusted=trusted), max_tokens=ANSWER_TOKENS)
    return Judging(chat, texts, references, records_are_public, price_of("judge", prices))
