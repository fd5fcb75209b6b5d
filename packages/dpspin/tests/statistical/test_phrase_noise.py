"""Phrases come out as often as proven, and counts lie in their ranges. False alarms: below 1e-7 per test."""

import pytest
from scipy.stats import binom

from dpspin.boundary.phrases import BETA, PhraseTerms
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.release.secure_noise import SecureNoise, _opendp

pytestmark = pytest.mark.statistical
TERMS = PhraseTerms(loss=PrivacyLoss(1.0, 0.02), unit="user", per_unit=1, denominator=1)
DRAWS = 100_000
ALARM = 1e-8


def is_plausible(shown, chance):
    return min(binom.cdf(shown, DRAWS, chance), binom.sf(shown - 1, DRAWS, chance)) > ALARM


def shown_by_the_library():
    """Show counts that equal the threshold as well, as OpenDP 0.16 does beside a map that forgets them."""
    dp = _opendp()
    table = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T="i64"))
    distance = dp.l01inf_distance(dp.absolute_distance(T="i64"))
    made = dp.m.make_laplace_threshold(table, distance, scale=TERMS.scale, threshold=TERMS.threshold)
    return len(made({str(each): 1 for each in range(DRAWS)}))


def test_a_phrase_of_one_unit_comes_out_as_often_as_delta_says():
    shown = SecureNoise().above_threshold({str(each): 1 for each in range(DRAWS)}, TERMS)
    assert min(shown.values()) == TERMS.threshold + 1
    assert is_plausible(len(shown), TERMS.above(TERMS.threshold - 1))
    assert not is_plausible(shown_by_the_library(), TERMS.above(TERMS.threshold - 1))


@pytest.mark.parametrize("count", [TERMS.threshold, TERMS.threshold + 3])
def test_noise_has_its_law_at_every_count(count):
    shown = SecureNoise().above_threshold({str(each): count for each in range(DRAWS)}, TERMS)
    far = sum(value > count + 2 for value in shown.values())
    assert is_plausible(far, TERMS.above(2))
    assert not is_plausible(far, TERMS.above(3))


def test_all_ranges_hold_together_as_often_as_they_say():
    """Hard collections: as many phrases as can be at the count where a range of this width is missed most easily."""
    terms = PhraseTerms(loss=PrivacyLoss(1.0, 2e-4), unit="user", per_unit=2, denominator=100)

    def is_kept(width):
        hardest = terms.threshold - width
        counts = {str(each): hardest for each in range(200 // hardest)}
        shown = (SecureNoise().above_threshold(counts, terms) for _ in range(4000))
        missed = sum(any(value - width > hardest for value in each.values()) for each in shown)
        return binom.sf(missed - 1, 4000, BETA / 2) > ALARM

    assert is_kept(terms.below)
    assert not is_kept(terms.below // 2)
