"""The base of every value that is read from or written to a file."""

import hashlib
import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, ValidationError, model_serializer

from dpspin.errors import InputError, RequestError


class FrozenModel(BaseModel):
    """Frozen, no unknown keys, no NaN or infinity: a value that was checked once and cannot change afterwards."""

    # a validator is built when it is first needed: most commands need few of them
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


class GrownModel(FrozenModel):
    """A value that got optional keys after files of it were written: where they are at their default, they are not.

    So a value of an earlier version keeps its text and its digest.

    >>> class Letter(GrownModel):
    ...     later: ClassVar = {"answer"}
    ...     text: str
    ...     answer: str | None = None
    >>> Letter(text="hello").model_dump(), Letter(text="hello", answer="hi").model_dump()
    ({'text': 'hello'}, {'text': 'hello', 'answer': 'hi'})
    """

    later: ClassVar[Collection[str]] = ()

    @model_serializer(mode="wrap")
    def _without_nothing(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written: dict[str, Any] = dump(self)
        fields = type(self).model_fields
        nothing = {key for key in self.later if getattr(self, key) == fields[key].default}
        return {key: value for key, value in written.items() if key not in nothing}


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
    ...     FrozenModel.model_validate({"colour": "red"})
    Traceback (most recent call last):
    dpspin.errors.InputError: the request is not valid: colour: Extra inputs are not permitted
    """
    try:
        yield
    except ValidationError as invalid:
        first = invalid.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        why = first["msg"].removeprefix("Value error, ")
        raise error(f"{what} is not valid: {where + ': ' if where else ''}{why}") from None
    except RequestError as refused:  # raised by a value that checks itself
        raise error(f"{what} is not valid: {refused}") from None
