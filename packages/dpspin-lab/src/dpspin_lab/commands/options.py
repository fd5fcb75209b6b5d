"""What commands of the lab share: where results may go, where data lie, which model is asked, how rows are told."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpspin.cli.terminal import say
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.llm.chat import Chat
    from dpspin.llm.question import Price
DataOption = Annotated[Path, typer.Option("--data", help="The folder with cfpb/, amazon/ and yelp/.")]
RecordsArgument = Annotated[
    str, typer.Argument(metavar="RECORDS", help="Public or generated records; NEVER protected ones.")
]
TextOption = Annotated[str, typer.Option("--text", help="The column with the records' words.")]
LlmUrlOption = Annotated[
    str | None,
    typer.Option(
        "--llm-url",
        help="An OpenAI-compatible endpoint: http://127.0.0.1:…/v1, or elsewhere where the host is part of the "
        "curator or all records are public.",
    ),
]
PublicOption = Annotated[
    bool,
    typer.Option(
        "--records-are-public",
        help="Say that all records are public: needed by a model on another machine, which reads what protects nobody.",
    ),
]
TrustOption = Annotated[
    bool,
    typer.Option(
        "--llm-endpoint-is-trusted",
        help="What protects nobody may be sent to another host: it is part of the curator.",
    ),
]
LlmModelOption = Annotated[str | None, typer.Option("--llm-model", help="The model's name there.")]
DrawsOption = Annotated[int, typer.Option("--draws", min=1, help="Simulated releases per cell.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="The seed of the simulation.")]


class DatasetName(StrEnum):
    """The paper's data sets."""

    CFPB = "cfpb"
    AMAZON = "amazon"
    YELP = "yelp"


class UnitName(StrEnum):
    """What a run protects."""

    RECORD = "record"
    USER = "user"


DatasetOption = Annotated[DatasetName, typer.Option("--dataset", help="cfpb, amazon or yelp.")]
EpsilonsOption = Annotated[
    list[float], typer.Option("--epsilon", help="The privacy loss of each release; may be repeated.")
]
UnitsOption = Annotated[int, typer.Option("--records", min=1, help="How many target records, or users.")]
ByUserOption = Annotated[
    bool, typer.Option("--user", help="Protect all records of a user together; amazon and yelp name users.")
]
FiguresOption = Annotated[
    int | None,
    typer.Option("--draws", min=1, help="Instead: mean figures of so many seeded releases, against exact counts."),
]


def without_release(out: Path | None) -> Path | None:
    """Refuse a release's folder, its neighbours and whatever lies in it, before anything is read."""
    from dpspin.boundary.folders import require_no_release

    if out is not None:
        require_no_release(out)
    return out


OutOption = Annotated[
    Path, typer.Option("--out", callback=without_release, help="Where results go; never in or beside a release.")
]


def chat_of(url: str | None, model: str | None, seed: int = 0, *, trusted: bool = False) -> "Chat | None":
    """Return the model, or nothing where none is named."""
    from dpspin.llm.chat import Chat
    from dpspin_lab.not_private import endpoint_at

    if (url is None) != (model is None) or (trusted and url is None):
        raise RequestError("a language model needs an address (--llm-url) and a name (--llm-model)")
    return Chat(endpoint_at(url, model, trusted=trusted), seed=seed) if url and model else None


def price_of(who: str, prices: tuple[float | None, float | None]) -> "Price | None":
    """Return what a million tokens in and out cost, or nothing where neither is given."""
    from dpspin.llm.question import Price

    price_in, price_out = prices
    if price_in is None and price_out is None:
        return None
    if price_in is None or price_out is None:
        raise RequestError(f"a cost needs both prices: --{who}-price-in and --{who}-price-out")
    return Price(price_in, price_out)


def tell(rows: Iterable[Any], lines: Callable[[Any], Iterable[str]], *, as_json: bool) -> None:
    """Print rows as they are computed, as JSON lines or as the lines of a table."""
    for line in (json.dumps(asdict(row)) for row in rows) if as_json else lines(rows):
        say(line)
