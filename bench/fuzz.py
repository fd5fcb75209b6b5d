"""Is the kernel equal to the reference on strange texts? `python bench/fuzz.py --texts 50000 --seed 1`."""

import argparse
import sys
import time

import numpy as np
import pyarrow as pa
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from dpspin.boundary.atoms import Atom, AtomUniverse, Provenance
from dpspin.curator.assign.kernels.kernel_arrays import ODD
from dpspin.curator.assign.kernels.paper_tables import characters
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf

LABELS = (
    "late parcel", "Refund Missing again", "straße größe", "ÉCLAIR crème brûlée", "МОСКВА река", "東京 大阪 京都",
    "ǅ ǆungla", "snake_case __init__", "x1 2fast 4you", "ﬁne ofﬁce", "αλφα οδος", "İstanbul istanbul",
    "kelvin \u212aelvin", "internationalisation internationalization", "Donaudampfschifffahrtsgesellschaft",
    "ⱥⱦ Ⱥⱦ", "𐐀𐐁 𝒜𝒷", "नमस्ते दुनिया", "late refund", "parcel again", "missing late",
    "٠١٢ ١٢", "ªº ²³", "z\u0301a\u0301 za",
)  # fmt: skip
ODD_WORDS = ("ΟΔΟΣ", "ΣΑΣ", "Σ", "İstanbul", "İİ")  # their lower case cannot be looked up letter by letter
GLUE = (
    " ", " ", " ", "  ", ", ", "_", "-", "\n", "", "\x00", "\x7f",
    "\u200b", "\u0301", "\u2019", "\u00a0", " é ", " 東 ", " a ",
)  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--texts", type=int, default=50_000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    started = time.perf_counter()
    texts = strange_texts(chosen.texts, chosen.seed)
    for k in (3, 1, None):
        fitted = NgramMap.fit(_universe(), PublicWordIdf(), k)
        compare(fitted, texts, chosen.seed)
    odd = sum(bool((characters()[[ord(c) for c in text]] == ODD).any()) for text in texts if text)
    seconds = time.perf_counter() - started
    print(
        f"{len(texts):,} texts, seed {chosen.seed}, K = 3, 1, all: no difference ({seconds:.0f} s; {odd:,} by fallback)"
    )


def compare(fitted: NgramMap, texts: list[str | None], seed: int) -> None:
    column = pa.array(texts, pa.large_string())
    expected, got = fitted.reference(column), fitted(column)
    for name in ("offsets", "atoms", "ticks"):
        if not np.array_equal(getattr(expected, name), getattr(got, name)):
            sys.exit(f"seed {seed}, K = {fitted.atoms_per_record}: {name} differ")


def strange_texts(count: int, seed: int) -> list[str | None]:
    """Mix words of atoms in any case, stop words, words cut in two, and characters from everywhere."""
    rng = np.random.default_rng(seed)  # noqa: TID251
    words = [word for label in LABELS for word in label.split()]
    cased = {form for word in words for form in (word, word.upper(), word.title()) if not {"İ", "Σ"} & set(form)}
    pieces = [*sorted(cased), *sorted(ENGLISH_STOP_WORDS)[::9], "I", "é", "_", "__"]
    folded = [
        chr(point) for point in range(0x110000) if chr(point).lower() != chr(point) or chr(point).upper() != chr(point)
    ]
    return [None if rng.random() < 0.02 else _strange(rng, pieces, folded) for _ in range(count)]


def _strange(rng: np.random.Generator, pieces: list[str], folded: list[str]) -> str:  # noqa: TID251
    parts = []
    for _ in range(int(rng.integers(0, 40))):
        word = pieces[int(rng.integers(len(pieces)))]
        kind = rng.random()
        if kind < 0.005:
            word = ODD_WORDS[int(rng.integers(len(ODD_WORDS)))]
        elif kind < 0.04:
            word = folded[int(rng.integers(len(folded)))]
        elif kind < 0.06:
            word = _any_character(rng)
        elif kind < 0.09:
            place = int(rng.integers(len(word) + 1))
            word = word[:place] + _any_character(rng) + word[place:]
        parts.append(word + GLUE[int(rng.integers(len(GLUE)))])
    return "".join(parts)


def _any_character(rng: np.random.Generator) -> str:  # noqa: TID251
    top = (0x80, 0x250, 0x3000, 0x10000, 0x110000)[int(rng.integers(5))]
    point = int(rng.integers(top))
    return "?" if 0xD800 <= point < 0xE000 else chr(point)


def _universe() -> AtomUniverse:
    return AtomUniverse(
        name="strange words",
        version="1",
        provenance=Provenance(source="handwritten", note="for the fuzz test"),
        atoms=tuple(Atom(id=index, label=label) for index, label in enumerate(LABELS)),
    )


if __name__ == "__main__":
    main()
