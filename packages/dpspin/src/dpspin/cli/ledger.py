"""``dpspin ledger``: decide budgets, see what was spent, and check that nobody changed it."""

import json
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dpspin.cli.flags import JsonOption, LedgerOption
from dpspin.cli.officers import filing_as_json, filing_lines, officers, requests
from dpspin.cli.open_ledger import NoteOption, OnlyOption, look_into_ledger, open_there
from dpspin.cli.terminal import say
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.boundary.accounting import Neighbours, Rho
    from dpspin.boundary.privacy import PrivacyLoss
    from dpspin.curator.ledger.ledger import Ledger
    from dpspin.curator.ledger.overviews import Overview

app = typer.Typer(help="Privacy budgets: decide them, and see what was spent.", no_args_is_help=True)

EMPTY = "nothing yet: no budget was decided, and no release was charged"
DatasetOption = Annotated[str, typer.Option("--dataset", help="The dataset's name in the ledger.")]


@app.command("init")
def init(
    dataset: Annotated[
        str | None, typer.Option("--dataset", help="The dataset's name, as given to `dpspin release`.")
    ] = None,
    population: Annotated[
        str | None,
        typer.Option("--population", help="Alone: people in several datasets. With --dataset: it is one of theirs."),
    ] = None,
    epsilon: Annotated[
        float | None, typer.Option("--epsilon", help="All releases together may cost this much.")
    ] = None,
    delta: Annotated[float, typer.Option("--delta", help="… and this much delta.")] = 0.0,
    rho: Annotated[float | None, typer.Option("--rho", help="Instead of epsilon and delta: a total in zCDP.")] = None,
    partition: Annotated[
        str | None,
        typer.Option("--partition", help="Declare: a record's one window is its value in this column (record level)."),
    ] = None,
    unit: Annotated[
        Literal["record", "user"] | None,
        typer.Option(
            "--unit", help="Declare whom the total is about; else its first charge decides.", show_default=False
        ),
    ] = None,
    adjacency: Annotated[
        Literal["add_drop", "replace"] | None,
        typer.Option("--adjacency", help="With --unit: which collections are neighbours (default: add_drop)."),
    ] = None,
    user_column: Annotated[
        str | None,
        typer.Option("--user-column", help="With --unit user: the column that names the users; else the first charge."),
    ] = None,
    note: Annotated[str, typer.Option("--note", help="Who decided it, and why; kept with the change.")] = "",
    ledger: LedgerOption = None,
) -> None:
    """Set or change the total budget of a dataset, or of people who appear in several. Every change is kept."""
    from dpspin.curator.ledger.accounts import Kind
    from dpspin.curator.ledger.ledger import open_ledger

    cap = _cap(epsilon, delta, rho)
    if dataset is None and population is None:
        raise RequestError("name the account: --dataset, or --population for people who appear in several datasets")
    if dataset is None and partition is not None:
        raise RequestError("--partition divides the records of a dataset: name it with --dataset")
    if user_column is not None and (dataset is None or unit != "user"):
        raise RequestError("--user-column names the users of a dataset: it goes with --dataset and --unit user")
    about = _neighbours(unit, adjacency)
    book = open_ledger(ledger)
    if dataset is not None:
        book.set_budget(
            dataset, cap, note, population=population, partition=partition, neighbours=about, user_column=user_column
        )
        budget, name = book.require_budget(dataset), dataset
    else:
        name = str(population)
        book.set_population_budget(name, cap, note, neighbours=about)
        budget = book.require_budget(name, Kind.POPULATION)
    say(f"budget of {name!r}: {budget.words(budget.cap)}", err=True)


def _cap(epsilon: float | None, delta: float, rho: float | None) -> "PrivacyLoss | Rho":
    from dpspin.boundary.accounting import Rho
    from dpspin.boundary.privacy import PrivacyLoss

    match epsilon, rho:
        case float(), None:
            return PrivacyLoss(epsilon, delta)
        case None, float() if not delta:
            return Rho(rho)
        case _:
            raise RequestError("decide a total: either --epsilon (with --delta where one is used) or --rho")


def _neighbours(unit: Literal["record", "user"] | None, adjacency: str | None) -> "Neighbours | None":
    from dpspin.boundary.accounting import Neighbours
    from dpspin.boundary.privacy import Adjacency

    if unit is None:
        if adjacency is not None:
            raise RequestError("--adjacency goes with --unit: both say whom the total is about")
        return None
    return Neighbours(unit, Adjacency(adjacency or "add_drop"))


@app.command("show")
def show(
    dataset: OnlyOption = None,
    pld: Annotated[
        bool,
        typer.Option("--pld", help="Also compose all charges more tightly: information, never a budget.", metavar=""),
    ] = False,
    at_delta: Annotated[float, typer.Option("--at-delta", help="The delta at which --pld and rho are read.")] = 1e-6,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what every account has spent and has left, and how many more reports like the last that is."""
    book = look_into_ledger(ledger)
    accounts = () if book is None else _chosen(book, dataset)
    answers = [_as_json(each, book, at_delta, pld=pld) for each in accounts if book is not None]
    if as_json:
        say(json.dumps({"accounts": answers}, indent=2))
        return
    for each, answer in zip(accounts, answers, strict=True):
        say("\n".join(_lines(each, answer, at_delta)))
    if book is not None and not accounts:
        say(EMPTY)


def _chosen(book: "Ledger", dataset: str | None) -> "tuple[Overview, ...]":
    if dataset is not None:
        book.require_budget(dataset)
    return tuple(each for each in book.overviews() if dataset in {None, each.name})


def _as_json(account: "Overview", book: "Ledger", at_delta: float, *, pld: bool) -> dict[str, object]:
    answer: dict[str, object] = {
        "kind": account.kind.value,
        "name": account.name,
        "currency": account.budget.currency.value,
        **account.budget.as_json(),
        "more_like_the_last": account.more_like_the_last,
        "population": account.population,
        "partition": account.partition,
        "unit": None if account.neighbours is None else account.neighbours.unit,
        "adjacency": None if account.neighbours is None else account.neighbours.adjacency.value,
        "user_columns": list(account.user_columns),
        "officers": [each.text for each in account.officers],
    }
    if account.budget.currency.value == "rho":
        answer |= {"at_delta": at_delta, "spent_epsilon_at_delta": _epsilon_spent(account, at_delta)}
    if pld:
        answer |= {"at_delta": at_delta, "pld_epsilon_for_information": _composed(account, book, at_delta)}
    return answer


def _epsilon_spent(account: "Overview", at_delta: float) -> float:
    from dpspin.boundary.calibration import epsilon_of

    return epsilon_of(float(account.budget.spent.rho), at_delta)


def _composed(account: "Overview", book: "Ledger", at_delta: float) -> float | None:
    from dpspin.curator.ledger.overviews import composed_epsilon

    return composed_epsilon(book.charges_of(account), at_delta)


def _lines(account: "Overview", answer: dict[str, object], at_delta: float) -> list[str]:
    budget = account.budget
    about = {"about": account.neighbours, "users": _column_words(account.user_columns)}
    about |= {"population": account.population, "partition": account.partition}
    title = account.name if account.kind.value == "dataset" else f"{account.name} (population)"
    about |= {"needs": _approval_words(account)}
    lines = [title, *(f"  {word:<6} {name}" for word, name in about.items() if name is not None)]
    lines += [
        f"  budget {budget.words(budget.cap)}",
        f"  spent  {budget.words(budget.spent)}",
        f"  left   {budget.words(budget.left)}{_more(account)}",
    ]
    if "spent_epsilon_at_delta" in answer:
        lines += [f"  spent means epsilon {answer['spent_epsilon_at_delta']:.4g} at delta {at_delta:g}"]
    if "pld_epsilon_for_information" in answer:
        lines += [f"  for information only, composed by PLD: {_pld_words(answer, at_delta)}"]
    return lines


def _approval_words(account: "Overview") -> str | None:
    named = " or ".join(each.name for each in account.officers)
    return f"the approval of {named} for every release" if named else None


def _column_words(columns: tuple[str, ...]) -> str | None:
    return f"named by {' or '.join(map(repr, columns))}" if columns else None


def _pld_words(answer: dict[str, object], at_delta: float) -> str:
    epsilon = answer["pld_epsilon_for_information"]
    if epsilon is None:
        return f"no epsilon at so small a delta as {at_delta:g}"
    return f"epsilon {epsilon:.4g} at delta {at_delta:g}"


def _more(account: "Overview") -> str:
    more = account.more_like_the_last
    return "" if more is None else f": {more} more {'report' if more == 1 else 'reports'} like the last one"


@app.command("history")
def history(dataset: OnlyOption = None, ledger: LedgerOption = None, as_json: JsonOption = False) -> None:
    """List every budget that was decided, what was declared, and every release that was charged, each oldest first."""
    book = look_into_ledger(ledger)
    decisions = () if book is None else book.decisions(dataset)
    said = () if book is None else book.declarations(dataset)
    named = () if book is None else book.decisions_on_officers(dataset)
    filed = () if book is None else book.filings(dataset)
    rows = () if book is None else book.history(dataset)
    if as_json:
        answer = {
            "budgets": [made.as_json() for made in decisions],
            "declarations": [each.as_json() for each in said],
            "officers": [each.as_json() for each in named],
            "requests": [filing_as_json(each) for each in filed],
            "releases": [row.as_json() for row in rows],
        }
        say(json.dumps(answer, indent=2))
        return
    if book is not None and not (decisions or said or named or rows):
        say(EMPTY)
    for made in decisions:
        cap = made.cap.words(made.currency)
        say(f"{made.day}  budget     {cap:<24}  {made.name}  {made.note}".rstrip())
    for each in said:
        say(f"{each.day}  declared   {each.words:<24}  {each.dataset}  {each.note}".rstrip())
    for decided in named:
        say(f"{decided.day}  officers   {decided.words:<24}  {decided.name}  {decided.note}".rstrip())
    for each_filed in filed:
        say("\n".join(filing_lines(each_filed)))
    for row in rows:
        window = "" if row.window is None else f"  window {row.window}"
        told = f"{row.day}  {row.state:<9}  {row.amount!s:<24}  {row.dataset}  {row.mechanism}{window}  {row.people}"
        say(told.rstrip())


@app.command("verify")
def verify(
    head: Annotated[
        str | None, typer.Option("--head", help="The hash that a release states (account.head in its plan).")
    ] = None,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Recompute the hash chain and all totals: exit code 1 if a row was changed, removed, forged or overspends.

    With --head, also if that hash is not in this ledger: then it is an older copy, or another one.
    """
    checked = open_there(ledger).verify(head)
    if as_json:
        answer = {"holds": checked.holds, "finding": checked.finding, "rows": checked.rows, "head": checked.head}
        say(json.dumps(answer, indent=2))
    elif checked.holds:
        found = "" if head is None else "; the given hash is one of them"
        say(f"{checked.rows} rows, unchanged and within their budgets{found}\nhead {checked.head}")
        for each in open_there(ledger).decisions_on_officers():
            say(f"{each.day}  {each.name}: {each.words}  {each.note}")
    else:
        say(f"FINDING: {checked.finding}")
    if not checked.holds:
        raise typer.Exit(code=1)


app.command("officers")(officers)
app.command("requests")(requests)


@app.command("alias")
def alias(
    dataset: DatasetOption,
    user_column: Annotated[str, typer.Option("--user-column", help="A column that names the same users, one by one.")],
    note: NoteOption,
    ledger: LedgerOption = None,
) -> None:
    """Declare that a column names the same users as the one before: it was renamed."""
    open_there(ledger).add_user_column(dataset, user_column, note)
    say(f"users of {dataset!r} may also be named by {user_column!r}", err=True)


@app.command("apart")
def apart(
    dataset: Annotated[str, typer.Option("--dataset", help="A dataset that the ledger took for another one.")],
    other: Annotated[str, typer.Option("--from", help="The other one, which has an account.")],
    note: NoteOption,
    ledger: LedgerOption = None,
) -> None:
    """Declare that two datasets have budgets of their own although their records or users overlap."""
    open_there(ledger).keep_apart(dataset, other, note)
    say(f"{dataset!r} and {other!r} are kept apart", err=True)
