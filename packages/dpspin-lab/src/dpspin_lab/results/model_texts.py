"""What language models wrote: likeness of private and exact plans' texts, and the rates of decoders, as tables."""

from collections.abc import Iterable, Iterator
from typing import Final

from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.markdown import table_lines
from dpspin_lab.results.evaluation_tables import Results
from dpspin_lab.runs.config import TITLES, MechanismName
from dpspin_lab.runs.summary import Row

TOLD: Final = """Each run's plan was put into words by a language model, and so was the exact plan of the same units
(the paper's non-private reference), by the same prompts. Likeness is of the two display texts. *accepted* is of the
model's own last candidate, *UAR* and *UCR* too (UCR is read beside the number of comparisons it is of), before code
mended or replaced anything. A text without any theme passes every such check, so *themes named* tells which part of the
plan's themes the model itself named. `llm` is prose by the paper's contract (`legacy_text`); under `claims` a model
chooses among claims and code writes them: *accepted* there means that nothing of its choice had to be dropped."""
_LIKENESS: Final = {"j_tok": "J_tok", "j_2": "J_2", "j_kp": "J_kp", "cos_tfidf": "Cos_tfidf", "cos_emb": "Cos_emb"}
_SETTING: Final = ("data", "unit", "model", "decoder", "mechanism", "ε", "units", "runs")
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
_WRITERS: Final = ("model", "decoder", "data, unit", "runs")


def section_of_model_texts(results: Results) -> Iterator[str]:
    """Write both tables; nothing where no model wrote."""
    if not results.models:
        return
    yield from ("## What language models wrote", "", TOLD, "")
    yield from (*table_lines((*_WRITERS, *_RATES.values(), *_COUNTS.values()), _rates(results.models), words=3), "")
    yield from ("Likeness of the texts of private and exact plans, mean ± sample standard deviation over runs:", "")
    yield from (*table_lines((*_SETTING, *_LIKENESS.values()), _likenesses(results.models), words=5), "")


def _rates(tables: Iterable[Table]) -> Iterator[tuple[str, ...]]:
    """Pool the settings of a data set and unit by writer: each run counts once."""
    for table in tables:
        for model, backend in dict.fromkeys((row["decoder_model"], row["decoder_backend"]) for row in table.rows):
            rows = table.where(decoder_model=model, decoder_backend=backend).rows
            runs = sum(row["runs"] for row in rows)
            rates = (f"{100 * _pooled(rows, name):.0f} %" for name in _RATES)
            counts = (f"{_pooled(rows, name):.1f}" for name in _COUNTS)
            yield model, backend, f"{table.dataset}, {table.unit}", f"{runs:,}", *rates, *counts


def _pooled(rows: Iterable[Row], column: str) -> float:
    known = [(float(row[column]), int(row["runs"])) for row in rows if row[column] is not None]
    return sum(mean * runs for mean, runs in known) / max(1, sum(runs for _, runs in known))


def _likenesses(tables: Iterable[Table]) -> Iterator[tuple[str, ...]]:
    for table in tables:
        for row in sorted(table.rows, key=lambda row: (row["decoder_backend"], row["mechanism"], row["epsilon"])):
            units = f"{row[table.size_field]:,}"
            mechanism = TITLES[MechanismName(row["mechanism"])]
            writer = (row["decoder_model"], row["decoder_backend"])
            setting = (table.dataset, table.unit, *writer, mechanism, f"{row['epsilon']:g}", units, str(row["runs"]))
            yield *setting, *(_spread(row, name) for name in _LIKENESS)


def _spread(row: Row, name: str) -> str:
    mean, deviation = row.get(name), row.get(f"{name}_sd")
    if mean is None:
        return "-"
    return f"{mean:.2f}" + ("" if deviation is None else f" ± {deviation:.2f}")
