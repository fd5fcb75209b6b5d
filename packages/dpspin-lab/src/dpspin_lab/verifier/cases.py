"""The written cases: texts about the benchmark's plans, each with the verdict that the contract asks for."""

from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Literal, Self

import yaml
from pydantic import Field, TypeAdapter, model_validator

from dpspin.boundary.model_base import Sealed, explained_as
from dpspin.errors import InputError
from dpspin.public.narrate.policy import Mode
from dpspin_lab.verifier.kinds import KINDS, TRUE
from dpspin_lab.verifier.plans import benchmark_plans

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where libyaml is there


class CaseSet(StrEnum):
    """The verifier was built with the development cases in view; nobody tunes to the held-back ones."""

    DEVELOPMENT = "development"
    HELD_BACK = "held-back"


class Case(Sealed):
    """One text, true or with one planted falsehood."""

    id: str = Field(min_length=1)
    plan: str
    mode: Mode
    verdict: Literal["accept", "reject"]
    kind: str
    text: str = Field(min_length=1)

    @model_validator(mode="after")
    def _fits_the_benchmark(self) -> Self:
        if self.plan not in benchmark_plans():
            raise ValueError(f"case {self.id}: there is no plan {self.plan}")
        if self.kind not in (TRUE, *KINDS):
            raise ValueError(f"case {self.id}: there is no kind {self.kind}")
        if (self.kind == TRUE) != (self.verdict == "accept"):
            raise ValueError(f"case {self.id}: exactly the true texts are to be accepted")
        return self

    @property
    def is_true(self) -> bool:
        """Tell a text that must be accepted."""
        return self.verdict == "accept"


_CASES = TypeAdapter(tuple[Case, ...])


@cache
def written_cases(case_set: CaseSet) -> tuple[Case, ...]:
    """Read every file of a set; an empty folder is an empty set."""
    folder = resources.files("dpspin_lab.verifier") / "cases" / case_set.value.replace("-", "_")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name)
    return tuple(case for file in files for case in parsed_cases(file.read_text("utf-8"), file.name))


def parsed_cases(text: str, name: str) -> tuple[Case, ...]:
    """Read one file of cases, or say in plain words what is wrong with it.

    >>> one, = parsed_cases("[{id: a, plan: restaurants, mode: display, verdict: reject, kind: cause, text: x}]", "f")
    >>> one.is_true
    False
    """
    with explained_as(InputError, f"the verifier's cases in {name}"):
        return _CASES.validate_python(yaml.load(text, Loader=_LOADER) or [])  # noqa: S506  a safe loader
