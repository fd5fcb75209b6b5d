"""``unsupported-word``: a sentence that names a theme says nothing but what the plan can carry.

Its words come from the public lexicon, from the names the plan itself carries, from the label or description of a
theme it names, or are judged by a comparison rule. So causes, trends, advice, feelings, places and people fail,
however they are put.
"""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.bins import bin_claims
from dpspin.public.stage3_narrate.verify.check import entries_named
from dpspin.public.stage3_narrate.verify.clearance import clearances_of
from dpspin.public.stage3_narrate.verify.comparisons import comparisons_in
from dpspin.public.stage3_narrate.verify.lexicon import WORD, plan_stems, stem, stems_of
from dpspin.public.stage3_narrate.verify.negations import public_denials
from dpspin.public.stage3_narrate.verify.passages import Passage
from dpspin.public.stage3_narrate.verify.superlatives import superlatives_in
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Span, Violation

RULE = "unsupported-word"

# Public words that say something of a theme once they stand beside it: there they pass only inside a judged claim.
_CLAIM_WORDS = stems_of(
    "high higher low lower moderate medium large larger small smaller strong stronger weak weaker substantial minor "
    "middling intermediate more less least greater bigger fewer heavier lighter equal same close closer near gap "
    "difference absent random error uncertain unclear ambiguous indistinguishable belong"
)
_WORDS_IN_A_CLAIM = 2  # "exceeded by"; a longer match may hide a word that nobody judged


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report words that the plan does not explain, in sentences that name a theme."""
    public = plan_stems(plan)
    for sentence in text.sentences:
        if sentence.references:
            for word, span in strange_words(
                sentence, plan, (public - _CLAIM_WORDS) | _words_of_the_themes(sentence, plan)
            ):
                message = f"The plan says nothing of {word!r}: keep to themes, support, bins, masses and noise."
                yield Violation(rule=RULE, message=message, span=span)


def strange_words(sentence: Passage, plan: SemanticPlan, public: frozenset[str]) -> Iterator[tuple[str, Span]]:
    """Yield the words outside the given vocabulary that no recognised claim accounts for."""
    strange = [match for match in WORD.finditer(sentence.masked) if stem(match[0]) not in public]
    claimed = [*_recognised(sentence, plan)] if strange else []
    for match in strange:
        (start, end), known = sentence.at(match), stem(match[0]) in _CLAIM_WORDS
        if not any(low <= start and end <= high and (known or short) for (low, high), short in claimed):
            yield match[0], (start, end)


def _words_of_the_themes(sentence: Passage, plan: SemanticPlan) -> frozenset[str]:
    named = entries_named(sentence.atom_ids, plan)
    return stems_of(" ".join(f"{entry.label} {entry.description}" for entry in named))


def _recognised(sentence: Passage, plan: SemanticPlan) -> Iterator[tuple[Span, bool]]:
    """Yield the claims that other rules judge, and whether they are too short to hide a word."""
    for start, end in public_denials(sentence, plan):
        yield (sentence.start + start, sentence.start + end), True
    for claim in bin_claims(sentence, plan):
        yield (sentence.start + claim.start, sentence.start + claim.end), False
    yield from ((claim.span, False) for claim in clearances_of(sentence, plan))
    for record in (*comparisons_in(sentence, plan), *superlatives_in(sentence, plan)):
        start, end = (position - sentence.start for position in record.span)
        yield record.span, len(WORD.findall(sentence.masked, start, end)) <= _WORDS_IN_A_CLAIM
