"""Every verdict is computed: each claim holds in tables made for it, and falls when the tables are spoiled."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.results.claims import on_budgets, on_probe
from dpspin_lab.results.claims.claim import Claim, judge
from dpspin_lab.results.evaluation_tables import Results
from dpspin_lab.results.evidence import Stand
from dpspin_lab.results.page import OURS, THE_PAPERS
from dpspin_lab.results.verdict import Verdict
from results_factories import EPSILONS, ideal_results

Change = Callable[[dict[str, Any]], Mapping[str, Any]]
EVERY = (*THE_PAPERS, *OURS)


@dataclass(frozen=True)
class Spoil:
    """Which rows of which tables are changed, and how."""

    tables: str
    where: Mapping[str, Any]
    change: Change


def put(**figures: float) -> Change:
    return lambda row: figures


def times(column: str, factor: float) -> Change:
    return lambda row: {column: factor * row[column]}


SMALLEST, NAMED, LARGEST = EPSILONS[0], 0.5, EPSILONS[-1]
SPOILS = {
    "record-mass": Spoil("grids", {"mechanism": "gaussian", "epsilon": NAMED}, put(mass_retained=0.5)),
    "mass-and-overlap": Spoil("grids", {"mechanism": "laplace", "epsilon": 1.0}, put(mass_retained=0.1)),
    "missed-themes-are-light": Spoil("grids", {}, put(mass_retained=0.5)),
    "small-budgets": Spoil("grids", {"mechanism": "private_topL", "epsilon": 0.5}, put(support_mass_loss=1.0)),
    "near-zero-losses": Spoil("grids", {"mechanism": "laplace"}, times("support_mass_loss", 30.0)),
    "loss-falls": Spoil("grids", {"epsilon": LARGEST}, put(support_mass_loss=900.0)),
    "private-gains-most": Spoil("grids", {"mechanism": "laplace", "epsilon": NAMED}, put(support_mass_loss=900.0)),
    "user-mass": Spoil("grids", {"mechanism": "laplace", "epsilon": 4.0}, put(mass_retained=0.9)),
    "private-depends-on-budget": Spoil("grids", {"mechanism": "gaussian", "epsilon": NAMED}, put(mass_retained=0.1)),
    "private-improves": Spoil("grids", {"mechanism": "private_topL", "epsilon": LARGEST}, put(overlap=0.1)),
    "probe-rare": Spoil("probes", {"probe_support": 5, "mechanism": "private_topL"}, put(probe_admission=0.9)),
    "probe-rises": Spoil("probes", {"probe_support": 50, "mechanism": "laplace"}, put(probe_admission=0.0)),
    "mention-rises": Spoil("probes", {"probe_support": 50, "mechanism": "laplace"}, put(probe_mention=0.0)),
    "mention-within-admission": Spoil("probes", {"probe_support": 5}, put(probe_mention=0.5)),
    "mention-may-be-lower": Spoil("model_probes", {}, lambda row: {"probe_mention": row["probe_admission"]}),
    "probe-mass": Spoil("probes", {"probe_support": 5}, put(probe_mass=-1.0)),
    "probe-rank": Spoil("probes", {"probe_support": 5}, put(probe_rank=150.0)),
    "probe-budget": Spoil("probes", {"epsilon": 4.0, "probe_support": 50}, put(probe_admission=0.1)),
    "private-overlap-falls-with-m": Spoil("grids", {"m": 50, "mechanism": "private_topL"}, put(overlap=0.01)),
    "sketch-overlap-falls-with-m": Spoil("grids", {"m": 50, "mechanism": "laplace"}, put(overlap=0.1)),
    "fewer-units-less-mass": Spoil("grids", {"n_records": 500}, put(exact_mass=9000.0)),
    "noise-independent-of-n": Spoil("grids", {"n_records": 500}, times("error_l2", 3.0)),
    "bound-keeps-mass": Spoil("grids", {"B": 2.0}, put(exact_mass=1.0)),
    "bound-costs-noise": Spoil("grids", {"B": 2.0}, put(error_l2=0.1)),
    "template-consistent": Spoil("grids", {"mechanism": "laplace", "epsilon": 1.0}, put(ucr=0.5)),
    "text-follows-plan": Spoil("grids", {"mechanism": "private_topL"}, put(j_kp=0.95)),
    "gaussian-text-closer": Spoil("grids", {"mechanism": "private_topL", "epsilon": 1.0}, put(j_2=0.99)),
    "private-text-gains": Spoil("grids", {"mechanism": "private_topL", "epsilon": 4.0}, put(cos_tfidf=0.01)),
    "gaussian-model-text-closer": Spoil("models", {"mechanism": "private_topL", "epsilon": 1.0}, put(j_2=0.99)),
    "private-model-text-gains": Spoil("models", {"mechanism": "private_topL", "epsilon": 4.0}, put(cos_tfidf=0.01)),
    "judge-model-plans": Spoil("judged_texts", {}, put(faithfulness=2.0)),
    "judge-plans": Spoil("judged", {"method": "plan, gaussian"}, put(coverage=3.0)),
    "judge-insight": Spoil("judged", {"method": "plan, gaussian"}, put(insightfulness=5.0)),
    "judge-histograms": Spoil("judged", {"method": "keyword_histogram"}, put(faithfulness=2.0)),
    "judge-urania": Spoil("judged", {"method": "urania"}, put(faithfulness=5.0)),
    "judge-safety": Spoil("judged", {"method": "urania"}, put(privacy_safety=4.0)),
    "laplace-values": Spoil("grids", {"mechanism": "laplace", "m": 50, "epsilon": 4.0}, times("error_l2", 5.0)),
    "laplace-plans": Spoil("grids", {"mechanism": "laplace", "epsilon": SMALLEST}, put(mass_retained=0.5)),
    "tight-admission": Spoil("grids", {"mechanism": "private_topL_tight", "epsilon": 0.5}, put(overlap=0.01)),
    "planner": Spoil("grids", {"mechanism": "auto", "epsilon": SMALLEST}, put(overlap=0.5)),
    "empirical-bayes": Spoil("grids", {"mechanism": "laplace_eb", "epsilon": SMALLEST}, put(overlap=0.5)),
    "beats-public-only": Spoil("grids", {"mechanism": "public_only"}, put(overlap=0.99)),
    "supported-comparisons": Spoil("grids", {"mechanism": "gaussian", "epsilon": 1.0}, put(ucr=0.5)),
    "urania-centres": Spoil("rivals", {"method": "urania", "epsilon": 1.0}, put(cosine=0.9)),
    "urania-keywords": Spoil("rivals", {"method": "urania", "epsilon": 1.0}, put(described=0.9)),
    "histogram-heads": Spoil("rivals", {"method": "keyword_histogram", "epsilon": 1.0}, put(head=0.5)),
    "public-only-over-time": Spoil("others", {"mechanism": "public_only"}, put(overlap=0.9)),
    "asking-over-time": Spoil("others", {"mechanism": "laplace", "epsilon": 0.5}, put(overlap=0.1)),
    "map-and-noise": Spoil("grids", {"mechanism": "laplace", "epsilon": 0.5}, put(truth_tv_noise=0.2)),
    "sketch-and-truth": Spoil("grids", {"mechanism": "laplace", "epsilon": 1.0}, put(truth_overlap=1.0)),
    "hybrid-map": Spoil("others", {"assignment_map": "hybrid", "epsilon": 1.0}, put(truth_tv=0.4)),
    "asking-is-truer-over-time": Spoil("others", {"K": 200, "epsilon": 1.0}, put(truth_tv=0.4)),
    "asking-and-truth": Spoil("grids", {"mechanism": "public_only"}, put(truth_tv=0.1)),
    "certified-loss": Spoil("grids", {"mechanism": "gaussian", "epsilon": 1.0}, put(loss_inside=0.0)),
    "record-mass-below": Spoil("grids", {"mechanism": "gaussian", "epsilon": SMALLEST}, put(mass_retained=0.5)),
    "mass-and-overlap-below": Spoil("grids", {"mechanism": "laplace", "epsilon": SMALLEST}, put(mass_retained=0.1)),
    "small-budgets-below": Spoil(
        "grids", {"mechanism": "private_topL", "epsilon": SMALLEST}, put(support_mass_loss=1.0)
    ),
    "near-zero-losses-below": Spoil(
        "grids", {"mechanism": "laplace", "epsilon": SMALLEST}, times("support_mass_loss", 30.0)
    ),
    "user-mass-below": Spoil("grids", {"mechanism": "laplace", "epsilon": SMALLEST}, put(mass_retained=0.9)),
    "loss-falls-from-below": Spoil("grids", {"epsilon": SMALLEST}, put(support_mass_loss=0.5)),
    "private-gains-most-from-below": Spoil(
        "grids", {"mechanism": "laplace", "epsilon": SMALLEST}, put(support_mass_loss=900.0)
    ),
    "private-depends-on-budget-from-below": Spoil(
        "grids", {"mechanism": "gaussian", "epsilon": SMALLEST}, put(mass_retained=0.1)
    ),
    "private-improves-from-below": Spoil("grids", {"mechanism": "private_topL", "epsilon": SMALLEST}, put(overlap=0.9)),
    "mass-and-overlap-users": Spoil(
        "grids", {"mechanism": "laplace", "protected_unit": "user", "epsilon": 1.0}, put(mass_retained=0.1)
    ),
    "probe-rare-users": Spoil("probes", {"protected_unit": "user", "probe_support": 5}, put(probe_admission=0.9)),
    "probe-rises-users": Spoil("probes", {"protected_unit": "user", "probe_support": 50}, put(probe_admission=0.0)),
    "mention-rises-users": Spoil("probes", {"protected_unit": "user", "probe_support": 50}, put(probe_mention=0.0)),
    "probe-budget-users": Spoil("probes", {"protected_unit": "user", "epsilon": 4.0}, put(probe_admission=0.01)),
    "private-improves-records": Spoil(
        "grids", {"mechanism": "private_topL", "protected_unit": "record", "epsilon": LARGEST}, put(overlap=0.1)
    ),
    "certified-values": Spoil("grids", {"mechanism": "laplace", "epsilon": 1.0}, put(value_error_inside=0.0)),
}


def spoiled(results: Results, spoil: Spoil) -> Results:
    """Change the rows that fit in one kind of table."""

    def mended(row: dict[str, Any]) -> dict[str, Any]:
        fits = all(row.get(name) == value for name, value in spoil.where.items())
        return {**row, **spoil.change(row)} if fits else row

    tables = getattr(results, spoil.tables)
    if isinstance(tables, Mapping):
        return replace(results, **{spoil.tables: {name: list(map(mended, rows)) for name, rows in tables.items()}})
    changed = tuple(Table(each.dataset, each.unit, list(map(mended, each.rows))) for each in tables)
    return replace(results, **{spoil.tables: changed})


def key_of(claim: Claim) -> str:
    return claim.key


def by_key(key: str) -> Claim:
    return next(claim for claim in EVERY if claim.key == key)


def test_every_claim_can_fall():
    assert sorted(SPOILS) == sorted(claim.key for claim in EVERY)


@pytest.mark.parametrize("claim", EVERY, ids=key_of)
def test_a_claim_holds_in_tables_that_bear_it_out(claim: Claim):
    judged = judge(claim, ideal_results())

    assert judged.verdict is Verdict.HOLDS
    assert {cell.stand for cell in judged.cells} == {Stand.FOR}
    assert all(cell.runs >= 20 for cell in judged.cells)


@pytest.mark.parametrize("claim", EVERY, ids=key_of)
def test_a_claim_falls_with_the_figures_that_it_rests_on(claim: Claim):
    assert judge(claim, spoiled(ideal_results(), SPOILS[claim.key])).verdict is Verdict.FAILS


@pytest.mark.parametrize("claim", EVERY, ids=key_of)
def test_a_claim_cannot_be_tested_without_tables(claim: Claim):
    assert judge(claim, Results()).verdict is Verdict.UNTESTED


def test_the_template_says_nothing_about_a_writer_who_leaves_themes_out():
    claim = by_key("mention-may-be-lower")
    left_out = spoiled(ideal_results(), Spoil("probes", {}, put(probe_mention=0.0)))

    assert judge(claim, replace(left_out, model_probes=())).verdict is Verdict.UNTESTED


def test_one_run_that_leaves_the_probe_out_shows_that_a_writer_can():
    claim = by_key("mention-may-be-lower")
    few = {"runs": 10, "probe_admission": 1.0}

    assert judge(claim, spoiled(ideal_results(), Spoil("model_probes", {}, put(**few, probe_mention=0.9)))).verdict is (
        Verdict.HOLDS
    )
    assert judge(claim, spoiled(ideal_results(), Spoil("model_probes", {}, put(**few, probe_mention=1.0)))).verdict is (
        Verdict.UNDECIDED
    )


def test_other_splits_and_maps_do_not_mix_with_the_papers_runs():
    claim = by_key("planner")
    results = ideal_results()
    worse = spoiled(results, Spoil("others", {}, put(overlap=0.0)))

    assert judge(claim, worse).cells == judge(claim, results).cells


def test_what_is_below_the_papers_budgets_does_not_touch_its_claims():
    ruined = spoiled(ideal_results(), Spoil("grids", {"epsilon": SMALLEST}, put(mass_retained=0.0, overlap=0.0)))
    verdicts = {claim.key: judge(claim, ruined).verdict for claim in EVERY}

    assert {verdicts[claim.key] for claim in on_budgets.CLAIMS} == {Verdict.HOLDS}
    assert verdicts["record-mass-below"] is Verdict.FAILS
    assert verdicts["user-mass-below"] is Verdict.FAILS


def test_a_probe_among_users_does_not_touch_the_papers_claims():
    users = {"protected_unit": "user"}
    ruined = spoiled(ideal_results(), Spoil("probes", users, put(probe_admission=0.9, probe_mention=0.95)))

    assert {judge(claim, ruined).verdict for claim in on_probe.CLAIMS} == {Verdict.HOLDS}
    assert judge(by_key("probe-rare-users"), ruined).verdict is Verdict.FAILS


def test_one_mechanism_on_one_data_set_shows_that_themes_can_be_missed():
    kept = put(overlap=0.6, mass_retained=0.99)
    poor = spoiled(ideal_results(), SPOILS["missed-themes-are-light"])
    alone = {"dataset": "cfpb", "mechanism": "private_topL", "epsilon": 1.0}

    assert judge(by_key("missed-themes-are-light"), spoiled(poor, Spoil("grids", alone, kept))).verdict is Verdict.HOLDS


def test_the_map_has_to_outweigh_noise_where_records_are_not_cut_too():
    uncut = Spoil("others", {"mechanism": "laplace", "K": 200, "epsilon": 0.5}, put(truth_tv_mapping=0.02))
    judged = judge(by_key("map-and-noise"), spoiled(ideal_results(), uncut))

    assert judged.verdict is Verdict.FAILS
    assert {cell.part for cell in judged.cells if cell.stand is Stand.AGAINST} == {
        "cfpb, record, time, hybrid, not cut"
    }


def test_bins_of_ratings_say_nothing_about_heads():
    results = ideal_results()
    rated = replace(results, rivals={"yelp": results.rivals["cfpb"]})

    assert [cell.where for cell in judge(by_key("histogram-heads"), rated).cells] == ["keyword_histogram"]


def test_the_hybrid_is_compared_where_data_are_split_by_time_too():
    judged = judge(by_key("hybrid-map"), ideal_results())

    assert {cell.part for cell in judged.cells} == {"cfpb, record, hash", "cfpb, record, time"}


def test_what_no_interval_decides_is_undecided_and_not_untested():
    claim = by_key("noise-independent-of-n")
    few = spoiled(ideal_results(), Spoil("grids", {}, put(runs=1)))

    assert judge(claim, few).verdict is Verdict.UNDECIDED
