"""Runs whose texts a model writes, against servers that say what a test wants: contracts, measures, resumption."""

import json
from contextlib import contextmanager
from dataclasses import replace

import pytest

from dpspin.errors import EndpointError, InputError, RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.llm.question import FreeText, JsonSchema, Price, Question, Reply
from dpspin.public.narrate.contract.screen import screen
from dpspin.public.narrate.decoders.prompts import SIMULATED
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import Mode
from dpspin_lab.evaluation import Evaluation, Opened
from dpspin_lab.metrics.text import embedding_cosine, likeness
from dpspin_lab.model_evaluation import estimate_texts, write_parts
from dpspin_lab.not_private import NOT_FOR_OTHERS, endpoint_at
from dpspin_lab.runs.config import RunConfig, Source
from dpspin_lab.runs.grids import MAIN_K, QUICK, Setting
from dpspin_lab.runs.kept_answers import KeptAnswers, keeping
from dpspin_lab.runs.model_runs import Decoding, chat_for, estimated, make_with_a_model, model_grid, model_probe
from dpspin_lab.runs.parallel_runs import Planned
from dpspin_lab.runs.prepared import start_of
from dpspin_lab.runs.releasing import noise_seed, reference_plan, released
from dpspin_lab.runs.run import run, write_run
from dpspin_lab.runs.summary import read_runs, read_summary, summarised
from dpspin_lab.runs.words import text_by_bins
from fake_llm import FakeWriter, Said, failing
from judged_texts import LABELS, ticket_records
from tiny_runs import record_run, tiny_prepared

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
LEGACY = {"decoder_backend": "llm", "decoder_contract_mode": "legacy_text", "decoder_model": "tiny", "epsilon": 50.0}
UNKNOWN = "A theme [atom:99] of no plan."


def start(config):
    return start_of(config, tiny_prepared())


def endpoint(server):
    return Endpoint(server.url, "tiny", retries=0)


def chat_at(server, config, folder):
    return chat_for(config, endpoint(server), keeping(Chat(endpoint(server)), folder))


def plan_of(config):
    return released(config, start(config)).plan


def made(server, config, folder):
    return run(config, start(config), chat_at(server, config, folder))


def test_what_the_verifier_accepts_is_taken_whole(tmp_path):
    config = record_run(**LEGACY)
    accepted = text_by_bins(plan_of(config), marked=True)
    with FakeWriter([accepted, "shown of the private plan", "shown of the exact plan"]) as server:
        outcome = made(server, config, tmp_path)
    assert outcome.words.audit.text == accepted
    assert (outcome.words.display, outcome.words.reference) == ("shown of the private plan", "shown of the exact plan")
    measures = outcome.measures
    told = [measures[name] for name in ("accepted", "first_accepted", "attempts", "fallback", "uar", "named")]
    assert told == [True, True, 1, False, 0.0, 1.0]
    assert (measures["questions"], measures["prompt_tokens"], measures["answer_tokens"]) == (3, 300, 30)
    assert measures["j_tok"] == likeness(outcome.words.display, outcome.words.reference).tokens.value
    assert measures["display_named"] == 0.0


def test_both_plans_of_a_run_are_shown_by_one_prompt_which_says_that_they_are_simulated(tmp_path):
    with FakeWriter(["All is well."]) as server:
        made(server, record_run(**LEGACY), tmp_path)
    assert all(prompt.startswith(SIMULATED.opening) for prompt in server.prompts)
    _, private, exact = server.prompts
    told = [[line for line in prompt.splitlines() if "noisy_mass=" not in line] for prompt in (private, exact)]
    assert told[0] == told[1]
    assert private != exact


def test_a_refused_text_is_asked_for_again_with_remarks(tmp_path):
    config = record_run(**LEGACY)
    accepted = text_by_bins(plan_of(config), marked=True)
    with FakeWriter([UNKNOWN, accepted, "words"]) as server:
        outcome = made(server, config, tmp_path)
    assert outcome.words.audit.text == accepted
    first, second = server.heard[0].body["messages"], server.heard[1].body["messages"]
    assert second[: len(first)] == first  # so a server that keeps the beginning of a question need not read it again
    assert second[-2] == {"role": "assistant", "content": UNKNOWN}
    assert "unknown-marker" in second[-1]["content"]
    told = [outcome.measures[name] for name in ("accepted", "first_accepted", "attempts", "fallback")]
    assert told == [True, False, 2, False]


def test_after_the_last_attempt_the_papers_template_stands_in_and_the_models_own_text_is_measured(tmp_path):
    config = record_run(**LEGACY, decoder_attempts=2)
    with FakeWriter([UNKNOWN]) as server:
        outcome = made(server, config, tmp_path / "kept")
    plan = outcome.released.plan
    assert outcome.words.audit.text == text_by_bins(plan, marked=True)
    assert screen(Facts(plan, outcome.universe), outcome.words.audit.text, Mode.AUDIT).accepted
    told = [outcome.measures[name] for name in ("accepted", "attempts", "fallback", "uar", "named")]
    assert told == [False, 2, True, 1.0, 0.0]
    write_run(tmp_path / "one", outcome)
    attempts = json.loads((tmp_path / "one" / "verifier_attempts.json").read_text())
    assert attempts["used_fallback"]
    assert [each["text"] for each in attempts["attempts"]] == [UNKNOWN, UNKNOWN]
    assert json.loads((tmp_path / "one" / "texts.json").read_text())["display"] == UNKNOWN
    assert "simulated and not private" in (tmp_path / "one" / "summary.txt").read_text().split(".")[0]


def test_a_text_without_a_theme_passes_and_is_seen_to_name_none(tmp_path):
    with FakeWriter(["All is well."]) as server:
        measures = made(server, record_run(**LEGACY), tmp_path).measures
    assert (measures["accepted"], measures["uar"], measures["named"]) == (True, 0.0, 0.0)


def test_the_papers_template_has_markers_and_no_model():
    config = record_run(decoder_contract_mode="legacy_text")
    outcome = run(config, start(config))
    assert outcome.words.audit.text == text_by_bins(outcome.released.plan, marked=True)
    assert outcome.words.audit.text.count("[atom:") == len(outcome.released.plan.entries)
    told = [outcome.measures[name] for name in ("accepted", "uar", "ucr", "comparisons")]
    assert told == [True, 0.0, 0.0, 0]  # it compares nothing, as the paper says of its own
    assert outcome.words.reference == text_by_bins(reference_plan(outcome.released.plan, start(config)))


def test_under_our_contract_free_prose_is_settled_and_its_own_rates_are_told(tmp_path):
    config = record_run(**{**LEGACY, "decoder_contract_mode": "audit_text"}, decoder_attempts=1)
    with FakeWriter([UNKNOWN]) as server:
        outcome = made(server, config, tmp_path)
    assert outcome.measures["fallback"]
    assert outcome.measures["uar"] == 1.0
    assert "simulated and not private" in outcome.words.audit.text.split(".")[0]


def test_claims_are_measured_by_what_the_model_chose(tmp_path):
    config = record_run(decoder_backend="claims", decoder_model="tiny", epsilon=50.0)
    largest = plan_of(config).entries[0].atom_id
    chosen = [{"claim": "mention", "themes": [largest]}, {"claim": "larger", "theme": 16, "other": largest}]
    with FakeWriter([json.dumps({"paragraph": chosen, "bullets": []})]) as server:
        outcome = made(server, config, tmp_path)
    measures = outcome.measures
    assert (measures["comparisons"], measures["ucr"], measures["accepted"]) == (1, 1.0, False)
    assert measures["named"] == pytest.approx(1 / 3)
    assert not measures["fallback"]
    assert config.decoder_contract_mode == "structured_claims"


def test_an_embedding_compares_the_texts_as_well(tmp_path):
    pytest.importorskip("wordllama")
    from dpspin.curator.assign.embedders import installed

    config = record_run(**LEGACY, summary_embedding_backend="static")
    with FakeWriter(["Late parcel.", "Late parcels annoy.", "Broken glass annoys."]) as server:
        outcome = made(server, config, tmp_path)
    said = (outcome.words.display, outcome.words.reference)
    assert outcome.measures["cos_emb"] == pytest.approx(embedding_cosine(installed("static"), *said))


def test_a_model_changes_no_noise_and_the_defaults_no_digest():
    assert noise_seed(record_run(**LEGACY)) == noise_seed(record_run(epsilon=50.0))
    assert not any(name.startswith("decoder_model") for name in record_run().model_dump())
    old = RunConfig(dataset="cfpb", n_records=1000, m=200, mechanism="gaussian", epsilon=1)
    assert noise_seed(old) == 56529771834127744486844047687127579891  # as before runs could name a model


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"decoder_backend": "llm"}, "names it: decoder_model"),
        ({"decoder_model": "tiny"}, "in which a model writes"),
        ({"decoder_attempts": 5}, "in which a model writes"),
        ({"decoder_contract_mode": "structured_claims"}, "contract of the decoder claims"),
        ({**LEGACY, "decoder_backend": "claims"}, "contract of the decoder claims"),
        ({**LEGACY, "clean_reference_decoder_backend": "template"}, "two decoders are not comparable"),
        ({**LEGACY, "mechanism": "public_only"}, "no releases"),
    ],
)
def test_words_that_do_not_fit_together_are_refused(fields, why):
    with pytest.raises(ValueError, match=why):
        record_run(**fields)


def planned(config, tmp_path, name="one"):
    path = tmp_path / "kept.npz"
    if not path.exists():
        tiny_prepared().write(path)
    return Planned(config, path, tmp_path / "runs" / name)


def make(server, runs, tmp_path, at_once=1):
    keeper = keeping(Chat(endpoint(server)), tmp_path)
    return make_with_a_model(runs, keeper, endpoint(server), lambda _: None, at_once)


def test_an_interrupted_run_is_not_there_and_asks_nothing_twice(tmp_path):
    runs = [planned(record_run(**LEGACY), tmp_path)]
    with FakeWriter([UNKNOWN, failing(500)]) as server, pytest.raises(EndpointError, match="status 500"):
        make(server, runs, tmp_path)
    assert not runs[0].folder.exists()
    with FakeWriter(["All is well."]) as second:
        assert make(second, runs, tmp_path) == 1
    assert UNKNOWN in second.prompts[0]  # the first answer was there, so the second question came first
    assert len(second.heard) == 3
    with FakeWriter([failing(500)]) as third:
        assert make(third, runs, tmp_path) == 0
        assert third.heard == []
    [measured] = read_runs(tmp_path / "runs")
    assert measured["questions"] == 4  # what a run took does not depend on where it was interrupted


def test_runs_of_one_seed_share_the_text_of_their_exact_plan(tmp_path):
    runs = [
        planned(record_run(**{**LEGACY, "mechanism": mechanism}), tmp_path, mechanism)
        for mechanism in ("gaussian", "laplace")
    ]
    with FakeWriter(["All is well."]) as server:
        make(server, runs, tmp_path, at_once=2)
    asked = [json.dumps(heard.body["messages"]) for heard in server.heard]
    assert len(asked) == len(set(asked))


def test_answers_are_kept_by_all_that_was_asked(tmp_path):
    base = Question(({"role": "user", "content": "hello"},), FreeText(), 10, 0)
    others = [
        replace(base, messages=({"role": "user", "content": "hallo"},)),
        replace(base, form=JsonSchema("report", {"type": "object"})),
        replace(base, max_tokens=11),
        replace(base, seed=1),
        replace(base, temperature=0.5),
    ]
    with FakeWriter([str(number) for number in range(7)]) as server:
        client = Chat(endpoint(server)).client
        keeper = KeptAnswers(client, "tiny", tmp_path / "answers")
        said = [keeper.ask(question).text for question in (base, *others)]
        said.append(KeptAnswers(client, "other", tmp_path / "answers").ask(base).text)
        assert said == [str(number) for number in range(7)]
        assert keeper.ask(base) == Reply("0", 100, 10, keeper.ask(base).seconds)
    assert len(server.heard) == 7
    for path in (tmp_path / "answers").glob("*.json"):
        path.write_text("{")
    with FakeWriter(["again"]) as server:
        keeper = KeptAnswers(Chat(endpoint(server)).client, "tiny", tmp_path / "answers")
        assert keeper.ask(base).text == "again"  # a damaged file is no answer


@pytest.mark.parametrize("contract", ["legacy_text", "audit_text"])
def test_a_web_page_is_no_text_that_is_accepted(tmp_path, contract):
    """An empty text has nothing wrong in it: whoever takes a page for one counts it as accepted, for good."""
    config = record_run(**{**LEGACY, "decoder_contract_mode": contract})
    one = planned(config, tmp_path)
    with FakeWriter([Said(b"<html>hello</html>")]) as server, pytest.raises(EndpointError, match="no completion"):
        make(server, [one], tmp_path)
    assert not one.folder.exists()


def test_what_is_asked_to_estimate_is_not_asked_again(tmp_path):
    runs = [planned(record_run(**LEGACY, seed=seed), tmp_path, str(seed)) for seed in range(3)]
    with FakeWriter(["All is well."]) as server:
        found = estimated(runs, endpoint(server), tmp_path)
        assert (len(server.heard), found.what) == (2, "3 runs")
        assert (found.least.usage.calls, found.most.usage.calls) == (9, 15)
        assert (found.least.usage.prompt_tokens, found.least.usage.answer_tokens) == (900, 90)
        make(server, runs, tmp_path)
        assert found.least.usage.calls >= len(server.heard)
        asked = [json.dumps(heard.body["messages"]) for heard in server.heard]
        assert len(asked) == len(set(asked))
        assert estimated(runs, endpoint(server), tmp_path).what == "0 runs"


def test_a_form_that_the_server_refuses_takes_nothing_from_what_an_answer_takes(tmp_path):
    one = planned(record_run(decoder_backend="claims", decoder_model="tiny"), tmp_path)
    with FakeWriter([failing(400), json.dumps({"paragraph": [], "bullets": []})]) as server:
        found = estimated([one], endpoint(server), tmp_path)
    assert (found.least.usage.prompt_tokens, found.least.usage.answer_tokens) == (300, 30)


def test_a_run_that_compares_nothing_asks_for_one_text(tmp_path):
    one = planned(record_run(**LEGACY, clean_reference_decoder_backend="none"), tmp_path)
    with FakeWriter(["All is well."]) as server:
        found = estimated([one], endpoint(server), tmp_path)
        assert (len(server.heard), found.least.usage.calls, found.most.usage.calls) == (1, 1, 3)
        make(server, [one], tmp_path)
        assert len(server.heard) == 1
    assert not (one.folder / "texts.json").exists()


def test_a_model_is_asked_about_the_probe_where_it_is_admitted():
    users = Setting("yelp", "user", "user_id", (50, 100), 100, 5000, (500, 1000, 2000, 5000), (1.0, 2.0))
    with FakeWriter(["words"]) as server:
        runs = list(model_probe(users, Decoding(endpoint(server), attempts=2)))
    assert {(one.n_users, one.m, one.B, one.probe_support) for one in runs} == {(2200, 101, 2.0, 200)}
    assert {(one.mechanism.value, one.epsilon, one.clean_reference_decoder_backend) for one in runs} == {
        ("gaussian", 4.0, "none")
    }
    assert [one.seed for one in runs] == [0, 1]


def test_a_model_elsewhere_needs_the_records_declared_public():
    elsewhere = Endpoint("https://models.example.org/v1", "big")
    with pytest.raises(RequestError) as refused:
        Decoding(elsewhere)
    assert str(refused.value) == NOT_FOR_OTHERS
    assert Decoding(elsewhere, records_are_public=True).plans == 20


def test_a_model_on_a_host_of_the_curators_may_read_what_is_not_public():
    declared = endpoint_at("https://models.example.org/v1", "big", trusted=True)
    assert Decoding(declared).endpoint is declared
    with pytest.raises(RequestError, match="do not leave this machine"):
        Decoding(endpoint_at("https://models.example.org/v1", "big"))
    with pytest.raises(RequestError, match="use https"):  # trust does not make plain http safe for the key
        Decoding(endpoint_at("http://models.example.org/v1", "big", trusted=True))


def test_a_declared_host_is_sent_nothing_that_only_one_kind_of_server_knows():
    with FakeWriter(["words"]) as server:
        here = endpoint_at(server.url, "tiny", trusted=True)
        elsewhere = replace(endpoint_at("https://models.example.org/v1", "tiny", trusted=True), url=server.url)
        for each in (here, elsewhere):
            Chat(each).text(({"role": "user", "content": "hello"},))
    sent_here, sent_elsewhere = (heard.body for heard in server.heard)
    assert sent_here.pop("cache_prompt") is False
    assert "cache_prompt" not in sent_elsewhere
    assert sent_here == sent_elsewhere


def test_the_grid_is_the_papers_tables():
    users = Setting("yelp", "user", "user_id", (50, 100), 100, 5000, (500, 1000, 2000, 5000), (1.0, 2.0))
    with FakeWriter(["words"]) as server:
        decoding = Decoding(endpoint(server), ("llm", "claims"), attempts=2)
    runs = list(model_grid(users, 2, decoding))
    assert {(one.mechanism.value, one.epsilon) for one in runs} == {
        (mechanism, epsilon) for mechanism in ("gaussian", "private_topL") for epsilon in (1.0, 4.0)
    }
    assert {(one.n_users, one.m, one.K, one.L, one.B) for one in runs} == {(2000, 100, 3, 10, 1.0)}
    assert {(one.decoder_backend, one.decoder_contract_mode) for one in runs} == {
        ("llm", "legacy_text"),
        ("claims", "structured_claims"),
    }
    assert len({one.seed for one in runs}) == 2  # of two units, with four released plans and an exact one each: twenty
    assert {one.decoder_attempts for one in runs} == {2}


@pytest.mark.parametrize(("ns", "exact"), [((500, 1000, 2000, 5000), 8), ((500, 1000, 2000), 4)])
def test_two_sizes_of_complaints_have_two_exact_plans_of_each_seed(tmp_path, ns, exact):
    size, path = len(LABELS), tmp_path / "kept.npz"
    ticket_records().write(path)
    complaints = Setting("cfpb", "record", None, (size,), size, max(ns), ns)
    with FakeWriter(["words"]) as server:
        papers = model_grid(complaints, 1, Decoding(endpoint(server)))
        configs = [one.model_copy(update={"n_records": one.n // 50}) for one in papers]  # there are few tickets
        runs = [Planned(one, path, tmp_path / str(place)) for place, one in enumerate(configs)]
        found = estimated(runs, endpoint(server), tmp_path)
    assert (len(runs), found.least.usage.calls) == (16, 2 * 16 + exact)


@pytest.mark.parametrize(
    ("dataset", "unit", "ns", "protected"),
    [
        ("cfpb", "record", (500, 1000, 2000, 5000, 10_000), {("gaussian", 2000), ("private_topL", 5000)}),
        ("cfpb", "record", (500, 1000), {("gaussian", 1000), ("private_topL", 1000)}),
        ("amazon", "record", (500, 1000, 2000, 5000), {("gaussian", 2000), ("private_topL", 2000)}),
        ("amazon", "user", (500, 1000, 2000), {("gaussian", 1000), ("private_topL", 1000)}),
        ("yelp", "record", (1000, 2000, 5000, 10_000), {("gaussian", 5000), ("private_topL", 5000)}),
    ],
)
def test_as_many_units_are_protected_as_in_the_papers_tables(dataset, unit, ns, protected):
    setting = Setting(dataset, unit, None if unit == "record" else "user_id", (100,), 100, max(ns), ns)
    with FakeWriter(["words"]) as server:
        runs = model_grid(replace(setting, bounds=(1.0,) if unit == "user" else ()), 1, Decoding(endpoint(server)))
    assert {(one.mechanism.value, one.n_users or one.n_records) for one in runs} == protected


def test_models_are_not_pooled(tmp_path):
    runs = []
    for name in ("tiny", "other"):
        config = record_run(**{**LEGACY, "decoder_model": name})
        with FakeWriter(["All is well."]) as server:
            chat = chat_for(config, Endpoint(server.url, name), keeping(Chat(Endpoint(server.url, name)), tmp_path))
            outcome = run(config, start(config), chat)
        runs.append({"config": config.model_dump(mode="json"), **outcome.measures})
    rows = summarised(runs)
    assert [(row["decoder_model"], row["decoder_attempts"], row["runs"]) for row in rows] == [
        ("other", 3, 1),
        ("tiny", 3, 1),
    ]


def test_a_run_with_a_model_needs_its_address():
    config = record_run(**LEGACY)
    with pytest.raises(InputError, match="say where it is served"):
        run(config, start(config))


def test_a_written_configuration_is_read_again():
    config = record_run(**LEGACY, decoder_temperature=0.5)
    assert RunConfig.model_validate(config.model_dump(mode="json")) == config


@contextmanager
def uncounted(*_):
    yield lambda _: None


def test_an_evaluation_estimates_writes_summarises_and_asks_nothing_twice(tmp_path):
    size, files = len(LABELS), {}
    for probe in (False, True):
        source = Source(size + probe, MAIN_K, probe)
        files[source] = tmp_path / f"kept{source.m}.npz"
        ticket_records(probe=probe).write(files[source])
    opened = Opened(Setting("cfpb", "record", None, (size,), size, 100, (100,)), files)
    told = []
    with FakeWriter(["All is well."]) as server:
        decoding = Decoding(endpoint(server), plans=8, price=Price(1e6, 1e6))
        evaluation = Evaluation(tmp_path, tmp_path, QUICK, 1, uncounted, tell=told.append)
        estimate_texts(evaluation, decoding, [opened])
        assert len(server.heard) == 2
        write_parts(evaluation, decoding, [opened])
        asked = len(server.heard)
        assert asked == len({json.dumps(heard.body["messages"]) for heard in server.heard})
        write_parts(evaluation, decoding, [opened])
        assert len(server.heard) == asked
    rows = read_summary(tmp_path / "cfpb" / "summaries" / "model_record.json")
    assert {(row["mechanism"], row["epsilon"], row["runs"]) for row in rows} == {
        (mechanism, epsilon, 2) for mechanism in ("gaussian", "private_topL") for epsilon in (1.0, 4.0)
    }
    [probe] = read_summary(tmp_path / "cfpb" / "summaries" / "model_probe_record.json")
    assert (probe["runs"], probe["probe_support"], probe["probe_admission"], probe["probe_mention"]) == (2, 200, 1, 0)
    assert (probe["questions"], probe["display_named"], probe["j_tok"]) == (1, None, None)
    first, time, cost, *_, again, _, free = told
    assert asked == 20  # two of each of eight runs, one of each of two about the probe, and two exact plans
    assert first.startswith("tiny: 10 runs, 20 to 40 questions: 2 to ")
    assert "minutes" in time
    assert cost == "tiny: 2200.00 to 9200.00 at these prices"
    assert again.startswith("tiny: 0 runs, 0 to 0 questions")
    assert free == "tiny: 0.00 to 0.00 at these prices"
