"""What a single cell means: a text, or the id of a user. The same answer for every format."""

import hashlib
import json
import math
from decimal import Decimal
from typing import Final

LONGEST_TEXT: Final = 196_608  # characters of a record that are read: at most 2^17 n-grams, so scores cannot overflow
LONGEST_ID: Final = 256
SPELT: Final = {b"dpspin": b"ids in their one spelling"}  # marks a column that went through ``user_in`` already
RESERVED: Final = ("bytes:", "json:", "sha256:")


def text_in(value: object) -> str | None:
    r"""Return the text of a cell, or None for a bad row: no string, or one that cannot be encoded.

    >>> text_in("late parcel"), text_in(17), text_in("lone surrogate \ud800")
    ('late parcel', None, None)
    """
    return value[:LONGEST_TEXT] if isinstance(value, str) and _encodes(value) else None


def user_in(value: object) -> str | None:
    r"""Return the id in a cell as text. Only null and blank are missing: an odd id is still somebody's id.

    One id has one spelling, whatever format it came in (17, 17.0 and "17" are one user), and two ids never share one:
    what is not plain text gets a prefix, and plain text that begins like such a prefix is replaced by its hash.

    >>> user_in("u1"), user_in(17), user_in(17.0), user_in(b"Jos\xe9"), user_in("  "), user_in(None)
    ('u1', '17', '17', 'bytes:4a6f73e9', None, None)
    """
    match value:
        case None:
            return None
        case str():
            return _user_in_text(value)
        case bytes():
            return _user_in_bytes(value)
        case list() | dict():
            return _short(f"json:{json.dumps(value, sort_keys=True, default=str)}")
        case _:
            return _plain(_spelt(value))


def label_in(value: object) -> str | None:
    """Return the labels in a cell as one text; a list of them is joined by semicolons.

    >>> label_in("late delivery"), label_in([3, 17]), label_in(None), label_in(17.0)
    ('late delivery', '3;17', None, '17')
    """
    match value:
        case None:
            return None
        case str():
            return text_in(value)
        case list() | tuple():
            return ";".join(label_in(each) or "" for each in value)
        case _:
            return _spelt(value)


def _user_in_text(value: str) -> str | None:
    if not _encodes(value):
        return _short(f"json:{json.dumps(value)}")
    return _plain(value) if value.strip() else None


def _user_in_bytes(value: bytes) -> str | None:
    try:
        return _user_in_text(value.decode())
    except UnicodeDecodeError:
        return _short(f"bytes:{value.hex()}")


def _spelt(value: object) -> str:
    """Spell a number or a truth value in one way."""
    if isinstance(value, bool):
        return str(value).lower()
    whole = isinstance(value, float | Decimal) and math.isfinite(value) and value == int(value)
    return str(int(value)) if isinstance(value, float | Decimal) and whole else str(value)


def _plain(name: str) -> str:
    return _hashed(name) if name.startswith(RESERVED) or len(name) > LONGEST_ID else name


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_ID else _hashed(name)


def _hashed(name: str) -> str:
    return "sha256:" + hashlib.sha256(name.encode()).hexdigest()


def _encodes(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
