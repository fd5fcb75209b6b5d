"""A year of weeks under one loss for a person's whole life, beside 52 separate releases of the same total loss.

    python bench/series_noise.py                    # 20,000 made-up users, heavy-tailed activity
    python bench/series_noise.py --activity FILE    # a CSV file of real user,period pairs, one for each record

Nobody's text is read: users write about random themes, and what is measured is counting, allowances and noise. Prints
the noise of both ways, what fading leaves of each week, the mean error of a theme's share in both, and the exact loss
of the users who lose most, by counting the whole year once more without each of them. Exit code 1 if one exceeds it.
"""

import argparse
import csv
import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa

from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.boundary.series import SeriesTerms
from dpspin.curator.aggregate.allowances import Allowances, take
from dpspin.curator.aggregate.user_sums import ROWS, MemorySums
from dpspin.public.preview.series_forecast import forecast_of, recommended

THEMES = 54
CALENDAR = PeriodFacet(column="date", every="week", first="2026-01-05", last="2027-01-03")
WEEKS = len(CALENDAR.declared)
HEAVIEST = 10  # users whose year is counted again without them


def made_up(users: int, chance: np.random.Generator) -> list[np.ndarray]:  # noqa: TID251
    """Return who writes in each week, once for each record: how often somebody writes has a heavy tail."""
    often = np.minimum(3.0, 0.02 * (1 + chance.pareto(1.1, users)))
    return [np.repeat(np.arange(users), chance.poisson(often)) for _ in range(WEEKS)]


def real(path: Path) -> list[np.ndarray]:
    """Return who writes in each period of a file, the first 52 in their order."""
    weeks, names = defaultdict(list), {}
    with path.open(newline="") as file:
        for user, period in csv.reader(file):
            weeks[period].append(names.setdefault(user, len(names)))
    return [np.array(weeks[period], np.int64) for period in sorted(weeks)[:WEEKS]]


def rows_of(writers: np.ndarray, themes: np.ndarray) -> MemorySums:
    """Give each record a mass of one on one theme."""
    sums = MemorySums()
    columns = [writers * 7919, writers, themes.astype(np.int32), np.full(len(writers), TICKS_PER_MASS, np.int64)]
    sums.add(pa.RecordBatch.from_arrays([pa.array(column) for column in columns], schema=ROWS))
    return sums


def year(weeks: list[MemorySums], terms: SeriesTerms) -> tuple[np.ndarray, np.ndarray]:
    """Count every week; return the masses by week and theme, and what was wanted."""
    allowances, masses, wanted = Allowances.full(), [], []
    for sums in weeks:
        taken = take(sums, THEMES, allowances, terms)
        allowances = taken.left
        masses.append(taken.ticks)
        wanted.append(taken.wanted)
    return np.array(masses), np.array(wanted)


def loss_without(user: int, weeks: list[tuple], counted: tuple, terms: SeriesTerms) -> float:
    """Return the exact loss of one user's year: all changes, each over the scale of its noise."""
    others = [rows_of(writers[writers != user], themes[writers != user]) for writers, themes in weeks]
    masses, wanted = year(others, terms)
    scale = terms.lifetime_ticks / ((1 - terms.fading_share) * terms.epsilon)
    return float(np.abs(counted[0] - masses).sum() / scale + np.abs(counted[1] - wanted).sum() / terms.fading.scale)


def share_error(masses: np.ndarray, std: float, truth: np.ndarray, chance: np.random.Generator) -> float:  # noqa: TID251
    """Return the mean error of a theme's share in points, over themes and weeks, with noise of this deviation."""
    noisy = np.maximum(0.0, masses + chance.laplace(0.0, std / np.sqrt(2), masses.shape))
    return float(100 * np.abs(shares(noisy) - shares(truth)).mean())


def shares(masses: np.ndarray) -> np.ndarray:
    return masses / np.maximum(masses.sum(axis=1, keepdims=True), 1.0)


def measured(writers: list[np.ndarray], epsilon: float, active: float, seed: int) -> dict[str, float]:
    chance = np.random.default_rng(seed)  # noqa: TID251  a simulation
    popular = chance.dirichlet(np.full(THEMES, 0.3))
    weeks = [(each, chance.choice(THEMES, len(each), p=popular)) for each in writers]
    terms = recommended(CALENDAR, epsilon, active, 1.0).terms
    forecast = forecast_of(terms)
    sums = [rows_of(*week) for week in weeks]
    counted = year(sums, terms)
    free = year(sums, terms.model_copy(update={"lifetime_bound": float(len(weeks))}))  # a bound per week alone
    masses, truth = counted[0] / TICKS_PER_MASS, free[0] / TICKS_PER_MASS
    busiest = np.bincount(np.concatenate(writers)).argsort()[::-1][:HEAVIEST]
    active_weeks = np.bincount(np.concatenate([np.unique(each) for each in writers]))
    fading = counted[0].sum(axis=1) / counted[1]
    return {
        "weeks": len(weeks),
        "users": int((active_weeks > 0).sum()),
        "records": int(sum(map(len, writers))),
        "active_weeks_of_the_median_user": float(np.median(active_weeks[active_weeks > 0])),
        "active_weeks_of_the_busiest_hundredth": float(np.quantile(active_weeks[active_weeks > 0], 0.99)),
        "lifetime_bound": terms.lifetime_bound,
        "noise_std": round(forecast.noise_std, 2),
        "noise_std_of_separate_releases": round(forecast.separate_std, 2),
        "times_less_noise": round(forecast.times_less, 2),
        "counted_of_wanted_in_the_last_week": round(float(fading[-1]), 3),
        "mean_error_of_a_share_in_points": round(share_error(masses, forecast.noise_std, truth, chance), 3),
        "mean_error_with_separate_releases": round(share_error(truth, forecast.separate_std, truth, chance), 3),
        "mean_error_of_even_shares": round(float(100 * np.abs(1 / THEMES - shares(truth)).mean()), 3),
        "claimed_loss": epsilon,
        "largest_exact_loss": round(max(loss_without(int(each), weeks, counted, terms) for each in busiest), 6),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=20_000)
    parser.add_argument("--activity", type=Path)
    parser.add_argument("--epsilon", type=float, default=3.0)
    parser.add_argument("--active-periods", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance = np.random.default_rng(asked.seed)  # noqa: TID251  a simulation
    writers = made_up(asked.users, chance) if asked.activity is None else real(asked.activity)
    found = measured(writers, asked.epsilon, asked.active_periods, asked.seed)
    print(json.dumps(found, indent=2))
    sys.exit(found["largest_exact_loss"] > asked.epsilon * (1 + 1e-9))


if __name__ == "__main__":
    main()
