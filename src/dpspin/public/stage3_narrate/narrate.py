"""Algorithm 1's last stage: generate, verify, feed back, and fall back to the template. Post-processing only."""

from dataclasses import dataclass

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.errors import EndpointError, RequestError, TemplateRefused
from dpspin.public.stage3_narrate.decoders.protocol import Decoder
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.history import Attempt, History
from dpspin.public.stage3_narrate.policy import Mode, mode_of
from dpspin.public.stage3_narrate.verify.verdict import Verdict
from dpspin.public.stage3_narrate.verify.verifier import verify


@dataclass(frozen=True, slots=True)
class Narration:
    """The text a reader gets and how it came about; ``attempts`` are the decoder's, the fallback is not one of them.

    ``failure`` says why a decoder gave up before its attempts were used.
    """

    text: str
    mode: Mode
    attempts: tuple[Attempt, ...]
    used_fallback: bool
    verdict: Verdict
    failure: str | None = None


def narrate(
    plan: SemanticPlan,
    decoder: Decoder | None = None,
    *,
    mode: Mode | str = Mode.DISPLAY,
    max_attempts: int = 3,
    atoms: AtomUniverse | None = None,
) -> Narration:
    """Return the first accepted candidate of at most ``max_attempts`` (R_max), else the template's, as a fallback.

    An endpoint that fails at the first attempt is an error: it was asked for, and never answered. One that fails later
    ends in the fallback, which says so.
    """
    if max_attempts < 1:
        raise RequestError(f"a decoder needs at least one attempt, not {max_attempts}")
    mode = mode_of(mode)
    decoder, history = decoder or TemplateDecoder(mode), History()
    while len(history) < max_attempts:
        try:
            candidate = decoder(plan, history)
        except EndpointError as failed:
            if not history.attempts:
                raise
            return _fallback(plan, mode, history, atoms, failure=str(failed))
        attempt = Attempt(candidate, verify(plan, candidate, mode, atoms))
        history = history.and_then(attempt)
        if attempt.verdict.accepted:
            return Narration(candidate, mode, history.attempts, used_fallback=False, verdict=attempt.verdict)
    return _fallback(plan, mode, history, atoms)


def _fallback(
    plan: SemanticPlan, mode: Mode, history: History, atoms: AtomUniverse | None, failure: str | None = None
) -> Narration:
    text = TemplateDecoder(mode)(plan, history)
    verdict = verify(plan, text, mode, atoms)
    if not verdict.accepted:
        raise TemplateRefused(
            f"the template's text was refused ({', '.join(verdict.rules())}), so nothing is shown: "
            "please report this plan"
        )
    return Narration(text, mode, history.attempts, used_fallback=True, verdict=verdict, failure=failure)
