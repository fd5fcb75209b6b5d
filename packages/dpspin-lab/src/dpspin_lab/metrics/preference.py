"""The comparative preference: which of two summaries an evaluator finds better, as one number per run."""

from collections.abc import Iterable
from enum import StrEnum

from dpspin.errors import RequestError


class Choice(StrEnum):
    """The better verbalisation of the non-private plan: of the private summary, of the reference, or neither."""

    DP = "DP"
    NP = "NP"
    TIE = "tie"


_VALUES = {Choice.DP: 1.0, Choice.TIE: 0.5, Choice.NP: 0.0}


def dp_preferred(choice: Choice) -> float:
    """Return DPPreferred.

    >>> [dp_preferred(choice) for choice in (Choice.DP, Choice.TIE, Choice.NP)]
    [1.0, 0.5, 0.0]
    """
    return _VALUES[choice]


def mean_preference(choices: Iterable[Choice]) -> float:
    """Return the mean over runs, as it is reported.

    >>> mean_preference([Choice.DP, Choice.TIE, Choice.TIE, Choice.NP])
    0.5
    """
    values = [dp_preferred(choice) for choice in choices]
    if not values:
        raise RequestError("a preference needs at least one comparison")
    return sum(values) / len(values)
