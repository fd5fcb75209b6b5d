"""The curator's folder with a secret sample of records, and what somebody read in them.

It is as private as the records, and open to its owner only. ``drawing.json`` says what was drawn, and never changes;
``reading.csv`` has the records in random order and is filled in by people, in a spreadsheet or with ``dpspin read``;
``models.json`` keeps what language models answered, so that a plan can say who read; ``released.json`` what had been
read when it was released, and by whom.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, TypeVar

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.folders import LABEL, PLAN, require_no_lab
from dpspin.boundary.grounding import Grounding, best_share
from dpspin.boundary.model_base import FrozenModel, digest_of
from dpspin.boundary.planner import within_floats
from dpspin.boundary.privacy import PrivacyLoss, Sensitivity
from dpspin.boundary.safe_files import make_private_folder, read_plain, write_private
from dpspin.curator.aggregate.read_sample import Drawn, Readings
from dpspin.curator.assign.labelled_texts import names_in, places_by_name
from dpspin.curator.assign.llm.theme_question import NONE
from dpspin.curator.records.columns import BadRows, Columns
from dpspin.curator.records.dialect import FROM_THE_HEADER
from dpspin.curator.records.formats.delimited import CSV
from dpspin.curator.records.formats.file_format import DataFile
from dpspin.errors import InputError, RecordsRefused, RequestError

DRAWING, READING, MODELS, RELEASED = "drawing.json", "reading.csv", "models.json", "released.json"
ID, TEXT, THEMES = "id", "text", "themes"
T = TypeVar("T")
A_PERSON: Final = "a person"
FIRST_ROW: Final = 2  # of a spreadsheet, below the names of the columns
LONGEST_READER: Final = 200  # in a plan
WARNING: Final = "Private: who was drawn, and how many, must stay secret. Do not publish, do not copy elsewhere."


class DrawingNote(FrozenModel):
    """What was drawn: the name of the drawing, how likely each unit was drawn, and the themes to read for."""

    warning: str = WARNING
    name: str
    rate: float = Field(gt=0, lt=1)
    dictionary: Annotated[AtomUniverse, AfterValidator(AtomUniverse.without_examples)]


class ReleaseNote(FrozenModel):
    """What had been read when it was released, as a digest, and by whom."""

    readings: str
    reader: str


@dataclass(frozen=True, slots=True)
class SampledRecord:
    """A record to be read. ``themes`` is the cell: ids or labels with ``;`` between, ``none``, or empty: not read."""

    id: str
    text: str = field(repr=False)
    themes: str = field(default="", repr=False)


@dataclass(frozen=True)
class ReadingFolder:
    """A drawn sample, where it lies. Whatever is asked of it is read from its files, which people may have changed."""

    path: Path
    drawing: DrawingNote = field(repr=False)

    @property
    def atoms(self) -> AtomUniverse:
        """The themes to read for."""
        return self.drawing.dictionary

    def records(self) -> tuple[SampledRecord, ...]:
        """Read all records of the sample, in their random order."""
        rows = tuple(row for row in _rows(self.path / READING) if row.id or row.themes)
        if len({row.id for row in rows}) < len(rows):
            raise _damaged(self.path / READING, "has a record twice: leave one of its rows")
        return rows

    def read(self, record: str, themes: str) -> None:
        """Write down the themes of one record, spelled as in a cell; an empty cell takes its reading back."""
        self.places_in(themes)
        rows = self.records()
        if record not in {row.id for row in rows}:
            raise InputError("no record of this sample has that id")
        self._write(SampledRecord(row.id, row.text, themes if row.id == record else row.themes) for row in rows)

    def read_by_model(self, model: str, record: str, themes: str) -> None:
        """Write down what a model read, and first that it was the model."""
        answers = self._answers()
        answers.setdefault(model, {})[record] = themes
        write_private(self.path / MODELS, json.dumps(answers, indent=1).encode())
        self.read(record, themes)

    def readings(self) -> Readings:
        """Return the places of the themes of every record that was read; refuse a theme that nobody knows by its row.

        Rows are numbered as in a spreadsheet. What stands in a cell is not repeated: it may be anything.
        """
        found = {}
        for number, row in enumerate(self.records(), start=FIRST_ROW):
            try:
                places = self.places_in(row.themes)
            except RequestError:
                raise RecordsRefused(
                    f"row {number} of {READING} names a theme that the dictionary does not have, or 'none' beside "
                    "another: write ids or labels of the dictionary with ; between, or none alone",
                    code="records-refused.unknown-theme",
                ) from None
            if places is not None:
                found[row.id] = places
        return found

    def places_in(self, cell: str) -> frozenset[int] | None:
        """Return the places of the themes that a cell names, none of them for ``none``; None where it is empty."""
        names = names_in(cell, self._known)
        if set(names) == {NONE}:
            return frozenset()
        if not self._known.keys() >= set(names):
            raise RequestError("no theme of the dictionary has this id or label")
        return frozenset(self._known[name] for name in names) or None

    def cell_of(self, places: Iterable[int]) -> str:
        """Write themes so that a person can read them, and so that they are read back."""
        atoms = [self.atoms.atoms[place] for place in sorted(places)]
        return (
            "; ".join(str(atom.id) if ";" in atom.label or "|" in atom.label else atom.label for atom in atoms) or NONE
        )

    @property
    def reader(self) -> str:
        """Say who read: what is not as a model answered was a person's. Public, and fixed by the release."""
        if self.is_released:
            return self._released().reader
        readings = self.readings()
        by_model: dict[str, str] = {}
        for model, answers in self._answers().items():
            same = {each for each, cell in answers.items() if readings.get(each) == self.places_in(cell)}
            by_model |= dict.fromkeys(same & readings.keys(), model)
        people = [A_PERSON] if readings.keys() - by_model or not by_model else []
        reader = " and ".join([*people, *sorted(set(by_model.values()))])
        if len(reader) > LONGEST_READER:
            raise RequestError("the readers' names are too long for a plan: let one model read, under a shorter name")
        return reader

    def grounding(self, loss: PrivacyLoss, share: float | None, sensitivity: Sensitivity) -> Grounding:
        """Say what is read: the rate at which it was drawn, who read, and the share of the loss that pays for it."""
        if share is None:
            with within_floats():
                share = best_share(loss, self.drawing.rate, sensitivity)
        return Grounding(rate=self.drawing.rate, share=share, reader=self.reader)

    def require_apart_from(self, published: Path) -> None:
        """Refuse to publish the folder that the sample lies in."""
        if self.path.resolve().is_relative_to(published.resolve()):
            raise _in_public(self.path)

    def require_drawn_for(self, name: str) -> None:
        """Refuse a sample that was drawn for another request."""
        if self.drawing.name != name:
            raise RequestError(
                f"the sample in {str(self.path)!r} was drawn for another request. It belongs to its dataset, snapshot, "
                "columns, unit, quantity, window, dictionary and map: ask as when it was drawn, or draw one for the "
                "request as it is now (dpspin sample). Nothing was charged",
                code="request.another-drawing",
                field="reading.folder",
            )

    @property
    def is_released(self) -> bool:
        """Whether what was read has been released."""
        return (self.path / RELEASED).exists()

    def is_as_released(self, readings: Readings) -> bool:
        """Keep what was read, once it is released; tell whether it is the same as then."""
        digest = digest_of(sorted((each, sorted(places)) for each, places in readings.items()))
        if not self.is_released:
            note = ReleaseNote(readings=digest, reader=self.reader)
            write_private(self.path / RELEASED, note.model_dump_json().encode())
        return self._released().readings == digest

    @cached_property
    def _known(self) -> Mapping[str, int]:
        return places_by_name(self.atoms)

    def _answers(self) -> dict[str, dict[str, str]]:
        file = self.path / MODELS
        return _checked(file, TypeAdapter(dict[str, dict[str, str]])) if file.exists() else {}

    def _released(self) -> "ReleaseNote":
        return _checked(self.path / RELEASED, TypeAdapter(ReleaseNote))

    def _write(self, rows: Iterable[SampledRecord]) -> None:
        """Write the records; the mark in front tells spreadsheets that this is UTF-8."""
        written = io.StringIO(newline="")
        table = csv.writer(written)
        table.writerows([(ID, TEXT, THEMES), *((row.id, row.text.replace("\0", "�"), row.themes) for row in rows)])
        write_private(self.path / READING, written.getvalue().encode("utf-8-sig"))


def open_reading(folder: str | Path) -> ReadingFolder:
    """Open a folder that ``dpspin sample`` made."""
    path = Path(folder)
    if not (path / DRAWING).is_file():
        raise InputError(f"{str(path)!r} holds no sample of records: draw one first (dpspin sample)")
    return ReadingFolder(path, _checked(path / DRAWING, TypeAdapter(DrawingNote)))


def write_sample(folder: Path, drawing: DrawingNote, drawn: Iterable[Drawn]) -> ReadingFolder:
    """Write the records that were drawn into the curator's folder; what was read of the same sample stays."""
    made = ReadingFolder(folder, drawing)
    asked = [SampledRecord(each.id, each.text) for each in drawn if each.text is not None]
    read = _read_before(made)
    if not {row.id for row in asked} >= read.keys():
        raise _another(folder)
    make_private_folder(folder)
    write_private(folder / DRAWING, drawing.model_dump_json(indent=1).encode())
    made._write(SampledRecord(row.id, row.text, read.get(row.id, "")) for row in asked)  # noqa: SLF001  its own module
    return made


def _read_before(made: ReadingFolder) -> dict[str, str]:
    """Return what was read in this folder; refuse one that is not the sample's."""
    _require_private_place(made.path)
    if not (made.path / DRAWING).exists():
        if made.path.exists() and any(not each.name.startswith(".") for each in made.path.iterdir()):
            raise InputError(f"{str(made.path)!r} holds something else: name a new folder for the sample")
        return {}
    if open_reading(made.path).drawing != made.drawing:
        raise _another(made.path)
    return {row.id: row.themes for row in made.records()} if (made.path / READING).exists() else {}


def _another(folder: Path) -> InputError:
    return InputError(
        f"{str(folder)!r} holds another sample, of other records or for another request, and what was read there is "
        "kept: name a new folder",
        code="input.another-drawing",
    )


def _require_private_place(folder: Path) -> None:
    """Refuse a place of the lab's, and one inside of what is published."""
    require_no_lab(folder)
    place = folder.resolve()
    if any((each / name).exists() for each in (place, *place.parents) for name in (PLAN, LABEL)):
        raise _in_public(folder)


def _in_public(folder: Path) -> InputError:
    return InputError(
        f"{str(folder)!r} lies in a folder that is published, and records do not belong there: name another folder",
        code="input.reading-in-public",
    )


def _rows(file: Path) -> Iterator[SampledRecord]:
    """Read the table as records are read, so that a spreadsheet may have written it with another delimiter."""
    if not file.is_file():
        raise _damaged(file, "is missing: draw into the same folder again (dpspin sample)")
    columns, table = Columns(TEXT, ID, THEMES), DataFile(file, CSV, compressed=False)
    try:
        for batch in table.stream(columns, BadRows.REFUSE, FROM_THE_HEADER):
            for cells in zip(*(batch.column(name).to_pylist() for name in (ID, TEXT, THEMES)), strict=True):
                key, text, themes = ((cell or b"").decode() for cell in cells)
                yield SampledRecord(key.strip(), text, themes.strip())
    except RecordsRefused:
        raise _damaged(
            file, "has a row with too many or too few cells: mend it, or draw again (dpspin sample)"
        ) from None
    except UnicodeDecodeError:
        pass
    else:
        return
    raise _damaged(file, "is not UTF-8 text: save it as CSV UTF-8")  # not from the error, which holds the bytes


def _checked(file: Path, kind: TypeAdapter[T]) -> T:
    try:
        return kind.validate_json(read_plain(file))
    except ValidationError:
        raise _damaged(file, "is damaged: give back a copy of it, or draw and read anew in another folder") from None


def _damaged(file: Path, why: str) -> InputError:
    return InputError(f"{str(file)!r} {why}", code="input.damaged-reading")
