"""What a plan with a read sample lets a text say, and what it refuses: sentences written to pass."""

import pytest

from dpspin.boundary.denominator import TotalMass
from dpspin.boundary.grounding import Grounding
from dpspin.boundary.privacy import Prevalence, UserUnit
from dpspin.errors import RequestError
from dpspin.public.narrate.ask import ask
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Length, Mode
from dpspin.public.narrate.verify import Status, settle, verify
from grounded_plans import grounded
from shop_plans import CLEAR, MENTIONED, SHOP, read_by, shop

TRUTH = [700.0, 300.0, 160.0, 120.0, 60.0, 60.0, 0.0, 500.0]  # none last
PLAN = grounded(shop(none=700.0), SHOP, TRUTH, grounding=Grounding(rate=0.2, share=0.5, reader="a person"))
TIED = grounded(shop(none=700.0), SHOP, [300.0, 420.0, 160.0, 120.0, 60.0, 60.0, 0.0, 790.0])


def sentences(plan):
    """Return everything that the template and `ask` say of a plan."""
    told = TemplateDecoder(Mode.DISPLAY, Length.FULL)(Facts(plan, SHOP))
    return [each.text.removeprefix("- ") for each in verify(plan, told, "display", SHOP).sentences]


def of(plan, begins):
    (one,) = {each for each in [*sentences(plan), *ask(plan, SHOP, "app crashes")] if each.startswith(begins)}
    return one


def rule(plan, sentence):
    (verdict,) = verify(plan, sentence, "display", SHOP).sentences
    return None if verdict.status is Status.VERIFIED else verdict.rule


LARGEST = of(PLAN, "A reader would file more under “app crashes” than under any")
ALIKE = of(PLAN, "On these records")
HOW = of(PLAN, "About 400")


def test_the_reading_leads_and_says_how_it_was_read():
    first = TemplateDecoder(Mode.DISPLAY, Length.FULL)(Facts(PLAN, SHOP)).split("\n\n")[0]
    assert LARGEST in first
    assert ALIKE in first
    assert "as filed" not in first
    assert HOW.startswith("About 400 of the records were drawn by chance and the text was read by “a person”")


REFUSED = {
    "the map's own largest": ("“App crashes” has the largest share of all themes, as filed (22.1%).", "map-alone"),
    "a share without the noise only": (
        "“App crashes” has a share of 22.1% (21.6% to 22.7% without the privacy noise).",
        "map-alone",
    ),
    "an order by the map": ("“App crashes” has a larger share than “lost data”.", "map-alone"),
    "an area's sum": ("The area “software” has the largest share of all areas, as filed (37.1%).", "map-alone"),
    "another theme is the largest": (LARGEST.replace("app crashes", "lost data"), "unsupported-superlative"),
    "a narrower range": (of(PLAN, "A reader would file 1").replace("to ", "to 1"), "wrong-number"),
    "one number in the place of a range": ("A reader would file 35.0% under “app crashes”.", "not-read"),
    "a best guess": ("The best guess of “app crashes” is 35.0%.", "not-read"),
    "more agreement": (ALIKE.replace("to 9", "to 8"), "wrong-number"),
    "agreement as one number": (ALIKE.replace("84% to 97%", "about 91%"), "not-read"),
    "agreement of records": (ALIKE.replace("of the mass", "of the records"), "not-read"),
    "more readings": (HOW.replace("400", "4,000"), "wrong-number"),
    "another reader": (HOW.replace("a person", "an expert"), "not-read"),
    "a theme for a reader": (HOW.replace("a person", "app crashes"), "not-read"),
    "how many were drawn": (HOW.replace("About 400", "400"), "not-read"),
    "nothing about the sample is secret": (HOW.partition(", but")[0] + ".", "not-read"),
    "certainty": ("A reader certainly would file 30.4% to 40.3% under “app crashes”.", "not-read"),
    "every reader": ("Every reader would file 30.4% to 40.3% under “app crashes”.", "not-read"),
    "what the sample holds": ("The reader filed 30.4% to 40.3% of the sample under “app crashes”.", "not-read"),
    "a sum": ("A reader would file 44.0% to 59.4% under “app crashes” and “lost data” together.", "not-read"),
    "the map's interval as the reader's": ("A reader would file 21.6% to 22.7% under “app crashes”.", "wrong-number"),
    "the reader's interval as the map's": (
        "The map alone files 22.1% under “app crashes” (30.4% to 40.3% without the privacy noise).",
        "wrong-number",
    ),
    "an interval that a rounding cut": ("A reader would file 30.5% to 40.3% under “app crashes”.", "wrong-number"),
    "an order with what is not listed": (
        "A reader would file more under “app crashes” than under “broken zip”.",
        "unsupported-label",
    ),
    "another confidence": (of(PLAN, "What is said of a reader").replace("95%", "99%"), "wrong-number"),
    "an interval that is above zero": (
        "By the reading, the interval of “app crashes” reaches down to zero.",
        "unsupported-clearance",
    ),
    "the wrong quantity": ("A reader would find “app crashes” in 30.0% to 40.0% of the records.", "wrong-number"),
    "errors of the reader are covered": (
        of(PLAN, "What is said of a reader").replace(", but no errors of the reader", " and errors of the reader"),
        "not-read",
    ),
    "the small one is larger": (
        "A reader would file more under “rude driver” than under “app crashes”.",
        "unsupported-comparison",
    ),
    "an overlap that is none": (
        "By the reading, the intervals of “app crashes” and “rude driver” overlap.",
        "unsupported-comparison",
    ),
    "the map was not checked": (
        "The map is untested, so nobody knows how well it sorts these records.",
        "unsupported-public-claim",
    ),
}
MENTIONS = (
    "A share is a noisy count of records with at least 10% of a record filed under a theme, "
    "out of a declared total of 2,000, and each counts for 3 themes at most."
)


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_reading_does_not_support_is_refused(name):
    sentence, broken = REFUSED[name]
    assert rule(PLAN, sentence) == broken


def test_without_a_reading_nothing_is_said_of_a_reader():
    assert rule(CLEAR, "A reader would file 20.0% to 24.0% under “app crashes”.") == "unsupported-reading"
    assert rule(CLEAR, ALIKE) == "unsupported-reading"


def test_what_overlaps_is_not_called_the_largest():
    told = sentences(TIED)
    assert told[1].startswith("By the reading of a sample “lost data” comes first (")
    assert (
        rule(TIED, "A reader would file more under “lost data” than under “app crashes”.") == "unsupported-comparison"
    )


def test_what_the_map_alone_files_is_said_beside_what_a_reader_would_file():
    alone = of(PLAN, "The map alone files")
    missing = [each.message for each in verify(PLAN, alone, "display", SHOP).missing]
    assert any("A reader would file" in message and "“app crashes”" in message for message in missing)
    assert alone in settle(alone, Language(Facts(PLAN, SHOP), Mode.DISPLAY)).text


def test_no_text_is_silent_about_the_map_on_these_records_and_the_reading():
    only = of(PLAN, "A reader would file 1")
    asked = " ".join(each.message for each in verify(PLAN, only, "display", SHOP).missing)
    assert all(words in asked for words in (ALIKE, HOW, "which covers the privacy noise"))


def test_what_is_listed_though_its_interval_reaches_down_to_zero_is_said_to():
    missing = [each.message for each in verify(TIED, "“Rude driver” is listed.", "display", SHOP).missing]
    assert "Add: By the reading, the interval of “rude driver” reaches down to zero." in missing


def test_how_far_a_map_agrees_is_not_told_where_it_cannot_answer_none():
    """What a reader files nowhere is then in no sum: half of it would seem to lie where the reader puts it."""
    all_of_it, nothing = shop([1000.0, *[0.0] * 6], denominator=1000), [0.0] * 7
    plan = grounded(all_of_it, SHOP, nothing, grounding=Grounding(rate=0.2, share=0.5, reader="a person"))
    assert plan.grounded.sorted_alike is None
    assert rule(plan, ALIKE) == "unsupported-quality"


def test_a_total_of_what_the_map_files_does_not_cut_what_a_reader_would():
    """Of 900, the map files a half under a theme that the reader files 1,000 under: more than the total."""
    plan = grounded(read_by(shop([450.0, 450.0, *[0.0] * 5]), denominator=TotalMass()), SHOP, [1000.0, *[0.0] * 6])
    _, high = Facts(plan, SHOP).read.outward(Facts(plan, SHOP).read.theme(1))
    assert high > 1000 / 9


def test_parts_that_are_more_than_the_whole_have_no_shares():
    """Each of three may hold 40 % of all mass, but not all of them."""
    plan = grounded(
        read_by(shop(none=700.0), denominator=TotalMass()), SHOP, [900.0, 900.0, 900.0, *[0.0] * 5],
        grounding=Grounding(rate=0.9, share=0.5, reader="a person"),
    )  # fmt: skip
    assert not plan.has_shares


def test_a_chance_is_never_told_as_certainty():
    nearly = Grounding(rate=0.9996, share=0.5, reader="a person")
    plan = grounded(read_by(shop(none=700.0), denominator=TotalMass()), SHOP, TRUTH, grounding=nearly)
    assert of(plan, "Each of the records was drawn with a chance of 99.9%")


def test_units_are_counted_in_their_own_words():
    counted = grounded(MENTIONED, SHOP, [*TRUTH[:7]])
    told = sentences(counted)
    assert any("of the records" in each and each.startswith("A reader would find") for each in told)
    assert not any(each.startswith("On these records the map puts") for each in told)
    (share,) = [each for each in told if each.startswith("A share is")]
    assert share.startswith("A share is a noisy estimate of how many records a reader would find a theme in")
    assert rule(counted, MENTIONS) == "wrong-number"
    assert isinstance(counted.statement.quantity, Prevalence)
    users = grounded(shop(none=700.0, unit=UserUnit(bound=1.0)), SHOP, TRUTH)
    assert any(each.startswith("About 200 of the users were drawn by chance") for each in sentences(users))


def test_a_reader_that_would_be_a_sentence_of_its_own_is_called_a_reader():
    boast = Grounding(rate=0.2, share=0.5, reader="a person. Everything is right")
    assert of(grounded(shop(none=700.0), SHOP, TRUTH, grounding=boast), "About 400").count("read by “a reader”") == 1


def test_a_model_is_named_whatever_its_version():
    model = "the language model qwen2.5:7b at llm.shop.example, which was declared part of the curator"
    plan = grounded(shop(none=700.0), SHOP, TRUTH, grounding=Grounding(rate=0.2, share=0.5, reader=model))
    assert f"read by “{model}”" in of(plan, "About 400")


def test_the_labels_of_the_reading_are_those_of_the_dictionary():
    theme, *others = PLAN.grounded.themes
    renamed = PLAN.grounded.model_copy(update={"themes": (theme.model_copy(update={"label": "all is well"}), *others)})
    with pytest.raises(RequestError, match="other words than its dictionary"):
        Facts(PLAN.model_copy(update={"grounded": renamed}), SHOP)


def test_any_theme_is_answered_by_the_reading():
    told = ask(PLAN, SHOP, "broken zip", "money")
    assert any(each.startswith("“Broken zip” is not listed, and a reader would file 0.0% to ") for each in told)
    assert "“money” is an area without a share: what was read says how much single themes hold." in told
