"""The benchmark's tables as Markdown, and the list of what was judged wrongly."""

from collections.abc import Iterator, Sequence

from dpspin_lab.verifier.kinds import KINDS
from dpspin_lab.verifier.measure import Measured, Outcome, Tally


def table_lines(sets: Sequence[Measured]) -> Iterator[str]:
    """Write one column per set: the recalls first, then each kind, then the times."""
    yield _row(["texts", *(each.name for each in sets)])
    yield _row(["---", *("---:" for _ in sets)])
    yield _row(["**true, accepted**", *(_cell(each.accepted) for each in sets)])
    yield _row(["**false, caught**", *(_cell(each.caught) for each in sets)])
    for kind in KINDS:
        yield _row([kind, *(_cell(each.by_kind[kind]) for each in sets)])
    yield _row(["median ms per text", *(_time(each.times.median) for each in sets)])
    yield _row(["99 of 100 texts within, ms", *(_time(each.times.slow) for each in sets)])


def miss_lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Write the texts that were judged wrongly, with the rules that refused the true ones."""
    for outcome in outcomes:
        if not outcome.is_right:
            case, rules = outcome.case, ", ".join(outcome.rules)
            wrong = f"refused by {rules}" if case.is_true else f"accepted, though {case.kind}"
            yield f"## {case.id} ({case.plan}, {case.mode}): {wrong}"
            yield from ("", case.text, "")


def _cell(tally: Tally) -> str:
    """Write a recall with its numbers.

    >>> _cell(Tally(59, 60)), _cell(Tally(0, 0))
    ('98.3 % (59/60)', '–')
    """
    return f"{100 * tally.recall:.1f} % ({tally.right}/{tally.total})" if tally.total else "–"


def _time(milliseconds: float) -> str:
    return f"{milliseconds:.1f}" if milliseconds else "–"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
