"""Views by the text itself from the file on: asked for in every way, on every engine, charged once, told truly."""

import csv
import json

import pytest
from typer.testing import CliRunner

from dpspin.boundary.example_table import examples_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import PoissonSample, UserUnit
from dpspin.cli.main import app
from dpspin.curator.aggregate.shards import sketch_shard
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.release.measurement import Measurement
from dpspin.errors import RequestError
from dpspin.pipeline import release
from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.narrate.narrate import narrate
from dpspin.request import ReleaseRequest
from text_viewed_plans import BY_EXAMPLE, CAFE

pytestmark = pytest.mark.filterwarnings("ignore::dpspin.errors.NewLedger")
TEXTS = ("A long wait: the queue was endless", "long wait, one hour for a table", "good coffee, superb espresso")


@pytest.fixture
def records(tmp_path):
    path = tmp_path / "records.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("who", "body", "channel"))
        for number in range(2000):
            rows.writerow((f"u{number % 800}", TEXTS[(number // 2) % 4 % 3], ("app", "web")[number % 2]))
    return path


def told(tmp_path, **changes):
    usual = {"atoms": CAFE, "text": "body", "unit": "record", "epsilon": 4, "denominator": 2000, "map": "paper"}
    account = {"ledger": str(tmp_path / "ledger.db"), "dataset": "cafe", "budget": 40}
    return {**usual, **account, "examples": True, **changes}


def votes(plan, theme):
    return examples_of(plan, CAFE).votes[theme]


def test_the_nearest_example_is_told_from_the_file_on(records, tmp_path):
    plan = release(str(records), **told(tmp_path))
    assert [(view.facet, view.share) for view in plan.statement.views] == [(BY_EXAMPLE, 0.1)]
    assert votes(plan, 1)[0] == pytest.approx(500, abs=40)
    assert votes(plan, 1)[1] == pytest.approx(1000, abs=40)
    assert len(plan.views[0].columns[0].noisy_masses) == CAFE.size  # nothing beside the themes is measured by example
    assert "[The queue was endless.]" in narrate(plan, CAFE).text
    assert release(str(records), **told(tmp_path)) == plan  # the same numbers again, and free
    assert open_ledger(str(tmp_path / "ledger.db")).require_budget("cafe").spent.epsilon == 4
    assert release(str(records), **told(tmp_path, examples=0.2)).statement.views[0].share == 0.2  # other numbers
    assert open_ledger(str(tmp_path / "ledger.db")).require_budget("cafe").spent.epsilon == 8


def test_it_goes_with_views_by_columns_with_users_and_with_prevalence(records, tmp_path):
    both = release(str(records), **told(tmp_path, views=["channel=app,web"]))
    assert [view.share for view in both.statement.views] == [0.5, 0.1]
    assert votes(both, 1)[1] == pytest.approx(1000, abs=40)
    users = {"unit": UserUnit(bound=1.0), "user": "who", "denominator": 800, "ledger": str(tmp_path / "guests.db")}
    by_user = release(str(records), **told(tmp_path, **users))
    assert sum(sum(votes(by_user, int(atom.id))) for atom in CAFE.atoms) == pytest.approx(800, abs=80)
    counted = release(str(records), **told(tmp_path, **users, quantity="prevalence"))
    assert votes(counted, 1)[1] == pytest.approx(400, abs=200)
    assert narrate(counted, CAFE).verdict.accepted


def test_sketch_files_keep_the_examples(records, tmp_path):
    asked = {"data": str(records), "text": "body", "unit": "record", "map": "paper", "examples": True}
    shard = tmp_path / "shard.sketch"
    sketch_shard(shard, Measurement.model_validate(asked).records(CAFE, None))
    terms = {"atoms": CAFE, "epsilon": 4, "denominator": 2000, "dataset": "cafe"}
    plan = release(sketches=[str(shard)], ledger=str(tmp_path / "ledger.db"), **terms)
    assert votes(plan, 1)[1] == pytest.approx(1000, abs=40)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"mechanism": "set_em"}, "request.view-selected"),
        ({"sampling": PoissonSample(rate=0.5)}, "request.view-sampled"),
        ({"atoms": CAFE.without_examples()}, "request.no-examples"),
        ({"examples": 1.0}, "request.invalid"),
        ({"examples": {"share": 0.6}, "views": ["channel=app,web"]}, "request.view-shares"),
        ({"views": [{"kind": "example", "sentences": "x"}]}, "request.unknown-choice"),
    ],
)
def test_what_is_not_proven_or_cannot_be_is_refused_before_anything_is_charged(records, tmp_path, changes, code):
    with pytest.raises(RequestError) as refused:
        release(str(records), **told(tmp_path, **changes))
    assert refused.value.code == code
    assert not (tmp_path / "ledger.db").exists() or not open_ledger(str(tmp_path / "ledger.db")).overviews()


def test_a_request_without_examples_has_the_digest_that_it_always_had(tmp_path):
    common = {"atoms": "support-tickets", "text": "body", "unit": "record", "epsilon": 1, "denominator": 9}
    plain = ReleaseRequest.of("records.csv", **common)
    assert "examples" not in plain.as_told()["records"]
    asked = ReleaseRequest.of("records.csv", **common, examples=True)
    asked.save(tmp_path / "request.yaml")
    assert ReleaseRequest.load(tmp_path / "request.yaml") == asked
    assert asked.digest != plain.digest
    assert ReleaseRequest.of("records.csv", **common, examples=False).digest == plain.digest


def test_the_command_line_forecasts_and_releases_examples(records, tmp_path):
    (tmp_path / "atoms.json").write_text(dumps(CAFE.published))
    common = ["--atoms", str(tmp_path / "atoms.json"), "--unit", "record", "--denominator", "2000", "--epsilon", "4"]
    common += ["--map", "paper", "--examples"]
    forecast = CliRunner().invoke(app, ["preview", *common, "--json"], catch_exceptions=False)
    [view] = json.loads(forecast.stdout)["views"]
    assert (view["title"], view["values"], view["epsilon"]) == ("examples", 7, 0.4)
    assert view["lead"]["units"] == pytest.approx(17.57, abs=0.01)
    words = CliRunner().invoke(app, ["preview", *common], catch_exceptions=False).stdout
    assert "is named where it leads by" in " ".join(words.split())
    places = ["--out", str(tmp_path / "out"), "--ledger", str(tmp_path / "l.db")]
    asked = ["release", str(records), "--text", "body", *common, *places]
    made = CliRunner().invoke(app, asked, catch_exceptions=False)
    assert made.exit_code == 0, made.output
    folder = tmp_path / "out" / "release"
    assert SemanticPlan.load(folder).schema_version == "6"
    assert "[The queue was endless.]" in (folder / "summary.txt").read_text()
    assert "0.4 for which of our examples are nearest" in (folder / "label.json").read_text()
    assert "our example: The queue was endless." in (folder / "views.csv").read_text()
