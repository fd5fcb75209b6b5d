"""The results page: written from the tables alone, so that it can be made again and never drifts from them."""

import re
from collections.abc import Iterator, Sequence
from importlib import resources
from statistics import median_high
from typing import Final

from dpspin_lab.markdown import table_lines
from dpspin_lab.metrics.text import PROSE
from dpspin_lab.results.claims import (
    on_budgets,
    on_model_texts,
    on_probe,
    on_sizes,
    on_texts,
    ours_on_mechanisms,
    ours_on_truth,
    papers_extended,
)
from dpspin_lab.results.claims.claim import Claim, Judged, judge
from dpspin_lab.results.evaluation_tables import Results
from dpspin_lab.results.evidence import MOST_RUNS, SELDOM, Stand
from dpspin_lab.results.findings import beside_labels, findings
from dpspin_lab.results.judges import section_of_judges
from dpspin_lab.results.model_texts import section_of_model_texts, unwritten
from dpspin_lab.results.page_tables import (
    mechanisms_compared,
    methods_compared,
    on_which_data,
    rivals_compared,
    truth_compared,
    what_was_run,
)
from dpspin_lab.results.verdict import CONFIDENCE, Setting, Verdict
from dpspin_lab.runs.grids import MAIN_K, MAIN_L

OTHER_LEVELS: Final = (0.95, 0.999)
_OPTIONAL: Final = re.compile(r"<!-- if (\w+) -->\n(.*?)<!-- end -->\n", re.DOTALL)
THE_PAPERS: Final = (
    *(*on_budgets.CLAIMS, *on_probe.CLAIMS, *on_sizes.CLAIMS),
    *(*on_texts.CLAIMS, *on_model_texts.CLAIMS),
)
OURS: Final = (*ours_on_mechanisms.CLAIMS, *ours_on_truth.CLAIMS, *papers_extended.CLAIMS)
_GLANCE = ("", "claim", "verdict", "agrees", "open", "against")
_PARTS = (
    "data, unit",
    "weakest setting",
    "figures",
    "interval",
    "runs",
    "agrees",
    "open",
    "against",
)
_ORDER = (Stand.AGAINST, Stand.OPEN, Stand.FOR)


def judged(claims: Sequence[Claim], results: Results, confidence: float = CONFIDENCE) -> list[Judged]:
    """Test claims, in the order of the page."""
    return [judge(claim, results, confidence) for claim in claims]


def glance(letter: str, claims: Sequence[Judged]) -> Iterator[str]:
    """List every claim with its verdict and the number of settings that agree, are open, or are against it."""
    rows = []
    for number, judged in enumerate(claims, 1):
        link = f"[{letter}{number}](#{letter.lower()}{number})"
        rows.append((link, _said(judged), f"**{judged.verdict.value}**", *_counts(judged.cells)))
    yield from table_lines(_GLANCE, rows, words=3)


def one_by_one(letter: str, claims: Sequence[Judged]) -> Iterator[str]:
    """Write each claim with its test, its verdict and its figures."""
    for number, judged in enumerate(claims, 1):
        claim = judged.claim
        yield from (f"### {letter}{number}", "", f"{_said(judged)} *({claim.source})*", "")
        yield from (f"Test: {claim.rule} Verdict: **{judged.verdict.value}**.", "")
        if judged.verdict is Verdict.UNTESTED:
            yield from (judged.missing, "")
        if judged.cells:
            yield from (*table_lines(_PARTS, _by_part(judged.cells), words=4), "")
        yield from _runs_needed(judged)


def tested_by_models(papers: Sequence[Judged]) -> Iterator[str]:
    """Name the claims that no template can show: which are tested now that a model wrote or judged, and which not."""
    names = {f"[P{number}](#p{number})": judged for number, judged in enumerate(papers, 1) if judged.claim.of_models}
    tested = [
        f"{name} (“{each.verdict.value}”)" for name, each in names.items() if each.verdict is not Verdict.UNTESTED
    ]
    others = [name for name, each in names.items() if each.verdict is Verdict.UNTESTED]
    if tested:
        yield f"Claims that could not be tested without a language model, and now are: {', '.join(tested)}."
    if others:
        yield f"Claims that need one and still cannot be tested: {', '.join(others)} (what is missing stands there)."


def _runs_needed(judged: Judged) -> Iterator[str]:
    """Say of a claim that too few runs leave open how many would do."""
    if not judged.needed:
        return
    known = sorted(count for count in judged.needed if count is not None)
    had = sorted({cell.runs for cell in judged.cells})
    there = f"{had[0]:,}" if len(had) == 1 else f"{had[0]:,} to {had[-1]:,}"
    told = f"There are {there} runs of each row; at the means and the spread that these happen to have, "
    if known:
        told += f"{len(known)} of {len(judged.needed)} settings would be clear with {known[0]:,} to {known[-1]:,} runs"
        told += f" (half of them with {median_high(known):,} at most)"
    others = len(judged.needed) - len(known)
    if others:
        told += f"{', and ' if known else ''}{others} would not be clear with {MOST_RUNS:,}"
    yield from (f"{told}.", "")


def otherwise(letter: str, claims: Sequence[Judged], others: Sequence[Judged]) -> Iterator[str]:
    """Name the claims on which the verdict at another level of confidence would be another."""
    for number, (judged, other) in enumerate(zip(claims, others, strict=True), 1):
        if judged.verdict is not other.verdict:
            yield f"{letter}{number} “{other.verdict.value}”"


def _said(judged: Judged) -> str:
    return judged.claim.said + (" *(by construction)*" if judged.claim.by_construction else "")


def _by_part(cells: Sequence[Setting]) -> Iterator[tuple[str, ...]]:
    for part in dict.fromkeys(cell.part for cell in cells):
        chosen = [cell for cell in cells if cell.part == part]
        weakest = min(chosen, key=lambda cell: (_ORDER.index(cell.stand), cell.slack))
        yield part, weakest.where, weakest.figures, weakest.told, f"{weakest.runs:,}", *_counts(chosen)


def _counts(cells: Sequence[Setting]) -> tuple[str, ...]:
    return tuple(f"{sum(cell.stand is stand for cell in cells):,}" for stand in (Stand.FOR, Stand.OPEN, Stand.AGAINST))


def page_of(results: Results, pictures: Sequence[tuple[str, str]] = ()) -> str:
    """Fill in ``page.md``; pictures are pairs of a place and a caption. Parts without content are left out."""
    papers, our_own = judged(THE_PAPERS, results), judged(OURS, results)
    parts = {
        "findings": findings(results, papers, our_own),
        "beside_labels": beside_labels(results),
        "what_was_run": what_was_run(results),
        "on_which_data": on_which_data(results) if results.datasets else (),
        "papers_glance": glance("P", papers),
        "ours_glance": glance("O", our_own),
        "figures": _figures(pictures),
        "mechanisms": mechanisms_compared(results),
        "truth": truth_compared(results),
        "methods": methods_compared(results),
        "rivals": rivals_compared(results) if results.rivals else (),
        "model_texts": section_of_model_texts(results),
        "unwritten": unwritten(results),
        "with_models": tested_by_models(papers),
        "judges": section_of_judges(results),
        "papers_one_by_one": one_by_one("P", papers),
        "ours_one_by_one": one_by_one("O", our_own),
        "other_levels": _at_other_levels(results, papers, our_own),
    }
    filled = {name: "\n".join(lines) for name, lines in parts.items()}
    template = (resources.files("dpspin_lab.results") / "page.md").read_text("utf-8")
    page = _OPTIONAL.sub(lambda part: part[2] if filled[part[1]] else "", template)
    return page.format(confidence=CONFIDENCE, seldom=SELDOM, k=MAIN_K, size=MAIN_L, prose=PROSE, **filled)


def _at_other_levels(results: Results, papers: Sequence[Judged], our_own: Sequence[Judged]) -> Iterator[str]:
    """Tell how far verdicts hang on the level of confidence that was chosen."""
    for level in OTHER_LEVELS:
        of_the_paper = otherwise("P", papers, judged(THE_PAPERS, results, level))
        changed = [*of_the_paper, *otherwise("O", our_own, judged(OURS, results, level))]
        told = "; ".join(changed) or "none"
        yield f"- With {level:g} for a claim instead of {CONFIDENCE:g}, these verdicts would be others: {told}."


def _figures(pictures: Sequence[tuple[str, str]]) -> Iterator[str]:
    for place, caption in pictures:
        yield from (f"![{caption}]({place})", "", f"*{caption}*", "")
