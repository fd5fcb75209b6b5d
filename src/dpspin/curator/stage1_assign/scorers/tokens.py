"""The n-grams a text consists of: one definition, used for atoms, auxiliary text and records alike."""

from collections.abc import Sequence

from sklearn.feature_extraction.text import CountVectorizer

from dpspin.curator.records.cells import LONGEST_TEXT


def counter(vocabulary: Sequence[str] | None = None) -> CountVectorizer:
    r"""Return the counter of words and word pairs: lower case, ``(?u)\b\w\w+\b``, English stop words left out.

    >>> sorted(counter().build_analyzer()("The late refund!"))
    ['late', 'late refund', 'refund']
    """
    return CountVectorizer(
        vocabulary=vocabulary, ngram_range=(1, 2), stop_words="english", preprocessor=_read, dtype="int64"
    )


def _read(text: str | None) -> str:
    return (text or "")[:LONGEST_TEXT].lower()
