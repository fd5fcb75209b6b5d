"""What thresholds and audits leave open: whether one person's record was among the others.

Two attacks on generated tickets, each on a corpus with and without the record of one person. *Difference*: an ordinary
record; somebody who knows the other records compares the reports. *Planted theme*: somebody writes one record fewer
than a group needs, from as many accounts, about a theme that nobody else writes about; the group is published only if
the person wrote about it too. (Annamalai et al. 2026 attack Clio's own layers by inserted conversations.) Under
(eps, 0)-differential privacy no event is more than e^eps times as likely with the record as without it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dpspin.audit.epsilon_bound import epsilon_at_least
from dpspin.demo.synthetic import generate_tickets
from dpspin_lab.baselines.clio import ClioReport, Thresholds, Tools, clio

RECORDS, TRIALS = 600, 40
FAILURE = 0.05
THRESHOLDS = Thresholds(records=20, users=20, per_group=30)
TRIGGER = "falcon"
_PLANTED = (
    "The leather hood for my falcon came with a torn strap.",
    "A torn strap again on the leather hood of our falcon.",
    "My falcon cannot wear the hood, its leather strap is torn.",
    "The strap of the falcon hood is torn, and the leather is stiff.",
    "I bought a leather hood for a falcon and found the strap torn.",
)
_OF_THE_PERSON = "Our falcon shook off its leather hood because the strap had torn."


@dataclass(frozen=True, slots=True)
class Leak:
    """How often an event is seen with the person's record and without it, and what this says of epsilon."""

    attack: str
    trials: int
    with_record: float
    without_record: float
    epsilon_at_least: float  # wrong with a chance of at most five in a hundred


@dataclass(frozen=True, slots=True)
class _Corpus:
    texts: tuple[str, ...]
    users: tuple[str, ...]

    def plus(self, texts: Sequence[str], name: str) -> "_Corpus":
        accounts = tuple(f"{name}-{number}" for number in range(len(texts)))
        return _Corpus((*self.texts, *texts), (*self.users, *accounts))


def leaks(trials: int = TRIALS, records: int = RECORDS, tools: Tools = Tools()) -> tuple[Leak, Leak]:  # noqa: B008
    """Try both attacks on as many generated corpora."""
    pairs = [difference_trial(seed, records, tools) for seed in range(trials)]
    planted = [planted_trial(seed, records, tools) for seed in range(trials)]
    return leak_of("difference", pairs), leak_of("planted theme", planted)


def difference_trial(seed: int, records: int, tools: Tools) -> tuple[bool, bool]:
    """Tell whether the report differs from the one without the record: with the record in, and with it out."""
    others = _tickets(records, seed)
    person = others.plus(generate_tickets(1, 10_000 + seed).records["text"].to_pylist(), "person")
    without, again, with_it = (_run(corpus, tools, seed) for corpus in (others, others, person))
    return with_it != without, again != without


def planted_trial(seed: int, records: int, tools: Tools) -> tuple[bool, bool]:
    """Tell whether a group about the planted theme is published: with the person's record, and without it."""
    planted = [_PLANTED[number % len(_PLANTED)] for number in range(THRESHOLDS.records - 1)]
    without = _tickets(records, seed).plus(planted, "attacker")
    runs = (_run(corpus, tools, seed) for corpus in (without.plus([_OF_THE_PERSON], "person"), without))
    with_it, without_it = (any(TRIGGER in group.title for group in run.groups) for run in runs)
    return with_it, without_it


def _tickets(records: int, seed: int) -> _Corpus:
    table = generate_tickets(records, seed).records
    return _Corpus(tuple(table["text"].to_pylist()), tuple(table["user_id"].to_pylist()))


def _run(corpus: _Corpus, tools: Tools, seed: int) -> ClioReport:
    return clio(corpus.texts, corpus.users, thresholds=THRESHOLDS, tools=tools, seed=seed)


def leak_of(attack: str, seen: Sequence[tuple[bool, bool]]) -> Leak:
    """Turn what was seen with and without the record into rates and a bound."""
    inside, outside = (sum(side) for side in zip(*seen, strict=True))
    bound = float(epsilon_at_least(inside, outside, len(seen), delta=0.0, failure=FAILURE))
    return Leak(attack, len(seen), inside / len(seen), outside / len(seen), bound)
