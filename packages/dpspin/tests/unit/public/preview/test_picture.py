"""The picture: valid SVG that says in words what it shows, nothing outside its frame."""

import re
from xml.etree import ElementTree as ET

import pytest

from dpspin.boundary.mechanisms import Gaussian, Laplace, PrivateTopL
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit, UserUnit
from dpspin.public.preview.forecast import forecast
from dpspin.public.preview.picture import HEIGHT, WIDTH, picture

SVG = "{http://www.w3.org/2000/svg}"
CASES = {
    "usual": (RecordUnit(), PrivacyLoss(1.0), Laplace(), {}),
    "chosen": (UserUnit(2.0), PrivacyLoss(0.5, 1e-6), PrivateTopL(), {}),
    "hopeless": (RecordUnit(), PrivacyLoss(0.1), Laplace(), {"denominator": 60}),
    "tiny shares": (RecordUnit(), PrivacyLoss(1.0, 1e-9), Gaussian(), {"denominator": 10**9}),
    "tinier shares": (RecordUnit(), PrivacyLoss(1.0), Laplace(), {"denominator": 10**12}),
    "one theme": (RecordUnit(), PrivacyLoss(1.0), Laplace(), {"size": 1}),
}


def drawn(name):
    unit, loss, mechanism, changes = CASES[name]
    shape = {"atoms": 54, "size": 10, "denominator": 10_000} | changes
    return ET.fromstring(picture(forecast(unit, Adjacency.ADD_DROP, loss, mechanism, **shape)))


def words(svg):
    return [text.text for text in svg.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", CASES)
def test_every_curve_and_sign_lies_inside_its_plot(name):
    svg = drawn(name)
    places = [pair.split(",") for line in svg.iter(f"{SVG}polyline") for pair in line.get("points").split()]
    assert places
    assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in places)
    assert all(0 <= float(sign.get("cx")) <= WIDTH for sign in svg.iter(f"{SVG}circle"))


@pytest.mark.parametrize("name", CASES)
def test_the_picture_has_a_title_and_says_what_it_shows(name):
    svg = drawn(name)
    assert svg.get("role") == "img"
    labels = svg.get("aria-labelledby").split()
    named = [part for part in svg if part.get("id") in labels]
    assert [part.tag for part in named] == [f"{SVG}title", f"{SVG}desc"]
    assert all(part.text for part in named)


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_loaded_and_nothing_runs(name):
    svg = drawn(name)
    assert {part.tag.removeprefix(SVG) for part in svg.iter()} <= {
        *("svg", "title", "desc", "style", "rect", "text", "g", "line", "circle", "polyline")
    }
    assert "url(" not in svg.find(f"{SVG}style").text


def test_marks_are_named_with_their_values():
    shown = words(drawn("usual"))
    assert "detection limit 0.0627%" in shown
    assert "95% from 0.0857%" in shown
    assert "values in the right order, 95% from 0.0327%" in shown
    assert "Chance to be listed, if among the 10 largest" in shown


def test_marks_beyond_the_axis_are_named_but_not_drawn():
    svg = drawn("hopeless")
    assert "detection limit 104%" in words(svg)
    signs = [float(sign.get("cy")) for sign in svg.iter(f"{SVG}circle")]
    assert sum(y > 0 for y in signs) == 1  # the right order is within reach; a key's own sign lies at 0


def test_tiny_shares_are_percentages_without_an_exponent():
    for tiny in ("tiny shares", "tinier shares"):
        assert "true support, % of the denominator" in words(drawn(tiny))
        assert not re.search(r"\de-\d+%", " ".join(words(drawn(tiny))))


def test_a_private_choice_promises_only_what_follows_after_it():
    assert "Chance to stand clear of the noise, once chosen" in words(drawn("chosen"))


def test_one_theme_needs_no_plot_of_order():
    assert not any("true gap" in text for text in words(drawn("one theme")))
