"""What language models wrote: likeness of private and exact plans' texts, the rates of decoders, and what is missing.

Commands and holes are told from the tables alone: these know every writer, whatever was called last.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.markdown import table_lines
from dpspin_lab.results.claims.on_probe import ADMITTED, MENTIONED
from dpspin_lab.results.evaluation_tables import Results, by_writer, part_of, writer_told
from dpspin_lab.runs.config import OF_A_WRITER, TITLES, MechanismName, RunConfig
from dpspin_lab.runs.model_runs import CONTRACTS, PLANS_OF_A_SEED, units_of
from dpspin_lab.runs.summary import Row

TOLD: Final = """Each run's plan was put into words by a language model, and so was the exact plan of the same units
(the paper's non-private reference), by the same prompts. Likeness is of the two display texts. *accepted* is of the
model's own last candidate, *UAR* and *UCR* too (UCR is read beside the number of comparisons it is of), before code
mended or replaced anything. A text without any theme passes every such check, so *themes named* tells which part of the
plan's themes the model itself named. `llm` is prose, `legacy_text` the paper's contract; under `claims` a model
chooses among claims and code writes them: *accepted* there means that nothing of its choice had to be dropped. *Asked*
is with which temperature T, how often at most (a text that is refused is asked for again) and for how many tokens."""
PROBED: Final = """Of the probe, where a plan is put into words for the verifier alone. *Mentioned* is of the text that
is accepted or, where none is, of the template that stands in and names all themes:"""
_WRITER: Final = ("model", "decoder", "asked")
_LIKENESS: Final = {"j_tok": "J_tok", "j_2": "J_2", "j_kp": "J_kp", "cos_tfidf": "Cos_tfidf", "cos_emb": "Cos_emb"}
NO_MODEL: Final = (
    "- No language model wrote a text here; every figure on texts is of templates.",
    "  `dpspin lab paper --decoder-url URL --decoder-model NAME` lets a model write, `--judge-url` lets one judge.",
)
_SETTING: Final = ("data", "unit", *_WRITER, "mechanism", "ε", "units", "runs")
_RATES: Final = {
    "accepted": "accepted",
    "first_accepted": "at once",
    "fallback": "fallback",
    "uar": "UAR",
    "ucr": "UCR",
    "named": "themes named",
    "display_named": "in the display text",
    "display_accepted": "display text accepted",
}
_COUNTS: Final = {"comparisons": "comparisons", "attempts": "attempts", "questions": "questions"}
_WRITERS: Final = (*_WRITER, "data, unit", "runs")
_PROBED: Final = ("data, unit", *_WRITER, "mechanism", "ε", "s", "runs", "admitted", "mentioned", "accepted")
_AS_ASKED: Final = ("decoder_temperature", "decoder_seed", "decoder_max_tokens")  # no option of the command changes it


def section_of_model_texts(results: Results) -> Iterator[str]:
    """Write the tables; nothing where no model wrote."""
    if not results.models:
        return
    yield from ("## What language models wrote", "", TOLD, "")
    yield from (*table_lines((*_WRITERS, *_RATES.values(), *_COUNTS.values()), _rates(results.models), words=4), "")
    yield from ("These runs are made by:", "", *_commands(results), "")
    yield from ("Likeness of the texts of private and exact plans, mean ± sample standard deviation over runs:", "")
    yield from (*table_lines((*_SETTING, *_LIKENESS.values()), _likenesses(results.models), words=6), "")
    if results.model_probes:
        yield from (PROBED, "", *table_lines(_PROBED, _mentions(results.model_probes), words=5), "")


def _rates(tables: Iterable[Table]) -> Iterator[tuple[str, ...]]:
    """Pool the settings of a data set and unit by writer: each run counts once."""
    for table in tables:
        for rows in (each.rows for each in by_writer(table)):
            rates = (_percent(_pooled(rows, name)) for name in _RATES)
            counts = ("-" if (mean := _pooled(rows, name)) is None else f"{mean:.1f}" for name in _COUNTS)
            yield *writer_told(rows[0]), part_of(table), f"{_runs(rows):,}", *rates, *counts


def _mentions(tables: Iterable[Table]) -> Iterator[tuple[str, ...]]:
    for table in tables:
        for row in table.rows:
            mechanism = TITLES[MechanismName(row["mechanism"])]
            setting = (f"{row['epsilon']:g}", str(row["probe_support"]), str(row["runs"]))
            rates = (_percent(row[name]) for name in (ADMITTED, MENTIONED, "accepted"))
            yield part_of(table), *writer_told(row), mechanism, *setting, *rates


def _runs(rows: Iterable[Row]) -> int:
    return sum(int(row["runs"]) for row in rows)


def _pooled(rows: Iterable[Row], column: str) -> float | None:
    """Pool the means of rows, each by its runs; nothing where none was measured."""
    known = [(float(row[column]), int(row["runs"])) for row in rows if row[column] is not None]
    return sum(mean * runs for mean, runs in known) / sum(runs for _, runs in known) if known else None


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.0f} %"


def _likenesses(tables: Iterable[Table]) -> Iterator[tuple[str, ...]]:
    for table in tables:
        for row in sorted(table.rows, key=lambda row: (row["decoder_backend"], row["mechanism"], row["epsilon"])):
            units = f"{row[table.size_field]:,}"
            mechanism = TITLES[MechanismName(row["mechanism"])]
            setting = (
                table.dataset,
                table.unit,
                *writer_told(row),
                mechanism,
                f"{row['epsilon']:g}",
                units,
                str(row["runs"]),
            )
            yield *setting, *(_spread(row, name) for name in _LIKENESS)


def _spread(row: Row, name: str) -> str:
    mean, deviation = row.get(name), row.get(f"{name}_sd")
    if mean is None:
        return "-"
    return f"{mean:.2f}" + ("" if deviation is None else f" ± {deviation:.2f}")


def _commands(results: Results) -> Iterator[str]:
    """Say how the runs of each writer are made, with the place of the model left open."""
    writers: dict[tuple[object, ...], dict[str, int]] = {}
    columns = (*OF_A_WRITER, "summary_embedding_backend")
    for table in results.models:
        for row in table.rows:
            seeds = writers.setdefault(tuple(row.get(name) for name in columns), {})
            seeds[table.dataset] = max(int(row["runs"]), seeds.get(table.dataset, 0))
    for values, seeds in writers.items():
        yield from _command(dict(zip(columns, values, strict=True)), seeds)


def _command(writer: Row, seeds: dict[str, int]) -> Iterator[str]:
    """Write one call for each number of plans: a data set with another one has a call of its own."""
    if not _by_the_grid(writer):
        yield f"- {', '.join(writer_told(writer))}: single runs, by `dpspin lab run`."
        return
    plans = {name: count * units_of(name) * PLANS_OF_A_SEED for name, count in seeds.items()}
    for number in dict.fromkeys(plans.values()):
        chosen = " ".join(f"--dataset {name}" for name in plans if plans[name] == number)
        asked = f"--decoder-backend {writer['decoder_backend']} --decoder-attempts {writer['decoder_attempts']}"
        yield (
            f"- `dpspin lab paper --data DATA --out RESULTS {chosen} --decoder-url URL --decoder-model "
            f"{writer['decoder_model']} {asked} --decoder-plans {number}{_embedder(writer)}`"
        )


def _by_the_grid(writer: Row) -> bool:
    usual = all(writer[name] == RunConfig.model_fields[name].default for name in _AS_ASKED)
    return usual and writer["decoder_contract_mode"] == CONTRACTS[writer["decoder_backend"]]


def _embedder(writer: Row) -> str:
    name = writer["summary_embedding_backend"]
    return "" if name in {None, "none"} else f" --embedder {name}"


def unwritten(results: Results) -> Iterator[str]:
    """Name the holes: parts about which a model wrote nothing, decoders that none used, and a missing judge."""
    models = dict.fromkeys(row["decoder_model"] for table in results.models for row in table.rows)
    if not models:
        yield from NO_MODEL
        return
    for model in models:
        yield from _missing(model, "", results.models, results.grids)
        yield from _missing(model, "the probe of ", results.model_probes, results.probes)
    for backend in CONTRACTS:
        lacking = [model for model in models if not any(_wrote(model, table, backend) for table in results.models)]
        if lacking:
            yield f"- {' and '.join(lacking)} wrote nothing by the decoder `{backend}` (`--decoder-backend {backend}`)."
    if not any(results.judged_texts.values()):
        yield "- No judge was asked about these texts (`--judge-url URL --judge-model NAME`)."


def _missing(model: str, what: str, written: Iterable[Table], every: Iterable[Table]) -> Iterator[str]:
    about = {part_of(table): _runs(table.where(decoder_model=model).rows) for table in written}
    wrote = "; ".join(f"{part} ({runs:,} runs)" for part, runs in about.items() if runs)
    lacking = [part for part in map(part_of, every) if not about.get(part)]
    if lacking:
        yield f"- {model} wrote nothing about {what}{'; '.join(lacking)}{f', only about {wrote}' if wrote else ''}."


def _wrote(model: str, table: Table, backend: str) -> bool:
    return bool(table.where(decoder_model=model, decoder_backend=backend).rows)
