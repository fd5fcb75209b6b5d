"""Which rows of a table are read: conditions on a row's own cells, as they stand behind ``where=``.

A free predicate could hold a subquery, by which one record decides whether another one is read: then no bound on what
one record changes would hold. So this small language is all there is, and literals travel as parameters.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dpspin.errors import RequestError

COMPARISONS: Final = ("=", "!=", "<", "<=", ">", ">=")
TOKEN: Final = re.compile(
    r"""\s*(?:
    (?P<number>-?\d+(?:\.\d+)?(?!\w)) | (?P<string>'(?:[^']|'')*') | (?P<quoted>"(?:[^"]|"")+") |
    (?P<word>[^\W\d]\w*) | (?P<sign><=|>=|!=|<>|[=<>(),]) )""",
    re.VERBOSE,
)
RULE: Final = (
    "a condition compares one column with literals (=, !=, <, <=, >, >=, in (…), is null, is not null), and conditions "
    "are joined by and: where=status = 'closed' and year >= 2025. Texts stand in single quotes, and odd names of "
    "columns in double ones; what tells more than one row's own cells cannot be asked"
)


@dataclass(frozen=True, slots=True)
class Literal:
    """A text or a number, as it was written."""

    text: str
    is_number: bool

    @property
    def value(self) -> str | int | float:
        """The literal as Python's value."""
        if not self.is_number:
            return self.text
        return float(self.text) if "." in self.text else int(self.text)

    def __str__(self) -> str:
        return self.text if self.is_number else "'" + self.text.replace("'", "''") + "'"


@dataclass(frozen=True, slots=True)
class Condition:
    """One column, an operator and its literals: ``is null`` and ``is not null`` have none, ``in`` one or more."""

    column: str
    operator: str
    literals: tuple[Literal, ...] = ()

    def written(self, column: str, literals: Sequence[str]) -> str:
        """Write it with the column and the literals (or marks for them) as they are written where it is read."""
        told = ", ".join(literals)
        return f"{column} {self.operator} {f'({told})' if self.operator == 'in' else told}".rstrip()

    def __str__(self) -> str:
        return self.written(quoted(self.column), [*map(str, self.literals)])


class Conditions(tuple[Condition, ...]):
    """Conditions that all hold of a row that is read."""

    __slots__ = ()

    def __str__(self) -> str:
        """Write them in one way, however they were written: two requests with the same text are the same."""
        return " and ".join(sorted({str(each) for each in self}))


NO_CONDITIONS: Final = Conditions()


def quoted(name: str) -> str:
    """Return a name as SQL quotes it.

    >>> quoted('a "b" c')
    '"a ""b"" c"'
    """
    return '"' + name.replace('"', '""') + '"'


def conditions_in(told: str) -> Conditions:
    """Read conditions, or refuse them; nothing told is no condition.

    >>> print(conditions_in("year >= 2025 and status in ('open', 'it''s done')"))
    "status" in ('open', 'it''s done') and "year" >= 2025
    """
    if not told.strip():
        return NO_CONDITIONS
    tokens = _Tokens(told)
    found = [_condition(tokens)]
    while not tokens.at_end:
        tokens.require_word("and")
        found.append(_condition(tokens))
    return Conditions(found)


def _condition(tokens: "_Tokens") -> Condition:
    column = tokens.column()
    if tokens.has_word("is"):
        negated = tokens.has_word("not")
        tokens.require_word("null")
        return Condition(column, "is not null" if negated else "is null")
    if tokens.has_word("in"):
        return Condition(column, "in", tuple(_members(tokens)))
    sign = tokens.sign()
    operator = "!=" if sign == "<>" else sign
    if operator not in COMPARISONS:
        raise _misunderstood()
    return Condition(column, operator, (tokens.literal(),))


def _members(tokens: "_Tokens") -> Iterator[Literal]:
    if tokens.sign() != "(":
        raise _misunderstood()
    yield tokens.literal()
    while (sign := tokens.sign()) == ",":
        yield tokens.literal()
    if sign != ")":
        raise _misunderstood()


class _Tokens:
    """What was told, word by word."""

    def __init__(self, told: str) -> None:
        self._told, self._place = told.rstrip(), 0

    @property
    def at_end(self) -> bool:
        return self._place == len(self._told)

    def column(self) -> str:
        kind, text = self._next()
        if kind == "quoted":
            return text[1:-1].replace('""', '"')
        if kind != "word":
            raise _misunderstood()
        return text

    def literal(self) -> Literal:
        kind, text = self._next()
        if kind not in {"number", "string"}:
            raise _misunderstood()
        return Literal(text if kind == "number" else text[1:-1].replace("''", "'"), is_number=kind == "number")

    def sign(self) -> str:
        kind, text = self._next()
        return text if kind == "sign" else ""

    def has_word(self, word: str) -> bool:
        found = TOKEN.match(self._told, self._place)
        if found is None or (found["word"] or "").lower() != word:
            return False
        self._place = found.end()
        return True

    def require_word(self, word: str) -> None:
        if not self.has_word(word):
            raise _misunderstood()

    def _next(self) -> tuple[str, str]:
        found = TOKEN.match(self._told, self._place)
        if found is None or found.lastgroup is None:
            raise _misunderstood()
        self._place = found.end()
        return found.lastgroup, found[found.lastgroup]


def _misunderstood() -> RequestError:
    """Return the refusal; what was written is not repeated, for it may name somebody."""
    return RequestError(f"the condition behind where= cannot be read: {RULE}", code="request.condition")
