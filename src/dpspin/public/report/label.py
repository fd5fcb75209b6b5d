"""The privacy label: what the release promises, to whom, in words a reader can check against the plan's statement.

Readers understand odds better than epsilon, so the headline is an odds sentence. For an epsilon guarantee no output
moves the odds between two neighbouring datasets by more than a factor e^eps; an even guess therefore ends at
e^eps/(1 + e^eps) at most. With a delta the odds themselves have no such limit: a rare output may say more, and more
often than with probability delta. What holds then is a limit on how often any guess is right:
(e^eps + delta)/(1 + e^eps).
"""

import math
from typing import assert_never

from dpspin.boundary.calibration import rate_of, sensitivity_of
from dpspin.boundary.plan import SemanticPlan, Uncovered
from dpspin.boundary.privacy import (
    TICKS_PER_MASS,
    Accounting,
    Adjacency,
    AnyMechanism,
    AnyQuantity,
    Gaussian,
    Laplace,
    MissingUsers,
    Prevalence,
    PrivacyLoss,
    PrivateTopL,
    Randomness,
    RecordUnit,
    SetSelection,
    UserUnit,
)
from dpspin.boundary.sealed import Sealed
from dpspin.public.report.measured import quantity_words, sampling_words
from dpspin.public.report.numbers import out_of, plain, plain_up, small
from dpspin.public.report.scale import scale_of

WEAK = 0.95  # an even guess that may end above this is called weakly protected
LARGEST_EXPONENT = 700.0  # e^709 is the end of the floats

NOT_PRIVATE = (
    "NOT PRIVATE. The noise of this plan was simulated from a seed, so it protects nobody. "
    "Use it for experiments on public data only, and never publish it for private records."
)


class Amount(Sealed):
    """A quantity of mass, and the same in percentage points of the public denominator."""

    mass: float
    points: float


class PrivacyLabel(Sealed):
    """The label as data: every field follows from the plan. ``even_guess_becomes`` is null for simulations.

    ``uncovered`` comes first, because the themes speak of the rest; it is null where the map does not answer it.
    """

    uncovered: Uncovered | None
    private: bool
    headline: str
    unit: str
    adjacency: str
    epsilon: float
    delta: float
    even_guess_becomes: float | None
    mechanism: str
    randomness: str
    quantity: str
    sampling: str
    one_unit_changes: Amount
    one_unit_changes_per_theme: Amount
    noise_std: Amount
    map_name: str
    map_fitted_on: str
    map_trusts: str
    map_precision: float | None
    map_recall: float | None
    themes_per_record: int | None
    sentences: tuple[str, ...]


def privacy_label(plan: SemanticPlan) -> PrivacyLabel:
    """Say in plain words what the plan's statement promises, or warn that it promises nothing."""
    statement = plan.statement
    card = statement.contribution_map.card
    sensitivity = sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
    one = TICKS_PER_MASS * rate_of(statement.sampling)  # the values of a sample are scaled up
    total = amount(sensitivity.l1 / one, plan.denominator)
    noise_std = amount(statement.noise.std, plan.denominator)
    return PrivacyLabel(
        uncovered=plan.uncovered,
        private=plan.is_private,
        headline=_odds_sentence(statement.unit, statement.adjacency, statement.loss)
        if plan.is_private
        else NOT_PRIVATE,
        unit=unit_words(statement.unit),
        adjacency=_adjacency_words(statement.unit, statement.adjacency),
        epsilon=statement.loss.epsilon,
        delta=statement.loss.delta,
        even_guess_becomes=even_guess_becomes(statement.loss) if plan.is_private else None,
        mechanism=mechanism_words(statement.mechanism, plan.rules.size, answers_none=plan.uncovered is not None),
        randomness=_randomness_words(statement.randomness),
        quantity=quantity_words(statement.quantity, statement.unit),
        sampling=sampling_words(statement.sampling, statement.unit),
        one_unit_changes=total,
        one_unit_changes_per_theme=amount(sensitivity.coordinate / one, plan.denominator),
        noise_std=noise_std,
        map_name=statement.contribution_map.name,
        map_fitted_on=statement.contribution_map.fitted_on,
        map_trusts=statement.contribution_map.trusts,
        map_precision=card.precision if card else None,
        map_recall=card.recall if card else None,
        themes_per_record=statement.contribution_map.atoms_per_record,
        sentences=(*(_promises(plan) if plan.is_private else ()), *_facts(plan, total, noise_std)),
    )


def label_json(plan: SemanticPlan) -> str:
    """Return the text of ``label.json``; equal plans give equal text."""
    return privacy_label(plan).model_dump_json(indent=2) + "\n"


def amount(mass: float, denominator: int) -> Amount:
    """Give a mass its points of the denominator."""
    return Amount(mass=mass, points=100 * mass / denominator)


def even_guess_becomes(loss: PrivacyLoss) -> float:
    """Return (e^eps + delta)/(1 + e^eps): how often the best guess between two even cases can be right.

    >>> round(even_guess_becomes(PrivacyLoss(1.0)), 3)
    0.731
    """
    return (1 + loss.delta * math.exp(-loss.epsilon)) / (1 + math.exp(-loss.epsilon))


def unit_words(unit: RecordUnit | UserUnit) -> str:
    """Name what is protected."""
    match unit:
        case RecordUnit():
            return "any one record; a person who wrote several records is not fully covered"
        case UserUnit():
            return "any one user, with all of their records"
        case _:
            assert_never(unit)


def _adjacency_words(unit: RecordUnit | UserUnit, adjacency: Adjacency) -> str:
    one = f"one {unit.kind}"
    match adjacency:
        case Adjacency.ADD_DROP:
            return f"the collection with and without {one}: presence itself is protected"
        case Adjacency.REPLACE:
            return f"the collection with {one} exchanged for any other: the number of {unit.kind}s is not hidden"
        case _:
            assert_never(adjacency)


def mechanism_words(mechanism: AnyMechanism, size: int, *, answers_none: bool = False) -> str:
    """Say what was done to the exact sums."""
    none = " and on “none of these”" if answers_none else ""
    match mechanism:
        case Laplace():
            return f"discrete Laplace noise on every theme of the dictionary{none}"
        case Gaussian():
            return f"discrete Gaussian noise on every theme of the dictionary{none}"
        case PrivateTopL():
            share = plain(100 * mechanism.value_fraction)
            exponent = " with monotone scores" if mechanism.monotone else ""
            budget = "epsilon" if mechanism.accounting is Accounting.BASIC else "the joint zCDP budget"
            return (
                f"a private choice of {size} themes by the exponential mechanism{exponent}, then discrete Gaussian "
                f"noise on their values{none}; the values take {share}% of {budget}"
            )
        case SetSelection():
            share = plain(100 * mechanism.value_fraction)
            return (
                f"a private choice of {size} themes by one exponential mechanism over all sets of {size}, then "
                f"discrete Laplace noise on their values{none}; the values take {share}% of epsilon"
            )
        case _:
            assert_never(mechanism)


def _randomness_words(randomness: Randomness) -> str:
    match randomness:
        case "os-csprng":
            return "the operating system's secure generator; no seed exists"
        case "SIMULATED-NOT-PRIVATE":
            return "simulated from a seed: not private"
        case _:
            assert_never(randomness)


def _odds_sentence(unit: RecordUnit | UserUnit, adjacency: Adjacency, loss: PrivacyLoss) -> str:
    limit = out_of(even_guess_becomes(loss))
    if loss.delta:
        return (
            f"{_even_case(unit, adjacency)} With all of this report, no guess is right in more than {limit} such cases."
        )
    return f"{_even_case(unit, adjacency)} After reading everything in this report, that becomes at most {limit}."


def _even_case(unit: RecordUnit | UserUnit, adjacency: Adjacency) -> str:
    whole = "record" if isinstance(unit, RecordUnit) else "user, with all of their records,"
    match adjacency:
        case Adjacency.ADD_DROP:
            return f"Suppose someone is 50 of 100 sure that a given {whole} is in the collection."
        case Adjacency.REPLACE:
            pair = "records" if isinstance(unit, RecordUnit) else "users, each with all of their records,"
            return f"Suppose someone knows that one of two given {pair} was used, and is 50 of 100 sure which."
        case _:
            assert_never(adjacency)


def _promises(plan: SemanticPlan) -> tuple[str, ...]:
    unit, loss = plan.statement.unit, plan.statement.loss
    factor = plain_up(math.exp(min(loss.epsilon, LARGEST_EXPONENT)))
    odds = (f"Whatever the odds were before, they change by a factor of at most {factor}.",) if not loss.delta else ()
    weak = ("At this epsilon the limit is weak.",) if even_guess_becomes(loss) > WEAK else ()
    trusts = plan.statement.contribution_map.trusts
    return (
        *odds,
        *weak,
        _coverage(unit, plan.statement.quantity),
        *_allowance(unit, loss),
        *((trusts,) if trusts else ()),
    )


def _allowance(unit: RecordUnit | UserUnit, loss: PrivacyLoss) -> tuple[str, ...]:
    """Say what delta is; it is not the probability that the promise fails."""
    if not loss.delta:
        return ()
    allowance = f"Delta, here {small(loss.delta)}, is a small allowance added to every probability in the guarantee"
    return (f"{allowance}; it should be far below one over the number of {unit.kind}s.",)


def _coverage(unit: RecordUnit | UserUnit, quantity: AnyQuantity) -> str:
    match unit:
        case RecordUnit():
            return (
                "The promise is for any one record. A person who wrote several records is not fully covered: "
                "for two records together epsilon counts twice, for three it counts three times."
            )
        case UserUnit():
            return (
                f"The promise is for any one user, with all of their records. {_limit(unit, quantity)}"
                f"{_without_id(unit.missing)}"
            )
        case _:
            assert_never(unit)


def _limit(unit: UserUnit, quantity: AnyQuantity) -> str:
    if isinstance(quantity, Prevalence):
        return f"Together these count for at most {quantity.most_atoms} themes, once for each."
    return f"Together these count for a mass of at most {plain_up(unit.bound)}; what goes beyond it is scaled down."


def _without_id(missing: MissingUsers) -> str:
    match missing:
        case MissingUsers.REFUSE:
            return ""
        case MissingUsers.DROP:
            return " Records without a user id were left out."
        case MissingUsers.OWN_UNIT:
            return " Records without a user id are protected one by one: who left several of them is not fully covered."
        case _:
            assert_never(missing)


def _facts(plan: SemanticPlan, total: Amount, noise_std: Amount) -> tuple[str, ...]:
    kind = plan.statement.unit.kind
    scale = scale_of(plan)
    what = "a count" if isinstance(plan.statement.quantity, Prevalence) else "a mass"
    change = f"{what} of at most {plain_up(total.mass)}, that is {scale.difference(total.points / 100, plain_up)}"
    spread = f"{plain(noise_std.mass)}, that is {scale.difference(noise_std.points / 100)}"
    everything = "all themes and “none of these”" if plan.uncovered else "all themes"
    return (
        f"Before the noise, one {kind} changes {everything} together by {change} of the denominator.",
        f"The noise on each value has a standard deviation of {spread} of support.",
    )
