"""What a single cell means: a text, or the id of a user. The same answer for every format."""

import hashlib
import json
from typing import Final

LONGEST_TEXT: Final = 196_608  # characters of a record that are read: at most 2^17 n-grams, so scores cannot overflow
LONGEST_ID: Final = 256


def text_in(value: object) -> str | None:
    r"""Return the text of a cell, or None for a bad row: no string, or one that cannot be encoded.

    >>> text_in("late parcel"), text_in(17), text_in("lone surrogate \ud800")
    ('late parcel', None, None)
    """
    return value[:LONGEST_TEXT] if isinstance(value, str) and _encodes(value) else None


def user_in(value: object) -> str | None:
    r"""Return the id in a cell as text. Only null and blank are missing: an odd id is still somebody's id.

    Two spellings of one id in different formats are the same user (17 and "17"); an undecodable one keeps its bytes.

    >>> user_in("u1"), user_in(17), user_in(17.5), user_in(b"Jos\xe9"), user_in("  "), user_in(None)
    ('u1', '17', '17.5', 'bytes:4a6f73e9', None, None)
    """
    match value:
        case None:
            return None
        case bytes():
            return user_in(_decoded_id(value))
        case str():
            name = value if _encodes(value) else json.dumps(value)
            return _short(name) if name.strip() else None
        case list() | dict():
            return _short(json.dumps(value, sort_keys=True))
        case _:
            return _short(str(value))


def _decoded_id(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return f"bytes:{value.hex()}"


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_ID else "sha256:" + hashlib.sha256(name.encode()).hexdigest()


def _encodes(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
