from dpspin.public.stage3_narrate.claims.claim import rendered
from dpspin.public.stage3_narrate.claims.values import Coverage
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.sentences import LinkedSentence, linked_sentences
from factories import PAPER_PLAN


def test_each_sentence_points_at_its_plan_rows():
    text = "This is a summary of the plan. Long wait has high support.\n- Friendly staff and food quality are listed"
    assert linked_sentences(text, PAPER_PLAN) == (
        LinkedSentence("This is a summary of the plan.", (), accepted=True),
        LinkedSentence("Long wait has high support.", (17,), accepted=True),
        LinkedSentence("Friendly staff and food quality are listed", (42, 81), accepted=True, bullet=True),
    )


def test_a_sentence_that_breaks_a_rule_is_not_accepted_and_does_not_taint_the_others():
    text = "Long wait [atom:17] has low support. Friendly staff [atom:42] is listed."
    assert [sentence.accepted for sentence in linked_sentences(text, PAPER_PLAN, Mode.AUDIT)] == [False, True]


def test_an_atom_outside_the_plan_is_not_linked():
    (sentence,) = linked_sentences("long wait [atom:17] and [atom:99]", PAPER_PLAN, Mode.AUDIT)
    assert sentence.atom_ids == (17,)
    assert not sentence.accepted


def test_what_is_said_of_all_listed_themes_rests_on_every_row():
    text = rendered(Coverage(), PAPER_PLAN, Mode.DISPLAY)
    (sentence,) = linked_sentences(text, PAPER_PLAN)
    assert sentence.atom_ids == (17, 42, 81)
    (other,) = linked_sentences(text.replace("41.8", "41.9"), PAPER_PLAN)
    assert other.atom_ids == ()
    assert not other.accepted
