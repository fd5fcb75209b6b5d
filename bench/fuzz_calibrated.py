"""Are the compiled stages of a calibrated map equal to its sources? `python bench/fuzz_calibrated.py --texts 50000`."""

import argparse
import sys
import time

import numpy as np
import pyarrow as pa
from hybrid import ticket_map

from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.demo.synthetic import generate_tickets, ticket_pack

GLUE = (
    " ", " ", " ", " ", " ", "  ", ", ", ". ", ".", "! ", "!", "? ", "; ", ";", "\n", "\r\n", " \n\n ", "\t", "\x1c",
    "<br />", "<br>", "<br", "<br / >", "<BR/>", "'", "''", "_", "-", "", "\x00", "\x7f", "...", ".' ", "/", "5", "12",
)  # fmt: skip
BEYOND = (
    "\u2019",
    "\u2014",
    "\u00a0",
    "\u2026",
    "\u201c",
    "\U0001f389",
    "\u0301",
    "\u2003",
    "é",
    "ß",
    "İ",
    "Σ",
    "東",
    "²",
)
COURTESIES = ("Thanks", "thank you", "Dear Sir", "hello", "best regards", "can't", "thanks'n", "hi5")
NEGATIONS = ("no", "not", "never", "isn't", "didn't", "don\u2019t", "n't", "cannot", "hardly")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--texts", type=int, default=50_000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    started = time.perf_counter()
    fitted, texts = ticket_map(), strange_texts(chosen.texts, chosen.seed)
    column = pa.array(texts, pa.large_string())
    compare(fitted, column, chosen.seed)
    ascii_only = sum(text is not None and text.isascii() for text in texts)
    seconds = time.perf_counter() - started
    print(f"{len(texts):,} texts ({ascii_only:,} of ASCII), seed {chosen.seed}: no difference ({seconds:.0f} s)")


def compare(fitted: CalibratedMap, column: pa.LargeStringArray, seed: int) -> None:
    expected, got = fitted.reference(column), fitted(column)
    for name in ("offsets", "atoms", "ticks"):
        if not np.array_equal(getattr(expected, name), getattr(got, name)):
            sys.exit(f"seed {seed}: {name} differ")


def strange_texts(count: int, seed: int) -> list[str | None]:
    """Mix words of the dictionary and of tickets in any case, halves of words, courtesies, negations and odd marks."""
    rng = np.random.default_rng(seed)  # noqa: TID251
    phrases = [text for atom in ticket_pack().atoms for text in (*atom.cues, *atom.examples)]
    tickets = generate_tickets(500, seed).records["text"].to_pylist()
    words = sorted({word for text in (*phrases, *tickets) for word in text.split()})
    return [_strange(rng, words, phrases) for _ in range(count)]


def _strange(rng: np.random.Generator, words: list[str], phrases: list[str]) -> str | None:  # noqa: TID251
    kind = rng.random()
    if kind < 0.01:
        return None
    size = int(rng.integers(2_000)) if kind < 0.012 else int(rng.integers(0, 50))
    beyond = rng.random() < 0.25
    parts = [
        _word(rng, words, phrases) + _pick(rng, BEYOND if beyond and rng.random() < 0.1 else GLUE) for _ in range(size)
    ]
    text = "".join(parts)
    return text * 40 if 0.012 <= kind < 0.015 else text


def _word(rng: np.random.Generator, words: list[str], phrases: list[str]) -> str:  # noqa: TID251
    kind = rng.random()
    if kind < 0.04:
        return _pick(rng, phrases)
    if kind < 0.08:
        return _pick(rng, NEGATIONS if rng.random() < 0.7 else COURTESIES)
    word = _pick(rng, words)
    if kind < 0.2:
        word = _pick(rng, (word.upper(), word.title(), word.lower()))
    if kind < 0.12:
        place = int(rng.integers(len(word) + 1))
        return word[:place] + chr(int(rng.integers(0x80))) + word[place:]
    return word[: int(rng.integers(1, len(word) + 1))] if kind < 0.25 else word


def _pick(rng: np.random.Generator, choices: tuple[str, ...] | list[str]) -> str:  # noqa: TID251
    return choices[int(rng.integers(len(choices)))]


if __name__ == "__main__":
    main()
