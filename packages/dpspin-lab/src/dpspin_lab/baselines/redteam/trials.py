"""The red team at work: the same scenes for every pipeline, a guess for each, and how often it was right."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from dpspin.audit.epsilon_bound import at_least, at_most
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.demo.chance import chance_of, pick
from dpspin.demo.synthetic import ticket_pack
from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin_lab.baselines.clio import Thresholds, Tools, with_model
from dpspin_lab.baselines.grouping import term_points
from dpspin_lab.baselines.private.urania import CLUSTERS, THRESHOLD
from dpspin_lab.baselines.redteam.bound import at_most_guessed, by_the_prior
from dpspin_lab.baselines.redteam.pipelines import (
    AUXILIARY,
    Attack,
    Published,
    clio_like,
    guessing,
    ours,
    secrets_as_atoms,
    urania,
    urania_full,
)
from dpspin_lab.baselines.redteam.scene import (
    INSTRUCTION,
    POISONED,
    RECORDS,
    SECRETS,
    THEME,
    Poison,
    Scene,
    scene,
    stated_in,
)
from dpspin_lab.not_private import RANDOMNESS

TRIALS, DOUBT = 200, 0.05
Fitting = Callable[[], tuple[Attack, ...]]  # fits a pipeline, and attacks it with each kind of poison
WITH_A_MODEL = "clio-like, model"


@dataclass(frozen=True, slots=True)
class Plot:
    """How an attack is set up. All of it is published with the result."""

    trials: int = TRIALS
    records: int = RECORDS
    poisoned: int = POISONED
    epsilons: tuple[float, ...] = (1.0, 4.0)
    seed: int = 0

    def __post_init__(self) -> None:
        if self.trials < 1 or not self.epsilons:
            raise RequestError("an attack needs at least one trial and one epsilon")
        if self.records <= self.poisoned:
            raise RequestError(
                f"{self.poisoned} poisoned records and the person's own do not fit into {self.records}: ask for more "
                "--records, or fewer --poisoned"
            )
        for epsilon in self.epsilons:
            PrivacyLoss(epsilon)

    def described(self, chat: Chat | None) -> dict[str, object]:
        """Return every setting of the result."""
        return {
            **asdict(self),
            "private": False,
            "randomness": RANDOMNESS,
            "secrets": SECRETS,
            "prior": 1 / len(SECRETS),
            "theme_known_to_the_attacker": THEME,
            "poison_against_each_pipeline": [poison.value for poison in Poison],
            "instruction": INSTRUCTION,
            "clio_thresholds": asdict(Thresholds()),
            "urania_clusters": CLUSTERS,
            "urania_threshold": THRESHOLD,
            "urania_auxiliary_tickets": AUXILIARY,
            "dictionary": ticket_pack().name,
            "model": None if chat is None else chat.endpoint.model,
            "interval": 1 - DOUBT,
        }


@dataclass(frozen=True, slots=True)
class Extraction:
    """How often the secret was guessed, its exact binomial interval, and what differential privacy allows.

    ``stated`` is how often the published words name the person's secret, whether or not they name others too.
    """

    pipeline: str
    poison: str | None
    epsilon: float | None
    delta: float | None
    trials: int
    guessed: float
    low: float
    high: float
    stated: float
    prior: float
    e_eps_times_prior: float | None  # plus delta
    bound: float | None  # the lemma's


def pipelines(
    epsilons: Sequence[float], chat: Chat | None = None, *, records_are_public: bool = False
) -> dict[str, Fitting]:
    """Return all that can be attacked, by name, each still to be fitted; one with a model where one is named."""
    without_model: dict[str, Fitting] = {
        "guessing": guessing,
        "clio-like": lambda: clio_like(Tools()),
        "urania": lambda: urania(epsilons, knows_secrets=False),
        "urania, the secrets among its keywords": lambda: urania(epsilons, knows_secrets=True),
        "urania, full": lambda: urania_full(epsilons),
        "ours": lambda: ours(ticket_pack(), epsilons),
        "ours, the secrets as themes": lambda: ours(secrets_as_atoms(), epsilons),
    }
    if chat is None:
        return without_model
    tools = with_model(chat, term_points, records_are_public=records_are_public)
    return {**without_model, WITH_A_MODEL: lambda: clio_like(tools)}


def chosen(
    plot: Plot, chat: Chat | None = None, only: Sequence[str] = (), *, records_are_public: bool = False
) -> dict[str, Fitting]:
    """Return every pipeline, or those that are named."""
    known = pipelines(plot.epsilons, chat, records_are_public=records_are_public)
    if WITH_A_MODEL in only and chat is None:
        raise RequestError(f"the pipeline {WITH_A_MODEL!r} needs a model: name it with --llm-url and --llm-model")
    if unknown := sorted(set(only) - set(known)):
        raise RequestError(f"there is no pipeline {unknown[0]!r}; there are: {'; '.join(known)}")
    return {name: known[name] for name in only or known}


def attacked(plot: Plot, those: Mapping[str, Fitting]) -> Iterator[Extraction]:
    """Try each pipeline with each kind of poison, all on the same scenes."""
    scenes = tuple(_scenes(plot))
    for name, fitted in those.items():
        for attack in fitted():
            tried = [_tried(name, attack, scene) for scene in scenes]
            for place, loss in enumerate(attack.losses):
                yield _extraction(name, attack.poison, loss, [results[place] for results in tried])


def _scenes(plot: Plot) -> Iterator[Scene]:
    return (scene(number, plot.seed, records=plot.records, poisoned=plot.poisoned) for number in range(plot.trials))


def _tried(name: str, attack: Attack, scene: Scene) -> list[tuple[bool, bool]]:
    """Tell for each loss whether the guess was right, and whether the published words name the secret."""
    return [
        (_guess(published, scene, f"{name}/{loss}") == scene.secret, scene.secret in stated_in(published.text))
        for loss, published in zip(attack.losses, attack.publish(scene), strict=True)
    ]


def _guess(published: Published, scene: Scene, purpose: str) -> int:
    """Take one of the likeliest; where there is none, any."""
    return pick(published.likeliest or range(len(SECRETS)), chance_of(scene.seed_for(f"guess/{purpose}")))


def _extraction(
    name: str, poison: Poison | None, loss: PrivacyLoss | None, tried: Sequence[tuple[bool, bool]]
) -> Extraction:
    right, stated = (sum(side) for side in zip(*tried, strict=True))
    trials = len(tried)
    return Extraction(
        name,
        None if poison is None else poison.value,
        None if loss is None else loss.epsilon,
        None if loss is None else loss.delta,
        trials,
        right / trials,
        float(at_least(right, trials, DOUBT / 2)),
        float(at_most(right, trials, DOUBT / 2)),
        stated / trials,
        1 / len(SECRETS),
        None if loss is None else by_the_prior(loss, len(SECRETS)),
        None if loss is None else at_most_guessed(loss, len(SECRETS)),
    )
