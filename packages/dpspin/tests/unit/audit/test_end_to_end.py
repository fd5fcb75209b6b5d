import pickle
from dataclasses import replace

import pytest

from dpspin.audit.broken_readers import BROKEN_READERS
from dpspin.audit.cases import Finding, Passage, broken_passages, shipped_passages
from dpspin.audit.corpora import RECORD
from dpspin.audit.file_trial import ONE_EACH, _pair, as_it_is
from dpspin.audit.hard_rows import HEAVY, PLAIN
from dpspin.audit.readers import CSV, READERS, Extra
from dpspin.audit.trial import Effort, Outcome
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.records.find_files import FORMATS


def test_neighbours_differ_in_all_rows_of_one_unit():
    without, complete = (PLAIN.rows(ONE_EACH, complete=complete) for complete in (False, True))
    assert [row for row in complete if row[0] != PLAIN.user] == without
    assert len(complete) - len(without) == HEAVY
    assert len(PLAIN.rows(RECORD, complete=True)) - len(PLAIN.rows(RECORD, complete=False)) == 1


@pytest.mark.parametrize("unit", [RECORD, ONE_EACH], ids=lambda unit: unit.kind)
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_the_unit_in_question_moves_the_sums_by_its_whole_bound_in_some_rows(reader, unit, tmp_path):
    """Else an audit of these rows would show nothing."""
    changes = []
    for place, rows in enumerate(reader.hard):
        before, after = _pair(reader.make, rows, unit, as_it_is, tmp_path / str(place))
        changes.append(abs(after.sketches[0].ticks - before.sketches[0].ticks).sum() / TICKS_PER_MASS)
    assert 0.99 < max(changes) <= unit.bound


def test_every_reader_is_tried_with_every_unit_and_has_a_fault_that_shows():
    tried = {(passage.reader.name, passage.unit.kind) for passage in shipped_passages()}
    assert tried == {(reader.name, kind) for reader in READERS for kind in ("record", "user")}
    assert {reader.name for broken in BROKEN_READERS for reader, _ in broken.cells} == {each.name for each in READERS}
    assert {reader.name.removesuffix(" file") for reader in READERS} >= {each.name for each in FORMATS}


def test_every_reader_and_every_fault_is_tried_by_releases_once():
    assert [passage.reader for passage in shipped_passages() if passage.with_releases] == list(READERS)
    counted = [passage.broken.fault for passage in broken_passages() if passage.with_releases]
    assert counted == [broken.fault for broken in BROKEN_READERS]


@pytest.mark.parametrize(
    ("outcome", "broken", "verdict", "fine"),
    [
        (Outcome(0.9, 64, exact_loss=1.0), None, "stands", True),
        (Outcome(0.0, 64, exact_loss=1.01), None, "REFUTED", False),
        (Outcome(1.01, 64, exact_loss=1.0), None, "REFUTED", False),
        (Outcome(0.9, 64, exact_loss=1.0), BROKEN_READERS[0], "MISSED", False),
        (Outcome(0.9, 64, exact_loss=21.0), BROKEN_READERS[0], "flagged", True),
        (Extra("excel", "no_such_module"), None, "not tried, needs dpspin[excel]", None),
    ],
)
def test_what_should_be_is_told_from_what_should_not(outcome, broken, verdict, fine):
    found = Finding(Passage(CSV, RECORD, broken), outcome)
    assert (found.verdict, found.as_it_should_be) == (verdict, fine)


def test_what_is_not_installed_is_not_tried():
    missing = replace(CSV, extra=Extra("excel", "no_such_module"))
    assert Passage(missing, RECORD).tried(Effort(10, 100)).outcome == missing.extra


def test_each_release_is_paid_for_and_drawn_anew(tmp_path):
    side, _ = _pair(CSV.make, CSV.hard[0], ONE_EACH, as_it_is, tmp_path)
    masses = side.masses(3)
    assert masses.shape == (3, 5)  # three atoms, "none of these" and "not read"
    assert len({tuple(row) for row in masses}) == 3


def test_trials_can_be_sent_to_another_process():
    for passage in (*shipped_passages(), *broken_passages()):
        assert pickle.loads(pickle.dumps(passage)).reader.name == passage.reader.name
