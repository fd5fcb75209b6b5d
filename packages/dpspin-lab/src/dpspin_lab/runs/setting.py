"""A data set and unit as a grid sees them: which sizes there are to run, given the records at hand."""

from dataclasses import dataclass
from typing import Final

from dpspin_lab.datasets.registry import DatasetKind
from dpspin_lab.datasets.split import Split
from dpspin_lab.runs.config import Source, Unit

LADDER: Final = (500, 1000, 2000, 5000, 10_000, 20_000)  # numbers of protected units
MAIN_M: Final = {"cfpb": 200, "yelp": 100}  # the paper's m where a figure has one; elsewhere the only one
FIXED_EPSILON: Final = {"cfpb": 0.5}  # of figures over m, B, n, K and L; elsewhere one
USUAL_EPSILON: Final = 1.0


@dataclass(frozen=True, slots=True)
class Variant:
    """Another start of the main configuration than the paper's, with as many units as its target has room for."""

    source: Source
    n: int


@dataclass(frozen=True, slots=True)
class Setting:
    """The public sizes of the runs of one data set and unit."""

    dataset: str
    unit: Unit
    user_id_field: str | None
    sizes: tuple[int, ...]  # of the dictionary, ascending
    main_m: int
    n: int
    ns: tuple[int, ...]
    bounds: tuple[float, ...] = ()  # main ones first
    variants: tuple[Variant, ...] = ()

    @property
    def epsilon(self) -> float:
        """The privacy budget of figures that vary something else."""
        return FIXED_EPSILON.get(self.dataset, USUAL_EPSILON)


def setting_of(kind: DatasetKind, unit: Unit, split: Split, sizes: tuple[int, ...]) -> Setting:
    """Fit the paper's sizes to the records: its n where there are as many units, else the next smaller on a ladder."""
    target = split.target
    units = len(set(target.users or ())) if unit == "user" else len(target)
    papers = (kind.n_users or 0) if unit == "user" else kind.n_records
    return Setting(
        dataset=kind.name,
        unit=unit,
        user_id_field=kind.user_id_field if unit == "user" else None,
        sizes=tuple(sorted(set(sizes))),
        main_m=min(MAIN_M.get(kind.name, max(sizes)), max(sizes)),
        n=largest_fitting(min(papers, units)),
        ns=tuple(n for n in LADDER if n <= units),
        bounds=(*kind.bounds, *kind.bounds_ablation) if unit == "user" else (),
    )


def largest_fitting(units: int) -> int:
    """Return the largest number on the ladder that the records allow, or all of them where there are few.

    >>> largest_fitting(6030), largest_fitting(120)
    (5000, 120)
    """
    return max((n for n in LADDER if n <= units), default=units)
