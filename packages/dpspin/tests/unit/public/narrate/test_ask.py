"""Whatever is asked, the answer is verified sentences, or says plainly that it is not in the dictionary."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin import ask
from dpspin.boundary.atoms import Atom
from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.denominator import TotalMass
from dpspin.boundary.privacy import Prevalence
from dpspin.boundary.read_plan import reading_of, reread
from dpspin.errors import DictionaryError, RequestError
from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.narrate.ask import HOW_TO_ASK, MOST, asked
from dpspin.public.narrate.ask_beyond import Beyond
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.look_up import LONGEST
from dpspin.public.narrate.verify import Status, verify
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of
from random_plans import plans
from report_cards import card_of, identity, well_sorted
from shop_plans import stated
from text_viewed_plans import CAFE, LACKING, NEAREST

SHOP = universe_of(
    [
        Atom(
            id=1,
            label="slow refund",
            parent="money back",
            cues=("where is my cash",),
            description="Money comes back late.",
        ),
        Atom(id=2, label="refund refused", parent="money back"),
        Atom(id=3, label="late delivery", parent="delivery"),
        Atom(id=4, label="delivery", parent="delivery", description="Anything else about couriers."),
        Atom(id=5, label="app crashes"),
        Atom(id=6, label="24/7"),
    ]
)
UNTESTED = plan_of(SHOP, [300.0, 2.0, 500.0, 200.0, 100.0, 90.0])
PLAN = well_sorted(UNTESTED, SHOP)
REFUND = ("“Slow refund”: 15.0% (", "“Refund refused” is not among the listed themes: it has a share of 0.1% (")
CHOSEN = PLAN.model_copy(update={"noisy_sketch": None})
SORTED = (
    "The map was checked on labelled test text and not on these records: 100% of what was filed under a theme belonged "
    "there, and 100% of the themes in the text were found."
)
OF_WHAT = (
    "A share is a bounded noisy measure, not a count of records or users.",
    "Shares refer to a declared total of 2,000.",
)


def names(plan, universe, *questions):
    return [found.name for answer in asked(plan, universe, *questions).answers for found in answer.found]


@pytest.mark.parametrize(
    "question", ["refund", "REFUND", "refunds", "réfund", " Refund ", "re\u0301fund", "\u202erefund"]
)
def test_a_word_finds_every_theme_that_has_it_however_it_is_written(question):
    assert names(PLAN, SHOP, question) == ["slow refund", "refund refused"]
    told = ask(PLAN, SHOP, question)
    assert all(any(line.startswith(sentence) for line in told) for sentence in REFUND)
    assert told[0].startswith(REFUND[0])  # the answer comes first
    assert told[-3:] == (SORTED, *OF_WHAT)


def test_the_surest_way_of_looking_decides():
    assert names(PLAN, SHOP, "late delivery") == ["late delivery"]  # the label, and no other theme with its words
    assert names(PLAN, SHOP, "deliveries") == ["delivery", "delivery"]  # an area and a theme have this name
    assert names(PLAN, SHOP, "where is my CASH") == ["slow refund"]  # what else it is called
    assert names(PLAN, SHOP, "courier") == ["delivery"]  # a word of the description
    assert names(PLAN, SHOP, "money") == ["money back"]  # an area
    assert names(PLAN, SHOP, "crash") == ["app crashes"]
    assert names(PLAN, SHOP, "24/7") == ["24/7"]


def test_an_area_that_is_also_a_theme_is_answered_as_both():
    assert ask(PLAN, SHOP, "delivery")[:4] == (
        "The area “delivery” holds 35.0% (34.7% to 35.3% without the privacy noise).",
        "The area “delivery” has the largest share of all areas, as filed (35.0%).",
        "“Late delivery”: 25.0% (24.7% to 25.3% without the privacy noise).",
        "The theme “delivery”: 10.0% (9.7% to 10.3% without the privacy noise).",
    )


def test_a_marker_names_its_theme():
    assert names(PLAN, SHOP, "[atom:3]", "[atom: 5]") == ["late delivery", "app crashes"]
    assert ask(PLAN, SHOP, "[atom:77]") == ("“[atom:77]” is not in this dictionary.", HOW_TO_ASK)


@pytest.mark.parametrize("question", ["banana", "!!!", "日本", "\x1b[2J", "refund banana", "[atom:x]", "<b>"])
def test_what_is_not_there_is_said_to_be_not_there(question):
    answered = asked(PLAN, SHOP, question)
    assert not answered.all_found
    first, *_ = answered.lines()
    assert first.endswith("is not in this dictionary.")
    assert "\x1b" not in first


def test_the_nearest_names_are_offered():
    assert ask(PLAN, SHOP, "refnd") == (
        "“refnd” is not in this dictionary.",
        "The nearest names in it: “slow refund”, “refund refused”.",
        HOW_TO_ASK,
    )
    assert "late delivery" in ask(PLAN, SHOP, "late delvery banana")[1]
    universe = universe_of([Atom(id=0, label="red door"), Atom(id=1, label="slow refund")])
    assert "“slow refund”, “red door”" in ask(plan_of(universe, [500.0, 400.0]), universe, "refnd")[-2]


@pytest.mark.parametrize("question", ["", "  ", "\n", "x" * (LONGEST + 1), "refund " * 1500])
def test_a_question_without_an_end_or_a_beginning_is_refused(question):
    with pytest.raises(RequestError, match="name a theme"):
        ask(PLAN, SHOP, question)


def test_the_longest_question_is_answered():
    assert ask(PLAN, SHOP, "refund " * (LONGEST // 7))[0].startswith("“Slow refund”")


def test_many_matches_are_bounded_and_the_largest_come_first():
    universe = universe_of([Atom(id=i, label=f"red {chr(97 + i)}x") for i in range(9)])
    answered = asked(plan_of(universe, [100.0 * (i + 1) for i in range(9)]), universe, "red")
    (answer,) = answered.answers
    assert [found.theme for found in answer.found] == [8, 7, 6, 5, 4]
    assert len(answer.found) == MOST
    assert "4 more names match, such as “red dx”, “red cx”, “red bx”." in list(answered.lines())


def test_what_a_private_choice_did_not_release_has_no_share():
    chosen = "The listed themes were chosen with noise, and the themes that are not listed have no released values."
    assert ask(CHOSEN, SHOP, "refund refused") == (
        "“refund refused” is in this dictionary, but without a share: only listed themes have values here.",
        chosen,
        SORTED,
        *OF_WHAT,
    )
    told = ask(CHOSEN, SHOP, "money back")
    assert told[0] == "“Slow refund”: 15.0% (14.7% to 15.3% without the privacy noise)."
    assert "without a share" in told[1]
    assert told[2:4] == (chosen, SORTED)


def test_whoever_is_told_what_fits_no_theme_is_told_of_what_that_is_a_share():
    plan = well_sorted(plan_of(SHOP, [300.0, 2.0, 500.0, 200.0, 100.0, 90.0], none=400.0), SHOP)
    chosen = plan.model_copy(update={"noisy_sketch": None})  # so that nothing is known of the theme
    beside = "20.0% was filed under none of the themes (19.7% to 20.3% without the privacy noise)."
    told = ask(chosen, SHOP, "refund refused")
    assert beside in told
    assert told[-2:] == OF_WHAT
    assert ask(plan, SHOP, "banana") == ("“banana” is not in this dictionary.", HOW_TO_ASK)


@pytest.mark.parametrize("question", ["app crashes", "refund refused", "money back"])
def test_where_nothing_is_known_of_what_shares_refer_to_every_answer_says_so_and_none_has_a_share(question):
    small = plan_of(SHOP, [-30.0, 2.0, -10.0, 0.0, 40.0, 1.0])
    plan = reread(small, SHOP, reading_of(small).model_copy(update={"denominator": TotalMass()}))
    assert "No share is given, because what shares would refer to is too noisy." in ask(plan, SHOP, question)
    assert f"“{question}” is in this dictionary, but without a share." in ask(plan, SHOP, question)
    assert not any("%" in line or line.startswith("A share is") for line in ask(plan, SHOP, question))


def test_an_area_of_prevalences_has_no_sum():
    statement = PLAN.statement.model_copy(update={"quantity": Prevalence()})
    told = ask(PLAN.model_copy(update={"statement": statement}), SHOP, "money back")
    assert "“money back” is an area without a share: one record may count in many themes." in told


def test_meaning_quality_and_baseline_are_told():
    reading = reading_of(PAPER_PLAN).model_copy(
        update={"baseline": baseline_of(PAPER_UNIVERSE, {17: 1, 42: 60, 81: 20, 99: 20}, source="a survey")}
    )
    plan = reread(PAPER_PLAN, PAPER_UNIVERSE, reading)
    known = plan.statement.contribution_map.model_copy(update={"card": card_of(identity(5), ids=PAPER_UNIVERSE.ids)})
    plan = plan.model_copy(update={"statement": plan.statement.model_copy(update={"contribution_map": known})})
    told = " ".join(ask(plan, PAPER_UNIVERSE, "long wait", "friendly staff"))
    assert "In the dictionary, “long wait” stands for “guests wait a long time to be seated or served”." in told
    assert "Among the themes, “long wait” has a larger part than in the public baseline." in told
    assert "Among the themes, “friendly staff” has a smaller part than in the public baseline." in told
    assert "90% of what was filed under “long wait” belonged there." in told


def test_a_simulation_is_called_one_first():
    statement = PLAN.statement.model_copy(update={"randomness": "SIMULATED-NOT-PRIVATE"})
    told = ask(PLAN.model_copy(update={"statement": statement}), SHOP, "refund")
    assert "simulated and not private" in told[0]


def test_how_well_the_map_sorts_or_that_nobody_tested_it_is_said_behind_the_answer():
    never_tested = "The map is untested, so nobody knows how well it sorts these records."
    tested, untested = (ask(plan, SHOP, "refund refused") for plan in (PLAN, UNTESTED))
    assert untested == tuple(never_tested if line == SORTED else line for line in tested)
    assert SORTED in tested[1:]


@pytest.mark.parametrize("question", ["delivery", "late delivery"])
def test_whoever_asks_for_the_largest_is_told_what_sorting_leaves_open(question):
    left_open = "Sorting errors as on labelled test text may hide that another area or theme is the largest."
    assert left_open in ask(well_sorted(PLAN, SHOP, 0.3), SHOP, question)
    assert left_open not in ask(well_sorted(PLAN, SHOP, 0.3), SHOP, "crash")
    assert left_open not in ask(PLAN, SHOP, question)


@pytest.mark.parametrize("label", ["a “b” c", "late\u200b parcel", "turn\u202eed"])
def test_a_name_that_no_sentence_can_hold_is_refused_before_anything_is_answered(label):
    universe = universe_of([Atom(id=0, label=label), Atom(id=1, label="plain words")])
    with pytest.raises(DictionaryError, match="no text can speak of"):
        ask(plan_of(universe, [500.0, 400.0]), universe, "plain words")


def test_a_line_break_in_a_description_begins_no_line_of_its_own():
    universe = universe_of([Atom(id=0, label="late parcel", description="It is late\nCold soup has a share of 90%")])
    told = ask(plan_of(universe, [500.0]), universe, "late parcel")
    assert "In the dictionary, “late parcel” stands for “it is late Cold soup has a share of 90%”." in told
    assert not any("\n" in line for line in told)
    assert not any(line.startswith("Cold") for line in "\n".join(told).splitlines())


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how many people complain about late delivery?", ["late delivery"]),
        ("Please tell me about the refunds", ["slow refund", "refund refused"]),
        ("does the app crash?", ["app crashes"]),
        ("is slow refund or late delivery larger?", ["slow refund", "late delivery", "the two"]),
        ("what is the biggest problem?", ["the largest"]),
        ("what do customers complain about most?", ["the largest"]),
        ("top 3 themes", ["the largest"]),
        ("how many records are there?", ["how many"]),
        ("what else do people complain about?", ["what is missing"]),
        ("what is missing?", ["what is missing"]),
        ("what does the dictionary lack?", ["what is missing"]),
        ("show me an example", ["an example"]),
        ("an example of late delivery, please", ["late delivery"]),
    ],
)
def test_questions_as_people_type_them(question, expected):
    assert names(PLAN, SHOP, question) == expected


def test_the_biggest_problem_is_the_largest_theme():
    told = ask(PLAN, SHOP, "what is the biggest problem?")
    assert "“Late delivery” has the largest share of all themes, as filed (25.0%)." in told[:2]


def test_what_no_release_tells_is_said_so():
    assert "How many records or users there are is not told" in " ".join(ask(PLAN, SHOP, "how many records are there?"))
    how_many = "how many customers write of late delivery?"
    assert "How many write of it is not counted here" in " ".join(ask(PLAN, SHOP, how_many))
    assert "not counted here" not in " ".join(ask(stated(PLAN, quantity=Prevalence()), SHOP, how_many))


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("why does the app crash?", Beyond.CAUSE),
        ("what causes late delivery?", Beyond.CAUSE),
        ("who complains most?", Beyond.PERSON),
        ("which customer wrote about a slow refund?", Beyond.PERSON),
        ("did u0042 mention late delivery?", Beyond.PERSON),
        ("show me a ticket about late delivery", Beyond.RECORD),
        ("what did the courier say?", Beyond.RECORD),
        ("will late delivery be larger?", Beyond.FUTURE),
        ("should we care about late delivery?", Beyond.ADVICE),
        ("now that the app crashes, is late delivery larger?", Beyond.ASSUMED),
        ("did late delivery double?", Beyond.ASSUMED),
        ("is late delivery larger than at a competitor?", Beyond.OTHERS),
        ("does late delivery lead to a slow refund?", Beyond.CAUSE),
        ("name three customers with late delivery", Beyond.PERSON),
        ("how long does late delivery last?", Beyond.UNMEASURED),
        ("which courier has late delivery?", Beyond.UNMEASURED),
        ("how many couriers are there?", Beyond.UNMEASURED),
        ("how much does late delivery cost?", Beyond.UNMEASURED),
    ],
)
def test_what_no_release_can_say_is_told_by_the_shape_of_the_question(question, why):
    (answer,) = asked(PLAN, SHOP, question).answers
    assert (answer.found, answer.cannot_say) == ((), why.value)
    assert ask(PLAN, SHOP, question) == (why.value, HOW_TO_ASK)


@pytest.mark.parametrize(
    "question",
    [
        "is late delivery a zebra problem?",
        "do women mention late delivery?",
        "do money customers mention slow refund?",  # a word of the theme, but here it says who
        "is late delivery larger at night?",
    ],
)
def test_a_word_that_belongs_to_nothing_leaves_a_question_without_an_answer(question):
    (answer,) = asked(PLAN, SHOP, question).answers
    assert answer.cannot_say in {Beyond.UNKNOWN.value, Beyond.NO_PLACE.value}


def test_the_promise_and_the_areas_are_told():
    assert "epsilon" in " ".join(ask(PLAN, SHOP, "how private is this?"))
    assert "The area “delivery” holds" in " ".join(ask(PLAN, SHOP, "which areas are the largest?"))


def test_examples_and_candidates_are_told_where_they_were_measured():
    told = ask(NEAREST, CAFE, "show me an example of a long wait")
    assert "[We waited an hour for a table.]" in told[0]
    assert "“good coffee”" in " ".join(ask(NEAREST, CAFE, "give me some quotes"))
    assert "No example is certainly nearest" in " ".join(ask(NEAREST, CAFE, "an example of fair price"))
    lacking = ask(LACKING, CAFE, "what does the dictionary lack?")
    assert "the candidate “gift cards”" in lacking[0]
    assert asked(LACKING, CAFE, "what is missing?").all_found


@pytest.mark.parametrize("question", ["show me an example", "what is missing?"])
def test_to_be_told_that_nothing_was_measured_is_no_answer(question):
    answered = asked(PLAN, SHOP, question)
    assert not answered.all_found
    assert "next" in " ".join(answered.lines())


@settings(max_examples=60)
@given(plans(), st.data())
def test_every_answer_about_every_plan_is_verified_and_every_name_is_found(released, data):
    plan, universe = released.plan, released.universe
    facts = Facts(plan, universe)
    name = data.draw(st.sampled_from([*facts.labels.values(), *facts.areas]))
    answered = asked(plan, universe, name)
    assert name in [found.name for found in answered.answers[0].found]
    for found in answered.answers[0].found:
        added_up = found.name in facts.area_estimates and facts.read is None
        measured = added_up if found.theme is None else found.theme in facts.masses
        has_share = measured and facts.has_shares
        assert (found.note is None) is has_share
        assert found.sentences or not has_share
        for sentence in found.sentences:
            (again,) = verify(plan, sentence.text, "display", universe).sentences
            assert again.status is Status.VERIFIED


@settings(max_examples=60)
@given(plans(), st.text(max_size=40).filter(str.strip))
def test_anything_may_be_asked(released, question):
    for line in ask(released.plan, released.universe, question):
        assert "\n" not in line


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "plan.json").write_text(PLAN.to_json())
    (tmp_path / "atoms.json").write_text(dumps(SHOP))
    return tmp_path


def test_the_command_answers_and_tells_by_its_exit_code_what_is_missing(folder, dpspin):
    ran = dpspin("ask", folder, "refund", "crash")
    assert (ran.code, ran.err) == (0, "")
    assert tuple(filter(None, ran.out.splitlines())) == ask(PLAN, SHOP, "refund", "crash")
    assert len(ran.out.split("\n\n")) == 3  # two answers, and what holds for both
    assert dpspin("ask", folder / "plan.json", "refund", "banana").code == 1
    assert dpspin("ask", folder, "").code == 2
    assert dpspin("ask", folder, "x" * 10_000).code == 2
    assert dpspin("ask", folder, "a\x1b[2J").code == 2
    assert dpspin("ask", folder).code == 2


def test_the_command_answers_as_data(folder, dpspin):
    answered = json.loads(dpspin("ask", folder, "refund", "banana", "--json").out)
    first, second = answered["answers"]
    assert [found["theme"] for found in first["found"]] == [1, 2]
    assert first["found"][0]["sentences"][0]["claims"] == ["interval_of"]
    assert second == {"question": "banana", "found": [], "others": [], "nearest": [], "unknown": [], "beyond": None}
