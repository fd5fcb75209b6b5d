"""The hybrid map against the paper's, both from a pack alone, on invented records that no map has seen."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import yaml

from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.assign.recipes import Recipe, fit_by_recipe
from dpspin.public.atoms import packs
from restaurant_dictionary import dense

HIT_RATE_FLOOR = {"support-tickets": 0.45, "restaurant-reviews": 0.58}  # measured: 0.56 and 0.61
PACKS = tuple(HIT_RATE_FLOOR)

pytestmark = pytest.mark.long  # whole packs are fitted


@dataclass(frozen=True)
class Measured:
    """Masses over the atoms and "none of these", beside the truth."""

    masses: np.ndarray
    truth: np.ndarray

    @property
    def hit_rate(self):
        """Of the records that express an atom, the part whose heaviest atom is one of theirs."""
        atoms, expressed = self.masses[:, :-1], self.truth[:, :-1] > 0
        rows, best = np.arange(len(atoms)), atoms.argmax(axis=1)
        hits = expressed[rows, best] & (atoms[rows, best] > 0)
        return hits[expressed.any(axis=1)].mean()

    @property
    def coverage_error(self):
        """How far the covered share of the corpus is from the true one."""
        return abs(self.masses[:, -1].mean() - self.truth[:, -1].mean())

    @property
    def told_apart(self):
        """How much more of a record that expresses an atom is covered than of one that expresses none."""
        covered, of_none = 1 - self.masses[:, -1], self.truth[:, -1] == 1
        return covered[~of_none].mean() - covered[of_none].mean()

    @property
    def precision(self):
        """Of the mass on atoms, the part on atoms that the record expresses.

        Total variation would say little here: these sets hold all atoms about equally often, which flatters a map that
        spreads its mass.
        """
        atoms = self.masses[:, :-1]
        return (atoms * (self.truth[:, :-1] > 0)).sum() / atoms.sum()


@cache
def measured(pack):
    """Return what the hybrid and the paper's map measure; mass that the paper's map does not give is on none."""
    universe = packs.load(pack)
    records = yaml.safe_load((Path(__file__).parent / f"{pack}.yaml").read_text(encoding="utf-8"))
    place = {atom: position for position, atom in enumerate(universe.ids)}
    truth = np.zeros((len(records), universe.size + 1))
    for row, record in enumerate(records):
        places = [place[atom] for atom in record["atoms"]] or [universe.size]
        truth[row, places] = 1 / len(places)
    texts = pa.array([record["text"] for record in records])
    hybrid = dense(fit_by_recipe(Recipe(languages=()), universe, None)(texts))
    paper = dense(NgramMap.fit(universe, PublicWordIdf())(texts))
    return Measured(hybrid, truth), Measured(np.column_stack([paper, 1 - paper.sum(axis=1)]), truth)


@pytest.mark.parametrize("pack", PACKS)
def test_the_hybrid_finds_the_right_atom_more_often_than_the_papers_map(pack):
    hybrid, paper = measured(pack)
    assert hybrid.hit_rate > max(HIT_RATE_FLOOR[pack], paper.hit_rate + 0.15)


@pytest.mark.parametrize("pack", PACKS)
def test_more_of_the_hybrids_mass_is_where_it_belongs(pack):
    hybrid, paper = measured(pack)
    assert hybrid.precision > paper.precision + 0.2


@pytest.mark.parametrize("pack", PACKS)
def test_the_hybrid_tells_records_of_no_atom_better_than_the_papers_map(pack):
    hybrid, paper = measured(pack)
    assert hybrid.told_apart > 1.5 * paper.told_apart > 0


@pytest.mark.parametrize("pack", PACKS)
def test_the_hybrids_coverage_is_about_right(pack):
    hybrid, _ = measured(pack)
    # Measured: 0.10 and 0.27, on short records that avoid the usual words on purpose: the price of answering "none of
    # these" to other subjects (decision 21). On real restaurant reviews the covered part is right to 0.02.
    assert hybrid.coverage_error < 0.3
