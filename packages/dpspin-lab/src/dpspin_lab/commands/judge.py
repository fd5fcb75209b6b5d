"""``dpspin lab judge`` and ``dpspin lab prefer``: a language model's opinion of texts, offline."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import writing
from dpspin.cli.terminal import say

if TYPE_CHECKING:
    from dpspin.llm.chat import Chat
    from dpspin_lab.judge.scoring import Summary

JudgeUrlOption = Annotated[
    str, typer.Option("--llm-url", help="An OpenAI-compatible endpoint; for exact data one on this machine.")
]
JudgeModelOption = Annotated[str, typer.Option("--llm-model", help="The judge's name there.")]


def judge(
    cases: Annotated[
        list[Path],
        typer.Argument(metavar="CASES...", help="Folders of releases or runs, or JSONL files of cases."),
    ],
    llm_url: JudgeUrlOption,
    llm_model: JudgeModelOption,
    seed: writing.LlmSeedOption = 0,
) -> None:
    """Score texts from 1 to 5 in six respects, each against its released object alone: JSON lines, means on stderr."""
    from dpspin_lab.judge.case import read_cases
    from dpspin_lab.judge.scoring import judged, summaries

    every = [case for source in cases for case in read_cases(source)]
    judgements = []
    for judgement in judged(every, _chat(llm_url, llm_model, seed)):
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
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the model, and of which summary comes first.")] = 0,
) -> None:
    """Ask blindly which summary is better, the private or the exact one (NOT PRIVATE): JSON lines, mean on stderr."""
    from dpspin_lab.judge.pairwise import preferences, read_pairs
    from dpspin_lab.metrics.preference import mean_preference

    choices = []
    for preference in preferences(read_pairs(pairs), _chat(llm_url, llm_model, seed), seed):
        say(preference.model_dump_json())
        choices.append(preference.choice)
    read = [choice for choice in choices if choice is not None]
    mean = f"{mean_preference(read):.3f}" if read else "none"
    say(f"DPPreferred {mean} over {len(read)} pairs; {len(choices) - len(read)} unreadable answers", err=True)


def _chat(url: str, model: str, seed: int) -> "Chat":
    from dpspin.llm.chat import Chat
    from dpspin.llm.endpoint import Endpoint

    return Chat(Endpoint(url, model), temperature=0.0, seed=seed)


def _line(summary: "Summary") -> str:
    scores = "  ".join(
        f"{name} {score.mean:.2f}" + ("" if score.deviation is None else f" ± {score.deviation:.2f}")
        for name, score in summary.scores.items()
    )
    return f"{summary.dataset}, {summary.method}: {summary.judged} judged, {summary.unreadable} unreadable  {scores}"
