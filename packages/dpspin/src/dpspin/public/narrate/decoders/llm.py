"""The paper's decoder ``llm``: a model writes prose, the contract screens it, and what is published is settled.

Nothing of the prose is believed because it passed the screen. Sentences that read back are kept as the model wrote
them; for the others the model is asked once, in JSON, which claims they were meant to make.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dpspin.llm.chat import Chat
from dpspin.public.narrate.claims.claim import Claim
from dpspin.public.narrate.contract.screen import screen
from dpspin.public.narrate.decoders.claims import what_to_choose_from
from dpspin.public.narrate.decoders.decoder import History, Judgement
from dpspin.public.narrate.decoders.menu import claim_in, item_schema, menu
from dpspin.public.narrate.decoders.prompts import conversation, introduction_of, prose_prompt
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.verify import Settled, settle

TASK: Final = (
    "These sentences are to be replaced by claims that a program writes. For each sentence, in order, name the claims "
    "that it makes, from the list below; none where no claim of the list says it."
)
ANSWER: Final = 'Answer on one line: {"sentences": [[claims of the first sentence], [claims of the second], …]}'


@dataclass(frozen=True, slots=True)
class LlmDecoder:
    """Free text. A plan that lists nothing leaves a model nothing to say, so none is asked."""

    chat: Chat
    mode: Mode

    def __call__(self, facts: Facts, history: History, /) -> str:
        """Ask for a candidate, with all earlier ones and the remarks on them."""
        if not facts.ranked:
            return TemplateDecoder(self.mode)(facts, history)
        plan = facts.plan
        first = prose_prompt(plan.entries, self.mode, plan.rules.comparison_margin, introduction_of(facts))
        return self.chat.text(conversation(first, history)).strip()

    def judge(self, text: str, language: Language) -> Judgement:
        """Screen a candidate by the paper's contract."""
        return screen(language.facts, text, self.mode)

    def settled(self, text: str, language: Language) -> Settled:
        """Return what may be published of an accepted candidate."""
        return settle(text, language, lambda sentences: self._named(sentences, language.facts))

    def _named(self, sentences: Sequence[str], facts: Facts) -> list[list[Claim]]:
        """Ask which claims the sentences were meant to make; what cannot be read names none."""
        offered = menu(facts, self.mode)
        parts = [
            TASK,
            what_to_choose_from(facts, offered),
            "\n".join(("Sentences:", *(f"{number}. {sentence}" for number, sentence in enumerate(sentences, 1)))),
            ANSWER,
        ]
        lists = {"type": "array", "items": {"type": "array", "items": item_schema(offered), "maxItems": 4}}
        form = {"type": "object", "properties": {"sentences": lists}, "required": ["sentences"]}
        answer = self.chat.json(({"role": "user", "content": "\n\n".join(parts)},), "claims", form)
        return _lists_in(answer, len(sentences), facts)


def _lists_in(answer: str, number: int, facts: Facts) -> list[list[Claim]]:
    try:
        given = json.loads(answer[answer.find("{") :])
    except (ValueError, RecursionError):
        given = {}
    lists = given.get("sentences") if isinstance(given, dict) else None
    read = [
        [claim for item in (each if isinstance(each, list) else []) if (claim := claim_in(item, facts)) is not None]
        for each in (lists if isinstance(lists, list) else [])
    ]
    return [*read, *([[]] * number)][:number]
