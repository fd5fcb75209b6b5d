"""``unsupported-theme``: a sentence that names no atom must be public, data-independent text.

Every one of its words must be in the public lexicon or be a name the plan itself carries (bins, dictionary, title). A
display sentence may also paraphrase one admitted atom in the words of its label and description, as the paper
allows; an audit sentence needs the marker for that.
"""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.checks.unsupported_word import strange_words
from dpspin.public.stage3_narrate.verify.lexicon import plan_stems, stem, stems_of
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-theme"

_ONLY_TO_NONE = stems_of("belong")  # public in "belongs to none of the themes", which is a reference and masked


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report sentences that speak of something the plan does not contain."""
    public = plan_stems(plan) - _ONLY_TO_NONE
    for sentence in text.sentences:
        strange = [] if sentence.references else [word for word, _ in strange_words(sentence, plan, public)]
        if strange and not (text.mode is Mode.DISPLAY and _paraphrases_one_entry(strange, plan)):
            message = (
                f"This sentence names no theme of the plan, and {_listing(strange)} is not plan vocabulary: "
                "name an admitted theme or remove the sentence."
            )
            yield Violation(rule=RULE, message=message, span=sentence.span)


def _paraphrases_one_entry(words: list[str], plan: SemanticPlan) -> bool:
    stems = {stem(word) for word in words}
    return any(stems <= stems_of(f"{entry.label} {entry.description}") for entry in plan.entries)


def _listing(words: list[str]) -> str:
    return ", ".join(repr(word) for word in dict.fromkeys(words[:4]))
