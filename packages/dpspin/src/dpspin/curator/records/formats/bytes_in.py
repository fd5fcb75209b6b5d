"""From a file to bytes that are UTF-8: unpacked and transcoded as they are read, in bounded memory.

Bytes that the encoding does not have become bytes that UTF-8 does not have, so that they spoil their own cell and
nothing else: it is null when it is decoded.
"""

import codecs
import io
from typing import Final

from dpspin.curator.records.dialect import Encoding
from dpspin.curator.records.formats.file_format import PIECE, DataFile
from dpspin.errors import SourceError

MOST_UNPACKED: Final = 512 * 2**20  # of a file that has to be unpacked in memory
MARKS: Final = {b"\xef\xbb\xbf": Encoding.UTF_8, b"\xff\xfe": Encoding.UTF_16_LE, b"\xfe\xff": Encoding.UTF_16_BE}
OTHER_KINDS: Final = {
    b"PK\x03\x04": "an Excel workbook (.xlsx) or another zip file",
    b"PAR1": "a Parquet file (.parquet)",
    b"ARROW1": "an Arrow file (.arrow)",
    b"\x1f\x8b": "compressed (.gz)",
    b"\x28\xb5\x2f\xfd": "compressed (.zst)",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
}
UTF_16: Final = {Encoding.UTF_16_LE: codecs.utf_16_le_decode, Encoding.UTF_16_BE: codecs.utf_16_be_decode}


def opened(file: DataFile) -> io.BufferedReader:
    """Open a file, unpacked where it is compressed."""
    return io.BufferedReader(file.store.open_input_stream(file.place, compression="detect"), PIECE)


def utf8_of(file: DataFile, declared: Encoding | None, *, has_header: bool) -> io.BufferedReader:
    """Open a text file as UTF-8, whatever its encoding: as declared or, where it has a header, told by its first bytes.

    Those are a byte order mark, or the NUL byte of a first letter in UTF-16. Without a header the first bytes are a
    record's, and no record decides how the others are read.
    """
    stream = opened(file)
    told = _told_by_header(file, stream, declared) if has_header else None
    encoding = declared or told or Encoding.UTF_8
    return stream if encoding is Encoding.UTF_8 else io.BufferedReader(_AsUtf8(stream, encoding), PIECE)


def _told_by_header(file: DataFile, stream: io.BufferedReader, declared: Encoding | None) -> Encoding | None:
    """Read over the mark before a header, and return the encoding that it or the first letter tells."""
    start = stream.peek(3)[:3]
    mark = _mark(start)
    if mark and declared not in {None, MARKS[mark]}:
        raise SourceError(f"{file.name!r} begins with the mark of {MARKS[mark]}: leave `records.dialect.encoding` out")
    stream.read(len(mark))
    return told_by_first_bytes(start)


def told_by_first_bytes(start: bytes) -> Encoding | None:
    """Return the encoding that a header's first bytes tell, if they do.

    >>> told_by_first_bytes("who".encode("utf-16-be"))
    <Encoding.UTF_16_BE: 'utf-16-be'>
    """
    return MARKS.get(_mark(start)) or _by_first_letter(start)


def unpacked(file: DataFile) -> io.BytesIO:
    """Return a compressed file in memory; what unpacks to more than that is refused."""
    with opened(file) as stream:
        content = stream.read(MOST_UNPACKED + 1)
    if len(content) > MOST_UNPACKED:
        raise SourceError(
            f"{file.name!r} unpacks to more than {MOST_UNPACKED >> 20} MiB, and its format needs all of it at once: "
            f"unpack it first ({file.format} compresses by itself)"
        )
    return io.BytesIO(content)


def require_text(file: DataFile, start: bytes) -> None:
    """Refuse a text file that is empty, or begins like a file of another kind: it has the wrong suffix."""
    if not start.strip():
        raise SourceError(f"{file.name!r} is empty: there is no first line that names the columns", code="source.empty")
    if start.startswith(b"sep="):
        raise SourceError(f"{file.name!r} begins with Excel's line 'sep=': delete that line, and the rest can be read")
    kind = next((kind for mark, kind in OTHER_KINDS.items() if start.startswith(mark)), None)
    if kind is not None:
        raise SourceError(
            f"{file.name!r} is no {file.format} file but {kind}: give it the suffix of what it is",
            code="source.wrong-suffix",
        )


def _mark(start: bytes) -> bytes:
    return next((mark for mark in MARKS if start.startswith(mark)), b"")


def _by_first_letter(start: bytes) -> Encoding | None:
    zeros = [byte == 0 for byte in start[:2]]
    if zeros == [True, False]:
        return Encoding.UTF_16_BE
    return Encoding.UTF_16_LE if zeros == [False, True] else None


class _AsUtf8(io.RawIOBase):
    """Another encoding, read as UTF-8."""

    def __init__(self, stream: io.BufferedReader, encoding: Encoding) -> None:
        self._stream = stream
        self._encoding = encoding
        self._begun = b""  # of a character that goes on in the next piece
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            piece = self._stream.read(PIECE)
            if not piece and not self._begun:
                return 0
            self._ready = self._transcoded(piece)
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def close(self) -> None:
        self._stream.close()
        super().close()

    def _transcoded(self, piece: bytes) -> bytes:
        decode = UTF_16.get(self._encoding)
        if decode is None:  # each byte on its own
            return piece.decode(self._encoding, "surrogateescape").encode("utf-8", "surrogateescape")
        held, last = self._begun + piece, not piece
        half = len(held) % 2 if last else 0  # of a letter, at the very end
        words, used = decode(held[: len(held) - half], "surrogatepass", last)
        self._begun = b"" if last else held[used:]
        return words.encode("utf-8", "surrogatepass") + b"\xff" * half
