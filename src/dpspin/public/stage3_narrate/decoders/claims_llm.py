"""The structured decoder: a language model chooses and orders typed claims, and code writes the sentences.

A model's mistake costs style, not truth: a claim that does not hold is never rendered, and no theme is lost.
"""

import json
from dataclasses import dataclass, field

from dpspin.boundary.plan import SemanticPlan
from dpspin.llm.chat import Chat
from dpspin.llm.question import Message
from dpspin.public.stage3_narrate.claims.naming import mass_text
from dpspin.public.stage3_narrate.decoders.claim_forms import CONNECTIVES, Draft, allowed, read, schema
from dpspin.public.stage3_narrate.decoders.composition import Composition, compose
from dpspin.public.stage3_narrate.decoders.prompts import feedback_lines, introduction_of, plan_lines
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.history import History
from dpspin.public.stage3_narrate.policy import Mode

_TASK = (
    "You plan a short report for a reader. Choose from the claims below, put them in a good order, and answer with "
    "JSON; the sentences are written by a program. Begin with what stands out. Name each theme, each fact only once."
)
_MEANINGS = {
    "bin_group": "all themes of one bin",
    "in_bin": "some themes of one bin",
    "highest": "this theme has the highest support",
    "tie": "these themes cannot be told apart",
    "compare": "the first theme has higher support than the second",
    "close_themes": "themes that are close cannot be told apart, without names",
    "whole_order": "the order of all themes is certain",
    "margin_order": "the order rests on a public margin, and is uncertain",
    "unclear": "these themes do not stand clear of the noise",
    "roll_up": "what the themes under one heading add up to",
    "coverage": "what all listed themes add up to",
    "against_baseline": "this theme lies above or below its public baseline",
    "baseline_count": "how many themes differ from the public baseline",
    "listed": "how many themes are listed",
    "count_in_bin": "how many themes are in a bin",
    "support": "the support of a theme as a number",
    "interval": "the support of a theme with its interval",
    "how_sure": "how far all intervals can be relied on",
    "mass": "the noisy mass of a theme",
    "rank": "the released rank of a theme",
    "mention": "these themes are listed",
    "public_text": "a fixed remark on how to read the report",
}
_NAMING = (
    "Themes are named by the number in [atom:number]. Masses that differ by at most {margin} cannot be told apart. A "
    "connective is one of {words}."
)
_REPAIR = "That was no JSON object of this form. Answer again with the JSON object alone."


@dataclass(frozen=True, slots=True)
class ClaimsDecoder:
    """``compositions`` tells for each attempt what was kept, dropped and filled in; None where it stayed unreadable."""

    chat: Chat
    mode: Mode
    compositions: list[Composition | None] = field(default_factory=list, init=False, repr=False, compare=False)

    def __call__(self, plan: SemanticPlan, history: History, /) -> str:
        """Ask for claims and write them down. An answer that stays unreadable is the candidate, for the verifier."""
        if not plan.entries:
            return TemplateDecoder(self.mode)(plan)
        answer, draft = self._drafted(plan, history)
        composed = None if draft is None else compose(draft, plan, self.mode)
        self.compositions.append(composed)
        return answer if composed is None else composed.text

    def _drafted(self, plan: SemanticPlan, history: History) -> tuple[str, Draft | None]:
        """Ask, and once more if the answer cannot be read."""
        asked = (_message("user", claims_prompt(plan, self.mode, history)),)
        answer = self._ask(plan, asked)
        draft = read(answer)
        if draft is None:
            answer = self._ask(plan, (*asked, _message("assistant", answer), _message("user", _REPAIR)))
            draft = read(answer)
        return answer, draft

    def _ask(self, plan: SemanticPlan, messages: tuple[Message, ...]) -> str:
        return self.chat.json(messages, "report", schema(plan, self.mode))


def claims_prompt(plan: SemanticPlan, mode: Mode, history: History) -> str:
    """Write the question: the plan, the claims that can be made of it, the form of the answer."""
    kinds = allowed(plan, mode)
    introduction = introduction_of(plan)
    parts = [
        f"{introduction.opening} {_TASK}",
        "\n".join((introduction.heading, *plan_lines(plan.entries, Mode.AUDIT))),
        "\n".join(("Claims:", *(_explained(name, list(fields)) for name, fields in kinds.items()))),
        _NAMING.format(margin=mass_text(plan.rules.comparison_margin), words=json.dumps(CONNECTIVES)),
        'Answer on one line: {"paragraph": [claims, in order], "bullets": [claims, in order]}',
    ]
    if history.attempts:
        parts.append(f"An earlier choice was refused:\n{feedback_lines(history.attempts[-1])}\nChoose other claims.")
    return "\n\n".join(parts)


def _explained(name: str, fields: list[str]) -> str:
    shape = {"claim": name, **{key: ["…"] if key == "atoms" else "…" for key in fields}, "connective": ""}
    return f"- {json.dumps(shape, ensure_ascii=False)}: {_MEANINGS[name]}"


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}
