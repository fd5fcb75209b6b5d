"""The forecast of a reading: narrower with more of everything, the best split is the best, and no file is opened."""

import pytest

from dpspin.boundary.mechanisms import Laplace, PrivateTopL
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit, UserUnit
from dpspin.errors import RequestError
from dpspin.public.preview.forecast import forecast
from dpspin.public.preview.reading_forecast import forecast_reading, render_reading


def asked(epsilon=1.0, mechanism=Laplace(), unit=RecordUnit(), adjacency=Adjacency.ADD_DROP, **more):  # noqa: B008
    loss = PrivacyLoss(epsilon, 1e-6 if mechanism.needs_delta else 0.0)
    return forecast(unit, adjacency, loss, mechanism, atoms=50, size=10, denominator=20_000, besides=1, **more).request


def width(readings=300, agreement=0.7, **more):
    return forecast_reading(asked(**more), readings, 20_000, agreement).widths[2].points


def test_more_readings_more_epsilon_and_a_better_map_make_it_narrower():
    usual = width()
    assert width(readings=1000) < usual
    assert width(epsilon=3.0) < usual
    assert width(agreement=0.9) < usual
    assert width(unit=UserUnit(3.0)) > usual
    assert width(count_share=0.2) > usual


def test_the_split_that_is_chosen_is_as_narrow_as_any_in_the_table():
    found = forecast_reading(asked(), 300, 20_000, 0.7)
    assert found.share == 0.9
    assert found.widths[2].points <= 1.01 * min(each.points for each in found.splits)


def test_the_readings_that_a_wish_needs_give_the_width_and_fewer_do_not():
    found = forecast_reading(asked(), 300, 20_000, 0.7)
    for each in found.needed:
        assert width(readings=each.readings) <= each.points < width(readings=round(0.97 * each.readings))
    assert forecast_reading(asked(epsilon=0.01), 300, 20_000, 0.7).needed[-1].readings is None


def test_it_says_what_it_assumes_and_how_long_it_takes():
    found = forecast_reading(asked(), 300, 20_000, 0.7)
    told = " ".join(render_reading(found, "record").split())
    assert "300 of 20,000 records" in told
    assert "70% of the mass" in told
    assert "1.7 hours" in told


@pytest.mark.parametrize(
    ("more", "readings", "agreement"),
    [
        ({}, 20_000, 0.7),
        ({}, 300, 1.1),
        ({"mechanism": PrivateTopL()}, 300, 0.7),
        ({"adjacency": Adjacency.REPLACE}, 300, 0.7),
    ],
)
def test_what_no_release_would_take_is_refused(more, readings, agreement):
    with pytest.raises(RequestError):
        forecast_reading(asked(**more), readings, 20_000, agreement)
