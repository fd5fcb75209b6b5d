"""The base of every value that is read from or written to a file."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import BaseModel, ConfigDict, ValidationError

from dpspin.errors import InputError, RequestError


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


def number_of(name: str, value: float) -> float:
    """Return a number that a caller handed over; what is none is refused by its name."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise RequestError(f"{name} must be a number that is not too large, not a {type(value).__name__}") from None


@contextmanager
def explained_as(error: type[InputError], what: str) -> Iterator[None]:
    """Turn a failed check into one line: which field, and why; never the value, which may be anything.

    >>> with explained_as(InputError, "the request"):
    ...     Sealed.model_validate({"colour": "red"})
    Traceback (most recent call last):
    dpspin.errors.InputError: the request is not valid: colour: Extra inputs are not permitted
    """
    try:
        yield
    except ValidationError as invalid:
        first = invalid.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise error(f"{what} is not valid: {where + ': ' if where else ''}{first['msg']}") from None
    except RequestError as refused:  # raised by a value that checks itself
        raise error(f"{what} is not valid: {refused}") from None
