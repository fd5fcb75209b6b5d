"""One run: release, text, verifier, metrics; the five files of the paper that it leaves, and the dictionary.

Its measures include what it promised and whether it kept it, and how far it is from the truth, where that is known.
"""

import json
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.folders import PLAN_OF_A_RUN, require_no_release
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.privacy import RecordUnit
from dpspin.boundary.software import SOFTWARE
from dpspin.llm.chat import Chat
from dpspin.public.atoms.dictionary_files import dumps
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
from dpspin_lab.metrics.utility_bounds import promised_by
from dpspin_lab.not_private import RANDOMNESS
from dpspin_lab.runs.config import MechanismName, RunConfig
from dpspin_lab.runs.prepared import Start
from dpspin_lab.runs.record_preparation import PROBE_LABEL, probe_position
from dpspin_lab.runs.releasing import Released, reference_plan, released
from dpspin_lab.runs.words import Measures, Words, put_into_words, text_measures

BETA: Final = 0.05  # each bound may fail with this probability
STEPS: Final = ("mapping", "clipping", "noise")

METRICS: Final = "metrics.json"
UNFINISHED: Final = ".unfinished-"  # how the name of a folder begins that is being written
TEXTS: Final = "texts.json"
SIMULATED: Final = f"{RANDOMNESS}: the numbers behind this text are simulated and not private.\n\n"
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
    words: Words | None = field(repr=False)
    measures: Measures
    universe: AtomUniverse = field(repr=False)


def run(config: RunConfig, start: Start, chat: Chat | None = None) -> Outcome:
    """Release a plan, put it into words where the run asks for them, and measure both; a model is asked by its chat."""
    release = released(config, start)
    words = _words(config, release, start, chat)
    measures = {
        **_sizes(config, release, start),
        **_plan_measures(config, release, start),
        **certificate_measures(config, release, start),
        **truth_measures(config, release, start),
        **_said(config, release, words, start),
        **_probe_measures(config, release, words, start),
    }
    return Outcome(config, release, words, measures, start.prepared.universe)


def run_digest(config: RunConfig, prepared: str) -> str:
    """Identify a run by all that makes it: its configuration, its prepared records by their name, its software."""
    return digest_of([config.model_dump(mode="json"), prepared, SOFTWARE])


def write_run(folder: Path, outcome: Outcome) -> None:
    """Write the run's files under another name and rename the folder: a run is there as a whole, or not at all.

    Whoever makes the same run at the same time writes under a name of their own, and one of both stays.
    """
    require_no_release(folder)
    unfinished = folder.with_name(f"{UNFINISHED}{os.getpid()}-{folder.name}")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    for name, content in _files(outcome).items():
        (unfinished / name).write_text(content, encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        unfinished.rename(folder)
    except OSError:
        if not is_finished(folder):
            raise
        shutil.rmtree(unfinished, ignore_errors=True)


def is_finished(folder: Path) -> bool:
    """Tell whether a run is there as a whole; the last step of writing one is its name."""
    return (folder / METRICS).is_file()


def _words(config: RunConfig, release: Released, start: Start, chat: Chat | None) -> Words | None:
    if config.decoder_backend == "none" or release.plan is None:
        return None
    compares = config.clean_reference_decoder_backend != "none"
    exact = reference_plan(release.plan, start) if compares else None
    return put_into_words(config, release.plan, exact, start.prepared.universe, chat)


def _said(config: RunConfig, release: Released, words: Words | None, start: Start) -> Measures:
    if words is None or release.plan is None:
        return {}
    return text_measures(config, release.plan, words, start.prepared.universe)


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


def _probe_measures(config: RunConfig, release: Released, words: Words | None, start: Start) -> Measures:
    if config.probe_support is None:
        return {}
    probe = probe_position(start.prepared.universe)
    measures: Measures = {
        "probe_admission": probe_admission({probe}, release.admitted),
        "probe_rank": non_private_rank(start.masses, probe),
        "probe_mass": start.masses[probe],
    }
    return measures if words is None else {**measures, "probe_mention": probe_mention({PROBE_LABEL}, words.audit.text)}


def _files(outcome: Outcome) -> dict[str, str]:
    config = outcome.config.model_dump(mode="json")
    marked = {"private": False, "randomness": RANDOMNESS}
    texts = _texts(outcome.words) if outcome.config.asks_a_model else {}
    return {
        "config.yaml": outcome.config.to_yaml(),
        PLAN_OF_A_RUN: outcome.released.to_json(),
        "atoms.json": dumps(outcome.universe.published),
        "summary.txt": _summary(outcome),
        "verifier_attempts.json": json.dumps({**marked, **_attempts(outcome.words)}, indent=2) + "\n",
        METRICS: json.dumps({**marked, "config": config, **outcome.measures}, indent=2) + "\n",
        **({TEXTS: json.dumps({**marked, **texts}, indent=2) + "\n"} if texts else {}),
    }


def _summary(outcome: Outcome) -> str:
    """Return the audit text; one that is verified says by itself that it is simulated."""
    if outcome.words is None:
        return NO_TEXT
    opening = SIMULATED if outcome.config.decoder_contract_mode == "legacy_text" else ""
    return f"{opening}{outcome.words.audit.text.rstrip()}\n"


def _attempts(words: Words | None) -> Measures:
    if words is None:
        return {"attempts": []}
    attempts = [attempt.model_dump(mode="json") for attempt in words.audit.attempts]
    return {"attempts": attempts, "used_fallback": words.audit.used_fallback}


def _texts(words: Words | None) -> Measures:
    """Return the display texts of both plans, which a judge is shown and likeness is measured of."""
    if words is None or words.display is None:
        return {}
    return {"display": words.display, "reference": words.reference, "reference_plan": words.reference_plan}
