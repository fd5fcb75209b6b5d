"""A request as an officer reads it: whole, as it was told, and the same whenever it is told again.

Left out are the day that the report bears, which is the day of its release, and the place of the ledger: an approval
lies in the ledger that it is for, and an address may hold a password.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpspin.boundary.model_base import canonical_json
from dpspin.curator.records.places import SCHEME
from dpspin.errors import RequestError
from dpspin.request import ReleaseRequest

RELEASE, PHRASES, SERIES = "release", "phrases", "series"  # what is asked for


def written(kind: str, told: Mapping[str, Any]) -> str:
    """Write down what is asked for."""
    return canonical_json({kind: _in_its_place(told)})


def _in_its_place(told: Mapping[str, Any]) -> Mapping[str, Any]:
    """Name the records by where they lie: a file of the same name in another folder holds other people's."""
    records = told.get("records")
    data = records.get("data") if isinstance(records, dict) else None
    if not isinstance(records, dict) or not isinstance(data, str) or SCHEME.match(data):
        return told
    return {**told, "records": {**records, "data": str(Path(data).absolute())}}


def without_place(told: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the ledger's place and the report's day."""
    parts = {"account": "ledger", "about": "date"}
    kept = {
        name: {key: part for key, part in value.items() if key != parts[name]} if name in parts else value
        for name, value in told.items()
    }
    return {name: value for name, value in kept.items() if value or name not in parts}


def told_release(request: ReleaseRequest) -> str:
    """Write a request down; nothing where it holds something in memory, so that nobody else could look at it."""
    try:
        return written(RELEASE, without_place(request.as_told()))
    except RequestError:
        return ""
