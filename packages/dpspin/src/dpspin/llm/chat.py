"""A conversation with one model under fixed settings, counted as it goes."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Protocol

from dpspin.errors import EndpointError, QuestionRefused, RequestError
from dpspin.llm.endpoint import Endpoint
from dpspin.llm.question import AnyJson, Failure, Form, FreeText, JsonSchema, Message, Question, Reply, Usage

NO_COMPLETION = (
    "answers with no completion: with a web page, or without words. Check that the address ends in /v1, and that the "
    "longest answer leaves room for words"
)
HOTTEST = 2.0  # what the protocol allows


class Answering(Protocol):
    """Whoever answers a question: a client, or somebody between who keeps what it answers."""

    @property
    def host(self) -> str: ...  # noqa: D102  a protocol

    @property
    def address(self) -> str: ...  # noqa: D102  a protocol

    @property
    def is_here(self) -> bool: ...  # noqa: D102  a protocol

    def ask(self, question: Question) -> Reply | Failure: ...  # noqa: D102  a protocol


@dataclass(slots=True)
class Meter:
    """What was asked so far, and the forms that the server turned out not to know."""

    usage: Usage = field(default_factory=Usage)
    unknown: set[type[Form]] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Chat:
    """Asks one model; an endpoint that fails is an error. Making one connects to nothing.

    Another host is reached over https only: the key would travel in clear.
    """

    endpoint: Endpoint
    temperature: float = 0.0
    seed: int = 0
    max_tokens: int = 800
    client: Answering = field(init=False, repr=False, compare=False)
    meter: Meter = field(default_factory=Meter, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        from dpspin.llm.client import Client  # noqa: PLC0415  its SDK is an extra: only who asks a model needs it

        if not 0 <= self.temperature <= HOTTEST or self.max_tokens < 1:
            raise RequestError(
                f"a language model needs a temperature from 0 to {HOTTEST:g}, and a token to answer with"
            )
        client = Client(self.endpoint)
        if not client.is_here and not client.encrypted:
            raise RequestError(
                f"{client.host} is not this machine, and plain http would send it the key in clear: use https, or a "
                "server on 127.0.0.1"
            )
        object.__setattr__(self, "client", client)

    def through(self, client: Answering) -> "Chat":
        """Return a chat of its own count that asks through somebody between, who keeps answers."""
        other = copy(self)
        object.__setattr__(other, "client", client)
        object.__setattr__(other, "meter", Meter())
        return other

    @property
    def place(self) -> str:
        """Name the host, or only say that it is this machine."""
        return "loopback" if self.client.is_here else self.client.host

    def text(self, messages: tuple[Message, ...]) -> str:
        """Ask for words; an answer without any is empty."""
        answer = self._ask(messages, FreeText())
        if answer is None:
            raise QuestionRefused(
                f"the language model at {self.client.address} refuses the question: it may be longer than the model's "
                "window. Serve it with a longer one, or list fewer themes"
            )
        return answer

    def json(self, messages: tuple[Message, ...], name: str, schema: Mapping[str, object]) -> str:
        """Ask for JSON: held to the schema where the server can, else to some JSON, else by the words alone."""
        for form in (JsonSchema(name, schema), AnyJson()):
            if type(form) not in self.meter.unknown:
                answer = self._ask(messages, form)
                if answer is not None:
                    return answer
                self.meter.unknown.add(type(form))
        return self.text(messages)

    def _ask(self, messages: tuple[Message, ...], form: Form) -> str | None:
        """Return the answer, or nothing where the server refuses this question in this form."""
        reply = self.client.ask(Question(messages, form, self.max_tokens, self.seed, self.temperature))
        if isinstance(reply, Failure):
            raise EndpointError(reply.sentence)
        if reply.text is None and not reply.refused:  # an empty text has nothing wrong in it: it would be accepted
            raise EndpointError(f"the language model at {self.client.address} {NO_COMPLETION}")
        self.meter.usage += Usage(1, reply.prompt_tokens, reply.answer_tokens)
        return reply.text
