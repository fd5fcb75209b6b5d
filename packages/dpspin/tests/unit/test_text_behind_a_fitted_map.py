"""A fitted map keeps no trace of the text that taught it, so a plan claims no more than that one was named."""

import pandas as pd
import pytest

import dpspin
from dpspin.errors import RecordsRefused, RequestError
from dpspin.pipeline import FromAuxiliary
from factories import PAPER_UNIVERSE

LETTERS = [
    f"letter {number} tells of a parcel that was late again, and of the long way that it took round"
    for number in range(40)
]
OTHERS = [
    f"complaint {number}: nobody knows where the refund is, and nobody has answered for weeks" for number in range(20)
]
SPOKEN = [*OTHERS, "the parcel was late, and the refund is late too; this is a text of its own, and a long one"]
PAPER = dpspin.Recipe(dpspin.MapKind.PAPER, 1)


def table(texts):
    return pd.DataFrame({"text": texts})


def text_of(texts):
    return dpspin.Auxiliary(table(texts), text="text")


def asked(tmp_path, contribution_map, **options):
    return dpspin.release(
        table(LETTERS),
        text="text",
        atoms=PAPER_UNIVERSE,
        unit=dpspin.RecordUnit(),
        loss=dpspin.PrivacyLoss(1.0),
        denominator=100,
        ledger=tmp_path / "ledger.db",
        size=1,
        map=contribution_map,
        **options,
    )


def test_a_map_that_was_taught_by_protected_records_is_not_said_to_be_compared(tmp_path):
    taught = dpspin.fit_map(PAPER_UNIVERSE, recipe=PAPER, auxiliary=text_of(LETTERS[:30]))
    plan = asked(tmp_path, taught, auxiliary=text_of(OTHERS))
    assert plan.statement.separation.map_text == "named_not_verified"


def test_the_text_that_is_named_is_compared_all_the_same(tmp_path):
    taught = dpspin.fit_map(PAPER_UNIVERSE, recipe=PAPER, auxiliary=text_of(LETTERS[:30]))
    with pytest.raises(RecordsRefused, match="word for word"):
        asked(tmp_path, taught, auxiliary=text_of(LETTERS[:30]))
    with pytest.raises(RequestError, match="name that text again"):
        asked(tmp_path, taught)


def test_a_map_that_is_fitted_for_the_release_was_compared(tmp_path):
    assert asked(tmp_path, PAPER, auxiliary=text_of(OTHERS)).statement.separation.map_text == "compared"


@pytest.mark.parametrize(("public", "told"), [(False, "(compared with"), (True, "(declared public")])
def test_a_map_that_learned_nothing_has_no_text_whatever_the_baseline_comes_from(tmp_path, public, told):
    fitted = dpspin.fit_map(PAPER_UNIVERSE, recipe=PAPER)
    plan = asked(tmp_path, fitted, auxiliary=text_of(SPOKEN), auxiliary_is_public=public, baseline=FromAuxiliary())
    assert plan.statement.separation.map_text == "no_text"
    assert told in plan.baseline.source


def test_stored_numbers_take_no_baseline_from_a_text_that_was_declared_later(tmp_path):
    first = asked(tmp_path, PAPER, auxiliary=text_of(SPOKEN))
    with pytest.raises(RequestError, match="as at the release"):
        asked(tmp_path, PAPER, auxiliary=text_of(SPOKEN), auxiliary_is_public=True, baseline=FromAuxiliary())
    again = asked(tmp_path, PAPER, auxiliary=text_of(SPOKEN), baseline=FromAuxiliary())
    assert (again.noisy_sketch, again.statement) == (first.noisy_sketch, first.statement)
    assert "(compared with" in again.baseline.source


def test_the_text_of_a_baseline_is_compared_though_the_map_learned_nothing_from_it(tmp_path):
    fitted = dpspin.fit_map(PAPER_UNIVERSE, recipe=PAPER)
    with pytest.raises(RecordsRefused, match="word for word"):
        asked(tmp_path, fitted, auxiliary=text_of([*OTHERS, LETTERS[0]]), baseline=FromAuxiliary())
