"""The one place from which the curator's side opens a connection: one question, one connection, one answer.

No proxy variable is read, no redirect is followed, and the address that is checked is the one the client will call.
Errors name the host and the status, never what was sent or answered.
"""

import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from dpspin.curator.stage1_assign.llm.endpoint import Endpoint, is_loopback
from dpspin.errors import EndpointError, MissingExtra, RequestError

try:
    import openai
except ModuleNotFoundError:
    raise MissingExtra("a language model as map or teacher", "llm") from None

REFUSED_BY_ITS_TEXT = frozenset((400, 413, 422))  # too long, or filtered: the server works, but not for this text
TIMED_OUT, FIRST_FAILURE = 408, 500

Message = dict[Literal["role", "content"], str]


class NoAnswer(EndpointError):
    """The server failed or kept silent, every time: it is broken, or this one text breaks it."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about one text."""

    messages: tuple[Message, ...] = field(repr=False)
    schema: Mapping[str, object] = field(repr=False)
    max_tokens: int
    seed: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; no text where the server refused the question, failed, or answered with no completion."""

    text: str | None = field(repr=False)
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0
    refused: bool = False
    failed: bool = False  # the server failed over it, every time


class Client:
    """An OpenAI-compatible endpoint. Making one connects to nothing."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._openai = _sdk(endpoint)
        self._host, self._address = _require_allowed(self._openai, endpoint)

    def __repr__(self) -> str:
        return f"Client({self._address!r}, {self._endpoint.model!r})"

    @property
    def place(self) -> str:
        """Say where the model is."""
        if is_loopback(self._host):
            return "on the curator's own machine"
        return f"at {self._host}, which was declared part of the curator"

    @property
    def trusts(self) -> str:
        """Say in the plan who else reads the records."""
        if is_loopback(self._host):
            return "a language model server on the curator's own machine read each record, one at a time"
        plainly = "" if self._openai.base_url.scheme == "https" else ", unencrypted,"
        return (
            f"each record was sent{plainly} to {self._host}, where a language model read it: "
            "that host was declared part of the curator"
        )

    def ask(self, question: Question) -> Reply:
        """Ask once; the SDK repeats it with growing pauses while the server is busy, failing or away."""
        started = time.perf_counter()
        outcome = self._send(question)
        match outcome:
            case str():
                return _reply(outcome, time.perf_counter() - started)
            case int() if outcome in REFUSED_BY_ITS_TEXT:
                return Reply(text=None, refused=True)
            case _:  # raised outside the handler, so that no traceback leads to the request
                kind = NoAnswer if _may_be_the_texts_fault(outcome) else EndpointError
                raise kind(_explained(outcome, self._address, self._endpoint.key_variable))

    def _send(self, question: Question) -> str | int | None:
        """Return the body of the answer, the status of a refusal, or nothing where no answer came."""
        form: Any = {"name": "themes", "strict": True, "schema": dict(question.schema)}
        messages: Any = list(question.messages)
        try:
            response = self._openai.chat.completions.with_raw_response.create(
                model=self._endpoint.model,
                messages=messages,
                response_format={"type": "json_schema", "json_schema": form},
                temperature=0,
                seed=question.seed,
                max_tokens=question.max_tokens,
                extra_body=dict(self._endpoint.extra),
            )
            return str(response.text)
        except openai.APIStatusError as error:
            return int(error.status_code)
        except openai.OpenAIError:
            return None


def _sdk(endpoint: Endpoint) -> openai.OpenAI:
    """Build the SDK's client. The address may hold a password, so what a URL parser says of it is dropped."""
    key = endpoint.key()
    with contextlib.suppress(Exception):
        return openai.OpenAI(
            base_url=endpoint.url,
            api_key=key,
            max_retries=endpoint.retries,
            timeout=endpoint.timeout_seconds,
            default_headers={"Connection": "close"},
            http_client=openai.DefaultHttpxClient(trust_env=False, follow_redirects=False),
        )
    raise RequestError(_ADDRESS)


_ADDRESS = "the language model's address must look like http://127.0.0.1:8080/v1, without user, password or query"


def _require_allowed(client: openai.OpenAI, endpoint: Endpoint) -> tuple[str, str]:
    url = client.base_url
    if url.scheme not in {"http", "https"} or not url.host or url.userinfo or url.query or url.fragment:
        raise RequestError(_ADDRESS)
    if not is_loopback(url.host) and not endpoint.trusted_endpoint:
        raise RequestError(
            f"{url.host} is not this machine: whoever runs it would read the records. Use a server on 127.0.0.1, or "
            "declare that the host is part of the curator (--llm-endpoint-is-trusted); the plan will say so"
        )
    return url.host, url.netloc.decode("ascii")


def _may_be_the_texts_fault(status: int | None) -> bool:
    """Tell a failure that one text can cause from a wrong address, key or rate, which no text can."""
    return status is None or status == TIMED_OUT or status >= FIRST_FAILURE


def _explained(status: int | None, address: str, key_variable: str) -> str:
    match status:
        case None:
            why = "gives no answer (refused, broken off or too slow, several times). Start it, or raise its time-out"
        case int() if 300 <= status < 400:  # noqa: PLR2004
            why = f"redirects elsewhere ({status}), which is not followed. Name the final address"
        case 401 | 403:
            why = f"does not accept the key ({status}). Put the right one into ${key_variable}"
        case 404:
            why = "does not know the model or the path (404). Check the model's name, and that the address ends in /v1"
        case _:
            why = f"fails with status {status}, after several tries. Look into the server's own log"
    return f"the language model at {address} {why}. Nothing was charged, and the answers so far are kept: run it again"


class _Message(BaseModel):
    content: str


class _Choice(BaseModel):
    message: _Message


class _Usage(BaseModel):
    prompt_tokens: int = Field(0, ge=0)
    completion_tokens: int = Field(0, ge=0)


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


def _reply(body: str, seconds: float) -> Reply:
    try:
        completion = _Completion.model_validate_json(body)
    except ValidationError:
        return Reply(text=None, seconds=seconds)
    usage = completion.usage or _Usage()
    return Reply(completion.choices[0].message.content, usage.prompt_tokens, usage.completion_tokens, seconds)
