"""What a single cell means: a text, or the id of a user. The same answer for every format.

Each function here is total: it gives any Python value a meaning, by that value alone, and never fails. Every faster
path over a whole column (``arrays``) must agree with them cell by cell; the tests hold it to that.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

import numpy as np

from dpspin.curator.records.cell_spelling import NUMBERS_AND_MOMENTS, spelt, spelt_thing

LONGEST_TEXT: Final = 196_608  # characters of a record that are read: at most 2^17 n-grams, so scores cannot overflow
LONGEST_ID: Final = 256
RESERVED: Final = ("bytes:", "json:", "sha256:")
UNREADABLE: Final = "json:unreadable"  # no value is spelt so: what follows "json:" is JSON
DEEPEST: Final = 64  # lists in lists that are spelt: how deep Python can go depends on who called it


def text_in(value: object) -> str | None:
    r"""Return the text of a cell, or None for a bad row: no string, or one that is not Unicode text.

    >>> text_in("late parcel"), text_in(b"late parcel"), text_in(17), text_in("lone surrogate \ud800"), text_in(b"\xff")
    ('late parcel', 'late parcel', None, None, None)
    """
    if type(value) is str and value.isascii():  # most of them
        return value[:LONGEST_TEXT]
    return _or_none(_text_in, value)


def user_in(value: object) -> str | None:
    r"""Return the id in a cell as text. Only null, NaN and blank are missing: an odd id is still somebody's id.

    One id has one spelling, whatever format it came in (17, 17.0 and "17" are one user; a moment with a time zone is
    told in UTC), and two ids never share one: what is not plain text gets a prefix, and plain text that begins like
    such a prefix is replaced by its hash. An object that has no words of its own is ``UNREADABLE``: somebody's id, and
    nobody knows whose.

    >>> user_in("u1"), user_in(17), user_in(17.0), user_in(b"Jos\xe9"), user_in("  "), user_in(None)
    ('u1', '17', '17', 'bytes:4a6f73e9', None, None)
    """
    try:
        return _user_in_text(value) if type(value) is str else _user_in(value)
    except Exception:  # noqa: BLE001  any object can be in a cell, and can fail in any way
        return UNREADABLE


def label_in(value: object) -> str | None:
    """Return the labels in a cell as one text; a list of them is joined by semicolons.

    >>> label_in("late delivery"), label_in([3, 17]), label_in(None), label_in(17.0)
    ('late delivery', '3;17', None, '17')
    """
    return _or_none(_label_in, value)


def _or_none(read: Callable[[object], str | None], value: object) -> str | None:
    """Read a value; None where its own code fails. Whatever it raises may quote the record, so it ends here."""
    try:
        return read(value)
    except Exception:  # noqa: BLE001  any object can be in a cell, and can fail in any way
        return None


def _text_in(value: object) -> str | None:
    match value:
        case str():
            words = str.__str__(value)  # a subclass may disguise itself
            return words[:LONGEST_TEXT] if _encodes(words) else None
        case bytes() | bytearray() | memoryview():
            return bytes(value).decode()[:LONGEST_TEXT]
        case _:
            return None


def _user_in(value: object) -> str | None:
    match value:
        case _ if value is None or type(value).__name__ == "NAType":  # the latter is pandas'
            return None
        case str():
            return _user_in_text(str.__str__(value))
        case bytes() | bytearray() | memoryview():
            return _user_in_bytes(bytes(value))
        case list() | tuple() | dict() | set() | frozenset() | np.ndarray():
            return _short(f"json:{_structure(value)}")
        case _ if isinstance(value, NUMBERS_AND_MOMENTS):
            name = spelt(value)
            return None if name is None else _short(name)
        case _:
            name = spelt_thing(value)
            return UNREADABLE if name is None else _user_in_text(name)


def _label_in(value: object) -> str | None:
    match value:
        case None:
            return None
        case str() | bytes() | bytearray() | memoryview():
            return _text_in(value)
        case list() | tuple() | set() | frozenset() | np.ndarray():
            return ";".join(label_in(each) or "" for each in _members(value))
        case _:
            return spelt(value) if isinstance(value, NUMBERS_AND_MOMENTS) else spelt_thing(value)


def _structure(value: object) -> str:
    if _deeper_than(DEEPEST, value):
        raise ValueError("a structure that nests too deep")
    return json.dumps(_members(value), sort_keys=True, default=_inside)


def _deeper_than(levels: int, value: object) -> bool:
    inside: Iterable[object] = ()
    if isinstance(value, dict):
        inside = value.values()
    elif isinstance(value, list | tuple | set | frozenset | np.ndarray):
        inside = _members(value)
    return levels == 0 or any(_deeper_than(levels - 1, each) for each in inside)


def _inside(value: object) -> object:
    if isinstance(value, set | frozenset | np.ndarray):
        return _members(value)
    name = user_in(value)
    if name == UNREADABLE:
        raise ValueError("a part that has no words")
    return name


def _members(value: Any) -> Any:  # noqa: ANN401
    """Return a structure in a fixed order: that of a set differs from run to run."""
    if isinstance(value, np.ndarray):
        return np.atleast_1d(value).tolist()
    return sorted(value, key=lambda each: user_in(each) or "") if isinstance(value, set | frozenset) else value


def _user_in_text(value: str) -> str | None:
    if not _encodes(value):
        return _short(f"json:{json.dumps(value)}")
    return _plain(value) if value.strip() else None


def _user_in_bytes(value: bytes) -> str | None:
    for how in ("strict", "surrogatepass"):  # half a character is spelt as in a text
        with suppress(UnicodeDecodeError):
            return _user_in_text(value.decode("utf-8", how))
    return _short(f"bytes:{value.hex()}")


def _plain(name: str) -> str:
    return _hashed(name) if name.startswith(RESERVED) or len(name) > LONGEST_ID else name


def _short(name: str) -> str:
    """Return a name that fits; the hash of one with a prefix keeps it, so that no plain text has the same."""
    prefix = next((each for each in RESERVED if name.startswith(each)), "")
    return name if len(name) <= LONGEST_ID else prefix + _hashed(name)


def _hashed(name: str) -> str:
    return "sha256:" + hashlib.sha256(name.encode()).hexdigest()


def _encodes(value: str) -> bool:
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
