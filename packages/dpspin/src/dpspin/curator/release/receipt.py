"""The curator's folder: private papers about a release. Nothing in it may be published."""

import json
import os
from dataclasses import asdict
from pathlib import Path

from dpspin.curator.ledger.account import Budget
from dpspin.curator.release.answer_request import Answer

WARNING = "Private: these are exact counts of protected records. Do not publish, do not copy into the release folder."


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
