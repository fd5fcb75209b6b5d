"""How the rows of a Spark table are chosen and its columns are made: part of what is asked for, as Spark tells it."""

import re
from typing import TYPE_CHECKING, Any, Final

from dpspin.curator.records.spark_lineage import ORDERING, ROW_BY_ROW
from dpspin.curator.records.spark_places import members

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CHOOSING: Final = frozenset(("Project", "Filter"))  # of steps that keep rows apart, those that choose or make cells
A_NAMED_TABLE: Final = "CTERelationRef"  # what WITH has made
A_COLUMN: Final = "AttributeReference"
NUMBER_OF: Final = {  # what has a number of its own, which Spark gives anew in each session, and what that is called
    **dict.fromkeys((A_COLUMN, "OuterReference", "Alias", "NamedLambdaVariable"), "exprId"),
    "PythonUDF": "resultId",
}
NUMBERED: Final = re.compile(r"(?:_\d+)?(#|CTERelation(?:Def|Ref) )(\d+)")  # columns, and what WITH names
OF_A_FRAME: Final = re.compile(r"(?<=_pyspark_)[0-9a-f]{32}")  # the name of a frame in SQL, of this one call
ALL_FIELDS: Final = 2**31 - 1  # of a step, in Spark's words for it


def selection_of(frame: "DataFrame") -> list[Any]:
    """Say how rows are chosen and columns are made, the same in every session; empty: as they lie.

    Conditions may quote cells, so this is for a digest. Where something lies is no part of it, nor is an order, unless
    a step above it may choose by that; of a function of the caller's own it has the name.
    """
    plan, numbers = frame._jdf.queryExecution().analyzed(), _InOrder()  # noqa: SLF001  PySpark has no public way to it
    made = _made(plan, numbers, ordered=False)
    return [made, numbers.of_columns(plan)] if len(made) > 1 else []


class _InOrder:
    """The numbers that Spark gives to columns and functions, and to what WITH names, here by first appearance.

    Whatever holds cells is not searched for numbers: a cell may look as if it had one.
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int], int] = {}

    def of_columns(self, step: Any) -> list[tuple[str, int]]:  # noqa: ANN401
        """Name the columns of a step, each with its number."""
        return [(str(each.name()), self._place("", each.exprId().id())) for each in members(step.output())]

    def of_parts(self, expression: Any) -> list[int]:  # noqa: ANN401
        """Tell by numbers the parts of an expression by which columns and functions of one name are told apart."""
        numbered = NUMBER_OF.get(str(expression.getClass().getSimpleName()))
        own = [] if numbered is None else [self._place("", getattr(expression, numbered)().id())]
        return [*own, *(number for each in members(expression.children()) for number in self.of_parts(each))]

    def in_words(self, said: str) -> str:
        """Give the numbers in what Spark says of a step."""
        return NUMBERED.sub(lambda found: f"{found[1]}{self._place(found[1][:-4], int(found[2]))}", said)

    def _place(self, kind: str, number: int) -> int:
        return self._numbers.setdefault((kind, number), len(self._numbers))


def _made(step: Any, numbers: _InOrder, *, ordered: bool) -> list[Any]:  # noqa: ANN401
    """Say it of a step and of those beneath it; where the rows lie, there are columns and nothing else."""
    kind = str(step.getClass().getSimpleName())
    chooses = ordered or kind not in ROW_BY_ROW
    beneath = [_made(child, numbers, ordered=chooses) for child in members(step.children())]
    lie_there = not beneath and kind != A_NAMED_TABLE
    own = numbers.of_columns(step) if lie_there else _choices(step, kind, numbers, ordered=ordered)
    return [own, *beneath] if own or len(beneath) != 1 else beneath[0]


def _choices(step: Any, kind: str, numbers: _InOrder, *, ordered: bool) -> list[Any]:  # noqa: ANN401
    """Say what a step chooses or makes: by its expressions, and of steps that mix rows by all that Spark says."""
    if kind in ROW_BY_ROW - CHOOSING - (ORDERING if ordered else frozenset()):
        return []
    made = [each for each in members(step.expressions()) if each.getClass().getSimpleName() != A_COLUMN]
    named = [] if kind in CHOOSING else [numbers.in_words(_without(made, str(step.simpleString(ALL_FIELDS))))]
    written = [(OF_A_FRAME.sub("", str(each.sql())), numbers.of_parts(each)) for each in made]
    plans = members(step.subqueries())
    return [*named, *written, *(_made(plan, numbers, ordered=True) for plan in plans)]


def _without(expressions: list[Any], said: str) -> str:
    """Leave out what expressions say, which may quote cells; a short one may stand in another or look like a number."""
    longest_first = sorted((str(each.toString()) for each in expressions), key=len, reverse=True)
    whole = "|".join(re.escape(each) for each in longest_first)
    return re.sub(rf"(?<![\w#])(?:{whole})(?!\w)", "", said) if longest_first else said
