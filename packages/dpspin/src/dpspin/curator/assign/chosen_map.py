"""Which map a request asks for: one to be fitted, a saved one, or a language model; from Python also one at hand."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Discriminator, Field, Tag

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.request_terms import PlaceInWords, kind_in_words
from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.assign.map_trust import require_known_maker
from dpspin.curator.assign.paper_map import NgramMap
from dpspin.curator.assign.recipes import PAPERS_K, MapKind, Recipe, fit_by_recipe
from dpspin.curator.assign.saved_maps import load_map
from dpspin.curator.records.auxiliary import Auxiliary, open_auxiliary
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.errors import DictionaryError, RequestError

if TYPE_CHECKING:
    from dpspin.curator.assign.llm.labeller import Labeller


def codes_of(languages: object) -> object:
    """Read ``en,de``; ``any`` is no code at all, and takes every text for readable."""
    if not isinstance(languages, str):
        return languages
    return () if languages == "any" else tuple(code.strip() for code in languages.split(","))


class MapToFit(FrozenModel):
    """A map to be fitted on the dictionary and on auxiliary text; ``languages`` may be written en,de or any."""

    kind: MapKind = MapKind.HYBRID
    atoms_per_record: Annotated[int, Field(ge=1)] | None = None
    embedder: PlaceInWords | None = None
    languages: Annotated[tuple[str, ...] | None, BeforeValidator(codes_of)] = None


class SavedMap(FrozenModel):
    """A map that was fitted and saved."""

    kind: Literal["saved"] = "saved"
    file: PlaceInWords


class LanguageModelMap(FrozenModel):
    """A language model that is asked about every record, on this machine or where it is declared trusted."""

    kind: Literal["llm"] = "llm"
    url: str
    model: str
    endpoint_is_trusted: bool = False
    atoms_per_record: Annotated[int, Field(ge=1)] | None = None


def _map_in_words(value: object) -> object:
    """Let a map be told by its kind alone, or by the file of a saved one."""
    told = kind_in_words(value)
    if not isinstance(told, Mapping) or told.get("kind", MapKind.HYBRID) in {*MapKind, "llm", "saved"}:
        return told
    return {**told, "kind": "saved", "file": told["kind"]}


def _sort_of_map(value: object) -> str:
    """Tell which of the choices a value is, before it is read as one."""
    match value:
        case MapToFit():
            return "fitted"
        case SavedMap() | LanguageModelMap():
            return value.kind
        case {**told}:
            kind = told.get("kind")
            return str(kind) if kind in {"llm", "saved"} else "fitted"
        case _:
            return "given"


MapChoice = Annotated[
    Annotated[MapToFit, Tag("fitted")]
    | Annotated[SavedMap, Tag("saved")]
    | Annotated[LanguageModelMap, Tag("llm")]
    | Annotated[Any, Tag("given")],  # from Python: a Recipe or a fitted map
    Discriminator(_sort_of_map),
    BeforeValidator(_map_in_words),
]


class Fitting(FrozenModel):
    """The map that is asked for, and the auxiliary text that it may learn from."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    map: MapChoice = MapToFit()
    auxiliary: Auxiliary | None = None

    def fitted(self, atoms: AtomUniverse) -> ContributionMap:
        """Fit the map once, to look at it, to save it or to rehearse with it."""
        if isinstance(self.map, LanguageModelMap):
            raise RequestError(
                "a language model is not fitted here, so it cannot be examined: choose another `records.map`"
            )
        return fitted_map(self.map, atoms, open_auxiliary(self.auxiliary, with_users=False))


def fit_map(
    atoms: AtomUniverse, *, recipe: Recipe | None = None, auxiliary: Auxiliary | None = None
) -> ContributionMap:
    """Fit a map once, to look at its report card (``.statement.card``), to save it, and to give it to releases."""
    return fit_by_recipe(recipe or Recipe(), atoms, open_auxiliary(auxiliary, with_users=False))


def fitted_map(
    choice: "MapToFit | SavedMap | Recipe | ContributionMap", atoms: AtomUniverse, auxiliary: ProtectedCorpus | None
) -> ContributionMap:
    """Fit the map of Stage I, or take a fitted one: a release and the shards of a corpus must all use the same."""
    if isinstance(choice, MapToFit):
        choice = recipe_of(choice)
    if isinstance(choice, Recipe):
        fitted = fit_by_recipe(choice, atoms, auxiliary)
        require_known_maker(fitted)  # the recipe may name an embedding model of the caller's
        return fitted
    given = _saved(choice, atoms) if isinstance(choice, SavedMap) else choice
    require_known_maker(given)
    if auxiliary is not None and auxiliary.columns.label is not None:
        raise RequestError(
            "a fitted map learns nothing more from labels: leave `records.auxiliary.label` out, or fit the map again"
        )
    if isinstance(given, CalibratedMap | NgramMap) and given.universe_digest != atoms.digest:
        raise DictionaryError("this map was fitted for another dictionary; fit it again")
    return given


def _saved(choice: SavedMap, atoms: AtomUniverse) -> ContributionMap:
    if not Path(choice.file).is_file():
        kinds = ", ".join(MapKind)
        raise RequestError(
            f"`records.map` takes {kinds}, llm or a saved map's file, and {choice.file!r} is none of them"
        )
    return load_map(Path(choice.file), atoms)


def recipe_of(choice: MapToFit) -> Recipe:
    """Return how a map is to be fitted; the embedding model that is named must be on this machine."""
    from dpspin.curator.assign.embedders import installed  # noqa: PLC0415  an optional extra

    embedder = None if choice.embedder is None else installed(choice.embedder)
    return Recipe(choice.kind, choice.atoms_per_record, embedder, choice.languages)


def asked_model(choice: LanguageModelMap, atoms: AtomUniverse, answers: Path | None) -> ContributionMap:
    """Return the map that asks a language model; without a folder no answer is kept.

    A random sample is kept secret, so it must not leave a list of who was asked about.
    """
    from dpspin.curator.assign.llm.llm_map import LlmMap  # noqa: PLC0415  an optional extra

    return LlmMap(labeller_of(choice, atoms, answers))


def labeller_of(choice: LanguageModelMap, atoms: AtomUniverse, answers: Path | None) -> "Labeller":
    """Return what asks the model about one text at a time; of a large dictionary a small map shortlists the atoms."""
    from dpspin.curator.assign.llm.kept_answers import Answers, AnswersOfThisRun  # noqa: PLC0415  an optional extra
    from dpspin.curator.assign.llm.labeller import (  # noqa: PLC0415
        SHORTLIST,
        Labeller,
        ShortlistByMap,
    )
    from dpspin.curator.assign.llm.trusted_endpoint import Endpoint  # noqa: PLC0415

    shortlister = None
    if atoms.size > SHORTLIST:
        whole = fit_by_recipe(Recipe(atoms_per_record=atoms.size, languages=()), atoms, None)
        shortlister = ShortlistByMap(whole, atoms.size)
    kept = AnswersOfThisRun() if answers is None else Answers(answers)
    endpoint = Endpoint(choice.url, choice.model, trusted_endpoint=choice.endpoint_is_trusted)
    return Labeller(atoms, endpoint, kept, shortlister, most=choice.atoms_per_record or PAPERS_K)
