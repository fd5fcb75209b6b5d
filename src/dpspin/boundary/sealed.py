"""The base of every value that is read from or written to a file."""

import hashlib
import json

from pydantic import BaseModel, ConfigDict


class Sealed(BaseModel):
    """Frozen, no unknown keys, no NaN or infinity: a value that was checked once and cannot change afterwards."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def canonical_json(value: object) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, so that equal values have equal digests.

    >>> canonical_json({"b": 1, "a": [1.5, "x"]})
    '{"a":[1.5,"x"],"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest_of(value: object) -> str:
    """Return ``sha256:…`` of the canonical JSON of a value.

    >>> digest_of({"a": 1}) == digest_of({"a": 1})
    True
    """
    return "sha256:" + hashlib.sha256(canonical_json(value).encode()).hexdigest()
