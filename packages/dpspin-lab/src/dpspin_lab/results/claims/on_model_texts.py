"""What the paper's tables say of texts by a language model, tested on such texts."""

from collections.abc import Iterator
from typing import Final

from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.results.claims.claim import PRIVATE, Claim
from dpspin_lab.results.estimate import LIKENESSES, measured
from dpspin_lab.results.evaluation_tables import Results, by_writer, found, part_of
from dpspin_lab.results.judges import judges_of, why_not_believed
from dpspin_lab.results.verdict import Cell, at_least, compared

SMALL, LARGE = 1.0, 4.0  # the budgets of the paper's tables
HIGH: Final = 4.0  # of 5
HOW: Final = (
    "No language model wrote prose here. `dpspin lab paper --decoder-url URL --decoder-model NAME` would test it."
)


def gaussian_reads_closer(results: Results) -> Iterator[Cell]:
    """Compare the likeness of Gaussian and of private top-L texts at ε=1."""
    for where, rows in _prose(results):
        for column in LIKENESSES:
            both = (found(rows, column, mechanism=name, epsilon=SMALL) for name in ("gaussian", PRIVATE))
            yield from compared(part_of(rows), f"{where}: {column}, ε={SMALL:g}", *both)


def private_reads_closer_with_budget(results: Results) -> Iterator[Cell]:
    """Compare the likeness of private top-L texts at both budgets."""
    for where, rows in _prose(results):
        for column in LIKENESSES:
            both = (found(rows, column, mechanism=PRIVATE, epsilon=epsilon) for epsilon in (LARGE, SMALL))
            yield from compared(part_of(rows), f"{where}: {column}, ε={LARGE:g} against {SMALL:g}", *both)


def scores_are_high(results: Results) -> Iterator[Cell]:
    """Read coverage and faithfulness of models' texts, by judges that can tell a true text from a spoiled one."""
    believed = {judge.judge for judge in judges_of(results).values() if judge.scores_count}
    rows = [(dataset, row) for dataset, every in results.judged_texts.items() for row in every]
    for dataset, row in rows:
        if row["judge"] in believed and row["decoder_backend"] == "llm" and row["method"].startswith("plan, "):
            where = f"{row['judge']} of {row['decoder_model']}: {row['method']}, ε={row['epsilon']:g}"
            for name in ("coverage", "faithfulness"):
                if score := measured(row, name, runs="texts"):
                    yield at_least(f"{dataset}, {row['protected_unit']}", f"{where}, {name}", score, HIGH)


def why_no_scores(results: Results) -> str:
    """Say what is missing: a writer, or a judge that is believed."""
    return why_not_believed(results) if results.models else HOW.replace("NAME`", "NAME --judge-url URL`")


def _prose(results: Results) -> Iterator[tuple[str, Table]]:
    """Yield the runs of each writer of prose by the paper's contract, under the model's name."""
    for table in results.models:
        for prose in by_writer(table.where(decoder_backend="llm", decoder_contract_mode="legacy_text")):
            yield prose.rows[0]["decoder_model"], prose


CLAIMS: Final = (
    Claim(
        "gaussian-model-text-closer",
        "At ε=1 the text of a Gaussian plan is closer to the reference's than that of private top-L admission "
        "(with a language model).",
        "All four likenesses are higher, for each model. In the paper's table of CFPB the second (J_2) is 0.21 for "
        "both, and there the two mechanisms have different numbers of records.",
        gaussian_reads_closer,
        source="appendices, tables of likeness",
        missing=HOW,
        of_models=True,
    ),
    Claim(
        "private-model-text-gains",
        "Texts of private top-L admission come closer to the reference's from ε=1 to ε=4 (with a language model).",
        "All four likenesses are higher at ε=4, for each model.",
        private_reads_closer_with_budget,
        source="appendices, tables of likeness",
        missing=HOW,
        of_models=True,
    ),
    Claim(
        "judge-model-plans",
        "A judge gives a language model's summaries of plans high scores for coverage and faithfulness.",
        f"Both are at least {HIGH:g} of 5, for each model that wrote prose, at both budgets.",
        scores_are_high,
        why_missing=why_no_scores,
        of_models=True,
        source="6.5, tables of scores",
    ),
)
