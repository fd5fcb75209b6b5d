"""The release folder: everything in it is a function of the plan and the public dictionary, and may be published."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.report.label import label_json
from dpspin.public.report.page import ReportSentence, render_report
from dpspin.public.report.tables import plan_csv
from dpspin.public.stage0_atoms.files import dumps
from dpspin.public.stage3_narrate.narrate import Narration, narrate
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.sentences import LinkedSentence, linked_sentences


@dataclass(frozen=True, slots=True)
class Narrations:
    """The two presentations of one plan: for readers, and for checkers."""

    display: Narration
    audit: Narration


def narrate_both(plan: SemanticPlan, atoms: AtomUniverse | None) -> Narrations:
    """Narrate a plan in both modes with the template."""
    display, audit = (narrate(plan, mode=mode, atoms=atoms) for mode in (Mode.DISPLAY, Mode.AUDIT))
    return Narrations(display, audit)


def write_release(folder: Path, plan: SemanticPlan, atoms: AtomUniverse | None) -> Narrations:
    """Write the release folder, each file whole or not at all."""
    texts = narrate_both(plan, atoms)
    linked = linked_sentences(texts.display.text, plan, Mode.DISPLAY, atoms)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "plan.json", plan.to_json().encode())
    if atoms is not None:
        write_whole(folder / "atoms.json", dumps(atoms).encode())
    for name, content in _derived(plan, atoms, texts, linked).items():
        write_whole(folder / name, content.encode())
    return texts


def report(plan: SemanticPlan, *, text: str | None = None, atoms: AtomUniverse | None = None) -> str:
    """Return the HTML report around a display text (the template's, if none is given).

    Sentences that do not pass the verifier are not shown.
    """
    words = narrate(plan, atoms=atoms).text if text is None else text
    return render_report(plan, _shown(linked_sentences(words, plan, Mode.DISPLAY, atoms)), atoms=atoms)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under another name and rename it, so that a reader never sees half of it."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _derived(
    plan: SemanticPlan, atoms: AtomUniverse | None, texts: Narrations, linked: tuple[LinkedSentence, ...]
) -> dict[str, str]:
    return {
        "summary.txt": texts.display.text.rstrip() + "\n",
        "audit.txt": texts.audit.text.rstrip() + "\n",
        "claims.jsonl": "".join(_claim_line(sentence) for sentence in linked),
        "verifier_attempts.json": json.dumps([_attempts(texts.display), _attempts(texts.audit)], indent=2) + "\n",
        "plan.csv": plan_csv(plan, atoms=atoms),
        "label.json": label_json(plan),
        "report.html": render_report(plan, _shown(linked), atoms=atoms),
    }


def _shown(linked: tuple[LinkedSentence, ...]) -> list[ReportSentence]:
    return [ReportSentence(each.text, each.atom_ids, each.accepted, none=each.none) for each in linked]


def _claim_line(sentence: LinkedSentence) -> str:
    about = {"atoms": list(sentence.atom_ids), "none": sentence.none}
    claim = {"sentence": sentence.text, **about, "verified": sentence.accepted}
    return json.dumps(claim, ensure_ascii=False) + "\n"


def _attempts(narration: Narration) -> dict[str, object]:
    attempts = [{"text": attempt.text, **attempt.verdict.model_dump(mode="json")} for attempt in narration.attempts]
    return {"mode": narration.mode.value, "used_fallback": narration.used_fallback, "attempts": attempts}
