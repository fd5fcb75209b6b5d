"""The paper's defaults of each data set, from which the configuration of a run is made by naming what is other."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from dpspin.boundary.model_base import explained_as
from dpspin.boundary.strict_yaml import YamlMistake, parse_yaml
from dpspin.errors import InputError, RequestError
from dpspin_lab.datasets.registry import DatasetKind
from dpspin_lab.runs.config import OF_A_MODEL, WRITTEN_BY_A_MODEL, MechanismName, RunConfig, Unit
from dpspin_lab.runs.grids import MAIN_K, MAIN_L, MAIN_M, USUAL_EPSILON

SIZES: Final = ("n_records", "n_users")


def template(kind: DatasetKind, unit: Unit) -> RunConfig:
    """Return the main configuration of a data set: Gaussian noise at epsilon one, the paper's m, n, K, L and B.

    >>> from dpspin_lab.datasets.registry import YELP
    >>> config = template(YELP, "user")
    >>> config.m, config.K, config.L, config.n_users, config.B, config.public_denominator
    (100, 3, 10, 5000, 1.0, 5000)
    """
    if unit not in kind.units:
        raise RequestError(f"{kind.name} names no users, so a run protects records: leave --unit out")
    by_user = {"n_users": kind.n_users, "user_id_field": kind.user_id_field, "B": next(iter(kind.bounds), None)}
    return RunConfig(
        dataset=kind.name,
        protected_unit=unit,
        m=MAIN_M.get(kind.name, max(kind.m)),
        K=MAIN_K,
        L=MAIN_L,
        mechanism=MechanismName.GAUSSIAN,
        epsilon=USUAL_EPSILON,
        **(by_user if unit == "user" else {"n_records": kind.n_records}),
    )


def with_settings(config: RunConfig, settings: Iterable[str]) -> RunConfig:
    """Return the run with some fields set, each told as ``field=value``; what follows from them does, unless told."""
    told = dict(map(_parted, settings))
    follows = _following(config, told)
    kept = {name: value for name, value in config.model_dump(mode="json").items() if name not in follows}
    with explained_as(InputError, "the run"):
        return RunConfig.model_validate({**kept, **told})


def _following(config: RunConfig, told: Mapping[str, object]) -> set[str]:
    """Name the fields that a run fills in by itself from those that were told: d_public from n, words from who writes.

    The contract is kept where both decoders have a choice of it: claims have one of their own.
    """
    follows = {"public_denominator"} if any(size in told for size in SIZES) else set()
    if "decoder_backend" not in told:
        return follows
    writes = told["decoder_backend"]
    follows.add("clean_reference_decoder_backend")
    if "claims" in {writes, config.decoder_backend}:
        follows.add("decoder_contract_mode")
    return follows if writes in WRITTEN_BY_A_MODEL else follows.union(OF_A_MODEL)


def _parted(setting: str) -> tuple[str, Any]:
    name, mark, value = setting.partition("=")
    if not (mark and name):
        raise RequestError("--set takes a field and its value, for example --set epsilon=0.5")
    try:
        read = parse_yaml(value)
    except YamlMistake:
        raise RequestError(f"the value of --set {name} cannot be read: write it as in YAML") from None
    if isinstance(read, Mapping | list):
        raise RequestError(f"--set {name} takes one value: a number, a word, true, false or null")
    return name, read
