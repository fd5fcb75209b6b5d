"""Grouped summaries: runs that differ in their seed alone are one row, and no others are ever pooled.

The key is the paper's, with everything that its implementation adds to it.
"""

import csv
import io
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

from dpspin.boundary.safe_files import write_whole
from dpspin.errors import SourceError
from dpspin_lab.not_private import RANDOMNESS, evaluation_folder
from dpspin_lab.runs.config import OF_A_MODEL, RunConfig, Unit
from dpspin_lab.runs.parallel_runs import runs_folder
from dpspin_lab.runs.run import METRICS

OF_THE_CONFIG: Final = (
    *("dataset", "protected_unit", "n_records", "n_users", "B", "m", "K", "L"),
    *("mechanism", "epsilon", "public_denominator", "adjacency", "gaussian_calibration", "rho"),
    *("selected_value_mechanism", "decoder_backend", "decoder_contract_mode", "clean_reference_decoder_backend"),
    *("summary_embedding_backend", "probe_support", "split", "dictionary", "assignment_map"),
)
OF_THE_RUN: Final = ("epsilon_eff", "delta_eff", "error_coordinates")
SHARES, MARGIN = "selection_shares", "comparison_margin"
KEY: Final = (*OF_THE_CONFIG, SHARES, MARGIN, *OF_A_MODEL, *OF_THE_RUN)
COUNTED: Final = "effective_records"  # reported with its spread, never part of the key
MEASURES: Final = (
    *("overlap", "mass_retained", "mass_retained_undefined", "support_mass_loss"),  # of the plan
    *("error_max", "error_l1", "error_l2", "exact_mass"),
    *("accepted", "uar", "ucr", "comparisons", "j_tok", "j_2", "j_kp", "cos_tfidf", "cos_emb"),  # of the text
    *("first_accepted", "attempts", "fallback", "named", "display_named", "display_accepted"),  # of a model's text
    *("questions", "prompt_tokens", "answer_tokens"),
    *("probe_admission", "probe_mention", "probe_rank", "probe_mass"),
    *("promised_loss", "promised_mass_retained", "promised_value_error", "loss_inside", "value_error_inside"),
    *("truth_overlap", "truth_lost_mapping", "truth_lost_clipping", "truth_lost_noise"),  # where labels are known
    *("truth_tv", "truth_tv_mapping", "truth_tv_clipping", "truth_tv_noise", "labels_overlap", "labels_tv"),
)

MARK_COLUMN: Final = "randomness"

Row = dict[str, Any]


def read_runs(folder: Path) -> list[Row]:
    """Read the metrics of every finished run, each with its configuration, in the order of their names."""
    return [_read_run(path) for path in sorted(folder.glob(f"[!.]*/{METRICS}"))]


def _read_run(path: Path) -> Row:
    try:
        one = json.loads(path.read_bytes())
    except ValueError:
        one = None
    if not (isinstance(one, dict) and isinstance(one.get("config"), dict)):
        raise SourceError(f"{path} does not hold a run's measures: remove its folder, and make the run again")
    return one


def summarised(runs: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Return one row per group: its key, its number of runs, and mean and standard deviation of each measure."""
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = defaultdict(list)
    for one in runs:
        groups[key_of(one)].append(one)
    in_order = sorted(groups.items(), key=lambda group: tuple(map(_sortable, group[0])))
    return [{**dict(zip(KEY, key, strict=True)), **_figures(members)} for key, members in in_order]


def summarise(out: Path, name: str, unit: Unit) -> tuple[list[Row], list[Row]]:
    """Group the runs of a data set and unit, the probe's and those of language models apart; write the tables.

    A table of runs with a model is written where there are some; where they are gone, it is written without a row.
    """
    parts: dict[str, list[Row]] = {"": [], "probe_": [], "model_": [], "model_probe_": []}
    for one in read_runs(runs_folder(out, name, unit)):
        probed, model = one["config"].get("probe_support"), one["config"].get("decoder_model")
        parts[f"{'model_' if model else ''}{'' if probed is None else 'probe_'}"].append(one)
    tables = {prefix: summarised(runs) for prefix, runs in parts.items()}
    folder = out / name / "summaries"
    for prefix, rows in tables.items():
        if rows or not prefix.startswith("model_") or (folder / f"{prefix}{unit}.json").is_file():
            write_table(folder, f"{prefix}{unit}", rows, columns=KEY)
    return tables[""], tables["probe_"]


def write_table(folder: Path, name: str, rows: Sequence[Row], columns: Sequence[str] = ()) -> None:
    """Write a table as CSV and as JSON; the columns are those of its rows, the given ones first, and the mark."""
    evaluation_folder(folder)
    text = io.StringIO()
    names = dict.fromkeys((*columns, *(column for row in rows for column in row), MARK_COLUMN))
    writer = csv.DictWriter(text, list(names), lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, MARK_COLUMN: RANDOMNESS} for row in rows)
    write_whole(folder / f"{name}.csv", text.getvalue().encode())
    content = {"private": False, MARK_COLUMN: RANDOMNESS, "rows": list(rows)}
    write_whole(folder / f"{name}.json", (json.dumps(content, indent=1) + "\n").encode())


def read_summary(path: Path) -> list[Row]:
    """Read the rows of a summary's JSON file."""
    rows: list[Row] = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return rows


def spread(name: str, values: Iterable[float | None]) -> Row:
    """Return mean and sample standard deviation of what is known; one value has no spread.

    >>> spread("score", [4, None, 5]), spread("score", [])
    ({'score': 4.5, 'score_sd': 0.7071067811865476}, {'score': None, 'score_sd': None})
    """
    known = [float(value) for value in values if value is not None]
    return {name: fmean(known) if known else None, f"{name}_sd": _sd(known)}


def key_of(one: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the values of ``KEY`` by which a run, as its metrics tell it, belongs to a group."""
    try:
        of_the_config = (one["config"][name] for name in OF_THE_CONFIG)
        of_the_run = (one[name] for name in OF_THE_RUN)
        config = one["config"]
        return (*of_the_config, _shares(config), config.get(MARGIN), *_of_a_model(config), *of_the_run)
    except KeyError:
        raise SourceError("a run has not the fields of this version; make the runs again with CLEAN_RUNS=1") from None


def _shares(config: Mapping[str, Any]) -> str | None:
    """Write unequal shares of an admission's rounds in one cell; a file has none where they are equal."""
    shares = config.get(SHARES)
    return None if shares is None else ",".join(map(str, shares))


def _of_a_model(config: Mapping[str, Any]) -> tuple[Any, ...]:
    """Name model and settings where a model wrote; a file has those that are not the default."""
    if config.get("decoder_model") is None:
        return (None,) * len(OF_A_MODEL)
    return tuple(config.get(name, RunConfig.model_fields[name].default) for name in OF_A_MODEL)


def _sortable(value: object) -> tuple[int, float, str]:
    if isinstance(value, int | float):
        return 1, float(value), ""
    return (0, 0.0, "") if value is None else (2, 0.0, str(value))


def _figures(members: Sequence[Mapping[str, Any]]) -> Row:
    row: Row = {"runs": len(members), **_counted([float(one[COUNTED]) for one in members])}
    for name in MEASURES:
        row |= spread(name, [one.get(name) for one in members])
    return row


def _counted(counts: Sequence[float]) -> Row:
    """Report how many records the protected units had: at user level it varies from seed to seed."""
    return {
        f"{COUNTED}_mean": fmean(counts),
        f"{COUNTED}_min": min(counts),
        f"{COUNTED}_max": max(counts),
        f"{COUNTED}_sd": _sd(counts),
    }


def _sd(values: Sequence[float]) -> float | None:
    """Return the sample standard deviation; one value has none."""
    spread = stdev(values) if len(values) > 1 else None
    return None if spread is None or math.isnan(spread) else spread
