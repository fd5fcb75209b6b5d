"""What is declared of a dataset, with note and day: the column that names its users, and what it is kept apart from.

Which records are one user's is decided by a column, so an account about users is about the users of *that* column:
losses about customers and about households do not add up. A second column can be declared to name the same people.
"""

from sqlalchemy import Connection, select

from dpspin.curator.ledger import chain
from dpspin.curator.ledger.account import Declaration, Subject
from dpspin.curator.ledger.schema import declaration
from dpspin.curator.ledger.writing import insert_row, today

BY_FIRST_CHARGE = "named by the first charge"


def declare(connection: Connection, dataset: str, subject: Subject, value: str, note: str) -> None:
    """Add a declaration; one that was made before stays as it is."""
    if value in declared(connection, dataset, subject):
        return
    row = {"dataset": dataset, "subject": subject.value, "value": value, "note": note, "day": today()}
    chain.append(connection, chain.Linked.DECLARATION, insert_row(connection, declaration, row))


def declared(connection: Connection, dataset: str, subject: Subject) -> tuple[str, ...]:
    """Return what was declared of a dataset, oldest first."""
    of_it = (declaration.c.dataset == dataset, declaration.c.subject == subject.value)
    return tuple(connection.execute(select(declaration.c.value).where(*of_it).order_by(declaration.c.id)).scalars())


def kept_apart(connection: Connection, dataset: str) -> frozenset[str]:
    """Return the datasets that somebody declared to be others than this one, whichever was named first."""
    apart = declaration.c.subject == Subject.APART.value
    others = select(declaration.c.dataset).where(apart, declaration.c.value == dataset)
    return frozenset((*declared(connection, dataset, Subject.APART), *connection.execute(others).scalars()))


def declarations_of(connection: Connection, dataset: str | None) -> tuple[Declaration, ...]:
    """Read every declaration, oldest first, of one dataset or of all."""
    rows = connection.execute(select(declaration).order_by(declaration.c.id))
    return tuple(
        Declaration(row.day, row.dataset, Subject(row.subject), row.value, row.note)
        for row in rows
        if dataset in {None, row.dataset}
    )
