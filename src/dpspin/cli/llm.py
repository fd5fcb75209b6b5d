"""A language model from the command line: as the map of a release, or as the teacher of auxiliary text."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import options
from dpspin.cli.terminal import say
from dpspin.errors import InputError, RequestError

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.curator.records.corpus import ProtectedCorpus
    from dpspin.curator.stage1_assign.llm.labeller import Labeller
    from dpspin.curator.stage1_assign.llm.map import LlmMap

LLM = "llm"


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """Where the model is asked, and whether that place was declared part of the curator."""

    url: str | None
    model: str | None
    trusted: bool

    def require(self, *, chosen: bool) -> None:
        """Refuse an address without the map that uses it, and the map without an address."""
        if chosen and (self.url is None or self.model is None):
            raise RequestError("--map llm asks a language model: say where (--llm-url) and which (--llm-model)")
        if not chosen and (self.url or self.model or self.trusted):
            raise RequestError("--llm-url, --llm-model and --llm-endpoint-is-trusted go with --map llm")

    def map_for(self, universe: "AtomUniverse", most: int | None, folder: Path | None) -> "LlmMap":
        """Return the map; answers are kept in the curator's folder, so that a stopped run goes on where it was.

        Without a folder nothing is kept: a random sample must not leave a list of who was asked about.
        """
        from dpspin.curator.stage1_assign.llm.map import LlmMap

        return LlmMap(self.labeller(universe, most, folder))

    def labeller(self, universe: "AtomUniverse", most: int | None, folder: Path | None) -> "Labeller":
        """Return what asks the model about one text at a time."""
        from dpspin.curator.stage1_assign.choice import Recipe, fit_map
        from dpspin.curator.stage1_assign.llm.cache import Answers, AnswersOfThisRun
        from dpspin.curator.stage1_assign.llm.endpoint import Endpoint
        from dpspin.curator.stage1_assign.llm.labeller import SHORTLIST, Labeller
        from dpspin.curator.stage1_assign.llm.shortlist import ShortlistByMap

        self.require(chosen=True)
        endpoint = Endpoint(self.url or "", self.model or "", trusted_endpoint=self.trusted)
        shortlister = None
        if universe.size > SHORTLIST:
            shortlister = ShortlistByMap(
                fit_map(Recipe(atoms_per_record=universe.size, languages=()), universe, None), universe.size
            )
        answers = AnswersOfThisRun() if folder is None else Answers(folder)
        return Labeller(universe, endpoint, answers, shortlister, most=3 if most is None else most)


def tell_estimate(fitted: "LlmMap", corpus: "ProtectedCorpus", rate: float | None) -> None:
    """Say on the curator's own terminal what is about to be asked, before the first record is sent."""
    from dpspin.curator.records.corpus import TEXT

    everyone = fitted.estimate(batch.column(TEXT) for batch in corpus.batches())
    say(str(everyone if rate is None else everyone.times(rate)), err=True)


def teach(
    aux: Annotated[str, typer.Argument(metavar="AUX", help="Auxiliary or public records; NEVER the protected ones.")],
    atoms: options.AtomsOption,
    text: Annotated[str, typer.Option("--text", help="The column with the records' words.")],
    llm_url: options.LlmUrlOption,
    llm_model: options.LlmModelOption,
    out: Annotated[Path, typer.Option("--out", help="A new JSONL file: text and atoms, for --aux and --aux-label.")],
    most: Annotated[int, typer.Option("--texts", min=1, help="How many texts to label, from the first on.")] = 500,
    per_record: options.PerRecordOption = None,
    llm_endpoint_is_trusted: options.LlmTrustedOption = False,
) -> None:
    """Let a language model label auxiliary text, once: a small local map then learns from it (--map taught, hybrid)."""
    from itertools import islice

    from dpspin.cli.files import read_atoms
    from dpspin.curator.records.auxiliary import Auxiliary, open_auxiliary
    from dpspin.curator.records.corpus import TEXT
    from dpspin.curator.records.policy import TEACHER_COLUMN
    from dpspin.curator.stage1_assign.llm.teacher import Teacher

    if out.exists():
        raise InputError(f"{str(out)!r} is there already; choose another --out")
    corpus = open_auxiliary(Auxiliary(aux, text), with_users=False)
    options_ = LlmOptions(llm_url, llm_model, llm_endpoint_is_trusted)
    teacher = Teacher(options_.labeller(read_atoms(atoms), per_record, out.absolute().parent / ".dpspin-teacher"))
    every = (words for batch in corpus.batches() for words in batch.column(TEXT).to_pylist() if words) if corpus else ()
    texts = list(islice(every, most))
    taught = [(words, found) for words, found in zip(texts, teacher(texts), strict=True) if found is not None]
    lines = [
        json.dumps({"text": words, "atoms": list(found), TEACHER_COLUMN: teacher.name}, ensure_ascii=False)
        for words, found in taught
    ]
    out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    say(f"{len(taught):,} of {len(texts):,} texts are labelled in {out}. Use it with:", err=True)
    say(f"  --aux {out} --aux-text text --aux-label atoms", err=True)
