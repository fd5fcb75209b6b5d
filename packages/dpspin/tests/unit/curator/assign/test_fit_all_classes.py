"""All classes at once: the same classifier as a library's solver finds, and the same bits on every processor."""

import os
import subprocess
import sys

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from dpspin.curator.assign import fit_all_classes as solver
from dpspin.curator.assign.dictionary_sentences import DictionarySentences
from dpspin.curator.assign.fit_all_classes import chance, fit_all_classes, merge_equal_columns
from dpspin.curator.assign.term_classifier import Lesson
from restaurant_dictionary import UNIVERSE

STRENGTH = 30.0
SENTENCES = DictionarySentences.of(UNIVERSE)
EVERY = np.ones(len(SENTENCES.texts), dtype=bool)
LESSONS = [*SENTENCES.lessons(EVERY), SENTENCES.theme_lesson(EVERY)]

# What an older processor of the same kind has: other kernels of BLAS, and other vector instructions of NumPy.
OLDER = {
    "OPENBLAS_CORETYPE": "Prescott",
    "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL",
}
FIT = """
import warnings; warnings.simplefilter("ignore")  # this processor may not have what is switched off
from dpspin.curator.assign.calibrated_fits import {fit}
from dpspin.public.atoms import packs
print({fit}(packs.load("app-reviews"){rest}).statement.digest)
"""


def by_a_library(rows, lesson, strength):
    """Return the scores of all rows by scikit-learn's solver, which is given all the time it wants."""
    model = LogisticRegression(C=strength, solver="liblinear", tol=1e-10, max_iter=10_000)
    model.fit(rows[lesson.rows], lesson.positive[lesson.rows], sample_weight=lesson.weights[lesson.rows])
    return model.decision_function(rows)


@pytest.mark.parametrize("strength", [1.0, 30.0, 300.0])
def test_it_finds_what_a_library_finds(strength):
    rows = SENTENCES.learned.rows
    found, expected = fit_all_classes(rows, LESSONS, strength), [by_a_library(rows, one, strength) for one in LESSONS]
    assert np.ptp(expected) > 100 * 0.015  # there is something to differ in
    assert found(rows) == pytest.approx(np.column_stack(expected), abs=0.015)


def test_it_does_not_step_too_far():
    """Where texts contradict each other and weights reach over eight powers of ten, whole steps end thirty off."""
    draw = np.random.default_rng(3)  # noqa: TID251
    for _ in range(40):
        rows = csr_array(np.abs(draw.normal(size=(9, 4))))
        lesson = Lesson(np.ones(9, dtype=bool), np.arange(9) % 2 == 0, 10 ** draw.uniform(-4, 4, 9))
        found = fit_all_classes(rows, [lesson], 1.0)(rows)[:, 0]
        assert found == pytest.approx(by_a_library(rows, lesson, 1.0), abs=1)


def test_a_class_learns_the_same_whoever_learns_beside_it(monkeypatch):
    together = fit_all_classes(SENTENCES.learned.rows, LESSONS, STRENGTH)
    monkeypatch.setattr(solver, "AT_ONCE", 1)
    alone = fit_all_classes(SENTENCES.learned.rows, LESSONS, STRENGTH)
    assert together.coefficients == pytest.approx(alone.coefficients, abs=0.01)


def test_products_of_rows_stay_what_they_are():
    rows = SENTENCES.learned.rows
    merged = merge_equal_columns(rows)
    assert merged.shape[1] < rows.shape[1] / 2
    assert (merged @ merged.T).toarray() == pytest.approx((rows @ rows.T).toarray())
    assert merge_equal_columns(csr_array(np.eye(3))).toarray().tolist() == np.eye(3).tolist()


def test_chances_are_as_good_as_the_librarys():
    odds = np.concatenate([np.linspace(-80, 80, 4001), [-1e9, 1e9, -0.0, 1e-300]])
    assert chance(odds) == pytest.approx(expit(odds), rel=1e-9, abs=1e-25)
    assert (chance(odds) + chance(-odds)).tolist() == pytest.approx([1.0] * len(odds))


def digest(fit, rest, **processor):
    told = [sys.executable, "-c", FIT.format(fit=fit, rest=rest)]
    ran = subprocess.run(told, capture_output=True, text=True, check=True, env=os.environ | processor)
    return ran.stdout


@pytest.mark.long
def test_another_processor_fits_the_same_default_map():
    """A map with another digest would be another request, and charged again. The maps before this one do differ."""
    assert digest("fit_hybrid", ", None") == digest("fit_hybrid", ", None", **OLDER)
