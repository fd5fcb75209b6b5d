"""All claims in the order of the page, under their numbers."""

from typing import Final

from dpspin.lab.results.claims import ablations, beyond, ours, probing, utility, words
from dpspin.lab.results.claims.claim import Judged, judge
from dpspin.lab.results.tables import Results

THE_PAPERS: Final = (*utility.CLAIMS, *probing.CLAIMS, *ablations.CLAIMS, *words.CLAIMS)
OURS: Final = (*ours.CLAIMS, *beyond.CLAIMS)


def judged_papers(results: Results) -> list[Judged]:
    """Test every claim of the paper."""
    return [judge(claim, results) for claim in THE_PAPERS]


def judged_ours(results: Results) -> list[Judged]:
    """Test every finding of ours."""
    return [judge(claim, results) for claim in OURS]
