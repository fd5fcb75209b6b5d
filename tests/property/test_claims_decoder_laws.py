"""Whatever a model answers: nothing false is written, nothing is told twice, and no theme is missing."""

import json

from hypothesis import given
from hypothesis import strategies as st

from dpspin.lab.verifier.plans import benchmark_plans
from dpspin.public.stage3_narrate.claims.public_text import Saying
from dpspin.public.stage3_narrate.claims.themes import BinGroup, InBin
from dpspin.public.stage3_narrate.decoders.claim_forms import CONNECTIVES, KINDS, Draft, allowed, read, schema
from dpspin.public.stage3_narrate.decoders.composition import compose
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.verifier import verify

PLANS = list(benchmark_plans().values())
THEMES_AND_ORDERS = ("bin_group", "in_bin", "highest", "tie", "compare", "unclear", "mention", "support", "interval")


def atoms_of(claim, plan):
    """The themes whose bin a claim tells."""
    match claim:
        case BinGroup():
            return claim.atoms(plan)
        case InBin():
            return claim.atoms
        case _:
            return ()


def items(plan, kinds):
    """Claims over the plan's atoms and bins, true and false ones, and one atom that is not in it."""
    ids = st.sampled_from([*(entry.atom_id for entry in plan.entries), 10**6])
    fields = {
        "atoms": st.lists(ids, min_size=1, max_size=4),
        "bin": st.sampled_from([support_bin.name for support_bin in plan.rules.bins]),
        "parent": st.sampled_from(["", "somewhere"]),
        "saying": st.sampled_from([saying.value for saying in Saying]),
        **dict.fromkeys(("atom", "higher", "lower"), ids),
    }
    return st.fixed_dictionaries(
        {"claim": st.sampled_from(sorted(kinds)), **fields, "connective": st.sampled_from(CONNECTIVES)}
    )


def drafts(plan, kinds):
    several = st.lists(items(plan, kinds), max_size=6)
    return st.fixed_dictionaries({"paragraph": several, "bullets": several}).map(
        lambda it: read(json.dumps(it)) or Draft()
    )


@given(st.data(), st.sampled_from(PLANS), st.sampled_from(list(Mode)))
def test_any_choice_of_claims_becomes_a_whole_and_true_text(data, chosen, mode):
    plan, _ = chosen
    draft = data.draw(drafts(plan, KINDS))
    composed = compose(draft, plan, mode)
    assert all(claim.holds(plan) for claim in (*composed.kept, *composed.filled))
    assert not any(claim.holds(plan) for claim in composed.dropped)
    told = [atom for claim in (*composed.kept, *composed.filled) for atom in atoms_of(claim, plan)]
    assert sorted(told) == sorted(entry.atom_id for entry in plan.entries)  # each bin once, none missing
    drafted = len(draft.paragraph) + len(draft.bullets)
    assert len(composed.kept) + len(composed.dropped) + composed.repeats == drafted
    assert all(f"“{entry.label}”" in composed.text for entry in plan.entries)


@given(st.data(), st.sampled_from(PLANS), st.sampled_from(list(Mode)))
def test_what_is_said_of_themes_and_their_order_passes_the_verifier(data, chosen, mode):
    plan, atoms = chosen
    text = compose(data.draw(drafts(plan, THEMES_AND_ORDERS)), plan, mode).text
    assert verify(plan, text, mode, atoms).accepted


@given(st.text())
def test_any_answer_can_be_read_or_is_refused(answer):
    assert read(answer) is None or isinstance(read(answer), Draft)


@given(st.sampled_from(PLANS), st.sampled_from(list(Mode)))
def test_the_schema_offers_only_kinds_that_can_hold(chosen, mode):
    plan, _ = chosen
    offered = schema(plan, mode)["properties"]["paragraph"]["items"]["anyOf"]
    assert [kind["properties"]["claim"]["enum"] for kind in offered] == [[name] for name in allowed(plan, mode)]
    assert ("in_bin" in allowed(plan, mode)) == bool(plan.entries)
