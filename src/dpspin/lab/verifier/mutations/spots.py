"""Where a true text names themes and their bins."""

import re
from dataclasses import dataclass
from functools import cache

from dpspin.lab.verifier.mutations.summary import Summary
from dpspin.public.stage3_narrate.policy import Mode

_VERBS = r"(?P<verb>has|have|shows|show|falls in the|fall in the|is in the|are in the|falls into the|sits in the)"
_MARK = r"[”\"*]*(?: \[atom:\d+\])?[”\"*]*"
_NEAR = r"[”\"*]* ?"


@dataclass(frozen=True, slots=True)
class Spot:
    """A theme's name, or the bin right beside it."""

    label: str
    bin: str
    span: tuple[int, int]
    verb: str = ""
    verb_span: tuple[int, int] = (0, 0)

    def found(self, text: str) -> str:
        """Return what stands there."""
        return text[slice(*self.span)]

    def renamed(self, text: str, label: str, atom_id: int | None) -> str:
        """Put another label there; with an id, another marker too where there is one."""
        after = text[self.span[1] :]
        if atom_id is not None:
            after = re.sub(rf"^({_NEAR})\[atom:\d+\]", rf"\g<1>[atom:{atom_id}]", after)
        return text[: self.span[0]] + label + after


def replaced(text: str, span: tuple[int, int], by: str) -> str:
    """Put other words in the place of a span.

    >>> replaced("low support", (0, 3), "high")
    'high support'
    """
    return text[: span[0]] + by + text[span[1] :]


def theme_spots(summary: Summary) -> list[Spot]:
    """Return where listed themes are named by their whole label; a label inside a longer one is not a name."""
    labels = {entry.label.lower(): entry for entry in summary.entries}
    names = _names(tuple(atom.label for atom in summary.atoms.atoms))
    found = [(match, labels.get(match[0].lower())) for match in names.finditer(summary.text)]
    return [Spot(e.label, e.bin, match.span()) for match, e in found if e is not None and _is_name(summary, match)]


@cache
def _names(labels: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(labels, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])", re.IGNORECASE)


def _is_name(summary: Summary, match: re.Match[str]) -> bool:
    """In audit mode a marker tells a name from a word; in display mode “noise” is a word of every text on privacy."""
    if summary.mode is Mode.AUDIT:
        return re.compile(rf"{_NEAR}\[atom:").match(summary.text, match.end()) is not None
    return match[0].lower() != "noise" or summary.text[match.end() : match.end() + 1] in {"”", "*", '"'}


def bin_spots(summary: Summary) -> list[Spot]:
    """Return the bins that stand right behind a theme: “long wait has high support”."""
    spots: list[Spot] = []
    for theme in theme_spots(summary):
        said = re.compile(rf"{_MARK} {_VERBS} (?P<bin>{re.escape(theme.bin)}) (?:support|bin)\b", re.IGNORECASE)
        match = said.match(summary.text, theme.span[1])
        if match is not None:
            spots.append(Spot(theme.label, theme.bin, match.span("bin"), match["verb"], match.span("verb")))
    return spots
