from dpspin.boundary.atoms import Atom
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.passages import BLOT
from dpspin.public.stage3_narrate.verify.text import parse
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of


def parsed(raw, plan=PAPER_PLAN, mode=Mode.AUDIT, atoms=None):
    return parse(raw, plan, mode, atoms)


def plan_with(*labels):
    universe = universe_of([Atom(id=i, label=label) for i, label in enumerate(labels)])
    return plan_of(universe, [100.0 - i for i in range(len(labels))])


def mentioned(raw, plan, mode=Mode.DISPLAY):
    return [(mention.atom_id, raw[slice(*mention.span)]) for mention in parsed(raw, plan, mode).mentions]


def test_sentences_end_at_stops_lines_and_bullets_but_not_at_decimals_or_abbreviations():
    raw = (
        "Mass 318.4 is released, e.g. long wait. Noise adds 1.5! Is it clear?\n- first bullet\n2. second bullet\n\nend"
    )
    assert [sentence.text for sentence in parsed(raw).sentences] == [
        "Mass 318.4 is released, e.g. long wait.",
        "Noise adds 1.5!",
        "Is it clear?",
        "first bullet",
        "second bullet",
        "end",
    ]
    assert [sentence.bullet for sentence in parsed(raw).sentences] == [False, False, False, True, True, False]


def test_sentence_spans_point_at_the_raw_text():
    raw = "  One here.\n\n* Two there [atom:17]. Three."
    for sentence in parsed(raw).sentences:
        assert raw[slice(*sentence.span)] == sentence.text


def test_a_full_stop_inside_a_label_ends_no_sentence():
    plan = plan_with("St. Mary's Hosp. wait")
    assert len(parsed("The plan lists “St. Mary's Hosp. wait” and more.", plan).sentences) == 1


def test_the_longest_label_wins():
    plan = plan_with("price", "reasonable price")
    assert mentioned("Reasonable price, price.", plan) == [(1, "Reasonable price"), (0, "price")]


def test_case_plural_and_hyphens_do_not_matter():
    plan = plan_with("check-in queue", "dish")
    assert mentioned("Check in queues and DISHES", plan) == [(0, "Check in queues"), (1, "DISHES")]


def test_a_label_is_a_whole_word():
    assert mentioned("prices, priceless, pricey, reprice", plan_with("price")) == [(0, "prices")]


def test_the_exact_spelling_decides_between_labels_that_differ_in_number_only():
    plan = plan_with("waits", "wait", "long-wait", "long wait")
    assert mentioned("wait waits “long wait” “long-wait”", plan) == [
        (1, "wait"),
        (0, "waits"),
        (3, "long wait"),
        (2, "long-wait"),
    ]


def test_a_label_of_plan_vocabulary_is_meant_only_in_quotes_or_before_its_marker():
    plan = plan_with("high support")
    assert mentioned("High support is rare; “high support” is a theme.", plan) == [(0, "high support")]
    assert mentioned("high support [atom:0], high support [atom:3]", plan, Mode.AUDIT) == [(0, "high support")]


def test_labels_and_markers_are_masked_and_the_rest_is_kept():
    raw = "long wait [atom:17] has 3 more"
    masked = parsed(raw).whole.masked
    assert len(masked) == len(raw)
    assert masked.replace(BLOT, "") == "  has 3 more"


def test_a_label_and_its_marker_are_one_reference():
    assert [r.atom_id for r in parsed("long wait time [atom:17] and [atom:42]").whole.references] == [17, 42]


def test_labels_outside_the_plan_are_mentions_that_are_not_admitted():
    (mention,) = parsed("parking problems", atoms=PAPER_UNIVERSE).mentions
    assert (mention.atom_id, mention.admitted) == (99, False)
