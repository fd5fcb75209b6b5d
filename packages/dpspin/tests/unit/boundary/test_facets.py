"""Facets place every cell by itself, and refuse declarations that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from dpspin.boundary.facets import Facet, PeriodFacet
from dpspin.boundary.model_base import explained_as
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.boundary.views import AskedView, ViewChoice, loss_beside_views, loss_of_view, require_viewable, shared_out
from dpspin.curator.check.view_look import facets_asked
from dpspin.errors import RequestError

READ = TypeAdapter(Facet).validate_python
FACETS = [
    READ({"column": "channel", "values": ["app", "web"]}),
    READ({"column": "stars", "cuts": [2, 3.5]}),
    READ({"column": "day", "every": "week", "first": "2025-12-29", "last": "2026-01-11"}),
    READ({"column": "day", "every": "quarter", "first": "2025-11", "last": "2026-04"}),
    READ({"languages": ["en", "de"]}),
]


@given(st.sampled_from(FACETS), st.none() | st.text())
def test_every_cell_has_a_place(facet, cell):
    assert 0 <= facet.place(cell) < len(facet.places)
    assert facet.places[-2:] == ("other", "missing")


@pytest.mark.parametrize(
    ("facet", "cell", "value"),
    [
        (FACETS[0], "App", "other"),
        (FACETS[1], "-inf", "below 2"),
        (FACETS[1], "2", "2 to below 3.5"),
        (FACETS[1], "3.5", "3.5 or more"),
        (FACETS[1], "0x2", "other"),
        (FACETS[2], "2025-12-31T12:00:00", "2026-W01"),
        (FACETS[2], "2026-01-12", "other"),
        (FACETS[2], "20260105", "2026-W02"),
        (FACETS[3], "2025-12-31", "2025-Q4"),
        (FACETS[3], "2026-01-01 00:30:00+01:00", "2025-Q4"),  # in UTC it is still the old year
        (FACETS[3], "0001-01-01T00:00:00+14:00", "other"),  # it has no day in UTC
        (FACETS[3], "2025-10-31", "2025-Q4"),  # the first and the last period are whole, as their names say
        (FACETS[3], "2025-09-30", "other"),
        (READ({"column": "day", "every": "year", "first": 9998, "last": "9999"}), "9999-12-31", "9999"),
        (READ({"column": "pay", "cuts": [1234567, 1234567.5]}), "1234567.2", "1234567 to below 1234567.5"),
        (FACETS[4], " \t", "missing"),
    ],
)
def test_what_a_cell_means(facet, cell, value):
    assert facet.places[facet.place(cell)] == value


@pytest.mark.parametrize(
    "told",
    [
        {"column": "channel", "values": []},
        {"column": "channel", "values": ["app", "app"]},
        {"column": "channel", "values": ["other"]},
        {"column": "stars", "cuts": [3, 2]},
        {"column": "stars", "cuts": [float("nan")]},
        {"column": "day", "every": "fortnight", "first": "2026-01", "last": "2026-02"},
        {"column": "day", "every": "month", "first": "2026-02", "last": "2026-01"},
        {"column": "day", "every": "day", "first": "2020-01", "last": "2026-01"},
        {"column": "day", "every": "month", "first": "2026-01", "last": "2026-02", "zone": "Mars"},
        {"languages": ["klingon"]},
        {"languages": ["en", "en"]},
        {"column": "channel"},
    ],
)
def test_a_declaration_that_is_none_is_refused(told):
    with pytest.raises((ValidationError, RequestError)):
        READ(told)


@given(st.floats(0.01, 20), st.floats(0, 1e-3), st.lists(st.floats(0.01, 0.3), min_size=1, max_size=3))
def test_the_parts_of_a_loss_add_up_to_it(epsilon, delta, shares):
    loss = PrivacyLoss(epsilon, delta)
    views = shared_out([ViewChoice(facet=FACETS[place], share=share) for place, share in enumerate(shares)])
    parts = [loss_beside_views(loss, views), *(loss_of_view(loss, view) for view in views)]
    assert sum(part.epsilon for part in parts) == pytest.approx(epsilon, rel=1e-12)
    assert sum(part.delta for part in parts) == pytest.approx(delta, rel=1e-9, abs=1e-18)


@pytest.mark.parametrize(
    ("choices", "code"),
    [
        ([(FACETS[0], 0.5), (FACETS[1], None)], "request.view-shares"),
        ([(FACETS[0], 0.5), (FACETS[1], 0.5)], "request.view-shares"),
        ([(FACETS[2], None), (FACETS[3], None)], "request.view-names"),
    ],
)
def test_shares_and_names_of_views_must_fit_together(choices, code):
    with pytest.raises(RequestError) as refused:
        shared_out([ViewChoice(facet=facet, share=share) for facet, share in choices])
    assert refused.value.code == code


def test_a_language_is_told_in_words():
    told = TypeAdapter(AskedView).validate_python("language:en,de")
    assert told.facet == FACETS[4]


def test_views_and_a_read_sample_are_refused_together():
    with pytest.raises(RequestError) as refused:
        require_viewable(FACETS[:1], selecting=None, everyone=True, reads=True)
    assert refused.value.code == "request.view-read"


SLIPS = {
    "a month with one digit": (
        "day=month:2026-1..2026-02",
        "`records.views` (view 1, first): this is no day of the calendar",
    ),
    "a month that no year has": (
        "day=month:2026-01..2026-13",
        "(view 1, last): this is no day of the calendar: write one",
    ),
    "a day that no month has": ("day=day:2026-02-30..2026-03-01", "(view 1, first): this is no day"),
    "a calendar backwards": (
        "day=month:2026-03..2026-01",
        "(view 1): a calendar goes from its first day to a later one",
    ),
    "another step": ("day=fortnight:2026-01..2026-02", "(view 1, every) takes day, week, month, quarter or year"),
    "no values": ({"column": "channel"}, "say `records.views` (view 1): a column with `values`"),
    "no last day": ({"column": "d", "every": "day", "first": "2026-01"}, "say `records.views` (view 1, last), which"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_by_the_place_of_the_view_and_in_plain_words(slip):
    told, message = SLIPS[slip]
    with pytest.raises(RequestError) as refused:
        facets_asked([told])
    assert message in str(refused.value)
    assert refused.value.field == "records.views"


def test_a_slip_in_a_calendar_of_a_series_is_told_alike():
    slip = pytest.raises(RequestError, match="the calendar is not valid: first: this is no day of the calendar: write")
    with slip, explained_as(RequestError, "the calendar"):
        PeriodFacet(column="d", every="month", first="June", last="2026-07")
