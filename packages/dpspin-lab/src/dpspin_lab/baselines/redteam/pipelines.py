"""What each pipeline publishes of a scene, and which secret the attacker reads from it.

A pipeline that protects nobody is read by its words. A plan is read by its likelihood: the attacker is granted all
other records and the person's words but for the secret, and names what makes the noisy masses most likely. No guess
is better. Each pipeline is attacked with each kind of poison, in the same scenes and under the same noise.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse, Provenance
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, RecordUnit
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.assign.contribution import ContributionMap, Floats
from dpspin.curator.assign.recipes import Recipe, fit_by_recipe
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.seeded_noise import SimulatedNoise
from dpspin.demo.synthetic import generate_tickets, ticket_pack
from dpspin.public.narrate.narrate import narrate
from dpspin.rehearse import masses_of
from dpspin_lab.baselines.clio import ClioReport, Tools, clio
from dpspin_lab.baselines.private.histograms import Vocabulary
from dpspin_lab.baselines.private.release import DELTA, BaselineRelease, Clusters, noise_from
from dpspin_lab.baselines.private.urania import (
    bound_records,
    fit_public_side,
    release_clusters,
)
from dpspin_lab.baselines.private.urania_full import encoder_of_words, fit_full, protect_full, release_full
from dpspin_lab.baselines.private.urania_schedule import paper_schedule
from dpspin_lab.baselines.private.words import template_words
from dpspin_lab.baselines.redteam.scene import SECRETS, THEME, Poison, Scene, stated_in

AUXILIARY: Final = 600  # generated tickets from which URANIA's public side is learned
_AUXILIARY_SEED: Final = 20_000_001  # of no scene: those are 64-bit hashes
_TIE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Published:
    """The words that everybody sees, and the secrets that the attacker finds likeliest; none: all alike."""

    text: str = field(repr=False)
    likeliest: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Attack:
    """Something that is attacked with one kind of poison, once for each of its losses.

    What protects nobody has no loss; who sees nothing needs no poison.
    """

    losses: tuple[PrivacyLoss | None, ...]
    poison: Poison | None
    publish: Callable[[Scene], Iterator[Published]] = field(repr=False)  # one for each loss


Publishing = Callable[[Poison, Scene], Iterator[Published]]


def with_each_poison(losses: tuple[PrivacyLoss | None, ...], publish: Publishing) -> tuple[Attack, ...]:
    """Attack one pipeline, fitted once, with each kind of poison."""
    return tuple(Attack(losses, poison, partial(publish, poison)) for poison in Poison)


def guessing() -> tuple[Attack, ...]:
    """Let somebody guess who sees nothing."""
    return (Attack((None,), None, lambda _: iter((Published(""),))),)


def clio_like(tools: Tools) -> tuple[Attack, ...]:
    """Attack the pipeline of ``clio`` as it stands, with the thresholds that it has."""

    def publish(poison: Poison, scene: Scene) -> Iterator[Published]:
        yield read_report(clio(scene.texts(poison), scene.users, tools=tools, seed=scene.number))

    return with_each_poison((None,), publish)


def read_report(report: ClioReport) -> Published:
    """Name what stands first in the groups about the theme: by exact counts, the person's secret leads there."""
    texts = [f"{group.title}. {group.description}" for group in report.groups]
    about = [text for text in texts if THEME.split()[-1] in text.lower()]
    leading = {found[0] for text in about if (found := stated_in(text))}
    return Published("\n".join(texts), tuple(sorted(leading)))


def urania(epsilons: Sequence[float], *, knows_secrets: bool) -> tuple[Attack, ...]:
    """Attack the paper's URANIA-style release; at worst its public keywords name every possible secret."""
    tickets = generate_tickets(AUXILIARY, _AUXILIARY_SEED).records["text"].to_pylist()
    public = fit_public_side(tickets, ticket_pack())
    if knows_secrets:
        public = replace(public, vocabulary=Vocabulary((*SECRETS, *public.vocabulary.words)))
    losses = tuple(PrivacyLoss(epsilon, DELTA) for epsilon in epsilons)

    def publish(poison: Poison, scene: Scene) -> Iterator[Published]:
        records = bound_records(scene.texts(poison), public)
        for loss in losses:
            noise = noise_from(scene.seed_for(f"urania/{len(public.vocabulary)}/{loss.epsilon}"))
            yield read_clusters(release_clusters(records, public, loss, paper_schedule, noise))

    return with_each_poison(losses, publish)


def urania_full(epsilons: Sequence[float]) -> tuple[Attack, ...]:
    """Attack URANIA's own steps with keywords from the records; at worst every possible secret may become one."""
    tickets = generate_tickets(AUXILIARY, _AUXILIARY_SEED).records["text"].to_pylist()
    fitted = fit_full(tickets, ticket_pack(), encoder_of_words(tickets))
    listed = Vocabulary((*SECRETS, *(word for word in fitted.listed.words if word not in SECRETS)))
    public, losses = replace(fitted, listed=listed), tuple(PrivacyLoss(epsilon, DELTA) for epsilon in epsilons)

    def publish(poison: Poison, scene: Scene) -> Iterator[Published]:
        records = protect_full(scene.texts(poison), public)
        for loss in losses:
            noise = noise_from(scene.seed_for(f"urania-full/{loss.epsilon}"))
            yield read_clusters(release_full("urania_full_own", records, public, loss, noise))

    return with_each_poison(losses, publish)


def read_clusters(release: BaselineRelease) -> Published:
    """Name the secret with the largest noisy count: whatever the poison, it gave the same to each."""
    if not isinstance(release.released, Clusters):
        raise TypeError("clusters were asked for")
    words = template_words(release)
    counts = dict.fromkeys(SECRETS, 0)
    for cluster in release.released.clusters:
        for entry in cluster.keywords:
            if entry.name in counts:
                counts[entry.name] += entry.count
    most = max(counts.values())
    likeliest = tuple(place for place, secret in enumerate(SECRETS) if counts[secret] == most)
    return Published("\n".join((words.summary, *words.topics)), likeliest)


def secrets_as_atoms() -> AtomUniverse:
    """Return the worst dictionary: its themes are the secrets, and the person's whole mass lies on one of them."""
    return AtomUniverse(
        name="secrets",
        version="1",
        provenance=Provenance(source="handwritten", note="every possible secret is a theme: the worst case"),
        atoms=tuple(Atom(id=AtomId(place), label=secret) for place, secret in enumerate(SECRETS)),
    )


@dataclass(frozen=True, slots=True)
class Ours:
    """A dictionary fixed in advance, the default map, Laplace noise, and the verified text."""

    universe: AtomUniverse
    fitted: ContributionMap = field(repr=False)

    @classmethod
    def with_default_map(cls, universe: AtomUniverse) -> "Ours":
        """Fit the map that a release fits; it has seen no record."""
        return cls(universe, fit_by_recipe(Recipe(), universe, None))

    @property
    def origin(self) -> SketchOrigin:
        """What is measured, and that a record is protected under add/drop."""
        return SketchOrigin.of(self.universe, self.fitted.statement, RecordUnit(), Adjacency.ADD_DROP)

    def measured(self, texts: Sequence[str]) -> Sketch:
        """Measure records by the product's own code."""
        corpus = open_corpus(pa.table({"text": list(texts)}), Columns("text"))
        sketch, _ = Records(corpus, self.fitted, self.origin).measure()
        return sketch

    def possible(self, scene: Scene, poison: Poison) -> Floats:
        """Return the exact masses of the whole scene under each secret, one row each: what the attacker computes."""
        known = masses_of(self.measured((*scene.others, *scene.attackers(poison))))
        own = self.fitted(pa.array([scene.person(place) for place in range(len(SECRETS))]))
        possible = np.tile(known, (len(SECRETS), 1))
        np.add.at(possible, (own.rows, own.atoms), own.ticks / TICKS_PER_MASS)
        return possible

    def release(self, scene: Scene, poison: Poison, loss: PrivacyLoss, seed: int) -> SemanticPlan:
        """Release the scene with seeded noise."""
        spec = ReleaseSpec(loss=loss, denominator=len(scene.users), size=min(10, self.universe.size))
        return release_plan(self.measured(scene.texts(poison)), self.universe, spec, SimulatedNoise(seed))

    def read(self, plan: SemanticPlan, possible: Floats) -> Published:
        """Name the secret under which the released masses are likeliest."""
        return Published(narrate(plan, self.universe).text, likeliest(plan, possible))


def likeliest(plan: SemanticPlan, possible: Floats) -> tuple[int, ...]:
    """Return the rows of ``possible`` under which the plan's noisy masses are most likely."""
    distances = np.array(plan.released_masses) - possible
    likelihood = plan.statement.noise.log_density(distances).sum(axis=1)
    return tuple(int(row) for row in np.flatnonzero(likelihood >= likelihood.max() - _TIE))


def ours(universe: AtomUniverse, epsilons: Sequence[float]) -> tuple[Attack, ...]:
    """Attack a plan and its text."""
    fixed, losses = Ours.with_default_map(universe), tuple(map(PrivacyLoss, epsilons))

    def publish(poison: Poison, scene: Scene) -> Iterator[Published]:
        possible = fixed.possible(scene, poison)
        for loss in losses:
            plan = fixed.release(scene, poison, loss, scene.seed_for(f"{universe.name}/{loss.epsilon}"))
            yield fixed.read(plan, possible)

    return with_each_poison(losses, publish)
