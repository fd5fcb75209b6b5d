"""Ways that requests and releases seldom take: each ends in an answer or in one refusal."""

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from dpspin.boundary.atoms import Atom, AuxiliaryText, Provenance
from dpspin.boundary.folders import require_no_lab
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import UserUnit
from dpspin.boundary.request_terms import placed, read_as
from dpspin.curator.ledger.ledger import Ledger, default_ledger
from dpspin.curator.release.measurement import Measurement
from dpspin.errors import PlanError, RequestError
from dpspin.pipeline import release
from dpspin.request import ReleaseRequest
from factories import universe_of
from shop_plans import NOT_READ

ATOMS = universe_of([Atom(id=1, label="late parcel"), Atom(id=2, label="app crash")])
COMMON = {"atoms": ATOMS, "text": "text", "unit": "record", "epsilon": 1, "denominator": 9, "map": "paper"}


def test_a_plan_of_what_was_not_read_states_the_languages():
    plan = json.loads(NOT_READ.to_json())
    plan["statement"]["contribution_map"]["languages"] = []
    with pytest.raises(PlanError, match="what is not read goes with a map that states its languages"):
        SemanticPlan.from_json(json.dumps(plan))


def test_a_dictionary_by_hand_names_no_auxiliary_records():
    with pytest.raises(ValidationError, match="only a dictionary of the source"):
        Provenance(source="handwritten", note="by hand", auxiliary=AuxiliaryText.model_construct())


def test_a_part_that_is_given_whole_takes_no_field_beside_it():
    with pytest.raises(RequestError, match="is given whole"):
        placed({"unit": UserUnit(), "unit.bound": 2.0})


def test_records_are_told_by_fields():
    with pytest.raises(RequestError):
        read_as(Measurement, 5)


def test_auxiliary_users_are_compared_with_users_only():
    with pytest.raises(RequestError, match="it goes with"):
        ReleaseRequest.of("records.csv", **COMMON, auxiliary={"source": "aux.csv", "user": "who"})


def test_the_languages_that_a_map_will_read_are_known_before_it_is_fitted():
    asked = {"data": "records.csv", "text": "text", "unit": "record"}
    assert read_as(Measurement, {**asked, "map": "paper"}).languages_read(ATOMS) == ()
    assert read_as(Measurement, {**asked, "map": {"kind": "hybrid", "languages": "en"}}).languages_read(ATOMS) == (
        "en",
    )


def test_the_ledger_lies_in_the_users_data_folder_unless_it_is_told(monkeypatch, tmp_path):
    monkeypatch.delenv("DPSPIN_LEDGER", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_ledger() == str(tmp_path / "dpspin" / "ledger.db")
    monkeypatch.setenv("DPSPIN_LEDGER", "elsewhere.db")
    assert default_ledger() == "elsewhere.db"


def test_a_folder_that_cannot_be_looked_into_holds_no_mark_of_the_lab():
    require_no_lab(Path("x" * 5000))


@pytest.mark.filterwarnings("ignore::dpspin.errors.NewLedger")
def test_what_another_process_finished_meanwhile_is_handed_out_again(monkeypatch, tmp_path):
    told = {**COMMON, "ledger": str(tmp_path / "ledger.db"), "dataset": "shop"}
    first = release(["late parcel", "app crash"], **told)
    monkeypatch.setattr(Ledger, "stored", lambda *_: None)  # it was not there when this process looked
    assert release(["late parcel", "app crash"], **told) == first
