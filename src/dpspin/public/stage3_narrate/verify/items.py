"""A sentence as a row of items: themes, numbers, bins, claim phrases, signs and plain words, each with its place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.bins import bin_pattern, bin_words
from dpspin.public.stage3_narrate.verify.lexicon import (
    WORD,
    neutral_stems,
    people_stems,
    phrases,
    record_stems,
    stem,
    stems_of,
)
from dpspin.public.stage3_narrate.verify.passages import BLOT, Passage
from dpspin.public.stage3_narrate.verify.quantities import Quantity, quantities_of

THEME, NUMBER, BIN, WORDS, SIGN = "theme", "number", "bin", "word", "sign"
_SIGN = re.compile(r"->|=>|→|[,;:()\[\]|>–—=]|(?<=\s)-(?=\s)")
_ARROWS = frozenset({"->", "=>", "→"})
_THE_WORD = re.compile(r"\bwords?\s+[\"“‘']$", re.IGNORECASE)
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip
_CARDINALS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_PLACES = {word: place for words in (_ORDINALS, _CARDINALS) for place, word in enumerate(words, start=1)}


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of a sentence; ``start`` and ``end`` are positions in the sentence's own text."""

    kind: str
    start: int
    end: int
    text: str
    atoms: tuple[int, ...] = ()  # of a theme
    bins: frozenset[str] = frozenset()  # of a bin
    number: Quantity | None = None  # of a number
    place: int | None = None  # of a rank, or how many a reference speaks of
    upto: int | None = None  # the last of a range of ranks


def items_of(sentence: Passage, plan: SemanticPlan) -> tuple[Item, ...]:
    """Cut a sentence into items; every letter and digit belongs to exactly one."""
    taken = [False] * len(sentence.masked)
    found = list(_themes(sentence))
    for start, end in (
        *((item.start, item.end) for item in found),
        *_descriptions(sentence, plan),
        *_titles(sentence, plan),
    ):
        taken[start:end] = [True] * (end - start)
    for item in _claims(sentence, plan):
        if not any(taken[item.start : item.end]):
            taken[item.start : item.end] = [True] * (item.end - item.start)
            found.append(item)
    for match in (*_SIGN.finditer(sentence.masked), *WORD.finditer(sentence.masked)):
        if not any(taken[slice(*match.span())]):
            kind = SIGN if match.re is _SIGN else WORDS
            found.append(Item(kind, *match.span(), ":" if match[0] in _ARROWS else match[0].casefold()))
    return tuple(sorted(found, key=lambda item: item.start))


def _descriptions(sentence: Passage, plan: SemanticPlan) -> Iterator[tuple[int, int]]:
    """Yield where the sentence repeats the public description of a theme it names, which claims nothing more."""
    words = sentence.text.casefold()
    for entry in plan.entries:
        gloss = entry.description.strip().rstrip(".").casefold()
        if gloss and entry.atom_id in sentence.atom_ids and (start := words.find(gloss)) >= 0:
            yield start, start + len(gloss)


def _titles(sentence: Passage, plan: SemanticPlan) -> Iterator[tuple[int, int]]:
    """Yield where the sentence names the plan by words of its title, and nobody in it: "second-quarter complaints"."""
    words, people = stems_of(plan.title), people_stems() - record_stems()
    run: list[re.Match[str]] = []
    for match in (*WORD.finditer(sentence.masked), None):
        near = match is not None and (not run or len(sentence.masked[run[-1].end() : match.start()].strip(" -")) == 0)
        if match is not None and stem(match[0]) in words and near:
            run.append(match)
            continue
        if len(run) > 1 and stem(run[-1][0]) not in people and not neutral_stems().issuperset(stem(w[0]) for w in run):
            yield run[0].start(), run[-1].end()
        run = [match] if match is not None and stem(match[0]) in words else []


def _themes(sentence: Passage) -> Iterator[Item]:
    for reference in sentence.references:
        start, end = (position - sentence.start for position in reference.span)
        yield Item(THEME, start, end, sentence.text[start:end], atoms=(reference.atom_id,))


def _claims(sentence: Passage, plan: SemanticPlan) -> Iterator[Item]:
    """Yield claim phrases in the order in which they win over one another: bins first, then phrases, then numbers."""
    words = bin_words(plan)
    patterns = _patterns()
    for kind in ("baseline_above", "baseline_below"):
        yield from _matches(kind, patterns[kind], sentence)
    for match in bin_pattern(plan).finditer(sentence.masked):
        if _THE_WORD.search(sentence.masked, 0, match.start()):
            continue  # the word "high" in a label
        yield Item(
            BIN, *match.span(), match[0].casefold(), bins=frozenset({words[" ".join(match["name"].casefold().split())]})
        )
    for kind, pattern in patterns.items():
        yield from _matches(kind, pattern, sentence)
    for quantity in quantities_of(sentence):
        yield Item(
            NUMBER, quantity.start, quantity.end, sentence.masked[quantity.start : quantity.end], number=quantity
        )


def _matches(kind: str, pattern: re.Pattern[str], sentence: Passage) -> Iterator[Item]:
    for match in pattern.finditer(sentence.masked):
        upto = next(
            (_number(value) for name, value in match.groupdict().items() if name.startswith("high") and value), None
        )
        yield Item(kind, *match.span(), match[0].casefold(), place=_place(match), upto=upto)


def _place(match: re.Match[str]) -> int | None:
    groups = match.groupdict()
    written = next((value.casefold() for value in groups.values() if value), None)
    if written is None:
        return None
    return _number(written)


def _number(written: str) -> int | None:
    if digits := re.match(r"\d+", written):
        return int(digits[0])
    return _PLACES.get(written.casefold())


@lru_cache(maxsize=1)
def _patterns() -> dict[str, re.Pattern[str]]:
    known = phrases()
    return {kind: _compiled(each, known["shorthand"]) for kind, each in known["patterns"].items()}


def _compiled(alternatives: list[str], shorthand: dict[str, str]) -> re.Pattern[str]:
    """Compile one kind; a name may occur in several alternatives, so its groups are numbered apart."""
    parts = [_expanded(each, shorthand) for each in alternatives]
    numbered = [re.sub(r"\(\?P<(\w+)>", rf"(?P<\g<1>{index}>", part) for index, part in enumerate(parts)]
    return re.compile(rf"(?<![\w{BLOT}])(?:{'|'.join(numbered)})(?![\w{BLOT}])", re.IGNORECASE)


def _expanded(pattern: str, shorthand: dict[str, str]) -> str:
    for name in ("SOFTLY", "KNOWN", "THEMES", "COUNT", "NOISE"):
        pattern = pattern.replace(name, shorthand[name])
    return pattern.replace(" ", r"[\s-]+").replace("X", rf"[\"“‘'*(]*{BLOT}")
