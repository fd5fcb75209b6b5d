"""The folder of a release as its curator keeps it: what it may hold, what its ledger must know, and the receipt.

``OUT/release`` may be published, ``OUT/curator`` may not. Both are looked at before anything is charged, and the
receipt is written before anything is published.
"""

import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from dpspin.boundary.approval import APPROVALS, ApprovedRequest
from dpspin.boundary.folders import require_no_lab_beside
from dpspin.boundary.safe_files import make_private_folder, write_private
from dpspin.boundary.series import INDEX
from dpspin.curator.aggregate.local import Diagnostics
from dpspin.curator.ledger.amounts import Budget
from dpspin.curator.ledger.ledger import Ledger
from dpspin.errors import InputError

RECEIPT, DECLARED = "receipt.json", "series.yaml"
DIAGNOSTICS_WARNING = (
    "Private: these are exact counts of protected records. Do not publish, do not copy into the release folder."
)


def require_writable(out: Path, dataset: str) -> None:
    """Refuse a folder that cannot be written, or is the lab's or another dataset's, before anything is charged."""
    require_no_lab_beside(out)
    for part in (out / "curator", out / "release"):
        nearest = next(place for place in (part, *part.absolute().parents) if place.exists())
        if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
            raise InputError(
                f"cannot write to {str(out)!r}: {str(nearest)!r} is no folder to write in; choose another folder"
            )
    receipt = out / "curator" / RECEIPT
    if receipt.is_file() and _left_by_earlier(receipt).get("dataset") != dataset:
        raise InputError(f"{str(out)!r} holds a release of another dataset; choose another folder")


def require_single(out: Path, dataset: str) -> None:
    """Refuse to a single release what cannot be written, and the folder of a series: each has one kind of papers."""
    require_writable(out, dataset)
    if (out / "release" / INDEX).exists() or (out / "curator" / DECLARED).exists():
        raise InputError(
            f"{str(out)!r} holds a series, which a single release does not belong in: choose another folder, or add a "
            "period (dpspin series add). Nothing was charged",
            code="input.series-folder",
        )


def earlier_heads(out: Path) -> tuple[str, ...]:
    """Return the links that the ledger of a folder must know: of what is published there, and of its last use."""
    published = (out / "release" / "plan.json", out / "release" / "phrases.json")
    return heads_in((*published, out / "curator" / "phrases.json", out / "curator" / RECEIPT))


def heads_in(files: Iterable[Path]) -> tuple[str, ...]:
    """Return the links that plans, released phrases and receipts name, each once; a file may be missing."""
    return tuple(dict.fromkeys(filter(None, (_head_in(_left_by_earlier(file)) for file in files if file.is_file()))))


def _head_in(left: dict[str, object]) -> str | None:
    account = left.get("account", left)  # a receipt is itself about the account
    head = account.get("head") if isinstance(account, dict) else None
    return head if isinstance(head, str) else None


def _left_by_earlier(path: Path) -> dict[str, object]:
    """Read a file that an earlier release left; what it was is not guessed."""
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError):  # no JSON, or no text
        content = None
    if not isinstance(content, dict):
        raise InputError(
            f"{str(path)!r} is damaged, so nothing tells which release it belongs to: move it away, or choose "
            "another folder. Nothing was charged"
        )
    return content


def write_receipt(folder: Path, seen: Diagnostics | None, dataset: str, ledger: Ledger) -> None:
    """Write what was charged and, where records were read, how many could be used; for the owner's eyes only."""
    write_account(folder, dataset, ledger)
    (folder / "diagnostics.json").unlink(missing_ok=True)  # it would describe another run
    if seen is not None:
        _write_private(folder / "diagnostics.json", {"warning": DIAGNOSTICS_WARNING, **asdict(seen)})


def write_account(folder: Path, dataset: str, ledger: Ledger) -> Budget:
    """Write what the dataset has spent and where the ledger stands, for the owner's eyes only: no older one goes on."""
    make_private_folder(folder)
    budget = ledger.require_budget(dataset)
    _write_private(folder / RECEIPT, {"dataset": dataset, **budget.as_json(), "head": ledger.head()})
    return budget


def write_approved(folder: Path, approved: ApprovedRequest | None) -> None:
    """Write the approvals that a release was charged under, for whoever signs it; none where none was demanded."""
    if approved is None:
        (folder / APPROVALS).unlink(missing_ok=True)  # it would be of another release
        return
    make_private_folder(folder)
    write_private(folder / APPROVALS, f"{approved.model_dump_json(indent=2)}\n".encode())


def _write_private(path: Path, content: dict[str, object]) -> None:
    write_private(path, f"{json.dumps(content, indent=2)}\n".encode())
