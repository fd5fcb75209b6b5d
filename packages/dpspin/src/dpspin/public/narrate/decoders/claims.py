"""The decoder ``claims``: a language model chooses claims, their order and the words between; code writes them.

Of a model's draft, what does not hold or was told already goes, and what was left out comes in.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dpspin.llm.chat import Chat
from dpspin.llm.question import Message
from dpspin.public.narrate.claims.claim import LIST_FIELDS, Claim, holding
from dpspin.public.narrate.claims.release import PublicSentence, Saying
from dpspin.public.narrate.claims.themes import Mention
from dpspin.public.narrate.decoders.decoder import ClaimsRecord, History
from dpspin.public.narrate.decoders.menu import Choices, Draft, as_json, menu, read_draft, schema
from dpspin.public.narrate.decoders.prompts import feedback_lines, introduction_of, plan_lines
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.forms import CLAIM_KINDS
from dpspin.public.narrate.language import Language, Pen, laid_out
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.outline import lines_of, unsaid


@dataclass(frozen=True, slots=True)
class Composition:
    """The text, and what was done to the draft."""

    text: str
    kept: tuple[Claim, ...]
    dropped: tuple[Claim, ...]
    filled: tuple[Claim, ...]
    repeats: int
    malformed: int

    @property
    def record(self) -> ClaimsRecord:
        """The same as it is written down."""
        claims = {"kept": self.kept, "dropped": self.dropped, "filled": self.filled}
        named = {name: tuple(map(as_json, each)) for name, each in claims.items()}
        return ClaimsRecord(**named, repeats=self.repeats, malformed=self.malformed)


def compose(draft: Draft, language: Language) -> Composition:
    """Write the text of a draft. Every listed theme is in it, whatever the draft left out."""
    told: dict[Claim, None] = {}
    dropped: list[Claim] = []

    def news(claims: Sequence[Claim]) -> Iterator[Claim]:
        for claim in claims:
            if not language.may_say(claim):
                dropped.append(claim)
            elif claim not in told:
                told[claim] = None
                yield claim

    paragraphs = [[*news(draft.paragraph)], [*news(draft.bullets)]]
    kept = tuple(told)
    themes, names = _unnamed(kept, language.facts)
    added = [*names, *_added((*kept, *themes, *names), language.facts)]
    return Composition(
        text=_text([*paragraphs, added], themes, language),
        kept=kept,
        dropped=tuple(dropped),
        filled=(*added, *themes),
        repeats=len(draft.paragraph) + len(draft.bullets) - len(dropped) - len(kept),
        malformed=draft.malformed,
    )


def _unnamed(told: Sequence[Claim], facts: Facts) -> tuple[list[Claim], list[Claim]]:
    """Return lines with the shares of listed themes that were not named; where there are none, a sentence of names."""
    named = {theme for claim in told for theme in claim.rows}
    missing = tuple(theme for theme in facts.ranked if theme not in named)
    lines = list(lines_of(missing, facts))
    return lines, [] if lines else list(holding([Mention(missing)], facts))


def _added(told: Sequence[Claim], facts: Facts) -> list[Claim]:
    """Return what no text may leave out, and that this is private."""
    private = holding([PublicSentence(Saying.PRIVATE)], facts)
    return [*unsaid(told, facts), *(claim for claim in private if claim not in told)]


def _text(paragraphs: Sequence[Sequence[Claim]], listed: Sequence[Claim], language: Language) -> str:
    pen = Pen(language)
    return laid_out([[pen.sentence(claim) for claim in part] for part in paragraphs], map(language.written, listed))


TASK: Final = (
    "You plan a short report for a reader. Choose from the claims below, put them in a good order, and answer with "
    "JSON; the sentences are written by a program. Begin with what stands out. Name each theme, each fact only once."
)
NAMING: Final = "Themes are named by the number in [atom:number]."
ANSWER: Final = 'Answer on one line: {"paragraph": [claims, in order], "bullets": [claims, in order]}'
REPAIR: Final = "That was no JSON object of this form. Answer again with the JSON object alone."


@dataclass(frozen=True, slots=True)
class ClaimsDecoder:
    """``compositions`` tells for each attempt what was kept, dropped and filled in; None where it stayed unreadable."""

    chat: Chat
    mode: Mode
    compositions: list[Composition | None] = field(default_factory=list, init=False, repr=False, compare=False)

    def __call__(self, facts: Facts, history: History, /) -> str:
        """Ask for claims and write them down; an answer that stays unreadable is an empty draft, filled in by code."""
        if not facts.ranked:
            return TemplateDecoder(self.mode)(facts, history)
        draft = self._drafted(facts, history)
        composed = compose(draft or Draft(), Language(facts, self.mode))
        self.compositions.append(None if draft is None else composed)
        return composed.text

    def _drafted(self, facts: Facts, history: History) -> Draft | None:
        """Ask, and once more if the answer cannot be read."""
        offered = menu(facts, self.mode)
        asked: tuple[Message, ...] = ({"role": "user", "content": claims_prompt(facts, offered, history)},)
        answer = self._ask(asked, offered)
        draft = read_draft(answer, facts)
        if draft is None:
            again: tuple[Message, ...] = ({"role": "assistant", "content": answer}, {"role": "user", "content": REPAIR})
            draft = read_draft(self._ask((*asked, *again), offered), facts)
        return draft

    def _ask(self, messages: tuple[Message, ...], offered: Mapping[str, Choices]) -> str:
        return self.chat.json(messages, "report", schema(offered))


def claims_prompt(facts: Facts, offered: Mapping[str, Choices], history: History) -> str:
    """Write the question: the plan, the claims that can be made of it, the form of the answer."""
    parts = [
        f"{introduction_of(facts).opening} {TASK}",
        what_to_choose_from(facts, offered),
        NAMING,
        ANSWER,
    ]
    if history.attempts:
        parts.append(f"An earlier choice was refused:\n{feedback_lines(history.attempts[-1])}\nChoose other claims.")
    return "\n\n".join(parts)


def what_to_choose_from(facts: Facts, offered: Mapping[str, Choices]) -> str:
    """Show the plan, and the claims that can be made of it."""
    plan = (introduction_of(facts).heading, *plan_lines(facts.plan.entries))
    return "\n".join((*plan, "\nClaims:", *(_explained(name, choices) for name, choices in offered.items())))


def _explained(name: str, choices: Choices) -> str:
    """Show how a claim is named, with what it says: the first line of its own description."""
    shape = {"claim": name, **{key: ["…"] if key in LIST_FIELDS else "…" for key in choices}}
    meaning = (CLAIM_KINDS[name].__doc__ or "").partition("\n")[0]
    return f"- {json.dumps(shape, ensure_ascii=False)}: {meaning}"
