"""Link every sentence of a text to the plan rows it rests on, for the report."""

from dataclasses import dataclass

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.claims.claim import Claim, rendered
from dpspin.public.stage3_narrate.claims.counts import Listed
from dpspin.public.stage3_narrate.claims.orders import CloseThemes, MarginOrder, WholeOrder
from dpspin.public.stage3_narrate.claims.values import Coverage
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.check import entries_by_id
from dpspin.public.stage3_narrate.verify.text import parse
from dpspin.public.stage3_narrate.verify.uncovered import NONE
from dpspin.public.stage3_narrate.verify.verdict import Span
from dpspin.public.stage3_narrate.verify.verifier import verify

_OF_ALL: tuple[Claim, ...] = (Listed(), Coverage(), WholeOrder(), MarginOrder(), CloseThemes())


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """A sentence or bullet, the admitted atoms it rests on, and whether no violation touches it.

    ``none`` tells that it speaks of what belongs to no theme.
    """

    text: str
    atom_ids: tuple[int, ...]
    accepted: bool
    bullet: bool = False
    none: bool = False


def linked_sentences(
    text: str, plan: SemanticPlan, mode: Mode = Mode.DISPLAY, atoms: AtomUniverse | None = None
) -> tuple[LinkedSentence, ...]:
    """Split a text as the verifier does and judge it sentence by sentence."""
    admitted = entries_by_id(plan)
    every, of_all = tuple(admitted), _sentences_of_all(plan, mode)
    broken = [violation.span for violation in verify(plan, text, mode, atoms).violations]
    return tuple(
        LinkedSentence(
            text=sentence.text.strip(),
            atom_ids=every
            if sentence.text.strip() in of_all
            else tuple(atom_id for atom_id in sentence.atom_ids if atom_id in admitted),
            accepted=not any(_overlap(sentence.span, span) for span in broken),
            bullet=sentence.bullet,
            none=NONE in sentence.atom_ids,
        )
        for sentence in parse(text, plan, mode).sentences
    )


def _sentences_of_all(plan: SemanticPlan, mode: Mode) -> set[str]:
    """Return what may be said of all listed themes at once: it names none of them and rests on every row."""
    return {rendered(claim, plan, mode) for claim in _OF_ALL if claim.holds(plan)}


def _overlap(a: Span, b: Span) -> bool:
    return a[0] < b[1] and b[0] < a[1]
