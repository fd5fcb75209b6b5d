"""Texts to measure on: generated from a seed and public word frequencies, or read from a file and not kept."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from wordfreq import top_n_list, word_frequency

from dpspin.boundary.atoms import Atom, AtomUniverse, Provenance

SEED = 20_240_229
WORDS = 60_000
WORDS_PER_RECORD = 76  # the median; about 570 bytes on average
PLANTED = 0.5  # records that hold an atom's phrase
NON_ASCII = 0.1
PHRASE_WORDS = range(5, 15)
LONGEST_LABEL = 300
AUXILIARY_RECORDS = 10_000  # of a real file: atoms come from its last records, and those are not scored
ENDS = (" ", " ", " ", " ", " ", " ", ", ", ". ", "! ", " - ")
ACCENTS = str.maketrans({"e": "é", "o": "ö", "'": "\N{RIGHT SINGLE QUOTATION MARK}", "-": "\N{EM DASH}"})
FOREIGN = ("Żółć", "Straße", "МОСКВА", "Ünal", "東京", "naïve", "\N{PILE OF POO}", "\N{KELVIN SIGN}elvin")


@dataclass(frozen=True, slots=True)
class Corpus:
    name: str
    texts: pa.LargeStringArray = field(repr=False)
    phrases: tuple[str, ...] = field(repr=False)  # candidates for atoms, more than enough

    @property
    def non_ascii(self) -> float:
        return float(np.mean([not text.isascii() for text in self.texts.to_pylist() if text]))

    def universe(self, size: int) -> AtomUniverse:
        labels = list({phrase.casefold(): phrase for phrase in self.phrases}.values())[:size]
        return AtomUniverse(
            name=self.name,
            version="1",
            provenance=Provenance(source="handwritten", note="phrases for a speed measurement"),
            atoms=tuple(Atom(id=index, label=label) for index, label in enumerate(labels)),
        )


def generated(records: int, seed: int = SEED) -> Corpus:
    """Draw words by their frequency in English, plant phrases, and write one record in ten with other letters."""
    rng = np.random.default_rng(seed)  # noqa: TID251  no noise: a corpus that is the same everywhere
    words = np.array(top_n_list("en", WORDS), dtype=object)
    shares = np.array([word_frequency(word, "en") for word in words])
    shares /= shares.sum()
    phrases = [" ".join(rng.choice(words, size, p=shares)) for size in rng.choice(PHRASE_WORDS, 4_000)]
    lengths = np.maximum(rng.lognormal(np.log(WORDS_PER_RECORD), 0.6, records).astype(int), 1)
    drawn = np.split(rng.choice(words, lengths.sum(), p=shares), np.cumsum(lengths)[:-1])
    texts = [_written(rng, list(tokens), phrases) for tokens in drawn]
    return Corpus("generated", pa.array(texts, pa.large_string()), tuple(phrases))


def from_parquet(path: Path, column: str, records: int) -> Corpus:
    """Score the first records of a file; atoms are short sentences of its last ones."""
    texts = pq.read_table(path, columns=[column])[column].combine_chunks().cast(pa.large_string())
    auxiliary = texts.slice(max(0, len(texts) - AUXILIARY_RECORDS)).to_pylist()
    sentences = (re.sub(r"\s+", " ", part).strip() for text in auxiliary for part in re.split(r"[.!?\n]+", text or ""))
    fitting = [line for line in sentences if _is_label(line)]
    order = np.random.default_rng(SEED).permutation(len(fitting))  # noqa: TID251
    count = min(records, max(0, len(texts) - AUXILIARY_RECORDS))
    return Corpus(path.stem, texts.slice(0, count), tuple(fitting[index] for index in order))


def _is_label(line: str) -> bool:
    return len(line.split()) in PHRASE_WORDS and len(line) <= LONGEST_LABEL and line.isprintable()


def _written(rng: np.random.Generator, tokens: list[str], phrases: list[str]) -> str:  # noqa: TID251
    if rng.random() < PLANTED:
        tokens.insert(int(rng.integers(len(tokens) + 1)), phrases[int(rng.integers(len(phrases)))])
    marks = rng.choice(ENDS, len(tokens))
    text = "".join(token + mark for token, mark in zip(tokens, marks, strict=True))
    text = re.sub(r"(?:^|[.!] )\w", lambda start: start[0].upper(), text)
    if rng.random() >= NON_ASCII:
        return text.encode("ascii", "ignore").decode()
    return text.translate(ACCENTS) + FOREIGN[int(rng.integers(len(FOREIGN)))]
