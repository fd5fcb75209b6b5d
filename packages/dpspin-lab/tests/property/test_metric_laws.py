"""Every metric of the lab beside an independent computation, made from the paper's definition in another way."""

import itertools
import math
import re
import unicodedata
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from dpspin.public.narrate.contract.screen import screen
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import Mode
from dpspin_lab.judge.pairwise import Choice, mean_preference
from dpspin_lab.metrics import text as words
from dpspin_lab.metrics.plan import (
    full_vector_errors,
    mass_retained,
    non_private_rank,
    overlap,
    probe_admission,
    probe_mention,
    recovery,
    selected_coordinate_errors,
    support_mass_loss,
)
from factories import PAPER_PLAN, PAPER_UNIVERSE

MASSES = st.lists(st.one_of(st.integers(0, 4).map(float), st.floats(0, 1e6)), min_size=1, max_size=12)
VOCABULARY = ("The", "long", "WAIT", "staff", "and", "of", "kindness", "[atom:17]", "x", "50%", "ﬁne", "STRASSE", "-")
TEXTS = st.lists(st.sampled_from(VOCABULARY), max_size=9).map(" ".join)


@st.composite
def releases(draw):
    masses = draw(MASSES)
    size = draw(st.integers(1, len(masses)))
    admitted = draw(st.sets(st.integers(0, len(masses) - 1), max_size=size))
    return admitted, masses, size


def best_set(masses, size):
    """Try every set of that size: the heaviest, and among those the first in the order of positions."""
    sets = itertools.combinations(range(len(masses)), size)
    return max(sets, key=lambda atoms: (sum(Fraction(masses[a]) for a in atoms), [-a for a in atoms]))


@given(releases())
def test_recovery_agrees_with_a_search_over_all_sets(release):
    admitted, masses, size = release
    best = best_set(masses, size)
    kept, most = (sum(Fraction(masses[a]) for a in atoms) for atoms in (admitted, best))
    assert overlap(admitted, masses, size) == sum(a in admitted for a in best) / size
    assert support_mass_loss(admitted, masses, size) == pytest.approx(float(most - kept), rel=1e-9, abs=1e-6)
    retained = mass_retained(admitted, masses, size)
    assert retained.undefined == (most == 0)
    assert retained.value == pytest.approx(float(kept / most) if most else 0.0)


@given(releases())
def test_a_set_as_heavy_as_the_best_loses_exactly_nothing(release):
    _, masses, size = release
    found = recovery(best_set(masses, size), masses, size)
    assert (found.overlap, found.loss) == (1.0, 0.0)


@given(st.lists(st.tuples(st.floats(-1e4, 1e4), st.floats(0, 1e4)), min_size=1), st.data())
def test_value_errors_agree_with_numpys_norms(pairs, data):
    noisy, masses = map(list, zip(*pairs, strict=True))
    chosen = data.draw(st.sets(st.integers(0, len(pairs) - 1), min_size=1))
    difference = np.subtract(noisy, masses)
    full = full_vector_errors(noisy, masses)
    part = selected_coordinate_errors({place: noisy[place] for place in chosen}, masses)
    for errors, vector in ((full, difference), (part, difference[sorted(chosen)])):
        norms = [np.linalg.norm(vector, order) for order in (np.inf, 1, 2)]
        assert [errors.maximum, errors.total, errors.euclidean] == pytest.approx(norms)


def tokens_by_hand(text):
    text = unicodedata.normalize("NFKC", re.sub(r"\[atom:\d+\]", " ", text)).casefold()
    letters = "".join(c if c.isalnum() or c == "_" else " " for c in text)
    return [token for token in letters.split() if len(token) > 1 and token not in ENGLISH_STOP_WORDS]


def shared(one, other):
    union = list(dict.fromkeys([*one, *other]))
    return sum(item in one and item in other for item in union) / len(union) if union else 1.0


@given(TEXTS, TEXTS)
def test_jaccards_agree_with_counting_by_hand(one, other):
    tokens = [tokens_by_hand(text) for text in (one, other)]
    upto = {n: [[tuple(t[i : i + n]) for i in range(len(t) - n + 1)] for t in tokens] for n in (1, 2, 3)}
    phrases = [[gram for n in (1, 2, 3) for gram in upto[n][side]] for side in (0, 1)]
    found = words.likeness(one, other)
    for metric, (a, b) in ((found.tokens, tokens), (found.bigrams, upto[2]), (found.keyphrases, phrases)):
        assert metric.value == shared(a, b)
        assert metric.both_empty == (not a and not b)


@given(TEXTS, TEXTS)
def test_the_tfidf_cosine_is_scikit_learns(one, other):
    vectorizer = TfidfVectorizer(analyzer=lambda text: grams(tokens_by_hand(text)))
    try:
        expected = cosine_similarity(vectorizer.fit_transform([one, other]))[0, 1]
    except ValueError:  # an empty vocabulary
        expected = 0.0
    assert words.likeness(one, other).tfidf_cosine == pytest.approx(expected)


def grams(tokens):
    return tokens + [f"{a} {b}" for a, b in itertools.pairwise(tokens)]


ROWS = st.lists(
    st.floats(-9, 9).map(lambda x: round(x, 6)), min_size=3, max_size=3
)  # smaller ones lose digits when squared


@given(ROWS, ROWS)
def test_the_embedding_cosine_is_the_cosine_of_the_rows(one, other):
    rows = np.array([one, other])
    lengths = np.linalg.norm(rows, axis=1)
    expected = rows[0] @ rows[1] / lengths.prod() if lengths.all() else None
    if expected is not None:
        assert words.embedding_cosine(lambda _: rows, "a", "b") == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.sampled_from([0, 17, 42, 81, 99, 100]), max_size=6))
def test_the_unsupported_atom_rate_counts_each_marker_once(marked):
    text = " ".join(f"Theme [atom:{atom}] is listed." for atom in marked)
    admitted = [entry.atom_id for entry in PAPER_PLAN.entries]
    by_hand = len([a for a in set(marked) if a not in admitted]) / max(1, len(set(marked)))
    assert screen(FACTS, text, Mode.AUDIT).unsupported_atom_rate == by_hand


FACTS = Facts(PAPER_PLAN, PAPER_UNIVERSE)
LABELS = {entry.label: entry for entry in PAPER_PLAN.entries}
SIDE = st.sampled_from([*LABELS, "parking problems"])  # the last is not in the plan


@given(st.lists(st.tuples(SIDE, st.booleans(), SIDE).filter(lambda c: c[0] != c[2]), max_size=4))
def test_the_unsupported_comparison_rate_agrees_with_the_released_masses(claims):
    text = " ".join(f"{a.capitalize()} has {'higher' if up else 'lower'} support than {b}." for a, up, b in claims)
    supported = [holds(a, b) if up else holds(b, a) for a, up, b in claims]
    found = screen(FACTS, text, Mode.DISPLAY)
    assert found.comparisons == len(claims)
    assert found.unsupported_comparison_rate == supported.count(False) / max(1, len(claims))


def holds(higher, lower):
    if higher not in LABELS or lower not in LABELS:
        return False
    return LABELS[higher].noisy_mass - LABELS[lower].noisy_mass > PAPER_PLAN.rules.comparison_margin


@given(MASSES, st.data())
def test_a_probes_rank_is_its_place_in_the_sorted_dictionary(masses, data):
    probe = data.draw(st.integers(0, len(masses) - 1))
    order = sorted(range(len(masses)), key=lambda atom: (-masses[atom], atom))
    assert non_private_rank(masses, probe) == order.index(probe) + 1


@given(st.sets(st.integers(0, 9), min_size=1), st.sets(st.integers(0, 9)))
def test_admission_is_the_mean_of_the_indicators(probes, admitted):
    assert probe_admission(probes, admitted) == pytest.approx(np.mean([probe in admitted for probe in probes]))


@given(st.sets(st.sampled_from(["long wait", "wait", "staff", "kettle", "wai"]), min_size=1), TEXTS)
def test_mentions_are_runs_of_whole_words(strings, text):
    spoken = [unicodedata.normalize("NFKC", word).casefold() for word in text.split()]
    runs = {" ".join(spoken[i:j]) for i, j in itertools.combinations(range(len(spoken) + 1), 2)}
    assert probe_mention(strings, text) == sum(string in runs for string in strings) / len(strings)


@given(st.lists(st.sampled_from(list(Choice)), min_size=1))
def test_the_preference_counts_a_tie_half(choices):
    wins, ties = choices.count(Choice.DP), choices.count(Choice.TIE)
    assert math.isclose(mean_preference(choices), (wins + ties / 2) / len(choices))


def test_a_comparison_of_nothing_that_is_named_counts_as_unsupported():
    found = screen(FACTS, "Something has the highest support.", Mode.DISPLAY)
    assert (found.unsupported_comparison_rate, found.comparisons) == (1.0, 1)
