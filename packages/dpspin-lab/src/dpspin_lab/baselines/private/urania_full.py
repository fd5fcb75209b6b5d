"""The pipeline of the URANIA paper (Liu et al. 2025, arXiv:2506.04681), as far as models allow.

Facets of each record by a model or by code, an encoder, private clustering, a keyword set, at most five keywords of it
for each unit, words from the released object alone. Facets and encoder look at one record at a time and are fixed in
advance, so they cost nothing. What a model chooses there for each record (its keywords) is found by matching words
here.

The keyword set is the dictionary's words, the auxiliary records' words, what a **model** names when it reads some of
the auxiliary records, or the records' **own words**, and only the last costs anything: each unit counts one for at most
five words of a public list of English words, those that are most telling by public frequencies, so Δ₁ = 5 and discrete
Laplace noise of scale 5/ε₁ on *every* word of the list is (ε₁, 0)-DP. The words with the largest noisy counts are the
set: post-processing. Clusters, sizes and keywords then have the rest (ε - ε₁, δ), and by basic adaptive composition all
of it is (ε, δ)-DP. Of the records' own words none is published that is not on the public list.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.text.stems import public_frequency
from dpspin_lab.baselines.clio import telling_facets
from dpspin_lab.baselines.grouping import Points
from dpspin_lab.baselines.private.histograms import (
    MOST_WORDS,
    PER_RECORD,
    SHORTEST,
    Indicators,
    Vocabulary,
    atom_texts,
    is_keyword,
    keywords_of,
    top_positive,
)
from dpspin_lab.baselines.private.release import (
    GRID,
    BaselineRelease,
    Charge,
    FullMethod,
    LaplaceDraw,
    noise_from,
    of_indicators,
)
from dpspin_lab.baselines.private.rival_quality import ClusterRow, Quality, cluster_row, quality
from dpspin_lab.baselines.private.urania import (
    CLUSTERS,
    Bounded,
    BoundedRecords,
    PublicSide,
    UnitVectors,
    fit_representation,
    normalised,
    public_centres,
    release_clusters,
)
from dpspin_lab.baselines.private.urania_schedule import paper_schedule
from dpspin_lab.baselines.private.urania_users import BoundedUsers, indicators_of_users, numbered

LISTED: Final = 5_000  # public English words of which the records' own keyword set is chosen
SET_SHARE: Final = 0.2  # of epsilon, where the set is chosen from the records
METHODS: Final[tuple[FullMethod, ...]] = ("urania_full_own", "urania_full_public", "urania_full_atoms")  # no model
Facets = Callable[[Sequence[str]], list[str]]


@dataclass(frozen=True, slots=True)
class Encoder:
    """Facets, then an embedding model, then integers: what is kept of a record depends on its own text alone."""

    facets: Facets
    embedder: Points

    def __call__(self, texts: Sequence[str]) -> UnitVectors:
        """Represent each text."""
        return normalised(np.asarray(self.embedder(self.facets(texts)), dtype=np.float64))


def encoder_of_words(public_texts: Sequence[str]) -> Encoder:
    """Encode facets by code alone: the most telling sentences, and the TF-IDF map of the URANIA-style baseline."""
    represent = fit_representation(public_texts)
    return Encoder(telling_facets, lambda facets: represent(facets).ticks / GRID)


@cache
def english_words(most: int = LISTED) -> Vocabulary:
    """Return the most frequent English words that can be keywords, by the public list of ``wordfreq``."""
    from wordfreq import iter_wordlist  # noqa: PLC0415  loads a word list

    words = (word for word in iter_wordlist("en") if word.isalpha() and len(word) >= SHORTEST and is_keyword(word))
    return Vocabulary(tuple(word for _, word in zip(range(most), words, strict=False)))


def telling_words(texts: Sequence[str], listed: Vocabulary) -> Indicators:
    """Mark for each record the at most five listed words with the largest count times public rarity, of its own text.

    >>> listed = Vocabulary(("people", "parcel", "reminder"))
    >>> telling_words(["People, people: my parcel!"], listed).flags.tolist()
    [[True, True, False]]
    """
    flags = np.zeros((len(texts), len(listed)), dtype=np.bool_)
    for row, text in enumerate(texts):
        counts = Counter(listed.places_in(text))
        weight = {place: count * _rarity(listed.words[place]) for place, count in counts.items()}
        flags[row, sorted(weight, key=lambda place: (-weight[place], place))[:PER_RECORD]] = True
    return Indicators(flags)


@cache
def _rarity(word: str) -> float:
    return -math.log(max(public_frequency(word), 1e-9))


@dataclass(frozen=True, slots=True)
class FullPublic:
    """What is fixed before a protected record is read."""

    encoder: Encoder
    centres: PublicSide  # with the dictionary's words as keywords
    free: Mapping[FullMethod, Vocabulary]  # the keyword sets that no protected record has a part in
    listed: Vocabulary

    @property
    def methods(self) -> tuple[FullMethod, ...]:
        """What can be released."""
        return ("urania_full_own", *self.free)


@dataclass(frozen=True, slots=True)
class FullRecords:
    """The protected records, encoded once for any number of releases. Private."""

    texts: Sequence[str] = field(repr=False)
    vectors: UnitVectors
    own_words: Indicators  # one row for each unit
    users: Sequence[str] | None = field(default=None, repr=False)

    def bounded(self, vocabulary: Vocabulary) -> Bounded:
        """Choose the keywords of each unit from a set that is public or released."""
        keywords = vocabulary.indicators(self.texts)
        if self.users is None:
            return BoundedRecords(self.vectors, keywords)
        return BoundedUsers(self.vectors, keywords, numbered(self.users))


def fit_full(
    auxiliary: Sequence[str],
    atoms: AtomUniverse,
    encoder: Encoder,
    clusters: int = CLUSTERS,
    chosen_by_model: Vocabulary | None = None,
) -> FullPublic:
    """Find the first centres among encoded auxiliary records, and the keyword sets that cost nothing."""
    centres = public_centres(encoder(auxiliary), clusters)
    side = PublicSide(encoder, centres, keywords_of(atom_texts(atoms)))
    free: dict[FullMethod, Vocabulary] = {
        "urania_full_public": keywords_of(auxiliary),
        "urania_full_atoms": side.vocabulary,
    }
    if chosen_by_model is not None:
        free["urania_full_model"] = chosen_by_model
    return FullPublic(encoder, side, free, english_words())


def protect_full(texts: Sequence[str], public: FullPublic, users: Sequence[str] | None = None) -> FullRecords:
    """Encode the protected records; with ``users``, all records of a user are protected together."""
    own = telling_words(texts, public.listed)
    if users is not None:
        own = indicators_of_users(own, numbered(users))
    return FullRecords(texts, public.encoder(texts), own, users)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The keyword set, what choosing it cost, and what is left for the clusters."""

    side: PublicSide
    records: Bounded
    left: PrivacyLoss
    paid: LaplaceDraw | None = None


def release_full(
    method: FullMethod, records: FullRecords, public: FullPublic, loss: PrivacyLoss, noise: NoiseSource
) -> BaselineRelease:
    """Choose the keyword set, then release clusters described by it."""
    chosen = _chosen(method, records, public, loss, noise)
    release = release_clusters(chosen.records, chosen.side, chosen.left, paper_schedule, noise)
    if chosen.paid is None:
        return replace(release, method=method)
    total, charges = release.loss.total + chosen.paid.loss, (Charge(chosen.paid), *release.loss.charges)
    return replace(release, method=method, loss=replace(release.loss, total=total, charges=charges))


def full_quality(
    method: FullMethod, records: FullRecords, public: FullPublic, loss: PrivacyLoss, noise: NoiseSource
) -> Quality:
    """Draw one release and compare it with exact counts under the same centres and the same keyword set."""
    chosen = _chosen(method, records, public, loss, noise)
    return quality(chosen.records, chosen.side, chosen.left, paper_schedule, noise)


def compare_full(
    records: FullRecords, public: FullPublic, loss: PrivacyLoss, *, draws: int, seed: int
) -> Iterator[ClusterRow]:
    """Average each kind of keyword set over releases with noise from successive seeds."""
    for method in public.methods:
        drawn = [full_quality(method, records, public, loss, noise_from(each)) for each in range(seed, seed + draws)]
        yield cluster_row(method, loss.epsilon, drawn)


def _chosen(
    method: FullMethod, records: FullRecords, public: FullPublic, loss: PrivacyLoss, noise: NoiseSource
) -> _Chosen:
    if method != "urania_full_own":
        words = public.free[method]
        return _Chosen(replace(public.centres, vocabulary=words), records.bounded(words), loss)
    draw = LaplaceDraw("keyword set", of_indicators(PER_RECORD), SET_SHARE * loss.epsilon)
    words = own_keyword_set(records.own_words, public.listed, draw, noise)
    left = PrivacyLoss(loss.epsilon - draw.epsilon, loss.delta)
    return _Chosen(replace(public.centres, vocabulary=words), records.bounded(words), left, draw)


def own_keyword_set(own: Indicators, listed: Vocabulary, draw: LaplaceDraw, noise: NoiseSource) -> Vocabulary:
    """Take the listed words with the largest noisy counts above zero; every listed word has noise."""
    noisy = draw.of_counts(own.flags.sum(axis=0).astype(np.int64), noise)
    return Vocabulary(tuple(entry.name for entry in top_positive(noisy, listed.words, MOST_WORDS)))
