"""Where a language model is asked."""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from dpspin.errors import RequestError

NO_KEY = "none"  # what is sent in a key's place
_OURS = frozenset(("model", "messages", "response_format", "temperature", "seed", "max_tokens", "n", "stream"))


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address and a model. The key is named, never held: it is read from the environment when a client is made.

    ``extra`` is added to the body of every request, for settings that only one kind of server knows.
    """

    url: str = field(repr=False)  # it may hold a password, until the client has refused it
    model: str
    key_variable: str = "DPSPIN_LLM_KEY"
    timeout_seconds: float = 300.0
    retries: int = 4
    extra: Mapping[str, JsonValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.model.strip() or not self.model.isprintable():
            raise RequestError("the language model needs a name: the one under which the server offers it")
        if not self.timeout_seconds > 0 or self.retries < 0:
            raise RequestError("a language model needs a time-out above zero, and no fewer than zero retries")
        if taken := sorted(_OURS & self.extra.keys()):
            raise RequestError(f"the fields {', '.join(taken)} of a request are set here; leave them out of `extra`")

    def key(self) -> str:
        """Read the key; local servers need none."""
        key = os.environ.get(self.key_variable, "").strip() or NO_KEY
        if not (key.isascii() and key.isprintable()):
            raise RequestError(f"the key in ${self.key_variable} has characters that no header can carry")
        return key


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine: 127.0.0.0/8, ::1 or localhost.

    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "127.0.0.1.example.org", "10.0.0.1")]
    [True, True, True, False, False]
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
