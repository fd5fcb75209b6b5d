"""A conversation with one model: settings that are sent, forms that a server may not know, tokens that are counted."""

import traceback

import pytest

from dpspin.errors import EndpointError, RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.llm.question import Price, Reply, Usage
from fake_llm import FakeWriter, Said, completion, failing

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
ASKED = ({"role": "user", "content": "zqxvprompt"},)
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def chat_at(server, **settings):
    return Chat(Endpoint(server.url, "tiny", retries=0, timeout_seconds=20), **settings)


def test_the_settings_are_sent_and_nothing_else():
    with FakeWriter(["words"]) as server:
        assert chat_at(server, temperature=0.5, seed=7, max_tokens=50).text(ASKED) == "words"
    sent = {"model": "tiny", "messages": list(ASKED), "temperature": 0.5, "seed": 7, "max_tokens": 50}
    assert server.heard[0].body == sent


def test_json_is_held_to_the_schema_where_the_server_can():
    with FakeWriter(["{}"]) as server:
        chat_at(server).json(ASKED, "report", SCHEMA)
    form = server.heard[0].body["response_format"]
    assert form == {"type": "json_schema", "json_schema": {"name": "report", "strict": True, "schema": SCHEMA}}


def test_a_form_that_the_server_does_not_know_is_asked_for_once():
    with FakeWriter([failing(400), failing(422), completion("{}"), completion("{}")]) as server:
        chat = chat_at(server)
        assert [chat.json(ASKED, "report", SCHEMA) for _ in range(2)] == ["{}", "{}"]
    kinds = [heard.body.get("response_format", {}).get("type") for heard in server.heard]
    assert kinds == ["json_schema", "json_object", None, None]


def test_tokens_are_counted_over_all_questions():
    with FakeWriter(["words"]) as server:
        chat = chat_at(server)
        for _ in range(3):
            chat.text(ASKED)
    assert chat.meter.usage == Usage(calls=3, prompt_tokens=300, answer_tokens=30)
    assert chat.meter.usage.cost(Price(prompt=1.0, answer=10.0)) == pytest.approx(0.0006)


def test_a_question_that_is_refused_in_every_form_is_an_error():
    with FakeWriter([failing(400)]) as server, pytest.raises(EndpointError, match="longer than the model's window"):
        chat_at(server).json(ASKED, "report", SCHEMA)
    assert len(server.heard) == 3


@pytest.mark.parametrize("body", [b"<html>hello</html>", b'{"choices": [{"message": {"content": null}}]}'])
def test_what_is_no_completion_is_no_empty_answer(body):
    """Nothing is wrong in an empty text, so a page of a proxy would be a text that is accepted."""
    with FakeWriter([Said(body)]) as server, pytest.raises(EndpointError, match="no completion"):
        chat_at(server).text(ASKED)


def test_a_failing_server_is_asked_again_after_a_pause():
    with FakeWriter([failing(503), completion("words")]) as server:
        assert Chat(Endpoint(server.url, "tiny", retries=1)).text(ASKED) == "words"
    assert len(server.heard) == 2


def test_a_failure_names_the_address_and_not_what_was_sent(monkeypatch):
    monkeypatch.setenv("DPSPIN_LLM_KEY", "zqxvkey")
    with FakeWriter([failing(401)]) as server:
        chat = chat_at(server)
        with pytest.raises(EndpointError, match=r"127\.0\.0\.1.*DPSPIN_LLM_KEY") as refused:
            chat.text(ASKED)
    assert server.heard[0].headers["authorization"] == "Bearer zqxvkey"
    assert "zqxv" not in "".join(traceback.format_exception(refused.value)) + repr(chat)


def test_what_the_variables_of_the_sdk_hold_is_not_sent(monkeypatch):
    held = {
        "OPENAI_ORG_ID": "zqxvorg",
        "OPENAI_PROJECT_ID": "zqxvproject",
        "OPENAI_CUSTOM_HEADERS": "X-Team: zqxv\nAuthorization: Bearer zqxv\nUser-Agent: zqxv\nHost: zqxv",
        "OPENAI_API_KEY": "zqxvapi",
        "OPENAI_ADMIN_KEY": "zqxvadmin",
        "OPENAI_WEBHOOK_SECRET": "zqxvhook",
        "OPENAI_BASE_URL": "http://zqxvbase/v1",
    }
    with FakeWriter(["words"]) as server:
        chat_at(server).text(ASKED)
        for name, value in held.items():
            monkeypatch.setenv(name, value)
        chat_at(server).text(ASKED)
    plain, among_variables = (heard.raw for heard in server.heard)
    assert among_variables == plain
    assert plain.count(b"zqxv") == 1  # the prompt


def test_only_the_key_and_technical_headers_go_with_the_question():
    with FakeWriter(["words"]) as server:
        chat_at(server).text(ASKED)
    named = {name for name in server.heard[0].headers if not name.startswith("x-stainless-")}
    of_http = {"host", "accept", "accept-encoding", "connection", "content-type", "content-length", "user-agent"}
    assert named == {"authorization", *of_http}


def test_a_key_that_the_server_repeats_is_taken_out_of_the_answer(monkeypatch):
    monkeypatch.setenv("DPSPIN_LLM_KEY", "zqxvkey")
    with FakeWriter(["You sent Bearer zqxvkey, zqxvkey."]) as server:
        chat = chat_at(server)
        answers = [chat.text(ASKED), chat.json(ASKED, "report", SCHEMA)]
    assert answers == ["You sent Bearer [key], [key]."] * 2


def test_without_a_key_an_answer_stays_as_it_is(monkeypatch):
    monkeypatch.delenv("DPSPIN_LLM_KEY", raising=False)
    with FakeWriter(["none of these"]) as server:
        assert chat_at(server).text(ASKED) == "none of these"


@pytest.mark.parametrize(
    "host", ["m.example.org", "10.0.0.7:8080", "0.0.0.0:8080", "localhost.example.org", "[fe80::1]"]
)
def test_another_host_is_not_asked_over_plain_http(host):
    with pytest.raises(RequestError, match="in clear: use https"):
        Chat(Endpoint(f"http://{host}/v1", "tiny"))
    assert Chat(Endpoint(f"https://{host}/v1", "tiny")).client.encrypted


@pytest.mark.parametrize(
    ("url", "place"), [("http://127.0.0.1:9/v1", "loopback"), ("https://m.example.org:8443/v1", "m.example.org")]
)
def test_the_place_is_a_host_without_anything_else(url, place):
    assert Chat(Endpoint(url, "tiny")).place == place


@pytest.mark.parametrize("settings", [{"temperature": -1.0}, {"temperature": 3.0}, {"max_tokens": 0}])
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(RequestError):
        Chat(Endpoint("http://127.0.0.1:9/v1", "tiny"), **settings)


def test_somebody_between_may_answer_and_the_count_is_apart():
    class Parrot:
        host, address, is_here = "127.0.0.1", "127.0.0.1:1", True

        def ask(self, question):
            return Reply(question.messages[-1]["content"], 5, 2)

    with FakeWriter(["words"]) as server:
        direct = chat_at(server)
        between = direct.through(Parrot())
        assert (between.text(ASKED), direct.text(ASKED)) == ("zqxvprompt", "words")
    assert len(server.heard) == 1
    assert (between.meter.usage, direct.meter.usage) == (Usage(1, 5, 2), Usage(1, 100, 10))
