"""The chart of a plan: bars with their intervals, labels as they are, the same bytes for the same plan, no window."""

import subprocess
import sys
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
from hypothesis import given, settings
from matplotlib.figure import Figure

from dpspin.boundary.atoms import Atom
from dpspin.boundary.plan_views import MISSING, MOST, picture
from dpspin.errors import MissingExtra, RequestError
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of
from random_plans import plans

SIMULATED = PAPER_PLAN.model_copy(
    update={"statement": PAPER_PLAN.statement.model_copy(update={"randomness": "SIMULATED-NOT-PRIVATE"})}
)
HOSTILE = ("$x^2$", "$\\frac", r"\$5", "a_b % {c}", "<b>&", "\\input{x}", "a--b\u202ec", "-->")
MAGIC = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}


def texts_of(svg):
    return [
        "".join(node.itertext()).strip() for node in ElementTree.fromstring(svg).iter() if node.tag.endswith("}text")
    ]


def test_bars_are_shares_and_whiskers_are_intervals():
    axes = PAPER_PLAN.plot()
    assert [bar.get_width() for bar in axes.patches] == pytest.approx([100 * e.support for e in PAPER_PLAN.entries])
    (whiskers,) = axes.collections
    ends = [[point[0] for point in segment] for segment in whiskers.get_segments()]
    assert ends == [pytest.approx([100 * e.support_low, 100 * e.support_high]) for e in PAPER_PLAN.entries]
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "long wait",
        "friendly staff",
        "food quality",
    ]
    assert [text.get_text() for text in axes.texts] == ["15.9%", "13.6%", "12.2%"]
    bottom, top = axes.get_ylim()
    assert bottom > top  # the largest is on top
    assert "what the privacy noise leaves open" in axes.get_xlabel()
    assert axes.get_title(loc="left") == "a test corpus\nprotects each record with epsilon 1"


def test_given_axes_are_drawn_on_and_returned():
    axes = Figure().add_subplot()
    assert PAPER_PLAN.plot(ax=axes) is axes
    assert len(axes.patches) == 3


def test_a_simulation_says_so_in_the_picture():
    assert any("SIMULATED-NOT-PRIVATE" in words for words in texts_of(picture(SIMULATED, "svg")))


@pytest.mark.parametrize("usetex", [False, True])
def test_hostile_labels_are_drawn_as_text(usetex):
    universe = universe_of([Atom(id=i, label=label) for i, label in enumerate(HOSTILE)])
    plan = plan_of(universe, [500.0 - 9 * i for i in range(len(HOSTILE))])
    plan = plan.model_copy(update={"title": "$a$\nb\u202e"})
    with mpl.rc_context({"text.usetex": usetex}):
        found = texts_of(picture(plan, "svg"))
        axes = plan.plot()
        drawn = [*axes.get_yticklabels(), axes._left_title, axes.xaxis.label]
        assert not any(text.get_usetex() or text.get_parse_math() for text in drawn)
    for label in HOSTILE:
        assert label.replace("\u202e", "\\u202e") in found
    assert "$a$ b\\u202e" in found


def test_long_labels_are_broken_and_cut():
    universe = universe_of([Atom(id=0, label="long label " * 25)])
    (label,) = plan_of(universe, [500.0]).plot().get_yticklabels()
    assert label.get_text().count("\n") == 1
    assert "…" in label.get_text()


@pytest.mark.parametrize("label", ["short", "long words " * 20])
@pytest.mark.parametrize("plan", [PAPER_PLAN, SIMULATED])
def test_nothing_is_cut_off_at_the_edge(plan, label):
    renamed = [entry.model_copy(update={"label": label}) for entry in plan.entries]
    title = "a long title of many words " * 9
    axes = plan.model_copy(update={"entries": tuple(renamed), "title": title}).plot()
    axes.figure.draw_without_rendering()
    sheet = axes.figure.bbox
    for text in (*axes.get_yticklabels(), *axes.texts, axes._left_title, axes.xaxis.label):
        box = text.get_window_extent()
        assert sheet.x0 <= box.x0 + 1
        assert box.x1 <= sheet.x1 + 1


def test_an_empty_plan_says_that_nothing_stands_clear():
    assert "no theme stands clear of the noise" in texts_of(picture(plan_of(PAPER_UNIVERSE, [0.0] * 4), "svg"))


def test_very_many_themes_are_cut_and_that_is_said():
    universe = universe_of([Atom(id=i, label=f"theme {i}") for i in range(MOST + 5)])
    axes = plan_of(universe, [900.0 - i for i in range(MOST + 5)], size=MOST + 5).plot()
    assert len(axes.patches) == MOST
    assert f"the {MOST} largest of {MOST + 5} listed themes" in axes.get_title(loc="left")


@pytest.mark.parametrize("kind", MAGIC)
def test_equal_plans_give_equal_files_whatever_the_settings_are(kind):
    first = picture(PAPER_PLAN, kind)
    with mpl.rc_context({"font.size": 20, "svg.fonttype": "path", "savefig.dpi": 20}):
        assert picture(PAPER_PLAN, kind) == first
    assert first.startswith(MAGIC[kind])
    assert b"Date>" not in first
    assert b"CreationDate" not in first


@settings(max_examples=15)
@given(plans())
def test_every_plan_is_a_well_formed_drawing(released):
    ElementTree.fromstring(picture(released.plan, "svg"))


def test_a_letter_that_the_font_lacks_is_told_and_stands_in_an_svg():
    universe = universe_of([Atom(id=0, label="日本")])
    plan = plan_of(universe, [500.0])
    assert "日本" in texts_of(picture(plan, "svg"))
    with pytest.warns(UserWarning, match=MISSING):
        picture(plan, "png")


def test_another_kind_of_file_is_refused():
    with pytest.raises(RequestError, match=r"\.svg, a \.png or a \.pdf"):
        picture(PAPER_PLAN, "gif")


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    for draw in (PAPER_PLAN.plot, lambda: picture(PAPER_PLAN, "svg")):
        with pytest.raises(MissingExtra, match=r"dpspin\[plot\]"):
            draw()


def test_no_window_and_no_state_of_pyplot():
    program = (
        "import sys, factories\nfrom dpspin.boundary.plan_views import picture\n"
        "factories.PAPER_PLAN.plot(); picture(factories.PAPER_PLAN, 'png')\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert ran.stdout.strip() == "False"
