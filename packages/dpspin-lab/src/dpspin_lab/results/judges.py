"""What language models say of the texts, and first whether they are to be believed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dpspin_lab.judge.answers import NAMES
from dpspin_lab.judge.validity import EACH, LOWERED, PASS, Rate, Spoiling, Validity, pooled, validities
from dpspin_lab.markdown import table_lines
from dpspin_lab.results.evaluation_tables import Results, writer_told
from dpspin_lab.runs.summary import Row

OF_JUDGES: Final = f"""A model answers whatever it is asked, so each judge is tested first, on texts with a known
answer: the text of a Gaussian plan against the same text spoiled in one stated way. It tells them apart *by score* if
the one score that must suffer is strictly higher for the true text, and *by preference* if it prefers the true text
over both orders of showing them; an answer that cannot be read tells nothing apart. Scores, or preferences, are
**believed** where that is so in at least {PASS:.0%} of all cases and {EACH:.0%} of every kind. Intervals are exact
binomial ones at 95 %. The paper names no such test of its judge. [How](metrics.md#a-judge-in-the-evaluation)."""
_KNOWN: Final = ("spoiled", "score that must suffer", "true text", "spoiled text", "by score", "by preference")
_SCORES: Final = ("data", "method", "ε", "texts", "invalid", *(name.replace("_", " ") for name in NAMES))
_PAIRS: Final = ("data", "text of", "against", "pairs", "preferred", "same in both orders", "first place", "invalid")
_WRITTEN: Final = ("data", "unit", "model", "decoder", "asked", "method", "ε")
_SCORED_TEXTS: Final = (*_WRITTEN, "texts", "invalid", *(name.replace("_", " ") for name in NAMES))
_PAIRED_TEXTS: Final = (*_WRITTEN, "pairs", "preferred", "same in both orders", "first place", "invalid")
ANOTHER_JUDGE: Final = "`dpspin lab paper --judge-url URL --judge-model NAME`"
_BELIEVED: Final = {True: "**believed**", False: "**not believed**, and not shown"}
Tables = Mapping[str, Sequence[Row]]


def judges_of(results: Results) -> dict[str, Validity]:
    """Return every judge with what it made of known answers."""
    return validities(row for rows in results.judged_known.values() for row in rows)


def section_of_judges(results: Results) -> Iterator[str]:
    """Write one part for each judge; nothing where no model judged."""
    judges = judges_of(results)
    if judges:
        yield from ("## What language models say of the texts", "", OF_JUDGES, "")
    for judge in judges.values():
        yield from (f"### The judge {judge.judge}", "", verdict_on(judge, results), "")
        yield from (*table_lines(_KNOWN, _known(judge, results), words=2), "")
        if judge.scores_count:
            told = (
                "Scores from 1 to 5, mean ± sample standard deviation; privacy safety rates words, and is no guarantee:"
            )
            yield from (told, "", *table_lines(_SCORES, _scores(judge.judge, results), words=2), "")
            yield from _of_model_texts(
                "Of texts that language models wrote:", _SCORED_TEXTS, _text_scores(judge.judge, results)
            )
        if judge.choices_count:
            told = "Preferences, each pair in both orders (1: always the first-named text, 0.5: none of both):"
            yield from (told, "", *table_lines(_PAIRS, _pairs(judge.judge, results), words=3), "")
            yield from _of_model_texts(
                "Models' texts of private plans against those of exact plans (DPPreferred), judged by the exact plan:",
                _PAIRED_TEXTS,
                _text_pairs(judge.judge, results),
            )


def verdict_on(judge: Validity, results: Results) -> str:
    """Say in one line whether a judge is believed, and why."""
    rows = [row for table in (results.judged_known, results.judged_pairs) for _, row in _rows(table, judge.judge)]
    places = Rate(sum(row["first"] for row in rows), sum(row["decided"] for row in rows))
    every = [*rows, *(row for _, row in _rows(results.judged, judge.judge))]
    return (
        f"Its scores are {_BELIEVED[judge.scores_count]}: they told true from spoiled in {pooled(judge.by_score)} "
        f"cases. Its preferences are {_BELIEVED[judge.choices_count]}: {pooled(judge.by_pair)} cases. Where it chose "
        f"one of two texts, it was the one shown first in {places} answers (a fair judge: 50 %). "
        f"Answers that could not be read: {sum(row['invalid'] for row in every)}."
    )


def why_not_believed(results: Results) -> str:
    """Say why no scores count: nobody was asked here, or not of these texts, or nobody passed, with the error."""
    judges = judges_of(results).values()
    if believed := [judge.judge for judge in judges if judge.scores_count]:
        return (
            f"Scores by {' and '.join(believed)} are believed, but there are none of these texts: either nobody asked "
            f"about them, which {ANOTHER_JUDGE} does, or no answer could be read."
        )
    if not judges:
        return (
            f"No judge was asked here. {ANOTHER_JUDGE} would test it, with a judge that passes the [known-answer test]"
            "(metrics.md#is-the-judge-to-be-believed)."
        )
    told = " ".join(
        f"The judge {judge.judge} told a true text from a spoiled one by score in {pooled(judge.by_score)} "
        f"cases{_blind(judge)}."
        for judge in judges
    )
    return f"{told} A better one would test it: {ANOTHER_JUDGE}."


def _blind(judge: Validity) -> str:
    """Name the kinds that a judge is blind to: it may pass over all, and still fail by one."""
    kinds = [how.value for how, rate in judge.by_score.items() if rate.part < EACH]
    return f" (worst at: {', '.join(kinds)})" if 0 < len(kinds) < len(judge.by_score) else ""


def _rows(tables: Tables, judge: str) -> Iterator[tuple[str, Row]]:
    yield from ((dataset, row) for dataset, rows in tables.items() for row in rows if row["judge"] == judge)


def _known(judge: Validity, results: Results) -> Iterator[tuple[str, ...]]:
    for how in Spoiling:
        rows = [row for _, row in _rows(results.judged_known, judge.judge) if row["spoiled"] == how]
        if rows:
            means = (_mean(rows, "true_score"), _mean(rows, "worse_score"))
            yield how.value, LOWERED[how], *means, str(judge.by_score[how]), str(judge.by_pair[how])


def _mean(rows: Sequence[Row], column: str) -> str:
    """Pool means of data sets, each by its cases."""
    known = [(row[column], row["cases"]) for row in rows if row[column] is not None]
    return f"{sum(mean * cases for mean, cases in known) / sum(cases for _, cases in known):.2f}" if known else "-"


def _scores(judge: str, results: Results) -> Iterator[tuple[str, ...]]:
    for dataset, row in _rows(results.judged, judge):
        epsilon = "**none**" if row["epsilon"] is None else f"{row['epsilon']:g}"
        counts = (str(row["texts"]), str(row["invalid"]))
        yield dataset, row["method"], epsilon, *counts, *(_spread(row, name) for name in NAMES)


def _pairs(judge: str, results: Results) -> Iterator[tuple[str, ...]]:
    for dataset, row in _rows(results.judged_pairs, judge):
        counts = (str(row["same"]), f"{row['first']} of {row['decided']}", str(row["invalid"]))
        yield dataset, row["ours"], row["method"], str(row["pairs"]), _spread(row, "preferred"), *counts


def _of_model_texts(told: str, names: Sequence[str], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    if every := list(rows):
        yield from (told, "", *table_lines(tuple(names), every, words=6), "")


def _text_scores(judge: str, results: Results) -> Iterator[tuple[str, ...]]:
    for dataset, row in _rows(results.judged_texts, judge):
        counts = (str(row["texts"]), str(row["invalid"]))
        yield *_written(dataset, row), *counts, *(_spread(row, name) for name in NAMES)


def _text_pairs(judge: str, results: Results) -> Iterator[tuple[str, ...]]:
    for dataset, row in _rows(results.judged_text_pairs, judge):
        counts = (str(row["same"]), f"{row['first']} of {row['decided']}", str(row["invalid"]))
        yield *_written(dataset, row), str(row["pairs"]), _spread(row, "preferred"), *counts


def _written(dataset: str, row: Row) -> tuple[str, ...]:
    return dataset, row["protected_unit"], *writer_told(row), row["method"], f"{row['epsilon']:g}"


def _spread(row: Row, name: str) -> str:
    mean, deviation = row[name], row[f"{name}_sd"]
    if mean is None:
        return "-"
    return f"{mean:.2f}" + ("" if deviation is None else f" ± {deviation:.2f}")
