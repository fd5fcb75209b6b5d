"""What texts have in common, without a model: phrases that come back, and terms that tell a group from the rest."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer

from dpspin.public.atoms.suggest.extract import mentions
from dpspin.public.atoms.suggest.lexicon import BREAKS, COPULAS, DEGREES, DETERMINERS, LINKS
from dpspin.public.atoms.suggest.normalise import lowered, tokens

STOP_WORDS = BREAKS | COPULAS | DEGREES | DETERMINERS | LINKS
SHORTEST_WORD = 3
FEWEST = 2  # records: what only one says does not recur


def recurring(texts: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the phrases that most texts say, at least two; of equally frequent ones the first by name.

    >>> recurring(["Such dry skin!", "My skin is dry.", "A late parcel"], most=5)
    ('dry skin',)
    """
    support = Counter(phrase for text in texts for phrase in _phrases(text))
    common = [phrase for phrase in support if support[phrase] >= FEWEST]
    return tuple(sorted(common, key=lambda phrase: (-support[phrase], phrase))[:most])


def telling_terms(texts: Sequence[str], groups: NDArray[np.int64], most: int) -> list[tuple[str, ...]]:
    """Return, for each group, the terms whose share of its texts most exceeds their share of the others' texts.

    >>> telling_terms(["late parcel", "the parcel was late", "rude agent", "agents so rude"], np.array([0, 0, 1, 1]), 1)
    [('late parcel',), ('rude',)]
    """
    size = int(groups.max(initial=-1)) + 1
    counter = CountVectorizer(analyzer=content_terms, binary=True, min_df=min(FEWEST, len(texts)))
    try:
        said = counter.fit_transform(texts)
    except ValueError:  # no word twice
        return [()] * size
    terms = counter.get_feature_names_out()
    return [_best(terms, _excess(said, groups == group), most) for group in range(size)]


def content_terms(text: str) -> list[str]:
    """Return the telling words of a text, and its phrases of two or three of them.

    >>> content_terms("My parcel was very late")
    ['parcel', 'late', 'late parcel']
    """
    words = lowered(tokens(text))
    kept = [word for word in words if len(word) >= SHORTEST_WORD and word not in STOP_WORDS]
    return [*kept, *(mention.spoken for mention in mentions(words))]


def _phrases(text: str) -> set[str]:
    return {mention.spoken for mention in mentions(lowered(tokens(text)))}


def _excess(said: "csr_array[np.int64]", inside: NDArray[np.bool_]) -> NDArray[np.float64]:
    shares = [np.asarray(said[rows].sum(axis=0)).ravel() / max(1, rows.sum()) for rows in (inside, ~inside)]
    excess: NDArray[np.float64] = shares[0] - shares[1]
    return excess


def _best(terms: Sequence[str], excess: NDArray[np.float64], most: int) -> tuple[str, ...]:
    """Take the best terms, of equal ones the longer; one that shares a word with a better one says nothing new."""
    chosen: list[str] = []
    words_in = np.array([len(str(term).split()) for term in terms])
    for place in np.lexsort((-words_in, -excess)):
        if len(chosen) == most or excess[place] <= 0:
            break
        words = set(str(terms[place]).split())
        if not any(words & set(other.split()) for other in chosen):
            chosen.append(str(terms[place]))
    return tuple(chosen)
