"""Negations: a text may deny only what the plan denies, or what is so of no plan."""

import re
from collections.abc import Sequence
from itertools import pairwise

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.items import BIN, SIGN, THEME, WORDS, Item
from dpspin.public.stage3_narrate.verify.lexicon import (
    measure_stems,
    neutral_stems,
    people_stems,
    stem,
    stems_of,
    undeniable_stems,
)
from dpspin.public.stage3_narrate.verify.passages import Passage

_CLAIMS = frozenset(
    {
        BIN,
        "clear",
        "buried",
        "highest",
        "lowest",
        "ranked_first",
        "rank",
        "nth_highest",
        "top_set",
        "more",
        "less",
        "above",
    }
    | {"below", "baseline_above", "baseline_below", "descending", "same_bin"}
)
# "No other topics occur", "nothing beyond the listed themes": that there is no more is nowhere released.
_COMPLETE = re.compile(
    r"(?<!from\s)\b(?:no|nothing|none|not\s+any|nobody|never)\s+(?:\w+\s+)?(?:other|others|further|additional|beyond|more|else)\b(?!\s+order)(?!\s+than\s+(?:an?\s+)?approximat)",
    re.IGNORECASE,
)
_NO_CONCERNS = re.compile(
    r"\b(?:no|without|free\s+of)\s+(?:concerns|complaints|issues|problems|worries)\b(?!\s+(?:\w+\s+)?(?:read|seen|consulted|quoted|used|shown))|\bnot?\s+\w+\s+(?:anything|any)\s+(?:beyond|else|other|further)\b",
    re.IGNORECASE,
)
_NOT_RAISED = re.compile(
    r"\b(?:themes?|topics?|anything|everything|what)\b[^.;]*\bnot\s+(?:\w+\s+)?(?:raised|discussed|expressed|voiced|brought\s+up|experienced)\b",
    re.IGNORECASE,
)
_WHOLE = frozenset({"rather than", "instead of", "without"})
_NEW_CLAUSE = frozenset({"that", "which", "how", "whether", "about", "why", "who", "what", "as"})


def is_denial_of_a_claim(item: Item, rest: Sequence[Item]) -> bool:
    """Tell whether the next thing said is a claim that other rules judge, so that the negation belongs to it."""
    if item.text in _WHOLE:
        return bool(rest) and rest[0].kind == BIN
    for each in rest:
        if each.kind in _CLAIMS:
            return True
        if each.kind == WORDS and stem(each.text) not in neutral_stems():
            return False
        if each.kind == SIGN and each.text in {";", ":"}:
            return False
    return False


def is_public_denial(item: Item, rest: Sequence[Item], passage: Passage, plan: SemanticPlan, *, named: bool) -> bool:
    """Tell whether something is denied that is so of no plan: that it counts people, that silence is absence.

    Beside a theme only that its support is a count, a share or exact may be denied.
    """
    if not plan.is_private and re.match(
        r"[\s-]+(?:differentially[\s-]+)?private\b", passage.masked[item.end :], re.IGNORECASE
    ):
        return True
    if (
        _COMPLETE.search(passage.masked[item.start :])
        or _NOT_RAISED.search(passage.masked)
        or _NO_CONCERNS.search(passage.masked)
    ):
        return False
    if re.search(r"\bbecause\b", passage.masked[: item.start], re.IGNORECASE) and item.text in {"nobody", "nothing"}:
        return False  # what nobody wrote is no reason that a plan could give
    denied = _denied_words(rest)
    if named:
        return next((word in measure_stems() for word in denied if word not in neutral_stems()), False) or bool(
            set(denied[:4]) & measure_stems()
        )
    if set(denied) & (undeniable_stems() - _modifying(denied)):
        return False
    return bool(denied)


def _denied_words(rest: Sequence[Item]) -> list[str]:
    """Return the words that a negation reaches: up to the next clause."""
    words: list[str] = []
    for each in rest:
        if each.kind == THEME or (each.kind == SIGN and each.text in {",", ";", ":"} and words) or each.kind == "break":
            break
        if each.kind == WORDS:
            if each.text in _NEW_CLAUSE and words:
                break
            words.append(stem(each.text))
        elif each.kind not in {SIGN, "not", "every", "plain"} and words:
            break
    return words


def _modifying(denied: Sequence[str]) -> frozenset[str]:
    """Return what only describes a record: "no private record" denies no privacy."""
    records = people_stems() | stems_of("record data response plan release summary text")
    return frozenset(word for word, following in pairwise(denied) if following in records)
