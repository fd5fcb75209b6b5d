"""Decoder-contract metrics: UAR, UCR and acceptance, as the paper's contract screens a text. It sees no record."""

from collections.abc import Iterable
from dataclasses import dataclass

from dpspin.errors import RequestError
from dpspin.public.narrate.contract.screen import Screening


@dataclass(frozen=True, slots=True)
class ComparisonRate:
    """UCR, which means little without the number of comparisons that were detected."""

    value: float
    comparisons: int


@dataclass(frozen=True, slots=True)
class Contract:
    """The contract metrics of one text."""

    accepted: bool
    unsupported_atoms: float
    unsupported_comparisons: ComparisonRate


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The thresholded configuration: the largest UAR and UCR that are accepted, fixed before evaluation."""

    atoms: float = 0.0
    comparisons: float = 0.0


def contract_of(screened: Screening) -> Contract:
    """Read the metrics of one text out of its screening."""
    compared = ComparisonRate(screened.unsupported_comparison_rate, screened.comparisons)
    return Contract(screened.accepted, screened.unsupported_atom_rate, compared)


def accepts(contract: Contract, thresholds: Thresholds) -> bool:
    """Tell whether a text is accepted in the thresholded configuration too.

    >>> accepts(Contract(True, 0.0, ComparisonRate(0.2, 5)), Thresholds(comparisons=0.1))
    False
    """
    rates_hold = (
        contract.unsupported_atoms <= thresholds.atoms
        and contract.unsupported_comparisons.value <= thresholds.comparisons
    )
    return contract.accepted and rates_hold


def acceptance_rate(accepted: Iterable[bool]) -> float:
    """Return AcceptRate, the part of the runs whose text was accepted.

    >>> acceptance_rate([True, False, True, True])
    0.75
    """
    decisions = list(accepted)
    if not decisions:
        raise RequestError("an acceptance rate needs at least one run")
    return sum(decisions) / len(decisions)
