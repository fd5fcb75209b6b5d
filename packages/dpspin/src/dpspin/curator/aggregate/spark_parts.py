"""What Spark's tasks tell each other and the driver: parts of a sketch, refusals, and nothing of a record.

A refusal travels as a value, so that Spark does not try it again and logs nothing; any other error is replaced by one
without its message, which may quote a record.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass, field
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin import errors
from dpspin.curator.aggregate.local import Diagnostics, require_countable
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.assign.contribution import Ints
from dpspin.errors import DpSpinError, InputError

TOLD: Final = pa.schema([pa.field("told", pa.binary())])
TOLD_COLUMNS: Final = "told binary"  # the same for Spark
REFUSED, PART = b"!", b"="  # the first byte of what a task tells

Batches = Iterator[pa.RecordBatch]


class TaskFailed(Exception):
    """Some task failed, and Spark may try it again; what the error said is not passed on."""


@dataclass(slots=True)
class Tally:
    """A finished part of a sketch: totals, then the cells of all views, then units and the curator's counts."""

    sums: Ints = field(repr=False)
    units: int = field(repr=False)
    seen: Diagnostics

    @classmethod
    def of(cls, sketch: Sketch, seen: Diagnostics | None = None) -> "Tally":
        """Keep the numbers of a sketch."""
        return cls(np.concatenate([sketch.ticks, *sketch.views]), sketch.units or 0, seen or Diagnostics())

    def merge(self, other: "Tally") -> None:
        """Add another part; more records than int64 sums can hold are refused."""
        self.seen = Diagnostics(
            *(mine + more for mine, more in zip(astuple(self.seen), astuple(other.seen), strict=True))
        )
        require_countable(self.seen)
        self.sums = self.sums + other.sums
        self.units += other.units

    def sketch(self, origin: SketchOrigin) -> Sketch:
        """Return the sketch whose parts these were."""
        ends = np.cumsum([marginal.size for marginal in origin.marginals])
        ticks, *views = np.split(self.sums, ends[:-1])
        return Sketch(ticks, origin, self.units, tuple(views))

    def to_bytes(self) -> bytes:
        """Write the counts, then the sums."""
        return np.array([self.units, *astuple(self.seen), *self.sums], "<i8").tobytes()

    @classmethod
    def from_bytes(cls, stored: bytes) -> "Tally":
        """Read what ``to_bytes`` wrote."""
        units, records, without_text, without_atom, not_read, *_ = numbers = np.frombuffer(stored, "<i8")
        seen = Diagnostics(int(records), int(without_text), int(without_atom), int(not_read))
        return cls(numbers[1 + len(astuple(seen)) :], int(units), seen)


def nothing_of(origin: SketchOrigin) -> Tally:
    """Return the part of nobody."""
    return Tally(np.zeros(sum(marginal.size for marginal in origin.marginals), np.int64), 0, Diagnostics())


def told_row(told: bytes) -> pa.RecordBatch:
    """Return what a task tells as one row."""
    return pa.RecordBatch.from_pylist([{"told": told}], TOLD)


def told_in(batch: pa.RecordBatch) -> Iterator[bytes]:
    """Return the parts that tasks told; raise what one of them refused."""
    for told in batch.column("told").drop_null().to_pylist():
        yield part_in(told)


def part_in(told: bytes) -> bytes:
    """Return a part, or raise the refusal that came instead of it."""
    if told[:1] == REFUSED:
        raise _refusal(**json.loads(told[1:]))
    return told[1:]


def sealed(
    work: Callable[[Batches], Batches],
    batches: Iterable[pa.RecordBatch],
    tell: Callable[[bytes], pa.RecordBatch] = told_row,
) -> Batches:
    """Do the work of a task. What we refuse is told as a value; no message of another error leaves the worker."""
    try:
        yield from work(iter(batches))
    except DpSpinError as refused:
        yield tell(_refused(refused))
        return
    except (GeneratorExit, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001  some libraries panic with what is no Exception
        kind = type(error).__name__
    else:
        return
    raise TaskFailed(f"a task of dpspin failed ({kind}); what the error said may quote a record, so it is not shown")


def _refused(error: DpSpinError) -> bytes:
    told = {"kind": type(error).__name__, "message": str(error), "code": error.code, "field": error.field}
    return REFUSED + json.dumps(told).encode()


def _refusal(kind: str, message: str, code: str, field: str | None) -> DpSpinError:
    named = getattr(errors, kind, InputError)
    plain = issubclass(named, DpSpinError) and named.__init__ is DpSpinError.__init__
    return (named if plain else InputError)(message, code=code, field=field)
