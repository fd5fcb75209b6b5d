"""Where a language model may read records: on this machine, or on a host declared part of the curator.

Who is asked is checked before anything is sent, and stated in the plan.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from dpspin.errors import EndpointError, RequestError
from dpspin.llm import client, endpoint
from dpspin.llm.question import Failure, Question, Reply

# A server that reuses the previous prompt's work can let one record touch the arithmetic of the next. llama.cpp is told
# not to by this field; other local servers ignore it.
NO_REUSE: Mapping[str, JsonValue] = {"cache_prompt": False}


@dataclass(frozen=True, slots=True)
class Endpoint(endpoint.Endpoint):
    """An endpoint, and whether its host was declared part of the curator."""

    extra: Mapping[str, JsonValue] = field(default_factory=lambda: dict(NO_REUSE))
    trusted_endpoint: bool = False


class NoAnswer(EndpointError):
    """The server failed or kept silent, every time: it is broken, or this one text breaks it."""


class Client:
    """An endpoint on the curator's side. Making one connects to nothing."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._client = client.Client(endpoint)
        if not self._client.is_here and not endpoint.trusted_endpoint:
            raise RequestError(
                f"{self._client.host} is not this machine: whoever runs it would read the records. Use a server on "
                "127.0.0.1, or declare that the host is part of the curator "
                "(`records.map.endpoint_is_trusted`); the plan will say so"
            )

    def __repr__(self) -> str:
        return repr(self._client)

    @property
    def place(self) -> str:
        """Say where the model is."""
        if self._client.is_here:
            return "on the curator's own machine"
        return f"at {self._client.host}, which was declared part of the curator"

    @property
    def trusts(self) -> str:
        """Say in the plan who else reads the records."""
        if self._client.is_here:
            return "a language model server on the curator's own machine read each record, one at a time"
        plainly = "" if self._client.encrypted else ", unencrypted,"
        return (
            f"each record was sent{plainly} to {self._client.host}, where a language model read it: "
            "that host was declared part of the curator"
        )

    def ask(self, question: Question) -> Reply:
        """Ask about one text."""
        answer = self._client.ask(question)
        if isinstance(answer, Failure):
            kind = NoAnswer if answer.may_be_the_questions_fault else EndpointError
            raise kind(f"{answer.sentence}. Nothing was charged, and the answers so far are kept: run it again")
        return answer
