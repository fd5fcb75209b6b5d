"""A secret sample of the records that somebody reads: who is drawn, and how far the map was off on them.

Coins are a keyed hash of a unit's place (or of a user's id), under a key that only the ledger can make: drawing again
gives the same sample, so nobody draws until they like it, and nobody without the ledger can tell who was drawn. The key
depends on the content too: the coins of a neighbouring collection are others, as if freshly tossed.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b, shake_256
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin.boundary.model_base import digest_of
from dpspin.boundary.privacy import TICKS_PER_MASS, Prevalence
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.aggregate.totals import totals_for
from dpspin.curator.assign.contribution import Contributions, Ints
from dpspin.curator.records.columns import TEXT, USER
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.errors import RecordsRefused

BLOCK: Final = 4096  # coins that one hash gives


def name_of_drawing(dataset: str, snapshot: str, corpus: ProtectedCorpus, origin: SketchOrigin, rate: float) -> str:
    """Name a drawing by all that decides it but the records: public, and no two releases may rest on the same one.

    Losses of releases from one sample do not add up as stated: amplification is of everything that is released from it.
    """
    window = corpus.columns.window
    return digest_of(
        {
            "dataset": dataset,
            "snapshot": snapshot,
            "dictionary": origin.universe_digest,
            "map": origin.contribution_map.digest,
            "unit": asdict(origin.unit),
            "quantity": origin.quantity.model_dump(mode="json"),
            "columns": corpus.columns.names,
            "window": None if window is None else window.name,
            "bad_rows": corpus.policy.bad_rows.value,
            "dialect": corpus.declared,
            "rate": rate,
        }
    )


@dataclass(frozen=True, slots=True)
class Drawn:
    """One record of a unit that was drawn. ``unit`` is the same for the records of one user.

    ``id`` is of its place and its text: what was read of a record cannot be taken for a reading of another one, not
    even where files were renamed, and the same records come in another order.
    """

    id: str = field(repr=False)
    unit: str = field(repr=False)
    text: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Each unit is drawn with probability floor(rate·2^64)/2^64, by a secret coin of its own."""

    key: bytes = field(repr=False)
    rate: float

    def of(self, corpus: ProtectedCorpus) -> tuple[Drawn, ...]:
        """Return the records that were drawn, in an order that has nothing to do with the one in which they lie."""
        return tuple(sorted(self._drawn(corpus), key=lambda each: each.id))

    def _drawn(self, corpus: ProtectedCorpus) -> Iterator[Drawn]:
        start = 0
        for batch in corpus.batches():
            names = batch.column(USER) if USER in batch.schema.names else pa.nulls(batch.num_rows, pa.string())
            heads = self._coins(start, batch.num_rows)
            for row in np.flatnonzero(heads | np.asarray(names.is_valid())).tolist():
                name = names[row].as_py()
                if name is None or self._is_drawn(name):
                    place, text = str(start + row), batch[TEXT][row].as_py()
                    unit = self._hash(b"place", place) if name is None else self._hash(b"user", name)
                    yield Drawn(self._hash(b"record", f"{place} {text}"), unit, text)
            start += batch.num_rows

    def _coins(self, start: int, number: int) -> np.ndarray:
        """Toss a coin for each place; blocks of places share a hash, so that the cut into batches does not matter."""
        first, last = start // BLOCK, (start + number) // BLOCK
        tossed = b"".join(self._block(block) for block in range(first, last + 1))
        coins = np.frombuffer(tossed, "<u8")[start - first * BLOCK :][:number]
        return coins < np.uint64(int(self.rate * 2**64))

    def _block(self, block: int) -> bytes:
        return shake_256(self.key + b"coins" + block.to_bytes(8, "little")).digest(8 * BLOCK)

    def _is_drawn(self, name: str) -> bool:
        coin = blake2b(name.encode(), key=self.key, digest_size=8, person=b"coin").digest()
        return int.from_bytes(coin, "little") < int(self.rate * 2**64)

    def _hash(self, purpose: bytes, value: str) -> str:
        """Name a record or a user; the letter in front keeps a spreadsheet from taking it for a number."""
        return "r" + blake2b(value.encode(), key=self.key, digest_size=10, person=purpose).hexdigest()


Readings = Mapping[str, frozenset[int]]  # the places of the themes that a record expresses; none of them: empty


def require_read(drawn: Iterable[Drawn], readings: Readings) -> None:
    """Refuse readings of other records, and a record that was drawn and not read: to leave out hard ones is a bias."""
    asked = {each.id for each in drawn if each.text is not None}
    if readings and asked.isdisjoint(readings):
        raise RecordsRefused(
            "nothing of what was read belongs to these records: they have changed since the sample was drawn, or their "
            "files are in another order, or another ledger drew it. Give back what was changed, or name the new state "
            "of the data (`account.snapshot`), draw a sample of it (dpspin sample) and read that. Nothing was charged",
            code="records-refused.changed-since-drawn",
        )
    if not asked >= readings.keys():
        raise RecordsRefused(
            "some of the readings are of records that were not drawn: draw into the same folder again (dpspin sample), "
            "which restores its rows, or take the foreign ones out. Nothing was charged",
            code="records-refused.not-the-sample",
        )
    if not asked <= readings.keys():
        raise RecordsRefused(
            "some of the records that were drawn have not been read. Read them all, also the hard ones: a record that "
            "fits no theme is 'none' (dpspin read). Nothing was charged",
            code="records-refused.unread",
        )


@dataclass(frozen=True, slots=True)
class SampleSums:
    """The exact sums over a sample, in ticks; what they are and how far a unit moves them: see `boundary.grounding`.

    Private like the sketch: they cannot be printed, and nothing of them leaves the curator without noise.
    """

    corrections: Ints = field(repr=False)
    squares: Ints = field(repr=False)
    moved: int = field(repr=False)

    @classmethod
    def of_nobody(cls, origin: SketchOrigin) -> "SampleSums":
        """Return the sums over an empty sample."""
        return cls(np.zeros(origin.coordinates, np.int64), np.zeros(origin.coordinates, np.int64), 0)


def sums_over(drawn: tuple[Drawn, ...], readings: Readings, mapped: Contributions, origin: SketchOrigin) -> SampleSums:
    """Add up, over the units that were drawn, how what was read differs from what the map made of the same records.

    ``mapped`` has a row for each record that was drawn. A record without text is read as the map reads it: as nothing.
    """
    read = as_contributions([None if each.text is None else readings[each.id] for each in drawn], origin)
    units: dict[str, list[int]] = {}
    for row, each in enumerate(drawn):
        units.setdefault(each.unit, []).append(row)
    coordinate = origin.sensitivity.coordinate
    corrections = squares = np.zeros(origin.coordinates, object)
    moved = 0
    for rows in units.values():
        x, y = _vector(mapped, rows, origin), _vector(read, rows, _as_it_is_read(origin))
        corrections = corrections + (y - x)
        doubled = 2 * (y - x) ** 2 - coordinate * (y + x)
        squares = squares + np.sign(doubled) * (abs(doubled) // (2 * coordinate))  # toward zero: no larger than it is
        far = int(abs(y - x).sum()) - int(x.sum())
        moved += (far > 0 or -1) * (abs(far) // 2)
    return SampleSums(corrections.astype(np.int64), squares.astype(np.int64), moved)


def _as_it_is_read(origin: SketchOrigin) -> SketchOrigin:
    """Let every theme that a reader names count as mentioned, however many share the record; the K stay the bound."""
    if not isinstance(origin.quantity, Prevalence):
        return origin
    return replace(origin, quantity=origin.quantity.model_copy(update={"noticed": 1 / TICKS_PER_MASS}))


def _vector(contributions: Contributions, rows: list[int], origin: SketchOrigin) -> np.ndarray:
    """Return what one unit gives to a sketch, by the very code that adds up sketches, in exact Python integers."""
    totals = totals_for(origin)
    parts = [slice(contributions.offsets[row], contributions.offsets[row + 1]) for row in rows]
    atoms = np.concatenate([contributions.atoms[part] for part in parts])
    ticks = np.concatenate([contributions.ticks[part] for part in parts])
    offsets = np.r_[0, np.cumsum([part.stop - part.start for part in parts])].astype(np.int64)
    theirs = Contributions(offsets, atoms, ticks, contributions.universe_size, None)
    totals.add(theirs, pa.array(["one"] * len(rows)))
    return totals.finish().ticks.astype(object)


def as_contributions(themes: list[frozenset[int] | None], origin: SketchOrigin) -> Contributions:
    """Give each record's mass evenly to its themes, or to "none of these"; None is a record without text."""
    none = () if origin.none is None else (origin.none,)
    places = [() if each is None else tuple(sorted(each)) or none for each in themes]
    weights = np.array([1 / len(each) for each in places for _ in each])
    return Contributions.from_weights(
        np.r_[0, np.cumsum([len(each) for each in places])].astype(np.int64),
        np.array([place for each in places for place in each], np.int64),
        weights,
        universe_size=origin.coordinates,
        atoms_per_record=None,
    )
