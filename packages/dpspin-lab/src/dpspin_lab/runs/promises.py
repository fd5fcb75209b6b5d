"""What a run promised and whether it kept it, and how far it is from the truth, where that is known."""

from typing import Any, Final

import numpy as np

from dpspin.boundary.privacy import RecordUnit
from dpspin_lab.error_split import Stages, by_atom, of_distance, of_listed, public_only, shares
from dpspin_lab.metrics.plan import support_mass_loss, top_atoms
from dpspin_lab.runs.config import RunConfig
from dpspin_lab.runs.mechanism import MechanismName
from dpspin_lab.runs.releasing import Released
from dpspin_lab.runs.start import Start
from dpspin_lab.truth import overlap_at, total_variation
from dpspin_lab.utility_bounds import promised_by

BETA: Final = 0.05  # each bound may fail with this probability
STEPS: Final = ("mapping", "clipping", "noise")

Measures = dict[str, Any]


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
