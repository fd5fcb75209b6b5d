"""The public verifier: every sentence is read back as claims, and every claim is held against the plan."""

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.narrate.claims.claim import Problem, broken
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.forms import digest_of_forms
from dpspin.public.narrate.language import Language, Sentence
from dpspin.public.narrate.policy import Mode, mode_of
from dpspin.public.narrate.verdict import SentenceVerdict, Status, Verdict

LONGEST = 20_000  # characters: no summary is longer than a few pages
NOT_READ = Problem("not-read", "Say it in one of the forms, or leave it out.")
TOO_LONG = Problem("unreadable-text", f"Write a summary of at most {LONGEST:,} characters.")
NO_THEME = Problem("no-theme", "Name a theme that the plan lists.")


def verify(plan: SemanticPlan, text: str, mode: Mode | str, atoms: AtomUniverse) -> Verdict:
    """Check a text against a plan and its dictionary."""
    return verified(text, Language(Facts(plan, atoms), mode_of(mode)))


def verified(text: str, language: Language) -> Verdict:
    """Check a text in the language of its plan."""
    if len(text) > LONGEST:
        whole = Sentence(text, (0, len(text)), bullet=False, claims=None)
        return _verdict(language.facts.plan, (_refused(whole, TOO_LONG),))
    return _verdict(language.facts.plan, tuple(judged(sentence, language) for sentence in language.read(text)))


def judged(sentence: Sentence, language: Language) -> SentenceVerdict:
    """Decide on one sentence."""
    if sentence.claims is None:
        return _refused(sentence, NOT_READ)
    broken = (claim.problem(language.facts) for claim in sentence.claims)
    problem = sentence.misplaced or next(filter(None, broken), None) or _not_for_readers(sentence, language)
    if problem is not None:
        return _refused(sentence, problem)
    return SentenceVerdict(
        text=sentence.text,
        span=sentence.span,
        bullet=sentence.bullet,
        status=Status.VERIFIED,
        claims=tuple(claim.kind for claim in sentence.claims),
        atoms=tuple(dict.fromkeys(atom for claim in sentence.claims for atom in claim.rows)),
    )


def _not_for_readers(sentence: Sentence, language: Language) -> Problem | None:
    exact = any(claim.audit_only for claim in sentence.claims or ())
    message = "Exact values are for audit mode: give the share."
    return broken("exact-value", message, unless=language.mode.shows_exact_values or not exact)


def _refused(sentence: Sentence, problem: Problem) -> SentenceVerdict:
    return SentenceVerdict(
        text=sentence.text,
        span=sentence.span,
        bullet=sentence.bullet,
        status=Status.NOT_READ if sentence.claims is None else Status.FALSE,
        claims=tuple(claim.kind for claim in sentence.claims or ()),
        rule=problem.law,
        message=problem.message,
    )


def _verdict(plan: SemanticPlan, sentences: tuple[SentenceVerdict, ...]) -> Verdict:
    """Accept a text whose sentences are all verified, and which names a theme where the plan lists any."""
    every = bool(sentences) and all(each.status is Status.VERIFIED for each in sentences)
    silent = bool(plan.entries) and not any(each.atoms for each in sentences)
    if every and silent:
        sentences = (*sentences[:-1], _unsaid(sentences[-1]))
    return Verdict(
        accepted=every and not silent,
        sentences=sentences,
        dictionary=plan.dictionary.digest,
        forms=digest_of_forms(),
    )


def _unsaid(last: SentenceVerdict) -> SentenceVerdict:
    return last.model_copy(update={"status": Status.FALSE, "rule": NO_THEME.law, "message": NO_THEME.message})
