"""A run is made from the paper's defaults of each data set, with what is set otherwise."""

import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from dpspin.cli.main import app
from dpspin.errors import InputError, RequestError
from dpspin_lab.datasets import phrase_labels
from dpspin_lab.datasets.registry import AMAZON, CFPB, DATASETS, YELP
from dpspin_lab.runs.config import RunConfig, read_config
from dpspin_lab.runs.templates import template, with_settings
from dpspin_lab.studies.simulated_releases import AMAZON_SUPPORT, YELP_SUPPORT

REVIEWS, SMALL = 200, ("n_records=40", "L=5")
SMALLER = ("dictionary=published", *SMALL)
CASES = {
    "cfpb": ("record", ("m=5", *SMALL)),
    "amazon": ("record", SMALLER),
    "yelp": ("record", ("m=50", *SMALLER)),
    "amazon by users": ("user", ("n_users=20", "L=5", "dictionary=published", "assignment_map=names")),
}


def told(corpus, number):
    labels = phrase_labels.published_labels(corpus)
    return f"Review {number}: {labels[number % len(labels)].label}, and {labels[number * 7 % len(labels)].label} again"


def lines(file: Path, rows) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def data(tmp_path):
    folder, who, numbers = tmp_path / "data", [f"u{number % 60}" for number in range(REVIEWS)], range(REVIEWS)
    lines(
        folder / "amazon/All_Beauty.jsonl",
        (
            {"rating": 5.0, "text": told(phrase_labels.AMAZON, number), "user_id": user, "timestamp": 10**12 + number}
            for number, user in zip(numbers, who, strict=True)
        ),
    )
    lines(folder / "yelp/yelp_academic_dataset_business.json", [{"business_id": "b", "categories": "Restaurants"}])
    lines(
        folder / "yelp/yelp_academic_dataset_review.json",
        (
            {"review_id": f"r{number}", "user_id": user, "business_id": "b", "stars": 4.0, "date": "2020-01-02"}
            | {"text": told(phrase_labels.YELP, number)}
            for number, user in zip(numbers, who, strict=True)
        ),
    )
    columns = "Date received,Product,Issue,Sub-issue,Consumer complaint narrative,Complaint ID\n"
    rows = (f"2020-01-02,Loan,Issue {n % 7},,Complaint number {n} of issue {n % 7} at my bank,{n}\n" for n in numbers)
    (folder / "cfpb").mkdir()
    (folder / "cfpb/complaints.csv").write_text(columns + "".join(rows))
    return folder


def lab(*arguments):
    done = CliRunner().invoke(app, ["lab", *map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.output.strip()


@pytest.mark.parametrize("case", CASES)
def test_a_run_is_made_from_each_template(case, data, tmp_path):
    (unit, settings), (name, *_) = CASES[case], case.split()
    (tmp_path / "run.yaml").write_text(lab("template", name, "--unit", unit))
    options = [word for setting in settings for word in ("--set", setting)]
    folder = Path(lab("run", tmp_path / "run.yaml", "--data", data, "--out", tmp_path / "out", *options))
    made = read_config(folder / "config.yaml")
    assert made == with_settings(template(DATASETS[name], unit), settings)
    assert len(json.loads((folder / "private_plan.json").read_text())["entries"]) == 5


@pytest.mark.parametrize(
    ("kind", "unit", "papers"),
    [
        (CFPB, "record", {"n_records": 1000, "m": 200}),
        (AMAZON, "record", {"n_records": 10_000, "m": 46}),
        (AMAZON, "user", {"n_users": 5000, "m": 46, "B": 1.0, "user_id_field": "user_id"}),
        (YELP, "user", {"n_users": 5000, "m": 100, "B": 1.0, "user_id_field": "user_id"}),
    ],
)
def test_a_template_has_the_papers_defaults(kind, unit, papers):
    usual = {"K": 3, "L": 10, "epsilon": 1.0, "delta": 1e-6, "mechanism": "gaussian", "adjacency": "add_drop"}
    usual |= {"decoder_backend": "template", "dictionary": "built", "assignment_map": "ngram"}
    written = yaml.safe_load(template(kind, unit).to_yaml())
    assert {name: written[name] for name in usual | papers} == usual | papers
    assert written["public_denominator"] == papers.get("n_users", papers.get("n_records"))


def test_the_denominator_follows_the_size_unless_it_is_told():
    config = template(AMAZON, "record")
    assert with_settings(config, ["n_records=500"]).public_denominator == 500
    assert with_settings(config, ["n_records=500", "public_denominator=600"]).public_denominator == 600
    assert with_settings(config, ["epsilon=0.5"]) == RunConfig(**{**config.model_dump(), "epsilon": 0.5})


@pytest.mark.parametrize("settings", [["decoder_backend=llm"], ["decoder_backend=claims"]])
def test_a_decoder_is_set_with_what_it_implies_and_unset_again(settings):
    config = template(AMAZON, "record")
    written = with_settings(config, [*settings, "decoder_model=small"])
    assert written.clean_reference_decoder_backend == written.decoder_backend
    assert (written.decoder_contract_mode == "structured_claims") == (written.decoder_backend == "claims")
    assert with_settings(written, ["decoder_backend=template"]) == config
    assert with_settings(config, ["decoder_backend=none"]).clean_reference_decoder_backend == "none"


def test_a_contract_that_was_chosen_is_kept_where_another_decoder_writes():
    legacy = with_settings(template(AMAZON, "record"), ["decoder_contract_mode=legacy_text"])
    assert with_settings(legacy, ["decoder_backend=llm", "decoder_model=small"]).decoder_contract_mode == "legacy_text"


@pytest.mark.parametrize("setting", ["epsilon", "=1", "m=[1, 2]", "epsilon={", "seed=2026-99-99"])
def test_a_setting_that_cannot_be_read_is_refused(setting):
    with pytest.raises(RequestError, match="--set"):
        with_settings(template(AMAZON, "record"), [setting])


def test_a_field_that_is_none_is_refused_by_its_name():
    with pytest.raises(InputError, match="colour"):
        with_settings(template(AMAZON, "record"), ["colour=red"])
    with pytest.raises(RequestError, match="names no users"):
        template(CFPB, "user")


@pytest.mark.parametrize(
    ("corpus", "supports"), [(phrase_labels.AMAZON, AMAZON_SUPPORT), (phrase_labels.YELP, YELP_SUPPORT)]
)
def test_the_published_dictionary_is_the_written_ones_labels_and_nothing_else(corpus, supports):
    """The labels of both stand for the same phrases, so that what was labelled by reading is true of either."""
    written, published = phrase_labels.dictionary(corpus), phrase_labels.published(corpus)
    assert [(atom.id, atom.label) for atom in published.atoms] == [(atom.id, atom.label) for atom in written.atoms]
    assert not any(atom.description or atom.cues or atom.examples for atom in published.atoms)
    assert tuple(each.auxiliary_support for each in phrase_labels.published_labels(corpus)) == supports
