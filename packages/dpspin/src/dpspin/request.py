"""One request: everything that decides a release, as one frozen value.

The command line, Python and a YAML file all build it, and it is what a privacy officer approves, by its digest. Its
fields are named alike everywhere: an error says `records.user`, and only the command line turns that into its option.
"""

import glob
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    field_validator,
    model_validator,
)

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.baseline import Baseline
from dpspin.boundary.facets import AnyFacet, RecordFacet
from dpspin.boundary.model_base import FrozenModel, digest_of
from dpspin.boundary.plan_fields import About
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.boundary.request_terms import PlaceInWords, Terms, epsilon_alone, placed, read_as
from dpspin.boundary.safe_files import read_plain_text, write_whole
from dpspin.boundary.strict_yaml import YamlMistake, parse_yaml
from dpspin.boundary.view_sizes import Sizes, fitted_sizes
from dpspin.boundary.views import SHARE_OF_TEXT, View, ViewChoice, require_rest, shared_out
from dpspin.curator.assign.chosen_map import Fitting
from dpspin.curator.records.frames import is_frame, is_spark_frame
from dpspin.curator.records.places import dataset_at
from dpspin.curator.release.measurement import Measurement
from dpspin.errors import InputError, RequestError, SourceError
from dpspin.presets import with_preset
from dpspin.public.atoms.baseline_files import read_baseline
from dpspin.public.atoms.candidates import candidates_in
from dpspin.public.atoms.packs import load_named
from dpspin.public.atoms.speakable_names import require_speakable, require_speakable_views

UNNAMED: Final = "unnamed data in memory"


class FromAuxiliary(FrozenModel):
    """Take the shares of the auxiliary text, under the same map, as the public baseline."""

    kind: Literal["aux"] = "aux"


class SketchFiles(FrozenModel):
    """Sketches that were made where the records lie: they settle what was measured, and whom that protects."""

    sketches: tuple[PlaceInWords, ...] = Field(min_length=1)

    def files(self) -> list[Path]:
        """Return the files that are named; a name may be a glob."""
        return [file for name in self.sketches for file in self._named(name)]

    @staticmethod
    def _named(name: str) -> list[Path]:
        if Path(name).exists():
            return [Path(name)]
        found = [Path(match) for match in sorted(glob.glob(name))]  # noqa: PTH207  a pattern may be absolute
        if not found:
            raise SourceError(f"no sketch file found at {name!r}; make one with: dpspin sketch")
        return found


class Account(FrozenModel):
    """Who pays: the dataset's name in the ledger, the state of the data, and what all its releases may cost."""

    dataset: str | None = None
    snapshot: str = ""
    budget: Annotated[PrivacyLoss, BeforeValidator(epsilon_alone)] | None = None
    ledger: PlaceInWords | None = None


class OfDictionary(FrozenModel):
    """What is asked about a dictionary: a pack's name or a file; from Python also a dictionary itself."""

    atoms: Any

    @field_validator("atoms")
    @classmethod
    def _is_a_dictionary(cls, atoms: object) -> object:
        if not isinstance(atoms, AtomUniverse | str | Path):
            raise RequestError("`atoms` must be a dictionary: a pack's name, a file, or dpspin.load_atoms(path)")
        return atoms

    def dictionary(self) -> AtomUniverse:
        """Return the dictionary, read from its file if need be."""
        return self.atoms if isinstance(self.atoms, AtomUniverse) else load_named(str(self.atoms))


class FitRequest(OfDictionary):
    """A map is to be fitted, and nothing measured."""

    records: Fitting = Fitting()


class SketchRequest(OfDictionary):
    """One shard is to be measured, and nothing released."""

    records: Measurement

    def candidates(self) -> AtomUniverse | None:
        """Return the candidate themes that are asked for."""
        return candidates_in(self.records.candidates)

    @model_validator(mode="after")
    def _has_speakable_views(self) -> Self:
        require_speakable_views(view.facet for view in self.records.shared_views)
        return self


def _what_is_measured(value: object) -> str:
    sketches = isinstance(value, SketchFiles) or (isinstance(value, Mapping) and "sketches" in value)
    return "sketches" if sketches else "records"


def _folder_alone(value: object) -> object:
    """Let a reading be told by its folder alone."""
    return {"folder": value} if isinstance(value, str | Path) else value


class ReadingChoice(FrozenModel):
    """The folder of a secret sample that was read, and the part of epsilon that pays for it (None: the best one)."""

    folder: PlaceInWords
    share: float | None = Field(None, gt=0, lt=1)


class ReleaseRequest(Terms, OfDictionary):
    """Everything that decides a release but the records themselves: public, and fixed before any of them is read.

    ``baseline`` is public: a file of shares that the release is read beside, or ``aux``, the auxiliary text's; it costs
    nothing. ``sizes`` are public too, and free: declared for the values of views, so that shares there are of them.
    ``reading`` is the curator's folder with a sample of the records that somebody read (``sample``).
    """

    records: Annotated[
        Annotated[Measurement, Tag("records")] | Annotated[SketchFiles, Tag("sketches")],
        Discriminator(_what_is_measured),
    ]
    baseline: Any = None
    sizes: Sizes = ()
    reading: Annotated[ReadingChoice | None, BeforeValidator(_folder_alone)] = None
    account: Account = Account()

    @field_validator("baseline")
    @classmethod
    def _is_a_baseline(cls, baseline: object) -> object:
        if baseline in ("aux", {"kind": "aux"}):
            return FromAuxiliary()
        if not isinstance(baseline, Baseline | FromAuxiliary | str | Path | None):
            raise RequestError("`baseline` must be a file of shares, `aux`, or dpspin.baseline_of(…)")
        return baseline

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        sketches = isinstance(self.records, SketchFiles)
        if sketches and self.account.dataset is None:
            raise RequestError("sketch files have no place that could name their dataset: name it (`account.dataset`)")
        if sketches and isinstance(self.baseline, FromAuxiliary):
            raise RequestError("sketch files carry no auxiliary text: give `baseline` a file of shares")
        if sketches and self.reading is not None:
            raise RequestError(
                "a sample is read of records, and sketch files have forgotten theirs: leave `reading.folder` out",
                code="request.read-sketches",
                field="reading.folder",
            )
        if self.reading is not None and isinstance(self.records, Measurement) and is_spark_frame(self.records.data):
            raise RequestError(
                "a sample is read of records that lie here, and Spark holds these: leave `reading.folder` out",
                code="request.read-spark",
                field="reading.folder",
            )
        if isinstance(self.records, Measurement):
            require_speakable_views(view.facet for view in self.records.shared_views)
            fitted_sizes(self.sizes, self.records.shared_views)
        words = {"title": self.title, "account.snapshot": self.account.snapshot, "account.dataset": self.dataset}
        words |= {f"about.{name}": told for name, told in dict(self.about).items()}
        for field, told in words.items():
            if not told.isprintable():
                raise RequestError(f"`{field}` takes one line of printable text", code="request.invalid", field=field)
        return self

    @classmethod
    def of(cls, data: object = None, **keywords: object) -> "ReleaseRequest":
        """Build a request from Python's keywords: every field by its name, those of the parts without the part's.

        >>> asked = ReleaseRequest.of(["late again"], atoms="support-tickets", unit="record", epsilon=1, denominator=9)
        >>> asked.records.unit, asked.loss
        (RecordUnit(kind='record'), PrivacyLoss(epsilon=1.0, delta=0.0))
        """
        named = {"data": data, **keywords} if data is not None else keywords
        return cls.read(placed({KEYWORDS.get(name, name): value for name, value in named.items()}))

    @classmethod
    def read(cls, told: object) -> "ReleaseRequest":
        """Check what was told, or refuse it by the name of the field; a ``preset`` fills what was not told."""
        return read_as(cls, with_preset(told))

    @classmethod
    def load(cls, path: str | Path) -> "ReleaseRequest":
        """Read a request file; the paths in it are read from where the program runs."""
        try:
            told = parse_yaml(read_plain_text(path))
        except (OSError, UnicodeDecodeError, YamlMistake) as error:
            why = "it is no UTF-8 text" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", error)
            raise InputError(f"the request {str(path)!r} cannot be read: {why}") from None
        if not isinstance(told, dict):
            raise InputError(f"the request {str(path)!r} cannot be read: it is no mapping of fields to values")
        return cls.read(told)

    def save(self, path: str | Path) -> Path:
        """Write the request as YAML, without what it leaves at its default; return where it is."""
        write_whole(Path(path), yaml.safe_dump(self.as_told(), sort_keys=False, allow_unicode=True).encode())
        return Path(path)

    def as_told(self) -> dict[str, Any]:
        """Return what the request says beyond its defaults, as plain data; refuse one that holds data in memory."""
        held = {"records.data": getattr(self.records, "data", ""), "atoms": self.atoms, "baseline": self.baseline or ""}
        if isinstance(self.records, Measurement):
            auxiliary = self.records.atoms_auxiliary
            held["records.atoms_auxiliary"] = "" if auxiliary is None else auxiliary
            held["records.auxiliary.source"] = "" if self.records.auxiliary is None else self.records.auxiliary.source
            asked = self.records.candidates
            held["records.candidates"] = "" if asked is None else asked.themes
            held["records.map"] = self.records.map if not isinstance(self.records.map, FrozenModel) else ""
        for field, value in held.items():
            if not isinstance(value, str | Path | FromAuxiliary):
                raise RequestError(f"`{field}` is held in memory, so this request cannot be written to a file")
        return beyond_defaults(self)

    def dictionary(self) -> AtomUniverse:
        """Return the dictionary, of whose names a report can speak."""
        atoms = super().dictionary()
        require_speakable(atoms)
        return atoms

    def given_baseline(self, atoms: AtomUniverse) -> Baseline | None:
        """Return the shares that were given to read the release beside; the auxiliary text's are measured later."""
        match self.baseline:
            case None | FromAuxiliary():
                return None
            case Baseline() as given:
                return given
            case file:
                return read_baseline(Path(file), atoms)

    def candidates(self) -> AtomUniverse | None:
        """Return the candidate themes that are asked for; sketch files have settled theirs."""
        return None if isinstance(self.records, SketchFiles) else candidates_in(self.records.candidates)

    def views_of(self, facets: tuple[AnyFacet, ...]) -> tuple[View, ...]:
        """Return the views with what pays for each; of sketch files, which have settled their facets, as usual."""
        declared = [facet for facet in facets if isinstance(facet, RecordFacet)]
        texts = [facet for facet in facets if not isinstance(facet, RecordFacet)]
        if isinstance(self.records, SketchFiles):
            require_speakable_views(facets)  # else the report would refuse them, once they are paid for
            usual = (View(facet=facet, share=SHARE_OF_TEXT) for facet in texts)
            return require_rest((*shared_out([ViewChoice(facet=facet) for facet in declared]), *usual))
        return self.records.views_with(texts)

    @property
    def digest(self) -> str:
        """Identify the request: what an approval is given for."""
        return digest_of(self.as_told())

    @property
    def dataset(self) -> str:
        """The dataset's name in the ledger: as it is given, or the files' place; data in memory have none."""
        if self.account.dataset is not None or isinstance(self.records, SketchFiles):
            return self.account.dataset or ""
        return dataset_of(self.records.data)


def dataset_of(data: object) -> str:
    """Name a dataset that nobody named: files and tables by their place, data in memory not at all."""
    return UNNAMED if is_frame(data) or is_spark_frame(data) else dataset_at(data)


def beyond_defaults(model: BaseModel) -> dict[str, Any]:
    """Dump the fields that differ from their defaults; parts that only group fields are treated alike."""
    dumped, told = model.model_dump(mode="json"), {}
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if field.is_required() or value != field.default:
            grouped = isinstance(value, Measurement | Account | About | ReadingChoice)
            told[name] = beyond_defaults(value) if grouped else dumped[name]
    return told


_OF_RECORDS: Final = set(Measurement.model_fields)
KEYWORDS: Final = {
    **{name: f"records.{name}" for name in (*_OF_RECORDS, "sketches")},
    **{name: f"account.{name}" for name in Account.model_fields},
    **{name: f"loss.{name}" for name in ("epsilon", "delta")},
    **{name: f"about.{name}" for name in About.model_fields},
}
