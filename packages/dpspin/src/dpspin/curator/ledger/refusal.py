"""What the ledger says when it says no: the figures, and the command that would change the answer."""

import shlex
from decimal import ROUND_UP, Context, Decimal

from dpspin.boundary.account import Window
from dpspin.boundary.accounting import Neighbours
from dpspin.curator.ledger.account import Budget, Kind, Overlap
from dpspin.curator.ledger.accounts import Account, Terms
from dpspin.curator.ledger.amounts import Amount, Currency, plain
from dpspin.errors import BudgetRefused, LedgerError, RecordsRefused, RequestError, command_line

TYPEABLE = Context(prec=15, rounding=ROUND_UP)  # 15 digits survive the way through a float unchanged


def over_budget(terms: Terms, budget: Budget, asked: Amount, location: str) -> BudgetRefused:
    """Refuse a charge, with spent / asked / left and the smallest cap that would cover it."""
    needed = budget.spent + asked.paid_in(budget.currency)
    command = init_command(terms, needed, location)
    return BudgetRefused(
        f"the privacy budget of {terms.kind} {terms.name!r} does not cover this request. {_figures(budget, asked)}. "
        f"Ask for less, or raise the cap if the data's owner agrees: {command}"
    )


def below_spent(terms: Terms, budget: Budget, cap: Amount) -> BudgetRefused:
    """Refuse a cap below what is gone already."""
    return BudgetRefused(
        f"the cap of {terms.kind} {terms.name!r} cannot be lowered to {budget.words(cap)}: "
        f"{budget.words(budget.spent)} is spent already. Choose a cap that is at least that."
    )


def unknown_account(kind: Kind, name: str, location: str) -> LedgerError:
    """Refuse an account for which nobody decided a budget."""
    command = command_line("ledger", "init", **{kind.value: name}, epsilon="TOTAL", ledger=location)
    return LedgerError(f"the ledger has no budget for {kind} {name!r}. Decide a total first: {command}")


def other_terms(known: Terms, what: str) -> LedgerError:
    """Refuse to change what was decided when the account was made: earlier charges were made under it."""
    return LedgerError(
        f"the account of {known.kind} {known.name!r} has another {what}. That is decided when an account is made, and "
        "its charges rest on it: repeat it as it was, or leave it out"
    )


def window_without_partition(account: Account, window: Window) -> RequestError:
    """Refuse a window where nobody declared that windows are disjoint."""
    declared = account.terms.partition
    why = "has no declared partition" if declared is None else f"is partitioned by {declared!r}"
    known = {"dataset": account.terms.name, "partition": window.partition}
    return RequestError(
        f"dataset {account.terms.name!r} {why}, so releases of windows by {window.partition!r} would add up like all "
        "others. A partition is declared when the account is made: "
        f"{command_line('ledger', 'init', **known, epsilon='TOTAL')}"
    )


def other_neighbours(terms: Terms, known: Neighbours, asked: Neighbours) -> RequestError:
    """Refuse a loss about other neighbours: added to the account's total it would be a number without a meaning."""
    return RequestError(
        f"the account of {terms.kind} {terms.name!r} adds up losses about {known}; this request is about {asked}, and "
        f"such losses do not add up. Ask with `records.unit: {known.unit}` and `records.adjacency: {known.adjacency}`; "
        "an account is about one kind for good, as declared when it is made (dpspin ledger init) or by its first charge"
    )


def other_column(dataset: str, known: tuple[str, ...], asked: str, location: str) -> RequestError:
    """Refuse a loss about the users of another column: one user there is not one user here."""
    command = command_line("ledger", "alias", dataset=dataset, user_column=asked, note="WHY", ledger=location)
    return RequestError(
        f"the account of dataset {dataset!r} is about the users that the column {known[0]!r} names; this request takes "
        f"them from {asked!r}, and losses about different users do not add up. Ask with "
        f"`records.user: {shlex.quote(known[0])}`. If this column names the same people, one by one, and was only "
        f"renamed, a person may declare it: {command}"
    )


def overlapping(account: Account, overlap: Overlap, location: str) -> LedgerError:
    """Refuse records or users that another account has paid for, and name what a person may decide."""
    dataset, other = account.terms.name, overlap.dataset
    command = command_line("ledger", "apart", dataset=dataset, from_=other, note="WHY", ledger=location)
    return LedgerError(
        f"a large part of the {overlap.shared} of {dataset!r} is known to this ledger as dataset {other!r}: what is "
        "learned about them adds up, and two budgets would hide that. Nothing was charged. "
        f"Use `account.dataset: {shlex.quote(other)}` (with `account.snapshot`, where the data have changed)"
        f"{_in_one_population(account, overlap, location)}. If they are others all the same, a person may say why, and "
        f"the ledger keeps it: {command}"
    )


def _in_one_population(account: Account, overlap: Overlap, location: str) -> str:
    """Offer the population of the other dataset, while this one has no account: membership never changes."""
    if overlap.population is None or account.scope_id is not None:
        return ""
    names = {"dataset": account.terms.name, "population": overlap.population}
    command = command_line("ledger", "init", **names, epsilon="TOTAL", ledger=location)
    return f", or let both be charged to their people as well: {command}"


def other_dialect(dataset: str) -> RequestError:
    """Refuse a window whose names would be read in another way than those of the other windows."""
    return RequestError(
        f"other windows of {dataset!r} were read with another `records.dialect`: one record could then be in two "
        "windows. Declare the files as for those windows, or leave `records.window.name` out; nothing was charged"
    )


def in_two_windows(dataset: str, window: str, other: str) -> RequestError:
    """Refuse a window whose records are known as another window's."""
    return RequestError(
        f"a large part of the records of window {window!r} of {dataset!r} is known as window {other!r}: a record is in "
        "one window, or the windows' losses add up. Is the column written in another way now? Nothing was charged"
    )


def nothing_to_declare(dataset: str) -> RequestError:
    """Refuse a user column where an account is about records."""
    return RequestError(
        f"the account of dataset {dataset!r} is not about users, so no column names them: declare it with the unit user"
    )


def unknown_head(location: str, head: str, place: str) -> LedgerError:
    """Refuse a ledger that does not know the release that is to be replaced."""
    return LedgerError(
        f"{place} holds an earlier release, and the ledger {location} does not know its charge (head {head[:12]}…): "
        "this is another ledger, or an older copy, and it would grant again what was spent. Name the ledger that paid "
        "for that release (`account.ledger`), or restore its newest backup. If this one is meant, choose another "
        "folder. Nothing was charged"
    )


def other_records(dataset: str) -> RecordsRefused:
    """Refuse to answer a request again for records that are not the ones it was answered for."""
    return RecordsRefused(
        f"the records of dataset {dataset!r} are not the ones for which this request was answered before. Name the new "
        "state of the data (for example `account.snapshot: 2026-02`): it is measured anew, and charged"
    )


def other_name(dataset: str, known_as: str) -> LedgerError:
    """Refuse a second name for the same records, which would give them a second budget."""
    return LedgerError(
        f"the records of {dataset!r} are known to this ledger as dataset {known_as!r}. "
        f"Use `account.dataset: {shlex.quote(known_as)}`, so that all their releases share one budget"
    )


def init_command(terms: Terms, cap: Amount, location: str) -> str:
    """Return the command line that sets this cap."""
    rho = terms.currency is Currency.RHO
    total = {"rho": _typeable(cap.rho)} if rho else {"epsilon": _typeable(cap.epsilon)}
    delta = {"delta": _typeable(cap.delta)} if cap.delta_atto else {}
    return command_line("ledger", "init", **{terms.kind.value: terms.name}, **total, **delta, ledger=location)


def _figures(budget: Budget, asked: Amount) -> str:
    """State rho; or epsilon, and delta where anybody asked for it or may spend it."""
    if budget.currency is Currency.RHO:
        return _figure("rho", budget.spent.rho, asked.rho, budget.left.rho, budget.cap.rho)
    figures = _figure("epsilon", budget.spent.epsilon, asked.epsilon, budget.left.epsilon, budget.cap.epsilon)
    if asked.delta_atto or budget.cap.delta_atto:
        figures += "; " + _figure("delta", budget.spent.delta, asked.delta, budget.left.delta, budget.cap.delta)
    return figures


def _figure(name: str, spent: Decimal, asked: Decimal, left: Decimal, cap: Decimal) -> str:
    return f"{name}: spent {plain(spent)}, asked {plain(asked)}, left {plain(left)} of {plain(cap)}"


def _typeable(number: Decimal) -> str:
    return plain(TYPEABLE.plus(number))
