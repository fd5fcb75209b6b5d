"""Whose approval an account demands. Each function works inside a transaction that the caller holds.

Anybody may name the first officers of an account: that only asks for more. Whoever could change them later could
approve by a key of their own, so from then on every change, and the end of the demand too, is signed by one of them.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection, Row, select

from dpspin.boundary.model_base import canonical_json
from dpspin.boundary.signing import PublicKey, Purpose, SigningKey
from dpspin.curator.ledger import chain
from dpspin.curator.ledger.accounts import Account, Kind, Terms, account_of
from dpspin.curator.ledger.schema import officers, scope
from dpspin.errors import ApprovalRefused, LedgerError, RequestError, SigningError

Officers = tuple[PublicKey, ...]


@dataclass(frozen=True, slots=True)
class OfficersNamed:
    """One decision on whose approval an account demands, with the note that was left; nobody: the demand ended."""

    day: date
    kind: Kind
    name: str
    officers: Officers
    by: str | None  # the key of the officer who decided it; None: the account had none
    note: str

    @property
    def words(self) -> str:
        """Who it is."""
        named = " or ".join(each.name for each in self.officers)
        return f"approval by {named}" if named else "no approval any more"

    def as_json(self) -> dict[str, object]:
        """Return the decision for a program to read."""
        people = [each.text for each in self.officers]
        about = {"day": self.day.isoformat(), self.kind.value: self.name}
        return {**about, "officers": people, "signed_by": self.by, "note": self.note}


def officers_of(connection: Connection, account: Account) -> Officers:
    """Return who may approve for an account now; nobody where it demands no approval. Forged changes are refused."""
    known: Officers = ()
    rows = select(officers).where(officers.c.scope_id == account.scope_id).order_by(officers.c.id)
    for row in connection.execute(rows):
        before = chain.end_before(connection, chain.Linked.OFFICERS, row.id)
        if before is None or not is_decided(row, known, before, account.terms):
            raise LedgerError(
                f"who may approve for {account.terms.kind} {account.terms.name!r} was changed in this ledger without "
                "the signature of an officer: somebody has changed the ledger. Restore its newest backup; "
                "dpspin ledger verify tells what does not fit",
                code="ledger.forged-officers",
            )
        known = people_in(row)
    return known


def guarded(connection: Connection) -> dict[str, Officers]:
    """Return the accounts that demand an approval, by their names, with those who may give it."""
    named = connection.execute(select(scope.c.kind, scope.c.name).join(officers).distinct().order_by(scope.c.name))
    found = (account_of(connection, Kind(row.kind), row.name) for row in named)
    people = {each.terms.name: officers_of(connection, each) for each in found if each is not None}
    return {name: known for name, known in people.items() if known}


def is_decided(row: "Row[Any]", known: Officers, before: str, terms: Terms) -> bool:
    """Say whether a row was decided by those who could: anybody where there are no officers yet, else one of them."""
    named = people_in(row)
    if row.keys != " ".join(each.key for each in named):
        return False
    if not known:
        return row.signer is None
    signer = next((each for each in known if each.key == row.signer), None)
    content = _content(before, terms, named, row.note, row.day)
    return signer is not None and signer.has_signed(Purpose.OFFICERS, content, row.signature)


def people_in(row: "Row[Any]") -> Officers:
    """Read the officers out of a row; one that cannot be read names nobody who could have signed."""
    try:
        return tuple(PublicKey.from_text(each) for each in json.loads(row.people))
    except (ValueError, TypeError, AttributeError, SigningError):
        return ()


def _content(before: str, terms: Terms, named: Officers, note: str, day: date) -> bytes:
    """Return what is signed; ``before`` is the end of the chain, so that no decision can be played again."""
    about = {"after": before, "account": [terms.kind.value, terms.name], "note": note, "day": day.isoformat()}
    return canonical_json({**about, "officers": [each.text for each in named]}).encode()


def name_officers(
    connection: Connection, account: Account, named: Sequence[PublicKey], note: str, key: SigningKey | None
) -> None:
    """Decide whose approval an account demands from now on; nobody's ends the demand."""
    known, people = officers_of(connection, account), tuple(dict.fromkeys(named))
    if len({each.key for each in people}) < len(people):
        raise RequestError("one key is named with two names: name each officer once")
    if not (known or people):
        raise RequestError(f"{account.terms.kind} {account.terms.name!r} demands no approval: there is nothing to end")
    if known and (key is None or key.public not in known):
        raise ApprovalRefused(
            f"who may approve for {account.terms.kind} {account.terms.name!r} is changed by one who may: sign it with "
            f"the key of {names_of(known)}",
            code="approval.no-officer",
        )
    _, end = chain.end_of_chain(connection)
    day = chain.this_day()
    signer = key if known else None
    content = _content(end.public, account.terms, people, note, day)
    chain.add_row(
        connection,
        chain.Linked.OFFICERS,
        scope_id=account.scope_id,
        keys=" ".join(each.key for each in people),
        people=canonical_json([each.text for each in people]),
        note=note,
        day=day,
        signer=None if signer is None else signer.public.key,
        signature=None if signer is None else signer.sign(Purpose.OFFICERS, content),
    )


def names_of(people: Officers) -> str:
    """Return their names.

    >>> names_of((PublicKey(key="dpspin-ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=", name="Maria"),))
    'Maria'
    """
    return " or ".join(each.name for each in people)


def decisions_on_officers(connection: Connection) -> tuple[OfficersNamed, ...]:
    """Return everything that was decided on officers, oldest first."""
    rows = connection.execute(select(officers, scope.c.kind, scope.c.name).join(scope).order_by(officers.c.id))
    return tuple(OfficersNamed(row.day, Kind(row.kind), row.name, people_in(row), row.signer, row.note) for row in rows)
