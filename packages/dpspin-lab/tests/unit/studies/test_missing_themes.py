"""The table of themes that were taken out: ranks and rivals are counted right, on masses that are given."""

import numpy as np

from dpspin_lab.studies.missing_themes import Texts, _row, _tried, missing_lines

TEXTS = Texts(["a", "b", "c"], [frozenset({1}), frozenset({2}), frozenset({3})])
MASSES = np.array([[0.9, 0.0, 0.0, 0.0, 0.0], [0.0, 0.9, 0.0, 0.0, 0.0], [0.0, 0.0, 0.3, 0.3, 0.3]])


def test_a_theme_with_much_mass_is_first_and_clear_and_one_without_is_not():
    chance = np.random.default_rng(1)  # noqa: TID251  a simulation of the lab
    assert set(_tried(MASSES, TEXTS, [1, 2], 1, 0, chance, 5)) == {(True, True)}
    assert set(_tried(MASSES, TEXTS, [1, 2], 1, 1, chance, 5)) == {(False, False)}  # texts of the other are left out
    assert _tried(MASSES, TEXTS, [1, 2], 1, None, chance, 2) == [(False, False)] * 2


def test_rates_and_rivals_are_of_all_themes_that_were_taken_out():
    row = _row("shop", [[(True, True)] * 2, [(False, False)] * 2], [0, None], size=30)
    assert (row.listed, row.first, row.clear, row.by_likeness, row.in_any_order) == (0.5, 0.5, 0.5, 0.5, 0.1)
    heading, line = missing_lines(iter([row]))
    assert "first 3" in heading
    assert line.split() == ["shop", "2", "50%", "50%", "50%", "50%", "10%"]
