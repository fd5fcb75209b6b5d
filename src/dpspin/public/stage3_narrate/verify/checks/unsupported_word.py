"""``unsupported-word``: a sentence that names a theme says nothing but what the plan can carry.

Its words come from the public lexicon, from the names the plan itself carries, from the label or description of a
theme it names, or belong to a claim that another rule judges. So causes, trends, advice, feelings, places and people
fail, however they are put.
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.check import entries_named
from dpspin.public.stage3_narrate.verify.items import WORDS, Item
from dpspin.public.stage3_narrate.verify.lexicon import (
    beyond_stems,
    general_stems,
    is_among,
    measure_stems,
    own_stems,
    people_stems,
    public_stems,
    record_stems,
    stem,
    stems_of,
)
from dpspin.public.stage3_narrate.verify.passages import BLOT, Passage
from dpspin.public.stage3_narrate.verify.statements import Public, Unexplained
from dpspin.public.stage3_narrate.verify.text import Read, Text
from dpspin.public.stage3_narrate.verify.verdict import Span, Violation

RULE = "unsupported-word"

JUDGED_ELSEWHERE = frozenset(
    {"bin", "same_bin", "number", "count", "above", "below", "more", "less", "then", "tie", "order_certain", "than"}
    | {"compared", "highest", "lowest", "ranked_first", "top_set", "nth_highest", "rank", "ordinal", "list_end"}
    | {"leads_alone", "clear", "buried", "not", "only", "quantifier", "reference"}
)
_BY_THE_WAY = re.compile(
    r"\b(?:in|from|of|by|to|across|within|among|individual|raw|any|each|single|one|every)\s+(?:the\s+|this\s+|these\s+|any\s+|individual\s+|raw\s+|underlying\s+|original\s+)*$",
    re.IGNORECASE,
)
# "The reviews themselves were not read", "complaints were not counted": nobody did anything with them.
_LEFT_ALONE = re.compile(
    r"[^.;,]{0,40}?\b(?:(?:were|was|are|is)\s+(?:not|never)|(?:have|has)\s+(?:not|never)\s+been|cannot\s+be|could\s+not\s+be)\s+"
    r"(?:\w+\s+)?(?:read|consulted|seen|quoted|used|accessed|inspected|shown|counted|opened|examined|reproduced|available"
    r"|looked\s+at|cited|viewed|touched|processed)\b"
    r"|\s+(?:were|was|are|is|have\s+been|has\s+been)\s+(?:\w+\s+)?(?:summari[sz]ed|aggregated|protected|measured|mapped)\b",
    re.IGNORECASE,
)
_WHOSE = re.compile(rf"['’]s?\s+(?:{BLOT}|themes?|comments|feedback|words)", re.IGNORECASE)
_AMONG = re.compile(r"\b(?:among|amongst|across|by|for|of|to)\s+(?:\w+\s+)?$", re.IGNORECASE)
_THE_TEXT = re.compile(
    r"[\s-]+(?:(?:data|text|survey|feedback)[\s-]+)?(?:plans?|summar(?:y|ies)|reports?|overview|release|dictionary|themes?|data|corpus|dataset|survey)\b|\s*:(?!.*\ue000)",
    re.IGNORECASE,
)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report words that the plan does not explain, in sentences that name a theme."""
    for read in text.reads:
        if read.passage.references:
            for word, span in strange_words(read, plan):
                message = f"The plan says nothing of {word!r}: keep to themes, support, bins, masses and noise."
                yield Violation(rule=RULE, message=message, span=span)
    yield from _unjudged(text)


def _unjudged(text: Text) -> Iterator[Violation]:
    """Report claim phrases that no other rule knows: what nobody judges does not pass."""
    for statement in text.statements:
        if isinstance(statement, Unexplained) and statement.kind not in JUDGED_ELSEWHERE:
            message = f"The plan says nothing of {statement.text!r}: remove it."
            yield Violation(rule=RULE, message=message, span=statement.span)


def strange_words(read: Read, plan: SemanticPlan) -> Iterator[tuple[str, Span]]:
    """Yield the words outside the vocabulary that no claim phrase accounts for; what names no theme may use more."""
    own = own_stems(plan) - people_stems() | _words_of_the_themes(read, plan)
    for clause in read.passage.clauses():
        known = own | (public_stems() if clause.references else general_stems())
        low, high = clause.start - read.passage.start, clause.span[1] - read.passage.start
        for item in read.items:
            inside = low <= item.start < high and item.kind == WORDS
            if not inside or (is_among(item.text, known) and not _speaks_of_a_group(item, clause, low)):
                continue
            if not _speaks_of_records(item, read, clause):
                start = read.passage.start
                yield read.passage.text[item.start : item.end], (start + item.start, start + item.end)


def _speaks_of_a_group(item: Item, clause: Passage, low: int) -> bool:
    """Tell "among patients, A …", also where patients stand in the theme's own description."""
    said = stem(item.text) in people_stems() - record_stems() - public_stems()
    return said and _AMONG.search(clause.masked, 0, item.start - low) is not None


def _speaks_of_records(item: Item, read: Read, clause: Passage) -> bool:
    """Allow words for records and people after a denial, or where no theme is named and they are not the subject.

    What a plan does not tell may be named after a denial too, where no theme is.
    """
    said, start = stem(item.text), read.passage.start + item.start
    denied = any(isinstance(statement, Public) and statement.span[0] < start for statement in read.statements)
    if denied and said in beyond_stems() | measure_stems() | general_stems():
        return True
    if said not in people_stems():
        return False
    if denied or _THE_TEXT.match(read.passage.masked, item.end) or _WHOSE.match(read.passage.masked, item.end):
        return True
    if not clause.references and _LEFT_ALONE.match(read.passage.masked, item.end):
        return True
    by_the_way = _BY_THE_WAY.search(read.passage.masked, 0, item.start) is not None
    return by_the_way and (not clause.references or said in record_stems())


def _words_of_the_themes(read: Read, plan: SemanticPlan) -> frozenset[str]:
    named = entries_named(read.about or read.passage.atom_ids, plan)
    return stems_of(" ".join(f"{entry.label} {entry.description}" for entry in named))
