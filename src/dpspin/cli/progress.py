"""A sign of life for long reads: on the curator's terminal only, because counts of records are private."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


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
    """Yield a function to call with the number of things that are done; without a terminal, say when all are."""
    from rich.console import Console
    from rich.progress import Progress

    if not sys.stderr.isatty():
        yield lambda _done: None
        print(f"{what}: {total:,} done", file=sys.stderr)  # noqa: T201  the progress of a log file
        return
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.advance(task, done)
