"""Laws of the language: what is written is read back, what does not hold is not written, and no change goes unnoticed.

``DPSPIN_RANDOM_PLANS=10000`` tries each law on that many plans.
"""

import math
from itertools import combinations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from claims_under_test import changes, subjects
from dpspin.boundary.denominator import PublicNumber
from dpspin.boundary.percentages import most_as_read, most_of
from dpspin.boundary.privacy import MASS
from dpspin.public.narrate.claims.areas import AreaInterval, AreaTie
from dpspin.public.narrate.claims.certainty import SortsRight
from dpspin.public.narrate.claims.claim import LIST_FIELDS, AsFiled, holding, is_larger
from dpspin.public.narrate.claims.orders import Gap, Tie
from dpspin.public.narrate.claims.readings import (
    HowRead,
    ReadConfidence,
    ReadFirst,
    ReadLarger,
    ReadLargest,
    ReadNone,
    ReadOverlap,
    ReadShare,
    SortedAlike,
)
from dpspin.public.narrate.claims.release import PublicSentence, Saying
from dpspin.public.narrate.claims.themes import IntervalOf, Unclear
from dpspin.public.narrate.claims.wholes import FitsNone, NotRead, RestHolds
from dpspin.public.narrate.decoders.claims import compose
from dpspin.public.narrate.decoders.menu import MOST, Draft, claim_in, menu
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.forms import CLAIM_KINDS, all_forms, forms_of
from dpspin.public.narrate.language import FalseClaim, Language
from dpspin.public.narrate.modes import Length, Mode
from dpspin.public.narrate.verify import Status, check_sentence, check_text, settle, verify
from period_plans import IN_SERIES
from random_plans import PLANS, plans
from report_cards import well_sorted
from shop_plans import SHOP
from text_viewed_plans import CAFE, LACKING, NEAREST
from viewed_plans import VIEWED

MODES = st.sampled_from(Mode)
tried = settings(max_examples=PLANS, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def all_facts(draw):
    """Return what is known of a plan, of a map that was tested or not; sometimes of one with a view, or of a series."""
    match draw(st.integers(0, 7)):
        case 0:
            return Facts(draw(st.sampled_from((*VIEWED, IN_SERIES))), SHOP)
        case 1:
            return Facts(draw(st.sampled_from((NEAREST, LACKING))), CAFE)
    released, rate = draw(plans()), draw(st.none() | st.sampled_from((0.3, 0.9, 0.999, 1.0)))
    plan = released.plan if rate is None else well_sorted(released.plan, released.universe, rate)
    return Facts(plan, released.universe)


@st.composite
def grounded_facts(draw):
    """Return what is known of a plan for which a sample was read."""
    released = draw(plans(read=True))
    return Facts(released.plan, released.universe)


@st.composite
def filled_claims(draw):
    facts, mode = draw(all_facts()), draw(MODES)
    kind = draw(st.sampled_from(sorted(CLAIM_KINDS)))
    claim = draw(st.sampled_from(subjects(CLAIM_KINDS[kind], facts)))
    return Language(facts, mode), claim.filled(facts)


@st.composite
def true_claims(draw):
    """Return a claim that holds, of the first of some kinds that has one: nothing has to be thrown away."""
    facts, mode = draw(all_facts()), draw(MODES)
    for kind in draw(st.permutations(sorted(CLAIM_KINDS))):
        if found := list(holding(subjects(CLAIM_KINDS[kind], facts), facts)):
            return Language(facts, mode), draw(st.sampled_from(found))
    raise AssertionError("that values carry noise holds of every plan")


@tried
@given(filled_claims(), st.integers(0, 9))
def test_what_holds_is_read_back_and_what_does_not_is_not_written(made, turn):
    language, claim = made
    if not claim.holds(language.facts):
        with pytest.raises(FalseClaim):
            language.written(claim, turn)
        return
    written = language.written(claim, turn)
    (sentence,) = language.read(written)
    assert sentence.claims is not None, written
    assert sentence.misplaced is None
    assert claim in sentence.claims, (written, sentence.claims)
    assert all(each.holds(language.facts) for each in sentence.claims)
    assert sentence.text == written


def test_every_kind_has_forms_and_every_form_a_kind():
    assert {form.kind for form in all_forms()} == set(CLAIM_KINDS)
    assert all(forms_of("public_sentence", (("saying", str(saying)),)) for saying in Saying)


@tried
@given(all_facts(), MODES, st.sampled_from(Length))
def test_the_template_is_accepted_and_shows_every_listed_theme(facts, mode, length):
    text = TemplateDecoder(mode, length)(facts)
    verdict = verify(facts.plan, text, mode, facts.atoms)
    assert verdict.accepted, (text, verdict.rules(), [(each.rule, each.text) for each in verdict.refused])
    if length is Length.FULL:
        assert {atom for each in verdict.sentences for atom in each.atoms} >= {*facts.ranked}


@tried
@given(all_facts(), st.sampled_from(Length))
def test_shares_of_users_who_count_more_than_once_and_what_was_not_read_are_never_told_without_saying_so(facts, length):
    text = TemplateDecoder(Mode.DISPLAY, length)(facts)
    told = {claim for sentence in Language(facts, Mode.DISPLAY).read(text) for claim in sentence.claims}
    sayings = {claim.saying for claim in told if isinstance(claim, PublicSentence)}
    several = facts.plan.statement.unit.bound > 1 and facts.plan.denominator.kind != "total"
    assert Saying.ABOVE_ALL in sayings or not (several and any(claim.gives_shares for claim in told))
    assert several or Saying.ABOVE_ALL not in sayings
    for value, share, saying in (
        (facts.plan.not_read, NotRead, Saying.UNREAD),
        (facts.plan.uncovered, FitsNone, Saying.UNCOVERED),
    ):
        with_share = any(isinstance(claim, share) for claim in told)
        assert not (with_share and saying in sayings)
        assert with_share or saying in sayings or value is None or value.low == 0 or facts.read is not None


@st.composite
def drafts(draw):
    """Return what a model may choose for a plan: any kind of the menu about anything that the menu offers it for."""
    language = Language(draw(all_facts()), draw(MODES))
    offered = menu(language.facts, language.mode)
    items = st.sampled_from(sorted(offered)).flatmap(lambda kind: items_of(kind, offered[kind]))
    parts = {part: draw(st.lists(items, max_size=most)) for part, most in MOST.items()}
    named = {part: [claim_in(item, language.facts) for item in chosen] for part, chosen in parts.items()}
    assert None not in [claim for chosen in named.values() for claim in chosen]  # what is offered can be named
    return language, Draft(**{part: tuple(chosen) for part, chosen in named.items()})


def items_of(kind, choices):
    """Return the items that name a claim of this kind, as a model writes them."""
    values = {
        name: st.lists(st.sampled_from(each), min_size=1, max_size=3) if name in LIST_FIELDS else st.sampled_from(each)
        for name, each in choices.items()
    }
    return st.fixed_dictionaries({"claim": st.just(kind), **values})


@tried
@given(drafts())
def test_whatever_a_model_chooses_is_accepted_and_shows_every_listed_theme(made):
    language, draft = made
    composed = compose(draft, language)
    verdict = check_text(composed.text, language)
    assert verdict.accepted, (composed.text, verdict.rules(), [(each.rule, each.text) for each in verdict.refused])
    assert {atom for each in verdict.sentences for atom in each.atoms} >= {*language.facts.ranked}
    assert not any(claim.holds(language.facts) for claim in composed.dropped)  # nothing that is true is lost


@tried
@given(all_facts())
def test_an_area_that_is_called_larger_has_the_larger_share_too_and_none_has_less_than_a_theme_of_its_own(facts):
    shares = facts.area_estimates
    for area, themes in facts.areas.items() if shares else ():
        assert not any(is_larger(facts, area, other) and shares[area].share <= shares[other].share for other in shares)
        assert all(shares[area].share >= facts.theme(each).share for each in themes if facts.theme(each).low > 0)


@tried
@given(all_facts(), MODES)
def test_the_template_never_says_two_things_in_a_sentence_and_gives_no_share_of_what_is_not_known(facts, mode):
    text = TemplateDecoder(mode)(facts)
    read = Language(facts, mode).read(text)
    assert all(len({each.kind for each in sentence.claims}) == 1 for sentence in read)
    assert facts.has_shares or not any(each.gives_shares for sentence in read for each in sentence.claims)


@tried
@given(true_claims(), st.integers(0, 9))
def test_what_is_settled_leaves_nothing_unsaid(made, turn):
    language, claim = made
    text = settle(language.written(claim, turn), language).text
    assert {*check_text(text, language).rules()} <= {"no-theme"}, text


def overlap(*intervals):
    """Tell whether intervals overlap as they are written."""
    return max(each.low for each in intervals) <= min(each.high for each in intervals)


@tried
@given(grounded_facts(), MODES, st.sampled_from(Length))
def test_where_a_sample_was_read_the_reading_leads_and_nothing_is_said_of_the_map_alone(facts, mode, length):
    text = TemplateDecoder(mode, length)(facts)
    told = [claim for sentence in Language(facts, mode).read(text) for claim in sentence.claims]
    first = [claim for each in Language(facts, mode).read(text.partition("\n\n")[0]) for claim in each.claims]
    assert not any(isinstance(claim, AsFiled) for claim in told)
    assert all(claim in told for claim in holding([HowRead(), ReadConfidence()], facts))
    assert all(claim in first for claim in holding([SortedAlike()], facts))
    assert not facts.has_shares or any(isinstance(claim, ReadShare | ReadNone) for claim in first)
    none = facts.read.none
    assert none is None or none.low == 0 or not facts.has_shares or any(isinstance(claim, ReadNone) for claim in told)


@tried
@given(all_facts(), MODES, st.sampled_from(Length))
def test_where_none_was_read_the_first_paragraph_says_that_the_map_was_not_checked_on_these_records(
    facts, mode, length
):
    assume(facts.read is None)
    first = Language(facts, mode).read(TemplateDecoder(mode, length)(facts).partition("\n\n")[0])
    either = [SortsRight(), PublicSentence(Saying.NOT_TESTED)]
    assert [claim for each in first for claim in each.claims if claim in [*holding(either, facts)]]


@tried
@given(grounded_facts())
def test_an_order_by_the_reading_is_seen_in_its_intervals(facts):
    assume(facts.has_shares)
    told = {theme: ReadShare(theme).filled(facts) for theme in facts.ranked}
    assert all(each.low < each.high for each in told.values())
    for theme in facts.plan.grounded.themes:
        most, said = 100 * most_as_read(facts.plan), told[theme.atom_id]
        assert said.low <= 100 * theme.support_low
        assert said.high >= min(most, 100 * theme.support_high)
    for one, other in combinations(told, 2):
        apart = [*holding([ReadLarger(one, other), ReadLarger(other, one)], facts)]
        assert bool(apart) is not ReadOverlap((one, other)).holds(facts)
        assert overlap(told[one], told[other]) or len(apart) == 1
    for largest in holding(map(ReadLargest, facts.ranked), facts):
        assert all(
            facts.read.every[largest.theme].low > each.high
            for atom, each in facts.read.every.items()
            if atom != largest.theme
        )
        assert not ReadFirst(largest.theme).filled(facts).holds(facts)


@tried
@given(all_facts())
def test_what_is_said_of_intervals_is_seen_in_them(facts):
    assume(facts.has_shares and facts.read is None)
    themes = {theme: IntervalOf(theme).filled(facts) for theme in facts.listed}
    for one, other in combinations(themes, 2):
        tied = Tie((one, other)).holds(facts)
        assert overlap(themes[one], themes[other]) or not tied
        assert tied is not any(True for _ in holding([Gap(one, other), Gap(other, one)], facts))
    assert all(themes[theme].low == 0 for theme in themes if Unclear((theme,)).holds(facts))
    for pair in combinations(facts.area_estimates, 2):
        assert overlap(*(AreaInterval(area).filled(facts) for area in pair)) or not AreaTie(pair).holds(facts)


@tried
@given(all_facts())
def test_no_share_is_more_than_all_of_what_was_measured(facts):
    most = {"public": math.inf, "count": facts.plan.statement.unit.bound, "total": 1}[facts.plan.denominator.kind]
    beside = [facts.beside(each) for each in (facts.plan.uncovered, facts.plan.not_read) if each is not None]
    wholes = [facts.together, *facts.area_estimates.values(), *([facts.tail] if facts.adds_up else [])]
    assert all(0 <= each.low <= each.share <= each.high <= most for each in [*map(facts.theme, facts.masses), *beside])
    assert all(0 <= each.low <= each.high <= most and each.share <= most for each in wholes)


@tried
@given(all_facts())
def test_what_is_told_of_parts_can_be_of_parts(facts):
    beside, rest = [*holding([FitsNone(), NotRead()], facts)], [*holding([RestHolds()], facts)]
    themes = [*holding(map(IntervalOf, facts.listed), facts)]
    areas = [*holding(map(AreaInterval, facts.area_estimates), facts)]
    assert all(each.low < each.high for each in (*themes, *areas, *rest, *beside))
    if facts.plan.statement.quantity == MASS and not isinstance(facts.plan.denominator, PublicNumber):
        whole = facts.percent(most_of(facts.plan))
        for parts in ((*themes, *rest, *beside), (*areas, *beside)):
            assert sum(each.share == whole for each in parts) <= 1


@tried
@given(true_claims(), st.integers(0, 9), st.data())
def test_a_changed_sentence_is_refused_or_says_something_else_that_holds(made, turn, data):
    language, claim = made
    written = language.written(claim, turn)
    changed = data.draw(changes(written, language.facts))
    wordings = {language.written(claim, each) for each in range(10)}  # some differ by a word
    assume(changed.strip() not in wordings)  # spaces around it change nothing
    for sentence in language.read(changed):
        if check_sentence(sentence, language).status is Status.VERIFIED:
            assert claim not in sentence.claims
            assert all(each.holds(language.facts) for each in sentence.claims)
