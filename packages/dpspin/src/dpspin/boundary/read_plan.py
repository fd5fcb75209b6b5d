"""How noisy numbers are read: plan size, admission, bins, certificates, denominator, title. Free to change afterwards.

Everything here is post-processing of released numbers. The curator uses it once after the noise is drawn; anyone may
use it again on a plan that was released, at no cost to privacy.
"""

from typing import Literal

from pydantic import Field

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.baseline import Baseline, require_fitting_baseline
from dpspin.boundary.certify import (
    Admission,
    CertifiedMargins,
    Margin,
    ReadingRules,
    SupportBin,
    even_share_bins,
    require_fitting_size,
)
from dpspin.boundary.denominator import (
    AnyChoice,
    AnyDenominator,
    CountShare,
    DenominatorChoice,
    FreeTotal,
    PaidCount,
    PublicNumber,
    TotalMass,
    certificates_beside,
    free_total,
    paid_count,
    require_fitting_denominator,
)
from dpspin.boundary.model_base import FrozenModel, explained_as
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import (
    GROUNDED_SCHEMA,
    NEWEST_SCHEMA,
    NOTHING_DECLARED,
    SCHEMA,
    VIEWED_SCHEMA,
    About,
    DictionaryRef,
    NotRead,
    Uncovered,
)
from dpspin.boundary.postprocess import (
    NoisyMasses,
    admitted_positions,
    denoised_of,
    entries_of,
    grounded_of,
    noisy_sketch_of,
    quantified_of,
    read_mass,
    released_in,
)
from dpspin.boundary.privacy import EVERYONE, MASS, largest_share
from dpspin.boundary.statement import PrivacyStatement
from dpspin.boundary.view_sizes import Sizes, fitted_sizes
from dpspin.boundary.views import views_by_text
from dpspin.errors import DictionaryError, RequestError


class ReaderChoices(FrozenModel):
    """The public choices of a reader; None means the default that fits the release."""

    denominator: DenominatorChoice  # a number is short for PublicNumber
    size: int = Field(10, ge=1)
    admission: Admission | None = None  # None: fixed where the mechanism selects, threshold otherwise
    beta: float = Field(0.05, ge=1e-12, lt=0.5)
    margin: Margin = CertifiedMargins()
    bins: tuple[SupportBin, ...] | None = None  # None: by the even share of the dictionary
    title: str = ""
    about: About = NOTHING_DECLARED
    baseline: Baseline | None = None  # public shares to read the release beside
    sizes: Sizes = ()  # declared for the values of views


def rules_of(statement: PrivacyStatement, reading: ReaderChoices, atoms: int) -> ReadingRules:
    """Return the rules a plan states; refuse choices that do not fit the mechanism or the dictionary."""
    require_fitting_size(reading.size, atoms)
    require_fitting_denominator(reading.denominator, statement)
    fitted_sizes(reading.sizes, statement.views)
    if reading.baseline is not None and not (statement.quantity == MASS and statement.sampling == EVERYONE):
        raise RequestError("a baseline is of masses, and of everyone: leave it out with prevalence or a random sample")
    selects = statement.mechanism.selects
    if selects and reading.admission == "threshold":
        raise RequestError(
            f"{statement.mechanism.kind} admits exactly L atoms by its own selection; a threshold does not apply"
        )
    with explained_as(RequestError, "the request"):
        return ReadingRules(
            size=reading.size,
            admission=reading.admission or ("fixed" if selects else "threshold"),
            beta=reading.beta,
            bins=reading.bins or even_share_bins(atoms, _largest_part(statement)),
            margin=reading.margin,
            certificates=certificates_beside(
                reading.denominator, statement, atoms=atoms, size=reading.size, beta=reading.beta
            ),
        )


def _largest_part(statement: PrivacyStatement) -> float:
    """Return the most that one unit adds to what shares refer to; a period's refer to its own total mass."""
    return 1.0 if statement.series is not None else largest_share(statement.quantity, statement.unit)


def read_noise(
    noisy: NoisyMasses,
    statement: PrivacyStatement,
    universe: AtomUniverse,
    reading: ReaderChoices,
    *,
    software: str,
) -> SemanticPlan:
    """Dress noisy masses as a plan (the last lines of Algorithm 2).

    Every part was checked when it was made, and follows from the masses by the functions that a check would repeat. So
    the plan is checked where it comes from outside: in ``SemanticPlan.from_json``, through which a release goes too.
    """
    rules = rules_of(statement, reading, universe.size)
    require_fitting_baseline(reading.baseline, universe, answers_none=statement.contribution_map.answers_none)
    card = statement.contribution_map.card
    if card is not None and [atom.atom_id for atom in card.atoms] != list(universe.ids):
        raise DictionaryError("the map's report card is of another dictionary; fit the map again")
    if noisy.positions is None:
        chosen = [(place, noisy.masses[place]) for place in admitted_positions(noisy.masses, rules)]
    else:
        chosen = list(zip(noisy.positions, noisy.masses, strict=True))
    denominator = _denominator(noisy, statement, reading)
    names = [(atom.id, atom.label) for atom in universe.atoms]
    return SemanticPlan.model_construct(
        schema_version=_schema_of(noisy, statement, reading),
        title=reading.title,
        about=reading.about,
        software=software,
        dictionary=DictionaryRef(
            name=universe.name, version=universe.version, digest=universe.digest, size=universe.size
        ),
        denominator=denominator,
        statement=statement,
        rules=rules,
        not_read=None if noisy.not_read is None else NotRead(**read_mass(noisy.not_read, denominator, rules)),
        uncovered=None if noisy.none is None else Uncovered(**read_mass(noisy.none, denominator, rules)),
        entries=entries_of(chosen, universe, denominator, rules),
        noisy_sketch=noisy_sketch_of(universe, noisy.masses) if noisy.positions is None else None,
        quantified=quantified_of(noisy, statement, rules),
        baseline=reading.baseline,
        denoised=denoised_of(noisy, statement, rules, reading.baseline, [label for _, label in names]),
        grounded=grounded_of(noisy, statement, rules, denominator, names),
        views=noisy.views,
        sizes=fitted_sizes(reading.sizes, statement.views),
        series=noisy.series,
    )


def _schema_of(noisy: NoisyMasses, statement: PrivacyStatement, reading: ReaderChoices) -> Literal["3", "4", "5", "6"]:
    """Return the first version of the format that knows all that the plan holds."""
    if noisy.series is not None or (noisy.views and reading.sizes) or views_by_text(statement.views):
        return NEWEST_SCHEMA
    return VIEWED_SCHEMA if noisy.views else SCHEMA if noisy.readings is None else GROUNDED_SCHEMA


def _denominator(noisy: NoisyMasses, statement: PrivacyStatement, reading: ReaderChoices) -> AnyDenominator:
    match reading.denominator:
        case PublicNumber() as number:
            return number
        case TotalMass():
            return free_total(noisy.with_besides, statement.noise, reading.beta)
        case CountShare(share=share):
            if noisy.count is None:
                raise RequestError("no count was bought with this release; a count needs another one")
            return paid_count(noisy.count, statement.loss_of_sketch, share, reading.beta)


def reading_of(plan: SemanticPlan) -> ReaderChoices:
    """Return the reading that gives this very plan again; change a part of it to read the plan in another way."""
    match plan.denominator:
        case PublicNumber() as number:
            choice: AnyChoice = number
        case PaidCount(share=share):
            choice = CountShare(share=share)
        case FreeTotal():
            choice = TotalMass()
    return ReaderChoices(
        denominator=choice,
        size=plan.rules.size,
        admission=plan.rules.admission,
        beta=plan.rules.beta,
        margin=plan.rules.margin,
        bins=plan.rules.bins,
        title=plan.title,
        about=plan.about,
        baseline=plan.baseline,
        sizes=plan.sizes,
    )


def reread(plan: SemanticPlan, universe: AtomUniverse, reading: ReaderChoices) -> SemanticPlan:
    """Read the numbers of a released plan in another way; the same reading gives the same plan."""
    if plan.dictionary.digest != universe.digest:
        raise DictionaryError("this is not the dictionary the plan was made with")
    if plan.noisy_sketch is None and reading.size != plan.rules.size:
        raise RequestError("the themes were chosen for one plan size; another size needs another release")
    _require_same_payment(plan, reading)
    again = read_noise(released_in(plan, universe.ids), plan.statement, universe, reading, software=plan.software)
    kept = {} if again.views else {"schema_version": plan.schema_version}  # an old plan stays one
    return again.model_copy(update={"account": plan.account, **kept})


def _require_same_payment(plan: SemanticPlan, reading: ReaderChoices) -> None:
    """Refuse to forget a count that was paid for, or to split epsilon in another way afterwards."""
    paid = plan.denominator.share if isinstance(plan.denominator, PaidCount) else None
    asked = reading.denominator.share if isinstance(reading.denominator, CountShare) else None
    if asked != paid:
        raise RequestError("a count is bought with the release itself: this denominator needs another release")
