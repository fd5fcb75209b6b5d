"""A candidate text, read once: its passages, markers and mentions, and all that each passage says."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.discourse import Discourse
from dpspin.public.stage3_narrate.verify.items import WORDS, Item, items_of
from dpspin.public.stage3_narrate.verify.labels import MARKER, LabelMention, index_of
from dpspin.public.stage3_narrate.verify.paraphrases import paraphrases_of
from dpspin.public.stage3_narrate.verify.passages import BLOT, Passage, Reference, Role, sentences_of
from dpspin.public.stage3_narrate.verify.reading.reader import is_question, read_passage
from dpspin.public.stage3_narrate.verify.reading.state import Reading
from dpspin.public.stage3_narrate.verify.reading.waiting import Waiting
from dpspin.public.stage3_narrate.verify.statements import Statement, Unexplained
from dpspin.public.stage3_narrate.verify.tables import read_row
from dpspin.public.stage3_narrate.verify.uncovered import NONE, NoneMention, none_mentions
from dpspin.public.stage3_narrate.verify.verdict import Span

_EMPHASIS = re.compile(r"(?<=[^\W_])[*_`]+|[*_`]+(?=[^\W_])|[*_`]{2,}")  # **high** is the word high
# What may stand between a label and its marker: closing signs and at most two words, as in "long wait time [atom:17]".
_GAP = re.compile(r"[\"”’'*_`)]*\s*(?:[^\W\d_]+\s+){0,2}[(*_]?")


@dataclass(frozen=True, slots=True)
class Marker:
    """A canonical reference ``[atom:j]``."""

    atom_id: int
    span: Span


@dataclass(frozen=True, slots=True)
class Mention:
    """A label written out, with the marker attached to it, if any.

    ``touching`` says that no word stands between the two.
    """

    atom_id: int
    label: str
    admitted: bool
    span: Span
    marker: Marker | None
    touching: bool


@dataclass(frozen=True, slots=True)
class Read:
    """A passage, its items, what it says, and the themes it speaks of without naming them."""

    passage: Passage
    items: tuple[Item, ...]
    statements: tuple[Statement, ...]
    about: tuple[int, ...]
    listed_without_a_name: bool = False  # an item of a list of themes that names none


@dataclass(frozen=True, slots=True)
class Text:
    """Everything the checks look at."""

    raw: str
    mode: Mode
    whole: Passage
    reads: tuple[Read, ...]
    markers: tuple[Marker, ...]
    mentions: tuple[Mention, ...]
    nones: tuple[NoneMention, ...]

    @property
    def sentences(self) -> tuple[Passage, ...]:
        """The passages in the order of the text."""
        return tuple(read.passage for read in self.reads)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All that the text says."""
        return tuple(statement for read in self.reads for statement in read.statements)


def parse(raw: str, plan: SemanticPlan, mode: Mode, atoms: AtomUniverse | None = None) -> Text:
    """Read a candidate; ``atoms`` (the public dictionary) makes labels outside the plan visible too."""
    glosses = list(_descriptions(raw, plan))
    found = tuple(mention for mention in index_of(plan, atoms).mentions(raw) if not _inside_another(mention, glosses))
    markers = tuple(_markers_outside(raw, found))
    mentions = tuple(_with_marker(mention, raw, markers) for mention in found)
    nones = tuple(none_mentions(raw, [mention.span for mention in found]))
    taken = [*(m.span for m in mentions), *(m.span for m in markers), *(none.span for none in nones)]
    said = tuple(paraphrases_of(raw, plan, taken)) if mode is Mode.DISPLAY else ()
    masked = _mask(raw, [*taken, *(paraphrase.span for paraphrase in said)])
    spoken = [Reference(paraphrase.atom_id, paraphrase.span) for paraphrase in said]
    whole = Passage(0, raw, masked, tuple(sorted([*_references(mentions, markers, nones), *spoken], key=_place)))
    return Text(raw, mode, whole, tuple(_reads(whole, plan)), markers, mentions, nones)


def _reads(whole: Passage, plan: SemanticPlan) -> Iterator[Read]:
    discourse = Discourse(tuple(entry.atom_id for entry in plan.entries))
    heading: Waiting | None = None
    held: tuple[Read, Waiting] | None = None  # "**Also high.**", until the sentence that it heads
    for passage in sentences_of(whole):
        items = items_of(passage, plan)
        if passage.role is Role.ROW:
            yield Read(passage, items, tuple(read_row(passage, plan, discourse)), ())
            continue
        asked = held is not None and is_question(held[0].passage)
        headed = asked or (held is not None and "\n" not in whole.text[held[0].passage.span[1] : passage.start])
        governing = held[1] if held and headed else heading if passage.role is Role.BULLET else None
        reading = read_passage(passage, items, plan, discourse, governing)
        if held:
            yield held[0] if asked or (headed and reading.here) else _with_unexplained(*held)
            held = None
        read = _read(reading, governing)
        if reading.heading is not None and reading.heading is not governing and passage.role is not Role.HEADING:
            held = (read, reading.heading)
            continue
        yield read
        if passage.role is not Role.BULLET:
            heading = reading.heading if passage.role is Role.HEADING else None
    if held:
        yield held[0] if is_question(held[0].passage) else _with_unexplained(*held)


def _read(reading: Reading, governing: Waiting | None) -> Read:
    about = tuple(dict.fromkeys((*reading.here, *reading.subject)))
    words = any(item.kind == WORDS for item in reading.items)
    nameless = reading.passage.role is Role.BULLET and governing is not None and not about and words
    return Read(reading.passage, reading.items, tuple(reading.statements), about, nameless)


def _with_unexplained(read: Read, waiting: Waiting) -> Read:
    """Say of a lead-in that nothing follows which it could head."""
    start = read.passage.start
    lost = Unexplained((start + waiting.item.start, start + waiting.item.end), waiting.item.kind, waiting.item.text)
    return replace(read, statements=(*read.statements, lost))


def _descriptions(raw: str, plan: SemanticPlan) -> Iterator[tuple[int, Span]]:
    """Yield where a text repeats the public description of an admitted theme, with the theme."""
    words = raw.casefold()
    for entry in plan.entries:
        gloss = entry.description.strip().rstrip(".").casefold()
        start = words.find(gloss) if len(gloss.split()) > 1 else -1
        while start >= 0:
            yield entry.atom_id, (start, start + len(gloss))
            start = words.find(gloss, start + 1)


def _inside_another(mention: LabelMention, glosses: list[tuple[int, Span]]) -> bool:
    """Tell the room in "food and drink brought to the room" from the theme "room"."""
    return any(
        atom_id != mention.label.atom_id and low <= mention.span[0] and mention.span[1] <= high
        for atom_id, (low, high) in glosses
    )


def _place(reference: Reference) -> Span:
    return reference.span


def _markers_outside(raw: str, found: tuple[LabelMention, ...]) -> Iterator[Marker]:
    for match in MARKER.finditer(raw):
        if not any(mention.span[0] <= match.start() < mention.span[1] for mention in found):
            yield Marker(int(match[1]), match.span())


def _with_marker(found: LabelMention, raw: str, markers: tuple[Marker, ...]) -> Mention:
    marker = next((marker for marker in markers if marker.span[0] >= found.span[1]), None)
    gap = raw[found.span[1] : marker.span[0]] if marker else ""
    if not _GAP.fullmatch(gap):
        marker = None
    label, touching = found.label, not any(character.isalnum() for character in gap)
    return Mention(label.atom_id, label.text, label.admitted, found.span, marker, touching)


def _references(
    mentions: tuple[Mention, ...], markers: tuple[Marker, ...], nones: tuple[NoneMention, ...]
) -> list[Reference]:
    attached = {m.marker.span for m in mentions if m.marker and m.marker.atom_id == m.atom_id}
    alone = [Reference(marker.atom_id, marker.span) for marker in markers if marker.span not in attached]
    spoken = [*(Reference(m.atom_id, m.span) for m in mentions), *(Reference(NONE, none.span) for none in nones)]
    return sorted([*spoken, *alone], key=lambda r: r.span)


def _mask(raw: str, spans: list[Span]) -> str:
    characters = list(_EMPHASIS.sub(lambda marks: " " * len(marks[0]), raw))
    for start, end in spans:
        characters[start:end] = BLOT * (end - start)
    return "".join(characters)
