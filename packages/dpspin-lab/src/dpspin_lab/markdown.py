"""The lab's tables as Markdown, line by line as they are computed, ready to be pasted into the documentation."""

from collections.abc import Iterable, Iterator, Sequence

from dpspin_lab.certificates import Coverage
from dpspin_lab.decoders import Rates
from dpspin_lab.mechanisms import Figure, Score
from dpspin_lab.utility_check import Inside

_COVERAGE = (
    *("mechanism", "shape", "eps", "admission", "intervals", "comparisons", "superlative", "leading sets"),
    *("pairs told apart", "margin 0: some order false", "margin 0: some order reversed"),
)
_DECODERS = (
    *("decoder", "mode", "plans", "first candidate accepted", "some candidate accepted", "fallback", "attempts"),
    *("themes named by the model", "themes in the text shown", "best bin complete in the text shown"),
    *("claims dropped", "repeats removed", "sentences kept when settled", "tokens written"),
)
_INSIDE = (
    *("mechanism", "shape", "eps", "Loss: bound", "worst", "held", "value error: bound", "worst", "held"),
    "certified top L found",
)
_SCORES = ("shape", "eps", "method", "Overlap@10", "Loss", "value error")


def coverage_lines(rows: Iterable[Coverage]) -> Iterator[str]:
    """Write coverages in percent."""
    yield from _head(_COVERAGE, words=2)
    for row in rows:
        held = (row.admission, row.intervals, row.comparisons, row.superlative, row.leading_sets)
        beside = (row.told_apart, row.zero_margin, row.zero_margin_reversed)
        cells = (*(f"{100 * part:.2f}" for part in held), *(f"{100 * part:.1f}" for part in beside))
        yield _row((row.mechanism, row.shape, f"{row.epsilon:g}", *cells))


def utility_lines(rows: Iterable[Inside]) -> Iterator[str]:
    """Write bounds and the worst figures in units of mass, and how often they held in percent."""
    yield from _head(_INSIDE, words=2)
    for row in rows:
        loss = (f"{row.loss_bound:.0f}", f"{row.loss_worst:.1f}", f"{100 * row.loss_held:.2f}")
        value = (f"{row.value_bound:.1f}", f"{row.value_worst:.1f}", f"{100 * row.value_held:.2f}")
        recovered = "" if row.recovered is None else f"{100 * row.recovered:.2f}"
        yield _row((row.mechanism, row.shape, f"{row.epsilon:g}", *loss, *value, recovered))


def score_lines(rows: Iterable[Score], *, emerging: bool = False) -> Iterator[str]:
    """Write scores with their standard errors."""
    yield from _head((*_SCORES, "recall of the theme") if emerging else _SCORES, words=3)
    for row in rows:
        figures = [row.overlap, row.loss, row.value_error, *([row.recall] if row.recall else [])]
        yield _row((row.shape, f"{row.epsilon:g}", row.method, *map(_figure, figures)))


def decoder_lines(rows: Iterable[Rates]) -> Iterator[str]:
    """Write rates in percent, counts per plan."""
    yield from _head(_DECODERS, words=2)
    for row in rows:
        accepted = (row.first_accepted, row.accepted, row.fallback)
        named = (row.named_by_the_model, row.named, row.best_bin_complete)
        kept = "" if row.survived is None else f"{100 * row.survived:.0f} %"
        counts = (f"{row.dropped:.1f}", f"{row.repeats:.1f}", kept, f"{row.answer_tokens:.0f}")
        cells = (*map(_percent, accepted), f"{row.attempts:.1f}", *map(_percent, named), *counts)
        yield _row((row.decoder, row.mode, str(row.plans), *cells))


def table_lines(names: Sequence[str], rows: Iterable[Sequence[str]], *, words: int) -> Iterator[str]:
    """Write any table, of which the first columns are words and the others figures.

    >>> list(table_lines(("data", "n"), [("cfpb", "1,000")], words=1))
    ['| data | n |', '| --- | ---: |', '| cfpb | 1,000 |']
    """
    yield from _head(names, words)
    yield from map(_row, rows)


def _percent(part: float) -> str:
    return f"{100 * part:.0f} %"


def _figure(figure: Figure) -> str:
    """Write three digits, and the error to the same place.

    >>> _figure(Figure(0.9123, 0.0057)), _figure(Figure(715.2, 9.8))
    ('0.912 ± 0.006', '715 ± 10')
    """
    places = max(0, 3 - len(str(int(figure.mean))) if figure.mean >= 1 else 3)
    return f"{figure.mean:.{places}f} ± {figure.error:.{places}f}"


def _head(names: Sequence[str], words: int) -> Iterator[str]:
    yield _row(names)
    yield _row(["---"] * words + ["---:"] * (len(names) - words))


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
