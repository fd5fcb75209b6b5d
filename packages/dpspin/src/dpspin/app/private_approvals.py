"""The jobs about approvals: what waits, what an officer looks at, and the signatures. Done by worker processes alone.

A passphrase opens the key for one signature; it is written nowhere, and in no message.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from dpspin import approving, pipeline
from dpspin.app.approval_answers import FiledRow, ReviewShown
from dpspin.approvable import told_release
from dpspin.boundary.approval import Decision
from dpspin.boundary.signing import KeyFile, SigningKey
from dpspin.curator.ledger.approvals import Verdict
from dpspin.curator.ledger.chain import this_day
from dpspin.curator.ledger.filings import Filed
from dpspin.curator.ledger.ledger import Ledger, default_ledger
from dpspin.curator.ledger.stores import store_of
from dpspin.errors import InputError
from dpspin.request import ReleaseRequest


def filed_requests() -> tuple[FiledRow, ...]:
    """Return every request that was filed, those that wait first, then the newest; no ledger is made for a look."""
    store = store_of(default_ledger())
    rows = [_row(each) for each in reversed(Ledger(store).filings())] if store.exists() else []
    return tuple(sorted(rows, key=lambda each: each.standing != "waiting"))


def filed_for(request_file: str) -> FiledRow | None:
    """Return what was filed for exactly this request, the newest; nothing where nobody asked."""
    store, told = store_of(default_ledger()), told_release(ReleaseRequest.load(request_file))
    found = [each for each in Ledger(store).filings() if each.told == told] if store.exists() else []
    return _row(found[-1]) if found else None


def review(digest: str) -> ReviewShown:
    """Make a request again, and say everything that an officer should know; no record is read."""
    book = _ledger()
    filed = book.filed(digest)
    it = approving.review(book, filed)
    spent = tuple((row.day.isoformat(), str(row.amount), row.mechanism, row.people) for row in it.spent)
    verdicts = tuple(
        (each.day.isoformat(), each.decision, each.by.name, each.expires.isoformat(), each.reason)
        for each in filed.verdicts
    )
    about = (it.facts, it.told, it.promise, it.not_covered, it.forecast, it.in_short, it.budgets)
    return ReviewShown(_row(filed), *about, spent, verdicts)


def decide(digest: str, verdict: tuple[Decision, str, int], key: tuple[str, str]) -> None:
    """Sign what an officer decided; ``key`` is a key file and its passphrase."""
    book = _ledger()
    book.decide(book.filed(digest), Verdict(*verdict), _opened(*key))


def ask(request_file: str, note: str, key: tuple[str, str]) -> str:
    """File a request, signed by whoever asks; return its digest."""
    return pipeline.ask(ReleaseRequest.load(request_file), _opened(*key), note).digest


def _opened(file: str, passphrase: str) -> SigningKey:
    return KeyFile.read(Path(file)).opened(passphrase or None)


def _ledger() -> Ledger:
    store = store_of(default_ledger())
    if not store.exists():
        raise InputError("there is no ledger yet, so no request waits in it")
    return Ledger(store)


def _row(filed: Filed) -> FiledRow:
    terms = filed.terms
    cost = f"epsilon {terms.epsilon:g}" + (f", delta {terms.delta:g}" if terms.delta else "")
    about = (filed.standing(this_day()).value, filed.dataset, cost, terms.by.name, terms.day.isoformat(), filed.note)
    newest = filed.verdicts[-1] if filed.verdicts else None
    decided = "" if newest is None else f"by {newest.by.name} on {newest.day}: {newest.reason}"
    return FiledRow(filed.digest, filed.short, *about, decided)


APPROVAL_JOBS: Final[Mapping[str, Callable[..., object]]] = {
    "filed requests": filed_requests,
    "filed for": filed_for,
    "review": review,
    "decide": decide,
    "ask": ask,
}
