"""What officers decide, and the gate. Each function works inside a transaction that the caller holds.

The gate is one law, asked in `check` before a record is read and again under the lock at the charge: where the account
that pays, or its population's, names officers, the newest verdict of one of them on these numbers must be an approval,
unexpired, of exactly this request, by another key than the requester's. `ledger verify` holds every charge against it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from itertools import takewhile

from sqlalchemy import Connection, select

from dpspin.boundary.approval import Approval, ApprovedRequest, Decision, SignedApproval
from dpspin.boundary.model_base import explained_as
from dpspin.boundary.signing import SigningKey
from dpspin.curator.ledger import chain
from dpspin.curator.ledger.accounts import Account, population_of
from dpspin.curator.ledger.charges import Charge
from dpspin.curator.ledger.filings import FORGED, Filed, filings, filings_of, verdicts_on
from dpspin.curator.ledger.officers import Officers, names_of, officers_of
from dpspin.curator.ledger.schema import entry
from dpspin.errors import ApprovalRefused, InputError, LedgerError, RequestError, SigningError

DAYS, MOST_DAYS = 30, 366


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an officer decides, before it is signed: why, and for how many days it counts."""

    decision: Decision
    reason: str
    days: int = DAYS

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise RequestError("say why, in one line: it is kept with the decision, and published with the release")
        if not 0 <= self.days <= MOST_DAYS:
            raise RequestError(f"an approval counts for 0 (today alone) to {MOST_DAYS} days")


def demanded_by(connection: Connection, account: Account) -> tuple[Officers, ...]:
    """Return the officers of each payer that demands an approval: of the dataset's account, of its population's."""
    payers = (account, population_of(connection, account))
    found = (officers_of(connection, payer) for payer in payers if payer is not None)
    return tuple(officers for officers in found if officers)


def decide(connection: Connection, account: Account, filed: Filed, verdict: Verdict, key: SigningKey) -> SignedApproval:
    """Add what an officer decides about a request, signed with their key."""
    by, day = key.public, chain.this_day()
    if by.key == filed.terms.by.key:
        raise ApprovalRefused(
            "this key asked for the request, and nobody decides about what they ask for: another officer may",
            code="approval.own-request",
        )
    known = tuple(dict.fromkeys(each for officers in demanded_by(connection, account) for each in officers))
    if by not in known:
        raise ApprovalRefused(
            f"the accounts that would pay for this request do not name this key, of {by.name!r}: they name "
            f"{names_of(known) or 'nobody'} (dpspin ledger officers)",
            code="approval.no-officer",
        )
    if filed.charged is not None:
        raise RequestError("this request was charged, so nothing is left to decide", code="request.charged-before")
    require_asked(connection, filed)
    with explained_as(InputError, "the decision"):
        about = {"request": filed.digest, "decision": verdict.decision, "by": by, "reason": verdict.reason}
        given = Approval.model_validate({**about, "day": day, "expires": day + timedelta(verdict.days)})
    signed = given.signed_with(key)
    if not signed.is_authentic:
        raise SigningError("this key is damaged: its private part does not belong to its public one")
    chain.add_row(
        connection,
        chain.Linked.VERDICT,
        filing_id=filed.id,
        key=by.key,
        name=by.name,
        **signed.model_dump(include={"decision", "reason", "day", "expires", "signature"}),
    )
    return signed


def require_approved(connection: Connection, account: Account, charge: Charge) -> None:
    """Refuse a charge that an account wants approved, unless its officers approved exactly this request."""
    for officers in demanded_by(connection, account):
        found = newest_verdict(verdicts_on(connection, account, charge.fingerprint), officers)
        if found is None:
            filed = filings_of(connection, account, charge.fingerprint)
            waits = any(each.terms.charge == charge.digest for each in filed)
            raise _nobody_decided(charge.dataset, officers, waits=waits)
        _require_this(connection, *found, charge)


def require_in_approved_words(connection: Connection, account: Account, charge: Charge) -> None:
    """Refuse to answer again, in other words, what was charged under an approval: the officer's name goes with it.

    Title, public number and whatever else costs nothing are no part of the fingerprint, but of what was approved.
    """
    given = verdicts_on(connection, account, charge.fingerprint)
    approved = [filed for filed, each in given if each.decision == "approved"]
    if approved and not any(filed.terms.charge == charge.digest for filed in approved):
        raise ApprovalRefused(
            f"these numbers of dataset {charge.dataset!r} were approved and charged in other words: a title, the "
            "public number or a file behind the request is another now. Release them as they were approved",
            code="approval.other-words",
        )


def newest_verdict(
    given: Iterable[tuple[Filed, SignedApproval]], officers: Officers
) -> tuple[Filed, SignedApproval] | None:
    """Return the newest verdict that one of these officers gave; ``given`` is in the order of the chain."""
    by_them = [(filed, each) for filed, each in given if each.by in officers]
    return by_them[-1] if by_them else None


def _require_this(connection: Connection, filed: Filed, given: SignedApproval, charge: Charge) -> None:
    if given.decision == "declined":
        raise ApprovalRefused(
            f"{given.by.name} declined this request of dataset {charge.dataset!r} on {given.day} ({given.reason}): "
            f"change it, or ask again. Nothing was charged",
            code="approval.declined",
        )
    if filed.terms.charge != charge.digest:
        raise ApprovalRefused(
            f"what {given.by.name} approved for dataset {charge.dataset!r} is not this request: a file, the dictionary "
            f"or what the report says is another. Release what was approved, or ask for this. Nothing was "
            "charged",
            code="approval.other-request",
        )
    if not given.counts_on(chain.this_day()):
        raise ApprovalRefused(
            f"the approval of {given.by.name} counted until {given.expires}: ask again. Nothing was charged",
            code="approval.expired",
        )
    require_asked(connection, filed)
    if not given.is_authentic or given.by.key == filed.terms.by.key:
        raise LedgerError(FORGED, code="ledger.forged-approval")


def require_asked(connection: Connection, filed: Filed) -> None:
    """Refuse a filing that its requester did not sign, or that was moved here from another ledger or place."""
    after = chain.end_before(connection, chain.Linked.FILING, filed.id)
    if filed.terms.after != after or not filed.terms.is_authentic(filed.signature):
        raise LedgerError(FORGED, code="ledger.forged-approval")


def _nobody_decided(dataset: str, officers: Officers, *, waits: bool) -> ApprovalRefused:
    if waits:
        return ApprovalRefused(
            f"this request of dataset {dataset!r} waits for the approval of {names_of(officers)} (dpspin ledger "
            "requests). Nothing was charged",
            code="approval.waiting",
        )
    return ApprovalRefused(
        f"the account of dataset {dataset!r} demands the approval of {names_of(officers)}: ask for it. Nothing "
        "was charged",
        code="approval.not-asked",
    )


def approvals_behind(connection: Connection, account: Account, charge: Charge) -> ApprovedRequest | None:
    """Return the approvals of exactly this request under which it was charged, of the filing approved last."""
    fingerprint = charge.fingerprint
    key = (entry.c.scope_id == account.scope_id, entry.c.fingerprint == fingerprint)
    day = connection.scalar(select(entry.c.day).where(*key))
    since_declined = takewhile(
        lambda found: found[1].decision == "approved", reversed(verdicts_on(connection, account, fingerprint))
    )
    of_this = ((filed, each) for filed, each in since_declined if filed.terms.charge == charge.digest)
    given = [(filed, each) for filed, each in of_this if day is not None and each.counts_on(day)]
    if day is None or not given:
        return None
    terms = given[0][0].terms
    of_it = tuple(each for filed, each in given if filed.digest == terms.digest)
    return ApprovedRequest(request=terms.digest, terms=terms, released=day, approvals=of_it)


def people_behind(connection: Connection) -> dict[tuple[str, str], tuple[str, str]]:
    """Return who asked for each charge and who approved it, by dataset and fingerprint."""
    charged = (filed for filed in filings(connection) if filed.charged is not None and filed.verdicts)
    return {
        (filed.dataset, filed.fingerprint): (filed.terms.by.name, filed.verdicts[-1].by.name)
        for filed in charged
        if filed.verdicts[-1].decision == "approved"
    }
