"""The public verifier: every sentence is read back as claims, and every claim is held against the plan."""

from collections.abc import Collection, Iterator

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.narrate.claims.claim import Claim, Problem
from dpspin.public.narrate.duties import unsaid
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.forms import digest_of_forms
from dpspin.public.narrate.language import HEADING, Language, Sentence
from dpspin.public.narrate.layout import is_laid_out
from dpspin.public.narrate.policy import Mode, mode_of
from dpspin.public.narrate.verdict import Missing, SentenceVerdict, Status, Verdict

LONGEST = 200_000  # characters: a line for each of a thousand themes
NOT_READ = Problem("not-read", "Say it in one of the forms, with names in quotation marks (“…”), or leave it out.")
TOO_LONG = Problem("unreadable-text", f"Write a summary of at most {LONGEST:,} characters.")
FOR_CHECKERS = Problem("exact-value", "Exact values are for audit mode: give the share.")
SET_OUT = "Put one space between sentences, an empty line between paragraphs, and themes by rank under {!r}."
LAYOUT = Missing(rule="layout", message=SET_OUT.format(HEADING))
NO_THEME = Missing(rule="no-theme", message="Name a theme that the plan lists.")


def verify(plan: SemanticPlan, text: str, mode: Mode | str, atoms: AtomUniverse) -> Verdict:
    """Check a text against a plan and its dictionary."""
    return verified(text, Language(Facts(plan, atoms), mode_of(mode)))


def verified(text: str, language: Language) -> Verdict:
    """Check a text in the language of its plan."""
    if len(text) > LONGEST:
        unread = Sentence(text, (0, len(text)), bullet=False, claims=None)
        return _verdict(language, (_decided(unread, TOO_LONG),), ())
    read = language.read(text)
    told = {claim for sentence in read for claim in sentence.claims or ()}
    whole = (*(() if is_laid_out(text, read, [*language.facts.listed]) else (LAYOUT,)), *_missing(told, language))
    return _verdict(language, tuple(judged(sentence, language) for sentence in read), whole)


def judged(sentence: Sentence, language: Language) -> SentenceVerdict:
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
    listed = language.facts.listed
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
