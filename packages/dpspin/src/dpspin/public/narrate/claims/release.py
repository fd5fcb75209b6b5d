"""Claims about the release itself, and the fixed public sentences: true by the plan's statement, not by the records."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar, Final

from dpspin.boundary import percentages
from dpspin.boundary.percentages import most_of
from dpspin.boundary.privacy import EVERYONE, MASS, MissingUsers, PoissonSample, Prevalence, RecordUnit, UserUnit
from dpspin.public.narrate.claims.claim import Claim, Problem, broken, is_there
from dpspin.public.narrate.facts import Facts
from dpspin.public.wording.quantities import denominator_words, unit_words

MOST_EPSILON, MOST_DELTA = 20.0, 0.001  # beyond, a text gives the loss and does not call it private


class Saying(StrEnum):
    """The fixed public sentences; their words are forms like any others."""

    PRIVATE = "private"  # what this text is
    SIMULATED = "simulated"
    NOISE = "noise"  # that the values are noisy
    VOICE = "voice"  # what a share of users' masses is
    NOT_A_COUNT = "not_a_count"
    NO_SHARES = "no_shares"  # nothing is known of what they would refer to
    SAMPLE = "sample"  # not everyone was measured
    DROPPED = "dropped"  # what has no user was not measured
    CHOSEN = "chosen"  # how the listed themes were found, where not all were measured
    OMISSION = "omission"  # what it does not mean that a theme is not listed
    NOT_ABSENT = "not_absent"  # what it does not mean that no theme is listed
    NOT_TESTED = "not_tested"  # the map, on these records or on any others
    ABOVE_ALL = "above_all"  # a user counts more than once
    UNREAD = "unread"  # where no share says how much
    UNCOVERED = "uncovered"


OF_BOTH: Final = frozenset(
    (Saying.NOISE, Saying.VOICE, Saying.NOT_A_COUNT, Saying.DROPPED, Saying.NOT_TESTED, Saying.ABOVE_ALL)
)


@dataclass(frozen=True, slots=True)
class PublicSentence(Claim):
    """One of the fixed public sentences."""

    kind: ClassVar[str] = "public_sentence"
    saying: Saying

    @property
    def of_both(self) -> bool:
        """Say of two plans too what is true of whatever was measured in this way."""
        return self.saying in OF_BOTH

    def _law(self, facts: Facts) -> Problem | None:
        applies = _applies(self.saying, facts)
        return broken("unsupported-public-claim", "This is not true of this release.", unless=applies)


def _applies(saying: Saying, facts: Facts) -> bool:
    statement, loss = facts.plan.statement, facts.plan.statement.loss
    of_users = isinstance(statement.unit, UserUnit)
    once = of_users and statement.unit.bound == 1 and _all_are_users(facts) and statement.sampling == EVERYONE
    return {
        Saying.PRIVATE: facts.plan.is_private and loss.epsilon <= MOST_EPSILON and loss.delta <= MOST_DELTA,
        Saying.SIMULATED: not facts.plan.is_private,
        Saying.NOISE: True,
        Saying.VOICE: once and statement.quantity == MASS,
        Saying.NOT_A_COUNT: statement.quantity == MASS,
        Saying.NO_SHARES: not facts.has_shares,
        Saying.DROPPED: isinstance(statement.unit, UserUnit) and statement.unit.missing is MissingUsers.DROP,
        Saying.SAMPLE: isinstance(statement.sampling, PoissonSample),
        Saying.CHOSEN: facts.plan.noisy_sketch is None and 0 < len(facts.listed) < facts.atoms.size,
        Saying.OMISSION: 0 < len(facts.ranked) < facts.atoms.size,
        Saying.NOT_ABSENT: not facts.ranked,
        Saying.NOT_TESTED: facts.read is None and statement.contribution_map.card is None,
        Saying.ABOVE_ALL: facts.has_shares and statement.unit.bound > 1 and most_of(facts.plan) > 1,
        Saying.UNREAD: facts.read is None and is_there(facts.plan.not_read) and not facts.has_shares,
        Saying.UNCOVERED: facts.read is None and is_there(facts.plan.uncovered) and not facts.has_shares,
    }[saying]


def _all_are_users(facts: Facts) -> bool:
    """Tell whether every record counts for a user: where those without an id count alone, a person may count twice."""
    unit = facts.plan.statement.unit
    return isinstance(unit, UserUnit) and unit.missing is not MissingUsers.OWN_UNIT


def _unknown_denominator(facts: Facts) -> Problem | None:
    return broken("unsupported-number", "It is too noisy.", unless=facts.has_shares)


@dataclass(frozen=True, slots=True)
class Denominator(Claim):
    """What shares refer to."""

    kind: ClassVar[str] = "denominator"
    denominator: str | None = None

    def _law(self, facts: Facts) -> Problem | None:
        return _unknown_denominator(facts)

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"denominator": denominator_words(facts.plan)}


@dataclass(frozen=True, slots=True)
class CountsUnits(Claim):
    """What a share is where units are counted, and not their masses."""

    kind: ClassVar[str] = "counts_units"
    found_by: str | None = None
    units: str | None = None
    noticed: Decimal | None = None
    denominator: str | None = None
    most: int | None = None

    def _law(self, facts: Facts) -> Problem | None:
        counted = isinstance(facts.plan.statement.quantity, Prevalence)
        message = "This release counts no units."
        return broken("unsupported-public-claim", message, unless=counted) or _unknown_denominator(facts)

    def _figures(self, facts: Facts) -> dict[str, object]:
        quantity = facts.plan.statement.quantity
        most, noticed = (quantity.most_atoms, quantity.noticed) if isinstance(quantity, Prevalence) else (0, 0.0)
        return {
            "found_by": "map" if facts.read is None else "reader",
            "units": unit_words(facts.plan.statement.unit),
            "noticed": percentages.exact(noticed),
            "denominator": denominator_words(facts.plan),
            "most": min(most, facts.atoms.size),
        }


@dataclass(frozen=True, slots=True)
class PrivacyLossOf(Claim):
    """The privacy loss of the release, and whom it protects; not of a period of a series."""

    kind: ClassVar[str] = "privacy_loss"
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"unit": ("record", "user")}
    unit: str | None = None
    epsilon: Decimal | None = None
    delta: Decimal | None = None

    def _law(self, facts: Facts) -> Problem | None:
        """Ask for a release that is private, and covers each unit whole."""
        covered = isinstance(facts.plan.statement.unit, RecordUnit) or _all_are_users(facts)
        whole = facts.plan.statement.series is None
        in_series = broken("wrong-parameter", "The loss is that of all periods together.", unless=whole)
        return in_series or self._of_a_private_release(facts, covered=covered)

    def _of_a_private_release(self, facts: Facts, *, covered: bool) -> Problem | None:
        private = broken("not-private", "These numbers are simulated and not private.", unless=facts.plan.is_private)
        message = "Who left several records without an id is not fully covered."
        return private or broken("wrong-parameter", message, unless=covered)

    def _figures(self, facts: Facts) -> dict[str, object]:
        loss = facts.plan.statement.loss
        figures = {"epsilon": percentages.upward(loss.epsilon), "delta": percentages.upward(loss.delta)}
        return {"unit": facts.plan.statement.unit.kind, **figures}


@dataclass(frozen=True, slots=True)
class LifetimeLossOf(PrivacyLossOf):
    """The privacy loss of all periods of a series' life together, and whom it protects."""

    kind: ClassVar[str] = "lifetime_loss"

    def _law(self, facts: Facts) -> Problem | None:
        """Ask for a period of a series, whose users are all named."""
        inside = facts.plan.statement.series is not None
        outside = broken("wrong-parameter", "This release belongs to no series.", unless=inside)
        return outside or self._of_a_private_release(facts, covered=True)
