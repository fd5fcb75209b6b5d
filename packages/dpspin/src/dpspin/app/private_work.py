"""The jobs that read records, make requests and open the ledger. Loaded by the app's worker processes alone."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from dpspin.app.answers import AccountState, Column, Columns, Look
from dpspin.app.private_approvals import APPROVAL_JOBS
from dpspin.app.private_desk import at_desk
from dpspin.boundary.facets import columns_of
from dpspin.boundary.request_terms import placed
from dpspin.curator.check.doubts import Doubt, doubts_about_files, doubts_about_languages
from dpspin.curator.check.look import LanguageMix
from dpspin.curator.check.peek import SeenColumn, seen_file
from dpspin.curator.check.view_look import facets_asked
from dpspin.curator.check.whole_look import look_at_all
from dpspin.curator.ledger.ledger import Ledger, default_ledger
from dpspin.curator.ledger.officers import names_of as names_of_officers
from dpspin.curator.ledger.stores import store_of
from dpspin.curator.records.columns import Columns as ColumnNames
from dpspin.curator.records.dialect import Dialect
from dpspin.curator.records.find_files import locate
from dpspin.request import ReleaseRequest, dataset_of
from dpspin.text.languages import names_of

WORDS: Final = re.compile(r"text|body|narrative|comment|message|review|content|description|answer|complaint|note")
WHO: Final = re.compile(r"user|customer|client|author|person|member|patient|employee|account|reviewer|respondent")
LENGTH: Final = re.compile(r"text of about (\d+) characters")
FEW_LANGUAGES: Final = 4


def seen_columns(file: str) -> Columns:
    """Look at a file's first rows, and guess which columns are meant; a person decides."""
    seen = seen_file(locate(file)[0], Dialect())
    if not seen.columns:
        return Columns((), "", "", "", _told(doubts_about_files([seen], Dialect())))
    encoding = "" if not seen.suggestion.fields else str(seen.suggestion.encoding)
    text = _guessed_text(seen.columns)
    return Columns(
        tuple(Column(each.name, each.kind) for each in seen.columns), encoding, text, _guessed_user(seen.columns), ()
    )


def _guessed_text(columns: Sequence[SeenColumn]) -> str:
    """Take a column of sentences, rather one that is called so, then the one with the longest."""
    lengths = {each.name: int(found[1]) for each in columns if (found := LENGTH.fullmatch(each.kind))}
    return max(lengths, key=lambda name: (bool(WORDS.search(name.lower())), lengths[name]), default="")


def _guessed_user(columns: Sequence[SeenColumn]) -> str:
    """Take a column that is called like people, and holds no sentences."""
    short = [each.name for each in columns if not LENGTH.fullmatch(each.kind)]
    return next((name for name in short if WHO.search(name.lower())), "")


def look(file: str, text: str, user: str, encoding: str, views: Sequence[str]) -> Look:
    """Read all records once, as `dpspin check` does; nothing is written."""
    facets = facets_asked(list(views)) if views else ()
    dialect = Dialect.named(encoding or None, None, None)
    seen = look_at_all(file, ColumnNames(text, user or None, facets=columns_of(facets)), dialect, (), facets=facets)
    it = seen.text
    readable = it.closely - it.unreadable - it.empty
    closely = "" if it.closely == it.records else f" (of the first {it.closely:,})"
    codes = [code for code, share in it.languages if round(share, 2)][:FEW_LANGUAGES]
    shares = dict(it.languages)
    mix = ", ".join(f"{name} {shares[code]:.0%}" for name, code in zip(names_of(codes), codes, strict=True))
    facts = [
        ("Records", f"{it.records:,}" + (f"; {it.left_out:,} more rows are no records" if it.left_out else "")),
        ("Readable", f"{readable:,}{closely}; {it.empty:,} empty, {it.unreadable:,} not readable"),
        ("Languages", mix or "cannot be told"),
    ]
    if it.users is not None:
        facts.append(("People", f"{it.users:,}{closely}; the busiest wrote {it.of_one_user:,}"))
    return Look(tuple(facts), _told(seen.doubts), it.languages)


def unread(mix: LanguageMix, languages: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Say that much of what was looked at is in languages that a dictionary's map does not read."""
    return _told(doubts_about_languages(mix, languages))


def save_request(told: Mapping[str, Any], path: str) -> str:
    """Check what was told, write it as the command line takes it, and return its digest."""
    request = ReleaseRequest.read(placed(told))
    request.dictionary()  # refuses one of whose names no report can speak
    request.save(path)
    return request.digest


def account(dataset: str, data: str) -> AccountState:
    """Say what the ledger knows of a dataset; none is made for a look."""
    name = dataset or dataset_of(data)
    store = store_of(default_ledger())
    book = Ledger(store) if store.exists() else None
    budget = None if book is None else book.budget(name)
    if book is None or budget is None:
        guarded = {} if book is None else book.guarded()
        theirs = tuple((each, names_of_officers(people)) for each, people in guarded.items())
        return AccountState(name, store.location, "", "", "", (), guarded=theirs)
    left, spent, cap = (budget.words(amount) for amount in (budget.left, budget.spent, budget.cap))
    rows = tuple((row.day.isoformat(), row.state.value, budget.words(row.amount)) for row in book.history(name))
    return AccountState(name, store.location, left, spent, cap, rows, names_of_officers(book.asked_for(name)))


def accounts() -> tuple[str, ...]:
    """Return the names of accounts for a report to pay from; a path is the name of an account that nobody named."""
    store = store_of(default_ledger())
    names = Ledger(store).datasets() if store.exists() else ()
    return tuple(sorted(name for name in names if "/" not in name))


def budgets() -> tuple[AccountState, ...]:
    """Say what the ledger knows of every dataset, in the order of names."""
    store = store_of(default_ledger())
    names = Ledger(store).datasets() if store.exists() else ()
    return tuple(account(name, "") for name in sorted(names))


def _told(doubts: Sequence[Doubt]) -> tuple[tuple[str, str], ...]:
    return tuple((each.what, each.do) for each in doubts)


JOBS: Final[Mapping[str, Callable[..., object]]] = {
    "nothing": lambda: None,
    "columns": seen_columns,
    "look": look,
    "unread": unread,
    "save request": save_request,
    "account": account,
    "accounts": accounts,
    "budgets": budgets,
    "desk": at_desk,
    **APPROVAL_JOBS,
}
