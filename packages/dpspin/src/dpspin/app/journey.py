"""A report on its way: its folder keeps all of its state, so that a program that is killed goes on where it was.

``FOLDER/dpspin-app/NAME`` is the folder of a release: ``curator`` is private and holds the draft, the request file and
how the release went; ``release`` is what may be published.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dpspin.boundary.safe_files import make_private_folder, read_plain, write_private
from dpspin.errors import InputError

ROOM: Final = "dpspin-app"
DRAFT, REQUEST, OUTCOME = "draft.json", "request.yaml", "outcome.json"
NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
LONGEST_NAME: Final = 40
MARK: Final = (  # the folder is found by whoever looks around: it says what it is
    "Made by `dpspin app`. In each report's folder, `curator` is private, and `release` may be published.\n"
)

Draft = dict[str, Any]  # the fields of a request that were told so far, by their paths


@dataclass(frozen=True, slots=True)
class Journey:
    """One report on its way, by its name and the folder of all of them."""

    room: Path
    name: str

    @property
    def folder(self) -> Path:
        """The folder of its release."""
        return self.room / self.name

    @property
    def private(self) -> Path:
        """The folder that nobody else may look into."""
        return self.folder / "curator"

    @property
    def request_file(self) -> Path:
        """The request, as the command line takes it; there when everything was told."""
        return self.private / REQUEST

    def reading_folder(self, reader: int = 1) -> Path:
        """Return the folder of the sample that the first or the second reader reads."""
        return self.private / ("reading" if reader == 1 else "second-reading")

    @property
    def report_file(self) -> Path:
        """The page that is published; there when it is released."""
        return self.folder / "release" / "report.html"

    @property
    def url(self) -> str:
        """Where its pages begin."""
        return f"/reports/{self.name}"

    def draft(self) -> Draft:
        """Return what was told so far."""
        return _read(self.private / DRAFT)

    def tell(self, **changes: object) -> None:
        """Keep what was told, by the fields' paths with ``__`` for dots; None takes a field back."""
        fields = {name.replace("__", "."): value for name, value in changes.items()}
        self.keep({**self.draft(), **fields})

    def keep(self, draft: Draft) -> None:
        """Keep a whole draft; the request that was made of an earlier one is no longer asked for."""
        told = {field: value for field, value in draft.items() if value not in (None, "", [])}
        if told == self.draft():
            return
        self.request_file.unlink(missing_ok=True)
        make_private_folder(self.private)
        write_private(self.private / DRAFT, json.dumps(told, indent=1).encode())

    def outcome(self) -> dict[str, Any]:
        """Return how the last release ended; empty while none has."""
        return _read(self.private / OUTCOME)

    @property
    def title(self) -> str:
        """What the report is called, or the name of its folder."""
        return str(self.draft().get("title") or self.name)


def journeys(folder: Path) -> list[Journey]:
    """Return all reports of a folder, the newest first."""
    room = folder / ROOM
    found = [each for each in room.iterdir() if (each / "curator" / DRAFT).is_file()] if room.is_dir() else []
    newest = sorted(found, key=lambda each: (each / "curator" / DRAFT).stat().st_mtime, reverse=True)
    return [Journey(room, each.name) for each in newest if NAME.fullmatch(each.name)]


def journey_of(folder: Path, name: str) -> Journey:
    """Return a report by its name, which is never a path."""
    found = Journey(folder / ROOM, name)
    if not NAME.fullmatch(name) or not (found.private / DRAFT).is_file():
        raise InputError("there is no such report: begin at the first page")
    return found


def begin(folder: Path, draft: Draft, called: str) -> Journey:
    """Begin a report; its name is made of plain letters of the file's, and a number where that is taken."""
    room = folder / ROOM
    make_private_folder(room)
    write_private(room / "README.txt", MARK.encode())
    plain = "-".join(re.findall("[a-z0-9]+", called.lower()))[:LONGEST_NAME].strip("-") or "report"
    for number in range(1, 10_000):
        journey = Journey(room, plain if number == 1 else f"{plain}-{number}")
        try:
            journey.folder.mkdir(mode=0o700)
        except FileExistsError:
            continue
        journey.keep(draft)
        return journey
    raise InputError("there are too many reports of this name: move some of their folders away")


def _read(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_plain(file))
    except FileNotFoundError:
        return {}
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{file.name} of this report is damaged: move its folder away, and begin anew")
    return found
