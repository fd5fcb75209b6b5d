"""Approvals as they were after each row: every signature is checked again, and every charge held against them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Row

from dpspin.boundary.approval import SignedApproval
from dpspin.curator.ledger.accounts import Terms
from dpspin.curator.ledger.filings import approval_in, terms_in
from dpspin.curator.ledger.officers import Officers, is_decided, people_in
from dpspin.errors import LedgerError


@dataclass(slots=True)
class ApprovalReplay:
    """Who may approve for each account, what was filed, and what was decided about each set of numbers."""

    officers: dict[int, Officers] = field(default_factory=dict)
    filed: dict[int, "Row[Any]"] = field(default_factory=dict)
    given: dict[tuple[int, str], list[SignedApproval]] = field(default_factory=dict)

    def named(self, row: "Row[Any]", before: str, terms: Terms) -> str | None:
        """Take a change of officers."""
        known, self.officers[row.scope_id] = self.officers.get(row.scope_id, ()), people_in(row)
        return None if is_decided(row, known, before, terms) else "was not decided by an officer of the account"

    def asked(self, row: "Row[Any]", before: str) -> str | None:
        """Take a request that was filed."""
        self.filed[row.id] = row
        try:
            terms = terms_in(row)
        except LedgerError:
            return "says another thing of a request than was signed"
        genuine = terms.after == before and terms.is_authentic(row.signature)
        return None if genuine else "was not signed by whoever asks, or was filed elsewhere"

    def decided(self, row: "Row[Any]", payers: Iterable[int]) -> str | None:
        """Take what an officer decided; ``payers`` are the accounts that would pay for the request."""
        filed = self.filed[row.filing_id]
        try:
            given = approval_in(row, filed.digest)
        except LedgerError:
            return "is no decision of an officer"
        self.given.setdefault((filed.scope_id, filed.fingerprint), []).append(given)
        if not given.is_authentic:
            return "was not signed by the officer whom it names"
        if given.by.key == filed.key:
            return "was decided by the one who asked"
        named = any(given.by in self.officers.get(payer, ()) for payer in payers)
        return None if named else "was decided by somebody whom the account does not name"

    def charged(self, row: "Row[Any]", payers: Iterable[int]) -> str | None:
        """Hold a charge against the newest verdict of each payer's officers, on the day of the charge."""
        for officers in filter(None, map(self.officers.get, payers)):
            by_them = [each for each in self.given.get((row.scope_id, row.fingerprint), ()) if each.by in officers]
            if not by_them or not by_them[-1].counts_on(row.day):
                return "was charged without the approval that the account demands"
        return None

    def account_of(self, filing_id: int) -> int:
        """Return the account for which a request was filed."""
        return int(self.filed[filing_id].scope_id)
