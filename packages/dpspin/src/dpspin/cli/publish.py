"""What a release leaves behind: a folder to publish, a folder to keep, and the summary on the terminal."""

import json
import os
from pathlib import Path

from dpspin.boundary.accounting import cost_of
from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.lab_place import require_no_lab_beside
from dpspin.cli.terminal import draws_blocks, say, width
from dpspin.curator.ledger.ledger import Ledger
from dpspin.curator.release.answer_request import Answer
from dpspin.curator.release.receipt import write_receipt
from dpspin.errors import InputError
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.policy import Length
from dpspin.public.report.folder import shown_sentences, write_release
from dpspin.public.report.on_terminal import terminal_page
from dpspin.public.report.texts import on_trust


def require_writable(out: Path, dataset: str) -> None:
    """Refuse a folder that cannot be written, or is the lab's or another dataset's, before anything is charged."""
    require_no_lab_beside(out)
    for part in (out / "curator", out / "release"):
        nearest = next(place for place in (part, *part.absolute().parents) if place.exists())
        if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
            raise InputError(f"cannot write to {str(out)!r}: {str(nearest)!r} is no folder to write in; change --out")
    receipt = out / "curator" / "receipt.json"
    if receipt.is_file() and _read(receipt).get("dataset") != dataset:
        raise InputError(f"{str(out)!r} holds a release of another dataset; choose another --out")


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
            "another --out. Nothing was charged"
        )
    return content


def publish(
    out: Path, answer: Answer, atoms: AtomUniverse, dataset: str, ledger: Ledger, length: Length = Length.FULL
) -> None:
    """Write both folders; stdout gets the verified summary, stderr the rest."""
    budget = ledger.require_budget(dataset)
    write_receipt(out / "curator", answer, dataset, budget)
    texts = write_release(out / "release", answer.plan, atoms, length)
    summary = shown_sentences(texts.display.verdict)
    say(terminal_page(Facts(answer.plan, atoms), summary, width(), plain=not draws_blocks()))
    if answer.diagnostics is None:
        say("\nThese numbers were released before: read again, at no cost.", err=True)
    for sentence in on_trust(answer.plan.statement):
        say(f"\n{sentence}", err=True)
    more = budget.reports_left(cost_of(answer.plan.statement, answer.plan.rules.size, answer.plan.denominator))
    spent, cap = budget.words(budget.spent), budget.words(budget.cap)
    say(f"\nBudget of {dataset}: spent {spent} of {cap}; {more} more like this one.", err=True)
    say(f"Publish: {out / 'release'} (open report.html)", err=True)
    say(f"Keep private: {out / 'curator'} (diagnostics.json tells how many records could be used)", err=True)
