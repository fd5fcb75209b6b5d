"""Runs that differ in their seed alone are one row; anything else keeps them apart."""

import csv
import json
import shutil
from statistics import stdev

import pytest

from dpspin.errors import SourceError
from dpspin_lab.runs.config import RunConfig
from dpspin_lab.runs.parallel_runs import runs_folder
from dpspin_lab.runs.prepared import start_of
from dpspin_lab.runs.run import METRICS, run, write_run
from dpspin_lab.runs.summary import KEY, read_runs, read_summary, summarise, summarised, write_table
from tiny_runs import record_run, tiny_prepared, user_run

NO_REASON_TO_PART = {"seed", "strict_sample_size", "user_id_field", "delta"}  # of delta, what is spent is asked
NO_WORDS = {"decoder_backend": "none", "clean_reference_decoder_backend": "none"}


def metrics(config):
    outcome = run(config, start_of(config, tiny_prepared(per_record=config.K)))
    return {"config": config.model_dump(mode="json"), **outcome.measures}


def test_seeds_are_pooled():
    [row] = summarised(metrics(record_run(seed=seed, **NO_WORDS)) for seed in range(4))
    singles = [metrics(record_run(seed=seed, **NO_WORDS))["overlap"] for seed in range(4)]
    assert row["runs"] == 4
    assert row["overlap"] == pytest.approx(sum(singles) / 4)
    assert row["overlap_sd"] == pytest.approx(stdev(singles))
    assert row["accepted"] is None


@pytest.mark.parametrize(
    "other",
    [
        {"epsilon": 2.0},
        {"mechanism": "gaussian"},
        {"mechanism": "laplace_eb"},
        {"K": 3},
        {"L": 2},
        {"n_records": 60},
        {"public_denominator": 500},
        {"rho": 0.3},
        {"delta": 1e-5, "mechanism": "gaussian"},
        {"split": "time"},
        {"dictionary": "written"},
        {"mechanism": "private_topL", "selection_shares": (0.6, 0.3, 0.1)},
        {"comparison_margin": 0.0},
    ],
)
def test_other_runs_are_not(other):
    base = {"mechanism": other["mechanism"]} if {"delta", "selection_shares"} & other.keys() else {}
    rows = summarised([metrics(record_run(**base, **NO_WORDS)), metrics(record_run(**{**other, **NO_WORDS}))])
    assert [row["runs"] for row in rows] == [1, 1]


@pytest.mark.parametrize("name", sorted(RunConfig.model_fields.keys() - NO_REASON_TO_PART))
def test_a_field_of_the_configuration_keeps_runs_apart(name):
    """Whichever it is: the paper's list, and all that a configuration has beyond it."""
    one = metrics(record_run(**NO_WORDS))
    one["config"]["decoder_model"] = "tiny"  # whose settings are told where there is one
    other = {**one, "config": {**one["config"], name: "another"}}
    assert [row["runs"] for row in summarised([one, other])] == [1, 1]


def test_a_run_of_another_version_is_refused():
    old = metrics(record_run(**NO_WORDS))
    del old["config"]["split"]
    with pytest.raises(SourceError, match="CLEAN_RUNS=1"):
        summarised([old])


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"config": 1}'])
def test_a_damaged_run_is_named(tmp_path, content):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "metrics.json").write_text(content)
    with pytest.raises(SourceError, match=r"one/metrics\.json .*make the run again"):
        read_runs(tmp_path)


def test_how_often_the_certificate_held_is_told():
    runs = [metrics(record_run(seed=seed, **NO_WORDS)) for seed in range(4)]
    [row] = summarised([{**one, "loss_inside": place != 0} for place, one in enumerate(runs)])
    assert row["loss_inside"] == 0.75
    assert row["promised_loss"] == pytest.approx(runs[0]["promised_loss"])


def test_runs_with_and_without_words_are_not_pooled():
    assert len(summarised([metrics(record_run()), metrics(record_run(**NO_WORDS))])) == 2


def test_users_have_varying_numbers_of_records_in_one_row():
    runs = [metrics(user_run(seed=seed, **NO_WORDS)) for seed in range(5)]
    counts = [one["effective_records"] for one in runs]
    [row] = summarised(runs)
    assert len(set(counts)) > 1
    assert (row["effective_records_min"], row["effective_records_max"]) == (min(counts), max(counts))
    assert row["effective_records_mean"] == pytest.approx(sum(counts) / 5)
    assert row["effective_records_sd"] > 0
    assert row["n_users"] == 30


def test_a_table_of_runs_with_a_model_says_that_they_are_gone(tmp_path):
    folder, summaries = runs_folder(tmp_path, "tiny", "record") / "one", tmp_path / "tiny" / "summaries"
    summarise(tmp_path, "tiny", "record")
    assert not list(summaries.glob("model_*"))
    one = metrics(record_run(**NO_WORDS))
    for probe in (None, 5):
        config = {**one["config"], "decoder_model": "tiny", "probe_support": probe}
        folder.mkdir(parents=True, exist_ok=True)
        (folder / METRICS).write_text(json.dumps({**one, "config": config}))
        summarise(tmp_path, "tiny", "record")
    [row] = read_summary(summaries / "model_probe_record.json")
    assert row["decoder_model"] == "tiny"
    assert read_summary(summaries / "model_record.json") == []
    shutil.rmtree(folder)
    summarise(tmp_path, "tiny", "record")
    assert read_summary(summaries / "model_probe_record.json") == []


def test_tables_are_written_as_csv_and_json(tmp_path):
    for seed in range(2):
        config = record_run(seed=seed, **NO_WORDS)
        write_run(tmp_path / "runs" / str(seed), run(config, start_of(config, tiny_prepared())))
    rows = summarised(read_runs(tmp_path / "runs"))
    write_table(tmp_path / "summaries", "record", rows, columns=KEY)
    assert read_summary(tmp_path / "summaries" / "record.json") == rows
    with (tmp_path / "summaries" / "record.csv").open() as file:
        [row] = csv.DictReader(file)
    assert set(KEY) < set(row)
    assert (row["runs"], row["randomness"]) == ("2", "SIMULATED-NOT-PRIVATE")
    assert json.loads((tmp_path / "summaries" / "record.json").read_text())["private"] is False
