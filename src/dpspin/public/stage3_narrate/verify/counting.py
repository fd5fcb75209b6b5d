"""Numbers of themes, and the public words about bins: what a count counts, and when a bin is only explained."""

import re
from collections.abc import Sequence

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.discourse import Discourse
from dpspin.public.stage3_narrate.verify.items import BIN, NUMBER, THEME, Item
from dpspin.public.stage3_narrate.verify.lexicon import people_words
from dpspin.public.stage3_narrate.verify.passages import BLOT, Passage
from dpspin.public.stage3_narrate.verify.quantities import Kind
from dpspin.public.stage3_narrate.verify.statements import Counted, Scope

_THEMES = r"(?:themes?|topics?|entry|entries|atoms?|concepts?|items?)"
_COUNTS = re.compile(
    rf"[\s-]+(?:(?:of|out\s+of)\s+(?:the|these|them|those|its|all|which|whom|\d|a|an)\b|(?:[^\W\d]+[\s-]+){{0,4}}?{_THEMES}\b|(?:\w+[\s-]+)?(?:bins|levels|tiers|groups|categories|bands)\b"
    r"|(?:(?:is|are|was)(?!\s+the\s+(?:noisy|released|mass|support|value))|were|have|has|in|fall|falls|reach|reaches|stand|stands|carry|show|lie|sit|with|were)\b)",
    re.IGNORECASE,
)
_A_VALUE = re.compile(
    r"\b(?:mass(?:es)?|support|values?)\s+(?:of|is|was|are|at|about|roughly|around|approximately|\s)*$", re.IGNORECASE
)
_COUNTED_BEFORE = re.compile(rf"\b{_THEMES}\b[^.;:]{{0,30}}:\s*$", re.IGNORECASE)
_LISTING = re.compile(
    r"\b(?:lists?|listed|releas(?:es|ed)|admit(?:s|ted)|contains?|reports?|reported)\b", re.IGNORECASE
)
_SHOWN = re.compile(r"\b(?:tables?|shows?|shown|above|list(?:s|ed)?\s+here|rows?|bullets?)\b", re.IGNORECASE)
_REST = re.compile(r"[\s-]+(?:further|other|more|additional|remaining)\b", re.IGNORECASE)
_PART = re.compile(r"[\s-]+(?:of|out\s+of|further|other|more)\b", re.IGNORECASE)
_DICTIONARY = re.compile(
    rf"[\s-]+(?:(?:(?!from\b)[^\W\d]+[\s-]+){{0,3}}?dictionary\b|(?:[^\W\d]+[\s-]+){{0,3}}?{_THEMES}\s+(?:(?:are|were|is|was)\s+)?(?:in|of)\s+(?:the|its|a)\s+(?:\w+\s+){{0,2}}?dictionary\b)",
    re.IGNORECASE,
)
_DICTIONARY_BEFORE = re.compile(r"dictionary(?:['’]s)?[\s:=]+(?:\w+\s+){0,3}?$", re.IGNORECASE)
_NOT_LISTED = re.compile(
    r"[^.;,]{0,60}?\b(?:(?:are|is|were|was)\s+(?:not\s+(?:listed|shown|part|in|released|admitted|included)|absent|omitted|missing|left\s+out))\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:ask(?:s|ed)?(?:\s+for)?|request(?:s|ed)?|size|up\s+to|at\s+most|no\s+more\s+than|maximum|limit)\b",
    re.IGNORECASE,
)
_UNLISTED = re.compile(r"\b(?:not|unlisted|omitted|missing|left\s+out|remaining|other|others)\b", re.IGNORECASE)
_BEYOND_THE_PLAN = re.compile(
    rf"\b(?:of|among|than)\s+(?:all|any)\s+(?:other\s+)?(?:{_THEMES}|concerns|issues|subjects)\b"
    r"(?!\s+(?:listed|released|admitted|in\s+(?:the|this)\s+(?:\w+\s+)?plan))"
    rf"|\b(?:overall|anywhere|in\s+(?:the\s+)?(?:data|records|{'|'.join(people_words())}))\b",
    re.IGNORECASE,
)
_OF_THE_LISTED = re.compile(r"\s+of\s+the\s+(?:\w+\s+)?(?:listed|released|admitted)\s+themes\b", re.IGNORECASE)
_ONLY_LISTED = re.compile(
    rf"(?:the\s+)?(?:only|sole|single)\s+(?:{_THEMES}|one)\s+(?:that\s+(?:is|was)\s+|to\s+be\s+)?(?:released|listed|admitted|reported|in\s+the\s+(?:released\s+)?(?:plan|list))\b|(?:the\s+)?(?:only|sole|single)\s+(?:released|listed|admitted)\s+{_THEMES}",
    re.IGNORECASE,
)
_PUBLIC_ONLY = re.compile(
    r"only[\s-]+(?:that\b|approximate\w*|(?:\w+[\s-]+){0,2}?(?:plan|noise|noisy|plan's|bins?|what|means?|says?|under|as|be|from|the\s+plan|released\s+values?|aggregate\w*)\b)|(?:not|drawn|based|aggregates?|plans?|values?|bins?|noise)[\s-]+only\b",
    re.IGNORECASE,
)


def counts_themes(item: Item, passage: Passage) -> bool:
    """Tell whether a whole number counts themes (or bins)."""
    number = item.number
    if number is None or number.decimals or number.kind not in {Kind.DIGITS, Kind.WORD}:
        return False
    if _A_VALUE.search(passage.masked[: item.start]):
        return False
    if number.kind is Kind.WORD:
        return True
    return bool(_COUNTS.match(passage.masked, item.end) or _COUNTED_BEFORE.search(passage.masked[: item.start]))


def plain_count(item: Item, passage: Passage, here: tuple[int, ...], discourse: Discourse) -> Counted:
    """Say what a number counts that no bin and no noise was said of."""
    start, end = passage.start + item.start, passage.start + item.end
    number = item.number
    assert number is not None  # noqa: S101  only numbers are counts
    shown = tuple(discourse.named) if _SHOWN.search(passage.masked) else ()
    known = (
        here
        or shown
        or (discourse.recent if re.search(r"\b(?:these|those|them)\b", passage.masked, re.IGNORECASE) else ())
    )
    near = passage.masked[max(0, item.start - 30) : item.start] + passage.masked[item.end : item.end + 40]
    of_the_plan = _LISTING.search(near) is not None and not _PART.match(passage.masked, item.end)
    kinds = re.match(r"[\s-]+(?:separate|distinct|different|related)\b", passage.masked[item.end :], re.IGNORECASE)
    said = bool(kinds) or re.search(r"\b(?:are|is)\s+$", passage.masked[: item.start], re.IGNORECASE) is not None
    of_the_plan = of_the_plan and not said
    vague = _OF_THE_LISTED.match(passage.masked, item.end) is not None
    rest = len(discourse.listed) - len(discourse.named) if _REST.match(passage.masked, item.end) else None
    return Counted(
        (start, end),
        number,
        scope=_scope(item, passage),
        listed_here=() if of_the_plan else known,
        partial=vague,
        said_of_them=said,
        rest=rest,
    )


def is_of_the_dictionary(item: Item, passage: Passage) -> bool:
    """Tell the nine of "a dictionary of nine"."""
    return _DICTIONARY_BEFORE.search(passage.masked[: item.start]) is not None


def _scope(item: Item, passage: Passage) -> Scope:
    before, after = passage.masked[: item.start], passage.masked[item.end :]
    if re.match(
        r"[\s-]+(?:\w+[\s-]+)?(?:bins|levels|tiers|groups|categories|bands|classes|clusters)\b", after, re.IGNORECASE
    ):
        return Scope.BINS
    part = re.match(r"\s+(?:of|out\s+of)\b", after, re.IGNORECASE)
    each = re.search(r"\beach\s+bin\s+\w+\s+$", before, re.IGNORECASE)
    if each or re.match(r"\s+(?:\w+\s+){0,3}?(?:in|to)\s+each\s+bin\b", after, re.IGNORECASE):
        return Scope.EACH_BIN
    of_size = re.match(r"[^.;]{0,40}dictionary\s+of\s+(?:\d|[a-z]+\b(?<!the))", after, re.IGNORECASE)
    if _NOT_LISTED.match(after) or (item.kind == "others" and _DICTIONARY.match(" x" + after)):
        return Scope.UNLISTED
    if (not part and not of_size and _DICTIONARY.match(after)) or _DICTIONARY_BEFORE.search(before):
        return Scope.DICTIONARY
    if _ASKED.search(before[-60:]) or _ASKED.search(after[:60]):
        return Scope.ASKED
    return Scope.UNLISTED if _UNLISTED.search(after[:60]) else Scope.LISTED


def is_partial(item: Item, passage: Passage) -> bool:
    """Tell "two of them" and "two further themes" from "two themes", which counts them all."""
    before = passage.masked[: item.start]
    part = re.match(
        r"[\s-]+(?:(?:of|out\s+of)\b|further\b|others?\b|more\b|additional\b|such\b|separate\b|distinct\b|different\b|related\b)",
        passage.masked[item.end :],
        re.IGNORECASE,
    )
    named = re.search(r"\b(?:these|those|the|another|further|other)\s+$", before, re.IGNORECASE)
    named_next = re.match(rf"[\s-]+\w+,\s*[\"“]?{BLOT}", passage.masked[item.end :])
    return bool(part or named or named_next or item.kind != NUMBER)


def says_of_more_than_the_plan(masked: str) -> bool:
    """Tell "the highest of all topics" and "the highest in the reviews" from "the highest"."""
    return _BEYOND_THE_PLAN.search(masked) is not None


def speaks_of_themes(item: Item, passage: Passage) -> bool:
    """Tell "several recurring themes" from "several guests"."""
    return re.match(rf"\s+(?:\w+[\s-]+){{0,3}}?{_THEMES}\b", passage.masked[item.end :], re.IGNORECASE) is not None


def says_only_listed(item: Item, passage: Passage) -> bool:
    """Tell "the only theme released" and "the only one listed"."""
    return _ONLY_LISTED.match(passage.masked, item.start) is not None


def is_public_only(item: Item, passage: Passage, items: Sequence[Item]) -> bool:
    """Tell "only approximate" and "only three themes" from "only A"."""
    if _PUBLIC_ONLY.match(passage.masked, item.start) or _PUBLIC_ONLY.search(
        passage.masked, max(0, item.start - 12), item.end
    ):
        return True
    if not any(each.kind == THEME for each in items) or re.search(
        r"\b(?:support|bin|plan|table|list)\s*$", passage.masked[: item.start], re.IGNORECASE
    ):
        return True
    after = next((each for each in items if each.start >= item.end), None)
    return after is not None and after.kind == NUMBER


def is_public_rule(item: Item, items: Sequence[Item], passage: Passage, plan: SemanticPlan) -> bool:
    """Tell "the bins high, moderate and low are public" and "the high bin starts at 15%" from a claim."""
    if item.kind != BIN or any(each.kind == THEME for each in items):
        return False
    bins = [each for each in items if each.kind == BIN]
    floors = {support_bin.name: support_bin.at_least for support_bin in plan.rules.bins}
    numbers = [each.number for each in items if each.kind == NUMBER and each.number]
    stated = [100 * floors[name] for each in bins for name in each.bins]
    if numbers:
        return all(any(number.rounds(value) for value in stated) for number in numbers)
    talks_of_rules = re.search(
        r"\bbins?\b[^.]*\b(?:public|rule|rules|threshold|thresholds|fixed|assigned)\b|\b(?:public|rules?|vocabulary|names?|terms?|levels?|tiers|scale)\b[^.]*\b(?:bins?|support)\b",
        passage.masked,
        re.IGNORECASE,
    )
    return len({name for each in bins for name in each.bins}) > 1 and bool(talks_of_rules)
