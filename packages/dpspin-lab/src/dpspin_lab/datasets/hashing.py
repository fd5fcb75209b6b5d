"""Deterministic chance for splits and samples: a hash of a unit's own name, so that no unit moves another."""

import hashlib
from typing import Final

SPACE: Final = 2**64


def mark(purpose: str, name: str) -> int:
    """Return a number in [0, 2^64), equally likely to be any, that is fixed by purpose and name.

    >>> mark("split/1", "review 7") == mark("select/1", "review 7")
    False
    """
    content = f"{purpose}\x1f{name}".encode()
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest())
