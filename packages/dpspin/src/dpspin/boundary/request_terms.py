"""What is asked of a release in public numbers and words: read alike by the command line, Python, YAML and a preview.

Fields are named by their paths in a request, such as `records.unit.bound`; an error names them so, and never a value.
"""

import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Self, TypeVar, get_args

from pydantic import BaseModel, BeforeValidator, Field, ValidationError, model_validator

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.certify import Admission, CertifiedMargins, Margin, SupportBin, three_bins
from dpspin.boundary.denominator import DenominatorChoice, PublicNumber
from dpspin.boundary.facets import AnyTextFacet, ExampleFacet
from dpspin.boundary.mechanisms import AnyMechanism, Laplace
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.plan_fields import NOTHING_DECLARED, About
from dpspin.boundary.planner import Auto
from dpspin.boundary.privacy import (
    EVERYONE,
    MASS,
    Adjacency,
    PrivacyLoss,
    ProtectedUnit,
    Quantity,
    Sampling,
)
from dpspin.boundary.views import SHARE_OF_CANDIDATES, AskedView, TextView, View, require_rest, shared_out
from dpspin.errors import RequestError

LONGEST_NUMBER: Final = 100  # digits; Python refuses to read numbers of thousands
MOST_UNITS: Final = 2**53
PlaceInWords = Annotated[str, BeforeValidator(lambda value: str(value) if isinstance(value, Path) else value)]
Model = TypeVar("Model", bound=BaseModel)


def kind_in_words(value: object) -> object:
    """Let one of several kinds be told by its name alone.

    >>> kind_in_words("laplace")
    {'kind': 'laplace'}
    """
    return {"kind": value} if isinstance(value, str) else value


def _of_kind(usual: str, value: object) -> object:
    """Let one of several kinds be told by its name alone; what is told without a kind is said of the usual one."""
    told = kind_in_words(value)
    return {"kind": usual, **told} if isinstance(told, Mapping) else told


def epsilon_alone(value: object) -> object:
    """Let a pure loss be told by its epsilon alone."""
    return {"epsilon": value} if isinstance(value, int | float | str) and not isinstance(value, bool) else value


def number_in_words(value: object) -> object:
    """Let a public number be written as people write it.

    >>> number_in_words("20,000")
    PublicNumber(kind='public', value=20000)
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return {"kind": "public", "value": value}
    if not isinstance(value, str):
        return value
    digits = value.replace(",", "").replace("_", "")
    if not digits.isdecimal() or len(digits) > LONGEST_NUMBER or not 1 <= int(digits) <= MOST_UNITS:
        raise RequestError("`denominator` takes a whole number from 1 to 2^53, or the word total")
    return PublicNumber(value=int(digits))


def _denominator_in_words(value: object) -> object:
    """Let the total be told by its name, and a count by its part of epsilon."""
    if value == "total":
        return {"kind": "total"}
    if not isinstance(value, Mapping) or "share" not in value:
        return number_in_words(value)
    if value.get("kind", "count") != "count":
        raise RequestError("say what shares refer to once: `denominator`, or a count (`denominator.share`)")
    return {**value, "kind": "count"}


Denominator = Annotated[DenominatorChoice, BeforeValidator(_denominator_in_words)]


def _margin_in_words(value: object) -> object:
    """Let the paper's fixed margin be told by its mass alone."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return {"kind": "fixed", "mass": value} if number else kind_in_words(value)


def _bins_in_words(value: object) -> object:
    """Read ``0.05,0.02`` or two numbers as: high from 0.05, moderate from 0.02, low below."""
    floors = value.split(",") if isinstance(value, str) else value
    if not isinstance(floors, list | tuple) or not all(isinstance(each, str | int | float) for each in floors):
        return value
    try:
        high, moderate = map(float, floors)
    except ValueError:
        raise RequestError("`bins` takes two supports, for example 0.05,0.02") from None
    if not 0 < moderate < high:
        raise RequestError("`bins` takes the floor of high, then the smaller floor of moderate, both above 0")
    return three_bins(high, moderate)


def _rate_in_words(value: object) -> object:
    """Let a sample be told by its rate alone."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return {"kind": "poisson", "rate": value} if number else kind_in_words(value)


def _share_alone(value: object) -> object:
    """Let a view by the text be asked for by yes, or by its part of epsilon alone.

    >>> _share_alone(True), _share_alone(0.2), _share_alone(False)
    ({}, {'share': 0.2}, None)
    """
    if isinstance(value, bool):
        return {} if value else None
    return {"share": value} if isinstance(value, int | float) else value


def _file_alone(value: object) -> object:
    """Let candidates be told by their file, or from Python by themselves."""
    return value if value is None or isinstance(value, Mapping | CandidateChoice) else {"themes": value}


class CandidateChoice(TextView):
    """Candidate themes that the dictionary may lack: a dictionary file, or from Python a dictionary itself."""

    share: float = Field(SHARE_OF_CANDIDATES, gt=0, lt=1)
    themes: Any


class Protection(FrozenModel):
    """What is measured, and whom that protects."""

    unit: Annotated[ProtectedUnit, BeforeValidator(kind_in_words)]
    adjacency: Adjacency = Adjacency.ADD_DROP
    quantity: Annotated[Quantity, BeforeValidator(partial(_of_kind, "mass"))] = MASS
    sampling: Annotated[Sampling, BeforeValidator(_rate_in_words)] = EVERYONE
    views: tuple[AskedView, ...] = ()
    examples: Annotated[TextView | None, BeforeValidator(_share_alone)] = None
    candidates: Annotated[CandidateChoice | None, BeforeValidator(_file_alone)] = None

    @model_validator(mode="after")
    def _splits_masses(self) -> Self:
        if self.candidates is not None and self.quantity != MASS:
            raise RequestError(
                "candidates share out the mass of records, and prevalence counts mentions: leave `records.candidates` "
                "out, or measure mass (`records.quantity: mass`)",
                code="request.candidates-prevalence",
                field="records.candidates",
            )
        return self

    @property
    def asks_for_views(self) -> bool:
        """Whether any view is asked for, by declared values or by the text."""
        return bool(self.views) or self.examples is not None or self.candidates is not None

    @property
    def shared_views(self) -> tuple[View, ...]:
        """The views by declared values, each with the part of epsilon that pays for it."""
        return shared_out(self.views)

    def example_facets(self, atoms: AtomUniverse) -> tuple[ExampleFacet, ...]:
        """Return what is asked about the dictionary's own examples."""
        return () if self.examples is None else (ExampleFacet.of(atoms),)

    def views_with(self, texts: Iterable[AnyTextFacet]) -> tuple[View, ...]:
        """Return all views, those by the text last."""
        asked = {"example": self.examples, "candidate": self.candidates}
        paid = ((facet, asked[facet.kind] or TextView()) for facet in texts)
        return require_rest((*self.shared_views, *(View(facet=facet, share=told.share) for facet, told in paid)))


MechanismChoice = Annotated[
    Annotated[AnyMechanism | Auto, Field(discriminator="kind")], BeforeValidator(partial(_of_kind, "laplace"))
]


class Terms(FrozenModel):
    """What a release may cost, how noise is added, and how the numbers are read.

    ``denominator`` is a public number, never one counted from the data; ``CountShare(share=0.1)`` buys a noisy count
    of the protected units with a tenth of epsilon, ``total`` takes the sum of all released masses, for free.
    """

    loss: Annotated[PrivacyLoss, BeforeValidator(epsilon_alone)]
    denominator: Denominator
    mechanism: MechanismChoice = Laplace()
    size: int | None = Field(None, ge=1)  # None: ten, or the whole of a smaller dictionary
    admission: Admission | None = None
    beta: float = Field(0.05, ge=1e-12, lt=0.5)
    margin: Annotated[Margin, BeforeValidator(_margin_in_words)] = CertifiedMargins()
    bins: Annotated[tuple[SupportBin, ...] | None, BeforeValidator(_bins_in_words)] = None
    title: str = ""
    about: About = NOTHING_DECLARED

    def size_of(self, atoms: int) -> int:
        """Return how many themes a plan may list: ten by default, or the whole of a smaller dictionary."""
        return min(10, atoms) if self.size is None else self.size


UNIONS: Final[Mapping[str, frozenset[str]]] = {
    "records": frozenset(("records", "sketches")),
    "records.map": frozenset(("fitted", "saved", "llm", "given")),
    "records.unit": frozenset(("record", "user")),
    "records.quantity": frozenset(("mass", "prevalence")),
    "records.sampling": frozenset(("everyone", "poisson")),
    "mechanism": frozenset(each.model_fields["kind"].default for each in get_args(AnyMechanism | Auto)),
    "denominator": frozenset(("public", "count", "total")),
    "margin": frozenset(("certified", "fixed")),
}  # here an error names which of the kinds was read, before it names the field
NAMED_KINDS: Final = {
    "records": "",
    "fitted": "a map that is fitted here",
    "saved": "a saved map",
    "llm": "a language model",
    "given": "",
    "sketches": "sketch files",
}


HINTS: Final = {
    "denominator": "a public number of units, `total`, or the part of epsilon that buys a count (`denominator.share`)",
    "loss": "what this release may cost, for example `loss.epsilon: 1`",
    "records.unit": "record, or user with the column of their ids (`records.user`)",
    "records.text": "the column with the records' words",
    "records.views": "a column with `values`, `cuts` or a calendar (`every`, `first`, `last`), or `languages`",
}
PART_OF_VIEW: Final = re.compile(
    r"records\.views\.(?P<place>\d+)(?:\.facet)?(?:\.(?:column|number|period|language)\b)?\.?(?P<part>.*)"
)  # a facet is told by its own fields, and its kind is not


def read_as(model: type[Model], told: object) -> Model:
    """Check what was told, or refuse it by the name of the field."""
    try:
        return model.model_validate(told)
    except ValidationError as invalid:
        raise _refusal(invalid) from None


def placed(told: Mapping[str, object]) -> dict[str, Any]:
    """Put values at their places: a kind that was told by name takes the fields that are told besides.

    >>> placed({"unit": "user", "unit.bound": 2.0})
    {'unit': {'kind': 'user', 'bound': 2.0}}
    """
    whole: dict[str, Any] = {}
    for path in sorted(told, key=lambda path: path.count(".")):
        *above, last = path.split(".")
        part = whole
        for depth, name in enumerate(above, start=1):
            inner = kind_in_words(part.setdefault(name, {}))
            if not isinstance(inner, dict):
                raise RequestError(f"`{'.'.join(above[:depth])}` is given whole: say `{path}` in it")
            part[name] = inner
            part = inner
        part[last] = told[path]
    return whole


def _refusal(invalid: ValidationError) -> RequestError:
    """Say which field is wrong, and why; never its value, which may be anything."""
    first = invalid.errors(include_url=False, include_input=False)[0]
    path, kind = _field_of(tuple(map(str, first["loc"])))
    where = f"`{path}`"
    if (view := PART_OF_VIEW.fullmatch(path)) is not None:
        path, part = "records.views", f", {view['part']}" if view["part"] else ""
        where = f"`{path}` (view {int(view['place']) + 1}{part})"
    expected = str(first.get("ctx", {}).get("expected") or first.get("ctx", {}).get("expected_tags") or "")
    match first["type"]:
        case "missing" | "missing_argument" | "union_tag_not_found":
            hint = None if view is not None and view["part"] else HINTS.get(path)
            told = f"say {where}" + (f": {hint}" if hint else ", which is needed")
            return RequestError(told, code="request.missing", field=path)
        case "extra_forbidden" | "unexpected_keyword_argument":
            goes = f"does not go with {kind}" if kind else "is no field of a request"
            return RequestError(f"{where} {goes}: leave it out", code="request.misplaced", field=path)
        case "union_tag_invalid" | "literal_error" | "enum":
            told = f"{where} takes {expected.replace(chr(39), '')}"
            return RequestError(told, code="request.unknown-choice", field=path)
        case _:
            why = first["msg"].removeprefix("Value error, ").replace("Input should be", "it should be")
            return RequestError(f"{where}: {why}", code="request.invalid", field=path)


def _field_of(parts: tuple[str, ...]) -> tuple[str, str]:
    """Return the path of a field, and the kind that it was read in, where there are several."""
    path, kind = "", ""
    for part in parts:
        if part in UNIONS.get(path, ()):
            path, kind = f"{path} ", part  # once: what follows is a field
        else:
            path = f"{path.strip()}.{part}" if path else part
    return path.strip(), NAMED_KINDS.get(kind, kind)
