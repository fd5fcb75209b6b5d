"""What an account refuses, and what it says then: the figures, and the command that would change the answer.

Each law works inside a transaction that the caller holds, before anything is written. ``location`` is the ledger's.
"""

import json
import shlex
from decimal import ROUND_UP, Context

from sqlalchemy import Connection, select

from dpspin.curator.aggregate.likeness import Likeness
from dpspin.curator.ledger import accounts, approvals, charges, officers
from dpspin.curator.ledger.accounts import Account, Kind, Subject, Terms
from dpspin.curator.ledger.amounts import NO_RHO, Amount, Budget, Currency, plain
from dpspin.curator.ledger.charges import Charge
from dpspin.curator.ledger.schema import entry
from dpspin.errors import ApprovalRefused, BudgetRefused, LedgerError, RecordsRefused, RequestError, command_line

TYPEABLE = Context(prec=15, rounding=ROUND_UP)  # 15 digits survive the way through a float unchanged


def require_chargeable(connection: Connection, account: Account, charge: Charge, location: str) -> None:
    """Ask the dataset's account, then its population's: people may be in several windows, so there all add up."""
    population, window = accounts.population_of(connection, account), charge.window
    for payer in (account, population):
        if payer is not None:
            _require_same_neighbours(payer, charge)
    if charge.user_column is not None:
        require_its_column(connection, charge.dataset, charge.user_column, location)
    if window is not None and window.partition != account.terms.partition:
        declared = account.terms.partition
        why = "has no declared partition" if declared is None else f"is partitioned by {declared!r}"
        known = {"dataset": charge.dataset, "partition": window.partition}
        raise RequestError(
            f"dataset {charge.dataset!r} {why}, so releases of windows by {window.partition!r} would add up like all "
            "others. A partition is declared when the account is made: "
            f"{command_line('ledger', 'init', **known, epsilon='TOTAL')}"
        )
    _require_fresh_sample(connection, account, charge)
    _require_covered(account.terms, account.budget(None if window is None else window.name), charge.amount, location)
    if population is not None:
        _require_covered(population.terms, population.budget(), charge.amount, location)


def require_allowed(connection: Connection, account: Account, charge: Charge, location: str) -> None:
    """Ask the accounts whether they can pay, and their officers whether they let them: the one gate of every charge."""
    require_chargeable(connection, account, charge, location)
    approvals.require_approved(connection, account, charge)


def _require_fresh_sample(connection: Connection, account: Account, charge: Charge) -> None:
    """Refuse a second release from one sample: amplification is of all that is released of it, so losses do not add."""
    drawing = charges.drawing_of(charge.request_json)
    earlier = select(entry.c.request).where(entry.c.scope_id == account.scope_id)
    if drawing is not None and any(charges.drawing_of(each) == drawing for each in connection.scalars(earlier)):
        raise LedgerError(
            "what was read of this sample has been released before, with other choices, and a sample pays for one "
            "release: repeat that one, which is free, or name a new state of the data (`account.snapshot`) and draw "
            "and read a new sample",
            code="ledger.sample-used",
        )


def _require_same_neighbours(payer: Account, charge: Charge) -> None:
    """Refuse a loss about other neighbours: added to the account's total it would be a number without a meaning."""
    known, asked = payer.neighbours, charge.cost.neighbours
    if known not in {None, asked}:
        raise RequestError(
            f"the account of {payer.terms.kind} {payer.terms.name!r} adds up losses about {known}; this request is "
            f"about {asked}, and such losses do not add up. Ask with `records.unit: {known.unit}` and "
            f"`records.adjacency: {known.adjacency}`; an account is about one kind for good, as declared when it is "
            "made (dpspin ledger init) or by its first charge"
        )


def _require_covered(terms: Terms, budget: Budget, asked: Amount, location: str) -> None:
    """Refuse a charge, with spent / asked / left and the smallest cap that would cover it."""
    if budget.currency is Currency.RHO and asked.paid_in(Currency.RHO) == NO_RHO:
        raise RequestError(
            f"the account of {terms.kind} {terms.name!r} is decided in rho, and what is asked for has no bound in it: "
            "delta stands for what may come out of one unit alone. Only an account in epsilon and delta can pay",
            code="request.no-rho",
        )
    if not budget.covers(asked):
        needed = budget.spent + asked.paid_in(budget.currency)
        raise BudgetRefused(
            f"the privacy budget of {terms.kind} {terms.name!r} does not cover this request. "
            f"{_figures(budget, asked)}. Ask for less, or raise the cap if the data's owner agrees: "
            f"{init_command(terms, needed, location)}"
        )


def require_its_column(connection: Connection, dataset: str, column: str, location: str) -> None:
    """Refuse a column of which nobody said that it names the account's users; where none is known yet, any will do."""
    known = accounts.declared(connection, dataset, Subject.USER_COLUMN)
    if known and column not in known:
        command = command_line("ledger", "alias", dataset=dataset, user_column=column, note="WHY", ledger=location)
        raise RequestError(
            f"the account of dataset {dataset!r} is about the users that the column {known[0]!r} names; this request "
            f"takes them from {column!r}, and losses about different users do not add up. Ask with "
            f"`records.user: {shlex.quote(known[0])}`. If this column names the same people, one by one, and was only "
            f"renamed, a person may declare it: {command}"
        )


def require_users(account: Account | Terms, dataset: str) -> None:
    """Refuse a user column where the account is, or may come to be, about records."""
    if account.neighbours is None or account.neighbours.unit != "user":
        raise RequestError(
            f"the account of dataset {dataset!r} is not about users, so no column names them: declare it with the "
            "unit user"
        )


def require_changeable(account: Account, terms: Terms, cap: Amount) -> None:
    """Refuse other terms than those under which earlier charges were made, and a cap below these."""
    known, spent = account.terms, account.spent()
    unlike = {
        f"currency ({known.currency})": known.currency is not terms.currency,
        "population": terms.population not in {None, known.population},
        "partition": terms.partition not in {None, known.partition},
        "unit or adjacency": terms.neighbours not in {None, account.neighbours},
    }
    for what, differs in unlike.items():
        if differs:
            raise LedgerError(
                f"the account of {known.kind} {known.name!r} has another {what}. That is decided when an account is "
                "made, and its charges rest on it: repeat it as it was, or leave it out"
            )
    if not spent.fits_in(cap):
        raise BudgetRefused(
            f"the cap of {known.kind} {known.name!r} cannot be lowered to {cap.words(known.currency)}: "
            f"{spent.words(known.currency)} is spent already. Choose a cap that is at least that."
        )


def known_entry(connection: Connection, account: Account, charge: Charge, content: str) -> charges.Entry | None:
    """Find the entry of a request and hold the records against it.

    What is published must not tell whether records changed, so the same request never gets a second output. And the
    same records under a second name would get a second budget.
    """
    known = charges.entry_of(connection, account, charge.fingerprint)
    if known is not None and known.content != content:
        raise RecordsRefused(
            f"the records of dataset {charge.dataset!r} are not the ones for which this request was answered before. "
            "Name the new state of the data (for example `account.snapshot: 2026-02`): it is measured anew, and charged"
        )
    if known is not None:
        approvals.require_in_approved_words(connection, account, charge)
    require_one_name(connection, account, content)
    return known


def require_one_name(connection: Connection, account: Account, content: str) -> None:
    """Refuse the very same records under a second name."""
    if (other := charges.other_name_of(connection, account, content)) is not None:
        raise LedgerError(
            f"the records of {account.terms.name!r} are known to this ledger as dataset {other!r}. "
            f"Use `account.dataset: {shlex.quote(other)}`, so that all their releases share one budget"
        )


def require_one_window(connection: Connection, account: Account, charge: Charge, likeness: Likeness | None) -> None:
    """Refuse a window that is read in another way than the account's others, or whose records another one holds.

    Windows compose in parallel because a record is in one of them. Read by another encoding or from another format,
    the same record could carry another window's name.
    """
    if (window := charge.window) is None:
        return
    of_windows = (entry.c.scope_id == account.scope_id, entry.c.part.is_not(None), entry.c.part != window.name)
    for part, asked, stored in connection.execute(
        select(entry.c.part, entry.c.request, entry.c.likeness).where(*of_windows)
    ):
        if json.loads(asked).get("dialect") != json.loads(charge.request_json).get("dialect"):
            raise RequestError(
                f"other windows of {charge.dataset!r} were read with another `records.dialect`: one record could then "
                "be in two windows. Declare the files as for those windows, or leave `records.window.name` out; "
                "nothing was charged"
            )
        if stored is not None and likeness is not None and likeness.holds_records_of(Likeness.from_bytes(stored)):
            raise RequestError(
                f"a large part of the records of window {window.name!r} of {charge.dataset!r} is known as window "
                f"{part!r}: a record is in one window, or the windows' losses add up. Is the column written in another "
                "way now? Nothing was charged"
            )


def unknown_account(kind: Kind, name: str, location: str) -> LedgerError:
    """Refuse an account for which nobody decided a budget."""
    command = command_line("ledger", "init", **{kind.value: name}, epsilon="TOTAL", ledger=location)
    return LedgerError(f"the ledger has no budget for {kind} {name!r}. Decide a total first: {command}")


def require_unguarded(connection: Connection, dataset: str, location: str) -> None:
    """Refuse to open an account by a first charge where officers guard others: nobody passes them by a path's name."""
    guarded = officers.guarded(connection)
    if guarded:
        command = command_line("ledger", "init", dataset=dataset, epsilon="TOTAL", note="WHY", ledger=location)
        theirs = "; ".join(f"{name!r} by {officers.names_of(people)}" for name, people in guarded.items())
        raise ApprovalRefused(
            f"dataset {dataset!r} has no account, and where officers guard others ({theirs}) a release opens none. If "
            "it is about the same people, pay from theirs (`account.dataset`); else decide on an account of its own: "
            f"{command}",
            code="approval.no-account",
        )


def unknown_filing(why: str, location: str) -> LedgerError:
    """Refuse a digest that names no request, or several."""
    listed = command_line("ledger", "requests", ledger=location)
    return LedgerError(f"{why} with this digest: see {listed}", code="ledger.unknown-request")


def unknown_head(location: str, head: str, place: str) -> LedgerError:
    """Refuse a ledger that does not know the release that is to be replaced."""
    return LedgerError(
        f"{place} holds an earlier release that the ledger {location} does not know (head {head[:12]}…): this is "
        "another ledger, or an older copy, and it would grant again what was spent, or draw again what was published. "
        "Name the ledger that paid for that release (`account.ledger`), or restore its newest backup. If this one is "
        "meant, choose another folder. Nothing was charged"
    )


def require_plain_name(name: str | None) -> None:
    """Refuse a name that a person cannot read or type."""
    if name is None:
        return
    if not name.isprintable() or name != name.strip() or name.startswith("-") or not name:
        raise LedgerError(
            "a name must be printable text without spaces around it or a dash in front, so that two names that look "
            "alike are one"
        )


def charged_before() -> RequestError:
    """Refuse to ask for what was paid for."""
    return RequestError(
        "these numbers were approved and charged before: release them again, which is free",
        code="request.charged-before",
    )


def no_approval_needed(dataset: str) -> RequestError:
    """Refuse to ask where nobody wants to be asked."""
    return RequestError(
        f"no account that pays for releases of dataset {dataset!r} demands an approval: release it without asking",
        code="request.no-approval-needed",
    )


def require_note(note: str) -> None:
    """Refuse a person's decision without its reason."""
    if not note.strip() or not note.isprintable():
        raise RequestError("say who decided it, and why, in one line: it is kept with the decision")


def init_command(terms: Terms, cap: Amount, location: str) -> str:
    """Return the command line that sets this cap."""
    figures = cap.figures(terms.currency).items()
    options = {name: plain(TYPEABLE.plus(figure)) for name, figure in figures if figure or name != "delta"}
    return command_line("ledger", "init", **{terms.kind.value: terms.name}, **options, ledger=location)


def _figures(budget: Budget, asked: Amount) -> str:
    """State rho; or epsilon, and delta where anybody asked for it or may spend it."""
    amounts = {"spent": budget.spent, "asked": asked, "left": budget.left, "cap": budget.cap}
    found = {what: amount.figures(budget.currency) for what, amount in amounts.items()}
    told = [name for name in found["cap"] if name != "delta" or found["asked"][name] or found["cap"][name]]
    return "; ".join(_figure(name, *(plain(figures[name]) for figures in found.values())) for name in told)


def _figure(name: str, spent: str, asked: str, left: str, cap: str) -> str:
    return f"{name}: spent {spent}, asked {asked}, left {left} of {cap}"
