"""What learns from the sentences of a dictionary, and what it says of records that it did not learn from."""

from collections.abc import Sequence
from functools import cache, partial
from typing import Protocol

import numpy as np

from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.dictionary_sentences import EVERY_BACKGROUND, DictionarySentences, Flags, compose
from dpspin.curator.assign.domain_evidence import Elsewhere
from dpspin.curator.assign.evidence_sources import Evidence, stacked
from dpspin.curator.assign.fit_all_classes import fit_all_classes
from dpspin.curator.assign.sentence_evidence import Embedder, EmbeddingVectors, ExampleEvidence

FOLDS = 3
EVERY_FROM_ELSEWHERE = 4  # for so many composed records there is one from another walk of life
EVERY_LEFT_OUT = 4  # and for so many records of a theme one of themes that were left out


class Learner(Protocol):
    """A source of evidence that learns from the sentences of a dictionary, or from some of them."""

    def __call__(self, sentences: DictionarySentences, rows: Flags) -> Evidence:
        """Fit on the given rows."""
        ...


def learn_from_words(sentences: DictionarySentences, rows: Flags) -> Evidence:
    """Learn from words, stems and pieces of words; the vocabulary is that of the whole dictionary."""
    return ExampleEvidence.fit(sentences, rows, fit=fit_all_classes)


def learn_one_by_one(sentences: DictionarySentences, rows: Flags) -> Evidence:
    """Learn the same, one class after the other, as maps did whose digests people have paid for."""
    return ExampleEvidence.fit(sentences, rows)


def embedding_learner(embedder: Embedder) -> Learner:
    """Learn from the meaning of the same sentences, as an embedding model sees it."""
    vectors_of = cache(partial(EmbeddingVectors.of, embedder))

    def learn(sentences: DictionarySentences, rows: Flags) -> Evidence:
        return ExampleEvidence.fit(sentences, rows, vectors_of(sentences.texts))

    return learn


def composed_layers(
    sentences: DictionarySentences, fixed: tuple[Evidence, ...], learners: Sequence[Learner], elsewhere: Elsewhere
) -> tuple[Floats, Floats, int]:
    """Score composed records, and behind them so many from elsewhere, by sources that learned from none of them.

    A dictionary that does not say what is of no theme leaves some of its own themes out in turn.
    """
    fold = np.where(sentences.example, np.cumsum(sentences.example) % FOLDS, -1)
    layers, silent, shares = [], [], []
    for held in range(FOLDS):
        named = sentences.leaving_out(held, FOLDS)
        unnamed = named.background & ~sentences.background
        every = EVERY_LEFT_OUT if unnamed.any() else EVERY_BACKGROUND
        composed = compose(named, np.flatnonzero((fold == held) | unnamed & named.example).tolist(), every)
        others = elsewhere.records(elsewhere.held(held, FOLDS), len(composed.texts) // EVERY_FROM_ELSEWHERE)
        rows = (fold != held) & ~unnamed
        domain = elsewhere.evidence(named, rows, elsewhere.known(held, FOLDS))
        sources = (*fixed, *(learn(named, rows) for learn in learners), *domain)
        scored = stacked(sources, [*composed.texts, *others, ""])
        left_out = ~named.expresses.any(axis=0)
        scored[:, :, left_out] = scored[:, -1:, left_out]  # nothing is said of an atom that is not named
        layers.append(scored[:, : len(composed.texts)])
        silent.append(scored[:, len(composed.texts) : -1])
        shares.append(composed.shares)
    of_none = np.zeros((sum(part.shape[1] for part in silent), sentences.expresses.shape[1] + 1))
    of_none[:, -1] = 1.0
    return np.concatenate([*layers, *silent], axis=1), np.concatenate([*shares, of_none]), len(of_none)
