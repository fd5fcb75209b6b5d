"""A map that is not ours is declared by whoever brings it, and named so in plan, label and report."""

import json

import numpy as np
import pandas as pd
import pytest

import dpspin
from dpspin.boundary.atoms import Atom
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.calibrated_fits import fit_embedding
from dpspin.curator.assign.embedders import StaticEmbedder
from dpspin.curator.assign.map_trust import is_ours
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.errors import BoundViolation, RequestError
from dpspin.public.report.label import label_json
from factories import WeightsMap, universe_of
from pages import page_of
from restaurant_dictionary import UNIVERSE as RESTAURANT
from restaurant_dictionary import fitted

ATOMS = universe_of([Atom(id=1, label="late parcel"), Atom(id=2, label="app crash")])
TABLE = pd.DataFrame({"t": ["late parcel", "app crash", "thanks"] * 40})
SENTENCE = "The map was supplied by whoever asked for this release. That it looks at each record alone was tested on"
MINE = WeightsMap(2, lambda text: [text == "late parcel", text == "app crash", text == "thanks"], name="mine")


def asked(tmp_path, contribution_map, atoms=ATOMS):
    return dpspin.release(
        TABLE,
        text="t",
        atoms=atoms,
        unit=dpspin.RecordUnit(),
        loss=dpspin.PrivacyLoss(1.0),
        denominator=120,
        size=1,
        map=contribution_map,
        ledger=tmp_path / "ledger.db",
        dataset="d",
    )


def is_charged(tmp_path):
    return open_ledger(tmp_path / "ledger.db").budget("d") is not None


class Subclass(NgramMap):
    """Ours, but for what it does."""


class LooksLikeOurs:
    __class__ = NgramMap  # for isinstance
    statement = MINE.statement
    universe_digest = ATOMS.digest
    __call__ = MINE.__call__


SUBCLASS = Subclass(**vars(NgramMap.fit(ATOMS, PublicWordIdf())))


@pytest.mark.parametrize("strange", [MINE, SUBCLASS, LooksLikeOurs()], ids=["duck", "subclass", "look-alike"])
def test_a_map_that_is_not_ours_needs_to_be_declared(tmp_path, strange):
    with pytest.raises(RequestError, match=r"give it as dpspin\.OwnMap\(map\)"):
        asked(tmp_path, strange)
    assert not is_charged(tmp_path)
    plan = asked(tmp_path, dpspin.OwnMap(strange))
    assert plan.statement.contribution_map.made_by == "caller"


def test_a_declared_map_is_named_in_plan_label_and_report(tmp_path):
    plan = asked(tmp_path, dpspin.OwnMap(MINE))
    assert json.loads(plan.to_json())["statement"]["contribution_map"]["made_by"] == "caller"
    assert SemanticPlan.from_json(plan.to_json()) == plan
    label = json.loads(label_json(plan))
    assert label["map_made_by"] == "whoever asked for this release"
    assert any(sentence.startswith(SENTENCE) for sentence in label["sentences"])
    assert SENTENCE in page_of(plan, atoms=ATOMS)
    assert plan.statement.contribution_map.digest == "sha256:mine"  # its own word


def test_of_a_map_of_ours_nothing_new_is_said(tmp_path):
    plan = asked(tmp_path, dpspin.fit_map(ATOMS, recipe=dpspin.Recipe(dpspin.MapKind.PAPER)))
    assert "made_by" not in plan.to_json()
    assert json.loads(label_json(plan))["map_made_by"] == "dpspin"
    assert SENTENCE not in label_json(plan)


def test_statements_of_earlier_versions_keep_their_text():
    old = {"name": "m", "fitted_on": "nothing", "atoms_per_record": 3, "digest": "sha256:0", "answers_none": False}
    old |= {"learned_from_auxiliary": False, "trusts": "", "card": None}
    assert MapStatement.model_validate(old).model_dump(mode="json") == old
    assert list(json.loads(MapStatement.model_validate(old).model_dump_json())) == list(old)


def test_a_declared_map_that_looks_at_its_batch_is_refused_and_nothing_is_charged(tmp_path):
    class Centred:
        statement = MINE.statement

        def __call__(self, texts):
            shortest = min(map(len, texts.to_pylist()))
            return WeightsMap(2, lambda text: [len(text) > shortest, len(text) == shortest, 0])(texts)

    with pytest.raises(BoundViolation, match="Nothing was charged"):
        asked(tmp_path, dpspin.OwnMap(Centred()))
    assert not is_charged(tmp_path)


@pytest.mark.parametrize("nothing", [None, "hybrid", object(), dpspin.Recipe()])
def test_what_is_no_map_is_refused(nothing):
    with pytest.raises(RequestError, match="MapStatement"):
        dpspin.OwnMap(nothing)


def test_a_map_of_ours_is_not_declared_to_be_the_callers():
    with pytest.raises(RequestError, match="give it as it is"):
        dpspin.OwnMap(fitted("cues"))


class MyEmbedder:
    """An embedding model of the caller's, which here looks at each text alone."""

    name, digest = "mine", "sha256:my embedder"

    def __call__(self, texts):
        rows = np.array([[len(text) % 7, text.count("a"), 1.0] for text in texts]).reshape(len(texts), 3)
        return rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True))


def test_a_map_of_ours_with_an_embedding_model_of_the_callers_is_the_callers(tmp_path):
    recipe = dpspin.Recipe(dpspin.MapKind.EMBEDDING, embedder=MyEmbedder())
    with pytest.raises(RequestError, match="an embedding model in it"):
        asked(tmp_path, recipe, RESTAURANT)
    mixed = dpspin.fit_map(RESTAURANT, recipe=recipe)
    assert not is_ours(mixed)
    assert asked(tmp_path, dpspin.OwnMap(mixed), RESTAURANT).statement.contribution_map.made_by == "caller"
    assert is_ours(fit_embedding(RESTAURANT, StaticEmbedder.installed()))
