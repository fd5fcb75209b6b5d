"""What the paper's tables say of texts by a language model, tested on such texts."""

from collections.abc import Iterator
from typing import Final

from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.results.claims.claim import PRIVATE, Claim
from dpspin_lab.results.evaluation_tables import Results, found, part_of
from dpspin_lab.results.verdict import Cell, compared

SMALL, LARGE = 1.0, 4.0  # the budgets of the paper's tables
LIKENESS: Final = ("j_tok", "j_2", "j_kp", "cos_tfidf")
HOW: Final = (
    "No language model wrote prose here. `dpspin lab paper --decoder-url URL --decoder-model NAME` would test it."
)


def gaussian_reads_closer(results: Results) -> Iterator[Cell]:
    """Compare the likeness of Gaussian and of private top-L texts at ε=1."""
    for where, rows in _prose(results):
        for column in LIKENESS:
            both = (found(rows, column, mechanism=name, epsilon=SMALL) for name in ("gaussian", PRIVATE))
            yield from compared(part_of(rows), f"{where}: {column}, ε={SMALL:g}", *both)


def private_reads_closer_with_budget(results: Results) -> Iterator[Cell]:
    """Compare the likeness of private top-L texts at both budgets."""
    for where, rows in _prose(results):
        for column in LIKENESS:
            both = (found(rows, column, mechanism=PRIVATE, epsilon=epsilon) for epsilon in (LARGE, SMALL))
            yield from compared(part_of(rows), f"{where}: {column}, ε={LARGE:g} against {SMALL:g}", *both)


def _prose(results: Results) -> Iterator[tuple[str, Table]]:
    """Yield the runs of each model that wrote prose by the paper's contract."""
    for table in results.models:
        prose = table.where(decoder_backend="llm", decoder_contract_mode="legacy_text")
        yield from ((model, prose.where(decoder_model=model)) for model in prose.values("decoder_model"))


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
    ),
    Claim(
        "private-model-text-gains",
        "Texts of private top-L admission come closer to the reference's from ε=1 to ε=4 (with a language model).",
        "All four likenesses are higher at ε=4, for each model.",
        private_reads_closer_with_budget,
        source="appendices, tables of likeness",
        missing=HOW,
    ),
)
