"""A run's YAML has the paper's fields and defaults, and refuses what does not fit together."""

import pytest
import yaml

from dpspin.errors import InputError
from dpspin_lab.runs.config import RunConfig, read_config
from tiny_runs import record_run, user_run


def test_defaults_are_the_papers():
    config = RunConfig(dataset="cfpb", n_records=1000, m=200, mechanism="gaussian", epsilon=1)
    assert (config.K, config.L, config.public_denominator) == (3, 10, 1000)
    assert (config.delta, config.rho) == (1e-6, 0.5)  # ours: the paper prints none
    assert (config.protected_unit, config.strict_sample_size, config.adjacency.value) == ("record", True, "add_drop")
    assert (config.decoder_backend, config.clean_reference_decoder_backend) == ("template", "template")
    assert config.summary_embedding_backend == "none"
    assert (config.split, config.dictionary, config.assignment_map) == ("hash", "built", "ngram")


def test_the_denominator_of_users_is_their_configured_number():
    assert user_run(n_users=30).public_denominator == 30


def test_a_yaml_file_gives_the_same_run_again(tmp_path):
    path = tmp_path / "run.yaml"
    path.write_text(user_run().to_yaml())
    assert read_config(path) == user_run()
    assert path.read_text().startswith("# SIMULATED-NOT-PRIVATE")
    assert {"n_users", "user_id_field", "public_denominator", "strict_sample_size"} < set(
        yaml.safe_load(path.read_text())
    )


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"n_records": None}, "n_records"),
        ({"n_users": 5}, "n_records"),
        ({"n_records": None, "public_denominator": None}, "needs n_records or, at user level, n_users"),
        ({"B": 1.0}, "B and user_id_field"),
        ({"decoder_backend": "none"}, "nothing to compare"),
        ({"mechanism": "public_only"}, "no releases"),
        ({"mechanism": "magic"}, "mechanism"),
        ({"colour": "red"}, "colour"),
        ({"split": "moon"}, "split"),
        ({"selected_value_mechanism": "laplace"}, "private_topL"),
        ({"selection_shares": [0.5, 0.3, 0.2]}, "private_topL"),
        ({"mechanism": "private_topL", "selection_shares": [0.5, 0.5]}, "names 2 rounds, and L is 3"),
        ({"mechanism": "private_topL", "selection_shares": [0.5, 0.3, 0.1]}, "add up to 1"),
        ({"comparison_margin": -1.0}, "comparison_margin"),
        ({"public_denominator": 10**26}, "public_denominator"),
        ({"assignment_map": "hybrid", "probe_support": 5}, "the paper's map"),
        ({"dictionary": "written", "probe_support": 5}, "built dictionary"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, fields, why):
    path = tmp_path / "run.yaml"
    content = {**record_run().model_dump(mode="json"), **fields}
    path.write_text(yaml.safe_dump(content))
    with pytest.raises(InputError, match=why):
        read_config(path)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "line 2"),
        ("seed: 2026-99-99", "impossible date"),
        ("[" * 5000, "nesting"),
        ("m: 1\nm: 2", "stands twice"),
        ("", "no mapping"),
        ("- 1", "no mapping"),
    ],
)
def test_a_file_that_is_no_run_is_refused_and_why_is_said(tmp_path, content, why):
    (tmp_path / "run.yaml").write_text(content)
    with pytest.raises(InputError, match=why):
        read_config(tmp_path / "run.yaml")


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_config(tmp_path / "run.yaml")
