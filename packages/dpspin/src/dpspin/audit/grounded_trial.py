"""One trial of a read sample: what one unit moves in the three sums, and what shows in what is published of them.

It has two parts, as trials from the file on have. *Exactly*: all of both neighbours are drawn, read and mapped by the
shipped code, and the sums compared. With L the sum of their changes, each over its scale, the sample's part of the loss
is ln(1 + q(e^L - 1)), and the sketch's is its change over its scale: no bound from counts. It sees every fault in what
is summed, however small, and none in who is drawn. *By counting*: draw, read, sum up, add noise, again and again, under
fresh keys as those of other ledgers; so it sees what the coins are worth, and whatever else the plan tells.
"""

import math
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin.audit.corpora import WORDS, dictionary, neighbours, paper_map
from dpspin.audit.epsilon_bound import Floats
from dpspin.audit.trial import Effort, Outcome, bound_of, learned_event, opened
from dpspin.boundary.grounding import Grounding, sample_noise
from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, RecordUnit, UserUnit
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.read_sample import Drawing, Drawn, Readings, SampleSums, sums_over
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.curator.release.draw_plan import ReleaseSpec, noisy_readings, perturb
from dpspin.curator.release.secure_noise import SecureNoise

LOSS: Final = PrivacyLoss(1.0)
READING: Final = Grounding(rate=0.07, share=0.8, reader="audit")
SPEC: Final = ReleaseSpec(loss=LOSS, denominator=1000, size=2, grounding=READING)
EVERYBODY: Final = 1 - 2.0**-53
ATOMS: Final = SPEC.size
CROWD: Final = (4, 0)  # of others, where sums are compared exactly; where releases are counted there is nobody else

SumUp = Callable[[tuple[Drawn, ...], Readings, Contributions, SketchOrigin], SampleSums]


def drawn_in_secret(corpus: ProtectedCorpus, rate: float) -> tuple[Drawn, ...]:
    """Draw by the shipped coins, under a key that no other release has."""
    return Drawing(os.urandom(32), rate).of(corpus)


def says_nothing(grounding: Grounding, _drawn: tuple[Drawn, ...]) -> Grounding:
    """State what was chosen, and nothing of who was drawn."""
    return grounding


@dataclass(frozen=True, slots=True)
class GroundedPath:
    """How units are drawn, what is summed, and what the plan states; by default as in a release."""

    draw: Callable[[ProtectedCorpus, float], tuple[Drawn, ...]] = drawn_in_secret
    sum_up: SumUp = sums_over
    state: Callable[[Grounding, tuple[Drawn, ...]], Grounding] = says_nothing
    noise: NoiseSource = field(default_factory=SecureNoise)


def grounded_trial(unit: RecordUnit | UserUnit, path: GroundedPath, effort: Effort, *, count: bool) -> Outcome:
    """Compare the sums of neighbours exactly, then count their releases; stop as soon as the claim is refuted."""
    exactly = _exact_loss(*(_Side.of(table, unit, path) for table in _pair(unit, CROWD)))
    if exactly > LOSS.epsilon or not count:
        return Outcome(0.0, 0, exact_loss=exactly)
    before, after = (_Side.of(table, unit, path) for table in _pair(unit, (0,) * ATOMS))
    pilots = before.published(effort.pilot), after.published(effort.pilot)
    witness = _Witness.trained(before, after, pilots)
    event = learned_event(witness(pilots[0]), witness(pilots[1]), LOSS.delta, effort)
    counted = [np.empty(0), np.empty(0)]
    outcome = Outcome(0.0, 0, exact_loss=exactly)
    for end in effort.ends:
        more = end - outcome.releases
        counted = [np.r_[old, witness(s.published(more))] for old, s in zip(counted, (before, after), strict=True)]
        bound = bound_of(*event.counts(*counted), end, LOSS.delta, effort)
        outcome = Outcome(float(bound), end, exact_loss=exactly)
        if outcome.bound > LOSS.epsilon:
            break
    return outcome


def _pair(unit: RecordUnit | UserUnit, crowd: tuple[int, ...]) -> tuple[pa.Table, pa.Table]:
    pair = neighbours(unit, Adjacency.ADD_DROP, crowd)
    return pair.before, pair.after


def read(drawn: tuple[Drawn, ...]) -> Readings:
    """Read each record as the other of two themes: so a unit moves every sum as far as it can."""
    return {each.id: frozenset({1 - WORDS.index(str(each.text).split()[0])}) for each in drawn}


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the neighbours: its exact sketch, its sums where everybody is drawn, and its endless releases."""

    records: Records
    path: GroundedPath
    sketch: Sketch
    everybody: SampleSums
    known: dict[tuple[str, ...], SampleSums] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, table: pa.Table, unit: RecordUnit | UserUnit, path: GroundedPath) -> "_Side":
        mapped = paper_map(ATOMS)
        origin = SketchOrigin.of(dictionary(ATOMS), mapped.statement, unit, Adjacency.ADD_DROP)
        records = Records(opened(table, unit), mapped, origin)
        everybody = _sums(drawn_in_secret(records.corpus, EVERYBODY), records, path)
        return cls(records, path, records.measure()[0], everybody)

    def published(self, count: int) -> Floats:
        """Draw so many times, and keep every number that a plan would tell: noisy ones, and one in words, if any."""
        return np.array([self._numbers() for _ in range(count)])

    def _numbers(self) -> list[float]:
        drawn = self.path.draw(self.records.corpus, READING.rate)
        alike = tuple(str(each.text) for each in drawn)  # there is one unit, so its texts tell all of it
        if alike not in self.known:
            self.known[alike] = _sums(drawn, self.records, self.path)
        told = re.search(r"\d+", self.path.state(READING, drawn).reader)
        sketch = perturb(self.sketch, SPEC.mechanism, SPEC.loss_of_sketch, SPEC.size, self.path.noise)
        sums = noisy_readings(self.known[alike], SPEC, self.records.origin, self.path.noise)
        masses = [ticks / TICKS_PER_MASS for ticks in sketch.ticks]
        return [*masses, *sums.corrections, *sums.squares, sums.moved, float(told.group()) if told else 0.0]


def _sums(drawn: tuple[Drawn, ...], records: Records, path: GroundedPath) -> SampleSums:
    mapped = records.contribution_map(pa.array([each.text for each in drawn], pa.large_string()))
    return path.sum_up(drawn, read(drawn), mapped, records.origin)


def _exact_loss(before: _Side, after: _Side) -> float:
    """Return the loss of this very pair, from how far its sums lie apart."""
    origin = before.records.origin
    noise = sample_noise(LOSS, READING, origin.sensitivity)
    laws = (noise.corrections, noise.squares, noise.moved)
    on_sample = sum(
        float(np.abs(one - other).sum()) / law.scale
        for one, other, law in zip(_in_ticks(before.everybody), _in_ticks(after.everybody), laws, strict=True)
    )
    moved = float(np.abs(after.sketch.ticks - before.sketch.ticks).sum()) / origin.sensitivity.l1
    of_sketch = (1 - READING.share) * LOSS.epsilon * moved
    return of_sketch + float(np.logaddexp(math.log1p(-READING.rate), math.log(READING.rate) + on_sample))


def _in_ticks(sums: SampleSums) -> tuple[Floats, Floats, Floats]:
    return np.asarray(sums.corrections), np.asarray(sums.squares), np.array([sums.moved])


@dataclass(frozen=True, slots=True)
class _Witness:
    """The log-likelihood ratio of what is published, by the laws that are claimed; a number in words by the pilot.

    It is that of the sketch, plus ln(1 - q + q·e^l) with l the ratio of the sums if the unit was drawn.
    """

    scales: Floats
    before: Floats
    after: Floats
    said: dict[float, float]

    @classmethod
    def trained(cls, before: _Side, after: _Side, pilots: tuple[Floats, Floats]) -> "_Witness":
        noise = sample_noise(LOSS, READING, before.records.origin.sensitivity)
        of_sketch = before.sketch.sensitivity.l1 / ((1 - READING.share) * LOSS.epsilon)
        scales = [of_sketch, noise.corrections.scale, noise.squares.scale]
        one, other = (pilot[:, -1].tolist() for pilot in pilots)
        said = {each: math.log((other.count(each) + 0.5) / (one.count(each) + 0.5)) for each in {*one, *other}}
        centres = [np.r_[side.sketch.ticks, *_in_ticks(side.everybody)] / TICKS_PER_MASS for side in (before, after)]
        return cls(np.r_[np.repeat(scales, ATOMS), noise.moved.scale] / TICKS_PER_MASS, centres[0], centres[1], said)

    def __call__(self, published: Floats) -> Floats:
        """Return one number per release."""
        numbers, said = published[:, :-1], published[:, -1]
        ratios = (np.abs(numbers - self.before) - np.abs(numbers - self.after)) / self.scales
        of_sums = ratios[:, ATOMS:].sum(axis=1)
        rate = READING.rate
        whole = ratios[:, :ATOMS].sum(axis=1) + np.logaddexp(math.log1p(-rate), math.log(rate) + of_sums)
        ratio: Floats = np.round(whole + np.array([self.said.get(each, 0.0) for each in said.tolist()]), 9)
        return ratio
