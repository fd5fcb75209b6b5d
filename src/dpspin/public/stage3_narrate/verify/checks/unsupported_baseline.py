"""``unsupported-baseline``: of the public baseline a text says the one sentence that follows from the plan, or nothing.

Which themes the noise lets one tell apart from the baseline is a table of the report. A text that puts it into other
words would have to be judged theme by theme; the plan's own sentence needs no judgement.
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.report.baseline import baseline_sentence
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-baseline"

_BASELINE = re.compile(r"\b(?:base[-\s]?lines?|public[-\s]only)\b", re.IGNORECASE)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report every other sentence about a baseline."""
    mentioned = [sentence for sentence in text.sentences if _BASELINE.search(sentence.masked)]
    supported = baseline_sentence(plan) if mentioned else ""
    for sentence in mentioned:
        start, end = sentence.span
        if " ".join(text.raw[start:end].split()) != supported:
            remedy = f"write {supported!r}, or remove it" if supported else "this plan has no comparison: remove it"
            yield Violation(
                rule=RULE, message=f"What is said of a baseline does not follow: {remedy}.", span=(start, end)
            )
