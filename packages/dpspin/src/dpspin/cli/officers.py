"""``dpspin ledger officers`` and ``requests``: who must approve what an account pays, and what was asked of them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.flags import JsonOption, LedgerOption
from dpspin.cli.open_ledger import NoteOption, OnlyOption, look_into_ledger, open_there
from dpspin.cli.terminal import say
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.curator.ledger.filings import Filed


def officers(
    note: NoteOption,
    dataset: Annotated[str | None, typer.Option("--dataset", help="The dataset whose releases need approval.")] = None,
    population: Annotated[
        str | None, typer.Option("--population", help="Or the people: every release that they pay for needs it.")
    ] = None,
    officer: Annotated[
        list[str] | None,
        typer.Option("--officer", help="A public key (dpspin key show), or its file; name all who may approve."),
    ] = None,
    nobody: Annotated[
        bool, typer.Option("--nobody", help="End the demand: releases need no approval any more.", metavar="")
    ] = False,
    key: Annotated[
        Path | None,
        typer.Option("--key", help="Where there are officers: the key file of one of them.", show_default=False),
    ] = None,
    ledger: LedgerOption = None,
) -> None:
    """Demand an approval for every release that an account pays: of one of these officers, and not of who asks.

    Anybody may name the first officers. Who may approve is changed later by one who may; it is kept in the chain.
    """
    from dpspin.boundary.signing import read_public_key
    from dpspin.cli.key import open_key
    from dpspin.curator.ledger.accounts import Kind

    if (dataset is None) == (population is None):
        raise RequestError("name one account: --dataset or --population")
    if nobody == bool(officer):
        raise RequestError("name the officers (--officer, once for each), or say --nobody")
    people = [read_public_key(each) for each in officer or ()]
    name, kind = (dataset, Kind.DATASET) if dataset is not None else (population, Kind.POPULATION)
    book = open_there(ledger)
    book.name_officers(str(name), people, note, kind=kind, key=None if key is None else open_key(key))
    named = " or ".join(each.name for each in people)
    say(
        f"{name!r}: every release needs the approval of {named}" if named else f"{name!r}: no approval is needed",
        err=True,
    )


def requests(
    dataset: OnlyOption = None,
    waiting: Annotated[bool, typer.Option("--waiting", help="Only those that wait.", metavar="")] = False,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the requests that were filed for approval, and what was decided about each, oldest first."""
    book = look_into_ledger(ledger)
    found = () if book is None else book.filings(dataset)
    chosen = [each for each in found if not waiting or standing_of(each) == "waiting"]
    if as_json:
        say(json.dumps({"requests": [filing_as_json(each) for each in chosen]}, indent=2))
        return
    for each in chosen:
        say("\n".join(filing_lines(each)))
    if book is not None and not chosen:
        say("no request waits for approval" if waiting else "no request was filed for approval")


def standing_of(filed: "Filed") -> str:
    """Say how far a request has come today."""
    from dpspin.curator.ledger.chain import this_day

    return filed.standing(this_day()).value


def filing_lines(filed: "Filed") -> list[str]:
    """Tell a request that was filed, and what was decided about it."""
    terms = filed.terms
    asked = f"{terms.day}  {standing_of(filed):<9}  {filed.short}  epsilon {terms.epsilon:g}  {filed.dataset}"
    return [
        f"{asked}  asked by {terms.by.name}: {filed.note}",
        *(
            f"  {each.day}  {each.decision} by {each.by.name} until {each.expires}: {each.reason}"
            for each in filed.verdicts
        ),
    ]


def filing_as_json(filed: "Filed") -> dict[str, object]:
    """Return a request that was filed for a program to read."""
    about = {"digest": filed.digest, "dataset": filed.dataset, "standing": standing_of(filed), "note": filed.note}
    verdicts = [each.model_dump(mode="json") for each in filed.verdicts]
    return {**about, "terms": filed.terms.model_dump(mode="json"), "verdicts": verdicts}
