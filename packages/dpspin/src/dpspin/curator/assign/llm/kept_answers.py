"""Answers survive the run: a stopped or killed run continues where it was, and a second one asks nothing.

Kept are atom ids under a keyed hash of the question, never a text. The key stays in the same private folder: whoever
has both files can test whether a text they already know was mapped, so the folder is as private as the records.
"""

import contextlib
import hmac
import json
import os
import sqlite3
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Protocol

from dpspin.boundary.atoms import AtomId
from dpspin.boundary.model_base import canonical_json
from dpspin.curator.assign.llm.theme_question import ModelAnswer
from dpspin.errors import SourceError

KEY_BYTES = 32
BUSY_SECONDS = 30
_TABLE = "CREATE TABLE IF NOT EXISTS answer (question BLOB PRIMARY KEY, atoms TEXT NOT NULL) WITHOUT ROWID"


class KeptAnswers(Protocol):
    """Where a labeller looks before it asks."""

    @property
    def outlive_the_run(self) -> bool:
        """Whether somebody could read afterwards about which texts was asked."""
        ...

    def find(self, identity: str, text: str) -> ModelAnswer | None:
        """Return what was answered about a text; None: not asked yet."""
        ...

    def keep(self, identity: str, text: str, reading: ModelAnswer) -> None:
        """Keep an answer; the first one stands."""
        ...


class AnswersOfThisRun:
    """Answers in memory: of a random sample nothing may be kept, since a file of answers would say who was drawn."""

    outlive_the_run = False

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], ModelAnswer] = {}

    def find(self, identity: str, text: str) -> ModelAnswer | None:
        """Return what was answered in this run."""
        return self._found.get((identity, text))

    def keep(self, identity: str, text: str, reading: ModelAnswer) -> None:
        """Keep an answer until the run is over."""
        self._found.setdefault((identity, text), reading)


class Answers:
    """The answers kept in one folder, which is made readable by its owner only.

    Nothing is made before the first answer is sought: a request that is refused leaves no trace.
    """

    outlive_the_run = True

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "llm-answers.db"

    @cached_property
    def _key(self) -> bytes:
        with _explained(self._folder):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _key_of(self._folder / "llm-answers.key")

    def find(self, identity: str, text: str) -> ModelAnswer | None:
        """Return what was answered about a text under the same model, prompt and dictionary; None: not asked yet."""
        question = self._name(identity, text)
        with self._open() as database:
            found = database.execute("SELECT atoms FROM answer WHERE question = ?", (question,)).fetchone()
        return _decoded(found[0], self._file) if found else None

    def keep(self, identity: str, text: str, reading: ModelAnswer) -> None:
        """Write an answer durably. The first one stands, so that the map stays a function of the text."""
        question, atoms = self._name(identity, text), json.dumps(reading.atoms if reading.readable else None)
        with self._open() as database:
            database.execute("INSERT OR IGNORE INTO answer VALUES (?, ?)", (question, atoms))

    def _name(self, identity: str, text: str) -> bytes:
        return hmac.digest(self._key, canonical_json([identity, text]).encode(), "sha256")

    def _connect(self) -> sqlite3.Connection:
        os.close(os.open(self._file, os.O_WRONLY | os.O_CREAT, 0o600))
        return sqlite3.connect(self._file, timeout=BUSY_SECONDS)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open for one transaction: nothing is shared between threads or left open after a kill."""
        with _explained(self._file), contextlib.closing(self._connect()) as database, database:
            database.execute(_TABLE)
            yield database


def _key_of(path: Path) -> bytes:
    """Read the folder's key; the first process makes it, under its final name only when it is complete."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(os.urandom(KEY_BYTES))
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise SourceError(f"{str(path)!r} is not a key; delete it, and the texts will be asked about again")
    return key


def _decoded(atoms: str, file: Path) -> ModelAnswer:
    try:
        ids = json.loads(atoms)
        return ModelAnswer(tuple(AtomId(int(number)) for number in ids or ()), readable=ids is not None)
    except (TypeError, ValueError):
        raise SourceError(f"{str(file)!r} holds something else than answers; delete it and run again") from None


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not a database, or it is locked"
        raise SourceError(f"the kept answers in {str(path)!r} cannot be used: {why}") from None
