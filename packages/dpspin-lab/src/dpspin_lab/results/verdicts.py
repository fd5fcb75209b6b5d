"""The verdicts in words: all at a glance, then one by one with the figures on which each rests."""

from collections.abc import Iterator, Sequence

from dpspin_lab.markdown import table_lines
from dpspin_lab.results.claims.claim import Judged
from dpspin_lab.results.evidence import Stand
from dpspin_lab.results.verdict import Setting, Verdict

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


_ORDER = (Stand.AGAINST, Stand.OPEN, Stand.FOR)
