"""Plans whose card says how to correct shares state them; those of earlier versions keep what their card said then."""

import pytest
from pydantic import ValidationError

from dpspin.boundary.corrected_shares import corrected_shares
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.report_card import ReportCard, RivalShares, ShareCorrection
from factories import PAPER_UNIVERSE
from report_cards import MASSES, NONE, PAPER_CARD, mapped_plan

FLAT = ShareCorrection(slope=1.0, offset=0.0, error=0.01)
LESS, MORE = (ShareCorrection(slope=0.5, offset=offset, error=0.02) for offset in (0.0, 0.1))
CORRECTIONS = (LESS, *[FLAT] * (PAPER_UNIVERSE.size - 1), MORE)
RIVALS = RivalShares(labels=0.2, with_map=0.1, passed_on=0.0)
CARD = PAPER_CARD.model_copy(update={"confusion": (), "corrections": CORRECTIONS, "rivals": RIVALS})
PLAN = mapped_plan(CARD)


def test_a_plan_states_the_corrected_share_of_every_atom():
    spread = {"noise_std": PLAN.statement.noise.std, "beta": 0.05}
    assert PLAN.quantified == corrected_shares(MASSES, NONE, CARD, **spread)
    assert [one.atom_id for one in PLAN.quantified] == list(PAPER_UNIVERSE.ids)
    total = sum(MASSES) + NONE
    assert PLAN.quantified[0].share < MASSES[0] / total
    assert PLAN.quantified[0].low < PLAN.quantified[0].share < PLAN.quantified[0].high


def test_a_plan_with_corrected_shares_is_read_again_as_it_was():
    again = SemanticPlan.from_json(PLAN.to_json())
    assert again == PLAN
    assert again.statement.contribution_map.card.rivals == RIVALS


def test_intervals_widen_with_the_noise_and_with_the_error_of_the_labels():
    def width(card=CARD, noise=1.0):
        first = corrected_shares(MASSES, NONE, card, noise_std=noise, beta=0.05)[0]
        return first.high - first.low

    unsure = CARD.model_copy(update={"corrections": (LESS.model_copy(update={"error": 0.1}), *CORRECTIONS[1:])})
    assert width() < width(noise=30.0)
    assert width() < width(unsure)


def test_where_nothing_was_measured_nothing_is_corrected():
    assert corrected_shares([0.0] * len(MASSES), -3.0, CARD, noise_std=1.0, beta=0.05) == ()


def test_a_card_of_before_keeps_its_text():
    assert not {"corrections", "rivals"} & PAPER_CARD.model_dump().keys()


def test_a_card_corrects_all_classes_or_none():
    content = CARD.model_dump() | {"corrections": [one.model_dump() for one in CORRECTIONS[1:]]}
    with pytest.raises(ValidationError, match="one correction for each atom"):
        ReportCard.model_validate(content)
