"""Everything that is special to PostgreSQL: how to connect, how to lock, and the triggers that guard the rows.

The hash chain has one end, so all writers queue for one lock, which is taken before anything is read. A writer that
does not go through this package still waits in the triggers, for the rows of the accounts that it charges. A killed
client's transaction ends with its connection; one whose host vanished ends after a minute.

The password is in the URL and in nothing else: messages and commands show the URL without it.
"""

from dataclasses import dataclass, field

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.pool import NullPool

from dpspin.curator.ledger.guards import GUARDS, TABLES, Guard
from dpspin.curator.ledger.schema import create_tables, emptied, explained, is_empty, is_ledger
from dpspin.errors import MissingExtra

DRIVER = "postgresql+psycopg"
LOCK = 0x6470_7370_696E  # "dpspin" in ASCII
# Chosen for the session, whatever the server's defaults are, and after what the URL chooses.
SETTINGS = (
    "synchronous_commit=on",  # else a crash of the server could forget an acknowledged charge
    r"default_transaction_isolation=read\ committed",  # a statement sees all that was committed before it got the lock
    "lock_timeout=30s",
    "idle_in_transaction_session_timeout=60s",
)
SECRETS = ("password", "sslpassword", "passfile", "sslkey")


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A ledger in a PostgreSQL database, or in a schema of its own there (``?options=-csearch_path=NAME``)."""

    url: URL = field(repr=False)

    @property
    def location(self) -> str:
        """Where it is, for messages and for commands to type: without password and parameters."""
        shown = URL.create("postgresql", self.url.username, None, self.url.host, self.url.port, self.url.database)
        return shown.render_as_string(hide_password=True)

    @property
    def guards(self) -> tuple[str, ...]:
        """The statements that make the triggers."""
        return TRIGGERS

    @property
    def no_guards(self) -> tuple[str, ...]:
        """The statements that take them away, for an upgrade."""
        return tuple(f"DROP FUNCTION IF EXISTS {name}() CASCADE" for name in FUNCTIONS)

    def exists(self) -> bool:
        """Say whether there is a ledger to look into."""
        with explained(self.location, self.without_secrets), self.engine().begin() as connection:
            return is_ledger(connection)

    def prepare(self) -> bool:
        """Make the ledger in an empty database; say whether that was done.

        Tables that were dropped leave the functions of their triggers behind: there a ledger was. A database that was
        made anew, or a new schema, tells nothing.
        """
        with self.engine().begin() as connection:
            if not is_empty(connection):
                return False
            if connection.execute(_REMAINS).scalar():
                raise emptied(self.location)
            create_tables(connection, self.guards)
            return True

    def without_secrets(self, message: str) -> str:
        """Return a message of the driver without anything secret of the URL."""
        secrets = [self.url.password, *(self.url.query.get(name) for name in SECRETS)]
        for secret in secrets:
            if secret:
                message = message.replace(str(secret), "***")
        return " ".join(message.split())

    def engine(self) -> Engine:
        """Return an engine whose every transaction holds the ledger's lock from its first statement."""
        _require_driver()
        engine = create_engine(
            self.url.set(drivername=DRIVER),
            poolclass=NullPool,
            hide_parameters=True,
            use_native_hstore=False,  # else every connection asks the server for a type that is not used
            connect_args={"options": self._options, "connect_timeout": 30, "application_name": "dpspin ledger"},
        )
        event.listen(engine, "begin", _take_the_lock)
        return engine

    @property
    def _options(self) -> str:
        chosen = self.url.query.get("options", ())
        return " ".join([*([chosen] if isinstance(chosen, str) else chosen), *(f"-c {each}" for each in SETTINGS)])


def _require_driver() -> None:
    try:
        import psycopg  # noqa: F401, PLC0415  optional
    except ImportError as missing:
        raise MissingExtra("a ledger on PostgreSQL", extra="postgres") from missing


def _take_the_lock(connection: Connection) -> None:
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")


_REMAINS = text(
    "SELECT count(*) FROM pg_proc WHERE proname = 'row_is_fixed' AND pronamespace = current_schema()::regnamespace"
)

# A trigger's function is found by name, so it keeps the schema in which it was made.
_FUNCTION = """
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    {body}
    RETURN NEW;
END $$
"""
_REFUSE = "RAISE EXCEPTION '{refusal}' USING ERRCODE = 'integrity_constraint_violation';"
_WAIT = """
    PERFORM 1 FROM scope
    WHERE id = NEW.scope_id OR id = (SELECT population_id FROM scope WHERE id = NEW.scope_id)
    ORDER BY id FOR UPDATE;
"""


def _function(name: str, body: str) -> str:
    return _FUNCTION.format(name=name, body=body)


def _of_guard(guard: Guard) -> tuple[str, str]:
    body = f"IF {guard.condition} THEN {_REFUSE.format(refusal=guard.refusal)} END IF;"
    return _function(guard.name, body), _trigger(guard.name, guard.moment, guard.table, guard.name)


def _trigger(name: str, when: str, table: str, function: str, each: str = "ROW") -> str:
    return f"CREATE TRIGGER {name} {when} ON {table} FOR EACH {each} EXECUTE FUNCTION {function}()"


FUNCTIONS = ("row_is_fixed", "waits_for_its_account", *(guard.name for guard in GUARDS))
TRIGGERS = (
    _function("row_is_fixed", _REFUSE.format(refusal="ledger rows are never changed or deleted")),
    *(_trigger(f"{table}_is_fixed", "BEFORE UPDATE OR DELETE", table, "row_is_fixed") for table in TABLES),
    *(_trigger(f"{table}_stays", "BEFORE TRUNCATE", table, "row_is_fixed", each="STATEMENT") for table in TABLES),
    _function("waits_for_its_account", _WAIT),
    # Triggers of one moment fire in the order of their names: this one comes first.
    *(
        _trigger("a_waits_for_its_account", "BEFORE INSERT", t, "waits_for_its_account")
        for t in ("entry", "budget_change")
    ),
    *(statement for guard in GUARDS for statement in _of_guard(guard)),
)
