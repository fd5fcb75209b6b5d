"""A server on 127.0.0.1 that answers like an OpenAI endpoint: it says what a test wants, and keeps what it heard."""

import io
import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import Self

from factories import PAPER_UNIVERSE

PUBLIC_TEXTS = frozenset(atom.label for atom in PAPER_UNIVERSE.atoms)


@dataclass(frozen=True)
class Said:
    """One HTTP answer."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Heard:
    """One HTTP request; ``raw`` is every byte of it."""

    path: str
    headers: dict[str, str]
    body: dict
    raw: bytes

    @property
    def text(self) -> str:
        return json.loads(self.body["messages"][-1]["content"])


def completion(content) -> Said:
    """Wrap a model's words in the envelope of a chat completion."""
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    return Said(
        json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}], "usage": usage}).encode()
    )


def themes(*names: str) -> Said:
    return completion(json.dumps({"themes": names}))


def failing(status: int, **headers: str) -> Said:
    return Said(b'{"error": {"message": "no"}}', status, {"retry-after-ms": "1", **headers})


class _Server(ThreadingTCPServer):
    daemon_threads = True

    def handle_error(self, *_) -> None:
        """A client that hung up is what some tests are about."""


class FakeModel:
    """``speak`` decides the answer to a text. Texts of the dictionary are answered well if it ``knows_public``."""

    def __init__(self, speak: Callable[[str], Said] = lambda _: themes("none"), *, knows_public: bool = True) -> None:
        self.speak = speak
        self.knows_public = knows_public
        self.heard: list[Heard] = []
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def texts(self) -> list[str]:
        """The texts that were asked about, without the trial on public ones."""
        return [heard.text for heard in self.heard if heard.text not in PUBLIC_TEXTS]

    def answer(self, heard: Heard) -> Said:
        self.heard.append(heard)
        return themes(heard.text) if self.knows_public and heard.text in PUBLIC_TEXTS else self.speak(heard.text)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class FakeWriter(FakeModel):
    """Says one thing after the other, and the last one for ever; each is a text, or a whole HTTP answer."""

    def __init__(self, said: Iterable[str | Said]) -> None:
        super().__init__()
        self.said = list(said)

    def answer(self, heard: Heard) -> Said:
        self.heard.append(heard)
        said = self.said[min(len(self.heard), len(self.said)) - 1]
        return said if isinstance(said, Said) else completion(said)

    @property
    def prompts(self) -> list[str]:
        return ["\n".join(message["content"] for message in heard.body["messages"]) for heard in self.heard]


class _Tape(io.RawIOBase):
    """Hands on what it reads, and keeps it."""

    def __init__(self, source: io.BufferedReader) -> None:
        self.source, self.kept = source, b""

    def readline(self, size: int = -1) -> bytes:
        return self._keep(self.source.readline(size))

    def read(self, size: int = -1) -> bytes:
        return self._keep(self.source.read(size))

    def close(self) -> None:
        self.source.close()

    def _keep(self, part: bytes) -> bytes:
        self.kept += part
        return part


def _handler(model: FakeModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def setup(self) -> None:
            super().setup()
            self.rfile = _Tape(self.rfile)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            said = model.answer(Heard(self.path, headers, body, self.rfile.kept))
            self.send_response(said.status)
            for name, value in {"Content-Type": "application/json", **said.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(said.body)))
            self.end_headers()
            self.wfile.write(said.body)

        def log_message(self, *_) -> None:
            """Say nothing."""

    return Handler
