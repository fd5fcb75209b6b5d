"""Requests that were filed for approval, and what was decided about them. Each function works inside a transaction."""

import json
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, Row, Select, select

from dpspin.boundary.approval import FiledRequest, SignedApproval
from dpspin.boundary.model_base import canonical_json
from dpspin.boundary.signing import PublicKey, SigningKey
from dpspin.curator.ledger import chain
from dpspin.curator.ledger.accounts import Account
from dpspin.curator.ledger.charges import Charge, mechanism_of
from dpspin.curator.ledger.schema import entry, filing, scope, verdict
from dpspin.errors import LedgerError, RequestError

FORGED = (
    "an approval in this ledger does not bear the signature of its officer, or is of another request: somebody has "
    "changed the ledger. Restore its newest backup; dpspin ledger verify tells what does not fit"
)


class Standing(StrEnum):
    """How far a request that was filed has come."""

    WAITING = "waiting"
    APPROVED = "approved"
    DECLINED = "declined"
    EXPIRED = "expired"
    CHARGED = "charged"


@dataclass(frozen=True, slots=True)
class Filed:
    """A request that was filed, and what was decided about it. ``told`` names places: it stays with the curator."""

    id: int
    dataset: str
    fingerprint: str
    terms: FiledRequest
    signature: str
    told: str = field(repr=False)
    note: str
    charged: date | None  # when these numbers were paid for
    verdicts: tuple[SignedApproval, ...] = ()

    @property
    def digest(self) -> str:
        """What an approval is given for."""
        return self.terms.digest

    @property
    def short(self) -> str:
        """How people name it."""
        return self.digest.removeprefix("sha256:")[:12]

    def standing(self, day: date) -> Standing:
        """Say how far it has come on a day."""
        newest = self.verdicts[-1] if self.verdicts else None
        if newest is not None and newest.decision == "declined":
            return Standing.DECLINED
        if self.charged is not None:
            return Standing.CHARGED
        if newest is None:
            return Standing.WAITING
        return Standing.APPROVED if newest.counts_on(day) else Standing.EXPIRED


_FILED: Select[Any] = (
    select(filing, scope.c.name.label("dataset"), entry.c.day.label("charged"))
    .join(scope, scope.c.id == filing.c.scope_id)
    .outerjoin(entry, (entry.c.scope_id == filing.c.scope_id) & (entry.c.fingerprint == filing.c.fingerprint))
    .order_by(filing.c.id)
)
_VERDICTS = select(verdict, filing.c.digest).join(filing).order_by(verdict.c.id)
_STILL_OPEN = frozenset((Standing.WAITING, Standing.APPROVED))


def filings(connection: Connection) -> tuple[Filed, ...]:
    """Return every request that was filed, oldest first, with what was decided about it."""
    return _with_verdicts(connection, _FILED, _VERDICTS)


def filings_of(connection: Connection, account: Account, fingerprint: str) -> tuple[Filed, ...]:
    """Return the filings for one set of numbers, oldest first."""
    key = (filing.c.scope_id == account.scope_id, filing.c.fingerprint == fingerprint)
    return _with_verdicts(connection, _FILED.where(*key), _VERDICTS.where(*key))


def verdicts_on(connection: Connection, account: Account, fingerprint: str) -> tuple[tuple[Filed, SignedApproval], ...]:
    """Return every verdict on one set of numbers, oldest first, each with the filing that it is about."""
    by_digest = {each.digest: each for each in filings_of(connection, account, fingerprint)}
    key = (filing.c.scope_id == account.scope_id, filing.c.fingerprint == fingerprint)
    given = (approval_in(row, row.digest) for row in connection.execute(_VERDICTS.where(*key)))
    return tuple((by_digest[each.request], each) for each in given)


def _with_verdicts(connection: Connection, chosen: Select[Any], given: Select[Any]) -> tuple[Filed, ...]:
    decided: dict[int, tuple[SignedApproval, ...]] = {}
    for row in connection.execute(given):
        decided[row.filing_id] = (*decided.get(row.filing_id, ()), approval_in(row, row.digest))
    return tuple(_filed(row, decided.get(row.id, ())) for row in connection.execute(chosen))


def _filed(row: "Row[Any]", decided: tuple[SignedApproval, ...]) -> Filed:
    about = (row.dataset, row.fingerprint, terms_in(row), row.signature, row.told, row.note, row.charged)
    return Filed(row.id, *about, decided)


def terms_in(row: "Row[Any]") -> FiledRequest:
    """Read the terms out of the row of a filing; refuse a row that says another thing of them."""
    try:
        terms = FiledRequest.model_validate_json(row.terms)
    except ValidationError:
        raise LedgerError(FORGED, code="ledger.forged-approval") from None
    if (terms.digest, terms.by.key, terms.day) != (row.digest, row.key, row.day):
        raise LedgerError(FORGED, code="ledger.forged-approval")
    return terms


def approval_in(row: "Row[Any]", digest: str) -> SignedApproval:
    """Read what an officer decided out of the row of a verdict; the digest is that of what was filed."""
    by = {"key": row.key, "name": row.name}
    told = {"decision": row.decision, "reason": row.reason, "day": row.day, "expires": row.expires}
    try:
        return SignedApproval.model_validate({"request": digest, "by": by, **told, "signature": row.signature})
    except ValidationError:
        raise LedgerError(FORGED, code="ledger.forged-approval") from None


def file_request(connection: Connection, account: Account, charge: Charge, note: str, key: SigningKey) -> Filed:
    """File a request, signed by whoever asks; one that waits, or is approved, is given back as it is."""
    if not charge.told:
        raise RequestError(
            "this request holds its records, dictionary or map in memory, so that no officer could look at it: name "
            "files or tables",
            code="request.not-written",
        )
    for known in filings_of(connection, account, charge.fingerprint):
        if known.terms.charge == charge.digest and known.standing(chain.this_day()) in _STILL_OPEN:
            return known
    terms = _terms_of(connection, charge, key.public)
    chain.add_row(
        connection,
        chain.Linked.FILING,
        scope_id=account.scope_id,
        fingerprint=charge.fingerprint,
        key=key.public.key,
        digest=terms.digest,
        terms=canonical_json(terms.model_dump(mode="json")),
        told=charge.told,
        note=note,
        day=terms.day,
        signature=terms.signed_with(key),
    )
    return filings_of(connection, account, charge.fingerprint)[-1]


def _terms_of(connection: Connection, charge: Charge, by: PublicKey) -> FiledRequest:
    described, about = json.loads(charge.request_json), charge.cost.neighbours
    _, end = chain.end_of_chain(connection)
    return FiledRequest(
        after=end.public,
        charge=charge.digest,
        epsilon=charge.cost.loss.epsilon,
        delta=charge.cost.loss.delta,
        unit=about.unit,
        adjacency=about.adjacency,
        mechanism=mechanism_of(charge.request_json),
        dictionary=described.get("dictionary"),
        map=described.get("map"),
        by=by,
        day=chain.this_day(),
    )
