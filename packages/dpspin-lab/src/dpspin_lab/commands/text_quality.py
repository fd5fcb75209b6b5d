"""``dpspin lab verifier``, ``decoders``, ``judge`` and ``prefer``: texts, and who judges them."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import narrate as writing
from dpspin.cli.flags import JsonOption
from dpspin.cli.terminal import say
from dpspin_lab.commands.options import PublicOption, TrustOption, tell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dpspin.llm.chat import Chat
    from dpspin_lab.runs.summary import Row
    from dpspin_lab.studies.decoder_rates import Rates

JudgeUrlOption = Annotated[
    str, typer.Option("--llm-url", help="An OpenAI-compatible endpoint; for exact data see --llm-endpoint-is-trusted.")
]
JudgeModelOption = Annotated[str, typer.Option("--llm-model", help="The judge's name there.")]


class Chosen(StrEnum):
    """Which cases are measured."""

    DEVELOPMENT = "development"
    HELD_BACK = "held-back"
    ALL = "all"


def verifier(
    chosen: Annotated[Chosen, typer.Option("--set", help="Which of the written texts.")] = Chosen.ALL,
    misses: Annotated[
        bool, typer.Option("--misses", help="List the false texts that were accepted; never of the held-back cases.")
    ] = False,
) -> None:
    """Measure the verifier on written texts, by kind of falsehood: false ones refused, true ones that stand."""
    from dpspin_lab.verifier.benchmark import CaseSet
    from dpspin_lab.verifier.measure import may_be_read, measured, measured_lines, miss_lines, outcomes_of

    names = list(CaseSet) if chosen is Chosen.ALL else [CaseSet(chosen.value)]
    outcomes = {name: outcomes_of(name) for name in names}
    for line in measured_lines([measured(name.value, outcomes[name]) for name in names]):
        say(line)
    readable = [name for name in names if misses and may_be_read(name)]
    for line in (line for name in readable for line in ("", *miss_lines(outcomes[name]))):
        say(line)


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
    from dpspin.llm.chat import Chat
    from dpspin.llm.endpoint import Endpoint
    from dpspin_lab.studies.decoder_rates import decoder_lines

    chat = Chat(Endpoint(llm_url, llm_model), temperature, seed, max_tokens)
    tell(_rates(chat, plans, attempts), decoder_lines, as_json=as_json)


def _rates(chat: "Chat", plans: int, attempts: int) -> "Iterator[Rates]":
    from dpspin.public.narrate.modes import DecoderName, Mode
    from dpspin.public.narrate.writer import Writer
    from dpspin_lab.studies.decoder_rates import random_plans, rates_of, write_all

    for kind in (name for name in DecoderName if name.asks_a_model):
        writer = Writer(kind, chat, attempts)
        yield rates_of(writer, Mode.DISPLAY, list(write_all(writer, Mode.DISPLAY, random_plans(plans, chat.seed))))


def judge(
    cases: Annotated[
        list[Path],
        typer.Argument(metavar="CASES...", help="Folders of releases or runs, or JSONL files of cases."),
    ],
    llm_url: JudgeUrlOption,
    llm_model: JudgeModelOption,
    seed: writing.LlmSeedOption = 0,
    llm_endpoint_is_trusted: TrustOption = False,
    records_are_public: PublicOption = False,
) -> None:
    """Score texts from 1 to 5 in six respects, each against its released object alone: JSON lines, means on stderr."""
    from dpspin_lab.judge.case import read_cases
    from dpspin_lab.judge.judging import judged, summaries

    every = [case for source in cases for case in read_cases(source)]
    judgements = []
    chat = _judge(llm_url, llm_model, seed, trusted=llm_endpoint_is_trusted)
    for judgement in judged(every, chat, records_are_public=records_are_public):
        say(judgement.model_dump_json())
        judgements.append(judgement)
    for summary in summaries(judgements):
        say(_line(summary), err=True)


def prefer(
    pairs: Annotated[
        Path, typer.Argument(metavar="PAIRS", help="A JSONL file: name, reference_plan, dp and np of each pair.")
    ],
    llm_url: JudgeUrlOption,
    llm_model: JudgeModelOption,
    seed: writing.LlmSeedOption = 0,
    llm_endpoint_is_trusted: TrustOption = False,
    records_are_public: PublicOption = False,
) -> None:
    """Ask blindly which summary is better, the private or the exact one (NOT PRIVATE): JSON lines, mean on stderr.

    Each pair is shown in both orders, and counts with their mean: a judge that prefers a place prefers nobody.
    """
    from statistics import fmean

    from dpspin_lab.judge.pairwise import preferences, read_pairs

    found, judge = [], _judge(llm_url, llm_model, seed, trusted=llm_endpoint_is_trusted)
    for preference in preferences(read_pairs(pairs), judge, records_are_public=records_are_public):
        say(preference.model_dump_json())
        found.append(preference)
    read = [each.preferred for each in found if each.preferred is not None]
    mean = f"{fmean(read):.3f}" if read else "none"
    unread = sum(choice is None for each in found for choice in (each.dp_first, each.np_first))
    say(f"DPPreferred {mean} over {len(read)} pairs; {unread} unreadable answers", err=True)


def _judge(url: str, model: str, seed: int, *, trusted: bool) -> "Chat":
    from dpspin.llm.chat import Chat
    from dpspin_lab.not_private import endpoint_at

    return Chat(endpoint_at(url, model, trusted=trusted), seed=seed)


def _line(summary: "Row") -> str:
    from dpspin_lab.judge.answers import NAMES

    figures = {name: (summary[name], summary[f"{name}_sd"]) for name in NAMES if summary[name] is not None}
    scores = "  ".join(
        f"{name} {mean:.2f}" + ("" if deviation is None else f" ± {deviation:.2f}")
        for name, (mean, deviation) in figures.items()
    )
    counts = f"{summary['texts']} judged, {summary['invalid']} unreadable"
    return f"{summary['dataset']}, {summary['method']}: {counts}  {scores}"
