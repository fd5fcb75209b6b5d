"""One run leaves the paper's five files and its dictionary, says that it is simulated, and can be made again."""

import json

import pytest

from dpspin.boundary.certify import FixedMargin
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.narrate.decoders.prompts import plan_lines
from dpspin_lab.baselines import exact_plan
from dpspin_lab.runs.config import PAPERS, WITHOUT_WORDS, MechanismName
from dpspin_lab.runs.prepared import start_of
from dpspin_lab.runs.record_preparation import PROBE_LABEL
from dpspin_lab.runs.releasing import noise_seed, reference_plan
from dpspin_lab.runs.run import run, write_run
from dpspin_lab.runs.words import text_by_bins
from tiny_runs import record_run, tiny_prepared, user_run

NO_WORDS = {"decoder_backend": "none", "clean_reference_decoder_backend": "none"}
FILES = {"config.yaml", "private_plan.json", "summary.txt", "verifier_attempts.json", "metrics.json", "atoms.json"}


def made(config, prepared=None):
    return run(config, start_of(config, prepared or tiny_prepared()))


@pytest.mark.parametrize("mechanism", PAPERS)
@pytest.mark.parametrize("config", [record_run, user_run])
def test_a_run_leaves_the_papers_five_files_marked_and_its_dictionary(tmp_path, config, mechanism):
    write_run(tmp_path / "one", made(config(mechanism=mechanism)))
    assert {path.name for path in (tmp_path / "one").iterdir()} == FILES
    plan = SemanticPlan.from_json((tmp_path / "one" / "private_plan.json").read_text())
    assert not plan.is_private
    assert len(plan.entries) == 3
    for name in ("metrics.json", "verifier_attempts.json"):
        content = json.loads((tmp_path / "one" / name).read_text())
        assert (content["private"], content["randomness"]) == (False, "SIMULATED-NOT-PRIVATE")
    opening, _, _ = (tmp_path / "one" / "summary.txt").read_text().partition(".")
    assert opening.endswith("its numbers are simulated and not private")


@pytest.mark.parametrize("mechanism", MechanismName)
def test_every_file_of_a_run_says_by_itself_that_it_is_simulated(tmp_path, mechanism):
    write_run(tmp_path / "one", made(record_run(mechanism=mechanism, **NO_WORDS)))
    own = [path for path in (tmp_path / "one").iterdir() if path.name != "atoms.json"]  # a dictionary is public
    assert [path.name for path in own if "SIMULATED-NOT-PRIVATE" not in path.read_text()] == []


def test_laplace_noise_on_selected_values_spends_no_delta():
    """The paper's key of grouped runs has the selected-value mechanism; its proposition has Laplace values too."""
    usual, pure = (
        made(record_run(mechanism="private_topL", selected_value_mechanism=noise)) for noise in ("gaussian", "laplace")
    )
    assert [one.measures["delta_eff"] for one in (usual, pure)] == [1e-6, 0.0]
    assert pure.measures["promised_value_error"] < usual.measures["promised_value_error"]


def test_rounds_of_an_admission_pay_the_shares_that_a_run_names():
    """The paper's proposition adds up any budgets of the rounds; a round that pays more has less noise."""
    equal, unequal = (
        made(record_run(mechanism="private_topL", selection_shares=shares)) for shares in (None, "0.6,0.3,0.1")
    )
    assert unequal.released.plan.statement.mechanism.selection_shares == (0.6, 0.3, 0.1)
    assert unequal.measures["epsilon_eff"] == equal.measures["epsilon_eff"] == 1.0
    assert unequal.measures["promised_loss"] > equal.measures["promised_loss"]
    assert noise_seed(unequal.config) != noise_seed(equal.config)
    assert "selection_shares" not in equal.config.to_yaml()  # runs of earlier versions keep their names


def test_a_run_may_have_the_papers_fixed_margin_and_draws_the_same_noise():
    certified, fixed = (made(record_run(comparison_margin=margin)).released.plan for margin in (None, 0.0))
    assert (fixed.rules.margin, fixed.rules.comparison_margin) == (FixedMargin(mass=0.0), 0.0)
    assert certified.rules.comparison_margin > 0
    assert fixed.entries == certified.entries
    assert "comparison_margin" not in record_run().to_yaml()  # runs of earlier versions keep their names


@pytest.mark.parametrize("mechanism", PAPERS)
def test_the_same_run_gives_the_same_files(tmp_path, mechanism):
    for name in ("one", "other"):
        write_run(tmp_path / name, made(record_run(mechanism=mechanism, seed=3)))
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes() for name in FILES)


def test_seeds_and_budgets_draw_noise_of_their_own():
    runs = [record_run(), record_run(seed=1), record_run(epsilon=2.0), record_run(mechanism="gaussian")]
    assert len({noise_seed(config) for config in runs}) == len(runs)
    assert noise_seed(record_run(**NO_WORDS)) == noise_seed(record_run())


def test_with_much_budget_nothing_is_lost():
    measures = made(record_run(epsilon=1e5)).measures
    assert (measures["overlap"], measures["mass_retained"], measures["support_mass_loss"]) == (1.0, 1.0, 0.0)
    assert measures["accepted"]
    assert [measures[name] for name in ("j_tok", "j_2", "j_kp")] == [1.0, 1.0, 1.0]  # the texts are equal
    assert measures["cos_tfidf"] == pytest.approx(1.0)
    assert measures["error_max"] < 0.01


def test_the_exact_plan_is_the_same_where_no_release_is_there_to_read_it_by():
    """``dpspin lab reference`` and the comparison of methods list what runs compare with."""
    config = record_run()
    start = start_of(config, tiny_prepared())
    exact = reference_plan(run(config, start).released.plan, start)
    alone = exact_plan.reference_plan(start.masses, start.prepared.universe, denominator=config.n, size=config.L)
    assert plan_lines(alone.entries) == plan_lines(exact.entries)
    assert text_by_bins(alone, marked=True) == text_by_bins(exact, marked=True)


@pytest.mark.parametrize("mechanism", [name for name in MechanismName if name not in PAPERS])
def test_mechanisms_beyond_the_paper_are_measured_like_its_own(mechanism):
    words = NO_WORDS if mechanism in WITHOUT_WORDS else {}
    outcome = made(record_run(mechanism=mechanism, epsilon=1e4, **words))
    assert 0 <= outcome.measures["overlap"] <= 1
    assert ("accepted" in outcome.measures) == (mechanism not in WITHOUT_WORDS)
    pure = outcome.measures["delta_eff"] == 0
    assert pure == (outcome.measures["chosen_mechanism"] != "private_topL")


def test_the_public_only_plan_reads_no_record(tmp_path):
    config = record_run(mechanism="public_only", **NO_WORDS)
    one, other = (made(config.model_copy(update={"seed": seed})) for seed in (1, 2))
    assert one.released.admitted == other.released.admitted
    assert one.measures["epsilon_eff"] == 0
    write_run(tmp_path / "one", one)
    assert json.loads((tmp_path / "one" / "private_plan.json").read_text())["public_only"]


def test_a_run_without_words_stops_at_the_plan(tmp_path):
    write_run(tmp_path / "one", made(record_run(**NO_WORDS)))
    assert "stops at the plan" in (tmp_path / "one" / "summary.txt").read_text()
    assert "j_kp" not in json.loads((tmp_path / "one" / "metrics.json").read_text())


def test_the_reference_lists_the_exact_top(tmp_path):
    for mechanism in PAPERS:
        config = record_run(mechanism=mechanism, epsilon=0.05)
        start = start_of(config, tiny_prepared())
        exact = reference_plan(run(config, start).released.plan, start)
        assert [entry.noisy_mass for entry in exact.entries] == sorted(start.masses, reverse=True)[:3]


def test_a_strong_probe_is_admitted_and_mentioned():
    fields = {"m": 8, "public_denominator": 80, "epsilon": 50.0}
    strong = made(record_run(probe_support=60, **fields), tiny_prepared(probe=True))
    absent = made(record_run(probe_support=0, **fields), tiny_prepared(probe=True))
    assert (strong.measures["probe_admission"], strong.measures["probe_mention"]) == (1.0, 1.0)
    assert strong.measures["probe_rank"] == 1
    assert PROBE_LABEL in strong.words.audit.text.casefold()
    assert (absent.measures["probe_admission"], absent.measures["probe_rank"]) == (0.0, 8)


def test_the_template_is_measured_by_its_own_contract():
    """It quotes the dictionary and compares in its own words, of which the paper's screen knows nothing."""
    config = record_run(epsilon=50.0, probe_support=40, m=8)
    outcome = run(config, start_of(config, tiny_prepared(probe=True)))
    assert "stands for “a controlled probe of the lab”" in outcome.words.audit.text
    assert outcome.measures["accepted"]
    assert (outcome.measures["uar"], outcome.measures["ucr"]) == (0.0, 0.0)
    assert outcome.measures["comparisons"] > 0
