"""Why a map is believed to look at each record alone: whose it is, and that it answers the same when asked again.

Maps of ours are tested by whoever changes them; a map of the caller's own is declared as such, and the plan says so.

A record must get the same answer in any company, in any order and at any time. Every sensitivity rests on it, and no
bound on single contributions shows it: a map that looks at its whole batch, or at what it was asked before, lets one
record move the contributions of many. So some of the records that a map has mapped are mapped once more, before
anything is charged: some alone, the others in small groups, then all of them in one batch and another order. Answers
are integers, and must be equal.

What it can see: a map that gave a share f of the records an answer which it does not give them in other company passes
with probability (1 - f)^300, which is under one in a hundred from f = 1.6 % on. Corpora of up to 300 records are mapped
again as a whole. Which records it will be is drawn from the operating system after they were mapped, so that no map can
know. A map of the caller's own that keeps its answers would give them again, whatever company they came from: so a copy
of it is asked as well, made before the first record. It is a test and no proof: what a map does to a few records of
very many it does unseen, and so does one that keeps its answers outside of itself.
"""

import os
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.contribution import ContributionMap, Contributions, Ints
from dpspin.curator.records.formats.file_format import guarded
from dpspin.errors import BoundViolation, RequestError

SAMPLE: Final = 300  # records that are mapped again, twice: under 3 % of the work for 20,000 records or more
ALONE: Final = 40
COMPANY: Final = 20
# Nobody's words: a map that learns from what it is asked answers them otherwise afterwards.
PUBLIC: Final = pa.array(
    [
        "The parcel came a week late, and nobody answered the phone.",
        "Friendly staff, good food and a fair price.",
        "thanks",
    ],
    pa.large_string(),
)

Kind = TypeVar("Kind", bound=type)
Ask = Callable[[pa.StringArray], Contributions]
Answers = csr_array  # one row per record, one column per coordinate: ticks

_OURS: set[type] = set()


def ours(kind: Kind) -> Kind:
    """Mark a class of ours that reads records: a map, or a part that a map calls."""
    _OURS.add(kind)
    return kind


def is_ours(part: object) -> bool:
    """Tell whether a map is ours, and all that it hands records to (``called``, where it has such parts).

    Its very class decides: a subclass, or an object that only looks like one of ours, may do anything.
    """
    return type(part) in _OURS and all(is_ours(each) for each in getattr(part, "called", ()))


@dataclass(frozen=True, slots=True)
class OwnMap:
    """A map that the caller made and answers for. The plan says so, and that its digest is its own word.

    It must look at each record by itself and answer the same words in the same way every time. That is tested on some
    of the records before anything is charged, and not proven.
    """

    contribution_map: ContributionMap

    def __post_init__(self) -> None:
        stated: object = getattr(self.contribution_map, "statement", None)
        if not isinstance(stated, MapStatement):
            raise RequestError("a map is called with texts, and says in its `statement` (a MapStatement) what it is")
        if is_ours(self.contribution_map):
            raise RequestError("this map is one of dpspin's: give it as it is, not as your own")

    @property
    def statement(self) -> MapStatement:
        """What the map says of itself, and that it is the caller's."""
        return self.contribution_map.statement.model_copy(update={"made_by": "caller"})

    @property
    def leaves_a_trace(self) -> bool:
        """Whether the map says of itself that a file tells afterwards which texts were mapped."""
        return bool(getattr(self.contribution_map, "leaves_a_trace", False))

    def __call__(self, texts: pa.StringArray) -> Contributions:
        """Ask the map; what it says where it fails may quote a record, and is not passed on."""
        return guarded(lambda: self.contribution_map(texts), "your own map (OwnMap) failed", "try it on public text")


def require_known_maker(choice: ContributionMap) -> None:
    """Refuse a map that is neither ours nor declared to be the caller's own."""
    if not isinstance(choice, OwnMap) and not is_ours(choice):
        raise RequestError(
            "this map, or an embedding model in it, is not one of dpspin's, and nothing here proves that it looks at "
            "each record alone. If you answer for that, give it as dpspin.OwnMap(map); the plan will say so"
        )


@dataclass(slots=True)
class ConsistencyChecked:
    """A map at work: what it answered to a few records is remembered, in memory only, to be asked again.

    A map that is ``trusted`` is not asked about public words: it could cost, and that it learns nothing is known.
    """

    ask: Ask
    trusted: bool
    _keys: NDArray[np.uint64] = field(init=False, repr=False)
    _texts: pa.StringArray = field(init=False, repr=False)
    _answers: "Answers[np.int64]" = field(init=False, repr=False)
    _public: "Answers[np.int64] | None" = field(init=False, repr=False)
    _to_ask: tuple[Ask, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._to_ask = (self.ask,) if self.trusted else (self.ask, _copy_of(self.ask))
        self._public = None if self.trusted else _rows_of(self.ask(PUBLIC))
        self._keys = np.zeros(0, np.uint64)

    def __call__(self, texts: pa.StringArray) -> Contributions:
        """Ask the map, and remember some of its answers: each record seen so far is among them with equal chance."""
        given = self.ask(texts)
        keys = _drawn(len(texts))
        first = _smallest(keys)
        self._remember(keys[first], texts.take(pa.array(first)), _rows_of(given, first))
        return given

    def require_the_same_again(self) -> None:
        """Refuse a map that answers otherwise when it is asked again."""
        if self._public is not None and not _same(_rows_of(self.ask(PUBLIC)), self._public):
            raise _refusal()
        for places in _regrouped(len(self._keys)):
            for ask in self._to_ask:
                again = _rows_of(ask(self._texts.take(pa.array(places))))
                if not _same(again, self._answers[places]):
                    raise _refusal()

    def _remember(self, keys: NDArray[np.uint64], texts: pa.StringArray, answers: "Answers[np.int64]") -> None:
        """Keep those with the smallest keys, of the old and the new: bounded memory, whatever comes."""
        if len(self._keys):
            keys = np.concatenate([self._keys, keys])
            texts = pa.concat_arrays([self._texts, texts])
            answers = csr_array(vstack([self._answers, answers]))
        kept = _smallest(keys)
        self._keys, self._texts, self._answers = keys[kept], texts.take(pa.array(kept)), answers[kept]


def _copy_of(ask: Ask) -> Ask:
    """Return a map that remembers nothing of what is asked from now on; itself, where it cannot be copied."""
    try:
        return deepcopy(ask)
    except Exception:  # noqa: BLE001  whatever a map of somebody's own holds: an open file, a lock, a session
        return ask


def _drawn(number: int) -> NDArray[np.uint64]:
    return np.frombuffer(os.urandom(8 * number), "<u8").astype(np.uint64)


def _smallest(keys: NDArray[np.uint64]) -> Ints:
    if len(keys) <= SAMPLE:
        return np.arange(len(keys))
    return np.argpartition(keys, SAMPLE)[:SAMPLE]


def _regrouped(number: int) -> Iterator[Ints]:
    """Deal records to other batches: some alone, the others in small groups; then all in one batch, in another order.

    Alone, a record meets none of those that may have changed its answer. Together, one of them is in every place, up to
    the last.
    """
    order = np.argsort(_drawn(number))
    starts = [*range(ALONE), *range(ALONE, number, COMPANY)]
    yield from (part for part in np.split(order, starts[1:]) if len(part))
    if number:
        yield np.argsort(_drawn(number))


def _rows_of(given: Contributions, places: Ints | None = None) -> "Answers[np.int64]":
    """Return answers, or some of them, in one form: atoms in order, each once, none of nothing."""
    shape = (given.records, given.universe_size)
    every = csr_array((given.ticks, given.atoms, given.offsets), shape=shape)
    rows = every.copy() if places is None else every[places]
    rows.sum_duplicates()
    rows.eliminate_zeros()
    return rows


def _same(one: "Answers[np.int64]", other: "Answers[np.int64]") -> bool:
    """Compare answers as they are: one form, so that equal ones have equal parts."""
    parts = ((one.indptr, other.indptr), (one.indices, other.indices), (one.data, other.data))
    return one.shape == other.shape and all(np.array_equal(mine, yours) for mine, yours in parts)


def _refusal() -> BoundViolation:
    return BoundViolation(
        "the map gave a record another answer when it was asked again, alone or in other company: then one record can "
        "change what many others count, and no bound holds. A map must look at each record by itself, and answer the "
        "same words in the same way every time. Nothing was charged or written"
    )
