"""What leads a report: the finding and its doubts, and the verified sentences that say something else."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dpspin.errors import PlanError
from dpspin.public.narrate.claims.claim import Claim
from dpspin.public.narrate.claims.readings import ReadNone
from dpspin.public.narrate.claims.wholes import FitsNone
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import BULLET, Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.outline import doubts, headline
from dpspin.public.narrate.verify import Status, Verdict

OF_NONE = frozenset((FitsNone.kind, ReadNone.kind))
LEADING = 5  # sentences that are shown at once beside the finding; the others are there on demand


@dataclass(frozen=True, slots=True)
class ReportSentence:
    """One sentence of the narration, the atoms it speaks of, and whether the verifier accepted it.

    ``none`` tells that it speaks of what belongs to no theme.
    """

    text: str
    atom_ids: tuple[int, ...]
    verified: bool
    none: bool = False


def shown_sentences(verdict: Verdict) -> list[ReportSentence]:
    """Return the sentences of a verdict as a page takes them: it has marks of its own for lines of a list."""
    return [
        ReportSentence(
            each.text.removeprefix(BULLET) if each.bullet else each.text,
            each.atoms,
            each.status is Status.VERIFIED,
            none=not OF_NONE.isdisjoint(each.claims),
        )
        for each in verdict.sentences
    ]


@dataclass(frozen=True, slots=True)
class Shown:
    """A sentence as shown: its text, and the themes whose rows are under it, by id and label."""

    text: str
    themes: tuple[tuple[int, str], ...] = ()
    none: bool = False


def shown(sentence: ReportSentence, facts: Facts) -> Shown:
    """Name the rows that a sentence rests on; refuse one that speaks of what was not measured."""
    ids = tuple(dict.fromkeys(sentence.atom_ids))
    if any(atom not in facts.masses for atom in ids) or (sentence.none and facts.plan.uncovered is None):
        raise PlanError("a verified sentence speaks of what this plan did not measure. Narrate this very plan again")
    return Shown(sentence.text, tuple((atom, facts.labels[atom]) for atom in ids), sentence.none)


def finding_of(facts: Facts) -> tuple[Shown, ...]:
    """Write the headline in the forms of the verifier: it holds, or it could not be written."""
    return _written(headline(facts), facts)


def doubts_of(facts: Facts) -> tuple[Shown, ...]:
    """Write what the sorting leaves open of it."""
    return _written(doubts(facts), facts)


def _written(claims: Sequence[Claim], facts: Facts) -> tuple[Shown, ...]:
    language = Language(facts, Mode.DISPLAY)
    told = (ReportSentence(language.written(claim), claim.rows, verified=True) for claim in claims)
    return tuple(shown(each, facts) for each in told)


def beside_finding(facts: Facts, summary: Sequence[ReportSentence]) -> list[ReportSentence]:
    """Return the verified sentences that say something else than the finding and its doubts, in whichever words."""
    language, said = Language(facts, Mode.DISPLAY), {*headline(facts), *doubts(facts)}
    return [each for each in summary if each.verified and not _says(each, language, said)]


def _says(sentence: ReportSentence, language: Language, said: Collection[Claim]) -> bool:
    claims = [claim for read in language.read(sentence.text) for claim in read.claims or ()]
    return any(claim in said for claim in claims)
