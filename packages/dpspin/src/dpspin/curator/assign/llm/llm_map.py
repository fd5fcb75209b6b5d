"""A language model as the contribution map: one record per call, at most K atoms or "none of these", mass one.

As a teacher it labels auxiliary text instead, and a small local map learns from that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import AtomId
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.assign.llm.labeller import CHARACTERS_PER_TOKEN, Labeller, Trial
from dpspin.curator.assign.map_trust import ours
from dpspin.llm.question import Price, Usage


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls, tokens, time and cost of a run: as private as the number of records."""

    calls: int
    prompt_tokens: int
    answer_tokens: int
    seconds: float
    cost: float | None

    def times(self, rate: float) -> "Estimate":
        """Return what a sample at this rate takes, on average."""
        calls, read, written = (round(rate * part) for part in (self.calls, self.prompt_tokens, self.answer_tokens))
        return Estimate(calls, read, written, rate * self.seconds, None if self.cost is None else rate * self.cost)

    def __repr__(self) -> str:
        return "Estimate(<private>)"

    def __str__(self) -> str:
        """One line for the terminal."""
        cost = "" if self.cost is None else f", cost {self.cost:.2f}"
        tokens = f"{self.prompt_tokens:,} tokens to read and {self.answer_tokens:,} to write"
        return f"about {self.calls:,} calls, {tokens}, {_duration(self.seconds)}{cost}"


def estimate(calls: int, trial: Trial, *, characters: float | None = None, price: Price | None = None) -> Estimate:
    """Scale a trial up to ``calls`` texts of ``characters`` each on average (unknown: as long as the trial's).

    >>> print(estimate(2000, Trial(100, 400, 12, 0.5), characters=500, price=Price(prompt=0.5, answer=2.0)))
    about 2,000 calls, 1,000,000 tokens to read and 24,000 to write, 21 min, cost 0.55
    """
    longer = 0.0 if characters is None else (characters - trial.characters) / CHARACTERS_PER_TOKEN
    prompt = max(trial.prompt_tokens + longer, 0.0)
    slower = (prompt + trial.answer_tokens) / max(trial.prompt_tokens + trial.answer_tokens, 1.0)
    read, written = round(calls * prompt), round(calls * trial.answer_tokens)
    cost = None if price is None else Usage(calls, read, written).cost(price)
    return Estimate(calls, read, written, calls * trial.seconds * slower, cost)


def _duration(seconds: float) -> str:
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


NOTHING_TO_ASK = Trial(0.0, 0.0, 0.0, 0.0)  # kept answers need no server: released numbers are read again without it


@ours
@dataclass(frozen=True)
class LlmMap:
    """Coordinates 0..m-1 are the atoms, m is "none of these". Every record with a text has mass one.

    The model's answer is only a choice among candidates: weights are even, made here. An answer that stays unreadable
    counts as "none of these". To stop would let one record block a release, and the stop would tell of that record; to
    give no mass would hide it. As "none" it understates the atoms, and the stated coverage shows by how much at most.
    The same holds for a text over which the endpoint fails every time while public texts are answered. An endpoint
    that fails on those too stops the run before anything is charged.
    """

    labeller: Labeller

    @property
    def leaves_a_trace(self) -> bool:
        """Whether a file says afterwards which texts were mapped."""
        return self.labeller.answers.outlive_the_run

    @cached_property
    def statement(self) -> MapStatement:
        """Name, digest, and who else read the records."""
        return MapStatement(
            name="llm",
            fitted_on=f"nothing here: the language model {self.labeller.endpoint.model} as its makers trained it",
            atoms_per_record=self.labeller.most,
            digest=digest_of(["llm map", self.labeller.identity]),
            answers_none=True,
            trusts=self.labeller.client.trusts,
        )

    def __call__(self, texts: pa.StringArray) -> Contributions:
        """Map a batch, one text after the other: a server that works on two at a time may mix their rounding."""
        rows = [() if text is None else self._coordinates(text) for text in texts.to_pylist()]
        weights = [1.0 / len(row) for row in rows for _ in row]
        return Contributions.from_weights(
            np.cumsum([0, *(len(row) for row in rows)], dtype=np.int64),
            np.array([coordinate for row in rows for coordinate in row], np.int64),
            np.array(weights, np.float64),
            universe_size=self.labeller.universe.size + 1,
            atoms_per_record=self.labeller.most,
        )

    def estimate(self, texts: Iterable[pa.StringArray], price: Price | None = None) -> Estimate:
        """Say what mapping these batches will take, after a trial on public texts. For the curator's terminal only."""
        unknown = self.labeller.unanswered(text for batch in texts for text in batch.to_pylist() if text is not None)
        trial = self.labeller.trial if unknown.texts else NOTHING_TO_ASK
        return estimate(unknown.texts, trial, characters=unknown.characters, price=price)

    @cached_property
    def _positions(self) -> dict[AtomId, int]:
        return {atom: position for position, atom in enumerate(self.labeller.universe.ids)}

    def _coordinates(self, text: str) -> tuple[int, ...]:
        none_of_these = len(self._positions)
        return tuple(sorted(self._positions[atom] for atom in self.labeller(text).atoms)) or (none_of_these,)


@dataclass(frozen=True)
class Teacher:
    """Takes auxiliary text only: no protected record reaches the endpoint, and the learned map needs to trust nobody.

    An answer that stays unreadable teaches nothing, unlike "none of these": such a text gets None, to be left out.
    """

    labeller: Labeller

    @property
    def name(self) -> str:
        """Who labelled, as it stands in the file of labels and in the plan of a map that learned from it."""
        return f"the language model {self.labeller.endpoint.model} {self.labeller.client.place}"

    def __call__(self, auxiliary: Iterable[str]) -> list[tuple[AtomId, ...] | None]:
        """Label each text on its own: at most K atom ids, the clearest first; empty for none of these."""
        readings = (self.labeller(text) for text in auxiliary)
        return [reading.atoms if reading.readable else None for reading in readings]
