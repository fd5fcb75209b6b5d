"""Laws of series: what is written is read back and holds, what was told once stays told, and no plan stands alone."""

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from claims_under_test import changes as changed_sentences
from claims_under_test import subjects
from dpspin.boundary.atoms import Atom
from dpspin.boundary.comparison import certified_changes
from dpspin.boundary.denominator import PublicNumber, TotalMass
from dpspin.boundary.series_changes import PlansInTime
from dpspin.public.atoms.speakable_names import look_of, spelling_of
from dpspin.public.narrate.claims.changes import OfChange, PassedOn
from dpspin.public.narrate.claims.claim import holding
from dpspin.public.narrate.claims.over_time import DiffersOverTime, NotApartOverTime, OfSeries, SinceWhen
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.forms import CLAIM_KINDS
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.verify import Status, check_sentence
from dpspin.public.series.picture import Picture
from dpspin.public.series.series import Series
from factories import universe_of
from random_plans import LABELS, PARENTS, PLANS
from report_cards import well_sorted
from series_plans import MONTHS, WEEKS, PeriodFacet, facts_of, series_of, terms_of

tried = settings(
    max_examples=max(1, PLANS // 3), suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
CALENDARS = (
    MONTHS,
    WEEKS,
    PeriodFacet(column="date", every="day", first="2026-02-25", last="2026-03-05"),
    PeriodFacet(column="date", every="quarter", first="2025-01", last="2026-12"),
    PeriodFacet(column="date", every="year", first="2020", last="2026"),
)
MASSES = st.sampled_from((0.0, -3.0, 12.5, 90.0, 300.0, 640.0, 641.0, 2500.0))
KINDS = [kind for kind in CLAIM_KINDS.values() if issubclass(kind, OfSeries)]


@st.composite
def series(draw):
    """Return what is known of a series: of any calendar, with gaps and lives, and of shares that may be lost."""
    names = draw(st.lists(LABELS, min_size=1, max_size=5, unique_by=(look_of, spelling_of)))
    universe = universe_of([Atom(id=place, label=name, parent=draw(PARENTS)) for place, name in enumerate(names)])
    every = draw(st.sampled_from(CALENDARS))
    chosen = sorted(draw(st.sets(st.sampled_from(range(len(every.declared))), min_size=1, max_size=5)))
    beside = [draw(st.none() | MASSES) for _ in range(2)]
    masses = st.lists(MASSES, min_size=universe.size, max_size=universe.size)
    by_period = {every.declared[place]: [each + at / 8 for each in draw(masses)] for at, place in enumerate(chosen)}
    renewed = draw(st.sampled_from([*by_period]))
    time = series_of(
        universe,
        by_period,
        terms=terms_of(every, lifetime_bound=draw(st.sampled_from((1.0, 4.0)))),
        none=beside[0],
        not_read=beside[1],
        life={period: 1 + (period >= renewed) for period in by_period},
        wanted={period: draw(MASSES) for period in by_period},
        denominator=draw(st.sampled_from((TotalMass(), TotalMass(), PublicNumber(value=4000)))),
        randomness=draw(st.sampled_from(("os-csprng", "SIMULATED-NOT-PRIVATE"))),
    )
    return facts_of(time, universe)


def told(facts):
    return Series(Picture(facts, facts.time))


@tried
@given(series())
def test_the_text_of_a_series_is_accepted_and_page_and_table_can_be_made(facts):
    found = told(facts)
    verdict = found.verify(found.text)
    assert verdict.accepted, (found.text, verdict.rules())
    measured = facts.atoms.size + (facts.plan.uncovered is not None) + (facts.plan.not_read is not None)
    assert len(found.to_csv().splitlines()) == 1 + measured * len(facts.time.periods)
    page = found.to_html()
    assert "<script" not in page
    assert all(f'href="{period}/report.html"' in page for period in facts.time.periods)
    assert found.on_terminal(80)


@tried
@given(series(), st.integers(0, 3))
def test_what_holds_of_a_series_is_read_back_and_nothing_is_said_of_one_plan_alone(facts, turn):
    language = Language(facts, Mode.DISPLAY)
    for kind in CLAIM_KINDS.values():
        for claim in holding(subjects(kind, facts), facts):
            assert isinstance(claim, OfSeries | PassedOn) or claim.of_both
            (sentence,) = language.read(language.written(claim, turn))
            assert claim in sentence.claims
            assert all(each.holds(facts) for each in sentence.claims)


@tried
@given(series())
def test_no_claim_about_a_series_holds_of_a_plan_and_none_about_two_plans_of_a_series(facts):
    for one in facts.each:
        assert not [claim for kind in KINDS for claim in holding(subjects(kind, facts), one)]
    of_two = [kind for kind in CLAIM_KINDS.values() if issubclass(kind, OfChange) and kind is not PassedOn]
    assert not [claim for kind in of_two for claim in holding(subjects(kind, facts), facts)]


@tried
@given(series(), st.integers(0, 3), st.data())
def test_a_changed_sentence_about_a_series_is_refused_or_says_something_else_that_holds(facts, turn, data):
    language = Language(facts, Mode.DISPLAY)
    claim = data.draw(st.sampled_from([claim for kind in KINDS for claim in holding(subjects(kind, facts), facts)]))
    written = language.written(claim, turn)
    periods = [period for period in facts.time.periods if period in written]
    if periods and data.draw(st.booleans()):
        changed = written.replace(data.draw(st.sampled_from(periods)), data.draw(st.sampled_from(facts.time.calendar)))
    else:
        changed = data.draw(changed_sentences(written, facts))
    assume(changed.strip() not in {language.written(claim, each) for each in range(4)})
    for sentence in language.read(changed):
        if check_sentence(sentence, language).status is Status.VERIFIED:
            assert claim not in sentence.claims
            assert all(each.holds(facts) for each in sentence.claims)


@tried
@given(series())
def test_every_change_follows_from_the_intervals_of_its_pair_with_its_part_of_beta(facts):
    time = facts.time
    pairs = 2 * len(time.calendar) - 3
    for step in (*time.steps.values(), *time.from_first.values()):
        plans = time.plans[step.earlier], time.plans[step.period]
        assert (step.decimals, step.changes) == certified_changes(*plans, time.beta / pairs)
        for theme, change in step.themes.items():
            apart = [*holding([DiffersOverTime(theme, step.period, step.earlier)], facts)]
            assert bool(apart) is (change.low > 0 or change.high < 0) or abs(change.certain) < 1e-3
            assert bool(apart) is not bool([*holding([NotApartOverTime((theme,), step.period, step.earlier)], facts)])


@tried
@given(series())
def test_since_when_is_the_longest_run_up_to_the_last_period(facts):
    time = facts.time
    for theme in facts.labels:
        looks = [time.from_first[name].direction(theme) if name in time.from_first else "" for name in time.periods]
        last = looks[-1]
        run = next((place for place in range(len(looks), 0, -1) if looks[place - 1] != last), 0)
        expected = time.periods[run] if last in {"up", "down"} else None
        since = time.since(theme)
        assert (since and since.period) == expected
        assert bool([*holding([SinceWhen(theme)], facts)]) is (expected is not None and expected != time.last)
        for name in time.periods[run:] if since else ():
            low, high = time.from_first[name].ends(theme)
            assert since.least <= max(low, -high)


@tried
@given(series())
def test_what_was_told_of_earlier_periods_stays_as_it_is_when_a_later_one_comes(facts):
    time = facts.time
    assume(len(time.periods) > 1)
    earlier = PlansInTime(time.released[:-1])
    assert {name: time.steps[name] for name in earlier.steps} == earlier.steps
    assert {name: time.from_first[name] for name in earlier.from_first} == earlier.from_first
    before, now = Picture(facts_of(earlier, facts.atoms), earlier), Picture(facts, time)
    assert {name: now.counted[name] for name in earlier.periods} == before.counted
    for theme in facts.labels:
        assert before.level(theme) == {name: each for name, each in now.level(theme).items() if name != time.last}


@tried
@given(series())
def test_shares_areas_and_counted_parts_lie_within_their_ends(facts):
    picture = Picture(facts, facts.time)
    ranges = [each for place in picture.measured for each in picture.level(place).values()]
    for each in (*ranges, *picture.counted.values()):
        assert 0 <= each.low <= each.value <= each.high
    assert all(each.high <= 1 for each in picture.counted.values())


@tried
@given(series())
def test_a_tested_map_is_told_of_a_series_too(facts):
    plans = tuple(well_sorted(plan, facts.atoms, 0.9) for plan in facts.time.released if plan.uncovered is not None)
    assume(plans)
    time = PlansInTime(plans)
    text = told(Facts(plans[-1], facts.atoms, time=time)).text
    assert "belonged there" in text
    assert "untested" not in text
