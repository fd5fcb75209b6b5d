"""Mutations: each changes the text, repeats by seed, and is false of its plan by a test of its own."""

import re
from functools import cache
from itertools import permutations, product
from string import Formatter

import pytest

from dpspin.lab.datasets.chance import chance_of
from dpspin.lab.verifier.kinds import KINDS
from dpspin.lab.verifier.mutations import edits
from dpspin.lab.verifier.mutations.figures import is_released, released_numbers, wrong_number, wrong_whole
from dpspin.lab.verifier.mutations.generate import mutated_cases, mutations_of, true_cases
from dpspin.lab.verifier.mutations.sentences import false_sentence, planted, wordings
from dpspin.lab.verifier.mutations.slots import filled, slot_names
from dpspin.lab.verifier.mutations.summary import Summary, is_above
from dpspin.lab.verifier.plans import benchmark_plans
from dpspin.public.stage3_narrate.claims.counts import CountInBin
from dpspin.public.stage3_narrate.claims.orders import Compare, Highest, Tie
from dpspin.public.stage3_narrate.policy import Mode

SEEDS = range(12)
RESTAURANTS = "restaurants"


def summary_of(text, plan=RESTAURANTS, mode=Mode.DISPLAY):
    return Summary(plan, *benchmark_plans()[plan], mode, text)


@cache
def every_summary():
    return [summary_of(case.text, case.plan, case.mode) for case in true_cases(0)]


def ids_in(summary, sentence):
    """Return the themes of an audit sentence by their markers, in the order of the words."""
    return [int(number) for number in re.findall(r"\[atom:(\d+)\]", sentence)]


def drawn(wording, plan, mode=Mode.AUDIT):
    summary = summary_of("-", plan, mode)
    sentences = (filled(wording, summary, chance_of(seed, wording)) for seed in SEEDS)
    return [(summary, sentence) for sentence in sentences if sentence is not None]


def test_every_kind_can_be_planted_and_every_wording_knows_its_slots():
    assert all(mutations_of(kind) for kind in KINDS)
    assert set(wordings()) <= set(KINDS)
    used = {
        name for lines in wordings().values() for line in lines for _, name, _, _ in Formatter().parse(line) if name
    }
    assert used <= slot_names()


@pytest.mark.parametrize("kind", KINDS)
def test_each_mutation_changes_an_applicable_text(kind):
    for number, mutation in enumerate(mutations_of(kind)):
        texts = [(summary.text, mutation(summary, chance_of(kind, number))) for summary in every_summary()]
        changed = [after for before, after in texts if after is not None and after != before]
        assert changed, f"mutation {number} of {kind} never applies"
        assert all(after != before for before, after in texts)


def test_every_wording_can_be_filled_for_some_plan():
    for lines in wordings().values():
        for line in lines:
            assert any(drawn(line, plan) for plan in benchmark_plans()), line


def test_cases_repeat_by_seed_and_differ_by_seed():
    first, again, other = ([case.text for case in mutated_cases(seed, per_kind=1)] for seed in (3, 3, 4))
    assert first == again != other
    assert len(first) == len(KINDS)


@pytest.mark.parametrize("plan", benchmark_plans())
def test_pairs_in_order_are_supported_and_close_pairs_are_not(plan):
    for summary, sentence in drawn("{higher} > {lower}", plan):
        higher, lower = ids_in(summary, sentence)
        assert Compare(higher, lower).holds(summary.plan)
        assert not Compare(lower, higher).holds(summary.plan)
        assert not Tie((higher, lower)).holds(summary.plan)
    for summary, sentence in drawn("{a} ~ {b}", plan):
        a, b = ids_in(summary, sentence)
        assert not Compare(a, b).holds(summary.plan)
        assert not Compare(b, a).holds(summary.plan)


@pytest.mark.parametrize("plan", benchmark_plans())
def test_false_superlatives_ranks_bins_and_counts_do_not_hold(plan):
    for summary, sentence in drawn("{not_top}", plan):
        assert not Highest(*ids_in(summary, sentence)).holds(summary.plan)
    for summary, sentence in drawn("{theme} / {other_bin} / {wrong_rank}", plan):
        (atom,) = ids_in(summary, sentence)
        _, bin_name, rank = sentence.split(" / ")[-3:]
        entry = summary.plan.entry(atom)
        assert (entry.bin, str(entry.rank)) != (bin_name, rank)
        assert entry.bin != bin_name
        assert str(entry.rank) != rank
    for summary, sentence in drawn("{wrong_bin_count} / {counted_bin}", plan):
        number, bin_name = sentence.lower().split(" / ")
        assert number not in CountInBin(bin_name).sentence(summary.plan, None, 0).lower().split()
        assert number != _word(sum(entry.bin == bin_name for entry in summary.entries))


def _word(number):
    return ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")[number]


@pytest.mark.parametrize("plan", benchmark_plans())
def test_quantifiers_are_false(plan):
    for summary, sentence in drawn("{some_bin} / {rare_bin}", plan):
        some, rare = sentence.lower().split(" / ")
        held = [entry.bin for entry in summary.entries]
        assert 0 < held.count(some) < len(held)
        assert 0 < held.count(rare) < len(held) / 2
    for summary, sentence in drawn("{one} {mate} {shared_bin}", plan):
        one, mate = ids_in(summary, sentence)
        assert summary.plan.entry(one).bin == summary.plan.entry(mate).bin
        assert sentence.endswith(summary.plan.entry(one).bin)
    for summary, sentence in drawn("{insider} {outsider} {insider_bin}", plan):
        insider, outsider = ids_in(summary, sentence)
        assert summary.plan.entry(insider).bin != summary.plan.entry(outsider).bin


@pytest.mark.parametrize("plan", benchmark_plans())
def test_multiples_are_far_from_the_truth(plan):
    for summary, sentence in drawn("{big} {small}", plan):
        big, small = (summary.plan.entry(atom).noisy_mass for atom in ids_in(summary, sentence))
        assert all(abs(big - times * small) > 0.05 * big for times in (1 / 3, 1 / 2, 1, 2, 3))


@pytest.mark.parametrize("plan", benchmark_plans())
def test_wrong_parameters_differ_from_the_statement(plan):
    for summary, sentence in drawn("{wrong_epsilon} {wrong_denominator} {wrong_dictionary} {wrong_size}", plan):
        epsilon, denominator, dictionary, size = map(float, sentence.split())
        stated = summary.plan
        assert epsilon != stated.statement.loss.epsilon
        assert denominator != stated.denominator.value
        assert dictionary != stated.dictionary.size
        assert size not in (stated.rules.size, len(stated.entries))
    for summary, sentence in drawn("{wrong_mechanism} {wrong_unit} {wrong_count_digits}", plan):
        noise, unit, count = sentence.split()
        assert noise.lower() != summary.plan.statement.noise.kind
        assert unit != summary.plan.statement.unit.kind
        assert int(count) not in (len(summary.entries), summary.plan.dictionary.size)


@pytest.mark.parametrize("plan", benchmark_plans())
def test_wrong_numbers_are_no_rounding_of_a_released_number(plan):
    released = benchmark_plans()[plan][0]
    for right, seed in product(list(released_numbers(released))[:40], range(3)):
        number, whole = (draw(released, right, chance_of(seed)) for draw in (wrong_number, wrong_whole))
        for digits in (0, 1, 2):
            assert round(number, 1) not in {round(each, digits) for each in released_numbers(released)}
            assert whole not in {round(each, digits) for each in released_numbers(released)}


def test_unlisted_themes_are_unlisted():
    for plan in benchmark_plans():
        for summary, sentence in drawn("{hidden}", plan):
            assert summary.plan.entry(*ids_in(summary, sentence)) is None


def test_the_order_is_that_of_the_claims():
    for plan, _ in benchmark_plans().values():
        for one, other in permutations(plan.entries, 2):
            assert is_above(plan, one, other) == Compare(one.atom_id, other.atom_id).holds(plan)


@pytest.mark.parametrize(
    ("edit", "before", "after"),
    [
        (edits.other_bin, "Price has low support.", r"Price has (high|moderate) support\."),
        (edits.denied_bin, "Price has low support.", r"Price does not have low support\."),
        (edits.turned_comparison, "Price has less. It has more support than price.", r".* lower support than price\."),
        (edits.turned_inverse, "Price has lower support than long wait.", r"Price has higher support than long wait\."),
        (edits.miscounted, "The plan lists six themes.", r"The plan lists (four|five|seven|eight) themes\."),
        (edits.stranger_in_list, "High bin? Low support: price, outdoor seating.", r"High bin\? Low support: .*"),
        (edits.wrong_cell, "| price | low |", r"\| price \| (high|moderate) \|"),
        (edits.wrong_cell, "| price | 121.8 |", r"\| price \| (?!121\.8)[\d.]+ \|"),
        (edits.wrong_figure, "Price: 6.1% of it.", r"Price: (?!6\.1)[\d.]+% of it\."),
        (edits.wrong_figure_in_words, "Mass 318.4.", r"Mass [a-z -]+\."),
        (
            edits.unlisted_for_listed,
            "Price is listed.",
            r"(cleanliness|loud music|parking problems|vegan options) is .*",
        ),
        (edits.invented_for_listed, "Price is listed.", r"(?!Price)[a-z -]+ is listed\."),
    ],
)
def test_an_edit_changes_one_spot(edit, before, after):
    for seed in SEEDS:
        changed = edit(summary_of(before), chance_of(seed))
        assert changed is not None
        assert re.fullmatch(after, changed)
        assert changed != before


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (edits.other_bin, "Support staff has high support."),  # of another plan
        (edits.turned_comparison, "We cannot say whether price has higher support than long wait."),
        (edits.stranger_in_list, "Price and outdoor seating are listed."),
        (edits.stranger_in_list, "Neither long wait nor price falls in the moderate bin."),
        (edits.wrong_figure, "No number here."),
        (edits.miscounted, "The plan lists themes."),
        (edits.wrong_cell, "Price is low."),
        (edits.no_marker, "Price is low."),
    ],
)
def test_an_edit_leaves_alone_what_it_cannot_falsify(edit, text):
    assert all(edit(summary_of(text), chance_of(seed)) is None for seed in SEEDS)


def test_markers_are_swapped_lost_or_foreign():
    marked = summary_of("Price [atom:24] has low support.", mode=Mode.AUDIT)
    plan = marked.plan
    for seed in SEEDS:
        (swapped,), (foreign,) = (
            ids_in(marked, edit(marked, chance_of(seed))) for edit in (edits.other_marker, edits.foreign_marker)
        )
        assert plan.entry(swapped).label != "price"
        assert plan.entry(foreign) is None
        assert edits.no_marker(marked, chance_of(seed)) == "Price has low support."


def test_marker_kinds_stay_in_audit_mode():
    kinds = ("wrong-marker", "missing-marker", "unknown-marker")
    assert {case.mode for case in mutated_cases(0, per_kind=2) if case.kind in kinds} == {Mode.AUDIT}


def test_a_sentence_is_put_into_prose_anywhere_and_behind_a_list_at_the_end():
    prose = "Price has low support. Long wait has high support."
    texts = {planted("completeness", summary_of(prose), chance_of(seed)) for seed in range(60)}
    assert {text.startswith("Price") for text in texts} == {True, False}
    assert any("support. Long" not in text for text in texts)
    listed = planted("completeness", summary_of("- price\n- long wait"), chance_of(0))
    assert listed.startswith("- price\n- long wait\n\n")


def test_no_sentence_where_a_plan_has_nothing_to_say_it_of():
    empty = summary_of("No theme is listed.", "library-survey")
    assert false_sentence("wrong-comparison", empty, chance_of(0)) is None
    assert false_sentence("completeness", empty, chance_of(0)) is not None


def test_look_alikes_look_alike():
    summary = summary_of("Price has low support.")
    for edit in (edits.cyrillic_letter, edits.zero_width):
        changed = edit(summary, chance_of(1))
        assert changed != summary.text
        assert not changed.isascii()
    assert not is_released(summary.plan, 77.0)
