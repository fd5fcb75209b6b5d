"""All claims in the order of the page, under their numbers."""

from typing import Final

from dpspin_lab.results.claims import ablations, beyond, extended, ours, probing, utility, words
from dpspin_lab.results.claims.claim import Judged, judge
from dpspin_lab.results.tables import Results
from dpspin_lab.results.verdict import CONFIDENCE

THE_PAPERS: Final = (*utility.CLAIMS, *probing.CLAIMS, *ablations.CLAIMS, *words.CLAIMS)
OURS: Final = (*ours.CLAIMS, *beyond.CLAIMS, *extended.CLAIMS)


def judged_papers(results: Results, confidence: float = CONFIDENCE) -> list[Judged]:
    """Test every claim of the paper."""
    return [judge(claim, results, confidence) for claim in THE_PAPERS]


def judged_ours(results: Results, confidence: float = CONFIDENCE) -> list[Judged]:
    """Test every finding of ours."""
    return [judge(claim, results, confidence) for claim in OURS]
