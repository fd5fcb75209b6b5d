"""A candidate text, parsed once: sentences, markers, label mentions, and the masked text in which claims are sought."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.labels import MARKER, LabelMention, index_of
from dpspin.public.stage3_narrate.verify.passages import BLOT, Passage, Reference, sentences_of
from dpspin.public.stage3_narrate.verify.uncovered import NONE, NoneMention, none_mentions
from dpspin.public.stage3_narrate.verify.verdict import Span

# What may stand between a label and its marker: closing signs and at most two words, as in "long wait time [atom:17]".
_EMPHASIS = re.compile(r"(?<=[^\W_])[*_`]+|[*_`]+(?=[^\W_])")  # **high** is the word high
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
class Text:
    """Everything the checks look at."""

    raw: str
    mode: Mode
    whole: Passage
    sentences: tuple[Passage, ...]
    markers: tuple[Marker, ...]
    mentions: tuple[Mention, ...]
    nones: tuple[NoneMention, ...]


def parse(raw: str, plan: SemanticPlan, mode: Mode, atoms: AtomUniverse | None = None) -> Text:
    """Parse a candidate; ``atoms`` (the public dictionary) makes labels outside the plan visible too."""
    found = tuple(index_of(plan, atoms).mentions(raw))
    markers = tuple(_markers_outside(raw, found))
    mentions = tuple(_with_marker(mention, raw, markers) for mention in found)
    nones = tuple(none_mentions(raw, [mention.span for mention in found]))
    masked = _mask(raw, [*(m.span for m in mentions), *(m.span for m in markers), *(none.span for none in nones)])
    whole = Passage(0, raw, masked, tuple(_references(mentions, markers, nones)))
    return Text(raw, mode, whole, tuple(sentences_of(whole)), markers, mentions, nones)


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
