"""``dpspin lab baselines`` on a small file in the Bureau's form."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from dpspin.demo.synthetic import generate_tickets
from dpspin.errors import RequestError
from dpspin_lab.commands.lab import app

ISSUES = ("Closing an account", "Trouble during payment", "Incorrect information")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Generated tickets under the Bureau's column names."""
    folder = tmp_path_factory.mktemp("data")
    texts = generate_tickets(400, seed=4).records["text"].to_pylist()
    issues = [ISSUES[min(row % 6, 2)] for row in range(len(texts))]
    (folder / "cfpb").mkdir()
    columns = {
        "Date received": ["2024-05-01"] * len(texts),
        "Product": ["Bank account"] * len(texts),
        "Issue": issues,
        "Sub-issue": [None] * len(texts),
        "Consumer complaint narrative": texts,
        "Complaint ID": list(range(len(texts))),
    }
    table = pa.table(columns).cast(
        pa.schema([(name, pa.int64() if name == "Complaint ID" else pa.string()) for name in columns])
    )
    pq.write_table(table, folder / "cfpb" / "complaints.parquet")
    return folder


def lines_of(data, *options):
    asked = ["baselines", "--data", str(data), "--dataset", "cfpb", "--records", "200", *options]
    result = CliRunner().invoke(app, asked, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout.splitlines()


def test_each_rival_states_its_loss_and_that_it_is_an_experiment(data):
    rows = [json.loads(line) for line in lines_of(data, "--epsilon", "4", "--seed", "1", "--json")]
    assert [(row["method"], row["private"], row["randomness"]) for row in rows] == [
        (method, False, "SIMULATED-NOT-PRIVATE")
        for method in ("keyword_histogram", "category_histogram", "urania", "urania_joint", "urania_public")
    ]
    assert [row["loss"]["epsilon"] for row in rows] == pytest.approx([4.0] * 5)
    assert [row["loss_so_far"]["epsilon"] for row in rows] == pytest.approx([4.0, 8.0, 12.0, 16.0, 20.0])
    assert rows[1]["released"]["entries"][0]["name"] == ISSUES[2]
    assert all(row["unit"] == "record" and row["adjacency"] == "add_drop" and row["summary"] for row in rows)


def test_the_last_line_adds_up_what_all_releases_of_the_same_records_lose(data):
    last = lines_of(data, "--epsilon", "1", "--epsilon", "0.5", "--seed", "1")[-1]
    assert "these 10 releases of the same records lose epsilon 7.5, delta" in last


@pytest.fixture(scope="module")
def reviews(tmp_path_factory):
    """Generated tickets under the names of Amazon's columns."""
    folder = tmp_path_factory.mktemp("reviews")
    tickets = generate_tickets(500, seed=5).records
    columns = {
        "rating": [float(1 + row % 5) for row in range(500)],
        "title": [""] * 500,
        "text": tickets["text"].to_pylist(),
        "parent_asin": [f"b{row}" for row in range(500)],
        "user_id": tickets["user_id"].to_pylist(),
        "timestamp": [1_600_000_000_000 + row for row in range(500)],
    }
    (folder / "amazon").mkdir()
    pq.write_table(pa.table(columns), folder / "amazon" / "All_Beauty.parquet")
    return folder


def of_users(reviews, command, *options):
    asked = [command, "--data", str(reviews), "--dataset", "amazon", "--user", "--records", "80", *options]
    result = CliRunner().invoke(app, asked, catch_exceptions=False)
    assert result.exit_code == 0
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_users_are_protected_where_they_are_named(reviews):
    rows = of_users(reviews, "baselines", "--epsilon", "4", "--seed", "1", "--json")
    assert [row["unit"] for row in rows] == ["user"] * 5
    assert [row["loss"]["epsilon"] for row in rows] == pytest.approx([4.0] * 5)


def test_a_data_set_without_users_is_refused_at_that_level(data):
    with pytest.raises(RequestError, match="no user ids"):
        lines_of(data, "--epsilon", "1", "--user")


def test_the_full_pipeline_releases_all_three_keyword_sets(reviews):
    pytest.importorskip("wordllama")
    rows = of_users(reviews, "urania-full", "--epsilon", "4", "--json")
    assert [row["method"] for row in rows] == ["urania_full_own", "urania_full_public", "urania_full_atoms"]
    assert rows[-1]["loss_so_far"]["epsilon"] == pytest.approx(12.0)
    assert rows[0]["loss"]["draws"][0]["what"] == "keyword set"


def test_a_seed_repeats_a_release_and_none_does_not(data):
    seeded = [lines_of(data, "--epsilon", "1", "--seed", "1") for _ in range(2)]
    assert seeded[0] == seeded[1]
    assert any("os-csprng" in line for line in lines_of(data, "--epsilon", "1"))


def test_figures_are_averages_for_each_epsilon(data):
    lines = lines_of(data, "--epsilon", "1", "--epsilon", "8", "--draws", "3", "--json")
    rows = [json.loads(line) for line in lines]
    assert [row["epsilon"] for row in rows] == [1.0] * 5 + [8.0] * 5
    assert all(row["private"] is False and row["randomness"] == "SIMULATED-NOT-PRIVATE" for row in rows)
    assert rows[5]["head"] >= rows[0]["head"]
    assert lines_of(data, "--epsilon", "1", "--draws", "1")[0].startswith("SIMULATED-NOT-PRIVATE: means of 1 ")


def test_a_release_whose_noise_can_be_taken_off_goes_to_no_model_elsewhere(data):
    with pytest.raises(RequestError, match="--records-are-public"):
        lines_of(
            data, "--epsilon", "1", "--seed", "3", "--llm-url", "https://models.example.org/v1", "--llm-model", "big"
        )


@pytest.mark.parametrize(
    "options", [("--llm-model", "tiny"), ("--llm-url", "http://127.0.0.1:9/v1"), ("--llm-endpoint-is-trusted",)]
)
def test_half_a_language_model_is_refused(data, options):
    with pytest.raises(RequestError, match="needs an address"):
        lines_of(data, "--epsilon", "1", *options)


def test_figures_need_no_language_model(data):
    with pytest.raises(RequestError, match="writes no text"):
        lines_of(data, "--epsilon", "1", "--draws", "2", "--llm-url", "http://127.0.0.1:9/v1", "--llm-model", "tiny")


@pytest.mark.parametrize("epsilon", ["-1", "0", "nan"])
def test_what_is_no_loss_is_refused_before_the_records_are_read(tmp_path, epsilon):
    with pytest.raises(RequestError, match="epsilon must be a finite number above zero"):
        lines_of(tmp_path, "--epsilon", epsilon)
