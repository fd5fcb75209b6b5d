"""A plan that claims more of its reading than its noise and its sums allow is no plan."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.grounded_shares import ground_all
from dpspin.boundary.grounding import Grounding, sample_noise
from dpspin.boundary.plan import SemanticPlan, contradictions
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, RecordUnit, sensitivity_of
from dpspin.boundary.sampling_law import SamplingLaw
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.read_sample import SampleSums
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.seeded_noise import SimulatedNoise
from dpspin.errors import PlanError, RequestError
from factories import universe_of

UNIVERSE = universe_of([Atom(id=1, label="late parcel"), Atom(id=2, label="app crash"), Atom(id=3, label="refund")])
MAP = MapStatement(name="m", fitted_on="nothing", atoms_per_record=3, digest="sha256:0", answers_none=True)
ORIGIN = SketchOrigin.of(UNIVERSE, MAP, RecordUnit(), Adjacency.ADD_DROP)
SPEC = ReleaseSpec(
    loss=PrivacyLoss(1.0), denominator=1000, size=3, grounding=Grounding(rate=0.2, share=0.5, reader="a person")
)


def plan():
    sketch = Sketch(np.array([500, 300, 100, 100]) * TICKS_PER_MASS, ORIGIN)
    nobody = SampleSums.of_nobody(ORIGIN)
    sums = replace(nobody, corrections=np.array([-20, 10, 10, 0]) * TICKS_PER_MASS)
    return release_plan(sketch, UNIVERSE, SPEC, SimulatedNoise(1), sums)


PLAN = json.loads(plan().to_json())


def forged(*path, value):
    text = json.loads(json.dumps(PLAN))
    part = text
    for name in path[:-1]:
        part = part[name]
    if value is None:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return json.dumps(text)


def test_the_plan_itself_is_one():
    assert SemanticPlan.from_json(json.dumps(PLAN)).to_json() == plan().to_json()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("statement", "grounding", "share"), 0.6),  # then the sketch has too little noise
        (("statement", "grounding", "share"), 0.4),  # then the readings have more noise than the intervals say
        (("statement", "grounding", "rate"), 0.1),
        (("statement", "grounding", "rate"), 0.3),
        (("statement", "grounding", "rate"), 1.0),
        (("statement", "grounding", "share"), 1.0),
        (("statement", "grounding", "reader"), "two\nlines"),
        (("statement", "noise", "scale"), 1.0),
        (("statement", "loss", "epsilon"), 0.9),
        (("statement", "adjacency"), "replace"),
        (("statement", "sampling"), {"kind": "poisson", "rate": 0.5}),
        (("statement", "mechanism"), {"kind": "set_em"}),
        (("statement", "grounding"), None),
        (("grounded",), None),
        (("schema_version",), "3"),
        (("noisy_sketch",), None),
        (("grounded", "readings", "moved"), 4.0),
        (("grounded", "readings", "corrections"), [0.0, 0.0, 0.0]),
        (("grounded", "readings", "corrections", 0), 0.0),
        (("grounded", "readings", "squares", 1), 500.0),
        (("grounded", "themes", 0, "high"), 501.0),
        (("grounded", "themes", 0, "best_guess"), 0.9),
        (("grounded", "themes", 0, "label"), "praise"),  # of a theme that the plan lists by another name
        (("grounded", "none"), None),
        (("grounded", "sorted_alike"), None),
        (("grounded", "sorted_alike", "share"), 0.99),
    ],
    ids=lambda part: ".".join(map(str, part)) if isinstance(part, tuple) else str(part)[:12],
)
def test_what_does_not_follow_is_refused(path, value):
    with pytest.raises(PlanError):
        SemanticPlan.from_json(forged(*path, value=value))


def test_readings_without_a_full_sketch_contradict_the_plan_and_nothing_more_is_asked_of_them():
    made = plan()
    readings = made.grounded.readings.model_copy(update={"squares": (0.0,)})
    wrong = made.model_copy(update={"grounded": made.grounded.model_copy(update={"readings": readings})})
    assert list(contradictions(wrong)) == ["a read sample has one sum for every coordinate of a full noisy sketch"]


def test_no_noise_is_calibrated_for_a_sample_under_replacement_nor_a_law_where_none_was_read():
    with pytest.raises(RequestError, match="add/drop only"):
        sample_noise(SPEC.loss, SPEC.grounding, sensitivity_of(RecordUnit(), Adjacency.REPLACE))
    unread = plan().statement.model_copy(update={"grounding": None})
    with pytest.raises(ValueError, match="no sample was read"):
        SamplingLaw.of(unread, coordinates=4, size=3, beta=0.05)


def test_intervals_of_every_coordinate_are_those_of_a_plan_that_lists_them_all():
    made = plan()
    values = ground_all(made.released_masses, made.grounded.readings, made.statement, made.denominator, beta=0.05)
    by_rank = sorted(values[:3], key=lambda value: -value.noisy_mass)
    assert [(each.low, each.high) for each in by_rank] == [(each.low, each.high) for each in made.grounded.themes]
