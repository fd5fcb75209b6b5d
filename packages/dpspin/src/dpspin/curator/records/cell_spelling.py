"""One spelling for each number, moment and thing that is not text: what a value is called never depends on others.

A value outside the calendar (Parquet, Arrow and pandas have dates of the year 20,000) is spelt from its integer.
"""

import json
import math
import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

import numpy as np

NANOSECONDS: Final = {  # in one unit of numpy's and Arrow's clocks
    "W": 604_800_000_000_000,
    "D": 86_400_000_000_000,
    "h": 3_600_000_000_000,
    "m": 60_000_000_000,
    "s": 1_000_000_000,
    "ms": 1_000_000,
    "us": 1_000,
    "ns": 1,
}
DAY: Final = NANOSECONDS["D"]
EPOCH: Final = date(1970, 1, 1).toordinal()
LONGEST_NUMBER: Final = 5_000  # digits that are written out; 1E+999999999 stays as it is
SHORT_BITS: Final = 14_000  # Python writes out integers of up to 4,300 digits
ADDRESS: Final = re.compile(r"\bat 0x[0-9a-fA-F]+")


def spelt(value: object) -> str | None:
    """Spell one of ``NUMBERS_AND_MOMENTS``; None for one that stands for a missing value (NaN, NaT).

    >>> [spelt(value) for value in (17, 17.0, Decimal("1.50"), True, float("nan"), date(2024, 1, 31))]
    ['17', '17', '1.5', 'true', None, '2024-01-31']
    """
    return next(spell(value) for kind, spell in SPELLINGS if isinstance(value, kind))


def spelt_thing(value: object) -> str | None:
    """Spell any other object as its class does; None where that would be its place in memory.

    >>> spelt_thing(1 + 2j), spelt_thing(object())
    ('(1+2j)', None)
    """
    kind = type(value)
    if kind.__name__ == "NAType" or (kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__):
        return None
    words = str(value)
    return None if ADDRESS.search(words) else words


def spelt_day(days: int) -> str:
    """Spell a day by its distance from 1970-01-01.

    >>> spelt_day(19_753), spelt_day(10**8)
    ('2024-01-31', 'json:{"days since 1970-01-01": 100000000}')
    """
    return _calendar(days) or _outside("days since 1970-01-01", days)


def spelt_moment(nanoseconds: int, *, aware: bool) -> str:
    """Spell a moment by its distance from 1970-01-01; one with a time zone is told in UTC.

    >>> spelt_moment(86_400_000_000_001, aware=True)
    '1970-01-02 00:00:00.000000001+00:00'
    """
    days, rest = divmod(nanoseconds, DAY)
    day, zone = _calendar(days), "+00:00" if aware else ""
    if day is None:
        return _outside(f"nanoseconds since 1970-01-01{' UTC' if aware else ''}", nanoseconds)
    return f"{day} {spelt_clock(rest)}{zone}"


def spelt_clock(nanoseconds: int) -> str:
    """Spell a time of the day.

    >>> spelt_clock(3_600_000_000_000), spelt_clock(1_500_000)
    ('01:00:00', '00:00:00.001500')
    """
    if not 0 <= nanoseconds < DAY:
        return _outside("nanoseconds of the day", nanoseconds)
    seconds, rest = divmod(nanoseconds, 10**9)
    part = "" if not rest else f".{rest:09d}" if rest % 1000 else f".{rest // 1000:06d}"
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{part}"


def spelt_span(nanoseconds: int) -> str:
    """Spell a duration.

    >>> spelt_span(86_400_000_000_000), spelt_span(1)
    ('1 day, 0:00:00', 'json:{"nanoseconds": 1}')
    """
    if not nanoseconds % 1000:
        try:
            return str(timedelta(microseconds=nanoseconds // 1000))
        except OverflowError:
            pass
    return _outside("nanoseconds", nanoseconds)


def _outside(what: str, number: int) -> str:
    return f"json:{json.dumps({what: number})}"


def _calendar(days: int) -> str | None:
    try:
        return date.fromordinal(EPOCH + days).isoformat()
    except (ValueError, OverflowError):
        return None


def _whole(value: int) -> str:
    return str(value) if value.bit_length() < SHORT_BITS else str(Decimal(value))


def _float(value: float) -> str | None:
    if math.isnan(value):
        return None
    return _whole(int(value)) if math.isfinite(value) and value.is_integer() else repr(value)


def _decimal(value: Decimal) -> str | None:
    """Spell a decimal as the whole number or the float it equals, else by its digits: 1.50 and 1.5 are one."""
    if value.is_nan():
        return None
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        return "-inf" if sign else "inf"
    figures = "".join(map(str, digits)).lstrip("0")
    kept = figures.rstrip("0")
    exponent += len(figures) - len(kept)
    if not kept:
        return "0"
    written = "-" * sign + kept
    if exponent >= 0:
        short = len(kept) + exponent <= LONGEST_NUMBER
        return written + "0" * exponent if short else f"{written}E+{exponent}"
    near = float(value)
    return repr(near) if Decimal(repr(near)) == value else f"{written}E{exponent}"


def _numpy(value: np.generic) -> str | None:
    match value:
        case np.datetime64() | np.timedelta64():
            return None if np.isnat(value) else _numpy_time(value)
        case np.bool_():
            return spelt(bool(value))
        case np.integer():
            return spelt(int(value))
        case np.floating():
            return spelt(float(value))
        case _:
            return spelt_thing(value)


def _numpy_time(value: "np.datetime64 | np.timedelta64", *, aware: bool = False) -> str:
    unit, count = np.datetime_data(value.dtype)
    if isinstance(value, np.datetime64) and unit in {"Y", "M"}:
        return spelt_day(int(value.astype("M8[D]").astype(np.int64)))
    number = int(value.astype(np.int64)) * count
    if unit not in NANOSECONDS:
        return _outside(f"numpy's {value.dtype.kind}8[{unit}]", number)
    if isinstance(value, np.timedelta64):
        return spelt_span(number * NANOSECONDS[unit])
    if unit == "D":
        return spelt_day(number)
    return spelt_moment(number * NANOSECONDS[unit], aware=aware)


def _datetime(value: datetime) -> str | None:
    exact = getattr(value, "asm8", None)  # pandas' Timestamp, in UTC where it has a zone; NaT is one too
    if exact is not None:
        return None if np.isnat(exact) else _numpy_time(exact, aware=value.tzinfo is not None)
    offset = value.utcoffset()
    since = value.replace(tzinfo=None) - datetime(1970, 1, 1)  # noqa: DTZ001  a difference of two wall clocks
    return spelt_moment(_nanoseconds(since) - _nanoseconds(offset or timedelta()), aware=offset is not None)


def _timedelta(value: timedelta) -> str | None:
    exact = getattr(value, "asm8", None)  # pandas' Timedelta
    return spelt_span(_nanoseconds(value)) if exact is None else _numpy(exact)


def _nanoseconds(span: timedelta) -> int:
    return ((span.days * 86_400 + span.seconds) * 10**6 + span.microseconds) * 1000


SPELLINGS: Final[tuple[tuple[type, Callable[[Any], str | None]], ...]] = (  # the first that fits
    (bool, lambda value: "true" if value else "false"),
    (int, lambda value: _whole(int.__int__(value))),  # of a subclass, too
    (float, lambda value: _float(float.__float__(value))),
    (Decimal, _decimal),
    (np.generic, _numpy),
    (datetime, _datetime),
    (date, date.isoformat),
    (time, time.isoformat),
    (timedelta, _timedelta),
    (UUID, UUID.__str__),
)
NUMBERS_AND_MOMENTS: Final = tuple(kind for kind, _ in SPELLINGS)
