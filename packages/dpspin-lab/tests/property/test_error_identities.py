"""The parts of an error add up to the whole, exactly: on the grid of a release sums are exact in floats."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpspin_lab.metrics.error_parts import Stages, by_atom, of_distance, of_overlap, sizes
from dpspin_lab.metrics.plan import overlap_at, top_atoms

TICKS = st.integers(-(2**40), 2**40)


@st.composite
def stages(draw):
    atoms = draw(st.integers(2, 12))
    vector = st.lists(TICKS, min_size=atoms, max_size=atoms)
    return Stages(*(np.ldexp(np.array(draw(vector), np.float64), -30) for _ in range(4)))


@given(stages())
def test_at_every_atom_the_steps_add_up_to_the_release_less_the_truth(four):
    assert (by_atom(four).total == four.noisy - four.true).all()


@given(stages())
def test_the_split_of_the_distance_adds_up_to_it_and_no_step_adds_more_than_its_size(four):
    errors = by_atom(four)
    parts, alone = of_distance(errors), sizes(errors)
    assert parts.total == np.abs(four.noisy - four.true).sum() <= alone.total
    assert all(abs(getattr(parts, step)) <= getattr(alone, step) for step in ("mapping", "clipping", "noise"))


@given(stages(), st.data())
def test_the_split_of_the_overlap_counts_atoms_of_the_true_list(four, data):
    size = data.draw(st.integers(1, len(four.true)))
    parts = of_overlap(four, size)
    assert np.isclose(parts.total, 1 - overlap_at(four.true, four.noisy, size), rtol=0, atol=1e-12)
    wanted = top_atoms(four.true.tolist(), size)
    missed = [len(wanted - top_atoms(stage.tolist(), size)) for stage in (four.mapped, four.clipped, four.noisy)]
    steps = np.diff([0, *missed]) / size
    assert np.allclose([parts.mapping, parts.clipping, parts.noise], steps, rtol=0, atol=1e-12)
