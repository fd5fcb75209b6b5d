"""Choices that go together under one name. A request holds what they stand for: its digest is that of the choices."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from dpspin.boundary.mechanisms.base import ReleaseMechanism
from dpspin.boundary.request_terms import MechanismChoice, epsilon_alone, placed
from dpspin.curator.assign.recipes import PAPERS_K
from dpspin.errors import RequestError

# The paper's main configuration. What it has in common with the defaults is not repeated: add/drop, B = 1, and the
# floors of bins, which it does not name.
PRESETS: Final[Mapping[str, Mapping[str, object]]] = {
    "paper": {
        "records.map.kind": "paper",
        "records.map.atoms_per_record": PAPERS_K,
        "mechanism.kind": "gaussian",
        "loss.delta": 1e-6,
        "size": 10,
        "admission": "fixed",
        "margin": 0.0,
    },
}


def with_preset(told: object) -> object:
    """Put what a preset stands for beneath what was told."""
    if not isinstance(told, Mapping) or "preset" not in told:
        return told
    rest = dict(told)
    usual = PRESETS.get(str(rest.pop("preset")))
    if usual is None:
        known = ", ".join(PRESETS)
        raise RequestError(f"`preset` takes {known}", code="request.unknown-choice", field="preset")
    settled = _settled(rest, usual)
    rest["loss"] = epsilon_alone(rest.get("loss", {}))
    return beneath(placed({field: value for field, value in usual.items() if not field.startswith(settled)}), rest)


def _settled(told: Mapping[str, Any], usual: Mapping[str, object]) -> tuple[str, ...]:
    """Return how the fields begin of which a preset says nothing here: records that are told whole, an unused delta."""
    records = told.get("records", {})
    whole = not isinstance(records, Mapping) or "sketches" in records
    pure = not _needs_delta(told.get("mechanism", usual["mechanism.kind"]))
    return ("records.",) * whole + ("loss.delta",) * pure


def _needs_delta(mechanism: object) -> bool:
    """Tell whether a mechanism that was told needs a delta; what is none is refused when the request is read."""
    try:
        asked: object = TypeAdapter(MechanismChoice).validate_python(mechanism)
    except (ValidationError, RequestError):
        return False
    return isinstance(asked, ReleaseMechanism) and asked.needs_delta


def beneath(usual: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, Any]:
    """Take what was told, and the usual where nothing was; of another kind than the usual, what was told alone.

    >>> beneath({"map": {"kind": "paper", "most": 3}, "margin": 0.0}, {"map": {"languages": "en"}, "margin": 1.0})
    {'map': {'kind': 'paper', 'most': 3, 'languages': 'en'}, 'margin': 1.0}
    >>> beneath({"map": {"kind": "paper", "most": 3}}, {"map": {"kind": "cues", "languages": "en"}})
    {'map': {'kind': 'cues', 'languages': 'en'}}
    """
    parts = {name for name in told if isinstance(usual.get(name), dict) and isinstance(told[name], Mapping)}
    alike = {name for name in parts if told[name].get("kind", usual[name].get("kind")) == usual[name].get("kind")}
    return {**usual, **told, **{name: beneath(usual[name], told[name]) for name in alike}}
