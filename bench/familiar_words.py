"""How often a map knows most words of a record, and is then right that it can read it; CLD2 decides over the rest.

    python bench/familiar_words.py --pack restaurant-reviews --parquet reviews.parquet --column text
    python bench/familiar_words.py --pack support-tickets --foreign sentences.json      # {"de": ["…", …], …}

Texts of the map's own language should be familiar: that saves the question. Texts in any other should not be.
"""

import argparse
import json
import statistics
from pathlib import Path

from corpus import from_parquet

from dpspin.curator.assign.familiar_words import familiar
from dpspin.curator.assign.recipes import Recipe, fit_by_recipe
from dpspin.public.atoms import packs
from dpspin.text.languages import in_other_languages


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pack", choices=packs.names(), default="support-tickets")
    options.add_argument("--parquet", type=Path, help="texts in the map's own language; nothing of them is kept")
    options.add_argument("--column", default="text")
    options.add_argument("--records", type=int, default=5_000)
    options.add_argument("--foreign", type=Path, help="JSON: a list of texts for the code of each language")
    chosen = options.parse_args()
    fitted = fit_by_recipe(Recipe(), packs.load(chosen.pack), None)
    if chosen.parquet:
        texts = from_parquet(chosen.parquet, chosen.column, chosen.records).texts.to_pylist()
        known, other = familiar(fitted.sources, texts), in_other_languages(texts, fitted.languages)
        both = sum(a and b for a, b in zip(known, other, strict=True))
        print(
            f"{len(texts):,} texts: familiar {known.mean():.1%}; not read by CLD2 alone {sum(other) / len(texts):.2%}; "
            f"both {both / len(texts):.2%}"
        )
    if chosen.foreign:
        shares = {}
        for code, texts in json.loads(chosen.foreign.read_text(encoding="utf-8")).items():
            if code not in fitted.languages:
                known = familiar(fitted.sources, texts)
                missed = sum(not other for other in in_other_languages(texts, fitted.languages))
                shares[code] = (known.mean(), missed / len(texts), len(texts))
        for code, (share, missed, count) in sorted(shares.items(), key=lambda each: -each[1][0])[:12]:
            print(f"{code:>4}  {count:>6,} texts: familiar {share:.2%}; taken for readable by CLD2 alone {missed:.2%}")
        print(f"mean of {len(shares)} languages: familiar {statistics.mean(s for s, _, _ in shares.values()):.2%}; "
              f"by CLD2 alone {statistics.mean(m for _, m, _ in shares.values()):.2%}")  # fmt: skip


if __name__ == "__main__":
    main()
