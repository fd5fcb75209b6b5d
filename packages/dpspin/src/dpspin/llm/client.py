"""The one place from which a connection to a language model is opened: one question, one connection, one answer.

What leaves is the question, the key and the SDK's technical headers: no variable of the SDK or of a proxy is read, and
no redirect is followed. What comes back is bounded in time and in bytes, whatever the server does. A failure names the
address and the status, never what was sent or answered, and is returned, not raised: no traceback leads to the request.
"""

import contextlib
import threading
import time
from typing import Any, Self

from pydantic import BaseModel, Field, ValidationError

from dpspin.errors import MissingExtra, RequestError
from dpspin.llm.endpoint import NO_KEY, Endpoint, is_loopback
from dpspin.llm.question import AnyJson, Failure, Form, FreeText, JsonSchema, Question, Reply

try:
    import openai
except ModuleNotFoundError:
    raise MissingExtra("asking a language model", "llm") from None

MOST_BYTES = 2**20  # an answer has some thousand tokens at most
CONNECTED = frozenset(("connection.connect_tcp.complete", "connection.start_tls.complete"))
BOTH_WAYS = 2  # of a connection, when it is shut down
REFUSED_QUESTION = frozenset((400, 413, 422))  # too long, filtered, or of an unknown form: not this question
ADDRESS = "the language model's address must look like http://127.0.0.1:8080/v1, without user, password or query"


class Client:
    """An OpenAI-compatible endpoint. Making one connects to nothing."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._openai = _sdk(endpoint)
        url = self._openai.base_url
        if url.scheme not in {"http", "https"} or not url.host or url.userinfo or url.query or url.fragment:
            raise RequestError(ADDRESS)
        self.host, self.address, self.encrypted = url.host, url.netloc.decode("ascii"), url.scheme == "https"

    def __repr__(self) -> str:
        return f"Client({self.address!r}, {self._endpoint.model!r})"

    @property
    def is_here(self) -> bool:
        """Tell whether the server is on this machine."""
        return is_loopback(self.host)

    def ask(self, question: Question) -> Reply | Failure:
        """Ask once; the SDK repeats it with growing pauses while the server is busy, failing or away."""
        started = time.perf_counter()
        outcome = self._send(question)
        match outcome:
            case str():
                return _reply(outcome, time.perf_counter() - started, self._openai.api_key)
            case int() if outcome in REFUSED_QUESTION:
                return Reply(text=None, refused=True)
            case _:
                why = _explained(outcome, self._endpoint.key_variable)
                return Failure(outcome, f"the language model at {self.address} {why}")

    def _send(self, question: Question) -> str | int | None:
        """Return the body of the answer, the status of a refusal, or nothing where no answer came."""
        messages: Any = list(question.messages)
        form: Any = _response_format(question.form)
        try:
            response = self._openai.chat.completions.with_raw_response.create(
                model=self._endpoint.model,
                messages=messages,
                response_format=form,
                temperature=question.temperature,
                seed=question.seed,
                max_tokens=question.max_tokens,
                extra_body=dict(self._endpoint.extra),
            )
            return str(response.text)
        except openai.APIStatusError as error:
            return int(error.status_code)
        except openai.OpenAIError:
            return None


def _response_format(form: Form) -> object:
    match form:
        case FreeText():
            return openai.omit
        case AnyJson():
            return {"type": "json_object"}
        case JsonSchema(name=name, schema=schema):
            return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": dict(schema)}}


class _Sdk(openai.OpenAI):
    """The SDK would also send what $OPENAI_ORG_ID, $OPENAI_PROJECT_ID and $OPENAI_CUSTOM_HEADERS hold."""

    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        """Name the headers one by one, so that none can come from the environment."""
        return {
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # a small answer cannot unpack into a gigantic one
            "Content-Type": "application/json",
            "User-Agent": f"OpenAI/Python {openai.__version__}",
            **self.platform_headers(),
            "Connection": "close",
        }


def _sdk(endpoint: Endpoint) -> openai.OpenAI:
    """Build the SDK's client. The address may hold a password, so what a URL parser says of it is dropped."""
    key = endpoint.key()
    with contextlib.suppress(Exception):
        return _Sdk(
            base_url=endpoint.url,
            api_key=key,
            max_retries=endpoint.retries,
            timeout=endpoint.timeout_seconds,
            http_client=BoundedHttp(endpoint.timeout_seconds),
        )
    raise RequestError(ADDRESS)


def _explained(status: int | None, key_variable: str) -> str:
    match status:
        case None:
            return (
                "gives no answer that can be used (refused, broken off or too slow, several times; or too long, or "
                "compressed). Start it, or raise its time-out"
            )
        case int() if 300 <= status < 400:  # noqa: PLR2004
            return f"redirects elsewhere ({status}), which is not followed. Name the final address"
        case 401 | 403:
            return f"does not accept the key ({status}). Put the right one into ${key_variable}"
        case 404:
            return "does not know the model or the path (404). Check the model's name, and that the address ends in /v1"
        case _:
            return f"fails with status {status}, after several tries. Look into the server's own log"


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


def _reply(body: str, seconds: float, key: str) -> Reply:
    try:
        completion = _Completion.model_validate_json(body)
    except ValidationError:
        return Reply(text=None, seconds=seconds)
    usage = completion.usage or _Usage()
    text = _without_key(completion.choices[0].message.content, key)
    return Reply(text, usage.prompt_tokens, usage.completion_tokens, seconds)


def _without_key(text: str, key: str) -> str:
    """Take out the key: a server that repeats the request's headers must not get it into a file.

    >>> _without_key("Authorization: Bearer sk-1", "sk-1")
    'Authorization: Bearer [key]'
    """
    return text if key == NO_KEY else text.replace(key, "[key]")


class UnusableAnswer(openai.OpenAIError):
    """An answer that is too long, or compressed. The SDK does not ask again: the server means it."""


class BoundedHttp(openai.DefaultHttpxClient):
    """The SDK's HTTP client, without redirects and without the environment, and with a bound on every answer.

    Each try has so much time and so many bytes, headers and body together. The time-outs of an HTTP client are for one
    read each: a server that sends a byte a minute keeps within them for years.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(trust_env=False, follow_redirects=False, timeout=seconds)
        self._seconds = seconds

    def send(self, request: Any, **options: Any) -> Any:  # noqa: ANN401  the types of a library's library
        """Send a request and read its answer whole, within the time and the size that an answer may have."""
        with _Deadline(self._seconds) as deadline:
            request.extensions = {**request.extensions, "trace": deadline.watch}
            response = super().send(request, **{**options, "stream": True})
            try:
                body = _bounded(response)
            finally:
                response.close()
        return type(response)(response.status_code, headers=response.headers, content=body, request=request)


def _bounded(response: Any) -> bytes:  # noqa: ANN401
    if response.headers.get("content-encoding", "identity") != "identity":
        raise UnusableAnswer("compressed, though it was asked not to be")
    body = bytearray()
    for part in response.iter_raw():
        body += part
        if len(body) > MOST_BYTES:
            raise UnusableAnswer("too long")
    return bytes(body)


class _Deadline:
    """Shuts the connection when the time is over; a read that waits for the next byte then ends at once."""

    def __init__(self, seconds: float) -> None:
        self._connection: Any = None
        self._over = threading.Event()
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def watch(self, event: str, about: dict[str, Any]) -> None:
        """Learn of the connection when it is made (the ``trace`` extension of the HTTP client)."""
        if event in CONNECTED:
            self._connection = about["return_value"]
            if self._over.is_set():
                self._end()

    def _end(self) -> None:
        self._over.set()
        if self._connection is not None:
            with contextlib.suppress(Exception):  # it is closed already, or about to be
                self._connection.get_extra_info("socket").shutdown(BOTH_WAYS)
