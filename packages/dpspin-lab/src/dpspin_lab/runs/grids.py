"""The grids behind the paper's figures: utility over epsilon, ablations over m, K, L, n and B, and the probe.

The sizes fit the records at hand. The public-only plan is in every grid: what one would say without asking a record is
what a release has to beat.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from dpspin_lab.datasets.registry import DatasetKind
from dpspin_lab.datasets.split import Split
from dpspin_lab.runs.config import PAPERS, WITHOUT_WORDS, MechanismName, RunConfig, Source, Unit
from dpspin_lab.runs.record_preparation import SUPPORTS

LADDER: Final = (500, 1000, 2000, 5000, 10_000, 20_000)  # numbers of protected units
MAIN_M: Final = {"cfpb": 200, "yelp": 100}  # the paper's m where a figure has one; elsewhere the only one
FIXED_EPSILON: Final = {"cfpb": 0.5}  # of figures over m, B, n, K and L; elsewhere one
USUAL_EPSILON: Final = 1.0
MAIN_K, MAIN_L = 3, 10
PROBE_BOUND, PROBE_BASE = 2.0, 2000  # the paper's B at user level, and the n0 of its example
WORDS: Final = {"decoder_backend": "template", "clean_reference_decoder_backend": "template"}
NO_WORDS: Final = {"decoder_backend": "none", "clean_reference_decoder_backend": "none"}
_OF_WORDS: Final = set(WORDS)
SHOWN: Final = (*PAPERS, MechanismName.PUBLIC_ONLY)


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


@dataclass(frozen=True, slots=True)
class Scale:
    """How fine the grids are."""

    name: str
    seeds: int
    epsilons: tuple[float, ...]
    ks: tuple[int, ...] = (1, 3, 5)
    ls: tuple[int, ...] = (5, 10, 20)
    supports: tuple[int, ...] = SUPPORTS
    probe_epsilons: tuple[float, ...] = (0.5, 1.0, 4.0)


QUICK: Final = Scale("quick", seeds=3, epsilons=(0.1, 0.5, 1.0, 4.0))
FULL: Final = Scale("full", seeds=20, epsilons=(0.1, 0.25, 0.5, 1.0, 2.0, 4.0))


def all_runs(setting: Setting, scale: Scale) -> list[RunConfig]:
    """Return every run of a data set and unit once; where two grids ask for the same plan, the one with words wins."""
    grids = (grid(setting, scale) for grid in (utility, ablations, unit_counts, bounds, variants))
    return united(one for grid in grids for one in grid)


def utility(setting: Setting, scale: Scale) -> Iterator[RunConfig]:
    """Over epsilon at K=3, L=10: the paper's mechanisms with words, and those beyond it at the level of plans."""
    for m, bound in product(setting.sizes, _main_bounds(setting)):
        for mechanism, epsilon in product(MechanismName, scale.epsilons):
            words = WORDS if mechanism in PAPERS else NO_WORDS
            yield from _seeded(setting, scale, m=m, B=bound, epsilon=epsilon, mechanism=mechanism, **words)


def ablations(setting: Setting, scale: Scale) -> Iterator[RunConfig]:
    """Panels over K and L, for every epsilon and m, and for every main bound; the paper has words for reviews only."""
    words = NO_WORDS if setting.dataset == "cfpb" else WORDS
    first, *others = _main_bounds(setting)
    curves = [*((m, first) for m in setting.sizes), *((setting.main_m, bound) for bound in others)]
    for (m, bound), k, size, epsilon in product(curves, scale.ks, scale.ls, scale.epsilons):
        for mechanism in SHOWN:
            fields = {"m": m, "K": k, "L": size, "B": bound, "epsilon": epsilon, "mechanism": mechanism}
            yield from _seeded(setting, scale, **fields, **_said(mechanism, words))


def bounds(setting: Setting, scale: Scale) -> Iterator[RunConfig]:
    """Over the user bound B at one epsilon, in panels over K and L."""
    for bound, k, size, mechanism in product(setting.bounds, scale.ks, scale.ls, SHOWN):
        words = _said(mechanism, WORDS)
        yield from _seeded(setting, scale, K=k, L=size, B=bound, mechanism=mechanism, **words)


def unit_counts(setting: Setting, scale: Scale) -> Iterator[RunConfig]:
    """Over the number of protected units at one epsilon."""
    for n, mechanism in product(setting.ns, SHOWN):
        yield from _seeded(setting, scale, n=n, B=_first(setting), mechanism=mechanism, **NO_WORDS)


def variants(setting: Setting, scale: Scale) -> Iterator[RunConfig]:
    """Over epsilon at K=3, L=10 from other starts: records split by time, and another map."""
    for variant, mechanism, epsilon in product(setting.variants, MechanismName, scale.epsilons):
        source = variant.source
        start = {"split": source.split, "dictionary": source.dictionary, "assignment_map": source.assignment_map}
        fields = {"n": variant.n, "m": source.m, "K": source.K, "epsilon": epsilon, "mechanism": mechanism}
        yield from _seeded(setting, scale, **start, **fields, **NO_WORDS)


def probe(setting: Setting, scale: Scale) -> Iterator[RunConfig]:
    """Over the probe's support, with n = d_public = n0 + s: a base corpus of fixed size and s probe records."""
    words = {**WORDS, "clean_reference_decoder_backend": "none"}
    for support, epsilon, mechanism in product(scale.supports, scale.probe_epsilons, SHOWN):
        fields = {"epsilon": epsilon, "mechanism": mechanism, **_said(mechanism, words)}
        yield from _seeded(setting, scale, **probed(setting, support), **fields)


def probed(setting: Setting, support: int) -> dict[str, Any]:
    """Return the fields of a run of the probe that hang on its support."""
    base = max((n for n in setting.ns if n <= PROBE_BASE), default=setting.n)
    bound = PROBE_BOUND if setting.unit == "user" else None
    return {"n": base + support, "m": setting.main_m + 1, "B": bound, "probe_support": support}


def united(configs: Iterable[RunConfig]) -> list[RunConfig]:
    """Keep one of the runs that differ in their words alone: the one that has more of them."""
    found: dict[str, RunConfig] = {}
    for config in configs:
        plan = config.model_dump_json(exclude=_OF_WORDS)
        if plan not in found or config.decoder_backend == "template":
            found[plan] = config
    return list(found.values())


def _seeded(setting: Setting, scale: Scale, **fields: Any) -> Iterator[RunConfig]:  # noqa: ANN401  fields of a run
    return seeded_runs(setting, scale.seeds, **fields)


def seeded_runs(setting: Setting, seeds: int, **fields: Any) -> Iterator[RunConfig]:  # noqa: ANN401  fields of a run
    """Return one run for each seed, in the main setting where no field says otherwise."""
    n = fields.pop("n", setting.n)
    given: dict[str, Any] = {
        "dataset": setting.dataset,
        "protected_unit": setting.unit,
        "n_users" if setting.unit == "user" else "n_records": n,
        "user_id_field": setting.user_id_field,
        "m": setting.main_m,
        "K": MAIN_K,
        "L": MAIN_L,
        "epsilon": setting.epsilon,
        **fields,
    }
    if given["L"] > given["m"]:
        return
    for seed in range(seeds):
        yield RunConfig.model_validate({**given, "seed": seed})


def _said(mechanism: MechanismName, words: dict[str, str]) -> dict[str, str]:
    """Ask for words where a mechanism may have any."""
    return NO_WORDS if mechanism in WITHOUT_WORDS else words


def _main_bounds(setting: Setting) -> tuple[float | None, ...]:
    return setting.bounds[:2] or (None,)


def _first(setting: Setting) -> float | None:
    return next(iter(setting.bounds), None)
