"""Are the compiled stages of a calibrated map equal to its sources? `python bench/fuzz_calibrated.py --texts 50000`."""

import argparse
import sys
import time
import unicodedata
from dataclasses import replace

import numpy as np
import pyarrow as pa
from hybrid import pack_map

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.assign.calibrated_map import CalibratedMap, by_reference, fastest
from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.assign.kernels.kernel_arrays import Batch
from dpspin.demo.synthetic import generate_tickets, ticket_pack

GLUE = (
    " ", " ", " ", " ", " ", "  ", ", ", ". ", ".", "! ", "!", "? ", "; ", ";", "\n", "\r\n", " \n\n ", "\t", "\x1c",
    "<br />", "<br>", "<br", "<br / >", "<BR/>", "'", "''", "_", "-", "", "\x00", "\x7f", "...", ".' ", "/", "5", "12",
)  # fmt: skip
BEYOND = (
    "\u2019", "\u2019", "\u2018", "\u2014", "\u00a0", "\u2026", "\u201c", "\U0001f389", "\u0301", "\u2003", "\u0085",
    "\u2028", "\u200b", "\u200d", "\ufeff", "\ufffd", "\U0001f469\u200d\U0001f373", "\U0001f1ee\U0001f1f3",
    "\U000e0067", "é", "ß", "ẞ", "İ", "I\u0307", "ı", "Σ", "σ", "ς", "ΟΔΟΣ.", "ΑΣ\u0301", "\u212a", "\u212b", "\u01c5",
    "\ufb01", "東", "東京。", "안녕", "नमस्ते", "שלום", "مرحبا", "สวัสดี", "Привет", "ไม่", "²", "٣", "५", "\uff13",
    "\u2167", "½",
)  # fmt: skip
COURTESIES = ("Thanks", "thank you", "Dear Sir", "hello", "best regards", "can't", "thanks'n", "hi5", "İ", "thanks٣")
NEGATIONS = ("no", "not", "never", "isn't", "didn't", "don\u2019t", "n't", "cannot", "hardly")
OTHER_LETTERS = str.maketrans(  # so that words of a dictionary have letters of their own, sigmas and digits among them
    {"e": "é", "a": "а", "o": "ö", "r": "р", "k": "к", "u": "ü", "h": "東", "q": "σ", "z": "ς", "5": "٥", "x": "²"}
)
TOPS = (0x80, 0x250, 0x600, 0x3000, 0x10000, 0x20000, 0x110000)  # of the code points that are drawn
Rng = np.random.Generator  # noqa: TID251


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--texts", type=int, default=50_000, help="for each of two dictionaries")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    for name, universe in (("ASCII", ticket_pack()), ("other letters", in_other_letters(ticket_pack()))):
        started = time.perf_counter()
        fitted, texts = pack_map(universe), strange_texts(chosen.texts, chosen.seed, universe)
        column = pa.array(texts, pa.large_string())
        compare(fitted, column, chosen.seed)
        ascii_only = sum(text is not None and text.isascii() for text in texts)
        seconds = time.perf_counter() - started
        print(
            f"{len(texts):,} texts ({ascii_only:,} of ASCII, {left_to_the_reference(fitted, column):,} by fallback), "
            f"seed {chosen.seed}, a dictionary of {name}: no difference ({seconds:.0f} s)",
            flush=True,
        )


def compare(fitted: CalibratedMap, column: pa.LargeStringArray, seed: int) -> None:
    """Compare with the reference, in the same order and in another, in other batches and on several threads."""
    expected, got = fitted.reference(column), fitted(column)
    if not np.array_equal(fastest(fitted.sources)(column).familiar, by_reference(fitted.sources, column).familiar):
        sys.exit(f"seed {seed}: what is familiar differs")
    for name in ("offsets", "atoms", "ticks"):
        if not np.array_equal(getattr(expected, name), getattr(got, name)):
            sys.exit(f"seed {seed}: {name} differ")
    order = np.random.default_rng(seed).permutation(len(column))  # noqa: TID251
    shuffled = replace(fitted, threads=3)(column.take(pa.array(order)))
    one, other = _rows(expected), _rows(shuffled)
    if [one[place] for place in order] != other:
        sys.exit(f"seed {seed}: some record is mapped in another way among other records")


def _rows(given: Contributions) -> list[tuple[bytes, bytes]]:
    spans = zip(given.offsets[:-1], given.offsets[1:], strict=True)
    return [(given.atoms[first:last].tobytes(), given.ticks[first:last].tobytes()) for first, last in spans]


def left_to_the_reference(fitted: CalibratedMap, column: pa.LargeStringArray) -> int:
    """Count the texts that the compiled stages do not read: there, equality proves nothing."""
    unread = [layered(Batch.of(column))[1] for layered in fastest(fitted.sources).compiled]
    return int(np.any(unread, axis=0).sum())


def in_other_letters(universe: AtomUniverse) -> AtomUniverse:
    """Return a dictionary of which most words have letters beyond ASCII."""
    told = ("label", "cues", "examples", "counter_examples")
    return AtomUniverse(
        name="other letters",
        version="1",
        provenance=universe.provenance,
        atoms=tuple(
            atom.model_copy(update={name: _other(getattr(atom, name)) for name in told}) for atom in universe.atoms
        ),
        background=_other(universe.background),
    )


def _other(texts: str | tuple[str, ...]) -> str | tuple[str, ...]:
    return texts.translate(OTHER_LETTERS) if isinstance(texts, str) else tuple(map(_other, texts))


def strange_texts(count: int, seed: int, universe: AtomUniverse) -> list[str | None]:
    """Mix words of the dictionary and of tickets in any case, halves of words, courtesies, negations and odd marks."""
    rng = np.random.default_rng(seed)  # noqa: TID251
    phrases = [text for atom in universe.atoms for text in (*atom.cues, *atom.examples)]
    tickets = generate_tickets(500, seed).records["text"].to_pylist()
    words = sorted({word for text in (*phrases, *tickets) for word in text.split()})
    return [_strange(rng, words, phrases) for _ in range(count)]


def _strange(rng: Rng, words: list[str], phrases: list[str]) -> str | None:
    kind = rng.random()
    if kind < 0.01:
        return None
    size = int(rng.integers(2_000)) if kind < 0.012 else int(rng.integers(0, 50))
    beyond = rng.random() < 0.75
    text = "".join(
        _word(rng, words, phrases, beyond=beyond) + _pick(rng, BEYOND if beyond and rng.random() < 0.1 else GLUE)
        for _ in range(size)
    )
    if beyond and rng.random() < 0.1:
        text = unicodedata.normalize("NFD", text)
    return text * 40 if 0.012 <= kind < 0.015 else text


def _word(rng: Rng, words: list[str], phrases: list[str], *, beyond: bool) -> str:
    kind = rng.random()
    if kind < 0.04:
        return _pick(rng, phrases)
    if kind < 0.08:
        return _pick(rng, NEGATIONS if rng.random() < 0.7 else COURTESIES)
    word = _pick(rng, words)
    if kind < 0.2:
        word = _pick(rng, (word.upper(), word.title(), word.lower()))
    if kind < 0.14:
        place = int(rng.integers(len(word) + 1))
        return word[:place] + _any_character(rng, TOPS if beyond else TOPS[:1]) + word[place:]
    return word[: int(rng.integers(1, len(word) + 1))] if kind < 0.25 else word


def _any_character(rng: Rng, tops: tuple[int, ...]) -> str:
    point = int(rng.integers(tops[int(rng.integers(len(tops)))]))
    return "?" if 0xD800 <= point < 0xE000 else chr(point)


def _pick(rng: Rng, choices: tuple[str, ...] | list[str]) -> str:
    return choices[int(rng.integers(len(choices)))]


if __name__ == "__main__":
    main()
