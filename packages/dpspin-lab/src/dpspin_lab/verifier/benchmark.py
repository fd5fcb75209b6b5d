"""The benchmark's written sets, judged."""

from dpspin_lab.verifier.cases import CaseSet, written_cases
from dpspin_lab.verifier.measure import Outcome, judged


def outcomes_of(name: CaseSet) -> list[Outcome]:
    """Verify every text of a set."""
    return list(judged(written_cases(name)))


def may_be_read(name: CaseSet) -> bool:
    """Tell whether a set's texts may be printed: who has read a held-back text cannot help tuning to it."""
    return name is not CaseSet.HELD_BACK
