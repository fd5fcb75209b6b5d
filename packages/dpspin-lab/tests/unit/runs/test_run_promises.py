"""A run states its utility certificate and, where labels are atoms, which step each part of its error comes from."""

import numpy as np
import pytest

from dpspin.boundary.privacy import RecordUnit
from dpspin.curator.assign.calibrated_fits import hybrid_fitting
from dpspin.curator.assign.calibrated_map import contributions_of
from dpspin.curator.assign.labelled_texts import read_labels
from dpspin.errors import RequestError
from dpspin_lab.runs.config import MechanismName
from dpspin_lab.runs.mapped_records import Mapped
from dpspin_lab.runs.prepared import start_of
from dpspin_lab.runs.run import run
from labelled_runs import hybrid_prepared, labelled_prepared, labelled_split
from tiny_runs import UNIVERSE, record_run, tiny_prepared, user_run

NO_WORDS = {"decoder_backend": "none", "clean_reference_decoder_backend": "none"}
ALL = pytest.mark.parametrize("mechanism", MechanismName)


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory):
    return hybrid_prepared(tmp_path_factory.mktemp("prepared"))


def measured(prepared, **fields):
    config = record_run(**{**NO_WORDS, **fields})
    return run(config, start_of(config, prepared)).measures


@ALL
def test_only_a_release_has_a_certificate(mechanism):
    measures = measured(tiny_prepared(), mechanism=mechanism)
    certified = mechanism not in {MechanismName.PUBLIC_ONLY, MechanismName.LAPLACE_EB}
    assert ("promised_loss" in measures) == certified
    if certified:
        assert measures["loss_inside"] == (measures["support_mass_loss"] <= measures["promised_loss"])
        assert measures["value_error_inside"] == (measures["error_max"] <= measures["promised_value_error"])


def test_the_certificate_is_the_papers():
    measures = measured(tiny_prepared(), epsilon=2.0)
    assert measures["promised_value_error"] == pytest.approx(np.log(7 / 0.05) / 2, rel=0.01)  # Laplace, m = 7
    assert measures["promised_loss"] == pytest.approx(2 * 3 * measures["promised_value_error"], rel=0.01)  # 2 L alpha


def test_without_labels_there_is_no_truth():
    assert not any(name.startswith("truth_") for name in measured(tiny_prepared()))


@ALL
def test_the_parts_add_up_to_the_error(mechanism):
    measures = measured(labelled_prepared(), mechanism=mechanism)
    lost = sum(measures[f"truth_lost_{step}"] for step in ("mapping", "clipping", "noise"))
    assert measures["truth_overlap"] == pytest.approx(1 - lost)
    whole = mechanism in {MechanismName.LAPLACE, MechanismName.GAUSSIAN, MechanismName.PUBLIC_ONLY}
    if whole:
        parts = sum(measures[f"truth_tv_{step}"] for step in ("mapping", "clipping", "noise"))
        assert measures["truth_tv"] == pytest.approx(parts)
        assert 0 <= measures["truth_tv"] <= 1
    if mechanism in {MechanismName.PRIVATE_TOP_L, MechanismName.LAPLACE_EB}:
        assert "truth_tv" not in measures


def test_with_much_budget_the_maps_error_is_what_is_left():
    measures = measured(labelled_prepared(), epsilon=1e6)
    assert measures["truth_tv_noise"] == pytest.approx(0, abs=1e-4)
    assert measures["truth_tv_mapping"] == pytest.approx(measures["truth_tv"], abs=1e-4)
    assert measures["truth_tv"] > 0.05


def test_clipping_users_is_an_error_of_its_own():
    config = user_run(epsilon=1e6, B=0.2, **NO_WORDS)
    measures = run(config, start_of(config, labelled_prepared())).measures
    assert abs(measures["truth_tv_clipping"]) > 1e-3


def test_what_the_public_only_plan_has_wrong_was_wrong_from_the_first():
    measures = measured(labelled_prepared(), mechanism="public_only")
    assert measures["truth_tv"] == measures["truth_tv_mapping"] > 0
    assert measures["truth_lost_noise"] == measures["truth_lost_clipping"] == 0


def test_the_auxiliary_labels_stand_beside_the_public_only_plan():
    measures = measured(labelled_prepared(), mechanism="public_only")
    prepared = labelled_prepared()
    config = record_run(mechanism="public_only", **NO_WORDS)
    stated, true = prepared.auxiliary_truth.ticks(RecordUnit())[:7], start_of(config, prepared).true
    assert measures["labels_tv"] == pytest.approx(np.abs(stated / stated.sum() - true / np.sum(true)).sum() / 2)
    assert 0 < measures["labels_overlap"] <= 1
    assert "labels_tv" not in measured(labelled_prepared())
    assert "labels_tv" not in measured(tiny_prepared(), mechanism="public_only")


def test_auxiliary_records_that_taught_the_map_are_mapped_as_if_they_had_not(hybrid):
    split = labelled_split()
    taught = hybrid_fitting(UNIVERSE, read_labels(UNIVERSE, split.auxiliary.texts, split.auxiliary.paths))
    row_of = {text: row for row, text in enumerate(split.auxiliary.texts)}
    alike = taught.held_out(2)[[row_of[text] for text in split.auxiliary.texts]]  # copies of a text are mapped alike
    held_out, known = (
        Mapped(contributions_of(weights, 2)).ticks(RecordUnit()).tolist()
        for weights in (alike, taught.cut(2).weights(split.auxiliary.texts))
    )
    assert hybrid.auxiliary.ticks(RecordUnit()).tolist() == held_out != known


@ALL
def test_a_map_that_answers_none_is_released_by_every_mechanism(hybrid, mechanism):
    measures = measured(hybrid, mechanism=mechanism, assignment_map="hybrid", epsilon=1e4)
    assert measures["overlap"] <= 1
    assert measures["truth_overlap"] == pytest.approx(1) or mechanism in {"public_only", "laplace_eb"}


def test_a_hybrid_run_has_words_too(hybrid):
    config = record_run(assignment_map="hybrid", epsilon=1e4)
    assert run(config, start_of(config, hybrid)).measures["accepted"]


def test_records_of_another_map_are_refused():
    with pytest.raises(RequestError, match="prepared by the map ngram"):
        start_of(record_run(assignment_map="hybrid"), tiny_prepared())


def test_labels_are_counted_by_record_where_users_are_protected():
    config = user_run(mechanism="public_only", **NO_WORDS)
    assert 0 <= run(config, start_of(config, labelled_prepared())).measures["labels_tv"] <= 1
