"""One run: release, template, verifier, metrics; the five files of the paper that it leaves, and the dictionary.

Its measures include what it promised and whether it kept it, and how far it is from the truth, where that is known.
"""

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.folders import PLAN_OF_A_RUN, require_no_release
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import RecordUnit
from dpspin.boundary.software import SOFTWARE
from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.narrate.contract.screen import screen
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.narrate import Narration, narrate
from dpspin.text.words import listing
from dpspin_lab.metrics.error_parts import Stages, by_atom, of_distance, of_listed, public_only, shares
from dpspin_lab.metrics.plan import (
    non_private_rank,
    overlap_at,
    probe_admission,
    probe_mention,
    recovery,
    support_mass_loss,
    top_atoms,
    total_variation,
)
from dpspin_lab.metrics.text import likeness
from dpspin_lab.metrics.utility_bounds import promised_by
from dpspin_lab.not_private import RANDOMNESS
from dpspin_lab.runs.config import MechanismName, RunConfig
from dpspin_lab.runs.prepared import Start
from dpspin_lab.runs.record_preparation import PROBE_LABEL, probe_position
from dpspin_lab.runs.releasing import Released, reference_plan, released

BETA: Final = 0.05  # each bound may fail with this probability
STEPS: Final = ("mapping", "clipping", "noise")

Measures = dict[str, Any]
METRICS: Final = "metrics.json"
OPENING: Final = "This is an aggregate summary of a differentially private plan."
NO_TEXT: Final = f"{RANDOMNESS}: this run stops at the plan (decoder_backend: none).\n"


def certificate_measures(config: RunConfig, release: Released, start: Start) -> Measures:
    """State the utility certificate of the paper's appendix, and whether the run stayed inside.

    There is none for a best guess, which lists other atoms than the release, and none where nothing is released.
    """
    if release.plan is None or config.mechanism is MechanismName.LAPLACE_EB:
        return {}
    promised = promised_by(release.plan, BETA)
    best = sum(start.masses[atom] for atom in top_atoms(start.masses, config.L))
    return {
        "promised_beta": BETA,
        "promised_loss": promised.loss,
        "promised_mass_retained": max(0.0, promised.retained(best)) if best else None,
        "promised_value_error": promised.value_error,
        "promised_recovery_margin": promised.recovery_margin,
        "loss_inside": support_mass_loss(release.admitted, start.masses, config.L) <= promised.loss,
        "value_error_inside": release.errors.maximum <= promised.value_error,
    }


def truth_measures(config: RunConfig, release: Released, start: Start) -> Measures:
    """Compare with the publisher's labels, and say which step each part of the error comes from.

    ``truth_tv`` is the total variation of shares over the dictionary's atoms; it needs a value of each of them.
    """
    if start.true is None:
        return {}
    true, mapped, clipped = (np.array(stage) for stage in (start.true, start.mapped, start.masses))
    if config.mechanism is MechanismName.PUBLIC_ONLY:  # whatever is wrong about it was wrong from the first step on
        mapped = clipped = np.array(release.values)
    lost = of_listed(true, mapped, clipped, release.admitted, config.L)
    measures = {
        "truth_overlap": 1 - lost.total,
        **{f"truth_lost_{step}": getattr(lost, step) for step in STEPS},
        **_labels_alone(config, start),
    }
    return measures if release.values is None else {**measures, **_distance(config, release.values, start)}


def _labels_alone(config: RunConfig, start: Start) -> Measures:
    """State the auxiliary labels beside the public-only plan: the most that is known without a record, or a map."""
    labels = start.prepared.auxiliary_truth
    if config.mechanism is not MechanismName.PUBLIC_ONLY or labels is None:
        return {}
    counts = labels.ticks(RecordUnit())[: start.prepared.universe.size].astype(np.float64)
    true = np.array(start.true)
    return {
        "labels_overlap": overlap_at(true, counts, config.L),
        "labels_tv": total_variation(shares(counts), shares(true)),
    }


def _distance(config: RunConfig, values: list[float], start: Start) -> Measures:
    true, noisy = np.array(start.true), np.array(values)
    asked = config.mechanism is not MechanismName.PUBLIC_ONLY
    stages = Stages(true, np.array(start.mapped), np.array(start.masses), noisy) if asked else public_only(true, noisy)
    parts = of_distance(by_atom(stages.as_shares())).times(0.5)
    return {"truth_tv": parts.total, **{f"truth_tv_{step}": getattr(parts, step) for step in STEPS}}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything a run gives."""

    config: RunConfig
    released: Released
    narration: Narration | None = field(repr=False)
    measures: Measures
    universe: AtomUniverse = field(repr=False)


def run(config: RunConfig, start: Start) -> Outcome:
    """Release a plan, put it into words where the run asks for them, and measure both."""
    release = released(config, start)
    told = _told(config, release, start)
    measures = {
        **_sizes(config, release, start),
        **_plan_measures(config, release, start),
        **certificate_measures(config, release, start),
        **truth_measures(config, release, start),
        **_text_measures(config, release.plan, told, start),
        **_probe_measures(config, release, told, start),
    }
    return Outcome(config, release, told, measures, start.prepared.universe)


def text_by_bins(plan: SemanticPlan) -> str:
    """Write the paper's own template: the listed themes by their support bins, and no number. It is not verified."""
    bins = dict.fromkeys(entry.bin for entry in plan.entries)
    members = {name: [each.label for each in plan.entries if each.bin == name] for name in bins}
    return " ".join((OPENING, *(f"Themes with {name} support: {listing(labels)}." for name, labels in members.items())))


def run_digest(config: RunConfig, prepared: str) -> str:
    """Identify a run by all that makes it: its configuration, its prepared records by their name, its software."""
    return digest_of([config.model_dump(mode="json"), prepared, SOFTWARE])


def write_run(folder: Path, outcome: Outcome) -> None:
    """Write the run's files under another name and rename the folder: a run is there as a whole, or not at all."""
    require_no_release(folder)
    unfinished = folder.with_name(f".unfinished-{folder.name}")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    for name, content in _files(outcome).items():
        (unfinished / name).write_text(content, encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)


def is_finished(folder: Path) -> bool:
    """Tell whether a run is there as a whole; the last step of writing one is its name."""
    return (folder / METRICS).is_file()


def _told(config: RunConfig, release: Released, start: Start) -> Narration | None:
    if config.decoder_backend == "none" or release.plan is None:
        return None
    return narrate(release.plan, start.prepared.universe, mode=Mode.AUDIT)


def _sizes(config: RunConfig, release: Released, start: Start) -> Measures:
    return {
        "epsilon_eff": release.loss.epsilon if release.loss else 0.0,
        "delta_eff": release.loss.delta if release.loss else 0.0,
        "effective_records": start.records,
        "effective_users": start.users,
        "selected_units": start.sketch.units,
        "chosen_mechanism": release.plan.statement.mechanism.kind if release.plan else config.mechanism.value,
        "exact_mass": sum(start.masses),
    }


def _plan_measures(config: RunConfig, release: Released, start: Start) -> Measures:
    found = recovery(release.admitted, start.masses, config.L)
    errors = release.errors
    return {
        "overlap": found.overlap,
        "mass_retained": found.mass_retained.value,
        "mass_retained_undefined": found.mass_retained.undefined,
        "support_mass_loss": found.loss,
        "error_coordinates": errors.coordinates.value,
        "error_max": errors.maximum,
        "error_l1": errors.total,
        "error_l2": errors.euclidean,
    }


def _text_measures(config: RunConfig, plan: SemanticPlan | None, told: Narration | None, start: Start) -> Measures:
    """Compare words with the reference's; both in display form, which has bins where audit text has masses."""
    if told is None or plan is None:
        return {}
    universe = start.prepared.universe
    screened = screen(Facts(plan, universe), told.text, told.mode)
    measures: Measures = {
        "accepted": screened.accepted and not told.used_fallback,
        "uar": screened.unsupported_atom_rate,
        "ucr": screened.unsupported_comparison_rate,
        "comparisons": screened.comparisons,
    }
    if config.clean_reference_decoder_backend == "none":
        return measures
    ours, reference = (text_by_bins(each) for each in (plan, reference_plan(plan, start)))
    alike = likeness(ours, reference)
    return {
        **measures,
        "j_tok": alike.tokens.value,
        "j_tok_empty": alike.tokens.both_empty,
        "j_2": alike.bigrams.value,
        "j_2_empty": alike.bigrams.both_empty,
        "j_kp": alike.keyphrases.value,
        "j_kp_empty": alike.keyphrases.both_empty,
        "cos_tfidf": alike.tfidf_cosine,
    }


def _probe_measures(config: RunConfig, release: Released, told: Narration | None, start: Start) -> Measures:
    if config.probe_support is None:
        return {}
    probe = probe_position(start.prepared.universe)
    measures: Measures = {
        "probe_admission": probe_admission({probe}, release.admitted),
        "probe_rank": non_private_rank(start.masses, probe),
        "probe_mass": start.masses[probe],
    }
    return measures if told is None else {**measures, "probe_mention": probe_mention({PROBE_LABEL}, told.text)}


def _files(outcome: Outcome) -> dict[str, str]:
    config = outcome.config.model_dump(mode="json")
    told = outcome.narration
    marked = {"private": False, "randomness": RANDOMNESS}
    return {
        "config.yaml": outcome.config.to_yaml(),
        PLAN_OF_A_RUN: outcome.released.to_json(),
        "atoms.json": dumps(outcome.universe.published),
        "summary.txt": NO_TEXT if told is None else told.text.rstrip() + "\n",
        "verifier_attempts.json": json.dumps({**marked, "attempts": _attempts(told)}, indent=2) + "\n",
        METRICS: json.dumps({**marked, "config": config, **outcome.measures}, indent=2) + "\n",
    }


def _attempts(told: Narration | None) -> list[Measures]:
    if told is None:
        return []
    return [attempt.model_dump(mode="json") for attempt in told.attempts]
