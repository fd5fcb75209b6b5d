"""A column of dates, by a declared calendar: days, weeks, months, quarters or years from a first to a last one."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, datetime
from functools import cached_property, partial
from itertools import groupby
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import (
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    field_validator,
    model_validator,
)

from dpspin.boundary.facets.base import MOST_VALUES, DeclaredFacet, Word

DAYS = "this is no day of the calendar: write one like 2026-05-31, a month like 2026-05 or a year like 2026"


def _day(told: object, read: ValidatorFunctionWrapHandler, *, last: bool) -> date:
    """Read a day as it may be told; a slip is answered with how days are written."""
    try:
        day: date = read(_end_of_span(told, last=last))
    except ValidationError:
        raise ValueError(DAYS) from None
    return day


def _end_of_span(told: object, *, last: bool) -> object:
    """Let a month or a year stand for its first day, or its last one.

    >>> _end_of_span("2026-02", last=True), _end_of_span(2026, last=False)
    (datetime.date(2026, 2, 28), datetime.date(2026, 1, 1))
    """
    found = re.fullmatch(r"(?!0000)([0-9]{4})(?:-(0[1-9]|1[0-2]))?", str(told))  # in YAML a year is a number
    if found is None:
        return told
    year, month = int(found[1]), int(found[2] or (12 if last else 1))
    return date(year, month, monthrange(year, month)[1] if last else 1)


class PeriodFacet(DeclaredFacet):
    """The period of the record's date, written as ISO 8601 says; a date outside of the calendar is `other`.

    A moment with an offset is told in the zone; one without is taken as it is written.

    >>> when = PeriodFacet(column="date", every="month", first="2026-05-01", last="2026-06-30")
    >>> when.declared
    ('2026-05', '2026-06')
    >>> [when.places[when.place(cell)] for cell in ("2026-06-30", "2026-05-31 23:30:00-02:00", "2025-05-05", "June")]
    ['2026-06', '2026-06', 'other', 'other']
    """

    kind: Literal["period"] = "period"
    column: Word
    every: Literal["day", "week", "month", "quarter", "year"]
    first: Annotated[date, WrapValidator(partial(_day, last=False))]
    last: Annotated[date, WrapValidator(partial(_day, last=True))]
    zone: str = "UTC"

    @field_validator("zone")
    @classmethod
    def _is_known(cls, zone: str) -> str:
        try:
            ZoneInfo(zone)
        except (ValueError, OSError, LookupError):
            raise ValueError("a time zone is named as in Europe/Berlin, or UTC") from None
        return zone

    @model_validator(mode="after")
    def _is_a_calendar(self) -> Self:
        if self.last < self.first or (self.last - self.first).days > MOST_VALUES * 366:
            raise ValueError("a calendar goes from its first day to a later one: change `first` or `last`")
        if len(self.declared) > MOST_VALUES:
            raise ValueError(f"a calendar of more than {MOST_VALUES} periods is too fine: choose longer ones")
        return self

    @property
    def declared(self) -> tuple[str, ...]:
        """The periods from the one of the first day to the one of the last."""
        return tuple(self._places)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self._periods())}

    def _periods(self) -> Iterator[str]:
        days = map(date.fromordinal, range(self.first.toordinal(), self.last.toordinal() + 1))
        return (name for name, _ in groupby(map(self._name, days)))

    def _name(self, day: date) -> str:
        match self.every:
            case "day":
                return day.isoformat()
            case "week":
                year, week, _ = day.isocalendar()
                return f"{year}-W{week:02}"
            case "month":
                return f"{day:%Y-%m}"
            case "quarter":
                return f"{day.year}-Q{(day.month + 2) // 3}"
            case "year":
                return str(day.year)

    def among_declared(self, cell: str) -> int | None:
        """Find the period of a date or a moment: the first and the last one are whole, as their names say."""
        name = self.period_of(cell)
        return None if name is None else self._places.get(name)

    def period_of(self, cell: str) -> str | None:
        """Name the period of a date or a moment, also where the calendar does not go so far; None: it is neither."""
        try:
            moment = datetime.fromisoformat(cell)
        except ValueError:
            return None
        try:
            local = moment if moment.tzinfo is None else moment.astimezone(ZoneInfo(self.zone))
        except (OverflowError, ValueError):
            return None
        return self._name(local.date())
