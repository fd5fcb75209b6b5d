"""The folders of a release, as the curator sees them: what may be written where, and the private papers."""

import json
import os
from dataclasses import asdict
from pathlib import Path

from dpspin.boundary.folders import require_no_lab_beside
from dpspin.curator.ledger.amounts import Budget
from dpspin.curator.release.answer_request import Answer
from dpspin.errors import InputError

WARNING = "Private: these are exact counts of protected records. Do not publish, do not copy into the release folder."


def require_writable(out: Path, dataset: str) -> None:
    """Refuse a folder that cannot be written, or is the lab's or another dataset's, before anything is charged."""
    require_no_lab_beside(out)
    for part in (out / "curator", out / "release"):
        nearest = next(place for place in (part, *part.absolute().parents) if place.exists())
        if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
            raise InputError(
                f"cannot write to {str(out)!r}: {str(nearest)!r} is no folder to write in; choose another folder"
            )
    receipt = out / "curator" / "receipt.json"
    if receipt.is_file() and _read(receipt).get("dataset") != dataset:
        raise InputError(f"{str(out)!r} holds a release of another dataset; choose another folder")


def earlier_head(out: Path) -> str | None:
    """Return where the ledger stood at the release that the folder holds: another ledger must not replace it."""
    plan = out / "release" / "plan.json"
    account = _read(plan).get("account") if plan.is_file() else None
    head = account.get("head") if isinstance(account, dict) else None
    return head if isinstance(head, str) else None


def _read(path: Path) -> dict[str, object]:
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


def write_receipt(folder: Path, answer: Answer, dataset: str, budget: Budget) -> None:
    """Write what was charged and, where records were read, how many could be used; for the owner's eyes only."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    _write(folder / "receipt.json", {"dataset": dataset, **budget.as_json()})
    (folder / "diagnostics.json").unlink(missing_ok=True)  # it would describe another run
    if answer.diagnostics is not None:
        _write(folder / "diagnostics.json", {"warning": WARNING, **asdict(answer.diagnostics)})


def _write(path: Path, content: dict[str, object]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(json.dumps(content, indent=2) + "\n")
