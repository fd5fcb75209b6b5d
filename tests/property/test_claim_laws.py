"""Laws of claims: what does not hold cannot be rendered, what holds is accepted, and no change of it is.

``DPSPIN_RANDOM_PLANS=10000`` tries each law on that many plans.
"""

import re
from itertools import combinations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dpspin.public.stage3_narrate.claims.baseline import AgainstBaseline, BaselineCount
from dpspin.public.stage3_narrate.claims.claim import ClaimError, rendered
from dpspin.public.stage3_narrate.claims.counts import CountInBin, Listed, NothingClear
from dpspin.public.stage3_narrate.claims.naming import percent_scale
from dpspin.public.stage3_narrate.claims.orders import (
    CloseThemes,
    Compare,
    Highest,
    MarginOrder,
    RankOf,
    Tie,
    WholeOrder,
)
from dpspin.public.stage3_narrate.claims.public_text import PublicText, Saying
from dpspin.public.stage3_narrate.claims.statement import SecretSample, UnitsCounted
from dpspin.public.stage3_narrate.claims.themes import BinGroup, InBin, Mention, Unclear
from dpspin.public.stage3_narrate.claims.values import (
    Coverage,
    HowSure,
    IntervalOf,
    MassOf,
    OutsideDictionary,
    RollUp,
    SupportOf,
    Together,
    children_of,
)
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.policy import Length, Mode
from dpspin.public.stage3_narrate.verify.verifier import verify
from random_plans import PLAIN_LABELS, PLANS, plans

PLAIN_PLANS = plans(PLAIN_LABELS)
MODES, LENGTHS = st.sampled_from(Mode), st.sampled_from(Length)
ATOMS = st.integers(0, 9)  # dictionaries have up to nine atoms: some of these are listed, some are not, some unknown
GROUPS = st.lists(ATOMS, max_size=5).map(tuple)
BIN_NAMES = st.sampled_from(("high", "moderate", "low", "any", "very high", "faint", "major", "minor", "other"))
IN_AUDIT_ONLY = (MassOf, RankOf)
CLAIMS = st.one_of(
    *(st.builds(kind, ATOMS) for kind in (MassOf, SupportOf, IntervalOf, RankOf, Highest, AgainstBaseline)),
    *(st.builds(kind, GROUPS) for kind in (Mention, Unclear, Tie)),
    *(st.builds(kind, BIN_NAMES) for kind in (BinGroup, CountInBin)),
    *(st.just(kind()) for kind in (Listed, NothingClear, WholeOrder, MarginOrder, CloseThemes, Coverage, HowSure)),
    *(st.just(kind()) for kind in (OutsideDictionary, BaselineCount, UnitsCounted, SecretSample)),
    st.builds(Compare, ATOMS, ATOMS),
    st.builds(InBin, GROUPS, BIN_NAMES),
    st.builds(RollUp, st.sampled_from(("delivery", "billing", "quality", "unknown"))),
    st.builds(PublicText, st.sampled_from(Saying)),
)
OPPOSITES = (
    ("has the highest", "has the lowest"),
    ("has higher", "has lower"),
    ("has lower", "has higher"),
    ("lies above", "lies below"),
    ("lies below", "lies above"),
    ("(?<!not )stand clear", "do not stand clear"),
    ("stands clear", "does not stand clear"),
    ("does not stand clear", "stands clear"),
    ("Not clear of", "Clear of"),
    ("does not tell", "does tell"),
    ("cannot be told apart", "can be told apart"),
    ("High support", "Low support"),
    ("Low support", "High support"),
    ("Moderate support", "High support"),
    ("Major support", "Minor support"),
    ("Minor support", "Major support"),
    ("Faint support", "Very high support"),
)


@settings(max_examples=PLANS)
@given(plans(), CLAIMS, MODES, st.integers(0, 3))
def test_a_claim_is_rendered_if_it_holds_and_refused_if_not(released, claim, mode, turn):
    if claim.holds(released.plan):
        assert rendered(claim, released.plan, mode, turn).endswith(".")
    else:
        with pytest.raises(ClaimError, match="leave it out"):
            rendered(claim, released.plan, mode, turn)


@settings(max_examples=PLANS)
@given(plans(), MODES, st.integers(0, 3), st.data())
def test_a_claim_that_holds_is_accepted(released, mode, turn, data):
    plan = released.plan
    assume(plan.entries)
    claim = data.draw(st.sampled_from(true_claims(plan, mode)), label="claim")
    named = rendered(Mention((plan.entries[0].atom_id,)), plan, mode)
    text = f"{named} {rendered(claim, plan, mode, turn)}"
    assert verify(plan, text, mode, released.universe).violations == (), text


@settings(max_examples=PLANS)
@given(PLAIN_PLANS, MODES, LENGTHS, st.data())
def test_another_number_is_caught(released, mode, length, data):
    """Any number is changed to one that the plan does not hold."""
    plan = released.plan
    text = TemplateDecoder(mode, length)(plan)
    found = [match for match in re.finditer(r"“[^”]*”|\d[\d,]*(?:\.\d+)?", text) if not match[0].startswith("“")]
    assume(found)
    number = data.draw(st.sampled_from(found), label="number")
    place = data.draw(st.sampled_from([i for i, sign in enumerate(number[0]) if sign.isdigit()]))
    digit = data.draw(st.sampled_from([sign for sign in "123456789" if sign != number[0][place]]))
    other = f"{number[0][:place]}{digit}{number[0][place + 1 :]}"
    assume(other not in held_numbers(plan))
    forged = f"{text[: number.start()]}{other}{text[number.end() :]}"
    assert not verify(plan, forged, mode, released.universe).accepted, forged


@settings(max_examples=PLANS)
@given(PLAIN_PLANS, MODES, LENGTHS, st.sampled_from(("wet paint", "squeaky door")), st.data())
def test_a_theme_that_is_not_listed_is_caught(released, mode, length, made_up, data):
    """Any label is changed to one of the dictionary that is not listed, or to one that nobody measured."""
    plan = released.plan
    assume(plan.entries)
    text = TemplateDecoder(mode, length)(plan)
    listed = {entry.label for entry in plan.entries}
    others = [atom.label for atom in released.universe.atoms if atom.label not in listed]
    label = data.draw(st.sampled_from(list(re.finditer(r"“([^”]*)”", text))), label="label")
    other = data.draw(st.sampled_from([*others, made_up]))
    forged = f"{text[: label.start(1)]}{other}{text[label.end(1) :]}"
    assert not verify(plan, forged, mode, released.universe).accepted, forged


@settings(max_examples=PLANS, suppress_health_check=[HealthCheck.filter_too_much])  # many plans have one bin
@given(PLAIN_PLANS, MODES, LENGTHS, st.data())
def test_a_theme_in_another_bin_is_caught(released, mode, length, data):
    """A label of a bullet is changed to a listed one of another bin."""
    plan = released.plan
    assume(len({entry.bin for entry in plan.entries}) > 1)
    text = TemplateDecoder(mode, length)(plan)
    bins = {entry.label: entry.bin for entry in plan.entries}
    label = data.draw(st.sampled_from(list(re.finditer(r"“([^”]*)”", text[text.index("\n- ") :]))), label="label")
    other = data.draw(st.sampled_from([name for name in bins if bins[name] != bins[label[1]]]))
    start = text.index("\n- ")
    forged = f"{text[: start + label.start(1)]}{other}{text[start + label.end(1) :]}"
    assert not verify(plan, forged, mode, released.universe).accepted, forged


@settings(max_examples=PLANS)
@given(PLAIN_PLANS, MODES, st.integers(0, 1), st.data())
def test_the_opposite_of_a_claim_is_caught(released, mode, turn, data):
    plan = released.plan
    assume(plan.entries)
    said = [rendered(claim, plan, mode, turn) for claim in true_claims(plan, mode)]
    forged = data.draw(st.sampled_from([other for sentence in said for other in opposites(sentence)]))
    text = f"{rendered(Mention((plan.entries[0].atom_id,)), plan, mode)} {forged}"
    assert not verify(plan, text, mode, released.universe).accepted, text


@settings(max_examples=PLANS)
@given(PLAIN_PLANS, MODES, LENGTHS, st.data())
def test_the_opposite_of_a_relation_in_a_text_is_caught(released, mode, length, data):
    plan = released.plan
    clear = sum(entry.clears_noise for entry in plan.entries)
    assume(plan.entries and 2 * clear != len(plan.entries))  # else as many stand clear as do not
    forged = data.draw(st.sampled_from(opposites(TemplateDecoder(mode, length)(plan))))
    assert not verify(plan, forged, mode, released.universe).accepted, forged


def true_claims(plan, mode):
    """Every claim that holds, but of groups only the pairs and the largest."""
    ids = [entry.atom_id for entry in plan.entries]
    groups = [*combinations(ids, 2), tuple(ids), tuple(e.atom_id for e in plan.entries if not e.clears_noise)]
    singles = (SupportOf, IntervalOf, Highest, AgainstBaseline, *(IN_AUDIT_ONLY if mode is Mode.AUDIT else ()))
    claims = [
        *(kind(atom) for kind in singles for atom in ids),
        *(kind(group) for kind in (Mention, Unclear, Tie) for group in groups),
        *(Compare(*pair) for pair in combinations(ids, 2)),
        *(InBin((entry.atom_id,), entry.bin) for entry in plan.entries),
        *(kind(each.name) for kind in (BinGroup, CountInBin) for each in plan.rules.bins),
        *(kind() for kind in (Listed, WholeOrder, MarginOrder, CloseThemes, Coverage, HowSure, OutsideDictionary)),
        *(kind() for kind in (BaselineCount, UnitsCounted, SecretSample)),
        *(RollUp(parent) for parent in {entry.parent for entry in plan.entries if entry.parent}),
        *map(PublicText, Saying),
    ]
    return [claim for claim in claims if claim.holds(plan)]


def opposites(text):
    """Every text in which one relation says the opposite."""
    found = (re.finditer(true, text) for true, _ in OPPOSITES)
    return [
        f"{text[: match.start()]}{false}{text[match.end() :]}"
        for (_, false), matches in zip(OPPOSITES, found, strict=True)
        for match in matches
    ]


def held_numbers(plan):
    """Every number that may stand somewhere in a text of the plan: a change to one of these may be true by chance."""
    texts = (TemplateDecoder(mode)(plan) for mode in Mode)
    written = {number for text in texts for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)}
    released = [*plan.entries, *([plan.uncovered] if plan.uncovered else [])]
    shares = [share for each in released for share in (each.support, each.support_low, each.support_high)]
    parents = {entry.parent for entry in plan.entries if entry.parent}
    groups = [list(plan.entries), *(children_of(plan, parent) for parent in parents)]
    sums = [Together.of(group) for group in groups if group]
    shares += [share for each in sums for share in (each.support, each.low, each.high)]  # written rounded outwards
    ids = {str(number) for entry in plan.entries for number in (entry.atom_id, entry.rank)}
    return written | {percent_scale(plan).text(share).rstrip("%") for share in shares} | ids
