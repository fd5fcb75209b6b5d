"""Algorithm 1's last stage: generate, judge, feed back, and fall back to the template. Post-processing only."""

from collections.abc import Callable
from dataclasses import dataclass

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.errors import EndpointError, RequestError, TemplateRefused
from dpspin.public.narrate.decoders.decoder import Attempt, Decoder, FreeWriter, History, Judgement
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode, mode_of
from dpspin.public.narrate.verify import Settled, Verdict, check_text


@dataclass(frozen=True, slots=True)
class Narration:
    """The text a reader gets and how it came about; ``attempts`` are the decoder's, the fallback is not one of them.

    ``settled`` says how much of free prose survived; ``failure`` why a decoder gave up before its attempts were used.
    """

    text: str
    mode: Mode
    attempts: tuple[Attempt, ...]
    used_fallback: bool
    verdict: Verdict
    settled: Settled | None = None
    failure: str | None = None


def narrate(
    plan: SemanticPlan,
    atoms: AtomUniverse,
    decoder: Decoder | None = None,
    *,
    mode: Mode | str = Mode.DISPLAY,
    max_attempts: int = 3,
) -> Narration:
    """Return the first accepted candidate of at most ``max_attempts`` (R_max), else the template's, as a fallback.

    An endpoint that fails at the first attempt is an error: it was asked for, and never answered. One that fails later
    ends in the fallback, which says so.
    """
    if max_attempts < 1:
        raise RequestError(f"a decoder needs at least one attempt, not {max_attempts}")
    language, history = Language(Facts(plan, atoms), mode_of(mode)), History()
    decoder = decoder or TemplateDecoder(language.mode)
    judge: Callable[[str, Language], Judgement] = decoder.judge if isinstance(decoder, FreeWriter) else check_text
    while len(history.attempts) < max_attempts:
        try:
            candidate = decoder(language.facts, history)
            attempt = Attempt.of(candidate, judge(candidate, language))
            history = history.and_then(attempt)
            if attempt.accepted:
                return _published(candidate, decoder, language, history)
        except EndpointError as failed:
            if not history.attempts:
                raise
            return _fallback(language, history, failure=str(failed))
    return _fallback(language, history)


def _published(candidate: str, decoder: Decoder, language: Language, history: History) -> Narration:
    """Publish what is verified: an accepted candidate, or what is left of one after settling."""
    settled = decoder.settled(candidate, language) if isinstance(decoder, FreeWriter) else None
    text = candidate if settled is None else settled.text
    verdict = check_text(text, language)
    if not verdict.accepted:  # nothing of the prose could be read, or it names no theme
        return _fallback(language, history, settled=settled)
    return Narration(text, language.mode, history.attempts, used_fallback=False, verdict=verdict, settled=settled)


def _fallback(
    language: Language, history: History, settled: Settled | None = None, failure: str | None = None
) -> Narration:
    text = TemplateDecoder(language.mode)(language.facts, history)
    verdict = check_text(text, language)
    if not verdict.accepted:
        raise TemplateRefused(
            f"the template's text was refused ({', '.join(verdict.rules())}), so nothing is shown: "
            "please report this plan"
        )
    return Narration(
        text, language.mode, history.attempts, used_fallback=True, verdict=verdict, settled=settled, failure=failure
    )
