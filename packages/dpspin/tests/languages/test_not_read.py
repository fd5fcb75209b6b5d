"""Records in a language that the map does not read have a coordinate of their own, inside the same bound."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import yaml

import dpspin
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.assign.contribution import row_sums
from dpspin.curator.assign.recipes import MapKind, Recipe, fit_by_recipe
from dpspin.errors import PlanError, RequestError

HERE = Path(__file__).parent
FOREIGN = yaml.safe_load((HERE / "foreign.yaml").read_text())
ENGLISH = [record["text"] for record in yaml.safe_load((HERE.parent / "truth" / "support-tickets.yaml").read_text())]
GOLDEN = HERE.parent / "golden" / "before-languages" / "atoms.yaml"


@pytest.fixture(scope="module")
def atoms():
    return dpspin.load_atoms(GOLDEN)


@pytest.fixture(scope="module")
def mapping(atoms):
    return dpspin.fit_map(atoms)


def released(atoms, mapping, texts, tmp_path, **more):
    table = pa.table({"text": texts, "user": [f"u{place}" for place in range(len(texts))]})
    asked = {"unit": dpspin.RecordUnit(), "loss": dpspin.PrivacyLoss(50.0), "denominator": len(texts), **more}
    return dpspin.release(
        table, text="text", atoms=atoms, map=mapping, ledger=tmp_path / "ledger.db", dataset="d", **asked
    )


def test_the_map_states_the_languages_of_its_dictionary(mapping):
    assert mapping.statement.languages == ("en",)
    assert mapping.statement.besides == 2


def test_a_record_in_another_language_has_its_whole_mass_there_and_nothing_else_changes(mapping, atoms):
    texts = ["The parcel is late.", FOREIGN["de"][0], None, "Lovely staff.", FOREIGN["fr"][0]]
    with_rule = mapping(pa.array(texts, pa.large_string()))
    plain = fit_by_recipe(Recipe(languages=()), atoms, None)(pa.array(texts, pa.large_string()))
    foreign = np.isin(with_rule.rows, [1, 4])
    assert with_rule.atoms[foreign].tolist() == [atoms.size + 1] * 2
    assert with_rule.ticks[foreign].tolist() == [TICKS_PER_MASS] * 2
    kept = ~np.isin(plain.rows, [1, 4])
    assert with_rule.atoms[~foreign].tolist() == plain.atoms[kept].tolist()
    assert with_rule.ticks[~foreign].tolist() == plain.ticks[kept].tolist()
    assert (row_sums(with_rule.offsets, with_rule.ticks) <= TICKS_PER_MASS).all()


def test_a_record_is_read_or_not_by_itself_alone(mapping):
    texts = [*FOREIGN["es"][:20], *ENGLISH[:20]]
    together = mapping(pa.array(texts, pa.large_string()))
    for place, text in enumerate(texts):
        alone = mapping(pa.array([text], pa.large_string()))
        mine = slice(together.offsets[place], together.offsets[place + 1])
        assert (alone.atoms.tolist(), alone.ticks.tolist()) == (
            together.atoms[mine].tolist(),
            together.ticks[mine].tolist(),
        )


@pytest.mark.parametrize("language", ["de", "fr", "es"])
def test_a_file_in_another_language_is_said_to_be_unread_before_anything_else(language, atoms, mapping, tmp_path):
    plan = released(atoms, mapping, FOREIGN[language], tmp_path)
    assert plan.not_read.support_low >= 0.94
    told = dpspin.narrate(plan, atoms)
    assert told.verdict.accepted
    assert told.text.startswith("Text that was recognised as not in English was not read, and 9")


def test_english_files_are_read(atoms, mapping, tmp_path):
    plan = released(atoms, mapping, ENGLISH, tmp_path)
    assert plan.not_read.support_high <= 0.03
    assert "not read" in dpspin.narrate(plan, atoms).text


@pytest.mark.parametrize("quantity", [dpspin.Mass(), dpspin.Prevalence(most_atoms=2)], ids=lambda each: each.kind)
@pytest.mark.parametrize(
    "paid",
    [
        (dpspin.Laplace(), dpspin.PrivacyLoss(50.0)),
        (dpspin.Gaussian(), dpspin.PrivacyLoss(50.0, 1e-6)),
        (dpspin.PrivateTopL(), dpspin.PrivacyLoss(50.0, 1e-6)),
        (dpspin.SetSelection(), dpspin.PrivacyLoss(50.0)),
    ],
    ids=lambda each: each[0].kind,
)
def test_every_mechanism_measures_it_for_users_too(paid, quantity, atoms, mapping, tmp_path):
    asked = {"mechanism": paid[0], "loss": paid[1], "quantity": quantity, "size": 2}
    texts = [*FOREIGN["de"][:60], *ENGLISH[:40]]
    unit = {"unit": dpspin.UserUnit(1.0), "user": "user"}
    plan = released(atoms, mapping, texts, tmp_path, **asked, **unit)
    assert abs(plan.not_read.noisy_mass - 60) <= 1 + 15 * plan.statement.noise.std  # one of them is too short to tell
    assert dpspin.SemanticPlan.from_json(plan.to_json()) == plan
    assert dpspin.narrate(plan, atoms).verdict.accepted


def test_the_total_holds_what_was_not_read(atoms, mapping, tmp_path):
    plan = released(atoms, mapping, [*FOREIGN["de"][:50], *ENGLISH[:50]], tmp_path, denominator=dpspin.TotalMass())
    assert plan.not_read.support == pytest.approx(0.5, abs=0.03)


def test_saved_and_loaded_it_is_the_same_map(atoms, mapping, tmp_path):
    dpspin.save_map(mapping, tmp_path / "map")
    loaded = dpspin.load_map(tmp_path / "map", atoms)
    assert loaded.statement == mapping.statement
    assert loaded(pa.array(FOREIGN["de"])).atoms.tolist() == mapping(pa.array(FOREIGN["de"])).atoms.tolist()


def test_any_language_gives_the_map_of_before(atoms):
    """Up to the last bits of a fit, which are the processor's. What was the hybrid then is the map of cues now."""
    texts = pa.array([*FOREIGN["de"], *ENGLISH])
    now = fit_by_recipe(Recipe(MapKind.CUES, languages=()), atoms, None)
    then = dpspin.load_map(GOLDEN.parent / "hybrid.map", atoms)
    assert now.statement.languages == then.statement.languages
    assert now(texts).atoms.tolist() == then(texts).atoms.tolist()
    assert now(texts).ticks == pytest.approx(then(texts).ticks, rel=1e-4)


def test_languages_may_be_chosen_but_not_for_the_papers_map(atoms):
    both = fit_by_recipe(Recipe(languages=("en", "de")), atoms, None)
    assert both.statement.languages == ("de", "en")
    assert (both(pa.array(FOREIGN["de"][:9])).atoms <= atoms.size).all()
    with pytest.raises(RequestError, match="takes every text for readable"):
        Recipe(MapKind.PAPER, languages=("en",))


def test_a_plan_that_hides_what_was_not_read_is_refused(atoms, mapping, tmp_path):
    content = json.loads(released(atoms, mapping, ENGLISH, tmp_path).to_json())
    del content["not_read"]
    with pytest.raises(PlanError, match="not read"):
        dpspin.SemanticPlan.from_json(json.dumps(content))
