"""A sign of life for long reads: on the curator's terminal only, because counts of records are private."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

TENTHS: Final = 10


@contextmanager
def reading(what: str) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of records of each batch."""
    if not sys.stderr.isatty():
        yield lambda _records: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed:,.0f} records"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
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
