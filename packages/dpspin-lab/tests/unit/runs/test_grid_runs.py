"""A grid makes each run once, goes on where it was stopped, and removes earlier runs only where it made them."""

import json
import os
from dataclasses import replace
from itertools import product

import pytest

from dpspin.errors import InputError
from dpspin_lab.runs.config import PAPERS, MechanismName, Source
from dpspin_lab.runs.grids import FULL, QUICK, Setting, Variant, all_runs, probe, united
from dpspin_lab.runs.parallel_runs import clean_runs, make_all, planned, pool_of, runs_folder
from dpspin_lab.runs.summary import read_runs
from tiny_runs import record_run, tiny_prepared

NO_WORDS = {"decoder_backend": "none", "clean_reference_decoder_backend": "none"}
USERS = Setting("amazon", "user", "user_id", (46,), 46, 2000, (500, 1000, 2000), (1.0, 2.0, 5.0))
RECORDS = Setting("yelp", "record", None, (50, 100, 200), 100, 10_000, (500, 10_000))


@pytest.fixture
def kept(tmp_path):
    tiny_prepared().write(tmp_path / "kept.npz")
    return tmp_path / "kept.npz"


def made(configs, kept, out, told=None):
    runs = planned(configs, lambda _: kept, out)
    with pool_of(1) as pool:
        return runs, make_all(runs, pool, (told if told is not None else []).append)


def some_runs():
    return [record_run(seed=seed, mechanism=name, **NO_WORDS) for seed in (0, 1) for name in ("laplace", "gaussian")]


def test_each_run_is_made_once_and_told(kept, tmp_path):
    told = []
    runs, new = made([*some_runs(), record_run(**NO_WORDS)], kept, tmp_path / "out", told)
    assert (len(runs), new, sum(told)) == (4, 4, 4)
    assert {one.folder.parent for one in runs} == {runs_folder(tmp_path / "out", "tiny", "record")}


def test_a_stopped_grid_goes_on_where_it_was(kept, tmp_path):
    runs, _ = made(some_runs(), kept, tmp_path / "out")
    before = {one.folder: (one.folder / "metrics.json").read_bytes() for one in runs}
    half, lost = runs[0].folder, runs[1].folder
    (half / "metrics.json").unlink()  # as if it had been stopped while it was written
    left = lost.rename(lost.with_name(f".unfinished-{lost.name}"))
    os.utime(left, (0, 0))
    again, new = made(some_runs(), kept, tmp_path / "out")
    assert new == 2
    assert {one.folder: (one.folder / "metrics.json").read_bytes() for one in again} == before
    assert not list(half.parent.glob(".unfinished-*"))


def test_who_is_at_work_in_the_same_folder_is_left_alone(kept, tmp_path):
    """Two evaluations may share a folder: neither removes what the other is writing, and one run of both stays."""
    runs, _ = made(some_runs(), kept, tmp_path / "out")
    begun = runs[0].folder.with_name(f".unfinished-1-{runs[0].folder.name}")
    begun.mkdir()
    (begun / "metrics.json").write_text("{")
    made(some_runs(), kept, tmp_path / "out")
    assert begun.is_dir()
    assert len(read_runs(runs[0].folder.parent)) == len(runs)


def test_two_processes_give_the_same_runs(kept, tmp_path):
    runs = planned(some_runs()[:2], lambda _: kept, tmp_path / "out")
    with pool_of(2) as pool:
        assert make_all(runs, pool, lambda _: None) == 2
    alone, _ = made(some_runs()[:2], kept, tmp_path / "alone")
    assert [(one.folder / "metrics.json").read_bytes() for one in runs] == [
        (one.folder / "metrics.json").read_bytes() for one in alone
    ]


def test_clean_runs_removes_the_runs_of_one_unit(kept, tmp_path):
    made(some_runs(), kept, tmp_path / "out")
    clean_runs(tmp_path / "out", "tiny", "user")
    assert runs_folder(tmp_path / "out", "tiny", "record").exists()
    clean_runs(tmp_path / "out", "tiny", "record")
    assert not runs_folder(tmp_path / "out", "tiny", "record").exists()


def test_clean_runs_removes_nothing_that_it_did_not_make(tmp_path):
    folder = runs_folder(tmp_path, "tiny", "record")
    folder.mkdir(parents=True)
    (folder / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="not made by the lab"):
        clean_runs(tmp_path, "tiny", "record")
    assert (folder / "thesis.txt").exists()


def test_of_the_same_plan_the_run_with_words_is_kept():
    both = [record_run(**NO_WORDS), record_run(), record_run(**NO_WORDS)]
    assert united(both) == [record_run()]


@pytest.mark.parametrize("setting", [USERS, RECORDS])
def test_the_grids_vary_what_the_paper_varies(setting):
    runs = all_runs(setting, QUICK)
    varied = {
        name: {getattr(one, name) for one in runs} for name in ("epsilon", "m", "K", "L", "B", "mechanism", "seed")
    }
    assert (varied["K"], varied["L"]) == ({1, 3, 5}, {5, 10, 20})  # ours: the paper prints no list
    assert varied["m"] == set(setting.sizes)
    assert varied["B"] == (set(setting.bounds) or {None})
    assert {one.n for one in runs} == set(setting.ns)
    assert len(varied["mechanism"]) == 8
    assert len({json.dumps(one.model_dump(mode="json")) for one in runs}) == len(runs)


def test_both_user_level_configurations_are_in_every_panel_over_epsilon_and_the_ablations_bound_is_not():
    setting = replace(USERS, sizes=(40, 46))
    panels = {(one.K, one.L, one.epsilon, one.mechanism, one.B) for one in all_runs(setting, QUICK) if one.m == 46}
    paper = set(product(QUICK.ks, QUICK.ls, QUICK.epsilons, PAPERS, (1.0, 2.0, 5.0)))
    missing = paper - panels
    assert {bound for *_, bound in missing} == {5.0}
    assert {epsilon for _, _, epsilon, *_ in missing} == {0.1, 0.5, 4.0}
    assert {one.B for one in all_runs(setting, QUICK) if one.m == 40 and one.K != 3} == {1.0}


@pytest.mark.parametrize("setting", [USERS, RECORDS])
def test_the_public_only_plan_stands_beside_every_group(setting):
    def start(one):
        return one.m, one.K, one.L, one.B, one.n, one.epsilon, one.probe_support

    for runs in (all_runs(setting, QUICK), list(probe(setting, QUICK))):
        public = {start(one) for one in runs if one.mechanism is MechanismName.PUBLIC_ONLY}
        assert public == {start(one) for one in runs}


def test_variants_have_every_mechanism_and_epsilon_at_the_main_configuration():
    later, taught = Source(90, 3, split="time"), Source(50, 3, dictionary="written", assignment_map="hybrid")
    setting = replace(RECORDS, variants=(Variant(later, 800), Variant(taught, 10_000)))
    others = [one for one in all_runs(setting, QUICK) if one.source.split == "time" or one.dictionary == "written"]
    assert {(one.source, one.n) for one in others} == {(later, 800), (taught, 10_000)}
    assert {one.L for one in others} == {10}
    assert len(others) == 2 * len(MechanismName) * len(QUICK.epsilons) * QUICK.seeds
    assert {one.decoder_backend for one in others} == {"none"}


def test_what_the_paper_does_not_list_is_as_the_pages_say():
    assert (FULL.seeds, FULL.epsilons) == (20, (0.1, 0.25, 0.5, 1.0, 2.0, 4.0))
    assert (FULL.supports[0], FULL.supports[-1], FULL.probe_epsilons) == (0, 200, (0.5, 1.0, 4.0))


def test_the_probes_size_and_denominator_are_the_base_and_its_support():
    for one in probe(USERS, QUICK):
        assert one.n == one.public_denominator == 2000 + one.probe_support
        assert (one.m, one.B) == (47, 2.0)


@pytest.mark.parametrize(("ns", "base"), [((500, 1000), 1000), ((500, 1000, 2000, 5000), 2000), ((), 300)])
def test_the_probes_base_is_the_papers_where_the_target_has_as_many_units(ns, base):
    complaints = Setting("cfpb", "record", None, (200,), 200, min(1000, base), ns)
    assert {one.n - one.probe_support for one in probe(complaints, QUICK)} == {base}


@pytest.mark.parametrize("stop", [KeyboardInterrupt, InputError])
def test_a_grid_that_is_stopped_starts_no_more_runs(kept, tmp_path, stop):
    """Whether by Ctrl-C or by an error: jobs that wait are given up, so the command ends after the one at work."""
    many = [record_run(seed=seed, **NO_WORDS) for seed in range(40)]
    runs = planned(many, lambda _: kept, tmp_path / "out")

    def stop_after_the_first(done):
        if done:
            raise stop

    with pytest.raises(stop), pool_of(1) as pool:
        make_all(runs, pool, stop_after_the_first)
    assert 0 < sum(one.folder.exists() for one in runs) < len(runs)
