"""What became of a question: answered as it should be, refused as it should be, or not; by rules apart from `ask`.

An answer is held against the plan twice: every sentence is verified, and every percentage in it that stands beside the
name of a theme is looked up in plan.json, read as plain JSON.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

HERE = Path(__file__).parent
RELEASES, QUESTIONS = HERE / "releases", HERE / "questions.yaml"
SHARE = re.compile(r"“([^”]+)”(?: is not among the listed themes: it has a share of|: )? ?(\d+(?:\.\d+)?)%")


@dataclass(frozen=True)
class Put:
    """A question, the release that it is put to, and what its answer must speak of; nothing, if there is none."""

    release: str
    question: str
    answerable: bool
    held_back: bool
    gold: dict

    @property
    def folder(self) -> Path:
        return RELEASES / self.release


def every_question() -> Iterator[Put]:
    """Yield all questions; every second answerable one of a release is held back."""
    for release, kinds in yaml.safe_load(QUESTIONS.read_text(encoding="utf-8")).items():
        for kind, answerable in (("answerable", True), ("unanswerable", False)):
            for place, told in enumerate(kinds[kind]):
                gold = {name: value for name, value in told.items() if name != "ask"}
                yield Put(release, told["ask"], answerable, bool(place % 2), gold)


def is_answered(put: Put, reply: dict) -> bool:
    """Tell whether a reply speaks of what was asked: of all themes, the area, the first theme, or in these words."""
    told = " ".join(each["sentence"] for each in reply["sentences"])
    named = {row["label"] for row in reply["rows"]}
    wanted = set(put.gold.get("themes", ())) | ({first_theme(put.folder)} if put.gold.get("first") else set())
    area = put.gold.get("area")
    return (
        bool(told)
        and wanted <= named
        and (area is None or f"“{area}”" in told or bool(members(put.folder, area) & named))
        and re.search(put.gold.get("says", ""), told) is not None
    )


def plan_of(folder: Path) -> dict:
    """Read the plan as plain JSON: of a series, that of its last period."""
    return _read(folder / "plan.json" if (folder / "plan.json").exists() else max(folder.glob("*/plan.json")))


@cache
def _read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def first_theme(folder: Path) -> str:
    """Return the theme with the largest share: as it was read, where a sample was, else as filed."""
    plan = plan_of(folder)
    return (plan["grounded"]["themes"] if plan.get("grounded") else plan["entries"])[0]["label"]


def members(folder: Path, area: str) -> set:
    """Return the listed themes of an area."""
    return {entry["label"] for entry in plan_of(folder)["entries"] if entry["parent"] == area}


def disagreements(folder: Path, sentence: str) -> list[str]:
    """Return every share of a listed theme in a sentence that plan.json does not have."""
    plan = plan_of(folder)
    shares = {entry["label"].casefold(): {entry["support"]} for entry in plan["entries"]}
    for each in (plan.get("grounded") or {}).get("themes", ()):
        shares.setdefault(each["label"].casefold(), set()).add(each["support"])
    wrong = []
    for label, told in SHARE.findall(sentence):
        known = shares.get(label.casefold())
        unit = 10.0 ** -len(told.partition(".")[2])
        if known is not None and all(abs(100 * share - float(told)) > 0.51 * unit for share in known):
            wrong.append(f"{label}: {told}%")
    return wrong
