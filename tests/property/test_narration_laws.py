"""Laws of narration: the template is accepted for every plan, and verification is a function of plan and text.

``DPSPIN_RANDOM_PLANS=10000`` tries each law on that many plans.
"""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.boundary.privacy import PoissonSample, Prevalence
from dpspin.public.stage3_narrate.claims.baseline import AgainstBaseline
from dpspin.public.stage3_narrate.claims.orders import Highest, tie_groups
from dpspin.public.stage3_narrate.claims.values import RollUp
from dpspin.public.stage3_narrate.decoders.outline import full_outline
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.policy import Length, Mode
from dpspin.public.stage3_narrate.sentences import linked_sentences
from dpspin.public.stage3_narrate.verify.verifier import verify
from random_plans import PLANS, plans

MODES, LENGTHS = st.sampled_from(Mode), st.sampled_from(Length)


@settings(max_examples=PLANS)
@given(plans(), MODES, LENGTHS, st.booleans())
def test_the_template_is_accepted_whatever_the_plan_is(released, mode, length, with_dictionary):
    text = TemplateDecoder(mode, length)(released.plan)
    verdict = verify(released.plan, text, mode, released.universe if with_dictionary else None)
    assert verdict.violations == (), text


@given(plans(), MODES, LENGTHS)
def test_the_template_tells_what_is_uncovered_before_any_theme(released, mode, length):
    plan = released.plan
    public = 1 + isinstance(plan.statement.quantity, Prevalence) + isinstance(plan.statement.sampling, PoissonSample)
    told = linked_sentences(TemplateDecoder(mode, length)(plan), plan, mode)
    public += plan.not_read is not None and plan.not_read.low > 0  # told before everything that was read
    assert not any(sentence.none or sentence.atom_ids for sentence in told[:public])
    assert len(told) > public
    assert told[public].none == (plan.uncovered is not None), told


@given(plans(), MODES, st.floats(0.01, 0.9))
def test_another_share_of_what_is_uncovered_is_refused(released, mode, shift):
    """The written share is moved by more than its last digit: whatever else the plan holds, it is not this value."""
    plan = released.plan
    if plan.uncovered is None:
        return
    text = TemplateDecoder(mode)(plan)
    share = next(re.finditer(r"has (?:a noisy mass of \S+, )?a support of ([\d,]+\.?\d*)%", text))
    wrong = 1000 + 100 * (plan.uncovered.high / plan.denominator.value + shift)
    forged = f"{text[: share.start(1)]}{wrong:.4f}{text[share.end(1) :]}"
    assert "unsupported-number" in verify(plan, forged, mode).rules()


@given(plans(), MODES, st.floats(0.01, 0.9))
def test_another_share_of_what_was_not_read_is_refused(released, mode, shift):
    plan = released.plan
    if plan.not_read is None:
        return
    text = TemplateDecoder(mode)(plan)
    share = next(re.finditer(r"was not read: it has a support of ([\d,]+\.?\d*)%", text))
    wrong = 1000 + 100 * (plan.not_read.high / plan.denominator.value + shift)
    assert not verify(plan, f"{text[: share.start(1)]}{wrong:.4f}{text[share.end(1) :]}", mode).accepted
    assert not verify(plan, text.replace("not in German and English", "not in French"), mode).accepted


@given(plans(), MODES)
def test_the_full_text_links_every_entry_to_a_bullet(released, mode):
    plan = released.plan
    told = linked_sentences(TemplateDecoder(mode)(plan), plan, mode)
    linked = [atom_id for sentence in told if sentence.bullet for atom_id in sentence.atom_ids]
    assert linked == [entry.atom_id for entry in plan.entries]


@given(plans(), MODES)
def test_the_short_text_has_five_sentences_at_most_and_names_the_first_bin(released, mode):
    plan = released.plan
    told = linked_sentences(TemplateDecoder(mode, Length.SHORT)(plan), plan, mode)
    assert len(told) <= 5
    if plan.entries:
        bullets = {atom_id for sentence in told if sentence.bullet for atom_id in sentence.atom_ids}
        assert {entry.atom_id for entry in plan.entries if entry.bin == plan.entries[0].bin} <= bullets


@given(plans())
def test_ties_are_as_large_as_they_can_be_and_miss_no_pair(released):
    plan = released.plan
    groups = tie_groups(plan, plan.entries)
    assert all(tie.holds(plan) for tie in groups)
    assert not any(set(a.atoms) < set(b.atoms) for a in groups for b in groups)
    close = {
        (a.atom_id, b.atom_id)
        for i, a in enumerate(plan.entries)
        for b in plan.entries[i + 1 :]
        if a.noisy_mass - b.noisy_mass <= plan.rules.comparison_margin
    }
    assert close == {(a, b) for tie in groups for i, a in enumerate(tie.atoms) for b in tie.atoms[i + 1 :]}


@given(plans())
def test_the_planner_chooses_only_claims_that_hold_and_each_once(released):
    outline = full_outline(released.plan)
    chosen = [*(claim for paragraph in outline.paragraphs for claim in paragraph), *outline.bullets]
    assert all(claim.holds(released.plan) for claim in chosen)
    assert len(set(chosen)) == len(chosen)
    assert sum(isinstance(claim, AgainstBaseline) for claim in chosen) <= 3
    assert sum(isinstance(claim, Highest) for claim in chosen) <= 1
    sums = [claim for claim in chosen if isinstance(claim, RollUp)]
    assert all(sum(entry.parent == claim.parent for entry in released.plan.entries) > 1 for claim in sums)


@given(plans(), st.text(max_size=80), MODES)
def test_any_text_gets_a_verdict_that_agrees_with_its_violations(released, text, mode):
    verdict = verify(released.plan, text, mode)
    assert verdict.accepted == (not verdict.violations)
    assert all(0 <= v.span[0] <= v.span[1] <= len(text) for v in verdict.violations)
