"""Which language a text is in: a fixed rule that looks at that text alone.

CLD2 decides (integer tables that are part of the package, the same answer on every machine). A text is judged by its
beginning. What is too short to judge, or cannot be told, has no language, and whoever asks treats it as readable.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import pycld2

from dpspin.errors import RequestError

RULE: Final = "cld2, first 1000 characters, at least 10 letters, sure, more than half"  # part of a map's digest
LOOKED_AT: Final = 1000
FEWEST_LETTERS: Final = 10  # "OK" and "Meh." are of every language
SPOKEN: Final = 0.1  # of the sentences that have a language: then a dictionary speaks it
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")  # CLD2 refuses a text with some of them
_ENOUGH_LETTERS: Final = re.compile(rf"(?:[\W\d_]*[^\W\d_]){{{FEWEST_LETTERS}}}")
_IDEOGRAPHS: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # a few of them are a sentence
CODES: Final = frozenset(code for _, code in pycld2.LANGUAGES)


def language_of(text: str) -> str | None:
    """Return the code of the language that most of a text is in, or None where that cannot be told.

    >>> language_of("My parcel should have come on Monday."), language_of("Mein Paket ist seit Montag überfällig.")
    ('en', 'de')
    >>> language_of("OK"), language_of("asdf 1234")
    (None, None)
    """
    start = _CONTROLS.sub(" ", text[:LOOKED_AT])
    if not _ENOUGH_LETTERS.match(start) and not _IDEOGRAPHS.search(start):
        return None
    try:
        sure, _, found = pycld2.detect(start.encode("utf-8", "replace"), bestEffort=True)
    except pycld2.error:
        return None
    _, code, percent, _ = found[0]
    return str(code) if sure and percent > 50 and code != "un" else None  # noqa: PLR2004  more than half


def in_other_languages(texts: Iterable[str | None], languages: Sequence[str]) -> list[bool]:
    """Tell for each text by itself whether it is in a language that is not among these.

    >>> in_other_languages(["Wo bleibt meine Rückerstattung?", "Where is my refund?", "ok", None], ["en"])
    [True, False, False, False]
    """
    return [text is not None and language_of(text) not in {None, *languages} for text in texts]


def spoken_in(sentences: Iterable[str]) -> tuple[str, ...]:
    """Return the languages of some sentences, each of at least a tenth of those that have one, sorted.

    >>> spoken_in(["The parcel is late.", "It was broken when it came.", "OK"])
    ('en',)
    """
    counts = Counter(code for sentence in sentences if (code := language_of(sentence)) is not None)
    return tuple(sorted(code for code, count in counts.items() if count >= SPOKEN * counts.total()))


def names_of(codes: Sequence[str]) -> list[str]:
    """Return the English names of languages.

    >>> names_of(["de", "en"])
    ['German', 'English']
    """
    names = {code: name for name, code in pycld2.LANGUAGES}
    return [names.get(code, code).title() for code in codes]


def require_codes(languages: Sequence[str]) -> tuple[str, ...]:
    """Return language codes sorted, or say which is none.

    >>> require_codes(["en", "de"])
    ('de', 'en')
    """
    for code in languages:
        if code not in CODES:
            raise RequestError(f"{code!r} is no code of a language that can be told apart: write en, de, fr, es, …")
    return tuple(sorted(set(languages)))
