"""What a decoder itself wrote, before code mended anything: the paper's verifier measures, and what they do not see.

A text without any theme passes every check for forbidden things. So the part of the plan's themes that a model named
stands beside them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.public.narrate.claims.orders import CertainOrder, First, Gap, Larger, Largest, Next
from dpspin.public.narrate.contract.prose import Prose
from dpspin.public.narrate.decoders.decoder import Attempt, ClaimJson, ClaimsRecord
from dpspin.public.narrate.facts import Facts

COMPARING: Final = frozenset(kind.kind for kind in (Largest, First, Next, Larger, Gap, CertainOrder))


@dataclass(frozen=True, slots=True)
class Candidate:
    """The measures of one candidate as its decoder wrote it."""

    accepted: bool
    uar: float
    ucr: float
    comparisons: int
    named: float  # part of the plan's themes


def measured_candidate(attempt: Attempt, facts: Facts) -> Candidate:
    """Measure prose by the paper's screen, and a choice of claims by what had to be dropped of it."""
    listed = facts.listed.keys()
    named = themes_by_the_model(facts.atoms, attempt)
    part = len(named & listed) / max(1, len(listed))
    if attempt.screening is not None:
        found = attempt.screening
        rates = (found.unsupported_atom_rate, found.unsupported_comparison_rate)
        return Candidate(found.accepted, *rates, found.comparisons, part)
    claims = attempt.claims or ClaimsRecord(kept=(), dropped=(), filled=(), repeats=0, malformed=0)
    chosen, dropped = _comparing((*claims.kept, *claims.dropped)), _comparing(claims.dropped)
    every = named | _themes(claims.dropped)
    return Candidate(
        accepted=bool(claims.kept) and not claims.dropped and not claims.malformed,
        uar=len(every - listed) / max(1, len(every)),
        ucr=len(dropped) / max(1, len(chosen)),
        comparisons=len(chosen),
        named=part,
    )


def themes_by_the_model(universe: AtomUniverse, attempt: Attempt) -> set[int]:
    """Return the themes that the model's own words or claims name, without what code filled in."""
    return themes_in(universe, attempt.text) if attempt.claims is None else _themes(attempt.claims.kept)


def themes_in(universe: AtomUniverse, text: str) -> set[int]:
    """Return the themes of a dictionary that a text names, by marker or label."""
    return {mention.atom for mention in Prose(text, universe).mentions}


def _themes(claims: Sequence[ClaimJson]) -> set[int]:
    lists = [claim.get(key, []) for claim in claims for key in ("themes", "items")]
    single = [claim[key] for claim in claims for key in ("theme", "other") if key in claim]
    return {*(atom for atoms in lists for atom in atoms), *single}


def _comparing(claims: Sequence[ClaimJson]) -> list[ClaimJson]:
    return [claim for claim in claims if claim["claim"] in COMPARING]
