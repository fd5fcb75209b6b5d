"""A plan carries corrected shares exactly where its map's confusion is known from real text and all is released."""

import json

import pytest

from dpspin.boundary.estimates import quantify
from dpspin.boundary.mechanisms import PrivateTopL, noise_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.privacy import PrivacyLoss, sensitivity_of
from dpspin.boundary.read_plan import ReaderChoices, read_noise, reread
from dpspin.errors import PlanError
from factories import PAPER_UNIVERSE
from report_cards import MASSES, NONE, PAPER_CARD, READING, leaning, mapped_plan, stated_with

PLAN = mapped_plan(PAPER_CARD)


def test_a_plan_quantifies_every_atom_of_the_dictionary_admitted_or_not():
    assert [one.atom_id for one in PLAN.quantified] == list(PAPER_UNIVERSE.ids)
    assert PLAN.quantified == quantify(MASSES, NONE, PAPER_CARD, noise_std=PLAN.statement.noise.std, beta=0.05)


def test_quantified_shares_stand_beside_the_masses_and_change_none_of_them():
    plain = mapped_plan(None)
    assert PLAN.entries == plain.entries
    assert PLAN.noisy_sketch == plain.noisy_sketch
    assert PLAN.quantified[0].share < MASSES[0] / (sum(MASSES) + NONE)  # the map leans towards this atom


@pytest.mark.parametrize(
    ("card", "none"),
    [
        pytest.param(None, NONE, id="no card"),
        pytest.param(PAPER_CARD.model_copy(update={"real_text": False}), NONE, id="composed records"),
        pytest.param(PAPER_CARD.model_copy(update={"confusion": ()}), NONE, id="no confusion"),
        pytest.param(PAPER_CARD, None, id="a map that does not answer none"),
    ],
)
def test_a_plan_quantifies_nothing_with(card, none):
    assert mapped_plan(card, none=none).quantified == ()


def test_a_private_choice_of_atoms_is_not_quantified():
    mechanism, loss, statement = PrivateTopL(), PrivacyLoss(1.0, 1e-6), stated_with(PAPER_CARD)
    sensitivity = sensitivity_of(statement.unit, statement.adjacency)
    noise = noise_of(mechanism, loss, sensitivity, atoms=4, size=3, besides=1)
    chosen = statement.model_copy(update={"mechanism": mechanism, "loss": loss, "noise": noise})
    plan = read_noise(
        NoisyMasses(MASSES[:3], NONE, positions=(0, 1, 2)), chosen, PAPER_UNIVERSE, READING, software="dpspin test"
    )
    assert plan.uncovered is not None
    assert plan.quantified == ()


def forged(change, plan=PLAN):
    content = json.loads(plan.to_json())
    change(content["quantified"])
    return json.dumps(content)


FORGED = {
    "a share": lambda shares: shares[0].update(share=shares[0]["share"] + 0.001),
    "a lower end": lambda shares: shares[0].update(low=0.0),
    "an upper end": lambda shares: shares[0].update(high=1.0),
    "an atom": lambda shares: shares[0].update(atom_id=18),
    "an order": lambda shares: shares.reverse(),
    "a missing share": lambda shares: shares.pop(),
    "no shares": lambda shares: shares.clear(),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_correction_is_refused(what):
    with pytest.raises(PlanError, match="quantified shares do not follow"):
        SemanticPlan.from_json(forged(FORGED[what]))


def test_a_correction_that_no_real_text_supports_is_refused():
    share = PLAN.quantified[0].model_dump()
    with pytest.raises(PlanError, match="quantified shares do not follow"):
        SemanticPlan.from_json(forged(lambda shares: shares.append(share), mapped_plan(None)))


def test_a_correction_under_another_card_is_refused():
    content = json.loads(PLAN.to_json())
    content["statement"]["contribution_map"]["card"]["confusion"] = leaning(5, lean=0.1)
    with pytest.raises(PlanError, match="quantified shares do not follow"):
        SemanticPlan.from_json(json.dumps(content))


def test_quantified_shares_survive_a_file_and_the_same_reading():
    assert SemanticPlan.from_json(PLAN.to_json()) == PLAN
    assert reread(PLAN, PAPER_UNIVERSE, READING).to_json() == PLAN.to_json()


def test_another_reading_keeps_the_shares_and_a_surer_one_widens_their_intervals():
    again = reread(PLAN, PAPER_UNIVERSE, ReaderChoices(denominator=1000, size=2, beta=0.001))
    assert [one.share for one in again.quantified] == [one.share for one in PLAN.quantified]
    assert all(new.high > old.high for new, old in zip(again.quantified, PLAN.quantified, strict=True))
