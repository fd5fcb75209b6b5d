"""A tighter total, as information: privacy loss distributions of all charges, composed by dp-accounting.

No budget is decided by it: such a total is valid only for requests that were fixed in advance, and the library works
in floating point. Every charge is calibrated to its own sensitivity, so it enters as noise relative to a sensitivity of
one, with ADD_OR_REMOVE_ONE; the library's REPLACE_ONE would double sensitivities a second time. Laplace enters with its
whole bound on one coordinate, which is the worst case; what is neither Laplace nor Gaussian enters as (epsilon, delta).
"""

import functools
import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

from dpspin.boundary.mechanisms import MECHANISMS
from dpspin.boundary.mechanisms.base import ReleaseMechanism
from dpspin.curator.ledger.account import HistoryRow
from dpspin.curator.ledger.amounts import Amount
from dpspin.errors import RequestError

INTERVAL = 1e-4  # of the grid on which losses are kept
_BY_KIND: dict[str, type[ReleaseMechanism]] = {each().kind: each for each in MECHANISMS}


def composed_epsilon(charges: Iterable[HistoryRow], delta: float) -> float | None:
    """Return the epsilon at a delta of all charges together, or None where there is none at so small a delta.

    Windows are disjoint: the largest total over windows, each with what lies outside of windows, is that of the whole.

    >>> from datetime import date
    >>> from dpspin.curator.ledger.account import State
    >>> many = [HistoryRow(date(2024, 5, 1), "d", "laplace", Amount(10**8), None, State.COMMITTED)] * 100
    >>> round(composed_epsilon(many, 1e-6), 1)  # their epsilons add up to 10
    4.7
    """
    if not 0 < delta < 1:
        raise RequestError(f"a composed epsilon needs a delta between 0 and 1, for example 1e-6, not {delta}")
    rows = list(charges)
    windows: set[str | None] = {None, *(row.window for row in rows)}
    totals = [_epsilon([row for row in rows if row.window in {None, window}], delta) for window in windows]
    return None if any(math.isinf(total) for total in totals) else max(totals)


def _epsilon(rows: list[HistoryRow], delta: float) -> float:
    if not rows:
        return 0.0
    alike = Counter((row.mechanism, row.amount) for row in rows)
    distributions = [_distribution(*charge).self_compose(times) for charge, times in alike.items()]
    total = functools.reduce(lambda one, other: one.compose(other), distributions)
    return float(total.get_epsilon_for_delta(delta))


def _distribution(kind: str, amount: Amount) -> Any:  # noqa: ANN401  dp-accounting has no types
    mechanism = _BY_KIND.get(kind, ReleaseMechanism)
    return mechanism.loss_distribution(float(amount.epsilon), float(amount.delta), INTERVAL)
