"""Laws of comparisons: what is written is read back and holds, the other way round is the mirror, no plan is alone."""

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from changes import pairs
from claims_under_test import changes as changed_sentences
from claims_under_test import subjects
from dpspin.boundary.comparison import compare_plans
from dpspin.boundary.comparison_fields import Comparison
from dpspin.public.compare.compare import Compared
from dpspin.public.narrate.claims.changes import Differs, Moved, NotApart, OfChange
from dpspin.public.narrate.claims.claim import holding
from dpspin.public.narrate.claims.release import PublicSentence
from dpspin.public.narrate.forms import CLAIM_KINDS
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.verify import Status, check_sentence
from random_plans import PLANS

tried = settings(max_examples=PLANS, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


@tried
@given(pairs())
def test_the_text_of_a_change_is_accepted_and_every_view_of_it_can_be_made(facts):
    compared = Compared(facts)
    verdict = compared.verify(compared.text)
    assert verdict.accepted, (compared.text, verdict.rules())
    assert Comparison.model_validate_json(compared.to_json()) == compared.change
    rows = compared.to_csv().splitlines()[1:]
    assert len(rows) == len(compared.change.themes) + (facts.plan.uncovered is not None) + (
        facts.plan.not_read is not None
    )
    assert "<script>" not in compared.to_html().replace('<script type="application/json" id="comparison">', "")


@tried
@given(pairs())
def test_a_change_and_its_mirror_say_the_same(facts):
    there, back = facts.change, compare_plans(facts.plan, facts.before, facts.atoms)
    for one, other in zip((*there.themes, there.none), (*back.themes, back.none), strict=True):
        if one is not None:
            assert abs(one.low + other.high) < 1e-9 * max(1, abs(one.low))
            assert {one.direction, other.direction} in ({"up", "down"}, {"not_apart"})
            assert one.low <= one.share_b - one.share_a <= one.high
            assert (one.direction == "up") <= (one.low > 0)
            assert (one.direction == "down") <= (one.high < 0)


@tried
@given(pairs(), st.integers(0, 3))
def test_what_holds_of_a_change_is_read_back_and_nothing_is_said_of_one_plan_alone(facts, turn):
    language = Language(facts, Mode.DISPLAY)
    for kind in CLAIM_KINDS.values():
        for claim in holding(subjects(kind, facts), facts):
            assert isinstance(claim, OfChange) or claim.of_both
            (sentence,) = language.read(language.written(claim, turn))
            assert claim in sentence.claims
            assert all(each.holds(facts) for each in sentence.claims)


@tried
@given(pairs())
def test_no_claim_about_a_change_holds_of_one_plan(facts):
    kinds = [kind for kind in CLAIM_KINDS.values() if issubclass(kind, OfChange)]
    for one in facts.each:
        assert not [claim for kind in kinds for claim in holding(subjects(kind, facts), one)]


@tried
@given(pairs(), st.integers(0, 3), st.data())
def test_a_changed_sentence_about_a_change_is_refused_or_says_something_else_that_holds(facts, turn, data):
    language = Language(facts, Mode.DISPLAY)
    kinds = [kind for kind in CLAIM_KINDS.values() if issubclass(kind, OfChange)]
    claim = data.draw(st.sampled_from([claim for kind in kinds for claim in holding(subjects(kind, facts), facts)]))
    written = language.written(claim, turn)
    changed = data.draw(changed_sentences(written, facts))
    assume(changed.strip() not in {language.written(claim, each) for each in range(4)})
    for sentence in language.read(changed):
        if check_sentence(sentence, language).status is Status.VERIFIED:
            assert claim not in sentence.claims
            assert all(each.holds(facts) for each in sentence.claims)


@tried
@given(pairs(read=True))
def test_what_was_read_in_both_is_compared_by_the_reading_and_not_as_filed(facts):
    assert facts.change.told == "read"
    told = {claim for sentence in Language(facts, Mode.DISPLAY).read(Compared(facts).text) for claim in sentence.claims}
    assert not any(isinstance(claim, PublicSentence) and claim.saying == "not_tested" for claim in told)
    assert all(claim.telling.startswith("read") for claim in told if isinstance(claim, Differs))


@tried
@given(pairs())
def test_every_theme_is_told_apart_or_not_and_the_count_is_right(facts):
    change = facts.change
    for each in change.themes:
        theme = int(each.atom_id)
        assert bool([*holding([Differs(theme)], facts)]) is not bool([*holding([NotApart((theme,))], facts)])
    for moved in holding([Moved()], facts):
        others = [each for each in change.themes if each.direction == "not_apart"]
        assert (moved.count or (0 if others else moved.size)) == len(change.moved)
        assert not others or float(moved.reach) >= 100 * max(each.most for each in others) - 1e-9
    assert len(change.themes) + len(change.not_compared) == facts.atoms.size
