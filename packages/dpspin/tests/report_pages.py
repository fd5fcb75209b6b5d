"""Whole pages for the tests in a browser: each is what ``dpspin report`` makes of one kind of plan."""

from collections.abc import Sequence
from functools import cache
from itertools import zip_longest

from dpspin.boundary.accounting import AccountStatement, EpsilonBalance
from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.certify import FixedMargin
from dpspin.boundary.denominator import TotalMass
from dpspin.boundary.grounding import Grounding
from dpspin.boundary.mechanisms import AnyMechanism, Laplace, PrivateTopL, noise_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import About
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.privacy import MASS, Adjacency, AnyQuantity, Prevalence, PrivacyLoss, UserUnit, sensitivity_of
from dpspin.boundary.read_plan import ReaderChoices, read_noise
from dpspin.boundary.statement import NO_TEXTS, MapStatement, PrivacyStatement
from dpspin.public.atoms.packs import load
from dpspin.public.compare.compare import compare
from dpspin.public.narrate.facts import Facts
from dpspin.public.phrases.publish import phrases_page
from dpspin.public.report.finding import ReportSentence
from dpspin.public.report.folder import report
from dpspin.public.report.page import render_report
from dpspin.public.series.picture import Picture
from dpspin.public.series.series import Series
from factories import universe_of
from grounded_plans import grounded
from phrase_records import release as release_of_phrases
from report_cards import card_of, leaning
from series_plans import MONTHS, WEEKS, PeriodFacet, facts_of, series_of, terms_of
from shop_plans import SHOP
from viewed_plans import BY_CHANNEL, BY_MONTH, BY_YEAR

DENOMINATOR = 10_000
TICKETS = load("support-tickets")
ABOUT = About(period="March 2026", source="tickets of the web form", owner="Customer care", date="2026-04-02")
ACCOUNT = AccountStatement(
    balances=(EpsilonBalance(scope="dataset", spent_epsilon=1.0, spent_delta=0, cap_epsilon=4.0, cap_delta=0),),
    head="0f" * 32,
    user_column="user_id",
)
MARKUP = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"  # no name may hold it, other words may
HOSTILE = universe_of(
    [
        Atom(id=1, label="W" * 300, parent="A" * 200, description="D" * 400),
        Atom(id=2, label="شكاوى حول التأخير في التسليم والدفع", parent="שירות לקוחות", description="وصف قصير."),
        Atom(id=3, label="family & friends", parent="(*&#%$€)" * 10, description="👩‍👩‍👧‍👦🚀 family & 🧨" + "🎉" * 40),
        Atom(id=4, label="&lt;script&gt; alert(1)", parent="bold &amp; b", description=MARKUP),
        Atom(id=5, label="body:display=none", parent="שירות לקוחות", description="'><style>body{display:none}</style>"),
        Atom(id=6, label="一" * 120, parent="A" * 200),
        Atom(id=7, label="https://example.org/" + "path/" * 40, parent="bold &amp; b"),
        Atom(id=8, label="small", parent="A" * 200),
    ],
    name="N" * 150,
)
SIXTY = universe_of([Atom(id=i, label=f"theme number {i}", parent=f"area {i % 12}") for i in range(60)])
NO_AREAS = universe_of([atom.model_copy(update={"parent": None}) for atom in TICKETS.atoms], name="flat tickets")


def falling(count: int, first: float = 560.0, ratio: float = 0.93) -> list[float]:
    """Return masses that fall steadily, spread over the dictionary."""
    ranks = [place * 17 % count for place in range(count)]  # 17 has no factor in common with the sizes used here
    return [first * ratio**rank for rank in ranks]


def _statement(
    universe: AtomUniverse, size: int, mechanism: AnyMechanism, quantity: AnyQuantity, *, card: bool, languages: bool
) -> PrivacyStatement:
    loss = PrivacyLoss(1.0, 1e-6 if isinstance(mechanism, PrivateTopL) else 0.0)
    sensitivity = sensitivity_of(UserUnit(bound=1.0), Adjacency.ADD_DROP, quantity)
    shape = {"atoms": universe.size, "size": size, "besides": 1 + languages}
    return PrivacyStatement(
        unit=UserUnit(bound=1.0),
        adjacency=Adjacency.ADD_DROP,
        loss=loss,
        mechanism=mechanism,
        noise=noise_of(mechanism, loss, sensitivity, **shape),
        randomness="os-csprng",
        separation=NO_TEXTS,
        contribution_map=MapStatement(
            name="calibrated",
            fitted_on="the examples of the dictionary",
            atoms_per_record=3,
            digest="sha256:0",
            answers_none=True,
            languages=("en",) if languages else (),
            card=card_of(leaning(universe.size + 1), ids=universe.ids) if card else None,
        ),
        quantity=quantity,
    )


def _plan(
    universe: AtomUniverse,
    masses: Sequence[float],
    *,
    mechanism: AnyMechanism | None = None,
    quantity: AnyQuantity = MASS,
    card: bool = False,
    randomness: str = "os-csprng",
    not_read: float | None = None,
    account: AccountStatement | None = None,
    **reading: object,
) -> SemanticPlan:
    chosen = ReaderChoices(**{"denominator": DENOMINATOR, "title": "Support tickets of spring", **reading})
    languages = not_read is not None
    statement = _statement(universe, chosen.size, mechanism or Laplace(), quantity, card=card, languages=languages)
    noisy = NoisyMasses(masses, 1210.5, not_read=not_read)
    if isinstance(mechanism, PrivateTopL):
        noisy = NoisyMasses(masses[: chosen.size], 1210.5, not_read=not_read, positions=range(chosen.size))
    plan = read_noise(noisy, statement, universe, chosen, software="dpspin test")
    stated = plan.statement.model_copy(update={"randomness": randomness})
    return plan.model_copy(update={"statement": stated, "account": account})


def _page(universe: AtomUniverse, masses: Sequence[float], **options: object) -> str:
    return report(_plan(universe, masses, **options), universe)


def _page_as_read(universe: AtomUniverse, masses: Sequence[float], *, off: float, **options: object) -> str:
    """Return a page of a plan for which a sample was read: the reader files every second theme's part elsewhere."""
    plan = _plan(universe, masses, **options)
    filed = [*masses, 1210.5, *([310.2] if plan.not_read else [])]
    truth = [max(0.0, mass) * (1 + off * (-1) ** place) for place, mass in enumerate(filed)]
    read = Grounding(rate=0.03, share=0.5, reader="two people of the care team")
    return report(grounded(plan, universe, truth, grounding=read, randomness="os-csprng"), universe)


def _page_of_our_sentences() -> str:
    """Return a page with a sentence on every kind of row: a listed one, one that is folded away, and what fits none."""
    plan = _plan(TICKETS, falling(54), not_read=310.2)
    listed = int(plan.entries[0].atom_id)
    folded = next(atom for atom in TICKETS.ids if atom not in {entry.atom_id for entry in plan.entries})
    sentences = [
        ReportSentence("A sentence on a listed theme and on one that is not.", (listed, int(folded)), verified=True),
        ReportSentence("A sentence on what fits none.", (), verified=True, none=True),
        ReportSentence("A sentence on “שירות לקוחות” (6.1%) and more.", (), verified=True),
        ReportSentence("A sentence that is withheld.", (listed,), verified=False),
    ]
    return render_report(Facts(plan, TICKETS), sentences)


def _page_of_change(universe: AtomUniverse, masses: Sequence[float], *, by: Sequence[float], **options: object) -> str:
    """Return the page of a comparison with another release, in which the first themes have so much more."""
    later = [mass + step for mass, step in zip_longest(masses, by[: len(masses)], fillvalue=0.5)]
    one, other = (_plan(universe, values, **options) for values in (masses, later))
    return compare(one, other, universe).to_html()


def _page_of_series(
    universe: AtomUniverse,
    masses: Sequence[float],
    every: PeriodFacet,
    *,
    by: dict[int, tuple[int, float]],
    **more: object,
) -> str:
    """Return the page of a series in which some themes have so much more from one period on; the fifth is skipped."""
    scatter = (0.0, 2.5, -3.0, 1.0, 4.0, -1.5, 3.5, -2.0)

    def mass(place: int, theme: int) -> float:
        since, step = by.get(theme, (0, 0.0))
        moved = scatter[(place + 3 * theme) % len(scatter)] + place / 64
        return masses[theme] + moved + (step if place >= since else 0.0)

    released = {name: place for place, name in enumerate(every.declared) if place != 4}
    time = series_of(
        universe,
        {name: [mass(place, theme) for theme in range(len(masses))] for name, place in released.items()},
        terms=terms_of(every),
        none={name: 1210.5 + scatter[place % 8] for name, place in released.items()},
        life={name: 1 + (place > len(every.declared) // 2) for name, place in released.items()},
        wanted={name: 9000.0 + 20 * place for name, place in released.items()},
        **more,
    )
    return Series(Picture(facts_of(time, universe), time), "Support tickets").to_html()


MAKERS = {
    "rich": lambda: _page(TICKETS, falling(54), card=True, not_read=310.2, account=ACCOUNT, about=ABOUT),
    "nothing clear": lambda: _page(TICKETS, [(-1) ** i * (i % 4) for i in range(54)], not_read=310.2),
    "prevalence": lambda: _page(NO_AREAS, falling(54, 2500.0), quantity=Prevalence(most_atoms=5)),
    "simulated": lambda: _page(TICKETS, falling(54), randomness="SIMULATED-NOT-PRIVATE"),
    "private choice": lambda: _page(TICKETS, falling(54), mechanism=PrivateTopL(), card=True),
    "fixed margin": lambda: _page(
        TICKETS, falling(54, 400.0, 0.6), admission="fixed", size=14, margin=FixedMargin(mass=0)
    ),
    "baseline": lambda: _page(
        TICKETS,
        falling(54),
        card=True,
        about=ABOUT,
        baseline=baseline_of(TICKETS, {i: 10 + i * 7 % 50 for i in TICKETS.ids}, source="last year's survey"),
    ),
    "no shares": lambda: _page(TICKETS, [90.0] + [-24.5] * 53, denominator=TotalMass(), card=True),
    "hostile": lambda: _page(HOSTILE, [*falling(7, 1200.0, 0.8), 1.0], card=True, about=ABOUT, size=8),
    "our sentences": _page_of_our_sentences,
    "as read": lambda: _page_as_read(TICKETS, falling(54), off=0.4, card=True, not_read=310.2, about=ABOUT),
    "prevalence as read": lambda: _page_as_read(
        NO_AREAS, falling(54, 2500.0), off=0.1, quantity=Prevalence(most_atoms=5)
    ),
    "hostile as read": lambda: _page_as_read(HOSTILE, [*falling(7, 1200.0, 0.8), 1.0], off=0.5, size=8),
    "a change": lambda: _page_of_change(TICKETS, falling(54), by=[140.0, -60.0, 30.0], not_read=310.2, about=ABOUT),
    "no change": lambda: _page_of_change(NO_AREAS, falling(54), by=[0.5]),
    "hostile change": lambda: _page_of_change(HOSTILE, [*falling(7, 1200.0, 0.8), 1.0], by=[90.0] * 8, size=8),
    "two values": lambda: report(BY_CHANNEL, SHOP),
    "by month": lambda: report(BY_MONTH, SHOP),
    "a year by month": lambda: report(BY_YEAR, SHOP),
    "phrases": lambda: phrases_page(release_of_phrases({f"sensitive {each} skin": 999 - each for each in range(60)})),
    "a series": lambda: _page_of_series(
        TICKETS, falling(54), MONTHS, by={0: (3, 300.0), 4: (7, -150.0), 9: (11, 200.0)}, not_read=310.2
    ),
    "a series of weeks": lambda: _page_of_series(TICKETS, falling(54), WEEKS, by={0: (20, 300.0)}),
    "hostile series": lambda: _page_of_series(HOSTILE, [*falling(7, 1200.0, 0.8), 1.0], MONTHS, by={0: (3, 400.0)}),
    "sixty themes": lambda: _page(SIXTY, falling(60, 250.0, 0.97), card=True, size=60),
}


@cache
def page(name: str) -> str:
    """Return the page of that name; a worker makes each once."""
    return MAKERS[name]()
