"""The one way to the terminal: nothing that is printed is obeyed or hidden, and long work gives signs of life.

Progress is for the curator's terminal only, because counts of records are private.
"""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import typer

from dpspin.boundary.printable import printable

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse

TENTHS: Final = 10


def say(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print to stdout (data) or stderr (talk), with everything visible that a terminal would obey or hide."""
    typer.echo(printable(str(text)), err=err, nl=nl)  # noqa: TID251  this is the place


def width() -> int:
    """Return how many columns the terminal has; where there is none, eighty."""
    return shutil.get_terminal_size((80, 24)).columns


def draws_blocks() -> bool:
    """Tell whether what stdout is written in has block elements."""
    try:
        "█".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def attended() -> bool:
    """Tell whether a person sits there, who can see what is shown and answer what is asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


@contextmanager
def working(what: str) -> Iterator[None]:
    """Say what is being done for as long as it takes."""
    with _shown(what, ()):
        yield


def fitting_words(universe: "AtomUniverse") -> str:
    """Say that a map is being fitted, and about how long that takes on an ordinary machine."""
    sentences = sum(len(atom.examples) + len(atom.counter_examples) for atom in universe.atoms)
    return f"fitting the map to {universe.size} themes (about {max(1, round(0.005 * sentences))} s)"


@contextmanager
def reading(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of records of each batch; a total gives an estimate of the time left."""
    with _shown(what, ("{task.completed:,.0f} records",), total) as tell:
        yield tell


@contextmanager
def _shown(what: str, details: tuple[str, ...], total: int | None = None) -> Iterator[Callable[[int], None]]:
    if not sys.stderr.isatty():
        yield lambda _records: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    told = (TextColumn(detail) for detail in details)
    left = () if total is None else (TimeRemainingColumn(),)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), *told, TimeElapsedColumn(), *left)
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(escape(what), total=total)
        yield lambda records: progress.advance(task, records)


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of things that are done; without a terminal, tell of every tenth."""
    from rich.console import Console
    from rich.progress import Progress

    if not sys.stderr.isatty():
        yield _tenths(what, total)
        print(f"{what}: {total:,} done", file=sys.stderr)  # noqa: T201  the progress of a log file
        return
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.advance(task, done)


def _tenths(what: str, total: int) -> Callable[[int], None]:
    """Write a line for a log file whenever another tenth is done; the end is told by who knows that it is one."""
    done = told = 0

    def tell(more: int) -> None:
        nonlocal done, told
        done += more
        tenth = TENTHS * done // max(total, 1)
        if told < tenth < TENTHS:
            print(f"{what}: {done:,} of {total:,}", file=sys.stderr, flush=True)  # noqa: T201
        told = tenth

    return tell
