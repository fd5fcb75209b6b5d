"""How the rows of a Spark table are chosen and its columns are made, told the same in every session."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from dpspin.curator.records.spark_lineage import ORDERING, ROW_BY_ROW
from dpspin.curator.records.spark_places import members

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CATALYST: Final = "org.apache.spark.sql.catalyst"
CHOOSING: Final = frozenset(("Project", "Filter"))  # of steps that keep rows apart, those that choose or make cells
WATCHING: Final = frozenset(("CollectMetrics", "EventTimeWatermark"))  # they choose nothing, and are numbered anew
RENAMED: Final = {  # steps that Spark numbers anew in each session, and where it keeps the number
    "CTERelationDef": "id",  # what WITH has made
    "CTERelationRef": "cteId",
    "UnionLoop": "id",  # and what it makes of itself
    "UnionLoopRef": "loopId",
}
A_COLUMN: Final = "AttributeReference"
NAMED: Final = frozenset(
    (A_COLUMN, "OuterReference", "NamedLambdaVariable")
)  # expressions that are a name and a number
NAMED_BESIDE: Final = frozenset(  # functions whose name, or body, is told beside them
    ("SimplePythonFunction", "ChainedPythonFunctions", "SQLFunction")
)
COUNTED: Final = frozenset(("CommonExpressionId", "LambdaVariable"))  # things that Java counts, all questions together
PLAIN: Final = frozenset(
    ("string", "byte", "short", "integer", "long", "date")
)  # types whose cells SQL spells in one way
OF_A_FRAME: Final = re.compile(r"(?<=_pyspark_)[0-9a-f]{32}")  # the name of a frame in SQL, of this one call
A_LAMBDA: Final = "$$Lambda"  # in the name of a class, before what is another one each time
IN_THE_QUESTION: Final = frozenset(("LocalRelation", "Range"))  # places whose rows were written down with it
SPOKEN: Final = ("spark.sql.legacy.", "spark.sql.jsonGenerator.")  # settings by which expressions mean something else
READ_AS_TIMES: Final = {"Cast": "child", "ParseToDate": "left", "ParseToTimestamp": "left"}  # and where the words are
TIMES: Final = frozenset(("date", "timestamp", "timestamp_ntz"))
A_WRITTEN_DAY: Final = re.compile(r"'\s*[+-]?\d{4,}(-|\s*')")  # others are words such as `today`, or a time of today

OF_PYTHON: Final = (str, int, float, Decimal, bytes, bytearray, type(None))  # what Java's own values become here

Told = Any  # lists, words, whole numbers and nothing


def selection_of(frame: "DataFrame") -> list[Told]:
    """Say how rows are chosen and columns are made, the same in every session; empty: as they lie.

    Conditions may quote cells, so this is for a digest. Where something lies is no part of it, nor is an order, unless
    a step above it may choose by that; of a function of the caller's own it has the name.
    """
    plan = frame._jdf.queryExecution().analyzed()  # noqa: SLF001  PySpark has no public way to a plan
    words = _Words(frame.sparkSession.sparkContext._gateway)  # noqa: SLF001  nor to Java
    made = words.of_plan(plan, ordered=False)
    if len(made) == 1 and _kind(plan) not in IN_THE_QUESTION:
        return []
    spoken = sorted(each for each in frame.sparkSession.conf.getAll.items() if each[0].startswith(SPOKEN))
    return [made, words.of_columns(plan), spoken]


def rests_on_the_clock(frame: "DataFrame") -> bool:
    """Tell whether a condition or a cell depends on when, or by whom, it is asked for, or on what Java is asked."""
    plan, gateway = frame._jdf.queryExecution().analyzed(), frame.sparkSession.sparkContext._gateway  # noqa: SLF001
    if plan.containsPattern(gateway.jvm.org.apache.spark.sql.catalyst.trees.TreePattern.CURRENT_LIKE()):
        return True
    words = _Words(gateway)
    words.of_plan(plan, ordered=True)
    return words.rest_on_the_clock


class _Words:
    """What Spark's steps and expressions are made of; its numbers are told by first appearance.

    An expression is told by its class and all that it was made from. Spark's own spellings leave some of that out (the
    patterns of LIKE ANY, say), print a time in the session's zone, and look like a number where a cell does.
    """

    def __init__(self, gateway: Any) -> None:  # noqa: ANN401
        self._gateway = gateway
        self._numbers: dict[tuple[str, int], int] = {}
        self._ways: dict[str, Callable[[Any], Told]] = {}
        self.rest_on_the_clock = False

    def of_plan(self, step: Any, *, ordered: bool) -> list[Told]:  # noqa: ANN401
        """Tell a step and those beneath it; ``ordered``: a step above it may choose by the order."""
        kind = _kind(step)
        below = ordered or kind not in ROW_BY_ROW or not step.deterministic()
        beneath = [self.of_plan(child, ordered=below) for child in members(step.children())]
        own = self._of_step(step, kind, ordered=ordered) if beneath else self._of_place(step, kind)
        return [own, *beneath] if own or len(beneath) != 1 else beneath[0]

    def of_columns(self, step: Any) -> list[Told]:  # noqa: ANN401
        """Name the columns of a step, each with its number."""
        return [self._told(each) for each in members(step.output())]

    def _of_place(self, place: Any, kind: str) -> list[Told]:  # noqa: ANN401
        """Where rows lie there are columns and nothing else, unless the question itself has the rows in it."""
        columns = self.of_columns(place)
        match kind:
            case "LocalRelation":
                return [*columns, str(place.toSQL("it")) if place.data().size() else ""]
            case "Range":
                return [*columns, place.start(), place.end(), place.step()]
            case renamed if renamed in RENAMED:
                return [*columns, kind, self._number_of(place, kind)]
            case _:
                return columns

    def _of_step(self, step: Any, kind: str, *, ordered: bool) -> list[Told]:  # noqa: ANN401
        """Tell what a step chooses or makes; columns that it hands on matter only where a step above mixes rows."""
        if kind in WATCHING or kind in ROW_BY_ROW - CHOOSING - (ORDERING if ordered else frozenset()):
            return []
        if kind in RENAMED:
            return [kind, self._number_of(step, kind)]
        if kind in CHOOSING and not ordered:
            made = [each for each in members(step.expressions()) if kind != "Project" or _kind(each) != A_COLUMN]
            return [kind, *map(self._told, made)] if made else []
        return [kind, *(self._told(each) for each in members(step.productIterator()) if not self._is_beneath(each))]

    def _number_of(self, step: Any, kind: str) -> int:  # noqa: ANN401
        return self._place(kind[:3], getattr(step, RENAMED[kind])())

    def _place(self, kind: str, number: int) -> int:
        return self._numbers.setdefault((kind, number), len(self._numbers))

    def _is_beneath(self, part: Any) -> bool:  # noqa: ANN401
        """Tell whether a part of a step is other steps, which are told apart from it."""
        if isinstance(part, OF_PYTHON):
            return False
        way = self._way_of(part)
        if way == self._of_several:
            return any(self._is_beneath(each) for each in members(part)[:1])
        return way == self._of_subquery

    def _told(self, thing: Any) -> Told:  # noqa: ANN401
        if not isinstance(thing, OF_PYTHON):
            return self._way_of(thing)(thing)
        return thing if thing is None or isinstance(thing, str | int) else repr(thing)

    def _way_of(self, thing: Any) -> Callable[[Any], Told]:  # noqa: ANN401
        """Return how things of this class are told."""
        from py4j.java_gateway import is_instance_of  # noqa: PLC0415  it comes with Spark

        name = str(thing.getClass().getName())
        if name not in self._ways:
            self._ways[name] = next(way for kind, way in self._kinds() if is_instance_of(self._gateway, thing, kind))
        return self._ways[name]

    def _kinds(self) -> Iterator[tuple[str, Callable[[Any], Told]]]:
        yield f"{CATALYST}.plans.logical.LogicalPlan", self._of_subquery
        yield f"{CATALYST}.expressions.Literal", self._of_literal
        yield f"{CATALYST}.expressions.ExprId", self._of_number
        yield f"{CATALYST}.expressions.InheritAnalysisRules", self._of_replaced
        yield f"{CATALYST}.expressions.Expression", self._of_expression
        yield "org.apache.spark.sql.types.DataType", _of_type
        yield "scala.collection.Iterable", self._of_several
        yield "scala.Product", self._of_product
        yield "org.apache.spark.unsafe.types.UTF8String", _of_words
        yield "java.lang.Object", _of_object

    def _of_subquery(self, plan: Any) -> Told:  # noqa: ANN401
        return self.of_plan(plan, ordered=True)

    def _of_several(self, things: Any) -> Told:  # noqa: ANN401
        return [self._told(each) for each in members(things)]

    def _of_number(self, number: Any) -> Told:  # noqa: ANN401
        return self._place("", number.id())

    def _of_literal(self, literal: Any) -> Told:  # noqa: ANN401
        """Tell a cell by its value, of a time what is kept: the session's zone plays no part."""
        value = literal.value()
        return [_of_type(literal.dataType()), repr(value) if isinstance(value, OF_PYTHON) else str(literal.sql())]

    def _of_replaced(self, expression: Any) -> Told:  # noqa: ANN401
        """Tell what stands for it: that holds its arguments, which would be told twice at each depth."""
        return [_kind(expression), self._told(expression.replacement())]

    def _of_expression(self, expression: Any) -> Told:  # noqa: ANN401
        kind = _kind(expression)
        if kind in NAMED:
            numbered = self._of_number(expression.exprId())
            return [kind, str(expression.name()), numbered, _of_type(expression.dataType())]
        if kind == "Alias":
            named = str(expression.name()), self._of_number(expression.exprId())
            return [kind, *named, self._told(expression.child())]
        if kind == "ScalaUDF":
            return [kind, self._told(expression.udfName()), self._told(expression.children())]
        self.rest_on_the_clock |= kind == "CallMethodViaReflection" or _is_spoken_time(expression, kind)
        if kind == "Cast" and not expression.needsTimeZone():
            return [kind, *map(self._told, (expression.child(), expression.dataType(), expression.evalMode()))]
        if kind == "In" and expression.inSetConvertible() and str(expression.value().dataType().typeName()) in PLAIN:
            words = OF_A_FRAME.sub("", str(expression.sql()))  # a list may be long, and is asked for at once
            return [kind, self._told(expression.value()), words]
        return self._of_product(expression)

    def _of_product(self, thing: Any) -> Told:  # noqa: ANN401
        kind = _kind(thing)
        if kind in NAMED_BESIDE:
            return [kind]
        if kind in COUNTED:
            return [kind, self._place(kind[:3], thing.id())]
        return [kind, *map(self._told, members(thing.productIterator()))]


def _kind(thing: Any) -> str:  # noqa: ANN401
    return str(thing.getClass().getSimpleName())


def _of_type(kind: Any) -> Told:  # noqa: ANN401
    return str(kind.json())


def _of_words(words: Any) -> Told:  # noqa: ANN401
    return str(words.toString())


def _of_object(thing: Any) -> Told:  # noqa: ANN401
    """Tell an object by what it says of itself, but for its address, which is another one each time."""
    name, said = str(thing.getClass().getName()), str(thing.toString())
    return name.partition(A_LAMBDA)[0] if said.startswith(f"{name}@") or A_LAMBDA in name else said


def _is_spoken_time(expression: Any, kind: str) -> bool:  # noqa: ANN401
    """Tell a day or an instant that a word names, or a time alone, which is of the day on which it is asked for."""
    if kind not in READ_AS_TIMES or str(expression.dataType().typeName()) not in TIMES:
        return False
    read = getattr(expression, READ_AS_TIMES[kind])()
    words = str(read.dataType().typeName()) == "string" and bool(read.foldable())
    return words and A_WRITTEN_DAY.match(str(read.sql())) is None
