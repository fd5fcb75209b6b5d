"""Plans of one small shop, each with something of its own that a text must get right."""

from collections.abc import Sequence

from dpspin.boundary.atoms import Atom
from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.certify import FixedMargin, SupportBin, three_bins
from dpspin.boundary.denominator import TotalMass, paid_count
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import MissingUsers, PoissonSample, Prevalence, PrivacyLoss, UserUnit
from dpspin.boundary.read_plan import reading_of, reread
from factories import plan_of, universe_of
from report_cards import card_of, identity, well_sorted

SHOP = universe_of(
    [
        Atom(id=1, label="app crashes", parent="software"),
        Atom(id=2, label="lost data", parent="software"),
        Atom(id=3, label="late delivery", parent="shipping", description="It comes late. Nobody can be identified."),
        Atom(id=4, label="slow refund", parent="money", description="It comes late; app crashes are larger."),
        Atom(id=5, label="double charge", parent="money", description="Money is taken twice."),
        Atom(id=6, label="rude driver", parent="shipping"),
        Atom(id=7, label="broken zip", parent="goods"),
    ]
)
BINS = three_bins(0.1, 0.05)
MASSES = [442.0, 300.0, 160.0, 158.0, 90.0, 60.0, -40.0]  # six stand clear of the noise, and there is room for five


def shop(masses: Sequence[float] = MASSES, **changes: object) -> SemanticPlan:
    """Return a plan of the shop whose map makes no mistake on test text, so that it leaves nothing open."""
    return well_sorted(plan_of(SHOP, masses, **{"bins": BINS, "size": 5} | changes), SHOP)


def read_by(plan: SemanticPlan, **changes: object) -> SemanticPlan:
    return reread(plan, SHOP, reading_of(plan).model_copy(update=changes))


def stated(plan: SemanticPlan, **changes: object) -> SemanticPlan:
    return plan.model_copy(update={"statement": plan.statement.model_copy(update=changes)})


def sorted_with(precision: float) -> SemanticPlan:
    card = card_of(identity(8), ids=SHOP.ids, precision=precision)
    return stated(CLEAR, contribution_map=CLEAR.statement.contribution_map.model_copy(update={"card": card}))


CLEAR = shop()
CHOSEN = CLEAR.model_copy(update={"noisy_sketch": None})
UNCLEAR = shop([300.0, 200.0, 3.0, -2.0, -3.0, 1.0, 0.0], size=4, admission="fixed")
DROWNED = shop(epsilon=0.01, admission="fixed")
NOT_READ = shop(not_read=300.0)
FITS_NONE = shop(none=300.0)
ODD = shop(bins=(SupportBin(name="more than 90% of all user", at_least=0.1), SupportBin(name="low", at_least=0)))
RASH = shop(beta=0.2)
FIXED = read_by(CLEAR, margin=FixedMargin(mass=0))
OF_TOTAL = read_by(shop([*MASSES[:5], 74.0, 1.0]), denominator=TotalMass())
ALL_BUT_ALL = read_by(shop([900.0, 2.0, -8.0, -6.0, 0.0, 0.0, 0.0]), denominator=TotalMass())  # more than the total
SIMULATED = stated(CLEAR, randomness="SIMULATED-NOT-PRIVATE")
SAMPLED = stated(CLEAR, sampling=PoissonSample(rate=0.25))
LEADING = shop([442.0, 437.0, 300.0, 200.0, 100.0, 1.0, 0.0])  # a lead of 5, for once
FAINT = shop([41.5, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0], size=2, epsilon=0.1, admission="fixed")
BELOW_ZERO = shop([3.0, -40.0, -45.0, -50.0, -50.0, -50.0, -50.0], size=2, admission="fixed")
USERS = shop(unit=UserUnit(bound=1.0))
SAMPLED_USERS = stated(USERS, sampling=PoissonSample(rate=0.25))
WITHOUT_IDS = shop(unit=UserUnit(bound=1.0, missing=MissingUsers.OWN_UNIT))
DROPPED = shop(unit=UserUnit(bound=1.0, missing=MissingUsers.DROP))
UNTESTED = plan_of(SHOP, MASSES, bins=BINS, size=5)
BADLY_SORTED, WORSE_SORTED = (well_sorted(CLEAR, SHOP, rate) for rate in (0.5, 0.3))
CLOSE = shop([442.0, 441.0, 300.0, 200.0, 100.0, 1.0, 0.0])
LOST_TOTAL = read_by(shop([60.0, -20.0, -20.0, -20.0, 0.0, 0.0, 0.0]), denominator=TotalMass())  # it may be noise alone
LOST_TOTAL_OF_TWO = read_by(shop([60.0, 30.0, -30.0, -30.0, -28.0, 0.0, 0.0]), denominator=TotalMass())
MENTIONED = stated(CLEAR, quantity=Prevalence())
LOST_COUNT = MENTIONED.model_copy(update={"denominator": paid_count(3, MENTIONED.statement.loss, share=0.1, beta=0.05)})
DECIDED = shop([442.0, 300.0, 20.0, 40.0, -25.0, -10.0, 12.0])  # "money" sums up to less than its first theme
UNLIKELY = shop([20.0, 0.0, 10.0, 158.0, -40.0, 5.0, 150.0])  # and here to less than "goods"
NEARLY_SURE = shop([442.0, 300.0, 90.0, 1.0, 0.0, 0.0, -1.0], size=3, epsilon=20.0, beta=1e-15)
A_LITTLE_OVER = stated(CLEAR, loss=PrivacyLoss(1.00000000004))
SURVEY = baseline_of(SHOP, {1: 20, 2: 30, 3: 20, 4: 10, 5: 10, 6: 5, 7: 5}, source="a survey")
SURVEY_WITH_NONE = baseline_of(SHOP, {1: 1, 2: 30, 3: 20, 4: 10, 5: 10, 6: 5, 7: 5}, 120, source="a survey")
COVERED = shop(none=6000.0, denominator=8000)
BESIDE_A_SURVEY, BESIDE_NONE = (read_by(COVERED, baseline=baseline) for baseline in (SURVEY, SURVEY_WITH_NONE))
