"""HTTP in which nothing lasts for ever: each try has so much time and so many bytes, headers and body together.

The time-outs of an HTTP client are for one read each. A server that sends a byte a minute keeps within them for years.
"""

import threading
from contextlib import suppress
from typing import Any, Self

from dpspin.errors import MissingExtra

try:
    import openai
except ModuleNotFoundError:
    raise MissingExtra("asking a language model", "llm") from None

MOST_BYTES = 2**20  # an answer has some thousand tokens at most
CONNECTED = frozenset(("connection.connect_tcp.complete", "connection.start_tls.complete"))
BOTH_WAYS = 2  # of a connection, when it is shut down


class UnusableAnswer(openai.OpenAIError):
    """An answer that is too long, or compressed. The SDK does not ask again: the server means it."""


class BoundedHttp(openai.DefaultHttpxClient):
    """The SDK's HTTP client, without redirects and without the environment, and with a bound on every answer."""

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
            with suppress(Exception):  # it is closed already, or about to be
                self._connection.get_extra_info("socket").shutdown(BOTH_WAYS)
