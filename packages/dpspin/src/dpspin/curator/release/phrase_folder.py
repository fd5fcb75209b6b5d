"""Released phrases before a person has looked at them: differentially private already, and not yet published.

``phrases.json`` is what the ledger stored, ``phrases.csv`` what a person decides, in a spreadsheet or with ``dpspin
phrases review``: a phrase with ``yes`` in the column ``publish`` is published, one with ``no`` never is.
"""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dpspin.boundary.phrases import NoisyPhrase, PhraseRelease
from dpspin.boundary.safe_files import make_private_folder, read_plain, read_plain_text, write_private
from dpspin.errors import InputError, RequestError
from dpspin.text.phrases import MARKS, marks_of

RELEASED, DECIDED = "phrases.json", "phrases.csv"
YES, NO, OPEN = "yes", "no", ""
HEADER: Final = ("phrase", "publish", "noisy_count", "at_least", "think_twice")
Decisions = Mapping[str, str]  # by phrase: yes, no, or open


@dataclass(frozen=True)
class PhraseFolder:
    """The curator's folder of released phrases; whatever is asked of it is read from its files."""

    path: Path
    release: PhraseRelease

    def decisions(self) -> dict[str, str]:
        """Return what was decided of each phrase; refuse a table that is not of these phrases."""
        told = _decided(self.path / DECIDED)
        if told.keys() != {each.phrase for each in self.release.phrases}:
            raise _damaged(self.path / DECIDED, "does not have the phrases that were released, each once")
        if not set(told.values()) <= {YES, NO, OPEN}:
            raise _damaged(self.path / DECIDED, "has a decision that is neither yes nor no, nor empty")
        return told

    def decide(self, phrase: str, decision: str) -> None:
        """Write one decision down; an empty one takes it back."""
        self.write({**self.decisions(), phrase: decision})

    def write(self, decisions: Decisions) -> None:
        """Write the table of decisions; the mark in front tells spreadsheets that this is UTF-8."""
        written = io.StringIO(newline="")
        csv.writer(written).writerows(
            [HEADER, *(self._row(each, decisions) for each in self.release.most_telling_first)]
        )
        write_private(self.path / DECIDED, written.getvalue().encode("utf-8-sig"))

    def _row(self, each: NoisyPhrase, decisions: Decisions) -> tuple[str, str, int, int, str]:
        why = "; ".join(MARKS[mark] for mark in marks_of(each.phrase))
        return each.phrase, decisions.get(each.phrase, OPEN), each.count, self.release.low(each), why

    def to_publish(self) -> PhraseRelease:
        """Return what a person let through; refuse where something was not looked at.

        Leaving out by looking at what was released, at nothing else, is post-processing: it costs no privacy.
        """
        decisions = self.decisions()
        if OPEN in decisions.values():
            raise RequestError(
                "some phrases were not looked at yet: decide each of them (dpspin phrases review), or fill in the "
                f"column publish of {DECIDED} with yes or no",
                code="request.not-looked-at",
            )
        return self.release.only(frozenset(each for each, decision in decisions.items() if decision == YES))


def write_phrases(folder: Path, release: PhraseRelease) -> PhraseFolder:
    """Write released phrases for their owner's eyes; what was decided of the same ones stays."""
    make_private_folder(folder)
    earlier = _earlier(folder, release)
    write_private(folder / RELEASED, release.to_json().encode())
    made = PhraseFolder(folder, release)
    made.write(earlier)
    return made


def _earlier(folder: Path, release: PhraseRelease) -> Decisions:
    """Return what was decided in this folder of the same numbers."""
    if not (folder / DECIDED).exists() or not (folder / RELEASED).exists():
        return {}
    before = open_phrases(folder)
    return before.decisions() if before.release.phrases == release.phrases else {}


def open_phrases(folder: Path) -> PhraseFolder:
    """Open the curator's folder of released phrases."""
    try:
        text = read_plain(folder / RELEASED)
    except OSError:
        raise InputError(f"{str(folder)!r} holds no released phrases: dpspin phrases find makes them") from None
    return PhraseFolder(folder, PhraseRelease.from_json(text, f"{RELEASED} of this folder"))


def _decided(file: Path) -> dict[str, str]:
    """Read the table; a spreadsheet may have written it with semicolons or tabs."""
    try:
        text = read_plain_text(file, "utf-8-sig")
        first = text.partition("\n")[0]
        delimiter = next((each for each in ";\t" if each in first), ",")
        rows = list(csv.DictReader(io.StringIO(text), delimiter=delimiter))
        told = [((row["phrase"] or "").strip(), (row["publish"] or "").strip().lower()) for row in rows]
    except (OSError, UnicodeDecodeError, csv.Error, KeyError):
        raise _damaged(file, f"is no table with the columns {', '.join(HEADER[:2])}") from None
    if len(dict(told)) < len(told):
        raise _damaged(file, "has a phrase twice")
    return dict(told)


def _damaged(file: Path, why: str) -> InputError:
    return InputError(
        f"{str(file)!r} {why}: mend it, or delete it and ask for the phrases again (dpspin phrases find), at no cost",
        code="input.damaged-review",
    )
