"""Where and how the lab writes: marked as not private, and never in a release or beside one; and who may read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from dpspin.boundary.folders import MARK, NOTICE_FILE, require_no_release
from dpspin.boundary.model_base import canonical_json
from dpspin.boundary.safe_files import write_whole
from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint

RANDOMNESS: Final = "SIMULATED-NOT-PRIVATE"  # in every file that could be copied out alone
_NOTICE: Final = (
    f"{RANDOMNESS}\n\nEverything in this folder is offline evaluation on public or generated records. It holds "
    "exact figures and noise from known seeds, so it protects nobody. Do not publish it as a release.\n"
)
NOT_FOR_OTHERS: Final = (
    "records and exact figures do not leave this machine, nor do simulated releases, whose noise can be taken off: "
    "serve the model on 127.0.0.1, say that its host is part of the curator (--llm-endpoint-is-trusted), or "
    "say that all records are public (--records-are-public)"
)


def endpoint_at(url: str, model: str, *, trusted: bool = False) -> Endpoint:
    """Return an endpoint; ``trusted``: its host is part of the curator, as a release's map may have one.

    A server on this machine is told not to reuse its work, as a release's is; another may not know that field, and
    answer nothing for it.
    """
    plain = Endpoint(url, model)
    if not trusted:
        return plain
    from dpspin.curator.assign.llm import trusted_endpoint  # noqa: PLC0415  an optional extra
    from dpspin.llm.client import Client  # noqa: PLC0415  its SDK is an extra

    extra = trusted_endpoint.NO_REUSE if Client(plain).is_here else {}
    return trusted_endpoint.Endpoint(url, model, extra=extra, trusted_endpoint=True)


def require_reader(chat: Chat, *, records_are_public: bool) -> None:
    """Let a model elsewhere read what protects nobody only where its caller, who alone knows, says that it may.

    Public records may go to any endpoint; all others to the curator's only: this machine, or a host declared as one.
    """
    if not (records_are_public or chat.client.is_here or _is_trusted(chat.endpoint)):
        raise RequestError(NOT_FOR_OTHERS)


def _is_trusted(endpoint: Endpoint) -> bool:
    from dpspin.curator.assign.llm import trusted_endpoint  # noqa: PLC0415  an optional extra

    return isinstance(endpoint, trusted_endpoint.Endpoint) and endpoint.trusted_endpoint


def evaluation_folder(folder: Path) -> Path:
    """Make a folder for results, and say in it what they are."""
    require_no_release(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / NOTICE_FILE).exists():
        write_whole(folder / NOTICE_FILE, _NOTICE.encode())
    return folder


def write_not_private(folder: Path, name: str, content: Mapping[str, object]) -> Path:
    """Write ``NOT-PRIVATE-name.json``, whose first words say what it is."""
    require_no_release(folder)
    folder.mkdir(parents=True, exist_ok=True)
    marked = {**content, "private": False, "use": "offline evaluation only"}  # no content can take the mark away
    path = folder / f"{MARK}{name}.json"
    write_whole(path, (canonical_json(marked) + "\n").encode())
    return path
