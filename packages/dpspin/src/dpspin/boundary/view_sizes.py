"""Declared sizes: how many customers, seats or days each value of a facet stands for, by public knowledge.

They are never counted from the records. Like a public denominator they are part of how numbers are read, and not of
what was measured: the same release can be read with other sizes, or with none, at no cost.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import BeforeValidator, Field

from dpspin.boundary.facets import RecordFacet
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.views import View
from dpspin.errors import RequestError

IN_WORDS = "channel=app:5000,web:20000"


class SizedValue(FrozenModel):
    """One declared value of a facet, and the size that was declared for it."""

    value: str
    size: int = Field(ge=1, le=2**53)


class SizedView(FrozenModel):
    """The sizes of one view, by the name of its facet: one for each declared value, in their order."""

    view: str
    sizes: tuple[SizedValue, ...]


def _in_words(told: str) -> tuple[str, dict[str, str]]:
    """Read sizes as they are told on a command line.

    >>> _in_words("channel=app:5000,web:20000")
    ('channel', {'app': '5000', 'web': '20000'})
    """
    view, equals, words = told.partition("=")
    pairs = [(value.strip(), size.strip()) for value, _, size in (part.rpartition(":") for part in words.split(","))]
    if not equals or not all(value and size.isdecimal() for value, size in pairs):
        raise _refused(f"say the sizes of a view like this: {IN_WORDS}")
    if len(dict(pairs)) < len(pairs):
        raise _refused("a value has two sizes: say one")
    return view.strip(), dict(pairs)


def _listed(told: object) -> object:
    """Let sizes be told in words, or as a mapping from views to mappings from values to sizes."""
    if isinstance(told, str):
        told = [told]
    if isinstance(told, list | tuple) and all(isinstance(each, str) for each in told):
        pairs = [_in_words(each) for each in told]
        if len(dict(pairs)) < len(pairs):
            raise _refused("a view has sizes twice: say them once")
        told = dict(pairs)
    if not isinstance(told, Mapping):
        return told
    return [{"view": view, "sizes": _by_value(sizes)} for view, sizes in told.items()]


def _by_value(sizes: object) -> object:
    each = sizes.items() if isinstance(sizes, Mapping) else None
    return sizes if each is None else [{"value": str(value), "size": size} for value, size in each]


Sizes = Annotated[tuple[SizedView, ...], BeforeValidator(_listed)]


def fitted_sizes(sizes: Iterable[SizedView], views: Sequence[View]) -> tuple[SizedView, ...]:
    """Put sizes into the order of the views and their values; refuse those that are of no view, or not of all values.

    >>> channel = View(facet={"column": "channel", "values": ["app", "web"]}, share=0.5)
    >>> told = SizedView(view="channel", sizes=[{"value": "web", "size": 9}, {"value": "app", "size": 5}])
    >>> [(each.value, each.size) for each in fitted_sizes([told], [channel])[0].sizes]
    [('app', 5), ('web', 9)]
    """
    given = [*sizes]
    known = {view.facet.title: view.facet.declared for view in views if isinstance(view.facet, RecordFacet)}
    for each in given:
        declared = known.get(each.view)
        if declared is None or sorted(value.value for value in each.sizes) != sorted(declared):
            raise _refused("sizes go with a view of the release, by its name, and with each of its declared values")
    if len({each.view for each in given}) < len(given):
        raise _refused("a view has sizes twice: say them once")
    return tuple(
        SizedView(view=each.view, sizes=sorted(each.sizes, key=lambda one: known[each.view].index(one.value)))
        for title in known
        for each in given
        if each.view == title
    )


def size_contradictions(sizes: tuple[SizedView, ...], views: Sequence[View]) -> Iterator[str]:
    """Yield what in a plan's sizes does not follow from its views."""
    try:
        in_order = fitted_sizes(sizes, views) == sizes
    except RequestError:
        in_order = False
    if not in_order:
        yield "declared sizes go with a view and with all of its declared values, in their order"


def _refused(why: str) -> RequestError:
    return RequestError(why, code="request.view-sizes", field="sizes")
