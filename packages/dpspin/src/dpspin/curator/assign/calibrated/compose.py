"""Records composed of the dictionary's own sentences: something to calibrate on where nothing is labelled."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dpspin.curator.assign.calibrated.examples import Schoolbook
from dpspin.curator.assign.contribution import Floats

STEP = 7919  # a prime: walks through the sentences in an order that looks like no order, the same everywhere
EVERY_SECOND_THEME = 4  # one record in so many has two themes
EVERY_BACKGROUND = 8  # and for so many records there is one without any
PADDING = (1, 0, 2, 1, 3)  # sentences of no theme in a record


@dataclass(frozen=True)
class Composed:
    """Texts as people write them: a theme or two among sentences of no theme."""

    texts: tuple[str, ...] = field(repr=False)
    shares: Floats = field(repr=False)  # over the atoms and "none of these"


def compose(book: Schoolbook, rows: Sequence[int]) -> Composed:
    """Compose records from the given sentences of the dictionary, each example once as the first theme."""
    themes = [row for row in rows if book.example[row] and not book.background[row]]
    fillers = [row for row in rows if book.background[row]]
    records = [_record(place, themes, fillers) for place in range(len(themes))]
    if fillers:
        records += [_walk(fillers, place, 1 + place % 3) for place in range(0, len(themes), EVERY_BACKGROUND)]
    texts = tuple(" ".join(_as_sentence(book.texts[row]) for row in record) for record in records)
    return Composed(texts, np.array([_shares(book, record) for record in records]))


def _record(place: int, themes: Sequence[int], fillers: Sequence[int]) -> list[int]:
    chosen = [themes[place]]
    if place % EVERY_SECOND_THEME == 0:
        chosen += _walk(themes, place + 1, 1)
    return chosen + _walk(fillers, place, PADDING[place % len(PADDING)])


def _walk(rows: Sequence[int], start: int, count: int) -> list[int]:
    return [rows[(start + step) * STEP % len(rows)] for step in range(count)] if rows else []


def _as_sentence(text: str) -> str:
    return text if text[-1:] in ".!?" else f"{text}."


def _shares(book: Schoolbook, record: Sequence[int]) -> Floats:
    flags = book.expresses[list(record)].any(axis=0).astype(np.float64)
    total = flags.sum()
    return np.append(flags / total, 0.0) if total else np.append(flags, 1.0)
