"""The public verifier: every sentence is read back as claims, and every claim is held against the plan.

Free prose is settled: what reads back as claims that hold is kept as it was written, and nothing else. A sentence that
cannot be read is replaced by claims that its writer names for it, if those hold, or is left out. What no text may leave
out is added.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import Field

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.narrate.claims.claim import Claim, Problem
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.forms import digest_of_forms
from dpspin.public.narrate.language import BULLET, HEADING, Language, Sentence, is_laid_out, laid_out
from dpspin.public.narrate.modes import Mode, mode_of
from dpspin.public.narrate.outline import unsaid

Span = tuple[int, int]


class Status(StrEnum):
    """What became of a sentence. There is no fourth case."""

    VERIFIED = "verified"  # it reads as claims, and all of them hold
    FALSE = "false"  # it was read, and does not hold
    NOT_READ = "not read"  # no form reads it


class SentenceVerdict(FrozenModel):
    """The decision on one sentence; ``rule`` and ``message`` say what is wrong, ``atoms`` which rows it rests on."""

    text: str
    span: Span
    status: Status
    claims: tuple[str, ...] = ()  # kinds
    atoms: tuple[int, ...] = ()
    bullet: bool = False
    rule: str | None = None
    message: str | None = None


class Missing(FrozenModel):
    """What a text as a whole lacks: which rule says so, and what to add."""

    rule: str
    message: str


class Verdict(FrozenModel):
    """The decision on one text: accepted if every sentence is verified, and nothing that must be said is missing."""

    accepted: bool
    sentences: tuple[SentenceVerdict, ...]
    missing: tuple[Missing, ...] = ()
    dictionary: str = Field(min_length=1)  # the digest of the dictionary by which it was read
    forms: str = Field(min_length=1)  # the digest of the forms by which it was read

    @property
    def verified(self) -> tuple[SentenceVerdict, ...]:
        """The sentences that hold."""
        return tuple(each for each in self.sentences if each.status is Status.VERIFIED)

    @property
    def refused(self) -> tuple[SentenceVerdict, ...]:
        """The sentences that are not verified."""
        return tuple(each for each in self.sentences if each.status is not Status.VERIFIED)

    def rules(self) -> tuple[str, ...]:
        """Return the names of the broken rules, each once: those of sentences in the order of the text."""
        broken = (*(each.rule for each in self.refused if each.rule is not None), *(each.rule for each in self.missing))
        return tuple(dict.fromkeys(broken))


LONGEST = 200_000  # characters: a line for each of a thousand themes
NOT_READ = Problem("not-read", "Say it in one of the forms, with names in quotation marks (“…”), or leave it out.")
TOO_LONG = Problem("unreadable-text", f"Write a summary of at most {LONGEST:,} characters.")
FOR_CHECKERS = Problem("exact-value", "Exact values are for audit mode: give the share.")
SET_OUT = "Put one space between sentences, an empty line between paragraphs, and themes by rank under {!r}."
LAYOUT = Missing(rule="layout", message=SET_OUT.format(HEADING))
NO_THEME = Missing(rule="no-theme", message="Name a theme that the plan lists.")


def verify(plan: SemanticPlan, text: str, mode: Mode | str, atoms: AtomUniverse) -> Verdict:
    """Check a text against a plan and its dictionary."""
    return check_text(text, Language(Facts(plan, atoms), mode_of(mode)))


def check_text(text: str, language: Language) -> Verdict:
    """Check a text in the language of its plan."""
    if len(text) > LONGEST:
        unread = Sentence(text, (0, len(text)), bullet=False, claims=None)
        return _verdict(language, (_decided(unread, TOO_LONG),), ())
    read = language.read(text)
    told = {claim for sentence in read for claim in sentence.claims or ()}
    whole = (*(() if is_laid_out(text, read, language.facts.ranked) else (LAYOUT,)), *_missing(told, language))
    return _verdict(language, tuple(check_sentence(sentence, language) for sentence in read), whole)


def check_sentence(sentence: Sentence, language: Language) -> SentenceVerdict:
    """Decide on one sentence."""
    return _decided(sentence, _problem(sentence, language))


def _problem(sentence: Sentence, language: Language) -> Problem | None:
    if sentence.claims is None:
        return NOT_READ
    false = filter(None, (claim.problem(language.facts) for claim in sentence.claims))
    exact = not language.mode.shows_exact_values and any(claim.audit_only for claim in sentence.claims)
    return sentence.misplaced or next(false, None) or (FOR_CHECKERS if exact else None)


def _decided(sentence: Sentence, problem: Problem | None) -> SentenceVerdict:
    claims, refused = sentence.claims or (), Status.NOT_READ if sentence.claims is None else Status.FALSE
    return SentenceVerdict(
        text=sentence.text,
        span=sentence.span,
        bullet=sentence.bullet,
        status=refused if problem else Status.VERIFIED,
        claims=tuple(claim.kind for claim in claims),
        atoms=() if problem else tuple(dict.fromkeys(atom for claim in claims for atom in claim.rows)),
        rule=problem.law if problem else None,
        message=problem.message if problem else None,
    )


def _missing(told: Collection[Claim], language: Language) -> Iterator[Missing]:
    """Yield what a text keeps silent about: a theme that the plan lists, and what no text may leave out."""
    listed = language.facts.ranked
    if listed and told and not any(theme in listed for claim in told for theme in claim.rows):
        yield NO_THEME
    lacks = unsaid(told, language.facts)
    yield from (Missing(rule="left-unsaid", message=f"Add: {language.written(claim)}") for claim in lacks)


def _verdict(language: Language, sentences: tuple[SentenceVerdict, ...], missing: tuple[Missing, ...]) -> Verdict:
    every = bool(sentences) and all(each.status is Status.VERIFIED for each in sentences)
    return Verdict(
        accepted=every and not missing,
        sentences=sentences,
        missing=missing,
        dictionary=language.facts.plan.dictionary.digest,
        forms=digest_of_forms(),
    )


Naming = Callable[[Sequence[str]], Sequence[Sequence[Claim]]]  # of sentences: the claims that each was meant to make


@dataclass(frozen=True, slots=True)
class Settled:
    """The text that stands, and what became of the sentences: kept as written, replaced, or left out."""

    text: str
    kept: int
    replaced: int
    left_out: int

    @property
    def survived(self) -> float:
        """The share of the sentences that stand as they were written."""
        return self.kept / max(1, self.kept + self.replaced + self.left_out)


def settle(text: str, language: Language, named: Naming | None = None) -> Settled:
    """Keep what is verified; replace the rest by the claims that are named for it, each once, or leave it out."""
    verdicts = [check_sentence(sentence, language) for sentence in language.read(text)]
    refused = [each for each in verdicts if each.status is not Status.VERIFIED]
    meant = iter(named([each.text for each in refused]) if named and refused else [()] * len(refused))
    lines: list[tuple[bool, str]] = []
    told: set[str] = set()
    replaced = 0
    for verdict in verdicts:
        bare = verdict.text.removeprefix(BULLET) if verdict.bullet else verdict.text
        own = [bare] if verdict.status is Status.VERIFIED else _written(next(meant), language)
        fresh = [sentence for sentence in own if sentence not in told]
        told.update(fresh)
        replaced += bool(fresh) and verdict.status is not Status.VERIFIED
        lines += [(verdict.bullet and verdict.status is Status.VERIFIED, sentence) for sentence in fresh]
    kept = len(verdicts) - len(refused)
    paragraph, listed = ([sentence for bullet, sentence in lines if bullet is wanted] for wanted in (False, True))
    bullets = _by_rank(listed, language)
    claims = {claim for line in (*paragraph, *bullets) for each in language.read(line) for claim in each.claims or ()}
    added = map(language.written, unsaid(claims, language.facts))
    return Settled(laid_out([[*paragraph, *added]], bullets), kept, replaced, len(refused) - replaced)


def _by_rank(lines: Sequence[str], language: Language) -> list[str]:
    """Put the lines of a list in the order of ranks, the first one of each theme: so a list must stand."""
    read = [(line, claim) for line in reversed(lines) for each in language.read(line) for claim in each.claims or ()]
    of = {theme: line for line, claim in read for theme in claim.rows}
    return [of[theme] for theme in language.facts.ranked if theme in of]


def _written(claims: Sequence[Claim], language: Language) -> list[str]:
    return [language.written(claim) for claim in claims if language.may_say(claim)]
