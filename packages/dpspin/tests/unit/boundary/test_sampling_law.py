"""The law of a grounded mass: sums of a normal and two Laplace variables, against numerical integration."""

import math
from statistics import NormalDist

import pytest

from dpspin.boundary.grounding import Grounding
from dpspin.boundary.mechanisms import Gaussian, Laplace, noise_of
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit, sensitivity_of
from dpspin.boundary.sampling_law import FEWEST_SQUARES, SamplingLaw, expected_squares, upper_quantile, upper_tail
from dpspin.boundary.statement import NO_TEXTS, MapStatement, PrivacyStatement

RECORD = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
MAP = MapStatement(name="any", fitted_on="nothing", atoms_per_record=None, digest="sha256:any", answers_none=True)


def integrated(std: float, scale: float, other: float, distance: float) -> float:
    """P(N + Z + Z' > t), by adding up the density of Z + Z' times the tail of N."""
    step, reach = 0.01, 40 * max(scale, other)

    def both(z: float) -> float:
        one, two = (each * math.exp(-abs(z) / each) for each in (scale, other))
        return (one - two) / (2 * (scale**2 - other**2))

    places = [step * number for number in range(int(-reach / step), int(reach / step))]
    return step * sum(both(z) * NormalDist(0, std).cdf(z - distance) for z in places)


@pytest.mark.parametrize("case", [(1.0, 1.0, 0.5, 2.0), (3.0, 1.0, 0.2, 9.0), (0.3, 1.0, 2.0, 5.0)])
def test_the_tail_is_that_of_the_sum(case):
    assert upper_tail(*case) == pytest.approx(integrated(*case), rel=2e-3)


def test_equal_scales_have_a_tail_between_those_of_unequal_ones():
    below, same, above = (upper_tail(1.0, 1.0, other, 4.0) for other in (0.999, 1.0, 1.001))
    assert below < same < above


@pytest.mark.parametrize("tail", [0.4, 0.01, 1e-4, 1e-9, 1e-17])
@pytest.mark.parametrize("scales", [(1.0, 1.0, 0.0), (150.0, 50.0, 2.0), (0.01, 3.0, 3.0), (900.0, 1.0, 30.0)])
def test_a_quantile_has_its_tail(scales, tail):
    assert upper_tail(*scales, upper_quantile(*scales, tail)) == pytest.approx(tail, rel=1e-5)


def law(mechanism=Laplace(), *, rate=0.015, size=10, coordinates=51) -> SamplingLaw:  # noqa: B008  it is frozen
    loss = PrivacyLoss(1.0, 1e-6 if mechanism.needs_delta else 0.0)
    statement = PrivacyStatement(
        unit=RecordUnit(),
        adjacency=Adjacency.ADD_DROP,
        loss=loss,
        mechanism=mechanism,
        noise=noise_of(mechanism, PrivacyLoss(0.5, loss.delta), RECORD, atoms=50, size=size, besides=1),
        randomness="SIMULATED-NOT-PRIVATE",
        contribution_map=MAP,
        separation=NO_TEXTS,
        grounding=Grounding(rate=rate, share=0.5, reader="nobody"),
    )
    return SamplingLaw.of(statement, coordinates=coordinates, size=size, beta=0.05)


def test_intervals_reach_further_for_more_coordinates_more_listed_and_more_squares():
    below, above = law().reach(200.0)
    assert law(coordinates=500).reach(200.0)[0] > below
    assert law(size=20).reach(200.0)[1] > above
    assert law().reach(300.0) > (below, above)


def test_the_noise_of_either_mechanism_is_inside_the_reach():
    for mechanism in (Laplace(), Gaussian()):
        reach, alone = law(mechanism).reach(1e-6), law(mechanism)._quantile(1e-6, 0.5 - 1e-6)
        assert min(reach) > 50 > alone  # at least the noise on the sample, which a draw of next to nothing leaves


def test_few_squares_count_as_five_and_a_small_mass_has_no_room_below():
    known = law()
    assert known.drawn_std(0.0) == known.drawn_std(FEWEST_SQUARES / 0.015)
    above = known.reach(known.drawn_std(500.0))[1]
    assert known.half_width(0.0, 500.0) == above / 2


def test_a_map_that_agrees_is_expected_to_leave_no_squares():
    assert expected_squares(100.0, 1.0) == 0
    assert expected_squares(100.0, 0.7) == pytest.approx(30.0)
