"""A mean over seeds with its standard error: what every verdict rests on."""

from dataclasses import dataclass
from math import hypot, inf, isfinite, sqrt
from typing import Final

from dpspin.lab.runs.summary import Row

FIGURES: Final = 3


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, its standard error and the number of runs behind it.

    One run has no spread, so its error is zero; where a table has no spread of several runs, the error may be anything.

    >>> print(Estimate(0.9123, 0.0057, 20), Estimate(715.2, 9.8, 20), Estimate(1.0, 0.0, 1), Estimate(0.5, inf, 20))
    0.912 ± 0.006 715 ± 10 1.00 (one run) 0.500
    """

    mean: float
    error: float
    runs: int

    def __str__(self) -> str:
        size = max(abs(self.mean), 1.0)
        places = max(0, FIGURES - len(str(int(size)))) if abs(self.mean) >= 1 else FIGURES
        return f"{self.mean:.{places}f}{self._spread(places)}"

    def _spread(self, places: int) -> str:
        if self.runs == 1:
            return " (one run)"
        return f" ± {self.error:.{places}f}" if isfinite(self.error) else ""

    def times(self, factor: float) -> "Estimate":
        """Return the estimate in other units."""
        return Estimate(self.mean * factor, self.error * abs(factor), self.runs)

    def less(self, other: "Estimate") -> "Estimate":
        """Return the difference. Runs of the same seed share their records, so the error is on the safe side.

        >>> print(Estimate(0.5, 0.03, 20).less(Estimate(0.25, 0.04, 20)))
        0.250 ± 0.050
        """
        return Estimate(self.mean - other.mean, hypot(self.error, other.error), min(self.runs, other.runs))


def measured(row: Row | None, column: str, *, runs: str = "runs") -> Estimate | None:
    """Return a column of a summary's row; None where nothing was measured.

    >>> measured({"overlap": 0.5, "overlap_sd": 0.2, "runs": 4}, "overlap")
    Estimate(mean=0.5, error=0.1, runs=4)
    """
    if row is None or row.get(column) is None:
        return None
    count, deviation = int(row[runs]), row.get(f"{column}_sd")
    unknown = 0.0 if count == 1 else inf
    return Estimate(float(row[column]), unknown if deviation is None else deviation / sqrt(count), count)
