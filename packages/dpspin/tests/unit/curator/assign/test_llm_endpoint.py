"""Who may be asked: this machine, or a host that was declared; the key stays in the environment."""

import logging
import threading
import traceback

import pyarrow as pa
import pytest

from dpspin.curator.assign.llm.kept_answers import Answers
from dpspin.curator.assign.llm.labeller import Labeller
from dpspin.curator.assign.llm.llm_map import LlmMap
from dpspin.curator.assign.llm.trusted_endpoint import Client, Endpoint
from dpspin.errors import EndpointError, RequestError
from factories import PAPER_UNIVERSE
from fake_llm import FakeModel, failing, themes

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
KEY = "sk-zqxvcanary"
RECORD = "zqxvrecord"


def map_over(url, folder, **changes):
    endpoint = Endpoint(url, "tiny", **{"retries": 0, "timeout_seconds": 20, **changes})
    return LlmMap(Labeller(PAPER_UNIVERSE, endpoint, Answers(folder)))


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/v1", "http://127.8.8.8/v1", "http://[::1]:8080/v1", "http://LOCALHOST/v1"]
)
def test_this_machine_needs_no_declaration(url):
    assert "own machine" in Client(Endpoint(url, "tiny")).trusts


ELSEWHERE = [
    "https://api.example.org/v1",
    "http://10.0.0.7:8080/v1",
    "http://0.0.0.0:8080/v1",
    "http://127.0.0.1.example.org/v1",
    "http://localhost.example.org/v1",
    "http://[fe80::1]/v1",
    "http://2130706433/v1",
]


@pytest.mark.parametrize("url", ELSEWHERE)
def test_another_host_is_refused_without_the_declaration(url):
    with pytest.raises(RequestError, match=r"`records.map.endpoint_is_trusted`"):
        Client(Endpoint(url, "tiny"))


def test_a_declared_host_stands_in_the_statement(tmp_path):
    secure = map_over("https://models.example.org/v1", tmp_path, trusted_endpoint=True).statement.trusts
    assert "sent to models.example.org" in secure
    assert "declared part of the curator" in secure
    assert "unencrypted" in map_over("http://models.example.org/v1", tmp_path, trusted_endpoint=True).statement.trusts


def test_answers_of_a_declared_host_are_not_taken_for_those_of_this_machine(tmp_path):
    here = [map_over(f"http://127.0.0.1:{port}/v1", tmp_path).statement.digest for port in (1, 2)]
    there = map_over("https://models.example.org/v1", tmp_path, trusted_endpoint=True).statement.digest
    assert here[0] == here[1] != there


@pytest.mark.parametrize(
    "url",
    [
        "http://user:zqxvcanary@127.0.0.1/v1",
        "http://127.0.0.1:zqxvcanary/v1",
        "http://127.0.0.1@zqxvcanary.example.org/v1",
        "http://127.0.0.1/v1?key=zqxvcanary",
        "file:///zqxvcanary",
        "zqxvcanary",
        "http://[::1/zqxvcanary",
    ],
)
def test_an_address_that_hides_something_is_refused_and_not_repeated(url):
    endpoint = Endpoint(url, "tiny", trusted_endpoint=True)
    with pytest.raises(RequestError, match="must look like") as refused:
        Client(endpoint)
    assert "zqxvcanary" not in "".join(traceback.format_exception(refused.value)) + repr(endpoint)


def test_proxy_variables_are_not_read(tmp_path, monkeypatch):
    with FakeModel(lambda _: themes("long wait")) as model, FakeModel() as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
            monkeypatch.setenv(name.upper(), proxy.url)
        map_over(model.url, tmp_path)(pa.array(["slow"]))
        assert model.texts == ["slow"]
        assert proxy.heard == []


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(tmp_path, status):
    with FakeModel(lambda _: themes("long wait")) as elsewhere, FakeModel(knows_public=False) as model:
        model.speak = lambda _: failing(status, Location=f"{elsewhere.url}/chat/completions")
        with pytest.raises(EndpointError, match="redirects elsewhere"):
            map_over(model.url, tmp_path)(pa.array(["slow"]))
        assert "slow" not in model.texts
        assert elsewhere.heard == []


def test_a_refused_connection_is_a_clear_error(tmp_path):
    with FakeModel() as model:
        url = model.url
    with pytest.raises(EndpointError, match=r"127\.0\.0\.1.* gives no answer.*Nothing was charged") as stopped:
        map_over(url, tmp_path)(pa.array([RECORD]))
    assert RECORD not in "".join(traceback.format_exception(stopped.value))


def test_a_silent_endpoint_is_given_up(tmp_path):
    with FakeModel(knows_public=False) as model:
        released = threading.Event()
        model.speak = lambda _: (released.wait(20), themes("none"))[1]
        asking = map_over(model.url, tmp_path, timeout_seconds=0.2)
        with pytest.raises(EndpointError, match="too slow"):
            asking(pa.array(["slow"]))
        released.set()


def test_the_key_is_sent_and_lands_nowhere_else(tmp_path, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("DPSPIN_LLM_KEY", KEY)
    with FakeModel() as model:
        asking = map_over(model.url, tmp_path / "curator")
        asking(pa.array([RECORD]))
        model.knows_public, model.speak = False, lambda _: failing(401)
        with pytest.raises(EndpointError, match=r"\$DPSPIN_LLM_KEY") as refused:
            asking(pa.array([f"another {RECORD}"]))
    assert model.heard[-1].headers["authorization"] == f"Bearer {KEY}"
    shown = "".join(traceback.format_exception(refused.value)) + repr(asking) + asking.statement.model_dump_json()
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for secret in (KEY, RECORD):
        assert secret not in shown + caplog.text
        assert secret.encode() not in kept


def test_the_key_of_another_service_is_not_sent(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with FakeModel() as model:
        map_over(model.url, tmp_path)(pa.array(["slow"]))
    assert KEY not in str(model.heard)


def test_a_key_that_no_header_can_carry_is_refused_unseen(monkeypatch):
    monkeypatch.setenv("DPSPIN_LLM_KEY", "zqxv\u2019canary")
    with pytest.raises(RequestError, match="no header") as refused:
        Client(Endpoint("http://127.0.0.1/v1", "tiny"))
    assert "canary" not in "".join(traceback.format_exception(refused.value))


@pytest.mark.parametrize(
    "changes", [{"model": " "}, {"timeout_seconds": 0}, {"retries": -1}, {"extra": {"messages": []}}]
)
def test_settings_that_make_no_sense_are_refused(changes):
    with pytest.raises(RequestError):
        Endpoint(**{"url": "http://127.0.0.1/v1", "model": "tiny", **changes})
