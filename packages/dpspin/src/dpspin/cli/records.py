"""Which records are measured, how, and whom that protects: the options that ``release`` and ``sketch`` share."""

from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dpspin.cli import options, requested
from dpspin.cli.llm import LLM, LlmOptions, tell_estimate
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.boundary.account import Window
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.curator.aggregate.local import Records
    from dpspin.curator.records.auxiliary import Auxiliary
    from dpspin.curator.records.dialect import Dialect


@dataclass(frozen=True, slots=True)
class RecordOptions:
    """The options as given; a field has the name of the command's parameter."""

    text: str
    unit: options.Unit
    user: str | None
    bound: float | None
    missing_users: options.MissingUsersName | None
    strict_rows: bool
    adjacency: options.AdjacencyName
    map_: str
    per_record: int | None
    embedder: str | None
    languages: str | None
    aux: str | None
    aux_text: str | None
    aux_user: str | None
    aux_label: str | None
    aux_is_public: bool
    atoms_aux: str | None
    atoms_aux_is_public: bool
    llm_url: str | None
    llm_model: str | None
    llm_endpoint_is_trusted: bool
    quantity: options.QuantityName
    prevalence_atoms: int | None
    sample_rate: float | None
    partition: str | None = None
    window: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    sheet: str | None = None

    def __post_init__(self) -> None:
        if self.aux is None and (self.aux_text or self.aux_user or self.aux_label):
            raise RequestError("--aux-text, --aux-user and --aux-label describe --aux; name its file as well")
        if self.user is None and self.aux_user:
            raise RequestError("--aux-user is compared with the user ids of the records: it goes with --user")
        if (self.partition is None) != (self.window is None):
            raise RequestError("--window names a value in the column --partition: give both, or neither")
        self._llm.require(chosen=self.map_ == LLM)
        if self.map_ == LLM and (self.aux or self.embedder or self.languages):
            raise RequestError(
                "a language model is fitted on nothing here: leave --aux, --embedder and --languages out"
            )

    def records(self, data: str, atoms: "AtomUniverse", folder: Path) -> "Records":
        """Open the records and fit the map; headers are checked, no protected row is read.

        ``folder`` is the curator's: a language model's answers are kept there.
        """
        from dpspin import pipeline
        from dpspin.boundary.privacy import Adjacency
        from dpspin.cli.files import read_map
        from dpspin.curator.records.corpus import open_corpus
        from dpspin.curator.records.policy import BadRows

        protected = requested.unit_of(self.unit, self.bound, self.missing_users)
        columns = pipeline.columns_of(self.text, self.user, protected, self._window)
        policy = pipeline.row_policy(BadRows.REFUSE if self.strict_rows else BadRows.ZERO, protected)
        corpus = open_corpus(data, columns, policy, self.dialect)
        kept = folder if self.sample_rate is None else None
        fitted = self._llm.map_for(atoms, self.per_record, kept) if self.map_ == LLM else None
        records = pipeline.records_of(
            corpus,
            atoms=atoms,
            unit=protected,
            adjacency=Adjacency(self.adjacency.value),
            contribution_map=fitted or read_map(self.map_, atoms, self.per_record, self.embedder, self.languages),
            auxiliary=self.auxiliary,
            auxiliary_is_public=self.aux_is_public,
            atoms_auxiliary=self.atoms_aux,
            atoms_auxiliary_is_public=self.atoms_aux_is_public,
            quantity=requested.quantity_of(self.quantity, self.prevalence_atoms),
            sampling=requested.sampling_of(self.sample_rate),
        )
        if fitted is None:
            return records
        return replace(records, announce=partial(tell_estimate, fitted, corpus, self.sample_rate))

    @property
    def _llm(self) -> LlmOptions:
        return LlmOptions(self.llm_url, self.llm_model, self.llm_endpoint_is_trusted)

    @property
    def dialect(self) -> "Dialect":
        """How the files are declared to be written."""
        from dpspin.curator.records.dialect import Dialect

        return Dialect.named(self.encoding, self.delimiter, self.sheet)

    def languages_read(self, atoms: "AtomUniverse") -> tuple[str, ...]:
        """Return the languages that the map will read, as far as that is known before it is fitted; empty: any."""
        from dpspin.cli.files import codes_of

        if self.map_ in {"paper", LLM} or Path(self.map_).is_file():
            return ()
        chosen = codes_of(self.languages)
        return atoms.languages if chosen is None and atoms.has_examples else chosen or ()

    @property
    def _window(self) -> "Window | None":
        from dpspin.boundary.account import Window

        return None if self.partition is None or self.window is None else Window(self.partition, self.window)

    @property
    def auxiliary(self) -> "Auxiliary | None":
        """The auxiliary text that the options describe."""
        from dpspin.curator.records.auxiliary import Auxiliary

        if self.aux is None:
            return None
        return Auxiliary(self.aux, self.aux_text or self.text, self.aux_user, self.aux_label)


def refuse_record_options(context: typer.Context) -> None:
    """Refuse what sketch files have settled already: a value given again could only differ, or say nothing."""
    settled = {field.name for field in fields(RecordOptions)}
    given = [
        param.opts[0] for param in context.command.params if param.name in settled and _is_given(context, param.name)
    ]
    if given:
        raise RequestError(f"the sketch files settle {', '.join(given)}: leave that out with --sketch")


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"
