"""The free-text decoder: what it is told, how it is told of its mistakes, and what becomes of a failing endpoint."""

import pytest

from dpspin.errors import EndpointError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.public.stage3_narrate.decoders.llm import LlmDecoder
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.narrate import narrate
from dpspin.public.stage3_narrate.policy import Mode
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of
from fake_llm import FakeWriter, completion, failing

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
GOOD = "Long wait has high support."
BAD = "Long wait has low support."


def told_by(server, mode=Mode.DISPLAY, plan=PAPER_PLAN, **options):
    decoder = LlmDecoder(Chat(Endpoint(server.url, "tiny", retries=0)), mode)
    return narrate(plan, decoder, mode=mode, atoms=PAPER_UNIVERSE, **options)


def test_readers_text_is_asked_for_without_masses():
    with FakeWriter([GOOD]) as server:
        assert told_by(server).text == GOOD
    (prompt,) = server.prompts
    line = "- [atom:17] label=long wait | description=Guests wait a long time to be seated or served. | bin=high"
    assert line in prompt.splitlines()
    assert "noisy_mass" not in prompt
    assert "318" not in prompt


def test_audit_text_is_asked_for_with_masses_markers_and_the_margin():
    with FakeWriter(["Long wait [atom:17] has high support."]) as server:
        assert not told_by(server, Mode.AUDIT).used_fallback
    (prompt,) = server.prompts
    assert "| bin=high | noisy_mass=318.4\n" in prompt
    assert "long wait [atom:17]." in prompt
    assert f"by more than {PAPER_PLAN.rules.comparison_margin:.1f}" in prompt


def test_themes_that_were_not_released_are_not_told():
    with FakeWriter([GOOD]) as server:
        told_by(server)
    assert "parking" not in server.prompts[0].lower()


def test_a_refused_text_comes_back_with_the_verifiers_remarks():
    with FakeWriter([BAD, GOOD]) as server:
        narration = told_by(server)
    assert (narration.text, narration.used_fallback) == (GOOD, False)
    first, candidate, objection = server.heard[1].body["messages"]
    assert first == server.heard[0].body["messages"][0]
    assert (candidate["role"], candidate["content"]) == ("assistant", BAD)
    assert objection["role"] == "user"
    assert "wrong-bin" in objection["content"]
    assert "whole text again" in objection["content"]


@pytest.mark.parametrize(
    "chatter", [f"Here is the summary:\n{GOOD}", f"```\n{GOOD}\n```", f"{GOOD}\nI hope this helps!"]
)
def test_chatter_is_not_cut_off_behind_the_verifiers_back(chatter):
    with FakeWriter([chatter]) as server:
        narration = told_by(server, max_attempts=1)
    assert narration.attempts[0].text == chatter
    shown = chatter if narration.attempts[0].verdict.accepted else TemplateDecoder(Mode.DISPLAY)(PAPER_PLAN)
    assert narration.text == shown


def test_an_empty_answer_is_an_attempt_that_fails():
    with FakeWriter(["", GOOD]) as server:
        narration = told_by(server)
    assert [attempt.verdict.accepted for attempt in narration.attempts] == [False, True]


def test_an_endpoint_that_never_answers_is_an_error():
    with FakeWriter([failing(500)]) as server, pytest.raises(EndpointError, match="status 500"):
        told_by(server)


def test_an_endpoint_that_fails_later_ends_in_the_template_and_says_so():
    with FakeWriter([completion(BAD), failing(500)]) as server:
        narration = told_by(server)
    assert narration.used_fallback
    assert narration.verdict.accepted
    assert len(narration.attempts) == 1
    assert "status 500" in narration.failure


def test_a_plan_that_lists_nothing_needs_no_model():
    with FakeWriter([GOOD]) as server:
        narration = told_by(server, plan=plan_of(PAPER_UNIVERSE, [1.0, 0.0, 0.0, 0.0]))
    assert server.heard == []
    assert narration.verdict.accepted
