"""A language model that reads exact data: it must be on this machine."""

import json
from collections.abc import Mapping

from dpspin.errors import RequestError
from dpspin.llm.chat import Chat


def asked(chat: Chat, prompt: str) -> str:
    """Ask for words."""
    _require_here(chat)
    return chat.text(({"role": "user", "content": prompt},)).strip()


def asked_fields(chat: Chat, prompt: str, name: str, kinds: Mapping[str, str]) -> dict[str, object]:
    """Ask for a JSON object with these fields; what comes back may lack some, or all of them."""
    _require_here(chat)
    schema = {
        "type": "object",
        "properties": {field: {"type": kind} for field, kind in kinds.items()},
        "required": list(kinds),
        "additionalProperties": False,
    }
    try:
        answer = json.loads(chat.json(({"role": "user", "content": prompt},), name, schema))
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _require_here(chat: Chat) -> None:
    if not chat.client.is_here:
        raise RequestError("records and exact figures do not leave this machine: serve the model on 127.0.0.1")
