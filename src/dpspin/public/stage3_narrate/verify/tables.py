"""Read a table row: the heading of a column says what its cells are."""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.bindings import bound_values
from dpspin.public.stage3_narrate.verify.discourse import Discourse
from dpspin.public.stage3_narrate.verify.items import BIN, NUMBER, SIGN, THEME, WORDS, Item, items_of
from dpspin.public.stage3_narrate.verify.passages import Passage
from dpspin.public.stage3_narrate.verify.reading.reader import read_passage
from dpspin.public.stage3_narrate.verify.statements import (
    Clear,
    Constant,
    Counted,
    InBins,
    Public,
    Ranked,
    Statement,
    Unexplained,
    Value,
)

_RANK = re.compile(r"\b(?:rank|position|place|no)\b|#", re.IGNORECASE)
_PERCENT = re.compile(r"%|\bpercent|\bshare", re.IGNORECASE)
_CLEAR = re.compile(r"\bnoise\b|\bclear\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\b(?:number|count|how\s+many)\b", re.IGNORECASE)
_COUNT = re.compile(r"\b(?:count|number\s+of\s+themes|themes?)\b", re.IGNORECASE)
_SILENT = frozenset({WORDS, SIGN, "it", "these", "also"})


def read_row(row: Passage, plan: SemanticPlan, discourse: Discourse) -> Iterator[Statement]:
    """Yield what the cells say of the themes in the row."""
    themes = row.atom_ids or (discourse.subject if len(discourse.subject) == 1 else ())
    discourse.remember(row.atom_ids, row.atom_ids)
    heads = row.header.cells() if row.header else []
    for position, cell in enumerate(row.cells()):
        head = heads[position].masked if position < len(heads) else ""
        yield from _cell(cell, head, themes, plan)
        if position < len(heads):
            yield from _under_a_bin(cell, heads[position], plan)


def _under_a_bin(cell: Passage, head: Passage, plan: SemanticPlan) -> Iterator[Statement]:
    """Read a column that a bin heads: its themes are in it."""
    bins = [item.bins for item in items_of(head, plan) if item.kind == BIN]
    if bins and cell.atom_ids:
        yield InBins(cell.span, cell.atom_ids, frozenset().union(*bins))


def _cell(cell: Passage, head: str, themes: tuple[int, ...], plan: SemanticPlan) -> Iterator[Statement]:
    items = items_of(cell, plan)
    if cell.references and any(item.kind == NUMBER for item in items):
        discourse = Discourse(tuple(entry.atom_id for entry in plan.entries))
        yield from read_passage(cell, items, plan, discourse).statements
        return
    numbers = [item for item in items if item.kind == NUMBER]
    for item in items:
        span = cell.start + item.start, cell.start + item.end
        if item.kind == BIN:
            yield InBins(span, themes, item.bins) if themes else Public(span)
        elif item.kind in {"clear", "buried"}:
            yield Clear(span, themes, up=item.kind == "clear")
        elif item.kind == "not" and _CLEAR.search(head):
            yield Clear(span, themes, up=False)
        elif item.kind == WORDS and item.text == "yes" and _CLEAR.search(head):
            yield Clear(span, themes, up=True)
        elif item.kind not in _SILENT | {NUMBER, THEME}:
            yield Unexplained(span, item.kind, item.text)
    yield from _numbers(cell, head, numbers, themes, plan)


def _numbers(
    cell: Passage, head: str, numbers: list[Item], themes: tuple[int, ...], plan: SemanticPlan
) -> Iterator[Statement]:
    rest = list(numbers)
    while rest:
        item = rest.pop(0)
        span, number = (cell.start + item.start, cell.start + item.end), item.number
        if number is None:
            continue
        values = bound_values(number, cell, plan)
        if values is not None:
            yield Constant(span, number, values)
        elif _HOW_MANY.search(head):
            yield Counted(span, number, listed_here=themes)
        elif not themes:
            yield (
                Counted(span, number, bins=_bins(cell, plan))
                if _COUNT.search(head)
                else Unexplained(span, "number", item.text)
            )
        elif _RANK.search(head) and not number.decimals:
            yield Ranked(span, themes, int(number.value))
        elif rest and len(numbers) == 2 and rest[0].number:  # noqa: PLR2004  two ends
            high = rest.pop(0)
            yield Value(
                (span[0], cell.start + high.end), themes, number, high.number, percent=bool(_PERCENT.search(head))
            )
        else:
            yield Value(span, themes, number, percent=bool(_PERCENT.search(head)))


def _bins(cell: Passage, plan: SemanticPlan) -> frozenset[str] | None:
    found = [item.bins for item in items_of(cell, plan) if item.kind == BIN]
    return found[0] if found else None
