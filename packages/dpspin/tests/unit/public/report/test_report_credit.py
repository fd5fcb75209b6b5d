"""The page says who wrote the summary, whoever it was, and shows nothing that does not pass."""

import re

import pytest

from dpspin.errors import RequestError
from dpspin.public.narrate.modes import Length
from dpspin.public.narrate.narrate import narrate
from dpspin.public.report.folder import report, write_release
from factories import PAPER_PLAN, PAPER_UNIVERSE

GOOD, BAD = "“Long wait” is listed.", "Guests are furious about the “long wait”."
UNTESTED = "The map is untested, so nobody knows how well it sorts these records."
MEASURE = "A share is a bounded noisy measure, not a count of records or users."
TOTAL = "Shares refer to a declared total of 2,000."


def scripted(*texts):
    return lambda plan, history: texts[len(history.attempts)]


def test_the_template_signs_its_text():
    assert "Written by the built-in template, without a language model." in report(PAPER_PLAN, PAPER_UNIVERSE)


def test_a_model_is_named_with_its_attempts():
    page = report(
        PAPER_PLAN,
        PAPER_UNIVERSE,
        narration=narrate(PAPER_PLAN, PAPER_UNIVERSE, scripted(BAD, f"{GOOD} {UNTESTED}")),
        model="tiny-1",
    )
    assert "Written by the language model “tiny-1” in 2 attempts." in page
    assert GOOD in page
    assert "furious" not in page


def test_a_fallback_is_owned_up_to():
    told = narrate(PAPER_PLAN, PAPER_UNIVERSE, scripted(BAD, BAD), max_attempts=2)
    page = report(PAPER_PLAN, PAPER_UNIVERSE, narration=told, model="tiny-1")
    assert "built-in template, because 2 attempts of the language model “tiny-1” gave no text that passes." in page
    assert "because 2 attempts of the decoder gave" in report(PAPER_PLAN, PAPER_UNIVERSE, narration=told)


def test_a_given_text_is_not_signed_by_the_template():
    page = report(PAPER_PLAN, PAPER_UNIVERSE, text=f"{GOOD} {BAD}")
    assert "Written outside this software and checked here." in page
    assert "furious" not in page
    assert (
        "5 of 5 sentences verified against the released numbers; 1 of the given text could not be, and is not shown"
        in page
    )


def test_a_given_text_without_shares_is_told_beside_what_a_share_is():
    page = report(PAPER_PLAN, PAPER_UNIVERSE, text=f"{GOOD} {UNTESTED}")
    claims = re.findall(r'<li class="claim"[^>]*><bdi>(.*?)</bdi></li>', page)
    assert claims == [GOOD, MEASURE, TOTAL]
    assert "5 of 5 sentences verified" in page  # with the finding, which has a share, and its doubt


def test_a_given_text_that_says_what_a_share_is_says_it_once():
    page = report(PAPER_PLAN, PAPER_UNIVERSE, text=f"{GOOD} {TOTAL} {MEASURE} {UNTESTED}")
    assert re.findall(r'<li class="claim"[^>]*><bdi>(.*?)</bdi></li>', page) == [GOOD, TOTAL, MEASURE]


def test_a_report_takes_one_text_and_it_is_for_readers():
    with pytest.raises(RequestError, match="not both"):
        report(PAPER_PLAN, PAPER_UNIVERSE, text=GOOD, narration=narrate(PAPER_PLAN, PAPER_UNIVERSE))
    with pytest.raises(RequestError, match="display mode"):
        report(PAPER_PLAN, PAPER_UNIVERSE, narration=narrate(PAPER_PLAN, PAPER_UNIVERSE, mode="audit"))


def test_a_release_folder_can_hold_the_short_text(tmp_path):
    write_release(tmp_path, PAPER_PLAN, PAPER_UNIVERSE, Length.SHORT)
    short = (tmp_path / "summary.txt").read_text(encoding="utf-8")
    assert "Shares by theme:" in short
    assert "Written by the built-in template" in (tmp_path / "report.html").read_text(encoding="utf-8")
    write_release(tmp_path, PAPER_PLAN, PAPER_UNIVERSE)
    assert "- “Long wait”: 15.9%" in (tmp_path / "summary.txt").read_text(encoding="utf-8")
