"""A server that never ends, or answers with too much: each try is bounded in time and bytes, through the real SDK."""

import gzip
import json
import socket
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from dpspin.errors import EndpointError
from dpspin.llm.chat import Chat
from dpspin.llm.client import MOST_BYTES, Client
from dpspin.llm.endpoint import Endpoint
from dpspin.llm.question import Failure, FreeText, Question, Reply
from dpspin.public.narrate.decoders.menu import _items
from fake_llm import FakeWriter, Said, completion

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

QUESTION = Question(({"role": "user", "content": "secret words"},), FreeText(), 100, 0)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
SLOW = 0.6  # seconds that a try may take here
BODY = completion("fine").body


@contextmanager
def server(talk):
    """Answer every connection with ``talk(connection)``, which may be as rude as it likes."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        heard = []

        def serve():
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    threading.Thread(target=rude, args=(connection,), daemon=True).start()

        def rude(connection):
            with suppress(OSError), connection:
                connection.recv(65536)
                heard.append(time.monotonic())
                talk(connection)

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1", heard
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)


def drip(connection, content):
    for byte in content:
        connection.sendall(bytes([byte]))
        time.sleep(SLOW / 4)  # each byte is well within the time-out of a read


def dripping_head(connection):
    drip(connection, HEAD)


def dripping_body(connection):
    connection.sendall(HEAD + b"Content-Length: 100000\r\n\r\n")
    drip(connection, b" " * 100_000)


def dripping_failure(connection):
    connection.sendall(HEAD.replace(b"200 OK", b"500 Oh") + b"Content-Length: 100000\r\n\r\n")
    drip(connection, b" " * 100_000)


def endless_body(connection):
    connection.sendall(HEAD + b"Connection: close\r\n\r\n")
    while True:
        connection.sendall(b" " * 65536)


def endless_chunks(connection):
    connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"400\r\n" + b" " * 0x400 + b"\r\n")


def endless_head(connection):
    connection.sendall(HEAD)
    while True:
        connection.sendall(b"X-More: " + b"x" * 1000 + b"\r\n")


def gigantic_body(connection):
    connection.sendall(HEAD + b"Content-Length: 2000000000\r\n\r\n")
    while True:
        connection.sendall(b" " * 65536)


def bomb(connection):
    packed = gzip.compress(b" " * 10_000_000)
    connection.sendall(HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed) + packed)


@pytest.mark.parametrize(
    ("talk", "tries"),
    [
        (dripping_head, 2),
        (dripping_body, 2),
        (dripping_failure, 2),
        (endless_head, 2),
        (endless_body, 1),  # what is too much once will be too much again
        (endless_chunks, 1),
        (gigantic_body, 1),
        (bomb, 1),
    ],
)
def test_a_rude_answer_is_given_up_within_its_time(talk, tries):
    with server(talk) as (url, heard):
        client = Client(Endpoint(url, "tiny", timeout_seconds=SLOW, retries=1))
        started = time.monotonic()
        answer = client.ask(QUESTION)
        took = time.monotonic() - started
    assert isinstance(answer, Failure)
    assert "secret words" not in answer.sentence
    assert len(heard) == tries
    assert took < 10 * SLOW  # with the SDK's pause between two tries


@pytest.mark.parametrize("talk", [dripping_head, endless_body, bomb])
def test_the_error_says_what_to_do(talk):
    with server(talk) as (url, _), pytest.raises(EndpointError, match=r"too slow.* too long, or compressed.*time-out"):
        Chat(Endpoint(url, "tiny", timeout_seconds=SLOW, retries=0)).text(QUESTION.messages)


def test_a_slow_answer_within_its_time_and_a_long_one_within_its_size_are_taken():
    def patient(connection):
        connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(BODY))
        for start in range(0, len(BODY), 40):
            connection.sendall(BODY[start : start + 40])
            time.sleep(0.05)

    with server(patient) as (url, _):
        answer = Client(Endpoint(url, "tiny", timeout_seconds=30.0, retries=0)).ask(QUESTION)
    assert isinstance(answer, Reply)
    assert answer.text == "fine"
    with FakeWriter(["x" * (MOST_BYTES - 1000)]) as model:
        assert len(Chat(Endpoint(model.url, "tiny")).text(QUESTION.messages)) == MOST_BYTES - 1000


def test_answers_are_asked_for_as_they_are():
    with FakeWriter(["fine"]) as model:
        Chat(Endpoint(model.url, "tiny")).text(QUESTION.messages)
    assert model.heard[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 900_000,
        b'{"choices": ' + b"[" * 900_000,
        b'{"choices": [{"message": {"content": ' + b'{"a":' * 100_000,
        json.dumps({"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": 10**4000}}).encode(),
    ],
)
def test_deep_json_and_endless_numbers_are_no_completion(body):
    with FakeWriter([Said(body)]) as model:
        answer = Client(Endpoint(model.url, "tiny", retries=0)).ask(QUESTION)
    assert isinstance(answer, Reply)
    assert answer.text in {None, "x"}


def test_deep_json_inside_an_answer_is_no_claim():
    assert list(_items('{"claim": ' + "[" * 100_000 + "}")) == [None]
