"""A language model as the contribution map: one record per call, at most K atoms or "none of these", mass one."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import AtomId
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.assign.llm.estimate import Estimate, Trial, estimate
from dpspin.curator.assign.llm.labeller import Labeller
from dpspin.curator.assign.ours import ours
from dpspin.llm.usage import Price

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
