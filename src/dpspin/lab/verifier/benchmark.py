"""The benchmark's three sets, judged."""

from collections.abc import Iterator
from enum import StrEnum
from typing import assert_never

from dpspin.lab.verifier.cases import Case, CaseSet, written_cases
from dpspin.lab.verifier.measure import Outcome, judged
from dpspin.lab.verifier.mutations.generate import mutated_cases, true_cases


class BenchmarkSet(StrEnum):
    """Two sets are written by hand, one is made by code."""

    DEVELOPMENT = "development"
    HELD_BACK = "held-back"
    MUTATIONS = "mutations"

    @property
    def may_be_read(self) -> bool:
        """Tell whether its texts may be printed: who has read a held-back text cannot help tuning to it."""
        return self is not BenchmarkSet.HELD_BACK


def outcomes_of(name: BenchmarkSet, seed: int) -> list[Outcome]:
    """Verify every text of a set; the seed is that of the mutations."""
    return list(judged(_cases(name, seed)))


def _cases(name: BenchmarkSet, seed: int) -> Iterator[Case]:
    match name:
        case BenchmarkSet.DEVELOPMENT:
            yield from written_cases(CaseSet.DEVELOPMENT)
        case BenchmarkSet.HELD_BACK:
            yield from written_cases(CaseSet.HELD_BACK)
        case BenchmarkSet.MUTATIONS:
            yield from true_cases(seed)
            yield from mutated_cases(seed)
        case _:
            assert_never(name)
