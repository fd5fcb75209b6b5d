"""``dpspin read``: one record after the other, and the themes that it expresses; by a person, or by a model.

Plain lines in and out, so that it works over any connection. The reader is never shown what the map said.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.terminal import reading, say, width
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dpspin.boundary.atoms import Atom
    from dpspin.curator.aggregate.reading_folder import ReadingFolder

HOW = (
    "Type the numbers of all themes that the record itself expresses (7, or 7 12), or n for none of these.\n"
    "Other words look for themes, ? shows all. Enter leaves a record for later, b goes back, u takes your last answer\n"
    "back, q stops; what is read is kept. Judge each record by itself, whatever the others say."
)


def read(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of `dpspin sample`.")],
    llm_url: Annotated[
        str | None,
        typer.Option("--llm-url", help="Let a model read the rest: an OpenAI-compatible endpoint on this machine."),
    ] = None,
    llm_model: Annotated[str | None, typer.Option("--llm-model", help="The model's name there.")] = None,
    llm_endpoint_is_trusted: Annotated[
        bool,
        typer.Option(
            "--llm-endpoint-is-trusted",
            help="Records may be sent to another host: it is part of the curator.",
            metavar="",
        ),
    ] = False,
) -> None:
    """Read a sample of records, one at a time: say which themes each expresses. It can be stopped and taken up again.

    The folder's reading.csv may be filled in with a spreadsheet instead, or in part.
    """
    from dpspin.curator.aggregate.reading_folder import open_reading

    opened = open_reading(folder)
    opened.readings()  # refuses what stands there and cannot be read, before anybody reads on
    if opened.is_released:
        say("This sample was released. Its numbers stay, whatever is changed here.", err=True)
    if llm_url is not None and llm_model is not None:
        _ask_model(opened, llm_url, llm_model, trusted=llm_endpoint_is_trusted)
    elif llm_url or llm_model or llm_endpoint_is_trusted:
        raise RequestError("a model reads where both are named: --llm-url and --llm-model")
    else:
        _ask_person(opened)
    left = sum(not record.themes for record in opened.records())
    todo = (
        f"{left:,} records are left: dpspin read {folder}" if left else f"All are read: release with --reading {folder}"
    )
    say(f"{todo}. How many there are stays secret.", err=True)


def _ask_model(folder: "ReadingFolder", url: str, model: str, *, trusted: bool) -> None:
    from dpspin.curator.aggregate.model_reader import read_by_model
    from dpspin.curator.assign.llm.trusted_endpoint import Endpoint

    left = sum(not record.themes for record in folder.records())
    with reading("the model reads", left) as tell:
        unclear = read_by_model(folder, Endpoint(url, model, trusted_endpoint=trusted), tell)
    if unclear:
        say(f"To {unclear:,} the model gave no clear answer: read these yourself.", err=True)


def _ask_person(folder: "ReadingFolder") -> None:
    desk = Desk(folder)
    say(f"{themes_in_lines(folder.atoms.atoms)}\n\n{HOW}", err=True)
    while desk.is_open:
        say(desk.shown(), err=True)
        said = desk.hear(_line())
        if said:
            say(said, err=True)


def _line() -> str:
    say("> ", err=True, nl=False)
    try:
        return input()
    except (EOFError, KeyboardInterrupt):
        return "q"


def themes_in_lines(atoms: "Iterable[Atom]") -> str:
    """List themes with their numbers and what they mean."""
    return "\n".join(
        f"{atom.id:>5}  {atom.label}" + (f": {atom.description}" * bool(atom.description)) for atom in atoms
    )


class Desk:
    """A reading desk at a terminal: what is shown, and what typed words do."""

    def __init__(self, folder: "ReadingFolder") -> None:
        from dpspin.curator.aggregate.reading_desk import ReadingDesk

        self.is_open = True
        self._desk = ReadingDesk(folder)
        self._desk.turn_to_unread()

    def shown(self) -> str:
        """Show the record, and how far the reading is."""
        at, records = self._desk.at, self._desk.folder.records()
        if at is None:
            return "\nAll records are read. Enter ends, b goes back to the last one, u takes your last answer back."
        record, line = records[at], "─" * min(width(), 60)
        done = sum(bool(each.themes) for each in records)
        before = f"; read as {record.themes}, which Enter keeps" if record.themes else ""
        return f"\nRecord {at + 1:,} of {len(records):,} ({done:,} read{before})\n{line}\n{record.text}\n{line}"

    def hear(self, words: str) -> str:
        """Do what was typed, and return what there is to say. What may stand in a cell is an answer."""
        orders: dict[str, Callable[[], str]] = {
            "q": self._leave,
            "": self._go_on,
            "b": self._go_back,
            "u": self._take_back,
            "?": lambda: themes_in_lines(self._desk.folder.atoms.atoms),
        }
        order = orders.get(words.strip())
        if order is not None:
            return order()
        answered = self._desk.answer(words)
        if answered is None:
            found = self._desk.found(words)
            return themes_in_lines(found) if found else "No theme has this number or these words; ? shows all."
        return answered and f"→ {answered}"

    def _leave(self) -> str:
        self.is_open = False
        return ""

    def _go_on(self) -> str:
        if self._desk.at is None:
            return self._leave()
        self._desk.turn_to_unread()
        return ""

    def _go_back(self) -> str:
        self._desk.go_back()
        return ""

    def _take_back(self) -> str:
        return "Taken back." if self._desk.take_back() else "Nothing was answered since you started."
