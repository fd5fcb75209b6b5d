"""What is measured, how, and whom that protects: the part of a request that is about private records.

All of it is public and decided before a record is read. Texts behind map and dictionary are compared with the records
unless they are declared public; which of the two, the plan states.
"""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, model_validator

from dpspin.boundary.accounting import Window
from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.facets import columns_of
from dpspin.boundary.privacy import EVERYONE, RecordUnit, UserUnit
from dpspin.boundary.request_terms import Protection
from dpspin.boundary.statement import ApartBy, separation_of
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.assign.chosen_map import Fitting, LanguageModelMap, MapToFit, asked_model, fitted_map
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.assign.nearest_candidate import NearestCandidate
from dpspin.curator.assign.nearest_example import NearestExample
from dpspin.curator.assign.recipes import MapKind, Recipe
from dpspin.curator.records.auxiliary import open_auxiliary, records_behind, require_comparable
from dpspin.curator.records.columns import BadRows, Columns, RowPolicy
from dpspin.curator.records.corpus import ProtectedCorpus, open_corpus
from dpspin.curator.records.dialect import FROM_THE_HEADER, Dialect
from dpspin.curator.records.frames import is_spark_frame, one_column
from dpspin.curator.records.places import require_no_secret
from dpspin.errors import RequestError


def _dialect_in_words(value: object) -> object:
    unsaid = {"encoding": None, "delimiter": None, "sheet": None}
    return Dialect.named(**unsaid | value) if isinstance(value, dict) else value


class Measurement(Protection, Fitting):
    """Which records are measured, by which map, and whom that protects.

    ``data`` is a file, a folder or a glob, or the address of a table; from Python also a pandas, polars or Arrow table,
    or a list of texts, or a table of a Spark session. Of a Spark table that is made of others ``rows`` declares that
    each of its rows is one record's own; an address of a database says the same itself. ``apart_by`` says by what
    texts behind map and dictionary are told from the records, where those are not declared public.
    """

    data: Any
    text: str
    user: str | None = None
    auxiliary_is_public: bool = False
    atoms_auxiliary: Any = None
    atoms_auxiliary_is_public: bool = False
    apart_by: ApartBy = ApartBy.WORDS
    bad_rows: BadRows = BadRows.ZERO
    dialect: Annotated[Dialect, BeforeValidator(_dialect_in_words)] = FROM_THE_HEADER
    window: Window | None = None
    rows: Literal["row_by_row"] | None = None

    @model_validator(mode="before")
    @classmethod
    def _short_ways(cls, told: object) -> object:
        """Take a list of texts for the records; read auxiliary text in the column of the same name."""
        if not isinstance(told, dict):
            return told
        data, text, auxiliary = told.get("data"), told.get("text"), told.get("auxiliary")
        if isinstance(data, list | tuple):
            text = "text" if text is None else text
            told = {**told, "data": one_column(data, text), "text": text}
        if isinstance(auxiliary, dict) and text is not None:
            told = {**told, "auxiliary": {"text": text, **auxiliary}}
        return told

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        match self.unit, self.user:
            case RecordUnit(), str():
                raise RequestError(
                    "a user column goes with the user unit: leave `records.user` out, or protect users (`records.unit`)"
                )
            case UserUnit(), None:
                raise RequestError("users are protected, so name the column with the user id (`records.user`)")
            case _:
                pass
        if self.apart_by is ApartBy.USERS and isinstance(self.unit, RecordUnit):
            raise RequestError(
                "records are protected, and not users: leave `records.apart_by` out, or protect users (`records.unit`)",
                code="request.apart-by",
                field="records.apart_by",
            )
        if self.rows is not None and not is_spark_frame(self.data):
            raise RequestError(
                "`records.rows` is about tables of a Spark session that are made of others: leave it out",
                code="request.misplaced",
                field="records.rows",
            )
        for source in (self.data, self.atoms_auxiliary, None if self.auxiliary is None else self.auxiliary.source):
            require_no_secret(source)
        if self.user is None and self.auxiliary is not None and self.auxiliary.user is not None:
            raise RequestError(
                "`records.auxiliary.user` is compared with the user ids of the records: it goes with `records.user`"
            )
        if isinstance(self.map, LanguageModelMap) and self.auxiliary is not None:
            raise RequestError("a language model is fitted on nothing here: leave `records.auxiliary.source` out")
        return self

    @property
    def columns(self) -> Columns:
        """The columns to read."""
        facets = columns_of(view.facet for view in self.views)
        return Columns(self.text, self.user, window=self.window, facets=facets)

    @property
    def policy(self) -> RowPolicy:
        """What happens to rows that cannot be used; for records without a user id that belongs to the unit."""
        told = (self.unit.missing,) if isinstance(self.unit, UserUnit) else ()
        return RowPolicy(self.bad_rows, *told)

    def languages_read(self, atoms: AtomUniverse) -> tuple[str, ...]:
        """Return the languages that the map will read, as far as that is known before it is fitted; empty: any."""
        if not isinstance(self.map, MapToFit) or self.map.kind is MapKind.PAPER:
            return ()
        return atoms.languages if self.map.languages is None else self.map.languages

    def records(self, atoms: AtomUniverse, answers: Path | None, candidates: AtomUniverse | None = None) -> Records:
        """Open the records and fit the map, before any of them is read; say what their sketch will mean.

        ``answers`` is a folder of the curator's for a language model's answers: a stopped run goes on from them.
        ``candidates`` are the themes that are asked for, where any are.
        """
        if candidates is not None:
            self._require_apart(atoms, candidates)
        corpus = open_corpus(self.data, self.columns, self.policy, self.dialect)
        return self.records_in(corpus, atoms, answers, candidates)

    def records_in(
        self, corpus: ProtectedCorpus, atoms: AtomUniverse, answers: Path | None, candidates: AtomUniverse | None = None
    ) -> Records:
        """Fit the map for a corpus that is open; say what its sketch will mean."""
        if self.candidates is not None and candidates is None:  # else they would be asked for and not measured
            raise RequestError(
                "candidates go with one release of records: leave `records.candidates` out here",
                code="request.candidates-here",
                field="records.candidates",
            )
        behind = self._behind_dictionary(atoms)
        text = open_auxiliary(self.auxiliary, with_users=self.user is not None)
        came_fitted = not isinstance(self.map, MapToFit | Recipe)
        fitted = self._fitted(atoms, text, answers)
        if not self.auxiliary_is_public:
            require_comparable(self.auxiliary, self.unit)
        learned = fitted.statement.learned_from_auxiliary or (text is not None and not came_fitted)
        separation = separation_of(
            behind_map=learned,  # else what is public is said of the baseline's text
            map_is_public=self.auxiliary_is_public and (learned or text is None),
            map_came_fitted=came_fitted,
            behind_dictionary=any(each.provenance.needs_comparison for each in (atoms, candidates or atoms)),
            dictionary_is_public=self.atoms_auxiliary_is_public,
            by=self.apart_by,
        )
        protection = (self.unit, self.adjacency, self.quantity, self.sampling)
        finders = self._finders(atoms, candidates)
        facets = (*(view.facet for view in self.views), *(finder.facet for finder in finders))
        return Records(
            corpus,
            fitted,
            SketchOrigin.of(atoms, fitted.statement, *protection, separation, facets),
            text,
            auxiliary_is_public=self.auxiliary_is_public,
            apart_by=self.apart_by,
            built_from=tuple(filter(None, (each.provenance.auxiliary for each in (atoms, candidates or atoms)))),
            behind_dictionary=behind,
            finders={finder.facet.kind: finder for finder in finders},
        )

    def _finders(
        self, atoms: AtomUniverse, candidates: AtomUniverse | None
    ) -> tuple[NearestExample | NearestCandidate, ...]:
        """Prepare what looks at the text itself, from public words alone."""
        examples = (NearestExample.of(facet, atoms) for facet in self.example_facets(atoms))
        if candidates is None:
            return tuple(examples)
        return (*examples, NearestCandidate.of(candidates, atoms))

    def _require_apart(self, atoms: AtomUniverse, candidates: AtomUniverse) -> None:
        """Refuse candidates that the dictionary has, or from records that nobody compares or declares public."""
        if {atom.label.casefold() for atom in atoms.atoms} & {atom.label.casefold() for atom in candidates.atoms}:
            raise RequestError(
                "a candidate is a theme that the dictionary lacks, and it has one of these: make the list with "
                "dpspin atoms candidates",
                code="request.candidates-known",
                field="records.candidates",
            )
        behind = candidates.provenance
        same = behind.auxiliary is not None and behind.auxiliary == atoms.provenance.auxiliary
        if behind.needs_comparison and not (same or self.atoms_auxiliary_is_public):
            raise RequestError(
                "these candidates were built from auxiliary records, and only those behind the dictionary are compared "
                "with the protected ones: build them from the same, or declare them public "
                "(`records.atoms_auxiliary_is_public`)",
                code="request.candidates-auxiliary",
                field="records.candidates",
            )

    def _behind_dictionary(self, atoms: AtomUniverse) -> ProtectedCorpus | None:
        """Open the text that the dictionary was built from, to be compared, unless it is declared public."""
        if self.atoms_auxiliary_is_public:
            if self.atoms_auxiliary is not None:
                raise RequestError(
                    "what is declared public is not compared: leave `records.atoms_auxiliary` out, or "
                    "`records.atoms_auxiliary_is_public`"
                )
            return None
        named = self.atoms_auxiliary
        if named is not None and not atoms.provenance.needs_comparison:  # else a reader would think it compared
            raise RequestError(
                "this dictionary names no records that it was built from: leave `records.atoms_auxiliary` out"
            )
        if named is None and self.auxiliary is not None:
            named = self.auxiliary.source
        return records_behind(atoms.provenance, named, self.unit)

    def _fitted(self, atoms: AtomUniverse, auxiliary: ProtectedCorpus | None, answers: Path | None) -> ContributionMap:
        if isinstance(self.map, LanguageModelMap):
            return asked_model(self.map, atoms, answers if self.sampling == EVERYONE else None)
        return fitted_map(self.map, atoms, auxiliary)
