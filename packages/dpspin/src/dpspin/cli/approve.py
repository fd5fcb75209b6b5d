"""``dpspin approve`` and ``dpspin decline``: an officer looks at a request, and decides about it with a signature."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.flags import LedgerOption
from dpspin.cli.key import KeyOption, open_key
from dpspin.cli.release import is_request_file
from dpspin.cli.terminal import attended, say, width, working
from dpspin.errors import LedgerError, RequestError

if TYPE_CHECKING:
    from dpspin.approving import Review
    from dpspin.curator.ledger.filings import Filed
    from dpspin.curator.ledger.ledger import Ledger
    from dpspin.curator.ledger.overviews import HistoryRow

RequestArgument = Annotated[
    str, typer.Argument(metavar="REQUEST", help="The request's digest (dpspin ledger requests), or its request.yaml.")
]
ReasonOption = Annotated[str, typer.Option("--reason", help="Why; kept in the ledger, and published with the release.")]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask: for programs.", metavar="")]


def approve(
    request: RequestArgument,
    key: KeyOption,
    reason: ReasonOption,
    expires: Annotated[
        int, typer.Option("--expires", min=0, max=366, help="For how many days it counts; 0 is today alone.")
    ] = 30,
    yes: YesOption = False,
    ledger: LedgerOption = None,
) -> None:
    """Look at a request that waits, and approve exactly this one: it may then be released, once, until it expires.

    Shown first: what is asked for and by whom, what it would be able to say, what was spent, the promise, and what
    that does not cover. No record is read for it.
    """
    from dpspin.approving import review
    from dpspin.curator.ledger.approvals import Verdict

    verdict = Verdict("approved", reason, expires)
    book, filed = _found(request, ledger)
    with working("making the request again, from what was filed"):
        looked = review(book, filed)
    say("\n".join(review_lines(looked)))
    _confirm(f"Approve request {filed.short}? Your name and reason are published with the release", yes=yes)
    signed = book.decide(filed, verdict, open_key(key))
    say(f"approved by {signed.by.name} until {signed.expires}: request {filed.short}", err=True)


def decline(
    request: RequestArgument,
    key: KeyOption,
    reason: ReasonOption,
    yes: YesOption = False,
    ledger: LedgerOption = None,
) -> None:
    """Decline a request: it is kept with the reason, and nothing like it is released until an officer approves it."""
    from dpspin.approving import facts_of
    from dpspin.curator.ledger.approvals import Verdict

    verdict = Verdict("declined", reason)
    book, filed = _found(request, ledger)
    say("\n".join(_facts(facts_of(filed))))
    _confirm(f"Decline request {filed.short}? Your name and reason are kept", yes=yes)
    signed = book.decide(filed, verdict, open_key(key))
    say(f"declined by {signed.by.name}: request {filed.short}", err=True)


def _found(request: str, chosen: str | None) -> "tuple[Ledger, Filed]":
    """Find what was filed: by its digest, or as a request file tells it."""
    from dpspin.cli.open_ledger import open_there

    if not is_request_file(request):
        book = open_there(chosen)
        return book, book.filed(request)
    from dpspin.approvable import told_release
    from dpspin.request import ReleaseRequest

    asked = ReleaseRequest.load(request)
    book = open_there(chosen or asked.account.ledger)
    told = told_release(asked)
    found = [each for each in book.filings() if each.told == told]
    if not found:
        raise LedgerError(
            "nobody asked for an approval of exactly this request, or it has changed since: see dpspin ledger requests",
            code="ledger.unknown-request",
        )
    return book, found[-1]


def _confirm(question: str, *, yes: bool) -> None:
    if yes:
        return
    if not attended():
        raise RequestError("nobody is there to confirm it: say --yes where a program decides")
    typer.confirm(question, abort=True, err=True)


def review_lines(review: "Review") -> Iterator[str]:
    """Say everything that an officer should know."""
    yield from _facts(review.facts)
    yield from _part("The request, as it was told", review.told.rstrip().splitlines())
    yield from _part("What it promises", _wrapped(review.promise))
    yield from _part("What it does not protect", _wrapped(review.not_covered))
    yield from _part("What it would be able to say", review.forecast.splitlines())
    yield from _part("What was spent, and by whom", [*review.budgets, *map(_charge, review.spent)])


def _facts(facts: tuple[tuple[str, str], ...]) -> Iterator[str]:
    return (f"{name:<9} {told}" for name, told in facts)


def _part(title: str, lines: list[str]) -> Iterator[str]:
    yield from ("", title, *(f"  {line}" for line in lines))


def _wrapped(sentences: tuple[str, ...]) -> list[str]:
    import textwrap

    return [line for each in sentences for line in textwrap.wrap(each, width() - 4, subsequent_indent="  ")]


def _charge(row: "HistoryRow") -> str:
    return f"{row.day}  {row.amount!s}  {row.mechanism}  {row.people}".rstrip()
