"""The label in the fields of others: only fields that they have, only what the plan tells, and the rest is named."""

import json

import pytest

from dpspin.boundary.accounting import AccountStatement
from dpspin.boundary.plan_fields import About
from dpspin.boundary.privacy import UserUnit
from dpspin.errors import RequestError
from dpspin.public.report.label import privacy_label
from dpspin.public.report.label_elsewhere import WITHOUT_COUNTERPART, label_elsewhere
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE, plan_of
from series_plans import SHOP_SERIES
from signed_releases import PLAN

# The components of figure 1 of the draft of SP 800-226, from the top down.
PYRAMID = [
    *("epsilon", "unit_of_privacy", "algorithms_and_correctness", "utility", "bias", "query_model", "threat_model"),
    *("side_channels", "security", "access_control", "data_collection_exposure"),
]
# The fields of the registry's schema, and the values that it allows for some of them.
REGISTRY = {
    "basic": {
        *("name", "data_curators", "description", "intended_use", "data_product_type", "data_product_region"),
        *("data_product_sector", "publication_date"),
    },
    "dp_variant": {"variant_name", "data_domain", "unprotected_quantities"},
    "privacy_loss": {
        *("privacy_unit", "privacy_unit_details", "number_of_privacy_units", "privacy_parameters"),
        "privacy_parameters_details",
    },
    "deployment_model": {
        *("model_name", "model_name_details", "trust_assumptions", "actors", "release_type", "release_type_details"),
        *("data_source_type", "data_source_type_details", "access_type", "access_type_details"),
    },
    "implementation": {
        *("preprocessing_and_hyperparameter_tuning", "mechanisms", "composition", "post_processing", "justification"),
        *("utility", "additional_information"),
    },
    "administrative": {"evidence_sources", "status", "registry_authors", "tier"},
}
REQUIRED = {
    *("url_slug", "basic.name", "basic.data_curators", "basic.description", "basic.intended_use"),
    *("basic.data_product_type", "basic.data_product_region", "basic.publication_date", "administrative.status"),
    *("administrative.registry_authors", "administrative.tier"),
}


def told(plan=PLAN):
    return json.loads(label_elsewhere(plan))


def entry_of(plan=PLAN):
    return told(plan)["deployments_registry"]["entry"]["deployment"]


@pytest.mark.parametrize("plan", [PLAN, COVERED_PLAN, PAPER_PLAN])
def test_only_fields_are_filled_that_the_others_have(plan):
    assert list(told(plan)["nist_sp_800_226"]["components"]) == PYRAMID
    entry = entry_of(plan)
    assert set(entry) == set(REGISTRY)
    assert all(set(part) <= REGISTRY[name] for name, part in entry.items())


def test_what_the_registry_requires_is_filled_or_left_to_the_curator():
    registry = told()["deployments_registry"]
    filled = {f"{name}.{key}" for name, part in registry["entry"]["deployment"].items() for key in part}
    assert filled.isdisjoint(registry["left_to_the_curator"])
    assert filled | set(registry["left_to_the_curator"]) >= REQUIRED


def test_what_was_declared_is_the_curators_word():
    about = About(owner="Care team", date="2026-03-31", period="March 2026")
    basic = entry_of(PLAN.model_copy(update={"about": about}))["basic"]
    assert basic["data_curators"] == [{"data_curator_name": "Care team"}]
    assert basic["publication_date"] == "2026-03-31"
    assert "March 2026" in basic["description"]
    spring = PLAN.model_copy(update={"about": About(date="spring 2026")})
    assert "publication_date" not in entry_of(spring)["basic"]
    assert "basic.publication_date" in told(spring)["deployments_registry"]["left_to_the_curator"]


def test_loss_and_unit_are_the_plans():
    loss = entry_of()["privacy_loss"]
    assert loss["privacy_parameters"] == {"epsilon": PLAN.statement.loss.epsilon}
    assert loss["privacy_unit"] == "Record-level"
    assert loss["number_of_privacy_units"] == 2000
    assert entry_of()["dp_variant"]["variant_name"] == "Pure DP"
    users = plan_of(PAPER_UNIVERSE, [318.4, 271.9, 244.7, 1.3], unit=UserUnit())
    assert entry_of(users)["privacy_loss"]["privacy_unit"] == "User-level"


def test_a_series_has_many_releases():
    assert entry_of()["deployment_model"]["release_type"] == "One release"
    model = entry_of(SHOP_SERIES.released[0])["deployment_model"]
    assert (model["release_type"], model["data_source_type"]) == ("Many releases", "Dynamic")


def test_fields_without_a_counterpart_are_fields_of_the_label():
    fields = {*privacy_label(PLAN).model_dump(), *(f"account.{name}" for name in AccountStatement.model_fields)}
    assert set(WITHOUT_COUNTERPART) <= fields
    assert told()["without_counterpart"] == list(WITHOUT_COUNTERPART)


def test_a_simulation_has_no_label_elsewhere():
    statement = PLAN.statement.model_copy(update={"randomness": "SIMULATED-NOT-PRIVATE"})
    with pytest.raises(RequestError, match="simulated"):
        label_elsewhere(PLAN.model_copy(update={"statement": statement}))


def test_the_command_writes_it(dpspin, tmp_path):
    (tmp_path / "plan.json").write_text(PLAN.to_json())
    (tmp_path / "atoms.json").write_text(PAPER_UNIVERSE.model_dump_json())
    assert dpspin("report", tmp_path / "plan.json", "--label", tmp_path / "label.json").code == 0
    assert (tmp_path / "label.json").read_text() == label_elsewhere(PLAN)
    assert dpspin("report", tmp_path / "plan.json", "--label", tmp_path / "label.txt").code == 2
