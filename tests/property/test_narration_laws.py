"""Laws of narration: the template is accepted for every plan, and verification is a function of plan and text."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.boundary.atoms import Atom
from dpspin.boundary.plan import SupportBin, three_bins
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.sentences import linked_sentences
from dpspin.public.stage3_narrate.verify.verifier import verify
from factories import plan_of, universe_of

PIECES = (
    "wait", "waits", "long", "food", "drink", "food and drink", "high support", "more than", "low",
    "the highest", "theme", "support", "noise", "most important", "24/7", "3", "318.4", "50%", "twice", "No. 1",
    "(a)", "/", ",", ".", "; ", "- ", ":", '"so"', "it's", "and", "while", "but", "has", "is", "many users",
    "a@b.org", "Dr. Who", "Friday", "[atom:1]", "[atom: 2]", "555-123-4567", "İstanbul", "ß", "日本", "é", "*",
    "_", "?", "belongs to none of", "[none]", "none of these", "text", "first", "second", "leads", "not",
)  # fmt: skip
LABELS = st.one_of(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map(" ".join),
    st.text(st.characters(blacklist_categories=("C", "Zl", "Zp"), blacklist_characters="“”"), min_size=1, max_size=8),
).map(str.strip).filter(bool)  # fmt: skip
BINS = st.sampled_from(
    (
        three_bins(0.05, 0.02),
        (SupportBin(name="any", at_least=0),),
        (
            SupportBin(name="very high", at_least=0.1),
            SupportBin(name="high", at_least=0.01),
            SupportBin(name="faint", at_least=0),
        ),
    )
)
MASSES = st.one_of(
    st.sampled_from([0.0, -0.04, 7.0, 60.0, 60.5, 300.0]), st.floats(-50, 5000).map(lambda x: round(x, 3))
)


@st.composite
def plans(draw):
    labels = draw(st.lists(LABELS, min_size=1, max_size=9, unique_by=str.casefold))
    universe = universe_of([Atom(id=i, label=label) for i, label in enumerate(labels)])
    masses = draw(st.lists(MASSES, min_size=len(labels), max_size=len(labels)))
    size = draw(st.integers(1, len(labels)))
    admission = draw(st.sampled_from(["threshold", "fixed"]))
    denominator = draw(st.sampled_from([1, 100, 2000, 123456789]))
    shape = {"size": size, "admission": admission, "denominator": denominator, "bins": draw(BINS)}
    plan = plan_of(universe, masses, **shape, none=draw(st.none() | MASSES))
    randomness = draw(st.sampled_from(["os-csprng", "SIMULATED-NOT-PRIVATE"]))
    statement = plan.statement.model_copy(update={"randomness": randomness})
    return universe, plan.model_copy(update={"statement": statement})


@settings(max_examples=400, deadline=None)
@given(plans(), st.sampled_from(Mode), st.booleans())
def test_the_template_is_accepted_whatever_the_labels_are(released, mode, with_dictionary):
    universe, plan = released
    text = TemplateDecoder(mode)(plan)
    verdict = verify(plan, text, mode, universe if with_dictionary else None)
    assert verdict.violations == (), text


@settings(max_examples=100, deadline=None)
@given(plans(), st.sampled_from(Mode))
def test_the_template_tells_what_is_uncovered_before_any_theme(released, mode):
    _, plan = released
    _, second, *_ = linked_sentences(TemplateDecoder(mode)(plan), plan, mode)
    assert second.none == (plan.uncovered is not None)
    assert second.accepted


@settings(max_examples=150, deadline=None)
@given(plans(), st.sampled_from(Mode), st.floats(0.01, 0.9))
def test_another_share_of_what_is_uncovered_is_refused(released, mode, shift):
    """The written share is moved by more than its last digit: whatever else the plan holds, it is not this value."""
    _, plan = released
    if plan.uncovered is None:
        return
    text = TemplateDecoder(mode)(plan)
    share = next(re.finditer(r"support of ([\d,]+\.?\d*)%", text))
    wrong = 1000 + 100 * (plan.uncovered.high / plan.denominator.value + shift)
    forged = f"{text[: share.start(1)]}{wrong:.4f}{text[share.end(1) :]}"
    assert "unsupported-number" in verify(plan, forged, mode).rules()


@settings(max_examples=100, deadline=None)
@given(plans(), st.sampled_from(Mode))
def test_the_template_links_every_entry_to_a_sentence(released, mode):
    _, plan = released
    linked = {i for sentence in linked_sentences(TemplateDecoder(mode)(plan), plan, mode) for i in sentence.atom_ids}
    assert linked == {entry.atom_id for entry in plan.entries}


@settings(max_examples=150, deadline=None)
@given(plans(), st.text(max_size=80), st.sampled_from(Mode))
def test_any_text_gets_a_verdict_that_agrees_with_its_violations(released, text, mode):
    _, plan = released
    verdict = verify(plan, text, mode)
    assert verdict.accepted == (not verdict.violations)
    assert all(0 <= v.span[0] <= v.span[1] <= len(text) for v in verdict.violations)
