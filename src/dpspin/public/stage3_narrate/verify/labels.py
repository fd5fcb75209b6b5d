"""Find atom labels in a text: by words, so that case, plural and hyphens do not matter and the longest label wins."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.lexicon import neutral_stems, own_stems, public_stems, stem, stems_of
from dpspin.public.stage3_narrate.verify.verdict import Span

MARKER = re.compile(r"\[atom:(0|[1-9]\d*)\]")
# A canonical marker, a word, or one other visible character; a hyphen inside a word only joins its parts.
_TOKEN = re.compile(r"\[atom:(?:0|[1-9]\d*)\]|\w+(?:['’]\w+)*|(?P<joint>(?<=\w)[-‐‑](?=\w))|[^\w\s]")
_NEXT_MARKER = re.compile(r"\s*\[atom:(\d+)\]")
_THEME_BEFORE = re.compile(
    r"(?:^|[.!?:;,(|•>*\n]|(?:^|\n)\s*[-–+]|\b(?:and|or|nor|than|for|both|neither|namely|while|whereas|but|exceeds?|surpasses"
    r"|that\s+of|support\s+of|themes?\s+of|that|trails?|comes?|come|then|next|includes?|including|lists?))\s*$",
    re.IGNORECASE,
)
_THEME_AFTER = re.compile(
    r"\s*(?:(?:also|both|likewise|each)\s+)?(?:[,.;:|)(*]|$|\n|in\s+(?:general|particular)\b|(?:and|or|nor)\s"
    r"|(?:has|have|cannot|can|shares?|ranks?|falls?|stands?|sits?|shows?|reaches|receives|comes?|at|than|trails?|exceeds?)\b"
    r"(?!\s+been\b)|(?:is|are)\s+(?:in|not|ranked|listed|placed|the|also|a|clear|ahead|above|below|behind|one|both|high|low"
    r"|moderate|medium)\b)",
    re.IGNORECASE,
)
_CLAIM_WORDS = stems_of(
    "none not no nor more less higher lower highest lowest than first second third above below apart told together "
    "only most both other others rest each all every any either neither leads lead top equal same tie close these "
    "those it they former latter while but"
)
_SHORT_PLURAL = re.compile(r"(?:in|up|on|off|out|by)s", re.IGNORECASE)
_LEVEL = re.compile(r"\s+/\s+")
_ARTICLES = frozenset({"the", "a", "an", "your", "their"})
_OPENING, _CLOSING = frozenset("“\"‘'«"), frozenset("”\"’'»")


@dataclass(frozen=True, slots=True)
class Token:
    """One word, sign or marker of a text."""

    stem: str
    span: Span


@dataclass(frozen=True, slots=True)
class Label:
    """A label of the dictionary as a sequence of stems.

    ``plain`` labels consist of plan vocabulary only ("support", "high"). Plan language would be full of them, so a
    plain label is a mention only in quotes or before its own marker.
    """

    atom_id: int
    text: str
    stems: tuple[str, ...]
    admitted: bool
    plain: bool


@dataclass(frozen=True, slots=True)
class LabelMention:
    """A place where a label is written out."""

    label: Label
    span: Span


class LabelIndex:
    """All labels a text may mention, by their first word; the longest come first."""

    def __init__(self, labels: Iterable[Label]) -> None:
        index: dict[str, list[Label]] = defaultdict(list)
        labels = tuple(labels)
        for written in (*(spelling for label in labels for spelling in _spellings(label)), *_last_levels(labels)):
            if written.stems:
                index[written.stems[0]].append(written)
        self._by_first_stem = {first: sorted(group, key=_longest_first) for first, group in index.items()}

    def mentions(self, raw: str) -> Iterator[LabelMention]:
        """Yield the label mentions from left to right; they do not overlap."""
        tokens, position = tokens_of(raw), 0
        while position < len(tokens):
            mention = self._mention_at(raw, tokens, position)
            if mention is None:
                position += 1
            else:
                yield mention
                while position < len(tokens) and tokens[position].span[1] <= mention.span[1]:
                    position += 1

    def _mention_at(self, raw: str, tokens: tuple[Token, ...], position: int) -> LabelMention | None:
        best: LabelMention | None = None
        for label in self._by_first_stem.get(tokens[position].stem, ()):
            if best and len(label.stems) < len(best.label.stems):
                break
            end = _end_of(label.stems, tokens, position)
            if end is None:
                continue
            mention = LabelMention(label, (tokens[position].span[0], tokens[end - 1].span[1]))
            if _is_meant(mention, raw) and (best is None or _is_verbatim(mention, raw)):
                best = mention
        return best


def _end_of(stems: tuple[str, ...], tokens: tuple[Token, ...], position: int) -> int | None:
    """Return where a label ends that begins here; an article may stand in it: "during the payment process"."""
    for expected in stems:
        if position < len(tokens) and tokens[position].stem in _ARTICLES and expected != tokens[position].stem:
            position += 1
        if position >= len(tokens) or tokens[position].stem != expected:
            return None
        position += 1
    return position


def _spellings(label: Label) -> Iterator[Label]:
    """Yield the label, and, where a hyphen joins two parts, the label with one word in their place: email, checkin."""
    yield label
    joined = _stems(re.sub(r"(?<=\w)[-‐‑](?=\w)", "", label.text))
    if joined != label.stems:
        yield replace(label, stems=joined)


def _last_levels(labels: tuple[Label, ...]) -> Iterator[Label]:
    """Yield what stands after the first levels of a taxonomy path, where it tells one label from all others."""
    whole = {label.stems for label in labels}
    ends: dict[tuple[str, ...], list[Label]] = defaultdict(list)
    for label in labels:
        levels = _LEVEL.split(label.text)
        for first in range(1, len(levels)):
            stems = _stems(" / ".join(levels[first:]))
            ends[stems].append(replace(label, stems=stems))
    for stems, found in ends.items():
        if len(found) == 1 and len(stems) > 1 and stems not in whole and not is_plain(stems, public_stems()):
            yield found[0]


def index_of(plan: SemanticPlan, atoms: AtomUniverse | None) -> LabelIndex:
    """Index the admitted labels and, where the public dictionary is at hand, the others too."""
    public = public_stems() | own_stems(plan) | _CLAIM_WORDS
    admitted = {entry.atom_id for entry in plan.entries}
    labels = [_label(entry.atom_id, entry.label, public, admitted=True) for entry in plan.entries]
    others = [atom for atom in atoms.atoms if atom.id not in admitted] if atoms else []
    return LabelIndex([*labels, *(_label(atom.id, atom.label, public, admitted=False) for atom in others)])


def tokens_of(text: str) -> tuple[Token, ...]:
    """Cut a text into comparable pieces.

    >>> [token.stem for token in tokens_of("Check-in / long Waits [atom:17]")]
    ['check', 'in', '/', 'long', 'wait', '[atom:17]']
    """
    joined, tokens = False, list[Token]()
    for match in _TOKEN.finditer(text):
        if match["joint"] is None:
            tokens.append(Token(_comparable(match[0], joined=joined), match.span()))
        joined = match["joint"] is not None
    return tuple(tokens)


def _comparable(piece: str, *, joined: bool) -> str:
    """Forget the plural also of a short word after a hyphen: check-ins are check-in."""
    if piece == "&":
        return "and"
    return piece[:-1].casefold() if joined and _SHORT_PLURAL.fullmatch(piece) else stem(piece)


def is_plain(stems: tuple[str, ...], public: frozenset[str]) -> bool:
    """Tell whether a label consists of plan vocabulary, digits and signs only."""
    return all(stem in public for stem in stems if stem[0].isalpha())


@lru_cache(maxsize=100_000)  # as many labels as a dictionary may hold: a batch of texts cuts each label once
def _stems(label: str) -> tuple[str, ...]:
    return tuple(token.stem for token in tokens_of(label))


def _label(atom_id: int, text: str, public: frozenset[str], *, admitted: bool) -> Label:
    stems = _stems(text)
    return Label(atom_id, text, stems, admitted, is_plain(stems, public))


def _longest_first(label: Label) -> tuple[int, bool]:
    return -len(label.stems), not label.admitted


def _is_verbatim(mention: LabelMention, raw: str) -> bool:
    return raw[slice(*mention.span)].casefold() == mention.label.text.casefold()


def _is_meant(mention: LabelMention, raw: str) -> bool:
    if not mention.label.plain or _is_quoted(mention.span, raw) or _is_marked(mention, raw):
        return True
    letters = {stem for stem in mention.label.stems if stem[0].isalpha()}
    return bool(letters & (public_stems() - neutral_stems())) and _stands_as_a_theme(mention.span, raw)


def _stands_as_a_theme(span: Span, raw: str) -> bool:
    """Tell the theme "noise" from the noise: a theme stands in a list, or begins a clause and has support."""
    return _THEME_BEFORE.search(raw[: span[0]]) is not None and _THEME_AFTER.match(raw, span[1]) is not None


def _is_quoted(span: Span, raw: str) -> bool:
    return raw[max(0, span[0] - 1) : span[0]] in _OPENING and raw[span[1] : span[1] + 1] in _CLOSING


def _is_marked(mention: LabelMention, raw: str) -> bool:
    following = _NEXT_MARKER.match(raw, mention.span[1])
    return following is not None and int(following[1]) == mention.label.atom_id
