"""One text in, the atoms it expresses out: what the map and the teacher share.

Of a large dictionary a cheap local scorer chooses a few candidates per text, so that they fit into a prompt.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from statistics import mean
from typing import Protocol

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.model_base import digest_of
from dpspin.curator.assign.contribution import ContributionMap, Floats
from dpspin.curator.assign.llm.kept_answers import KeptAnswers
from dpspin.curator.assign.llm.theme_question import (
    UNREADABLE,
    ModelAnswer,
    instructions,
    messages,
    read_answer,
    require_answerable,
    schema,
    tokens_for,
)
from dpspin.curator.assign.llm.trusted_endpoint import Client, Endpoint, NoAnswer
from dpspin.errors import BoundViolation, EndpointError, RequestError
from dpspin.llm.question import JsonSchema, Question, Reply


class Shortlister(Protocol):
    """A score for each text and atom, each text on its own; fixed before any protected record is read."""

    @property
    def digest(self) -> str:
        """Identify the scorer by content."""
        ...

    def __call__(self, texts: pa.StringArray) -> Floats:
        """Return one row per text and one column per atom, in dictionary order."""
        ...


@dataclass(frozen=True, slots=True)
class ShortlistByMap:
    """Any contribution map as a scorer: the more mass, the better. Use one that keeps all atoms (K = None)."""

    contribution_map: ContributionMap
    atoms: int

    @property
    def digest(self) -> str:
        """The map's own."""
        return self.contribution_map.statement.digest

    def __call__(self, texts: pa.StringArray) -> Floats:
        """Lay the contributions out as a table; what the map gives to "none of these" is left out."""
        given = self.contribution_map(texts)
        scores = np.zeros((given.records, given.universe_size))
        scores[given.rows, given.atoms] = given.ticks
        return scores[:, : self.atoms]


def best_positions(scorer: Shortlister, text: str, *, atoms: int, size: int) -> list[int]:
    """Choose the ``size`` best atoms, the lower index among equals, in dictionary order.

    The scorer sees this text alone: whatever it is, one record cannot change the candidates of another. Dictionary
    order keeps the scorer's opinion out of the prompt.
    """
    scores = scorer(pa.array([text], pa.string()))
    if scores.shape != (1, atoms) or not np.isfinite(scores).all():
        raise BoundViolation("a shortlister must return one finite score per text and atom")
    return sorted(np.argsort(-scores[0], kind="stable")[:size].tolist())


SHORTLIST = 12
TRIES_REMINDED = (False, True)  # twice; at temperature zero the same question would get the same answer
TRIAL_TEXTS = 2
LONGEST_TEXT = 8000  # characters; the rest of a text is not read, so that no record overflows the model's window


CHARACTERS_PER_TOKEN = 4.0  # of English text, about


@dataclass(frozen=True, slots=True)
class Trial:
    """Averages per call over a few public texts of the dictionary."""

    characters: float
    prompt_tokens: float
    answer_tokens: float
    seconds: float


@dataclass(slots=True)
class Tally:
    """Counts for the curator's own eyes: as private as the records."""

    asked: int = 0
    unreadable: int = 0
    refused: int = 0
    failed: int = 0  # the endpoint gave no answer to this text, though it answers others

    def __repr__(self) -> str:
        return "Tally(<private>)"


@dataclass(frozen=True, slots=True)
class Unanswered:
    """How many different texts have no answer yet, and their mean length: private."""

    texts: int = field(repr=False)
    characters: float = field(repr=False)


@dataclass(frozen=True)
class Labeller:
    """Asks about one text at a time. The answer is a function of the text: first given, then kept."""

    universe: AtomUniverse
    endpoint: Endpoint
    answers: KeptAnswers = field(repr=False)
    shortlister: Shortlister | None = field(default=None, repr=False)
    most: int = 3
    size: int = SHORTLIST
    seed: int = 0
    tally: Tally = field(default_factory=Tally, compare=False)

    def __post_init__(self) -> None:
        require_answerable(self.universe.atoms)
        if self.most < 1 or self.size < 1:
            raise RequestError("a record must be allowed at least one atom, and a shortlist must hold one")
        if self.universe.size > self.size and self.shortlister is None:
            raise RequestError(
                f"the dictionary has more than {self.size} atoms: name a shortlister, or a longer shortlist"
            )
        _ = self.client  # an address that is not allowed is refused now, not at the first record

    @cached_property
    def client(self) -> Client:
        """The connection to the endpoint; nothing is sent yet."""
        return Client(self.endpoint)

    @cached_property
    def identity(self) -> str:
        """Digest of all that decides an answer but the text, and of who read it.

        Answers from a declared host are not reused on this machine: the plan would not name everybody who read records.
        """
        prompts = [instructions(self.universe.atoms, self.most, reminded=reminded) for reminded in TRIES_REMINDED]
        scorer = self.shortlister.digest if self.universe.size > self.size and self.shortlister else "all"
        limits = [self.most, self.size, self.seed, LONGEST_TEXT]
        model = [self.endpoint.model, dict(self.endpoint.extra), self.client.trusts]
        return digest_of([model, self.universe.digest, prompts, scorer, limits])

    def __call__(self, text: str) -> ModelAnswer:
        """Return the kept answer, or ask and keep it."""
        asked = _readable_part(text)
        if not asked.strip():
            return ModelAnswer(())
        return self.answers.find(self.identity, asked) or self._ask_and_keep(asked)

    def unanswered(self, texts: Iterable[str]) -> Unanswered:
        """Count the texts about which must be asked: the calls of a run, but for second tries."""
        parts = {_readable_part(text) for text in texts}
        lengths = [len(part) for part in parts if part.strip() and self.answers.find(self.identity, part) is None]
        return Unanswered(len(lengths), mean(lengths or [0]))

    @cached_property
    def trial(self) -> Trial:
        """The rehearsal before any record is sent."""
        return self.rehearse()

    def rehearse(self) -> Trial:
        """Ask about public texts of the dictionary: if these are not answered either, the fault is the endpoint's."""
        texts = _public_texts(self.universe)
        asked = [(text, *self._ask(text, reminded=False)) for text in texts]
        if any(reply.refused for _, reply, _ in asked) or not any(reading.readable for _, _, reading in asked):
            raise EndpointError(
                "the language model does not answer a test question in the required form. The server must support "
                "response_format with a json_schema, and all fields of `extra`. Nothing was charged"
            )
        return _averages([(text, reply) for text, reply, _ in asked])

    def _ask_and_keep(self, text: str) -> ModelAnswer:
        _ = self.trial  # once per process, and only if something must be asked
        for reminded in TRIES_REMINDED:
            reply, reading = self._try(text, reminded=reminded)
            if reading.readable or reply.refused:
                break
        if not reading.readable:
            self.rehearse()  # a server that broke down meanwhile must not turn the rest into "none of these"
        self.tally.asked += 1
        self.tally.unreadable += not reading.readable
        self.tally.refused += reply.refused
        self.tally.failed += reply.failed
        self.answers.keep(self.identity, text, reading)
        return self.answers.find(self.identity, text) or reading

    def _try(self, text: str, *, reminded: bool) -> tuple[Reply, ModelAnswer]:
        """Ask; where no answer comes but public texts are answered, the fault is the text's, and must stop nothing."""
        with suppress(NoAnswer):
            return self._ask(text, reminded=reminded)
        self.rehearse()
        return Reply(text=None, failed=True), UNREADABLE

    def _ask(self, text: str, *, reminded: bool) -> tuple[Reply, ModelAnswer]:
        candidates = self._candidates(text)
        question = Question(
            messages(candidates, text, self.most, reminded=reminded),
            JsonSchema("themes", schema(candidates, self.most)),
            tokens_for(candidates, self.most),
            self.seed + reminded,
        )
        reply = self.client.ask(question)
        return reply, read_answer(reply.text, candidates, self.most)

    def _candidates(self, text: str) -> list[Atom]:
        atoms = self.universe.atoms
        if len(atoms) <= self.size or self.shortlister is None:
            return list(atoms)
        return [atoms[j] for j in best_positions(self.shortlister, text, atoms=len(atoms), size=self.size)]


def _readable_part(text: str) -> str:
    """Cut a long text, and replace what is not Unicode and could not be sent."""
    return text[:LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8")


def _public_texts(universe: AtomUniverse) -> list[str]:
    return [(*atom.examples, atom.label)[0] for atom in universe.atoms[:TRIAL_TEXTS]]


def _averages(asked: list[tuple[str, Reply]]) -> Trial:
    """Average the trial; a server that counts no tokens is estimated from characters."""
    characters = mean(len(text) for text, _ in asked)
    return Trial(
        characters=characters,
        prompt_tokens=mean(reply.prompt_tokens for _, reply in asked) or characters / CHARACTERS_PER_TOKEN,
        answer_tokens=mean(reply.answer_tokens for _, reply in asked),
        seconds=min(reply.seconds for _, reply in asked),  # the first call may load the model
    )
