"""What an analyst does with a plan: look at it, save it, take its values along. Hostile words stay words."""

import sys
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings

from dpspin.boundary import safe_files
from dpspin.boundary.atoms import Atom
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import PlanEntry
from dpspin.boundary.plan_views import FRAME_COLUMNS
from dpspin.errors import InputError, MissingExtra, PlanError, RequestError
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.folder import write_release
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of
from random_plans import plans

SIMULATED = PAPER_PLAN.model_copy(
    update={"statement": PAPER_PLAN.statement.model_copy(update={"randomness": "SIMULATED-NOT-PRIVATE"})}
)
EMPTY = plan_of(PAPER_UNIVERSE, [0.0, 0.0, 0.0, 0.0])


def test_the_largest_come_first():
    assert [entry.label for entry in PAPER_PLAN.top(2)] == ["long wait", "friendly staff"]
    assert PAPER_PLAN.top() == PAPER_PLAN.entries
    assert PAPER_PLAN.top(0) == ()
    with pytest.raises(RequestError, match="zero or more"):
        PAPER_PLAN.top(-1)


def test_the_short_form_is_one_line():
    assert repr(PAPER_PLAN) == (
        "SemanticPlan(title='a test corpus', epsilon=1.0, unit='record', listed=3, "
        "themes='long wait 15.9%, friendly staff 13.6%, food quality 12.2%')"
    )
    assert "title='a test corpus'" in str(PAPER_PLAN)
    assert repr(SIMULATED).startswith("SemanticPlan(randomness='SIMULATED-NOT-PRIVATE'")
    assert "title='restaurant themes'" in repr(PAPER_PLAN.model_copy(update={"title": ""}))


@settings(max_examples=40)
@given(plans())
def test_every_plan_has_a_short_form_of_one_line(released):
    assert len(repr(released.plan).splitlines()) == 1
    assert len(repr(released.plan)) < 400


def test_more_themes_than_are_named_are_hinted_at():
    universe = universe_of([Atom(id=i, label=f"theme {chr(97 + i)}") for i in range(5)])
    assert repr(plan_of(universe, [500.0 - i for i in range(5)])).endswith(", …')")


class Cells(HTMLParser):
    """The words of each row, and every tag."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.tags = [], set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])

    def handle_data(self, data):
        if self.rows:
            self.rows[-1].append(data)


def test_a_notebook_shows_share_interval_and_bar():
    shown = COVERED_PLAN._repr_html_()
    head, none, first, *_ = Cells(shown).rows
    assert head == ["rank", "theme", "share", "without the privacy noise", "support"]
    facts = Facts(COVERED_PLAN, PAPER_UNIVERSE)
    low, high = facts.outward(facts.theme(17))
    assert first == ["1", "long wait", f"{facts.percent(facts.theme(17).share)}%", f"{low}% to {high}%", "high"]
    assert none[0] == "none of these"
    assert "width:10em" in shown
    assert "protects each record with epsilon 1" in shown
    assert "protect nobody" in SIMULATED._repr_html_()


def test_a_delta_is_told():
    loss = PAPER_PLAN.statement.loss.__class__(1.0, 1e-6)
    plan = PAPER_PLAN.model_copy(update={"statement": PAPER_PLAN.statement.model_copy(update={"loss": loss})})
    assert "epsilon 1, delta 1e-06" in plan._repr_html_()


def test_words_of_others_stay_words_in_a_notebook():
    universe = universe_of([Atom(id=0, label="<script>a\u202e</script>")])
    shown = plan_of(universe, [500.0])._repr_html_()
    assert Cells(shown).tags == {"table", "caption", "thead", "tbody", "tr", "th", "td", "div"}
    assert "\u202e" not in shown


def test_a_plan_without_themes_can_be_looked_at():
    assert "<tbody></tbody>" in EMPTY._repr_html_()
    zero = plan_of(PAPER_UNIVERSE, [0.0] * 4, admission="fixed")
    assert "width:0em" in zero._repr_html_()


def test_frames_have_all_fields_of_the_entries_also_without_rows():
    assert list(FRAME_COLUMNS) == list(PlanEntry.model_fields)
    for plan in (PAPER_PLAN, EMPTY):
        rows = [entry.model_dump() for entry in plan.entries]
        assert plan.to_polars().to_dicts() == rows
        assert plan.to_frame().columns.to_list() == plan.to_polars().columns == list(FRAME_COLUMNS)


def test_a_polars_frame_needs_polars(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtra, match=r"dpspin\[frames\]"):
        PAPER_PLAN.to_polars()


@pytest.mark.parametrize("plan", [PAPER_PLAN, COVERED_PLAN, SIMULATED, EMPTY])
def test_a_plan_comes_back_from_its_file_and_its_folder(plan, tmp_path):
    assert plan.save(tmp_path / "mine.json") == tmp_path / "mine.json"
    assert plan.save(str(tmp_path)) == tmp_path / "plan.json"
    assert SemanticPlan.load(tmp_path / "mine.json") == SemanticPlan.load(str(tmp_path)) == plan
    assert (tmp_path / "mine.json").read_text() == plan.to_json()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.json", "plan.json"]


def test_a_plan_is_found_in_a_release_and_in_the_folder_above(tmp_path):
    write_release(tmp_path / "release", PAPER_PLAN, PAPER_UNIVERSE)
    assert SemanticPlan.load(tmp_path) == SemanticPlan.load(tmp_path / "release") == PAPER_PLAN
    assert PAPER_PLAN.save(tmp_path / "release") == tmp_path / "release" / "plan.json"  # the same again
    day = 24 * 60 * 60 * 10**9
    assert {path.stat().st_mtime_ns % day for path in ((tmp_path / "release"), *(tmp_path / "release").iterdir())} == {
        0
    }


def test_a_folder_with_another_plan_is_not_written_over(tmp_path):
    PAPER_PLAN.save(tmp_path)
    with pytest.raises(PlanError, match="holds another plan"):
        COVERED_PLAN.save(tmp_path)
    assert SemanticPlan.load(tmp_path) == PAPER_PLAN
    COVERED_PLAN.save(tmp_path / "plan.json")  # the file itself may be replaced
    assert SemanticPlan.load(tmp_path) == COVERED_PLAN


def test_releases_and_the_lab_stay_apart(tmp_path):
    write_release(tmp_path / "release", PAPER_PLAN, PAPER_UNIVERSE)
    with pytest.raises(PlanError, match="simulated"):
        SIMULATED.save(tmp_path / "release" / "other.json")
    (tmp_path / "NOT-PRIVATE.txt").touch()
    with pytest.raises(InputError, match="results of the lab"):
        PAPER_PLAN.save(tmp_path / "plan.json")


def test_a_plan_that_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    PAPER_PLAN.save(tmp_path / "plan.json")

    def fail(path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(safe_files, "date_to_the_day", fail)
    with pytest.raises(PlanError, match="No space left"):
        COVERED_PLAN.save(tmp_path / "plan.json")
    assert SemanticPlan.load(tmp_path) == PAPER_PLAN
    assert [path.name for path in tmp_path.iterdir()] == ["plan.json"]


@pytest.mark.parametrize("name", ["nowhere/plan.json", "nul\0byte"])
def test_a_place_that_cannot_be_is_named(name, tmp_path):
    with pytest.raises(PlanError, match="cannot write the plan"):
        PAPER_PLAN.save(tmp_path / name)
    with pytest.raises(PlanError, match="cannot read the plan"):
        SemanticPlan.load(tmp_path / name)


def test_a_folder_without_a_plan_and_a_file_that_is_none_are_told(tmp_path):
    with pytest.raises(PlanError, match="holds no plan"):
        SemanticPlan.load(tmp_path)
    (tmp_path / "x.json").write_bytes(b"\xff{")
    with pytest.raises(PlanError, match="is not valid"):
        SemanticPlan.load(tmp_path / "x.json")
