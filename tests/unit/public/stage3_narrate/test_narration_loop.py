import pytest

from dpspin.errors import DpSpinError, EndpointError, RequestError, TemplateRefused
from dpspin.public.report.folder import write_release
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.narrate import narrate
from dpspin.public.stage3_narrate.policy import Mode
from factories import PAPER_PLAN, PAPER_UNIVERSE

GOOD = "Long wait has high support."
BAD = "Long wait has low support."
WORSE = "612 people were angry."


class Script:
    """A decoder that reads its candidates off a list and remembers what it was told."""

    def __init__(self, *candidates):
        self.candidates = list(candidates)
        self.histories = []

    def __call__(self, plan, history):
        self.histories.append(history)
        return self.candidates.pop(0)


def test_the_first_candidate_is_taken_if_accepted():
    narration = narrate(PAPER_PLAN, Script(GOOD, BAD))
    assert (narration.text, len(narration.attempts), narration.used_fallback) == (GOOD, 1, False)
    assert narration.verdict.accepted


def test_a_rejected_candidate_is_mended_after_feedback():
    script = Script(BAD, GOOD)
    narration = narrate(PAPER_PLAN, script)
    assert narration.text == GOOD
    assert [attempt.verdict.accepted for attempt in narration.attempts] == [False, True]
    assert script.histories[0].feedback == ""
    assert "wrong-bin at “low”" in script.histories[1].feedback
    assert "say high support" in script.histories[1].feedback


def test_the_whole_history_is_handed_over():
    script = Script(BAD, WORSE, GOOD)
    narrate(PAPER_PLAN, script)
    assert [attempt.text for attempt in script.histories[2].attempts] == [BAD, WORSE]


def test_the_template_speaks_when_no_candidate_is_accepted():
    narration = narrate(PAPER_PLAN, Script(BAD, WORSE, BAD), mode=Mode.DISPLAY)
    assert narration.used_fallback
    assert narration.text == TemplateDecoder(Mode.DISPLAY)(PAPER_PLAN)
    assert [attempt.text for attempt in narration.attempts] == [BAD, WORSE, BAD]
    assert narration.verdict.accepted


def away_after_one(plan, history):
    """Answer once, and fail from then on."""
    if history.attempts:
        raise EndpointError("away")
    return BAD


@pytest.mark.parametrize("decoder", [lambda *_: BAD, away_after_one, None])
def test_a_template_that_is_refused_is_an_error_and_not_shown(monkeypatch, decoder):
    # No plan is known whose template is refused, so a false template stands in.
    monkeypatch.setattr("dpspin.public.stage3_narrate.narrate.TemplateDecoder", lambda _: lambda *_: WORSE)
    with pytest.raises(TemplateRefused, match=r"template's text was refused.*please report this plan") as refused:
        narrate(PAPER_PLAN, decoder)
    assert "612" not in str(refused.value)
    assert refused.value.exit_code == DpSpinError.exit_code


def test_a_paid_plan_is_kept_although_its_template_is_refused(monkeypatch, tmp_path):
    for module in ("stage3_narrate.narrate", "report.folder"):
        monkeypatch.setattr(f"dpspin.public.{module}.TemplateDecoder", lambda *_: lambda *_: WORSE)
    with pytest.raises(TemplateRefused):
        write_release(tmp_path / "release", PAPER_PLAN, None)
    assert [(path.name, path.read_text()) for path in tmp_path.rglob("*.*")] == [("plan.json", PAPER_PLAN.to_json())]


def test_no_more_candidates_are_asked_for_than_the_policy_allows():
    script = Script(BAD, BAD, GOOD)
    assert narrate(PAPER_PLAN, script, max_attempts=2).used_fallback
    assert script.candidates == [GOOD]


def test_a_decoder_gets_at_least_one_attempt():
    with pytest.raises(RequestError, match="at least one attempt"):
        narrate(PAPER_PLAN, max_attempts=0)


@pytest.mark.parametrize("mode", list(Mode))
def test_without_a_decoder_the_template_is_the_decoder(mode):
    narration = narrate(PAPER_PLAN, mode=mode)
    assert (narration.mode, narration.used_fallback, len(narration.attempts)) == (mode, False, 1)


def test_the_dictionary_sharpens_the_feedback():
    text = "Long wait and parking problems are listed."
    without = narrate(PAPER_PLAN, Script(text), max_attempts=1)
    assert without.attempts[0].verdict.rules() == ("unsupported-word",)
    informed = narrate(PAPER_PLAN, Script(text), max_attempts=1, atoms=PAPER_UNIVERSE)
    assert informed.attempts[0].verdict.rules() == ("unsupported-label",)
