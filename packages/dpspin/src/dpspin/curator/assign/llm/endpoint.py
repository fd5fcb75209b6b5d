"""Where a language model may read records: on this machine, or on a host declared part of the curator."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from dpspin.llm import endpoint

# A server that reuses the previous prompt's work can let one record touch the arithmetic of the next. llama.cpp is told
# not to by this field; other local servers ignore it.
NO_REUSE: Mapping[str, JsonValue] = {"cache_prompt": False}


@dataclass(frozen=True, slots=True)
class Endpoint(endpoint.Endpoint):
    """An endpoint, and whether its host was declared part of the curator."""

    extra: Mapping[str, JsonValue] = field(default_factory=lambda: dict(NO_REUSE))
    trusted_endpoint: bool = False
