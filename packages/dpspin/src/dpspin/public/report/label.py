"""The privacy label: what the release promises, to whom, in words a reader can check against the plan's statement."""

from collections.abc import Callable
from typing import assert_never

from dpspin.boundary.accounting import AccountStatement
from dpspin.boundary.calibration import loss_on_sample, rate_of
from dpspin.boundary.denominator import Denominator
from dpspin.boundary.grounding import loss_of_reading
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import Uncovered
from dpspin.boundary.privacy import (
    TICKS_PER_MASS,
    Adjacency,
    Prevalence,
    PrivacyLoss,
    Randomness,
    RecordUnit,
    UserUnit,
    sensitivity_of,
)
from dpspin.boundary.statement import PrivacyStatement, Separation
from dpspin.public.narrate.claims.beside_baseline import told_apart
from dpspin.public.wording.numbers import UNKNOWN, plain, plain_up, points
from dpspin.public.wording.of_a_series import what_is_read
from dpspin.public.wording.promise import (
    dictionary_text_words,
    even_guess_becomes,
    maker_words,
    map_text_words,
    odds_sentence,
    promises,
    reading_words,
)
from dpspin.public.wording.quantities import (
    BESIDES,
    Amount,
    count_words,
    denominator_explained,
    denominator_words,
    mechanism_words,
    protected_words,
    quantity_words,
    sampling_words,
)

NOT_PRIVATE = (
    "NOT PRIVATE. The noise of this plan was simulated from a seed, so it protects nobody. "
    "Use it for experiments on public data only, and never publish it for private records."
)


class ValueLabel(FrozenModel):
    """A value beside the themes, as in the plan; its supports are null where what they refer to is unknown."""

    noisy_mass: float
    mass: float
    support: float | None
    low: float
    high: float
    support_low: float | None
    support_high: float | None


class BaselineLabel(FrozenModel):
    """The public baseline: where it comes from, how many themes differ from it beyond the noise, and that in words.

    ``themes_that_differ`` is null where the mechanism releases no total.
    """

    source: str
    themes_that_differ: int | None
    words: str


class ReadingLabel(FrozenModel):
    """The second payment: what was bought by reading a sample, for how much of epsilon, and that in words."""

    rate: float
    reader: str
    epsilon_of_sketch: float
    epsilon_of_reading: float
    epsilon_on_sample: float
    words: str


class PrivacyLabel(FrozenModel):
    """The label as data: every field follows from the plan. ``even_guess_becomes`` is null for simulations.

    ``not_read`` and ``uncovered`` come first, because the themes speak of the rest; null where not measured.
    """

    not_read: ValueLabel | None
    uncovered: ValueLabel | None
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
    reading: ReadingLabel | None
    one_unit_changes: Amount
    one_unit_changes_per_theme: Amount
    noise_std: Amount
    denominator: Denominator
    denominator_words: str
    baseline: BaselineLabel | None
    map_name: str
    map_fitted_on: str
    map_trusts: str
    map_made_by: str
    map_precision: float | None
    map_recall: float | None
    separation: Separation
    map_text_words: str
    dictionary_text_words: str
    themes_per_record: int | None
    account: AccountStatement | None
    sentences: tuple[str, ...]


def privacy_label(plan: SemanticPlan) -> PrivacyLabel:
    """Say in plain words what the plan's statement promises, or warn that it promises nothing."""
    statement = plan.statement
    card = statement.contribution_map.card
    sensitivity = sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
    one = TICKS_PER_MASS * rate_of(statement.sampling)  # the values of a sample are scaled up
    total = amount(sensitivity.l1 / one, plan)
    noise_std = amount(statement.noise.std, plan)
    return PrivacyLabel(
        not_read=_value(plan.not_read, plan),
        uncovered=_value(plan.uncovered, plan),
        private=plan.is_private,
        headline=_headline(statement) if plan.is_private else NOT_PRIVATE,
        unit=protected_words(statement.unit),
        adjacency=_adjacency_words(statement.unit, statement.adjacency),
        epsilon=statement.loss.epsilon,
        delta=statement.loss.delta,
        even_guess_becomes=even_guess_becomes(statement.loss) if plan.is_private else None,
        mechanism=mechanism_words(statement.mechanism, plan.rules.size, statement.contribution_map.besides)
        + count_words(plan),
        randomness=_randomness_words(statement.randomness),
        quantity=quantity_words(statement.quantity, statement.unit),
        sampling=sampling_words(statement.sampling, statement.unit),
        reading=reading_label(plan),
        one_unit_changes=total,
        one_unit_changes_per_theme=amount(sensitivity.coordinate / one, plan),
        noise_std=noise_std,
        denominator=plan.denominator,
        denominator_words=denominator_words(plan) if plan.has_shares else UNKNOWN,
        baseline=_baseline(plan, plan.baseline.source) if plan.baseline else None,
        map_name=statement.contribution_map.name,
        map_fitted_on=statement.contribution_map.fitted_on,
        map_trusts=statement.contribution_map.trusts,
        map_made_by=maker_words(statement.contribution_map),
        map_precision=card.precision if card else None,
        map_recall=card.recall if card else None,
        separation=statement.separation,
        map_text_words=map_text_words(statement),
        dictionary_text_words=dictionary_text_words(statement),
        themes_per_record=statement.contribution_map.atoms_per_record,
        account=plan.account,
        sentences=(*(promises(plan) if plan.is_private else ()), *_facts(plan, total, noise_std)),
    )


def _headline(statement: PrivacyStatement) -> str:
    return odds_sentence(statement.unit, statement.adjacency, statement.loss, what_is_read(statement))


def _value(value: Uncovered | None, plan: SemanticPlan) -> ValueLabel | None:
    unknown = {} if plan.has_shares else dict.fromkeys(("support", "support_low", "support_high"))
    return None if value is None else ValueLabel.model_validate(value.model_dump() | unknown)


def _baseline(plan: SemanticPlan, source: str) -> BaselineLabel:
    told, _ = told_apart(plan) or (None, None)
    return BaselineLabel(source=source, themes_that_differ=told, words=baseline_sentence(plan))


def baseline_sentence(plan: SemanticPlan) -> str:
    """Say how many themes the noise lets one tell apart from the baseline; nothing, where they were not compared."""
    counted = told_apart(plan)
    if counted is None:
        return ""
    told, size = counted
    of = f"Of the {size:,} {'theme' if size == 1 else 'themes'} in the public dictionary"
    who = f"{told:,} {'is' if told == 1 else 'are'}" if told else "none is"
    so = "" if told else ", so this release shows no more than the public baseline"
    return f"{of}, {who} told apart from the public baseline under the noise{so}."


def reading_label(plan: SemanticPlan) -> ReadingLabel | None:
    """State the payment for a sample that was read; nothing where none was."""
    statement, grounding = plan.statement, plan.statement.grounding
    if grounding is None:
        return None
    sensitivity = sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
    paid = loss_of_reading(statement.loss, grounding)
    return ReadingLabel(
        rate=grounding.rate,
        reader=grounding.reader,
        epsilon_of_sketch=statement.loss_of_sketch.epsilon,
        epsilon_of_reading=paid,
        epsilon_on_sample=loss_on_sample(PrivacyLoss(paid), grounding.sampling, sensitivity).epsilon,
        words=reading_words(statement),
    )


def label_json(plan: SemanticPlan) -> str:
    """Return the text of ``label.json``; equal plans give equal text."""
    return privacy_label(plan).model_dump_json(indent=2) + "\n"


def amount(mass: float, plan: SemanticPlan) -> Amount:
    """Give a mass its points of the denominator, if that is known."""
    return Amount(mass=mass, points=100 * mass / plan.denominator.value if plan.has_shares else None)


def _adjacency_words(unit: RecordUnit | UserUnit, adjacency: Adjacency) -> str:
    one = f"one {unit.kind}"
    match adjacency:
        case Adjacency.ADD_DROP:
            return f"the collection with and without {one}: presence itself is protected"
        case Adjacency.REPLACE:
            return f"the collection with {one} exchanged for any other: the number of {unit.kind}s is not hidden"
        case _:
            assert_never(adjacency)


def _randomness_words(randomness: Randomness) -> str:
    match randomness:
        case "os-csprng":
            return "the operating system's secure generator; no seed exists"
        case "SIMULATED-NOT-PRIVATE":
            return "simulated from a seed: not private"
        case _:
            assert_never(randomness)


def _facts(plan: SemanticPlan, total: Amount, noise_std: Amount) -> tuple[str, ...]:
    kind = plan.statement.unit.kind
    what = "a count" if isinstance(plan.statement.quantity, Prevalence) else "a mass"
    change = f"{what} of at most {_with_points(total, plain_up)}"
    everything = f"all themes{BESIDES[plan.statement.contribution_map.besides].replace('on ', '')}"
    where = "" if plan.statement.series is None else ", in all periods of this life of the series,"
    return (
        f"Before the noise, one {kind} changes {everything}{where} together by {change}.",
        f"The noise on each value has a standard deviation of {_with_points(noise_std, plain)}.",
        denominator_explained(plan),
    )


def _with_points(it: Amount, write: Callable[[float], str]) -> str:
    """Write an amount, and how much of the denominator that is where this is known."""
    part = "" if it.points is None else f", that is {points(it.points / 100, write)} of the denominator"
    return f"{write(it.mass)}{part}"
