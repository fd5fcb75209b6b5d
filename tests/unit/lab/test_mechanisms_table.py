"""A small run of the comparison: the default's value error, and what the prior buys at a small epsilon."""

import pytest

from dpspin.boundary.privacy import Laplace
from dpspin.lab import mechanisms
from dpspin.lab.mechanisms import ON_EMERGING, denoised, emerging_table, mechanisms_table, public_only, released


def table(methods, monkeypatch, epsilon, shapes=("amazon", "cfpb"), **how):
    monkeypatch.setattr(mechanisms, "EPSILONS", (epsilon,))
    monkeypatch.setattr(mechanisms, "AUXILIARY", {shape: mechanisms.AUXILIARY[shape] for shape in shapes})
    return {(row.shape, row.method): row for row in mechanisms_table(methods=methods, **how)}


@pytest.mark.statistical
def test_the_mean_value_error_of_the_default_at_epsilon_one(monkeypatch):
    """1,000 plans of ten values: the standard error is 0.01."""
    rows = table({"laplace": released(Laplace())}, monkeypatch, 1.0, sketches=25, draws=40)
    for row in rows.values():
        assert row.value_error.mean <= 1.05
        assert row.overlap.mean >= 0.97


@pytest.mark.statistical
def test_the_prior_helps_where_noise_is_large(monkeypatch):
    """250 plans per cell; overlap has a standard error of 0.01, and the gap to the raw order is 0.13."""
    methods = {
        "raw": released(Laplace()),
        "EB": denoised(novelty=0),
        "novelty": denoised(novelty=1),
        "public": public_only,
    }
    rows = table(methods, monkeypatch, 0.1, shapes=("cfpb",), sketches=25, draws=2)
    raw, informed, novelty = (rows["cfpb", name].overlap.mean for name in ("raw", "EB", "novelty"))
    assert informed >= 0.85
    assert informed > novelty > raw
    assert rows["cfpb", "public"].value_error.mean > rows["cfpb", "EB"].value_error.mean


@pytest.mark.statistical
def test_a_novelty_slot_lets_an_emerging_theme_in(monkeypatch):
    monkeypatch.setattr(mechanisms, "EPSILONS", (0.1,))
    rows = {row.method: row for row in emerging_table(sketches=25, draws=2)}
    assert list(rows) == list(ON_EMERGING)
    shown = {name: row.recall.mean for name, row in rows.items()}
    assert shown["laplace"] > shown["laplace + EB, 1 novelty slot"] > shown["laplace + EB"]


def test_a_method_is_one_line_in_the_registry(monkeypatch):
    rows = table({"mine": public_only}, monkeypatch, 1.0, shapes=("amazon",), sketches=2, draws=1)
    assert rows["amazon", "mine"].recall is None
