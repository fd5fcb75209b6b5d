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
