"""Decoders with a language model: whatever it answers, what is published is verified."""

import json

import pytest

from dpspin.boundary.denominator import paid_count
from dpspin.errors import EndpointError
from dpspin.public.narrate.claims.orders import Larger, Largest
from dpspin.public.narrate.claims.themes import Mention, RankOf, ShareOf
from dpspin.public.narrate.decoders.claims import ClaimsDecoder
from dpspin.public.narrate.decoders.llm import LlmDecoder
from dpspin.public.narrate.decoders.menu import as_json, claim_in, menu
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.verify import settle
from factories import PAPER_PLAN, PAPER_UNIVERSE
from report_cards import well_sorted

PLAN = well_sorted(PAPER_PLAN, PAPER_UNIVERSE)
FACTS = Facts(PLAN, PAPER_UNIVERSE)
SHARES = (
    "A share is a bounded noisy measure, not a count of records or users. Shares refer to a declared total of 2,000."
)
SORTED = (
    "The map was checked on labelled test text and not on these records: 100% of what was filed under a theme belonged "
    "there, and 100% of the themes in the text were found."
)
PROSE = "“Long wait” is listed. Everybody hates it."


class Scripted:
    """A chat that gives its answers one after another, and keeps what it was asked."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def text(self, messages):
        self.asked.append(messages)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def json(self, messages, _name, _schema):
        return self.text(messages)


def written_by(decoder, *answers, mode=Mode.DISPLAY, attempts=3):
    return narrate(PLAN, PAPER_UNIVERSE, decoder(Scripted(*answers), mode), mode=mode, max_attempts=attempts)


def test_a_model_chooses_claims_and_code_writes_them_with_their_figures():
    answer = {
        "paragraph": [{"claim": "share_of", "theme": 17}],
        "bullets": [{"claim": "larger", "theme": 17, "other": 81}],
    }
    told = written_by(ClaimsDecoder, json.dumps(answer))
    assert told.text.startswith("“Long wait” has a share of ")
    assert "\n\n“Long wait” has a larger share than “food quality”.\n\n" in told.text  # only shares stand in a list
    assert "\n- “Friendly staff”: " in told.text
    assert all(entry.label in told.text.casefold() for entry in PLAN.entries)
    assert (told.verdict.accepted, told.used_fallback, len(told.attempts)) == (True, False, 1)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I would rather not.",
        '{"paragraph": [{"claim": "largest", "theme": 81}, {"claim": "share_of", "theme": 99}], "bullets": []}',
        '{"paragraph": [{"claim": "tie", "themes": [17, 81]}, {"claim": "cause"}, {"claim": 3}, {"cla',
        '{"paragraph": [{"claim": "share_of", "theme": "17"}, {"claim": "rank_of", "theme": 17}], "bullets": [[]]}',
    ],
)
def test_whatever_a_model_answers_the_first_text_is_accepted_and_names_every_theme(answer):
    told = written_by(ClaimsDecoder, answer, answer)
    assert (told.verdict.accepted, told.used_fallback, len(told.attempts)) == (True, False, 1)
    assert {atom for each in told.verdict.sentences for atom in each.atoms} == set(FACTS.listed)


def test_without_shares_a_model_that_says_nothing_still_ends_in_a_text_that_names_every_theme():
    unknown = PLAN.model_copy(update={"denominator": paid_count(3, PLAN.statement.loss, share=0.1, beta=0.05)})
    told = narrate(unknown, PAPER_UNIVERSE, ClaimsDecoder(Scripted("", ""), Mode.DISPLAY))
    assert (told.verdict.accepted, told.used_fallback, len(told.attempts)) == (True, False, 1)
    assert {atom for each in told.verdict.sentences for atom in each.atoms} == set(FACTS.listed)
    assert "%" not in told.text.replace(SORTED, "")


def test_the_menu_offers_what_holds_and_nothing_else():
    offered = menu(FACTS, Mode.DISPLAY)
    assert offered["largest"] == {"theme": [17]}
    assert offered["larger"]["theme"] == [17] or 17 in offered["larger"]["theme"]
    assert 99 not in offered["share_of"]["theme"]
    assert "rank_of" not in offered
    assert "rank_of" in menu(FACTS, Mode.AUDIT)


@pytest.mark.parametrize("claim", [Largest(17), Larger(17, 81), Mention((42, 81)), RankOf(42), ShareOf(81)])
def test_a_claim_as_a_model_names_it_is_read_back(claim):
    assert claim_in(as_json(claim), FACTS) == claim.filled(FACTS)


def test_prose_is_screened_and_then_settled():
    named = json.dumps(
        {"sentences": [[{"claim": "larger", "theme": 17, "other": 81}, {"claim": "largest", "theme": 81}]]}
    )
    told = written_by(LlmDecoder, PROSE, named)
    assert told.text == f"“Long wait” is listed. “Long wait” has a larger share than “food quality”. {SORTED} {SHARES}"
    assert (told.settled.kept, told.settled.replaced, told.settled.left_out) == (1, 1, 0)
    assert told.verdict.accepted


def test_prose_that_the_contract_refuses_is_asked_for_again_with_the_reasons():
    chat = Scripted("“Parking problems” are everywhere.", "“Long wait” is listed.")
    told = narrate(PLAN, PAPER_UNIVERSE, LlmDecoder(chat, Mode.DISPLAY))
    assert told.text == f"“Long wait” is listed. {SORTED}"
    assert "unsupported-label" in chat.asked[1][-1]["content"]
    assert [attempt.accepted for attempt in told.attempts] == [False, True]


def test_prose_of_which_nothing_stands_ends_in_the_template():
    told = written_by(LlmDecoder, "People are cross.", "nonsense")
    assert told.used_fallback
    assert told.verdict.accepted
    assert told.settled.left_out == 1


def test_an_endpoint_that_fails_at_first_is_an_error_and_later_ends_in_the_template():
    with pytest.raises(EndpointError):
        written_by(LlmDecoder, EndpointError("away"))
    told = written_by(LlmDecoder, "Parking problems.", EndpointError("away"))
    assert (told.used_fallback, told.failure) == (True, "away")


def test_settling_without_a_writer_keeps_what_stands():
    settled = settle(
        "“Long wait” is listed. Nobody likes it.\n- “Food quality” is listed.",
        Language(FACTS, Mode.DISPLAY),
    )
    assert settled.text == f"“Long wait” is listed. {SORTED}"
    assert (settled.kept, settled.left_out, round(settled.survived, 2)) == (1, 2, 0.33)
