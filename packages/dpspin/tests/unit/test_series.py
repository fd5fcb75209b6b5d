"""A series from its opening to its next life: each period once, from allowances that nobody can wind back."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml

from dpspin.boundary.denominator import TotalMass
from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, UserUnit
from dpspin.boundary.series import SeriesIndex, SeriesTerms
from dpspin.curator.aggregate.allowances import Allowances
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.ledger import open_ledger
from dpspin.curator.release import series_period
from dpspin.curator.release.answer_request import ResolvedRequest
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.errors import BoundViolation, BudgetRefused, InputError, LedgerError, RecordsRefused, RequestError
from dpspin.series import add_period, open_series, renew_series
from shop_plans import CLEAR, SHOP

CALENDAR = PeriodFacet(column="day", every="month", first="2026-01", last="2026-06")
TERMS = SeriesTerms(every=CALENDAR, epsilon=1.0, lifetime_bound=2.0, per_period_bound=1.0)


def rows(month, users=range(40), text="my parcel is late"):
    return [f"{text},u{user},2026-{month:02}-{1 + user % 28:02}" for user in users]


def write(path, *many):
    path.write_text("\n".join(["body,who,day", *(row for rows in many for row in rows)]) + "\n")
    return str(path)


@pytest.fixture
def place(tmp_path):
    (tmp_path / "atoms.txt").write_text("late parcel\nrefund\napp crash\n")
    return tmp_path


def opened(place, name="series", terms=TERMS, **more):
    fields = {"atoms": str(place / "atoms.txt"), "text": "body", "user": "who", "map": "paper", "dataset": "tickets"}
    return open_series(place / name, terms, **fields | {"ledger": str(place / "ledger.db")} | more)


def allowances(place, life=1, name="series"):
    [file] = (place / name / "curator" / f"life-{life}").glob("*.bin")
    return Allowances.from_bytes(file.read_bytes())


def spent(place):
    return float(open_ledger(place / "ledger.db").budget("tickets").spent.epsilon)


def test_a_series_is_charged_once_and_its_periods_are_ordinary_releases(place):
    index = opened(place)
    assert (spent(place), index.periods) == (1.0, ())
    data = write(place / "all.csv", *(rows(month) for month in range(1, 5)))
    for month in (1, 2, 4):
        added = add_period(place / "series", data, f"2026-{month:02}")
        assert added.plan.series.period == f"2026-{month:02}"
    assert spent(place) == 1.0
    found = SeriesIndex.load(place / "series" / "release")
    assert [(each.name, each.life, each.plan) for each in found.periods] == [
        (f"2026-0{month}", 1, f"2026-0{month}/plan.json") for month in (1, 2, 4)
    ]
    plan = SemanticPlan.load(place / "series" / "release" / found.periods[1].plan)
    assert plan.about.period == "2026-02"
    assert plan.statement.noise.scale == pytest.approx(2.0 / 0.9)
    assert {file.name for file in (place / "series/release/2026-02").iterdir()} >= {"report.html", "summary.txt"}
    assert (place / "series" / "curator").stat().st_mode & 0o777 == 0o700


def test_a_user_fades_once_the_allowance_is_used_and_others_do_not(place):
    opened(place)
    data = write(place / "all.csv", *(rows(month, range(5)) * 3 for month in range(1, 5)), rows(4, range(5, 8)))
    for month in (1, 2):
        add_period(place / "series", data, f"2026-{month:02}")
    assert set(allowances(place).used) == {TERMS.lifetime_ticks}  # two periods at a mass of one each
    before = len(allowances(place).used)
    add_period(place / "series", data, "2026-04")
    after = allowances(place)
    assert (before, len(after.used), int(after.used.max())) == (5, 8, TERMS.lifetime_ticks)


def test_a_released_period_is_closed_and_is_given_again_as_it_was(place):
    opened(place)
    first = add_period(place / "series", write(place / "1.csv", rows(1)), "2026-01")
    used = allowances(place).to_bytes()
    (place / "series/release/2026-01/plan.json").unlink()
    again = add_period(place / "series", write(place / "1.csv", rows(1), rows(1, range(99, 120))), "2026-01")
    assert (again.plan, again.answer.diagnostics) == (first.plan, None)
    assert allowances(place).to_bytes() == used
    assert (place / "series/release/2026-01/plan.json").read_text() == first.plan.to_json()


def test_a_skipped_period_stays_skipped_and_an_unknown_one_is_none(place):
    opened(place)
    data = write(place / "all.csv", rows(1), rows(2))
    add_period(place / "series", data, "2026-02")
    with pytest.raises(RequestError, match="closed"):
        add_period(place / "series", data, "2026-01")
    for unknown in ("2026-07", "2026-W07", "January", "other", "missing"):
        with pytest.raises(RequestError, match="no period of the calendar"):
            add_period(place / "series", data, unknown)


def counted_users(place, late):
    terms = SeriesTerms.model_validate(TERMS.model_dump() | {"late": late})
    opened(place, name=late, terms=terms, dataset=late, ledger=str(place / f"{late}.db"))
    add_period(place / late, write(place / f"{late}-1.csv", rows(1)), "2026-01")
    came_later = write(place / f"{late}-2.csv", rows(1, range(50, 60)), rows(2, range(60, 90)), rows(3, range(90, 99)))
    add_period(place / late, came_later, "2026-02")
    return len(allowances(place, name=late).used)


def test_late_records_are_left_out_or_counted_in_the_next_period_and_those_to_come_never(place):
    assert counted_users(place, "refuse") == 40 + 30
    assert counted_users(place, "next") == 40 + 10 + 30


def test_records_outside_of_the_calendar_or_without_a_date_never_count(place):
    opened(place)
    odd = ["my parcel is late,u900,", "my parcel is late,u901,soon", "my parcel is late,u902,2025-01-05"]
    add_period(place / "series", write(place / "1.csv", rows(1, range(3)), odd), "2026-01")
    assert len(allowances(place).used) == 3


# --- what has changed -------------------------------------------------------------------------------------------------


def test_opening_again_is_free_and_other_terms_need_another_folder(place):
    opened(place)
    assert opened(place).terms == TERMS
    assert spent(place) == 1.0
    with pytest.raises(InputError, match="other terms"):
        opened(place, terms=SeriesTerms.model_validate(TERMS.model_dump() | {"epsilon": 2.0}))
    (place / "single" / "release").mkdir(parents=True)
    (place / "single" / "release" / "plan.json").write_text("{}")
    with pytest.raises(InputError, match="single release"):
        opened(place, name="single")


def test_a_budget_that_does_not_cover_the_whole_life_refuses_it(place):
    open_ledger(place / "ledger.db")
    with pytest.raises(BudgetRefused):
        opened(place, budget=0.5)
    assert not (place / "series").exists()


@pytest.mark.parametrize(
    "more",
    [
        {"missing": None, "adjacency": "replace"},
        {"quantity": "prevalence"},
        {"sampling": 0.5},
        {"mechanism": "gaussian"},
        {"views": ["channel=app,web"]},
        {"unit.missing": "own_unit"},
        {"epsilon": 3.0},
        {"map": {"kind": "llm", "url": "http://127.0.0.1:9/v1", "model": "any"}},
        {"denominator": 100},
    ],
)
def test_what_nothing_is_proven_of_or_the_terms_settle_is_refused_before_anything_is_charged(place, more):
    named = {"records.unit.missing" if name == "unit.missing" else name: value for name, value in more.items()}
    with pytest.raises(RequestError):
        opened(place, **{name: value for name, value in named.items() if value is not None})
    assert open_ledger(place / "ledger.db").budget("tickets") is None


def test_noise_that_no_sketch_could_hold_is_refused_before_the_charge(place):
    tiny = SeriesTerms.model_validate(TERMS.model_dump() | {"epsilon": 2e-7, "fading_share": 0.01})
    with pytest.raises(RequestError, match="what is wanted would be wider"):
        opened(place, terms=tiny)
    with pytest.raises(RequestError):
        opened(place, sketches=["a.sketch"])
    assert open_ledger(place / "ledger.db").budget("tickets") is None


def test_what_was_wanted_goes_with_a_period_and_a_period_with_it():
    origin = SketchOrigin.of(SHOP, CLEAR.statement.contribution_map, UserUnit(2.0), Adjacency.ADD_DROP)
    counted = Sketch(np.zeros(origin.coordinates, np.int64), origin, wanted=7)
    spec = ReleaseSpec(loss=PrivacyLoss(1.0), denominator=TotalMass(), size=2)
    with pytest.raises(BoundViolation, match="counted in a series"):
        release_plan(counted, SHOP, spec, SecureNoise())
    with pytest.raises(BoundViolation, match="no period of a series"):
        series_period.step_of(ResolvedRequest("tickets", SHOP, origin, spec))


def test_another_dictionary_calendar_or_rule_than_was_paid_for_is_refused(place):
    opened(place)
    data = write(place / "1.csv", rows(1))
    told = place / "series" / "curator" / "series.yaml"
    as_it_was = told.read_text()
    for change in (
        ("per_period_bound: 1.0", "per_period_bound: 2.0"),
        ("late: refuse", "late: next"),
        ("column: day", "column: date"),
    ):
        told.write_text(as_it_was.replace(*change))
        with pytest.raises((LedgerError, InputError)):
            add_period(place / "series", data.replace("day", "date") if "date" in change[1] else data, "2026-01")
    told.write_text(as_it_was)
    (place / "atoms.txt").write_text("late parcel\nrefund\napp crash\nrude driver\n")
    with pytest.raises(LedgerError, match="knows no life"):
        add_period(place / "series", data, "2026-01")


def test_a_folder_that_is_no_series_or_damaged_is_refused(place):
    with pytest.raises(InputError, match="no series that can be continued"):
        add_period(place / "nothing", "x.csv", "2026-01")
    opened(place)
    (place / "series/curator/series.yaml").write_text(yaml.safe_dump({"request": {}, "lives": []}))
    with pytest.raises((InputError, RequestError)):
        add_period(place / "series", write(place / "1.csv", rows(1)), "2026-01")


# --- lost, restored and forked states ---------------------------------------------------------------------------------


def test_a_lost_restored_or_forked_state_closes_the_life_and_renewing_opens_the_next(place):
    opened(place, budget=5.0)
    one, two, three = (write(place / f"{month}.csv", rows(month)) for month in (1, 2, 3))
    add_period(place / "series", one, "2026-01")
    shutil.copytree(place / "series", place / "older copy")
    add_period(place / "series", two, "2026-02")
    for lost in ("forked", "lost"):
        if lost == "lost":
            shutil.rmtree(place / "series" / "curator" / "life-1")
        folder = place / ("older copy" if lost == "forked" else "series")
        with pytest.raises(LedgerError, match="this life is closed"):
            add_period(folder, three, "2026-03")
    index = renew_series(place / "series", 0.5)
    assert (spent(place), index.terms.epsilon) == (1.5, 0.5)
    added = add_period(place / "series", three, "2026-03")
    assert (added.plan.series.life, added.plan.statement.loss.epsilon) == (2, 0.5)
    assert [each.life for each in SeriesIndex.load(place / "series" / "release").periods] == [1, 1, 2]
    assert len(allowances(place, life=2).used) == 40  # full again before


def test_a_changed_state_is_no_state(place):
    opened(place)
    add_period(place / "series", write(place / "1.csv", rows(1)), "2026-01")
    [file] = (place / "series/curator/life-1").glob("*.bin")
    file.write_bytes(Allowances.full().to_bytes())  # everybody could begin anew
    with pytest.raises(LedgerError, match="this life is closed"):
        add_period(place / "series", write(place / "2.csv", rows(2)), "2026-02")


def test_an_older_ledger_cannot_go_on(place):
    opened(place)
    add_period(place / "series", write(place / "1.csv", rows(1)), "2026-01")
    shutil.copy(place / "ledger.db", place / "older.db")
    add_period(place / "series", write(place / "2.csv", rows(2)), "2026-02")
    shutil.copy(place / "older.db", place / "ledger.db")
    with pytest.raises(LedgerError, match="does not know"):
        add_period(place / "series", write(place / "3.csv", rows(3)), "2026-03")


def test_what_the_curator_may_know_of_a_period_stays_when_it_is_written_again(place):
    opened(place)
    one = write(place / "1.csv", rows(1))
    for _ in range(2):
        add_period(place / "series", one, "2026-01")
        assert json.loads((place / "series/curator/2026-01/diagnostics.json").read_text())


def test_no_life_is_paid_for_in_which_no_period_is_left(place):
    opened(place, budget=5.0)
    add_period(place / "series", write(place / "6.csv", rows(6)), "2026-06")
    with pytest.raises(RequestError, match="no period of this calendar is left"):
        renew_series(place / "series", 2.0)
    assert spent(place) == 1.0


def test_a_renewed_calendar_goes_on_where_the_old_one_ended(place):
    opened(place, budget=5.0)
    add_period(place / "series", write(place / "6.csv", rows(6)), "2026-06")
    renew_series(place / "series", 2.0, first="2026-04", last="2026-09")
    with pytest.raises(RequestError, match="an earlier life went on"):
        add_period(place / "series", write(place / "5.csv", rows(5)), "2026-05")
    added = add_period(place / "series", write(place / "7.csv", rows(7)), "2026-07")
    assert added.plan.series.life == 2
    again = add_period(place / "series", write(place / "6.csv", rows(6)), "2026-06")
    assert (again.plan.series.life, again.answer.diagnostics) == (1, None)
    with pytest.raises(RequestError, match="the next life"):
        renew_series(place / "series", -1.0)


# --- stopped runs -----------------------------------------------------------------------------------------------------


def test_a_run_that_stopped_after_its_reservation_is_resumed_by_the_same_records_only(place, monkeypatch):
    opened(place)
    one, other = write(place / "1.csv", rows(1)), write(place / "other.csv", rows(1, range(7)))

    def dies(*_):
        raise RuntimeError("power cut")

    with monkeypatch.context() as patched:
        patched.setattr(series_period, "release_plan", dies)
        patched.setattr(series_period, "dry_run", lambda *_: None)
        with pytest.raises(RuntimeError):
            add_period(place / "series", one, "2026-01")
    with pytest.raises(RecordsRefused, match="begun with other records"):
        add_period(place / "series", other, "2026-01")
    added = add_period(place / "series", one, "2026-01")
    assert added.plan.series.period == "2026-01"
    assert allowances(place).used.sum() == 40 * 2**30
    assert open_ledger(place / "ledger.db").verify().holds


def test_where_the_records_of_a_stopped_run_are_gone_the_next_period_goes_on_with_what_is_left(place, monkeypatch):
    opened(place)
    with monkeypatch.context() as patched:
        patched.setattr(series_period, "release_plan", lambda *_: 1 / 0)
        patched.setattr(series_period, "dry_run", lambda *_: None)
        with pytest.raises(ZeroDivisionError):
            add_period(place / "series", write(place / "1.csv", rows(1)), "2026-01")
    add_period(place / "series", write(place / "2.csv", rows(2)), "2026-02")
    files = sorted((place / "series/curator/life-1").glob("*.bin"))
    assert Allowances.from_bytes(files[-1].read_bytes()).used.sum() == 2 * 40 * 2**30  # what was reserved is taken
    assert [each.name for each in SeriesIndex.load(place / "series/release").periods] == ["2026-02"]


def test_where_another_period_comes_in_between_its_allowances_are_taken_first(place, monkeypatch):
    opened(place)
    one, two = write(place / "1.csv", rows(1)), write(place / "2.csv", rows(2))
    real, waiting = series_period.take, [True]

    def interrupted(*asked, **more):
        if waiting:
            waiting.clear()
            add_period(place / "series", one, "2026-01")  # another process, while this one counts
        return real(*asked, **more)

    monkeypatch.setattr(series_period, "take", interrupted)
    add_period(place / "series", two, "2026-02")
    assert allowances(place).used.sum() == 2 * 40 * 2**30
    assert [each.name for each in SeriesIndex.load(place / "series/release").periods] == ["2026-01", "2026-02"]


def test_data_that_change_while_they_are_read_take_nothing(place, monkeypatch):
    opened(place)
    data = write(place / "1.csv", rows(1))
    real = series_period._read_into

    def changing(*asked):
        seen = real(*asked)
        Path(data).write_text(Path(data).read_text() + "my parcel is late,u1000,2026-01-05\n")
        return seen

    monkeypatch.setattr(series_period, "_read_into", changing)
    with pytest.raises(RecordsRefused, match="nothing was taken"):
        add_period(place / "series", data, "2026-01")
    assert not (place / "series/curator/life-1").exists()


def test_nothing_private_is_published(place):
    opened(place)
    add_period(place / "series", write(place / "1.csv", rows(1)), "2026-01")
    published = "".join(file.read_text() for file in (place / "series/release").rglob("*") if file.is_file())
    [state] = (place / "series/curator/life-1").glob("*.bin")
    for secret in (state.name.split("-")[2][:16], "u17", '"records": 40'):
        assert secret not in published
    assert json.loads((place / "series/curator/2026-01/diagnostics.json").read_text())["records"] == 40
