"""``dpspin lab decoders``: how well a language model writes about random plans."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import writing
from dpspin.cli.options import JsonOption
from dpspin.cli.terminal import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dpspin_lab.decoders import Rates


def decoders(
    llm_url: Annotated[str, typer.Option("--llm-url", help="An OpenAI-compatible endpoint.")],
    llm_model: Annotated[str, typer.Option("--llm-model", help="The model's name there.")],
    plans: Annotated[int, typer.Option("--plans", min=1, help="How many random plans.")] = 50,
    attempts: writing.AttemptsOption = writing.ATTEMPTS,
    temperature: writing.TemperatureOption = 0.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the plans and of the model.")] = 0,
    max_tokens: Annotated[int, typer.Option("--max-tokens", min=16, help="The longest answer.")] = 800,
    as_json: JsonOption = False,
) -> None:
    """Measure how often a model's texts are accepted, and how much of a plan they name, for both decoders."""
    from dpspin_lab.markdown import decoder_lines

    rows = _rates(llm_url, llm_model, plans, attempts, temperature, seed, max_tokens)
    for line in (json.dumps(asdict(row)) for row in rows) if as_json else decoder_lines(rows):
        say(line)


def _rates(
    url: str, model: str, plans: int, attempts: int, temperature: float, seed: int, max_tokens: int
) -> "Iterator[Rates]":
    from dpspin.llm.chat import Chat
    from dpspin.llm.endpoint import Endpoint
    from dpspin.public.narrate.policy import Mode
    from dpspin.public.narrate.writer import Writer, Writing
    from dpspin_lab.decoders import random_plans, rates_of, write_all

    for kind in Writing:
        writer = Writer(kind, Chat(Endpoint(url, model), temperature, seed, max_tokens), attempts)
        yield rates_of(writer, Mode.DISPLAY, list(write_all(writer, Mode.DISPLAY, random_plans(plans, seed))))
