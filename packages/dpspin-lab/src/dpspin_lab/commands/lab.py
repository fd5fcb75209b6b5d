"""``dpspin lab``: experiments that see exact sketches and known truth. Nothing here is private."""

from collections.abc import Callable

import typer

from dpspin_lab.commands import (
    baseline_releases,
    evaluation,
    redteam,
    reference_texts,
    study_tables,
    text_quality,
    urania_full,
)

app = typer.Typer(help="Experiments on public or generated data; nothing in here is private.", no_args_is_help=True)
_SHELVES: dict[str, dict[str, Callable[..., None]]] = {
    "The paper's evaluation": {
        "paper": evaluation.paper,
        "results": evaluation.results,
        "stats": evaluation.stats,
        "template": evaluation.template,
        "run": evaluation.run,
        "grid": evaluation.grid,
        "probe": evaluation.probe,
        "summarise": evaluation.summarise,
        "figures": evaluation.figures,
    },
    "Rivals and references": {
        "baselines": baseline_releases.baselines,
        "urania-full": urania_full.urania_full,
        "references": reference_texts.references,
        "reference": reference_texts.reference,
        "clio": reference_texts.clio,
        "clio-leaks": reference_texts.clio_leaks,
        "redteam": redteam.redteam,
    },
    "Texts and who judges them": {
        "verifier": text_quality.verifier,
        "decoders": text_quality.decoders,
        "judge": text_quality.judge,
        "prefer": text_quality.prefer,
    },
    "Truth, mechanisms and promises": {
        "truth": study_tables.truth,
        "mechanisms": study_tables.mechanisms,
        "certificates": study_tables.certificates,
        "changes": study_tables.changes,
        "candidates": study_tables.candidates,
        "utility": study_tables.utility,
        "grounding": study_tables.grounding,
        "forecast": study_tables.forecast,
    },
}


@app.callback()
def lab() -> None:
    """Experiments on public or generated data; nothing in here is private."""


for shelf, commands in _SHELVES.items():
    for name, command in commands.items():
        app.command(name, rich_help_panel=shelf)(command)
