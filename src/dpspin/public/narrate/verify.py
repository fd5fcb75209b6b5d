"""The public verifier: every sentence is read back as claims, and every claim is held against the plan."""

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.narrate.claims.claim import Problem
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.forms import digest_of_forms
from dpspin.public.narrate.language import Language, Sentence
from dpspin.public.narrate.policy import Mode, mode_of
from dpspin.public.narrate.verdict import SentenceVerdict, Status, Verdict

LONGEST = 20_000  # characters: no summary is longer than a few pages
NOT_READ = Problem("not-read", "Say it in one of the forms, or leave it out.")
TOO_LONG = Problem("unreadable-text", f"Write a summary of at most {LONGEST:,} characters.")
FOR_CHECKERS = Problem("exact-value", "Exact values are for audit mode: give the share.")
NO_THEME = Problem("no-theme", "Name a theme that the plan lists.")


def verify(plan: SemanticPlan, text: str, mode: Mode | str, atoms: AtomUniverse) -> Verdict:
    """Check a text against a plan and its dictionary."""
    return verified(text, Language(Facts(plan, atoms), mode_of(mode)))


def verified(text: str, language: Language) -> Verdict:
    """Check a text in the language of its plan."""
    if len(text) > LONGEST:
        whole = Sentence(text, (0, len(text)), bullet=False, claims=None)
        return _verdict(language.facts.plan, (_decided(whole, TOO_LONG),))
    return _verdict(language.facts.plan, tuple(judged(sentence, language) for sentence in language.read(text)))


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
