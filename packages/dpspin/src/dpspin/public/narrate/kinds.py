"""Every kind of claims by its name: a claim that has a kind of its own is one."""

from collections.abc import Iterator, Mapping
from typing import Final

from dpspin.public.narrate.claims import areas, baseline, certainty, orders, release, themes, wholes
from dpspin.public.narrate.claims.claim import Claim


def _every() -> Iterator[type[Claim]]:
    for module in (themes, orders, areas, wholes, certainty, baseline, release):
        here = (each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__)
        yield from (
            each for each in here if isinstance(each, type) and issubclass(each, Claim) and "kind" in vars(each)
        )


KINDS: Final[Mapping[str, type[Claim]]] = {kind.kind: kind for kind in _every()}
