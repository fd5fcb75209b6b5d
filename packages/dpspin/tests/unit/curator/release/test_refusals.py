"""Every refusal of the release: what is not proven, not counted or not whole stops before noise is drawn."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.atoms import Atom, Provenance
from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.denominator import CountShare, TotalMass
from dpspin.boundary.mechanisms import SetSelection
from dpspin.boundary.mechanisms.drawing import Price
from dpspin.boundary.privacy import (
    TICKS_PER_MASS,
    Adjacency,
    PoissonSample,
    Prevalence,
    PrivacyLoss,
    RecordUnit,
    UserUnit,
)
from dpspin.boundary.statement import MapStatement, Separation
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.aggregate.sketch_file import ShardFacts, read_sketch, write_sketch
from dpspin.curator.aggregate.totals import RecordTotals, UserTotals
from dpspin.curator.aggregate.user_sums import ROWS, MemorySums
from dpspin.curator.records.columns import BadRows
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.errors import BoundViolation, DictionaryError, RequestError, SourceError
from factories import universe_of
from report_cards import card_of, identity

UNIVERSE = universe_of([Atom(id=1, label="late parcel"), Atom(id=2, label="app crash")])
MAP = MapStatement(name="ngram", fitted_on="nothing", atoms_per_record=3, digest="sha256:0")
ORIGIN = SketchOrigin.of(UNIVERSE, MAP, RecordUnit(), Adjacency.ADD_DROP)
USERS = replace(ORIGIN, unit=UserUnit(1.0))
KEY = Pseudonyms(bytes(32))


def released(origin=ORIGIN, **choices):
    spec = ReleaseSpec(loss=PrivacyLoss(1.0), size=1, **{"denominator": 100, **choices})
    return release_plan(Sketch(np.array([9, 4]) * TICKS_PER_MASS, origin, 13), UNIVERSE, spec, SecureNoise())


@pytest.mark.parametrize(
    ("origin", "choices", "reason"),
    [
        (replace(ORIGIN, sampling=PoissonSample(rate=0.5)), {"denominator": TotalMass()}, "random sample"),
        (replace(ORIGIN, sampling=PoissonSample(rate=0.5)), {"denominator": CountShare()}, "random sample"),
        (replace(ORIGIN, quantity=Prevalence()), {"denominator": TotalMass()}, "no number of units"),
        (ORIGIN, {"denominator": TotalMass(), "mechanism": SetSelection()}, "set_em releases"),
    ],
)
def test_a_denominator_that_means_nothing_is_refused(origin, choices, reason):
    with pytest.raises(RequestError, match=reason):
        released(origin, **choices)


@pytest.mark.parametrize(
    "origin", [replace(ORIGIN, sampling=PoissonSample(rate=0.5)), replace(ORIGIN, quantity=Prevalence())]
)
def test_a_baseline_is_of_masses_and_of_everyone(origin):
    public = baseline_of(UNIVERSE, {1: 0.5, 2: 0.5}, source="a survey")
    assert released(baseline=public).baseline == public
    with pytest.raises(RequestError, match="leave it out"):
        released(origin, baseline=public)


def test_prevalence_may_be_divided_by_a_bought_count():
    assert (
        released(replace(ORIGIN, quantity=Prevalence()), denominator=CountShare(share=0.2)).denominator.kind == "count"
    )


def test_a_selection_of_more_atoms_than_there_are_is_refused():
    with pytest.raises(BoundViolation, match="distinct atoms"):
        SecureNoise().peel(np.array([1, 2]), 3, 10.0, Price(1, epsilon=1.0))


def test_a_key_of_another_length_is_no_key():
    with pytest.raises(RequestError, match="random bytes"):
        Pseudonyms(b"short")


def test_a_map_of_another_dictionary_has_no_sketch():
    with pytest.raises(DictionaryError, match="another dictionary"):
        SketchOrigin.of(
            UNIVERSE,
            MAP.model_copy(update={"card": card_of(identity(3), ids=[7, 8])}),
            RecordUnit(),
            Adjacency.ADD_DROP,
        )


def test_a_dictionary_that_was_built_from_records_has_no_sketch_that_says_nothing_of_them():
    built = UNIVERSE.model_copy(update={"provenance": Provenance(source="auxiliary", note="phrases of old letters")})
    with pytest.raises(RequestError, match=r"`records.atoms_auxiliary_is_public`"):
        SketchOrigin.of(built, MAP, RecordUnit(), Adjacency.ADD_DROP)
    stated = Separation(map_text="no_text", dictionary_text="declared_public")
    assert SketchOrigin.of(built, MAP, RecordUnit(), Adjacency.ADD_DROP, separation=stated).separation == stated


def test_finished_sketches_of_users_and_totals_under_other_keys_are_not_added():
    sketch = Sketch(np.zeros(2), USERS)
    with pytest.raises(RequestError, match="finished user-level sketches"):
        sketch.merge(sketch)
    with pytest.raises(RequestError, match="different keys"):
        UserTotals(USERS, KEY).merge(UserTotals(USERS, Pseudonyms(bytes(range(32)))))


def facts():
    return ShardFacts(
        columns=("body",), bad_rows=BadRows.ZERO, parts=("",), records=0, without_text=0, without_atom=0, auxiliary=None
    )


def rows(*entries):
    columns = zip(*entries, strict=True) if entries else ([],) * 4
    arrays = [pa.array(list(column), field.type) for column, field in zip(columns, ROWS, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=ROWS)


class GivenRows(MemorySums):
    """Per-user totals that no map could have given."""

    def __init__(self, batch):
        super().__init__()
        self.batch = batch

    def batches(self):
        yield self.batch


def test_a_sketch_file_with_impossible_rows_is_refused_and_an_empty_batch_is_not(tmp_path):
    path = tmp_path / "a.sketch"
    write_sketch(path, UserTotals(USERS, KEY, GivenRows(rows())), facts())
    with read_sketch(path) as saved:
        assert [batch.num_rows for batch in saved.user_rows] == [0]
    write_sketch(path, UserTotals(USERS, KEY, GivenRows(rows((1, 2, 5, 9)))), facts())
    with read_sketch(path) as saved, pytest.raises(SourceError, match="damaged"):
        list(saved.user_rows)


def test_record_totals_know_no_user():
    assert list(RecordTotals(ORIGIN).user_rows()) == []


def test_a_corpus_too_large_for_exact_sums_is_refused():
    with pytest.raises(RequestError, match="too large"):
        Sketch(np.array([2**62, 1]), ORIGIN)
