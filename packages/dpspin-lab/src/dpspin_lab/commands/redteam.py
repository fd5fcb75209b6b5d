"""``dpspin lab redteam``: poisoned records against every pipeline, on generated tickets."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.flags import JsonOption
from dpspin.cli.terminal import say
from dpspin_lab.commands import options

if TYPE_CHECKING:
    from dpspin_lab.baselines.redteam.trials import Extraction


def redteam(
    trials: Annotated[int, typer.Option("--trials", min=1, help="Generated corpora for each pipeline.")] = 200,
    records: Annotated[int, typer.Option("--records", min=2, help="Of one corpus, poisoned ones included.")] = 600,
    poisoned: Annotated[int, typer.Option("--poisoned", min=0, help="How many of them the attacker wrote.")] = 50,
    epsilon: Annotated[
        list[float] | None, typer.Option("--epsilon", help="The loss of each private release; may be repeated.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="A pipeline by its name in the table; may be repeated.")
    ] = None,
    llm_url: options.LlmUrlOption = None,
    llm_model: options.LlmModelOption = None,
    llm_endpoint_is_trusted: options.TrustOption = False,
    records_are_public: options.PublicOption = False,
    seed: options.SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Try to extract one person's secret from what each pipeline publishes, by records that were written for it.

    Each pipeline is attacked with both kinds of poison. Without --epsilon: 1 and 4. With a model the Clio-like pipeline
    is attacked with it too.
    """
    from dpspin_lab.baselines.redteam.trials import Plot, attacked, chosen

    chat = options.chat_of(llm_url, llm_model, seed, trusted=llm_endpoint_is_trusted)
    plot = Plot(trials, records, poisoned, tuple(epsilon or (1.0, 4.0)), seed)
    those = chosen(plot, chat, only or (), records_are_public=records_are_public)
    settings = plot.described(chat)
    say(json.dumps({"settings": settings}) if as_json else _heading(settings))
    for row in attacked(plot, those):
        say(json.dumps(asdict(row)) if as_json else _line(row))


def _heading(settings: dict[str, object]) -> str:
    told = "\n".join(f"{name}: {value}" for name, value in settings.items())
    attack, found = f"{'pipeline':<40} {'poison':<11}", f"{'guessed':>8} {'interval':>15} {'stated':>7}"
    return f"{told}\n\n{attack} {'eps':>5} {found} {'e^eps/K':>8} {'bound':>6}"


def _line(row: "Extraction") -> str:
    epsilon, allowed, bound = (
        "-" if value is None else f"{value:.3g}" for value in (row.epsilon, row.e_eps_times_prior, row.bound)
    )
    attack, interval = f"{row.pipeline:<40} {row.poison or '-':<11}", f"{row.low:.3f} to {row.high:.3f}"
    return f"{attack} {epsilon:>5} {row.guessed:>8.3f} {interval:>15} {row.stated:>7.3f} {allowed:>8} {bound:>6}"
