"""Views from the file on: asked for in words, YAML and Python, charged once, refused where nothing is proven."""

import csv
import json

import pytest
from typer.testing import CliRunner

from dpspin.boundary.atoms import Atom
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import Adjacency, PoissonSample, PrivacyLoss, RecordUnit, UserUnit
from dpspin.boundary.request_terms import read_as
from dpspin.boundary.view_tables import tables_of
from dpspin.boundary.views import View
from dpspin.cli.main import app
from dpspin.curator.aggregate.shards import sketch_shard
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.release.draw_plan import ReleaseSpec, statement_of
from dpspin.curator.release.measurement import Measurement
from dpspin.errors import BoundViolation, RequestError, SourceError
from dpspin.pipeline import release
from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.narrate import narrate
from dpspin.public.report.folder import report
from dpspin.public.report.view_panels import view_pictures
from dpspin.request import ReleaseRequest, SketchRequest
from factories import universe_of

ATOMS = universe_of([Atom(id=1, label="late parcel"), Atom(id=2, label="app crash"), Atom(id=3, label="slow refund")])
BY = ["channel=app,web", "day=month:2026-01..2026-02"]
TEXTS = ("the parcel is late", "an app crash again", "my refund is so slow")


@pytest.fixture
def records(tmp_path):
    path = tmp_path / "records.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("who", "body", "channel", "day"))
        for number in range(3000):
            channel = ("app", "web", "fax", "")[number % 4]
            text = TEXTS[1] if channel == "app" else TEXTS[number % 3]
            rows.writerow((f"u{number % 900}", text, channel, f"2026-0{1 + number % 3}-15"))
    return path


def released(records, tmp_path, **changes):
    told = {"atoms": ATOMS, "text": "body", "unit": "record", "epsilon": 4, "denominator": 3000, "map": "paper"}
    told |= {"ledger": str(tmp_path / "ledger.db"), "dataset": "shop", "budget": 8, "views": BY}
    return release(str(records), **{**told, **changes})


def column(plan, view, value):
    return next(each for each in plan.views[view].columns if each.value == value).noisy_masses


@pytest.mark.filterwarnings("ignore::dpspin.errors.NewLedger")
def test_a_view_tells_where_from_the_file_on(records, tmp_path):
    plan = released(records, tmp_path)
    assert [view.share for view in plan.statement.views] == [0.25, 0.25]
    assert column(plan, 0, "app")[1] == pytest.approx(750, abs=15)
    assert column(plan, 0, "other")[1] == pytest.approx(250, abs=15)
    assert column(plan, 0, "missing")[1] == pytest.approx(250, abs=15)
    assert sum(column(plan, 1, "other")) == pytest.approx(1000, abs=20)
    assert "fax" not in plan.to_json()  # nothing tells what the declaration lacks
    ledger = open_ledger(str(tmp_path / "ledger.db"))
    assert released(records, tmp_path) == plan  # the same numbers again, and free
    assert ledger.require_budget("shop").spent.epsilon == 4
    other = released(records, tmp_path, views=BY[:1])
    assert len(other.views) == 1
    assert ledger.require_budget("shop").spent.epsilon == 8


@pytest.mark.filterwarnings("ignore::dpspin.errors.NewLedger")
def test_users_are_clipped_over_all_values_together(records, tmp_path):
    plan = released(records, tmp_path, unit=UserUnit(bound=0.5), user="who", denominator=900)
    assert sum(map(sum, (each.noisy_masses for each in plan.views[0].columns))) == pytest.approx(450, abs=25)


@pytest.mark.filterwarnings("ignore::dpspin.errors.NewLedger")
def test_where_users_are_counted_nothing_is_said_of_shares_in_a_view(records, tmp_path):
    plan = released(records, tmp_path, unit="user", user="who", quantity="prevalence", denominator=900)
    told, page = narrate(plan, ATOMS), report(plan, ATOMS)
    assert told.verdict.accepted
    assert "told apart from elsewhere" not in told.text
    assert "▲ and ▼" not in page
    [table, _], [picture, _] = tables_of(plan), view_pictures(Facts(plan, ATOMS))
    for panel in picture.panels:
        for lane in panel.lanes:
            low, high = (float(end.replace(",", "")) for end in lane.interval.split(" to "))
            shown = table.cell(panel.atom_id, table.values.index(lane.value)).mass
            assert low <= shown.low <= shown.high <= high


@pytest.mark.filterwarnings("ignore::dpspin.errors.NewLedger")
def test_sketched_views_that_no_report_could_speak_of_are_refused_before_they_are_paid_for(records, tmp_path):
    told = {"data": str(records), "text": "body", "unit": "record", "map": "paper", "views": ["channel=app”,web"]}
    with pytest.raises(RequestError, match="no text can speak of"):
        read_as(SketchRequest, {"atoms": ATOMS, "records": told})
    shard = tmp_path / "shard.sketch"
    sketch_shard(shard, Measurement.model_validate(told).records(ATOMS, None))
    terms = {"atoms": ATOMS, "epsilon": 4, "denominator": 3000, "dataset": "shop"}
    with pytest.raises(RequestError, match="no text can speak of"):
        release(sketches=[str(shard)], ledger=str(tmp_path / "ledger.db"), **terms)
    assert not (tmp_path / "ledger.db").exists()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"mechanism": "set_em"}, "request.view-selected"),
        ({"sampling": PoissonSample(rate=0.5)}, "request.view-sampled"),
        ({"views": ["channel"]}, "request.view-words"),
        ({"views": ["who=cuts:2,3"]}, "request.view-words"),  # these would pass for values, and be paid for
        ({"views": ["day=month:2026-01-2026-02"]}, "request.view-words"),
        ({"views": ["day=2026-01..2026-02"]}, "request.view-words"),
        ({"views": ["channel=app,web; who=cut:2,3"]}, "request.view-words"),
        ({"views": ["channel=app,web", "channel=app"]}, "request.view-names"),
        ({"views": ["channel=app”,web"]}, "request.view-names"),
        ({"views": [{"column": "channel", "values": ["app"], "share": 1.5}]}, "request.invalid"),
        (
            {
                "views": [
                    f"channel={','.join(map(str, range(400)))}",
                    f"day={','.join(map(str, range(400)))}",
                    f"who=cut:{','.join(map(str, range(99)))}",
                ]
            },
            "request.view-cells",
        ),
    ],
)
def test_what_is_not_proven_or_no_view_is_refused_before_anything_is_read(tmp_path, records, changes, code):
    with pytest.raises(RequestError) as refused:
        released(records, tmp_path, **changes)
    assert refused.value.code == code


def test_a_view_by_a_column_that_is_not_there_is_refused(records, tmp_path):
    with pytest.raises(SourceError, match="region"):
        released(records, tmp_path, views=["region=north,south"])


def test_the_request_is_the_same_in_words_in_yaml_and_in_python(tmp_path):
    common = {"atoms": "support-tickets", "text": "body", "unit": "record", "epsilon": 1, "denominator": 9}
    told = ReleaseRequest.of("records.csv", **common, views=BY)
    listed = [
        {"column": "channel", "values": ["app", "web"]},
        {"kind": "period", "column": "day", "every": "month", "first": "2026-01-01", "last": "2026-02-28"},
    ]
    assert ReleaseRequest.of("records.csv", **common, views=listed) == told
    told.save(tmp_path / "request.yaml")
    assert ReleaseRequest.load(tmp_path / "request.yaml") == told
    assert ReleaseRequest.of("records.csv", **common, views=listed[:1]).digest != told.digest


def test_the_command_line_forecasts_and_releases_views(records, tmp_path, monkeypatch):
    (tmp_path / "atoms.json").write_text(dumps(ATOMS.published))
    common = ["--atoms", str(tmp_path / "atoms.json"), "--unit", "record", "--denominator", "3000", "--epsilon", "4"]
    by = ["--by", BY[0], "--by", BY[1]]
    forecast = CliRunner().invoke(app, ["preview", *common, *by, "--map", "paper", "--json"], catch_exceptions=False)
    views = json.loads(forecast.stdout)["views"]
    assert [(view["title"], view["values"], view["epsilon"]) for view in views] == [
        ("channel", 4, 1.0),
        ("day", 4, 1.0),
    ]
    assert views[0]["cell_threshold"]["units"] == pytest.approx(4.764, abs=0.001)  # ln(12 cells / 2 beta) at epsilon 1
    monkeypatch.setenv("COLUMNS", "80")
    words = CliRunner().invoke(app, ["preview", *common, *by, "--map", "paper"], catch_exceptions=False).stdout
    assert "Views, in records" in words
    out = tmp_path / "out"
    made = CliRunner().invoke(
        app,
        [
            "release",
            str(records),
            "--text",
            "body",
            *common,
            *by,
            "--map",
            "paper",
            "--out",
            str(out),
            "--ledger",
            str(tmp_path / "l.db"),
        ],
        catch_exceptions=False,
    )
    assert made.exit_code == 0, made.output
    plan = SemanticPlan.load(out / "release")
    assert len(plan.views) == 2
    assert "Where “channel” is “app”, “app crash” has a larger share" in (out / "release" / "summary.txt").read_text()
    assert (out / "release" / "views.csv").read_text().startswith("view,value,theme")
    assert (
        "totals, and 1 for the themes by channel, 1 for the themes by day"
        in (out / "release" / "label.json").read_text()
    )


def test_views_that_are_not_measured_or_drown_are_refused():
    mapped = NgramMap.fit(ATOMS, PublicWordIdf()).statement
    channel = View(facet={"column": "channel", "values": ["app", "web"]}, share=0.5)
    origin = SketchOrigin.of(ATOMS, mapped, RecordUnit(), Adjacency.ADD_DROP, facets=(channel.facet,))
    unpaid = ReleaseSpec(loss=PrivacyLoss(1.0), denominator=9, size=2)
    with pytest.raises(BoundViolation, match="is paid for"):
        statement_of(origin, unpaid, "os-csprng")
    drowned = ReleaseSpec(loss=PrivacyLoss(1e-9), denominator=9, size=2, views=(channel,))
    with pytest.raises(RequestError, match="wider than any sketch"):
        statement_of(origin, drowned, "os-csprng")


@pytest.mark.filterwarnings("ignore::dpspin.errors.NewLedger")
def test_declared_sizes_are_read_and_not_paid_for(records, tmp_path):
    plain = released(records, tmp_path)
    sized = released(records, tmp_path, sizes={"channel": {"web": 20000, "app": 5000}})
    assert open_ledger(str(tmp_path / "ledger.db")).require_budget("shop").spent.epsilon == 4  # the same numbers, free
    assert (plain.schema_version, sized.schema_version) == ("5", "6")
    assert (sized.views, sized.statement) == (plain.views, plain.statement)
    assert [(each.value, each.size) for each in sized.sizes[0].sizes] == [("app", 5000), ("web", 20000)]
    table, dated = tables_of(sized)
    assert table.cell(2, 0).share.value == pytest.approx(750 / 5000, abs=0.003)
    assert dated.sizes == ()
    assert SemanticPlan.from_json(sized.to_json()) == sized
    assert released(records, tmp_path) == plain  # and with none again


@pytest.mark.filterwarnings("ignore::dpspin.errors.NewLedger")
def test_sizes_give_counted_users_shares_that_can_be_told_apart(records, tmp_path):
    changes = {"unit": "user", "user": "who", "quantity": "prevalence", "denominator": 900}
    plan = released(records, tmp_path, **changes, sizes=["channel=app:500,web:4000"])
    told = narrate(plan, ATOMS)
    assert told.verdict.accepted
    assert "of the declared size" in told.text
    assert "By “channel”, the size of “app” is declared as 500, and was not counted from the records." in told.text


@pytest.mark.parametrize(
    "sizes",
    [
        ["channel"],
        ["channel=app,web"],
        ["channel=app:5000"],
        ["channel=app:5000,web:0x7"],
        ["channel=app:5000,app:6000,web:1"],
        ["channel=app:5000,web:7", "channel=app:1,web:2"],
        ["region=app:5000,web:20000"],
        {"channel": {"app": 5000, "web": 20000, "other": 3}},
    ],
)
def test_sizes_that_fit_no_view_are_refused_before_anything_is_charged(records, tmp_path, sizes):
    with pytest.raises(RequestError) as refused:
        released(records, tmp_path, sizes=sizes)
    assert (refused.value.code, refused.value.field) == ("request.view-sizes", "sizes")
    assert not (tmp_path / "ledger.db").exists()


@pytest.mark.parametrize("size", [0, -3, 1.5, "many", 2**54])
def test_a_size_is_a_whole_number_of_at_least_one(records, tmp_path, size):
    with pytest.raises(RequestError) as refused:
        released(records, tmp_path, sizes={"channel": {"app": size, "web": 2}})
    assert refused.value.code == "request.invalid"


def test_a_request_with_sizes_is_written_and_read_and_one_without_keeps_its_digest(tmp_path):
    common = {"atoms": "support-tickets", "text": "body", "unit": "record", "epsilon": 1, "denominator": 9, "views": BY}
    plain, told = (
        ReleaseRequest.of("records.csv", **common, **more) for more in ({}, {"sizes": ["channel=app:5,web:9"]})
    )
    assert "sizes" not in plain.as_told()
    told.save(tmp_path / "request.yaml")
    assert ReleaseRequest.load(tmp_path / "request.yaml") == told
    assert ReleaseRequest.of("records.csv", **common, sizes={"channel": {"app": 5, "web": 9}}) == told


@pytest.mark.filterwarnings("ignore::dpspin.errors.NewLedger")
def test_a_plan_is_reported_with_sizes_that_are_told_later(records, tmp_path, dpspin):
    plan = released(records, tmp_path)
    (tmp_path / "atoms.json").write_text(dumps(ATOMS.published))
    plan.save(tmp_path / "plan.json")
    ran = dpspin(
        "report", tmp_path / "plan.json", "--sizes", "channel=app:5000,web:20000", "--out", tmp_path / "p.html"
    )
    assert ran.code == 0, ran.err
    assert "is declared as 5,000" in (tmp_path / "p.html").read_text()
    assert dpspin("report", tmp_path / "plan.json", "--sizes", "app:5000", "--out", tmp_path / "q.html").code == 2
