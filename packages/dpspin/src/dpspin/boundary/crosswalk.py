"""A crosswalk: what the labels of a taxonomy were renamed to, so that texts under old names teach the new ones."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dpspin.boundary.safe_files import read_plain_text
from dpspin.errors import InputError

HEADER: Final = ["old", "new"]
BETWEEN_LEVELS: Final = " / "


@dataclass(frozen=True, slots=True)
class Crosswalk:
    """Old labels and their new ones. A rule for a path holds for all below it; the rule for the longest path wins.

    >>> renamed = Crosswalk({"Loan": "Credit", "Credit / Fee": "Credit / Charges"})
    >>> renamed("Loan / Fee"), renamed("Loan / Fee / Late"), renamed("Loans")
    ('Credit / Charges', 'Credit / Charges / Late', 'Loans')
    """

    rules: dict[str, str]

    def __call__(self, label: str) -> str:
        """Return today's name; a name that was changed twice is followed."""
        for _ in self.rules:  # each rule is used once at most, where none leads back
            label = self.renamed_once(label)
        return label

    def renamed_once(self, label: str) -> str:
        """Apply the rule for the longest path that has one."""
        levels = label.split(BETWEEN_LEVELS)
        paths = (BETWEEN_LEVELS.join(levels[:depth]) for depth in range(len(levels), 0, -1))
        old = next((path for path in paths if path in self.rules), None)
        return label if old is None else self.rules[old] + label[len(old) :]

    def cell(self, labels: str | None) -> str | None:
        """Rename what stands in a cell of labels: one, or several with ``;`` or ``|`` between them.

        >>> Crosswalk({"Fee": "Charges"}).cell("Fee; Delay")
        'Charges;Delay'
        """
        if not self.rules or labels is None:
            return labels
        whole = " ".join(labels.split())
        if self(whole) != whole:
            return self(whole)
        return ";".join(self(part.strip()) for part in whole.replace("|", ";").split(";"))


def read_crosswalk(path: str | Path) -> Crosswalk:
    """Read a CSV file with the columns ``old`` and ``new``; refuse rules that contradict each other or lead back."""
    try:
        rows = list(csv.reader(io.StringIO(read_plain_text(path, "utf-8-sig"))))
    except (OSError, UnicodeDecodeError, csv.Error):
        raise InputError(f"the crosswalk {str(path)!r} cannot be read: it is a CSV file in UTF-8") from None
    if not rows or [cell.strip() for cell in rows[0]] != HEADER:
        raise InputError(f"the crosswalk {str(path)!r} needs a first line with the columns old,new")
    rules: dict[str, str] = {}
    for line, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        named = [" ".join(cell.split()) for cell in row]
        if len(named) != len(HEADER) or not all(named):
            raise InputError(f"line {line} of the crosswalk needs an old and a new label, and nothing more")
        old, new = named
        if rules.setdefault(old, new) != new:
            raise InputError(f"line {line} of the crosswalk: {old!r} has two new labels; keep one")
    _require_an_end(rules)
    return Crosswalk(rules)


def _require_an_end(rules: dict[str, str]) -> None:
    """Refuse rules by which a label never comes to rest."""
    renamed = Crosswalk(rules)
    for old in rules:
        if renamed.renamed_once(renamed(old)) != renamed(old):
            raise InputError(f"the crosswalk leads {old!r} back to where it came from: leave one of the lines out")
