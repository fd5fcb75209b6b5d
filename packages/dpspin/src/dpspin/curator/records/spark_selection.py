"""How the rows of a Spark table are chosen and its columns are made: part of what is asked for, as Spark tells it."""

import re
from typing import TYPE_CHECKING, Any, Final

from dpspin.curator.records.spark_lineage import ROW_BY_ROW
from dpspin.curator.records.spark_places import members

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CHOOSING: Final = frozenset(("Project", "Filter"))  # of these, the steps that choose rows and make cells
A_NAMED_TABLE: Final = "CTERelationRef"  # what WITH has made
A_COLUMN: Final = "AttributeReference"
NUMBERED: Final = re.compile(r"(?:_\d+)?(#|CTERelation(?:Def|Ref) )(\d+)")  # columns, and what WITH names
OF_A_FRAME: Final = re.compile(r"(?<=_pyspark_)[0-9a-f]{32}")  # the name of a frame in SQL, of this one call
ALL_FIELDS: Final = 2**31 - 1  # of a step, in Spark's words for it


def selection_of(frame: "DataFrame") -> list[Any]:
    """Say how rows are chosen and columns are made, the same in every session; empty: as they lie.

    Conditions may quote cells, so this is for a digest. Where something lies is no part of it, nor is an order; of a
    function of the caller's own it has the name.
    """
    plan, told = frame._jdf.queryExecution().analyzed(), _InOrder()  # noqa: SLF001  PySpark has no public way to a plan
    made = _made(plan, told)
    return [made, [told(each) for each in members(plan.output())]] if len(made) > 1 else []


class _InOrder:
    """What Spark says of steps and columns, whose numbers it gives anew in each session: here by first appearance."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}

    def __call__(self, said: Any) -> str:  # noqa: ANN401
        return NUMBERED.sub(self._number, str(said))

    def _number(self, found: re.Match[str]) -> str:
        kind, number = found[1], found[2]
        return f"{kind}{self._numbers.setdefault((kind[:-4], number), len(self._numbers))}"


def _made(step: Any, told: _InOrder) -> list[Any]:  # noqa: ANN401
    """Say it of a step and of those beneath it; where the rows lie, there are columns and nothing else."""
    beneath = [_made(child, told) for child in members(step.children())]
    lie_there = not beneath and step.getClass().getSimpleName() != A_NAMED_TABLE
    own = [told(each) for each in members(step.output())] if lie_there else _choices(step, told)
    return [own, *beneath] if own or len(beneath) != 1 else beneath[0]


def _choices(step: Any, told: _InOrder) -> list[Any]:  # noqa: ANN401
    """Say what a step chooses or makes: by its expressions, and of steps that mix rows by all that Spark says."""
    kind = str(step.getClass().getSimpleName())
    if kind in ROW_BY_ROW - CHOOSING:
        return []
    named = [] if kind in CHOOSING else [told(step.simpleString(ALL_FIELDS))]
    made = (each for each in members(step.expressions()) if each.getClass().getSimpleName() != A_COLUMN)
    # SQL has cells whole; the other spelling has the numbers, by which columns and functions of one name are told apart
    written = [(OF_A_FRAME.sub("", str(each.sql())), told(each.toString())) for each in made]
    return [*named, *written, *(_made(plan, told) for plan in members(step.subqueries()))]
