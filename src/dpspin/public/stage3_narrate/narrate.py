"""Algorithm 1's last stage: generate, verify, feed back, and fall back to the template. Post-processing only."""

from dataclasses import dataclass

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.decoders.protocol import Decoder
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.history import Attempt, History
from dpspin.public.stage3_narrate.policy import Mode, NarrationPolicy
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
    policy: NarrationPolicy | None = None,
    atoms: AtomUniverse | None = None,
) -> Narration:
    """Return the first accepted candidate of at most R_max, else the template's text, recorded as a fallback."""
    policy = policy or NarrationPolicy()
    template, history = TemplateDecoder(policy.mode), History()
    decoder = decoder or template
    while len(history) < policy.max_attempts:
        candidate = decoder(plan, history)
        attempt = Attempt(candidate, verify(plan, candidate, policy.mode, atoms))
        history = history.and_then(attempt)
        if attempt.verdict.accepted:
            return Narration(candidate, policy.mode, history.attempts, used_fallback=False, verdict=attempt.verdict)
    text = template(plan, history)
    verdict = verify(plan, text, policy.mode, atoms)
    return Narration(text, policy.mode, history.attempts, used_fallback=True, verdict=verdict)
