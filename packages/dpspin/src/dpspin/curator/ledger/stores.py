"""Which database a path or URL means."""

from pathlib import Path
from typing import Protocol

from sqlalchemy import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError

from dpspin.curator.ledger.postgres import PostgresServer
from dpspin.curator.ledger.sqlite import SqliteFile
from dpspin.errors import LedgerError


class Store(Protocol):
    """A database that can hold a ledger: what differs between databases, and nothing else."""

    @property
    def location(self) -> str:
        """Where it is, for messages."""
        ...

    @property
    def guards(self) -> tuple[str, ...]:
        """The statements that make the triggers."""
        ...

    @property
    def no_guards(self) -> tuple[str, ...]:
        """The statements that take them away, for an upgrade."""
        ...

    def exists(self) -> bool:
        """Say whether there is a ledger to look into."""
        ...

    def prepare(self) -> bool:
        """Make the ledger where there is none, all at once; say whether that was done. Refuse remains of one."""
        ...

    def engine(self) -> Engine:
        """Return an engine whose every transaction holds the ledger's lock from its first statement."""
        ...

    def without_secrets(self, message: str) -> str:
        """Return a message of the driver without passwords."""
        ...


def store_of(url_or_path: str | Path) -> SqliteFile | PostgresServer:
    """Return the database behind a file path, a ``sqlite:///`` URL or a ``postgresql://`` URL.

    >>> store_of("sqlite:////var/lib/dpspin/ledger.db").location
    '/var/lib/dpspin/ledger.db'
    >>> store_of("postgresql://curator:secret@db.example.org/privacy").location
    'postgresql://curator@db.example.org/privacy'
    """
    if isinstance(url_or_path, Path) or "://" not in url_or_path:
        return SqliteFile(Path(url_or_path).expanduser().resolve())
    url = _parsed(url_or_path)
    match url.get_backend_name():
        case "sqlite":
            return SqliteFile(Path(_file_in(url)).expanduser().resolve())
        case "postgresql":
            return PostgresServer(url)
        case other:  # the rest of the URL may hold a password: name only the database
            raise LedgerError(
                f"a ledger is an SQLite file or a PostgreSQL database, not {other}: write a path, sqlite:///path or "
                "postgresql://user@host/database"
            )


def _parsed(text: str) -> URL:
    try:
        return make_url(text)
    except (ArgumentError, ValueError):  # the text may hold a password
        raise LedgerError(
            "the ledger URL cannot be read: write a file path, sqlite:///path/to/ledger.db or "
            "postgresql://user@host/database"
        ) from None


def _file_in(url: URL) -> str:
    if not url.database or url.database == ":memory:" or url.query:
        raise LedgerError(
            "a ledger must be a plain file, or it forgets what was spent: write sqlite:///path/to/ledger.db"
        )
    return url.database
