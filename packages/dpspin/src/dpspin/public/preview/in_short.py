"""A forecast in three sentences, for somebody who decides and has never met a noise scale."""

from dpspin.public.preview.forecast import Forecast
from dpspin.public.wording.numbers import plain


def people_of(it: Forecast) -> str:
    """Return what the units are called."""
    return "people" if it.request.unit.kind == "user" else "records"


def seen(it: Forecast) -> str:
    """Say which themes will be listed."""
    limit = it.reliably_seen
    if it.admission_threshold.mass >= it.request.largest_mass:
        return "Nothing: the noise is larger than any theme could be."
    of_all = f"about {count(limit.units)} of {it.request.denominator:,} {people_of(it)}"
    return (
        f"Themes of at least {plain(limit.points)}% ({of_all}) are listed in 95 of 100 cases, if they are among the "
        f"{it.request.size} largest."
    )


def unseen(it: Forecast) -> str:
    """Say which themes will not be listed."""
    limit = it.admission_threshold
    return f"Themes below {plain(limit.points)}% (about {count(limit.units)} {people_of(it)}): the noise hides them."


def compared(it: Forecast) -> str:
    """Say from which difference on two themes are told apart."""
    gap = it.comparison_margin
    return (
        f"The report says that one theme has more than another where they differ by more than "
        f"{plain(gap.points)} points (about {count(gap.units)} {people_of(it)})."
    )


def count(units: float) -> str:
    """Return a number of units as one says it.

    >>> count(1234.6), count(0.2)
    ('1,235', '1')
    """
    return f"{max(1, round(units)):,}"
