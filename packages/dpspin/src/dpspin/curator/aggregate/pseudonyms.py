"""User ids become 128-bit pseudonyms before they are kept anywhere, in memory or on disk.

A total needs to know which records share a user, never who that is. BLAKE2b under a secret key tells users apart and
cannot be tried out on a list of known ids by somebody who finds a file but not the key. 128 bits, because two users
with one pseudonym would share one bound: with 10^9 users that has a chance of 10^-21 (with 64 bits, of 3 in 100).
"""

import os
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin.boundary.safe_files import read_plain_text
from dpspin.curator.assign.contribution import Ints
from dpspin.errors import RequestError, SourceError, command_line

KEY_BYTES: Final = 32
NEW_KEY: Final = command_line("sketch", new_user_key="FILE")
_PERSON: Final = b"dpspin user"
_CHECK: Final = b"dpspin key"


@dataclass(frozen=True, slots=True)
class Pseudonyms:
    """A keyed naming of users.

    >>> names = Pseudonyms(bytes(KEY_BYTES))(pa.array(["ann", "bob", "ann"]))
    >>> names.shape, bool((names[0] == names[2]).all()), bool((names[0] == names[1]).all())
    ((3, 2), True, False)
    """

    key: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.key) != KEY_BYTES:
            raise RequestError(f"a user key has {KEY_BYTES} random bytes")

    @property
    def fingerprint(self) -> str:
        """Tell keys apart without showing them."""
        return "blake2b:" + blake2b(key=self.key, digest_size=16, person=_CHECK).hexdigest()

    def __call__(self, users: pa.Array) -> Ints:
        """Return two integers per user; ids must not be null."""
        ids = users.dictionary_encode()
        digests = b"".join(self._digest(name.encode()) for name in ids.dictionary.to_pylist())
        halves: Ints = np.frombuffer(digests, "<i8").reshape(-1, 2)[ids.indices.to_numpy()]
        return halves

    def _digest(self, name: bytes) -> bytes:
        return blake2b(name, key=self.key, digest_size=16, person=_PERSON).digest()


THIS_RUN: Final = Pseudonyms(os.urandom(KEY_BYTES))  # forgotten with the process: what it leaves behind names nobody


def shared_pseudonyms(key_file: Path) -> Pseudonyms:
    """Read the key that all shards of a corpus share.

    Whoever has the key and a sketch file can test whether a known person is in it: keep the two apart, and delete the
    key when the last shard is sketched. Merging does not need it.
    """
    try:
        key = bytes.fromhex(read_plain_text(key_file, "ascii"))
    except OSError as error:
        raise SourceError(
            f"the user key {str(key_file)!r} cannot be read: {error.strerror}; a new one is made with: {NEW_KEY}"
        ) from None
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise SourceError(f"{str(key_file)!r} is not a user key; make one with: {NEW_KEY}")
    return Pseudonyms(key)


def write_new_key(path: Path) -> None:
    """Write a new key to a new file, for its owner's eyes; an old one is never replaced: its shards would be lost."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise SourceError(f"no user key can be written to {str(path)!r}: {error.strerror}") from None
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(os.urandom(KEY_BYTES).hex() + "\n")
