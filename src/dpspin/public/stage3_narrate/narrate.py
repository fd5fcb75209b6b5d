"""Algorithm 1's last stage: generate, verify, feed back, and fall back to the template. Post-processing only."""

from dataclasses import dataclass

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.errors import RequestError
from dpspin.public.stage3_narrate.decoders.protocol import Decoder
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.history import Attempt, History
from dpspin.public.stage3_narrate.policy import Mode, mode_of
from dpspin.public.stage3_narrate.verify.verdict import Verdict
from dpspin.public.stage3_narrate.verify.verifier import verify


@dataclass(frozen=True, slots=True)
class Narration:
    """The text a reader gets and how it came about; ``attempts`` are the decoder's, the fallback is not one of them."""

    text: str
    mode: Mode
    attempts: tuple[Attempt, ...]
    used_fallback: bool
    verdict: Verdict


def narrate(
    plan: SemanticPlan,
    decoder: Decoder | None = None,
    *,
    mode: Mode | str = Mode.DISPLAY,
    max_attempts: int = 3,
    atoms: AtomUniverse | None = None,
) -> Narration:
    """Return the first accepted candidate of at most ``max_attempts`` (R_max), else the template's, as a fallback."""
    if max_attempts < 1:
        raise RequestError(f"a decoder needs at least one attempt, not {max_attempts}")
    mode = mode_of(mode)
    template, history = TemplateDecoder(mode), History()
    decoder = decoder or template
    while len(history) < max_attempts:
        candidate = decoder(plan, history)
        attempt = Attempt(candidate, verify(plan, candidate, mode, atoms))
        history = history.and_then(attempt)
        if attempt.verdict.accepted:
            return Narration(candidate, mode, history.attempts, used_fallback=False, verdict=attempt.verdict)
    text = template(plan, history)
    verdict = verify(plan, text, mode, atoms)
    return Narration(text, mode, history.attempts, used_fallback=True, verdict=verdict)
