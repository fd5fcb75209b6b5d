"""Which units of the target a run protects.

The paper selects exactly n units by hash, and there is a trap in it: take one unit out of the *target*, and of the n
smallest hashes the next one moves up. With respect to the whole target, add/drop has become replacement, with twice the
L1 sensitivity. The promise of such a run is therefore about the n selected units as its data set.
Refusing a target that is too small tells its size, too: that is for the lab only.

``selected_by_threshold`` is the rule without the trap: each unit is in or out by its own hash, so add/drop on the
target stays add/drop on the sample. The price is a size that varies; only its expectation is public.
"""

from collections.abc import Sequence

from dpspin.errors import RequestError
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.gather import NOBODY
from dpspin_lab.datasets.hashing import SPACE, mark
from dpspin_lab.datasets.split import user_names


def selected(target: Corpus, *, by_user: bool, n: int, seed: int, strict: bool) -> tuple[int, ...]:
    """Return the rows of the n units with the smallest hashes: n records, or all records of n users.

    ``strict`` is the paper's ``strict_sample_size``: too few units are an error instead of a smaller run.
    """
    names = _unit_names(target, by_user=by_user)
    units = sorted(set(names) - {NOBODY}, key=lambda name: (mark(f"select/{seed}", name), name))
    if n < 1 or (strict and len(units) < n):
        raise RequestError(
            f"{n:,} {'users' if by_user else 'records'} were asked of {target.name}, whose target part has "
            f"{len(units):,}; ask for fewer (in a run, strict_sample_size: false takes all there are)"
        )
    return _rows_of(names, set(units[:n]))


def selected_by_threshold(target: Corpus, *, by_user: bool, share: float, seed: int) -> tuple[int, ...]:
    """Return the rows of the units whose own hash lies below a public share."""
    if not 0 < share <= 1:
        raise RequestError("the share of selected units must lie above 0 and not above 1")
    names = _unit_names(target, by_user=by_user)
    edge = int(share * SPACE)
    return _rows_of(names, {name for name in set(names) - {NOBODY} if mark(f"select/{seed}", name) < edge})


def _unit_names(target: Corpus, *, by_user: bool) -> Sequence[str]:
    return user_names(target) if by_user else target.ids


def _rows_of(names: Sequence[str], units: set[str]) -> tuple[int, ...]:
    return tuple(row for row, name in enumerate(names) if name in units)
