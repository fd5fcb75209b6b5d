"""Maps of ours, which are tested by whoever changes them to look at each record alone, and maps of the caller's own."""

from dataclasses import dataclass
from typing import TypeVar

import pyarrow as pa

from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.contribution import ContributionMap, Contributions
from dpspin.curator.records.messages import guarded
from dpspin.errors import RequestError

Kind = TypeVar("Kind", bound=type)

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
