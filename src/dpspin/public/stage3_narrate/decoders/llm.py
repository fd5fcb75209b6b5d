"""The paper's decoder: a language model puts the plan into its own words, and the verifier judges them as they are."""

from dataclasses import dataclass

from dpspin.boundary.plan import SemanticPlan
from dpspin.llm.chat import Chat
from dpspin.public.stage3_narrate.decoders.prompts import conversation, introduction_of, prompt
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.history import History
from dpspin.public.stage3_narrate.policy import Mode


@dataclass(frozen=True, slots=True)
class LlmDecoder:
    """Free text. Nothing is cut off or mended: what the verifier sees is what would be shown.

    A plan that lists nothing leaves a model nothing to say, so none is asked.
    """

    chat: Chat
    mode: Mode

    def __call__(self, plan: SemanticPlan, history: History, /) -> str:
        """Ask for a candidate, with all earlier ones and the verifier's remarks."""
        if not plan.entries:
            return TemplateDecoder(self.mode)(plan)
        first = prompt(plan.entries, self.mode, plan.rules.comparison_margin, introduction_of(plan))
        return self.chat.text(conversation(first, history)).strip()
