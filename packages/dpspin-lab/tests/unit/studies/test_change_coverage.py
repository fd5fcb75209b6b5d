"""A comparison finds a planted change and only it, and seldom one that is not there; rivals without a certificate do.

Seeds are fixed. A sound comparison errs in at most 5 % of the pairs: over 13 % of 100 pairs is seen with probability
below 0.001, and fewer than 930 of 1,000 right ones below 0.003.
"""

import pytest

from dpspin_lab.studies import change_coverage
from dpspin_lab.studies.change_coverage import alarm_lines, false_alarms, power_lines, power_table


@pytest.mark.statistical
def test_a_planted_change_is_found_and_only_it():
    (row,) = power_table(1000, 1, units=[10_000], epsilons=[1.0], changes=[0.5])
    assert row.told >= 0.99
    assert row.only_it >= 0.95
    assert row.signs_only_it == 0  # every difference would be told


@pytest.mark.statistical
def test_equal_shares_are_seldom_told_apart_and_by_signs_always(monkeypatch):
    monkeypatch.setattr(change_coverage, "SHARES", {name: change_coverage.SHARES[name] for name in ("zipf", "sparse")})
    rows = [*false_alarms(100, 2)]
    assert all(row.certified <= 0.13 for row in rows)
    assert all(row.overlap <= row.certified for row in rows)
    assert all(row.signs == 1 for row in rows)


def test_the_certificate_tells_more_than_intervals_that_do_not_overlap():
    (row,) = power_table(60, 3, units=[10_000], epsilons=[1.0], changes=[0.1])
    assert row.overlap_told < row.told < 1


def test_the_tables_are_markdown():
    rows = [*power_table(2, 0, units=[2000], epsilons=[1.0])]
    lines = [*power_lines(rows)]
    assert len(lines) == 2 + len(change_coverage.CHANGES)
    assert len({line.count("|") for line in lines}) == 1


def test_a_total_that_may_be_noise_alone_is_refused(monkeypatch):
    monkeypatch.setattr(change_coverage, "SHARES", {"empty": change_coverage.SHARES["empty"]})
    monkeypatch.setattr(change_coverage, "EPSILONS", (1.0,))
    assert "refused" in [*alarm_lines(false_alarms(2, 0))][-1]
