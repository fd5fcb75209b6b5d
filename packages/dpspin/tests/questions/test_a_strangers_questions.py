"""Questions of somebody who knew the releases and not the code: told wrongly, or refused for a wrong reason, once."""

import pytest

from dpspin.public.narrate.ask_beyond import Beyond
from dpspin.reader.answers import answered
from dpspin.reader.library import Library
from questions.judging import RELEASES

LIBRARY = Library(RELEASES)

ANSWERED = [
    ("support", "What are the top five things people contact support about?", "“Late delivery” has the largest share"),
    ("support", "Is late delivery mentioned by more than 10% of customers?", "“Late delivery”: 13.0%"),
    ("support-channels", "How much of the text did not fit any category?", "filed under none of the themes"),
    ("support-channels", "How big is the problem of people who can't get into their account?", "“Cannot log in”"),
    ("support-months/2026-03", "What was the number one complaint in March 2026?", "“Stale tracking” has the largest"),
    ("support-months/2026-04", "how sure are you about the stale tracking figure?", "“Stale tracking”: "),
    ("support-read", "How good is the automatic sorting compared with a human reader?", "the map puts 66% to 74%"),
    ("survey", "How reliable is the sorting of these answers?", "31% of what was filed under a theme belonged there"),
    ("bank", "What do bank customers complain about most?", "has the largest share"),
    ("bank", "What epsilon was used and what does it mean for my privacy?", "epsilon"),
    ("bank", "How big a part do fees and charges play altogether?", "The area “fees and charges”"),
    ("products", "can I trust these percentages?", "of what was filed under a theme belonged there"),
    ("support", "how much noise was added to the numbers?", "The privacy noise moves a listed theme by at most"),
    ("restaurants", "rank the top 5 things diners mention", "has the largest share"),
    ("support-months", "has late delivery got better since January?", "The shares of “late delivery” in"),
    ("restaurants", "What is the margin of error on the bad drinks number?", "“Poor drinks”: "),
]
REFUSED = [
    ("support-read", "How many tickets say that logging in works perfectly?", Beyond.OPPOSITE),
    ("survey", "What do people in the IT department complain about?", Beyond.UNKNOWN),
    ("survey", "Do women earn less than men in this company?", Beyond.UNKNOWN),
    ("chats", "How often was the assistant right?", Beyond.UNKNOWN),
    ("chats", "Show me a poem that someone asked for", Beyond.RECORD),
    ("restaurants", "What share says the food came quickly?", Beyond.OPPOSITE),
    ("support", "What proportion of those with a late delivery also waited for a refund?", Beyond.UNMEASURED),
    ("support-channels", "how many tickets about slow refund also mention unhelpful agents?", Beyond.UNMEASURED),
    ("support-months/2026-03", "What was the biggest complaint in April?", Beyond.UNKNOWN),
    ("support", "What is the account number of the customer who wrote last?", Beyond.PERSON),
]


@pytest.mark.parametrize(("release", "question", "told"), ANSWERED)
def test_what_the_release_tells_is_told(release, question, told):
    reply = answered(LIBRARY, release, question)
    assert told in " ".join(each.sentence for each in (*reply.sentences, *reply.beside))
    assert reply.cannot_say is None


@pytest.mark.parametrize(("release", "question", "why"), REFUSED)
def test_what_the_release_does_not_tell_is_refused_for_the_right_reason(release, question, why):
    reply = answered(LIBRARY, release, question)
    assert (reply.sentences, reply.cannot_say) == ((), why.value)


def test_words_that_nothing_is_found_by_are_named_with_the_nearest_themes(dpspin):
    ran = dpspin("ask", RELEASES / "chats", "Do any users talk about suicide?")
    assert ran.code == 1
    assert "is found by the words “suicide”." in ran.out
    assert "thoughts of self-harm" in ran.out


def test_a_series_is_asked_by_its_folder(dpspin):
    ran = dpspin("ask", RELEASES / "support-months", "Since when is stale tracking larger?", "late delivery")
    assert ran.code == 0, ran.err
    assert "2026-03" in ran.out
    assert "“Late delivery”" in ran.out
