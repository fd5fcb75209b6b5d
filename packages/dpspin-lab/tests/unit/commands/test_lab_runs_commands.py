"""`dpspin lab run`, `summarise` and `figures` on a hand-made file in the public format."""

import csv
import json
from zipfile import ZipFile

import pytest
import yaml
from typer.testing import CliRunner

from dpspin.cli.main import app
from dpspin.cli.terminal import counting
from dpspin.errors import InputError
from dpspin_lab.commands import evaluation
from fake_llm import FakeWriter

COLUMNS = ("Date received", "Product", "Issue", "Sub-issue", "Consumer complaint narrative", "Complaint ID")
ISSUES = ("Late fees", "Wrong balance", "Closed account", "Rude calls", "Lost card")
RUN = {"dataset": "cfpb", "n_records": 40, "m": 4, "K": 2, "L": 2, "mechanism": "laplace", "epsilon": 1.0}


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data" / "cfpb"
    folder.mkdir(parents=True)
    with (folder / "complaints.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for number in range(200):
            issue = ISSUES[number % 7 % 5]
            narrative = f"Complaint number {number} is about {issue.lower()} at my bank"
            writer.writerow(
                ("2024-01-02" if number % 2 else "2020-01-02", "Bank account", issue, "", narrative, 1000 + number)
            )
    return tmp_path / "data"


def invoke(*arguments):
    return CliRunner().invoke(app, ["lab", *map(str, arguments)])


def test_a_run_from_yaml_its_summary_and_its_figures(data, tmp_path):
    out, config = tmp_path / "out", tmp_path / "run.yaml"
    for mechanism in ("laplace", "gaussian", "private_topL"):
        config.write_text(yaml.safe_dump({**RUN, "mechanism": mechanism}))
        made = invoke("run", config, "--data", data, "--out", out)
        assert made.exit_code == 0, made.output
        [metrics] = out.glob(f"cfpb/runs/record/{made.output.strip().rsplit('/', 1)[-1]}/metrics.json")
        assert json.loads(metrics.read_text())["selected_units"] == 40
    tables = invoke("summarise", "--out", out)
    assert tables.exit_code == 0, tables.output
    assert "cfpb/summaries/record.csv" in tables.output.replace("\n", "")
    drawn = invoke("figures", "heat", "--out", out)
    assert drawn.exit_code == 0, drawn.output
    assert (out / "figures" / "heat_cfpb_record.svg").exists()
    written = [path for path in out.rglob("*") if path.is_file()]
    dictionaries = [path for path in written if path.parent.name == "atoms" or path.name == "atoms.json"]  # are public
    kept = [path for path in written if path not in dictionaries]
    assert {path.suffix for path in kept} == {".txt", ".yaml", ".json", ".npz", ".csv", ".svg", ".png"}
    assert [path.name for path in kept if not says_what_it_is(path)] == []


def says_what_it_is(path):
    """Tell whether a file that is copied out alone still says that it is no release."""
    if path.suffix == ".npz":
        return ZipFile(path).namelist()[0] == "NOT-PRIVATE.npy"
    content = path.read_bytes()
    if path.suffix == ".csv":
        header, *rows = content.splitlines()
        return header.endswith(b",randomness") and all(row.endswith(b",SIMULATED-NOT-PRIVATE") for row in rows)
    if path.name == "summary.txt":
        return b"simulated and not private" in content.split(b".")[0]
    return any(mark in content for mark in (b"SIMULATED-NOT-PRIVATE", b'"private": false'))


@pytest.mark.parametrize("start", [{"split": "time"}, {"assignment_map": "hybrid"}])
def test_a_run_from_another_start_knows_the_truth(data, tmp_path, start):
    config = tmp_path / "run.yaml"
    words = {"decoder_backend": "none", "clean_reference_decoder_backend": "none"}
    config.write_text(yaml.safe_dump({**RUN, **start, **words, "epsilon": 1000}))
    made = invoke("run", config, "--data", data, "--out", tmp_path / "out")
    assert made.exit_code == 0, made.output
    [metrics] = (tmp_path / "out").glob("cfpb/runs/record/*/metrics.json")
    measures = json.loads(metrics.read_text())
    assert start.items() <= measures["config"].items()
    assert 0 <= measures["truth_tv"] <= 1


WRITTEN = {"decoder_backend": "llm", "decoder_contract_mode": "legacy_text", "decoder_model": "tiny"}


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_run_whose_text_a_model_writes_is_summarised_apart_and_made_once(data, tmp_path):
    config, out = tmp_path / "run.yaml", tmp_path / "out"
    config.write_text(yaml.safe_dump({**RUN, **WRITTEN}))
    with FakeWriter(["All is well."]) as server:
        for _ in range(2):
            made = invoke("run", config, "--data", data, "--out", out, "--llm-url", server.url)
            assert made.exit_code == 0, made.output
        assert len(server.heard) == 3
    assert invoke("summarise", "--out", out).exit_code == 0
    [row] = json.loads((out / "cfpb" / "summaries" / "model_record.json").read_text())["rows"]
    assert (row["decoder_model"], row["accepted"], row["named"], row["questions"]) == ("tiny", 1.0, 0.0, 3.0)
    assert json.loads((out / "cfpb" / "summaries" / "record.json").read_text())["rows"] == []
    written = [path for path in out.rglob("*") if path.is_file()]
    kept = [path for path in written if path.parent.name != "atoms" and path.name != "atoms.json"]
    assert [path.name for path in kept if not says_what_it_is(path)] == []


@pytest.mark.parametrize(
    ("fields", "options", "why"),
    [
        (WRITTEN, (), "say where it is served"),
        ({}, ("--llm-url", "http://127.0.0.1:1/v1"), "set decoder_backend to llm"),
        (WRITTEN, ("--llm-url", "https://models.example.org/v1"), "say that all records are public"),
    ],
)
def test_a_model_goes_with_a_run_that_names_it_and_may_read(data, tmp_path, fields, options, why):
    config = tmp_path / "run.yaml"
    config.write_text(yaml.safe_dump({**RUN, **fields}))
    assert why in refused("run", config, "--data", data, "--out", tmp_path / "out", *options)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--decoder-url", "http://127.0.0.1:1/v1"), "give both --decoder-url and --decoder-model"),
        (("--decoder-estimate",), "go with --decoder-url"),
        (("--decoder-plans", "5"), "go with --decoder-url"),
        (("--decoder-at-once", "2"), "go with --decoder-url"),
        (("--decoder-attempts", "2"), "go with --decoder-url"),
        (("--judge-texts", "5"), "go with --judge-url"),
        (("--judge-price-in", "1"), "go with --judge-url"),
        (("--judge-url", "http://127.0.0.1:1/v1", "--judge-model", "a", "--judge-price-in", "1"), "needs both prices"),
        (("--embedder", "static"), "go with --decoder-url"),
        (("--decoder-url", "https://m.example.org/v1", "--decoder-model", "big"), "say that all records are public"),
        (
            ("--decoder-url", "http://127.0.0.1:1/v1", "--decoder-model", "a", "--decoder-price-in", "1"),
            "needs both prices",
        ),
    ],
)
def test_a_writer_that_does_not_fit_is_refused_before_anything_starts(data, tmp_path, options, why):
    assert why in refused("paper", "--data", data, "--out", tmp_path / "out", "--quick", *options)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_an_estimate_prepares_the_records_and_makes_no_run(data, tmp_path):
    out = tmp_path / "out"
    places = ("--data", data, "--out", out, "--quick", "--workers", 1, "--dataset", "cfpb")
    with FakeWriter(["All is well."]) as server:
        writer = ("--decoder-url", server.url, "--decoder-model", "tiny", "--decoder-estimate")
        told = invoke("paper", *places, *writer)
        assert told.exit_code == 0, told.output
        assert server.heard == []  # five themes are too few for a plan of ten, so there is nothing to ask
    assert "tiny: 0 runs, 0 to 0 questions" in told.stderr
    assert list(out.glob("cfpb/prepared/*.npz"))
    assert not (out / "cfpb" / "runs").exists()


def test_a_written_dictionary_that_is_not_there_is_refused(data, tmp_path):
    config = tmp_path / "run.yaml"
    config.write_text(yaml.safe_dump({**RUN, "dictionary": "written"}))
    refused = invoke("run", config, "--data", data, "--out", tmp_path / "out")
    assert "no written dictionary for cfpb" in str(refused.exception)


def test_a_run_into_a_release_folder_is_refused(data, tmp_path):
    (tmp_path / "plan.json").write_text("{}")
    config = tmp_path / "run.yaml"
    config.write_text(yaml.safe_dump(RUN))
    refused = invoke("run", config, "--data", data, "--out", tmp_path / "out")
    assert refused.exit_code != 0
    assert not (tmp_path / "out").exists()


def test_a_data_set_that_is_not_there_is_an_error_that_helps(tmp_path):
    config = tmp_path / "run.yaml"
    config.write_text(yaml.safe_dump(RUN))
    missing = invoke("run", config, "--data", tmp_path, "--out", tmp_path / "out")
    assert missing.exit_code != 0


def refused(*arguments):
    answer = invoke(*arguments)
    assert answer.exit_code != 0
    assert isinstance(answer.exception, InputError), answer.exception
    return str(answer.exception)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"m": 200}, "dictionary of cfpb has 5 atoms here, and the run asks for 200"),
        ({"n_records": 1000}, "strict_sample_size: false takes all there are"),
        (
            {"protected_unit": "user", "n_records": None, "n_users": 9, "B": 1.0, "user_id_field": "reviewer"},
            "it names none, so protect records",
        ),
    ],
)
def test_a_run_that_the_data_do_not_allow_says_what_to_change(data, tmp_path, fields, why):
    config = tmp_path / "run.yaml"
    config.write_text(yaml.safe_dump({**RUN, **fields}))
    assert why in refused("run", config, "--data", data, "--out", tmp_path / "out")


def test_a_folder_without_any_data_set_is_refused(tmp_path):
    assert "none of the folders cfpb, amazon and yelp" in refused("grid", "--data", tmp_path, "--out", tmp_path / "out")


def test_data_sets_without_a_folder_are_said_and_left_out(data, tmp_path, capsys):
    assert evaluation._there(data) == [evaluation.DatasetName.CFPB]
    told = capsys.readouterr().err
    assert "amazon: there is no folder" in told
    assert "yelp: there is no folder" in told
    assert "cfpb" not in told.replace(str(data), "")


def test_a_data_set_that_is_asked_for_by_name_must_be_there(data, tmp_path):
    asked = ("--data", data, "--out", tmp_path / "out", "--quick", "--workers", 1)
    assert "All_Beauty.jsonl is missing" in refused("probe", *asked, "--dataset", "amazon")


def test_a_file_that_is_missing_is_said_before_other_data_sets_are_prepared(data, tmp_path):
    (data / "yelp").mkdir()
    (data / "yelp" / "yelp_academic_dataset_review.json").write_text("{}\n")
    told = refused("paper", "--data", data, "--out", tmp_path / "out", "--quick", "--workers", 1)
    assert "yelp_academic_dataset_business.json is missing" in told
    assert not (tmp_path / "out").exists()


def test_nothing_to_summarise_is_an_error(tmp_path):
    assert "holds no runs; make some first" in refused("summarise", "--out", tmp_path)


def test_a_stopped_evaluation_says_that_nothing_is_lost(capsys):
    with pytest.raises(KeyboardInterrupt), evaluation._to_be_continued():
        raise KeyboardInterrupt
    assert "the same command goes on from there" in capsys.readouterr().err


def test_a_log_file_hears_of_every_tenth(capsys):
    with counting("runs", 40) as tell:
        for _ in range(40):
            tell(1)
    told = capsys.readouterr().err.splitlines()
    assert (len(told), told[0], told[-1]) == (10, "runs: 4 of 40", "runs: 40 done")


def test_a_family_without_runs_says_so(data, tmp_path):
    config = tmp_path / "run.yaml"
    config.write_text(yaml.safe_dump(RUN))
    assert invoke("run", config, "--data", data, "--out", tmp_path / "out").exit_code == 0
    assert invoke("summarise", "--out", tmp_path / "out").exit_code == 0
    drawn = invoke("figures", "probe", "--out", tmp_path / "out")
    assert (drawn.exit_code, drawn.stdout) == (0, "")
    assert "nothing is drawn" in drawn.stderr
