"""The part of ``dpspin preview`` that reads auxiliary text: public or separate records, NEVER the protected ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpspin.cli.terminal import say
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.curator.assign.chosen_map import Fitting
    from dpspin.curator.assign.contribution import ContributionMap
    from dpspin.curator.records.auxiliary import Auxiliary
    from dpspin.curator.records.corpus import ProtectedCorpus
    from dpspin.public.preview.public_inputs import PublicInputs
    from dpspin.public.preview.rehearsed import Rehearsal

PAPER, HYBRID, LLM = "paper", "hybrid", "llm"


@dataclass(frozen=True, slots=True)
class MapOptions:
    """The map that the release would use; the auxiliary text that it would learn from, if any."""

    name: str
    labelled: bool

    def besides(self, atoms: "AtomUniverse") -> int:
        """Count what the map measures besides the atoms: none, and other languages. Nothing is fitted for it."""
        if self.name in {PAPER, HYBRID, LLM}:  # without the curator's code: a preview needs none of it
            return 0 if self.is_papers(atoms) else 1 + (self.name == HYBRID and bool(atoms.languages))
        from dpspin.curator.assign.chosen_map import SavedMap

        asked = self.asked()
        return asked.fitted(atoms).statement.besides if isinstance(asked.map, SavedMap) else 1 + bool(atoms.languages)

    def asked(self, auxiliary: "Auxiliary | None" = None) -> "Fitting":
        """Return the map as a request asks for it."""
        from dpspin.boundary.request_terms import read_as
        from dpspin.curator.assign.chosen_map import Fitting

        return read_as(Fitting, {"map": self.name, "auxiliary": auxiliary})

    def is_papers(self, atoms: "AtomUniverse") -> bool:
        """Whether it is the paper's map: by name, or because there is nothing that ``hybrid`` could learn from."""
        return self.name == PAPER or (self.name == HYBRID and not self.labelled and not atoms.has_examples)


@dataclass(frozen=True, slots=True)
class AuxOptions:
    """Where the auxiliary text lies."""

    source: str
    text: str
    user: str | None
    label: str | None

    def rehearsal(self, chosen: MapOptions, atoms: "AtomUniverse", request: "PublicInputs") -> "Rehearsal":
        """Fit the map as the release would, map the text, and rehearse the release on it."""
        from dpspin.cli.progress import reading
        from dpspin.rehearse import rehearse

        if chosen.name == LLM:
            raise RequestError("a rehearsal does not ask a language model; choose another --map")
        corpus = self._corpus(request)
        say("Fitting the map, then rehearsing on auxiliary text (never on protected records).", err=True)
        learns = self.label is not None or chosen.is_papers(atoms)
        fitted = self._fitted(chosen, atoms, learns=learns)
        with reading("mapping auxiliary text") as tell:
            return rehearse(corpus.watched(tell), fitted, atoms, request, learned_from_it=chosen.is_papers(atoms))

    def _fitted(self, chosen: MapOptions, atoms: "AtomUniverse", *, learns: bool) -> "ContributionMap":
        from dpspin.cli.progress import fitting_words, working
        from dpspin.curator.records.auxiliary import Auxiliary

        with working(fitting_words(atoms)):
            return chosen.asked(Auxiliary(self.source, self.text, label=self.label) if learns else None).fitted(atoms)

    def _corpus(self, request: "PublicInputs") -> "ProtectedCorpus":
        """Open the text to rehearse on; a user column goes with the user unit. Records without a user are left out."""
        from dpspin.boundary.privacy import MissingUsers, RecordUnit, UserUnit
        from dpspin.curator.records.columns import Columns, RowPolicy
        from dpspin.curator.records.corpus import open_corpus

        if isinstance(request.unit, UserUnit) and self.user is None:
            raise RequestError("users are protected, so name the column with the auxiliary users' ids (--aux-user)")
        if isinstance(request.unit, RecordUnit) and self.user is not None:
            raise RequestError(
                "a user column goes with the user unit: leave --aux-user out, or protect users (--unit user)"
            )
        return open_corpus(self.source, Columns(self.text, self.user), RowPolicy(missing_users=MissingUsers.DROP))


def aux_options(told: Mapping[str, str | None]) -> AuxOptions | None:
    """Read the options on auxiliary text; they go together."""
    source, text = told["source"], told["text"]
    if source is None and any(told.values()):
        raise RequestError("--aux-text, --aux-user and --aux-label describe --aux; name its file as well")
    if source is None:
        return None
    if text is None:
        raise RequestError("name the column with the auxiliary records' words (--aux-text)")
    return AuxOptions(source, text, told["user"], told["label"])
