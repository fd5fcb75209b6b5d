"""A fitted map as one file: a header and plain arrays in an .npz, sealed, bounded in size, without pickles.

Whatever the bytes, reading them runs no code of the file and takes no more memory than the limits below.
"""

import hashlib
import math
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from dpspin.boundary.model_base import digest_of
from dpspin.boundary.safe_files import open_plain
from dpspin.errors import RequestError, SourceError

LARGEST: Final = 2**31  # bytes of all parts, unpacked; half of it is written, so that what was written can be read
MOST_PARTS: Final = 100
DTYPES: Final = frozenset({"|u1", "<i8", "<f8", "<f4"})
HEADER, SEAL, SUFFIX = "header", "seal", ".npy"
Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class ArrayFile:
    """A header (JSON) and named arrays, as they were written."""

    header: bytes = field(repr=False)
    arrays: Arrays = field(repr=False)

    @property
    def seal(self) -> bytes:
        """Identify the content: names, types, shapes and numbers."""
        parts = [
            [name, array.dtype.str, array.shape, hashlib.sha256(array.tobytes()).hexdigest()]
            for name, array in sorted(self.arrays.items())
        ]
        return digest_of([hashlib.sha256(self.header).hexdigest(), parts]).encode()

    def write(self, path: Path) -> None:
        """Write one file; equal content gives equal bytes."""
        texts = {HEADER: self.header, SEAL: self.seal}
        parts: dict[str, Any] = {name: np.frombuffer(text, np.uint8) for name, text in texts.items()}
        parts |= {name: np.ascontiguousarray(array) for name, array in self.arrays.items()}
        if len(parts) > MOST_PARTS or sum(part.nbytes for part in parts.values()) > LARGEST // 2:
            raise RequestError("the fitted map is too large for one file; use a smaller dictionary or fewer texts")
        with path.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **parts)

    @classmethod
    def read(cls, path: Path) -> "ArrayFile":
        """Read a file that ``write`` wrote; raise ValueError, or what the zip reader raises, for any other."""
        with open_plain(path) as file, zipfile.ZipFile(file) as archive:
            _require_bounded(archive.infolist())
            parts = {member.removesuffix(SUFFIX): _array(archive.read(member)) for member in archive.namelist()}
        header, seal = (parts.pop(name).tobytes() for name in (HEADER, SEAL))
        found = cls(header, parts)
        if seal != found.seal:
            raise ValueError("the seal is broken")
        return found


@contextmanager
def refused_unless_a_map(path: Path) -> Iterator[None]:
    """Turn everything that a foreign, damaged or hostile file can raise into one answer."""
    try:
        yield
    except FileNotFoundError:
        raise SourceError(f"{path.name}: there is no such file; fit a map and save it first") from None
    # A zip that is encrypted, or packed in a way we do not read, is a RuntimeError.
    except (OSError, EOFError, KeyError, ValueError, RuntimeError, OverflowError, zipfile.BadZipFile, zlib.error):
        raise SourceError(
            f"{path.name} is not a fitted map of this version, or is damaged; fit the map again and save it"
        ) from None


def _require_bounded(members: list[zipfile.ZipInfo]) -> None:
    """Check what the file claims before it is unpacked; the zip reader stops at the claimed size."""
    names = {member.filename for member in members}
    if len(members) > MOST_PARTS or len(names) != len(members):
        raise ValueError("too many parts, or two of one name")
    if sum(member.file_size for member in members) > LARGEST:
        raise ValueError("the file unpacks to more than a map can be")


def _array(raw: bytes) -> NDArray[Any]:
    """Read one array, whose header must agree with the bytes that follow it."""
    file = BytesIO(raw)
    if npy.read_magic(file) != (1, 0):
        raise ValueError("an array of another version")
    shape, fortran, dtype = npy.read_array_header_1_0(file)
    if dtype.str not in DTYPES or fortran or math.prod(shape) * dtype.itemsize != len(raw) - file.tell():
        raise ValueError("an array of another type, or its size is not what it says")
    return np.frombuffer(raw, dtype, offset=file.tell()).reshape(shape)
