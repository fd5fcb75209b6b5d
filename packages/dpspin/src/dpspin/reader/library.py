"""The published releases of one folder, by name: what a server for readers may open, and nothing else.

Whoever put a release there may be a stranger, and so may whoever asks for one. A name leads to a folder inside the
library or nowhere; what a folder holds is read within bounds, or the release is unreadable, and the others are not.
"""

import os
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import islice, product
from pathlib import Path
from threading import RLock
from typing import Final, Generic, TypeVar, cast

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.folders import PLAN
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.printable import is_printable
from dpspin.boundary.safe_files import MEBIBYTE, read_plain
from dpspin.boundary.series import INDEX, SeriesIndex
from dpspin.errors import DpSpinError, InputError
from dpspin.public.atoms.dictionary_files import loads
from dpspin.public.atoms.packs import require_atoms_beside
from dpspin.public.atoms.speakable_names import require_speakable
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.report.folder import report
from dpspin.public.series.series import Series, read_series

MOST_FOLDERS: Final = 10_000
LONGEST_NAME: Final = 120  # of a folder, characters
LONGEST_LABEL: Final = 80  # of a theme or an area: a name, and no room for a letter to an agent
MOST_THEMES: Final = 2_000
MOST_PERIODS: Final = 400  # of a series
MOST_FILES: Final = 500  # of a folder, that are looked at for changes
MOST_PLAN, MOST_DICTIONARY, MOST_INDEX = 8 * MEBIBYTE, 32 * MEBIBYTE, MEBIBYTE
DICTIONARY: Final = "atoms.json"
KEPT_OPEN, KEPT_IN_SHORT = 24, 4_096
PUBLISHED: Final = ("", "release")  # a folder that was published, or the one around it, as `dpspin release` leaves it
K = TypeVar("K")
V = TypeVar("V")
Stamp = tuple[tuple[str | int, ...], ...]


class NoSuchRelease(InputError):
    """No release of the library has this name."""

    code = "reader.unknown"


class UnreadableRelease(InputError):
    """The release of this name cannot be read; the message says why in fixed words, and quotes nothing of it."""

    code = "reader.unreadable"


@dataclass(frozen=True)
class OpenRelease:
    """A release that was read: its plan and its dictionary."""

    name: str
    facts: Facts

    @property
    def plan(self) -> SemanticPlan:
        """Its plan."""
        return self.facts.plan

    @property
    def atoms(self) -> AtomUniverse:
        """Its dictionary."""
        return self.facts.atoms

    @property
    def title(self) -> str:
        """What its owner calls it."""
        return self.plan.title.strip() or self.plan.dictionary.name

    @cached_property
    def language(self) -> Language:
        """What can be said about it, and read."""
        return Language(self.facts, Mode.DISPLAY)

    @cached_property
    def page(self) -> str:
        """Its report, written here from the plan: whatever else lies in the folder is not shown."""
        return report(self.plan, self.atoms)


@dataclass(frozen=True)
class OpenSeries:
    """A series that was read."""

    name: str
    series: Series
    periods: tuple[str, ...]

    @property
    def title(self) -> str:
        """What its owner calls it."""
        return self.series.title.strip() or self.series.picture.facts.plan.dictionary.name

    @property
    def plan(self) -> SemanticPlan:
        """The plan of its last period."""
        return self.series.picture.facts.plan

    @cached_property
    def language(self) -> Language:
        """What can be said about it, and read."""
        return Language(self.series.picture.facts, Mode.DISPLAY)

    @cached_property
    def page(self) -> str:
        """Its page, written here from its plans."""
        return self.series.to_html()


Opened = OpenRelease | OpenSeries


class Recent(Generic[K, V]):
    """The values that were asked for last, each for as long as its stamp holds."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, RLock()
        self._kept: OrderedDict[K, tuple[Stamp, V]] = OrderedDict()

    def get(self, key: K, stamp: Stamp, make: Callable[[], V]) -> V:
        """Return what is kept under this stamp, or make it."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None and found[0] == stamp:
                self._kept.move_to_end(key)
                return found[1]
        made = make()  # outside of the lock: one that takes long holds up no other
        with self._lock:
            self._kept[key] = (stamp, made)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made


class Library:
    """All releases in a folder, by the names of their folders; the periods of a series as ``series/period``.

    ``rooms`` are the folders in it that hold releases: itself, unless others are named.
    """

    def __init__(self, root: str | Path, rooms: tuple[str, ...] = ("",)) -> None:
        self.root, self._rooms = Path(root).resolve(), rooms
        if not self.root.is_dir():
            raise InputError(f"there is no folder {str(root)!r}: name one that holds folders of releases")
        self._open: Recent[str, Opened | str] = Recent(KEPT_OPEN)
        self._short: Recent[str, object] = Recent(KEPT_IN_SHORT)
        self._dictionaries: Recent[str, AtomUniverse] = Recent(KEPT_OPEN)

    def names(self) -> tuple[str, ...]:
        """Return the names of all releases and series, in order; whether they can be read is not tried."""
        rooms = [self.root / room for room in self._rooms if (self.root / room).is_dir()]
        every = {each.name for room in rooms for each in room.iterdir() if _is_name(each.name)}
        return tuple(sorted(name for name in every if self._place(name))[:MOST_FOLDERS])

    def open(self, name: str) -> Opened:
        """Read a release or a series; equal files are read once for a while."""
        folder = self.folder_of(name)
        found = self._open.get(name, _stamp(folder), lambda: self._read(name, folder))
        if isinstance(found, str):
            raise UnreadableRelease(found)
        return found

    def folder_of(self, name: str) -> Path:
        """Return where a release lies."""
        folder = self._place(name)
        if folder is None:
            raise NoSuchRelease("this library has no release of that name: list them")
        return folder

    def in_short(self, name: str, shorten: Callable[[Opened | str, Path], V]) -> V:
        """Return a short form of a release, or of why it cannot be read; kept longer than the release itself."""
        folder = self.folder_of(name)
        return cast("V", self._short.get(name, _stamp(folder), lambda: shorten(self._tried(name), folder)))

    def _tried(self, name: str) -> Opened | str:
        try:
            return self.open(name)
        except UnreadableRelease as error:
            return str(error)

    def _place(self, name: str) -> Path | None:
        """Return the folder of a name: inside the library whatever links there are, and with a plan or an index."""
        parts = name.split("/")
        if len(parts) > 2 or not all(map(_is_name, parts)):  # noqa: PLR2004  series/period
            return None
        for room, around in product(self._rooms, PUBLISHED):
            folder = self.root.joinpath(room, parts[0], around, *parts[1:])
            if any(self._inside(folder / file) for file in (INDEX, PLAN)):
                return folder
        return None

    def _inside(self, path: Path) -> bool:
        try:
            return path.is_file() and path.resolve(strict=True).is_relative_to(self.root)
        except (OSError, RuntimeError):  # a circle of links
            return False

    def _read(self, name: str, folder: Path) -> Opened | str:
        """Read what lies in a folder, or say in fixed words why it cannot be read."""
        try:
            return self._series(name, folder) if (folder / INDEX).is_file() else self._release(name, folder)
        except TooLarge:
            return "it is larger than what is read here"
        except (DpSpinError, OSError, UnicodeDecodeError, RecursionError):
            return "its plan, its dictionary or its index is damaged, incomplete or of another version"
        except Exception:  # noqa: BLE001  a stranger's file must not take the others down, whatever it finds
            return "something in it cannot be calculated with"

    def _release(self, name: str, folder: Path) -> OpenRelease:
        plan = SemanticPlan.from_json(self._bounded(folder / PLAN, MOST_PLAN))
        return OpenRelease(name, Facts(plan, self._dictionary(folder, plan)))

    def _dictionary(self, folder: Path, plan: SemanticPlan) -> AtomUniverse:
        """Return the dictionary of a plan; releases share one, and equal files are read once."""
        file = folder / DICTIONARY
        if not file.exists():
            atoms = require_atoms_beside(folder / PLAN, plan)
        else:
            content = self._bounded(file, MOST_DICTIONARY)
            atoms = self._dictionaries.get(sha256(content).hexdigest(), (), lambda: _dictionary_in(content))
            if atoms.digest != plan.dictionary.digest:
                raise InputError("the dictionary beside the plan is another one")
        return atoms

    def _series(self, name: str, folder: Path) -> OpenSeries:
        self._require_bounded(folder / INDEX, MOST_INDEX)
        periods = [period.name for period in SeriesIndex.load(folder).periods]
        if len(periods) > MOST_PERIODS or not all(map(_is_name, periods)):
            raise TooLarge
        for period in periods:
            self._require_bounded(folder / period / PLAN, MOST_PLAN)
        self._dictionary(folder / periods[-1], SemanticPlan.load(folder / periods[-1] / PLAN))
        return OpenSeries(name, read_series(folder), tuple(periods))

    def _bounded(self, path: Path, most: int) -> bytes:
        self._require_bounded(path, most)
        return read_plain(path, most)

    def _require_bounded(self, path: Path, most: int) -> None:
        """Refuse a file that lies outside of the library, or is larger than it may be."""
        if not self._inside(path):
            raise InputError("it leads out of the library")
        if path.stat().st_size > most:
            raise TooLarge


def _dictionary_in(content: bytes) -> AtomUniverse:
    """Read a dictionary with names that are names, of which texts can speak."""
    atoms = loads(content.decode("utf-8-sig"), Path(DICTIONARY))
    names = (each for atom in atoms.atoms for each in (atom.label, atom.parent or ""))
    if atoms.size > MOST_THEMES or max(map(len, names)) > LONGEST_LABEL:
        raise TooLarge
    require_speakable(atoms)
    return atoms


class TooLarge(Exception):
    """A release is larger than what is read here."""


def _is_name(part: str) -> bool:
    """Tell whether a folder of this name is looked at: no hidden one, none that a page would obey, none that climbs."""
    return 0 < len(part) <= LONGEST_NAME and not part.startswith(".") and "\\" not in part and is_printable(part)


def _stamp(folder: Path) -> Stamp:
    """Tell whether files have changed; published files are dated to the day, so the times of their inodes count."""
    with os.scandir(folder) as found:
        files = sorted(islice(found, MOST_FILES), key=lambda each: each.name)
    known = [(each.name, each.stat(follow_symlinks=False)) for each in files]
    return tuple((name, told.st_ino, told.st_size, told.st_mtime_ns, told.st_ctime_ns) for name, told in known)
