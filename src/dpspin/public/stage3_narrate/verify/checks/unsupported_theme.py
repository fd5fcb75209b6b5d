"""``unsupported-theme``: a sentence that names no atom must be public, data-independent text.

Every one of its words must be in the public lexicon or be a name the plan itself carries (bins, dictionary, title). A
display sentence may also paraphrase one admitted atom in the words of its label and description, as the paper
allows; an audit sentence needs the marker for that.
"""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.checks.unsupported_word import strange_words
from dpspin.public.stage3_narrate.verify.lexicon import stem, stems_of
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-theme"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report sentences that speak of something the plan does not contain."""
    for read in text.reads:
        strange = [] if read.passage.references else [word for word, _ in strange_words(read, plan)]
        if read.listed_without_a_name:
            message = "This item of a list of themes names no theme of the plan: name one, or remove it."
            yield Violation(rule=RULE, message=message, span=read.passage.span)
        elif strange and not (text.mode is Mode.DISPLAY and _paraphrases_one_entry(strange, plan)):
            message = (
                f"This sentence names no theme of the plan, and {_listing(strange)} is not plan vocabulary: "
                "name an admitted theme or remove the sentence."
            )
            yield Violation(rule=RULE, message=message, span=read.passage.span)


def _paraphrases_one_entry(words: list[str], plan: SemanticPlan) -> bool:
    stems = {stem(word) for word in words}
    return any(stems <= stems_of(f"{entry.label} {entry.description}") for entry in plan.entries)


def _listing(words: list[str]) -> str:
    return ", ".join(repr(word) for word in dict.fromkeys(words[:4]))
