"""``dpspin lab decoders``: what is counted, with a server whose texts are known."""

import json

import pytest

from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.public.narrate.modes import DecoderName, Mode
from dpspin.public.narrate.writer import Writer
from dpspin_lab.studies.decoder_rates import random_plans, rates_of, write_all
from fake_llm import FakeWriter

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def rates(server, writing, plans):
    writer = Writer(writing, Chat(Endpoint(server.url, "tiny")), 2)
    return rates_of(writer, Mode.DISPLAY, list(write_all(writer, Mode.DISPLAY, plans)))


def test_plans_repeat_by_seed_and_differ_by_number():
    first, again = ([plan.to_json() for plan, _ in random_plans(4, 1)] for _ in range(2))
    assert first == again
    assert len(set(first)) == 4
    assert {entry.bin for plan, _ in random_plans(8, 1) for entry in plan.entries} == {"high", "moderate", "low"}


def test_free_text_that_names_one_theme_is_accepted_and_incomplete():
    plans = list(random_plans(1, 2))
    entries = plans[0][0].entries
    name = entries[0].label[0].upper() + entries[0].label[1:]
    with FakeWriter([f"“{name}” is listed."]) as server:
        found = rates(server, DecoderName.LLM, plans)
    assert (found.first_accepted, found.fallback, found.attempts) == (1.0, 0.0, 1.0)
    assert found.named == found.named_by_the_model == pytest.approx(1 / len(entries))


def test_free_text_that_is_refused_ends_in_the_template():
    with FakeWriter(["612 people were angry."]) as server:
        found = rates(server, DecoderName.LLM, list(random_plans(2, 2)))
    assert (found.accepted, found.fallback, found.attempts) == (0.0, 1.0, 2.0)
    assert (found.named_by_the_model, found.named, found.best_bin_complete) == (0.0, 1.0, 1.0)


def test_claims_are_counted_apart_from_what_is_filled_in():
    plans = list(random_plans(1, 2))
    entries = plans[0][0].entries
    first = {"claim": "mention", "themes": [entries[0].atom_id]}
    answer = {"paragraph": [first, first, {"claim": "mention", "themes": [-1]}, {"claim": "cause"}], "bullets": []}
    with FakeWriter([json.dumps(answer)]) as server:
        found = rates(server, DecoderName.CLAIMS, plans)
    assert (found.accepted, found.named, found.best_bin_complete) == (1.0, 1.0, 1.0)
    assert found.named_by_the_model == pytest.approx(1 / len(entries))
    assert (found.dropped, found.repeats) == (2.0, 1.0)


def test_the_table_has_one_row_per_decoder(dpspin):
    with FakeWriter(["612 people were angry."]) as server:
        ran = dpspin("lab", "decoders", "--llm-url", server.url, "--llm-model", "tiny", "--plans", "1")
    head, rule, *rows = ran.out.strip().splitlines()
    assert [row.split(" | ")[0] for row in rows] == ["| claims", "| llm"]
    assert len({line.count("|") for line in (head, rule, *rows)}) == 1
