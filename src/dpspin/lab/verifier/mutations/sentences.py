"""Falsehoods as sentences of their own, put somewhere into a true text."""

import re
from functools import cache
from importlib import resources

import yaml

from dpspin.lab.datasets.chance import Chance, pick, shuffled
from dpspin.lab.verifier.mutations.slots import filled
from dpspin.lab.verifier.mutations.summary import Summary

_BOUNDARY = re.compile(r"(?<=[a-z]{3}\.) (?=[A-Z“])")


@cache
def wordings() -> dict[str, tuple[str, ...]]:
    """Return the wordings of each kind, with their slots."""
    text = (resources.files("dpspin.lab.verifier.mutations") / "wordings.yaml").read_text("utf-8")
    return {kind: tuple(lines) for kind, lines in yaml.safe_load(text).items()}


def false_sentence(kind: str, summary: Summary, chance: Chance) -> str | None:
    """Return a sentence of a kind that is false of the plan, in a wording (by chance) that the plan can fill."""
    for wording in shuffled(wordings()[kind], chance):
        sentence = filled(wording, summary, chance)
        if sentence is not None:
            return sentence
    return None


def planted(kind: str, summary: Summary, chance: Chance) -> str | None:
    """Put a false sentence into a true text: at the end, at the beginning, or between two sentences."""
    sentence = false_sentence(kind, summary, chance)
    if sentence is None:
        return None
    text = summary.text.rstrip()
    places = [f"{text}\n\n{sentence}"]
    if _is_prose(text):
        between = [f"{text[: gap.start()]} {sentence} {text[gap.end() :]}" for gap in _BOUNDARY.finditer(text)]
        places = [f"{text} {sentence}", f"{sentence} {text}", *between]
    return pick(places, chance)


def _is_prose(text: str) -> bool:
    """Tell a paragraph from lists, tables and headings: only there does a sentence fit anywhere."""
    return "\n" not in text and text.endswith((".", "!")) and text[0] not in "-*#|•"
