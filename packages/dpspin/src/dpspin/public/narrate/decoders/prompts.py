"""The prompts of the paper's appendix in our own words: the plan's entries and public rules, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from dpspin.boundary.plan_fields import marker_of
from dpspin.llm.question import Message
from dpspin.public.narrate.decoders.decoder import Attempt, History
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import Mode

MOST_FEEDBACK: Final = 12  # lines; a text with more mistakes is better written anew than mended
TASK: Final = "Put it into words for a reader: short, as an aggregate summary, from the listed entries alone."
RULES: Final = (
    "Name listed themes only, by their labels, in quotation marks: {quoted}. No theme of your own, and no synonym.",
    "Make nothing up: no examples, people, organisations, dates, quotations or events.",
    "You have seen no records. Do not speak of any, and do not write as if you had read them.",
    "Say nothing of causes, places, products, businesses or groups of people beyond a label or its description.",
    "Support is a noisy measure. It is never a number, a part or a frequency of records or people.",
)
OF_MODE: Final = {
    Mode.AUDIT: (
        "Directly after each label write its marker as it is listed: {example}.",
        "Words for support follow `bin`; a number is a `noisy_mass`, written as it is listed.",
        "Say that one theme has higher support than another only if its noisy_mass is larger by more than {margin}.",
    ),
    Mode.DISPLAY: (
        "Speak of support by the names in `bin` alone. Do not report exact masses.",
        "Write no markers and no ids.",
    ),
}
LAST_RULES: Final = (
    "Do not call a theme important, or more important than another: importance was not measured.",
    "Where support is low, noisy or close, say that it is uncertain instead of adding anything.",
)
LAYOUT_RULES: Final = {
    Mode.AUDIT: "Form: one short paragraph, then at most five bullets, with markers in both.",
    Mode.DISPLAY: "Form: one short paragraph; after it, only if that is clearer, at most three short bullets.",
}
NOTHING_ELSE: Final = "Answer with this text and nothing around it: no heading, no greeting, no remark."


@dataclass(frozen=True, slots=True)
class Introduction:
    """What the model is told its input is: one sentence, and the heading of the plan's entries."""

    opening: str
    heading: str


RELEASED: Final = Introduction(
    "The input is a differentially private aggregate summary plan.", "Differentially private summary plan, as released:"
)
SIMULATED: Final = Introduction(
    "The input is a simulated aggregate summary plan, which is not private.", "Simulated summary plan:"
)


class _Entry(Protocol):
    """What a model is told of a theme: a plan's entry is one."""

    @property
    def atom_id(self) -> int: ...

    @property
    def label(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def bin(self) -> str: ...

    @property
    def noisy_mass(self) -> float: ...


def plan_lines(entries: Sequence[_Entry]) -> list[str]:
    """Write the entries as the paper does, with their masses in either mode.

    >>> from dpspin.boundary.plan_fields import PlanEntry
    >>> entry = PlanEntry.model_construct(atom_id=17, label="long wait", description="", bin="high", noisy_mass=318.4)
    >>> plan_lines([entry])
    ['- [atom:17] label=long wait | description= | bin=high | noisy_mass=318.4']
    """
    return [
        f"- {marker_of(entry.atom_id)} label={_one_line(entry.label)} | description={_one_line(entry.description)} | "
        f"bin={entry.bin} | noisy_mass={entry.noisy_mass:,.1f}"
        for entry in entries
    ]


def introduction_of(facts: Facts) -> Introduction:
    """Tell a release from a simulation."""
    return RELEASED if facts.plan.is_private else SIMULATED


def prose_prompt(entries: Sequence[_Entry], mode: Mode, margin: float, introduction: Introduction) -> str:
    """Write the whole prompt for free prose: what it is, the rules, the plan, the form."""
    quoted = f"“{_one_line(entries[0].label)}”"
    given = {"quoted": quoted, "example": f"{quoted} {marker_of(entries[0].atom_id)}", "margin": f"{margin:,.1f}"}
    rules = [rule.format(**given) for rule in (*RULES, *OF_MODE[mode], *LAST_RULES)]
    return "\n".join(
        (
            f"{introduction.opening} {TASK}",
            "\nRules:",
            *(f"{number}. {rule}" for number, rule in enumerate(rules, 1)),
            f"\n{introduction.heading}",
            *plan_lines(entries),
            f"\n{LAYOUT_RULES[mode]} {NOTHING_ELSE}",
        )
    )


def conversation(first: str, history: History) -> tuple[Message, ...]:
    """Return the prompt, and each earlier candidate with what was wrong with it."""
    turns: list[Message] = [{"role": "user", "content": first}]
    for attempt in history.attempts:
        turns.append({"role": "assistant", "content": attempt.text})
        turns.append({"role": "user", "content": _objection(attempt)})
    return tuple(turns)


def feedback_lines(attempt: Attempt) -> str:
    """Return the first remarks."""
    return "\n".join(attempt.feedback.split("\n")[:MOST_FEEDBACK])


def _objection(attempt: Attempt) -> str:
    return (
        f"This text was refused. What is wrong, and how to mend it:\n{feedback_lines(attempt)}\n"
        f"Write the whole text again under the same rules. {NOTHING_ELSE}"
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())
