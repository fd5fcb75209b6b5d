"""Atoms from a taxonomy: the paths that the publisher's own labels give, by auxiliary support (the paper on CFPB)."""

from collections import Counter
from collections.abc import Iterable, Sequence

from dpspin.boundary.atoms import Atom, AtomId, AuxiliaryText
from dpspin.boundary.crosswalk import BETWEEN_LEVELS
from dpspin.errors import RequestError
from dpspin.public.atoms.build.manifest import OF_PATHS, Built, TaxonomyRules, built, of_path

CFPB_LEVELS = ("Product", "Issue", "Sub-issue")


def path_of(values: Iterable[str | None]) -> str:
    """Join the values of all levels to one label; a level without a value is passed over.

    >>> path_of(["Debt collection", "Attempts to collect debt not owed", None])
    'Debt collection / Attempts to collect debt not owed'
    """
    return BETWEEN_LEVELS.join(plain for value in values if (plain := " ".join((value or "").split())))


def build_taxonomy(
    paths: Sequence[str],
    size: int,
    *,
    name: str,
    levels: Sequence[str] = CFPB_LEVELS,
    min_support: int = 1,
    auxiliary: AuxiliaryText | None = None,
) -> Built:
    """Return the ``size`` paths that most auxiliary records carry; of equal ones the first by name.

    Where fewer paths are supported, all of them are taken, and the manifest says how many.

    >>> build_taxonomy(["loan / fee", "card / fee", "loan / fee", ""], 1, name="tiny").universe.atoms[0].label
    'loan / fee'
    """
    support = Counter(path for path in paths if path)
    supported = [path for path in support if support[path] >= min_support]
    best = sorted(supported, key=lambda path: (-support[path], path))[:size]
    if not best:
        raise RequestError(f"no path of the taxonomy has a support of {min_support}; lower it, or give more records")
    return built(
        [_atom(place, path) for place, path in enumerate(best)],
        support,
        name=name,
        note=f"paths {BETWEEN_LEVELS.join(levels)} by auxiliary support",
        auxiliary=auxiliary,
        steps={"different paths": len(support), "minimum support": len(supported), "kept": len(best)},
        rules=TaxonomyRules(levels=tuple(levels)),
        descriptions=OF_PATHS,
        documents=len(paths),
        support_counts="documents",
        min_support=min_support,
        requested_size=size,
    )


def _atom(place: int, path: str) -> Atom:
    levels = path.split(BETWEEN_LEVELS)
    parent = levels[0] if len(levels) > 1 else None
    return Atom(id=AtomId(place), label=path, description=of_path(levels), parent=parent)
