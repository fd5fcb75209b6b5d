"""Prepared records are what the product's own engine would measure, and survive their file."""

import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.privacy import Adjacency, RecordUnit, UserUnit
from dpspin.curator.aggregate.auxiliary_baseline import auxiliary_baseline
from dpspin.curator.aggregate.local import aggregate
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import RequestError, SourceError
from dpspin.rehearse import declared_public
from dpspin_lab.datasets.split import selected
from dpspin_lab.runs.prepared import read_prepared, start_of
from dpspin_lab.runs.record_preparation import PROBE_LABEL, prepared_files, probe_position
from tiny_runs import UNIVERSE, record_run, tiny_map, tiny_prepared, tiny_split, user_run

BOTH = pytest.mark.parametrize("unit", [RecordUnit(), UserUnit(1.0), UserUnit(2.0), UserUnit(0.3)])


def opened(corpus, unit):
    table = pa.table({"text": list(corpus.texts), "user": list(corpus.users)})
    return open_corpus(table, Columns("text", "user" if isinstance(unit, UserUnit) else None))


@BOTH
def test_the_sketch_is_the_products_bit_for_bit(unit):
    prepared, (_, fitted) = tiny_prepared(per_record=3), tiny_map()
    rows = selected(prepared.people, by_user=isinstance(unit, UserUnit), n=25, seed=4, strict=True)
    ours = prepared.sketch(prepared.target.part(np.array(rows)), unit, Adjacency.ADD_DROP)
    product, _ = aggregate(opened(tiny_split().target.part(rows), unit), fitted, ours.origin)
    assert ours.ticks.tolist() == product.ticks.tolist()
    assert ours.units == product.units == 25


@BOTH
def test_the_baseline_is_the_products(unit):
    prepared, (_, fitted) = tiny_prepared(per_record=3), tiny_map()
    apart = declared_public(UNIVERSE, fitted.statement)
    theirs = auxiliary_baseline(opened(tiny_split().auxiliary, unit), fitted, UNIVERSE, unit, apart)
    assert prepared.baseline(unit).shares == theirs.shares


@pytest.mark.parametrize("probe", [False, True])
def test_prepared_records_survive_their_file(tmp_path, probe):
    prepared = tiny_prepared(probe=probe)
    prepared.write(tmp_path / "kept.npz")
    again = read_prepared(tmp_path / "kept.npz")
    assert (again.universe, again.statement, again.people.ids) == (
        prepared.universe,
        prepared.statement,
        prepared.people.ids,
    )
    assert again.people.texts == ("",) * len(prepared.people)
    for part in ("target", "auxiliary", *(["probes"] if probe else [])):
        ours, kept = getattr(prepared, part), getattr(again, part)
        assert kept.given.ticks.tolist() == ours.given.ticks.tolist()
        assert kept.given.atoms.tolist() == ours.given.atoms.tolist()


def test_records_are_prepared_once(tmp_path):
    first = prepared_files(tmp_path, tiny_split(), UNIVERSE, [1, 2])
    times = {path: path.stat().st_mtime_ns for path in first.values()}
    assert prepared_files(tmp_path, tiny_split(), UNIVERSE, [2, 1]) == {2: first[2], 1: first[1]}
    assert {path: path.stat().st_mtime_ns for path in first.values()} == times
    assert read_prepared(first[1]).statement.atoms_per_record == 1


def test_a_broken_file_is_refused(tmp_path):
    (tmp_path / "broken.npz").write_bytes(b"PK")
    with pytest.raises(SourceError, match="prepare them again"):
        read_prepared(tmp_path / "broken.npz")


def test_probe_records_give_their_mass_to_the_probe_and_nothing_else_does():
    prepared = tiny_prepared(probe=True)
    probe = probe_position(prepared.universe)
    assert prepared.universe.atoms[probe].label == PROBE_LABEL
    assert set(prepared.probes.given.atoms.tolist()) == {probe}
    assert prepared.target.ticks(RecordUnit())[probe] == 0


@pytest.mark.parametrize("config", [record_run, user_run])
def test_a_probe_corpus_has_a_fixed_base_and_s_units_more(config):
    prepared = tiny_prepared(probe=True)
    size = "n_records" if config is record_run else "n_users"
    fields = {size: 26, "m": 8, "probe_support": 6, "public_denominator": 26}
    one, other = (start_of(config(**fields, seed=seed), prepared) for seed in (1, 2))
    assert one.masses == other.masses
    assert one.sketch.units == 26
    assert one.masses[probe_position(prepared.universe)] == pytest.approx(6)


def test_records_that_were_prepared_otherwise_are_refused():
    with pytest.raises(RequestError, match="another K"):
        start_of(record_run(K=3), tiny_prepared(per_record=2))
    with pytest.raises(RequestError, match="probe atom"):
        start_of(record_run(probe_support=1), tiny_prepared())
    with pytest.raises(RequestError, match="strict_sample_size"):
        start_of(record_run(n_records=100_000), tiny_prepared())
