"""What a source that is written as an address means: a table of a database or a lake, or files in an object store.

An address stands in request files, logs and the ledger, so it holds no secret: those come from the environment. What
looks like one is refused before anything is opened, and no message repeats an address that was not understood.
"""

import re
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from pathlib import Path
from typing import Final

from dpspin.curator.records.conditions import NO_CONDITIONS, Conditions, conditions_in
from dpspin.errors import RequestError, SourceError

SCHEME: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+)://(?P<rest>.*)", re.DOTALL)
LIKE_AN_ADDRESS: Final = re.compile(
    r"\W*(?:jdbc:|(?:[A-Za-z][A-Za-z0-9+.-]+:)+/)|.*://", re.DOTALL
)  # not C:/tickets.csv
SECRET: Final = re.compile(  # of JDBC, of a connection string, or of an address that was signed
    r"\bpassword\s*=|[?&;#][\w.-]*(?:sig|key|token|secret|passw|pwd|credential)[\w.-]*\s*=", re.IGNORECASE
)
ASKED_OF_A_SERVER: Final = re.compile(r"[?&;#][\w.%-]+\s*=")
SERVER: Final = re.compile(
    r"(?:(?P<user>[^:@/?#]+)@)?(?P<host>\[[0-9a-fA-F:.]+\]|[^:@/?#\[\]]*)(?::(?P<port>\d+))?/(?P<database>[^@/?#]+)"
)
NAME: Final = r'"[^"]+"|[^".?]+'
TABLE: Final = re.compile(f"(?:(?P<schema>{NAME})[.])?(?P<table>{NAME})")
FILES: Final = frozenset(("s3", "gs", "abfs", "file"))
ROW_BY_ROW: Final = "row_by_row"


class Database(StrEnum):
    """A database whose tables can be read."""

    POSTGRESQL = "postgresql"
    SQLITE = "sqlite"
    DUCKDB = "duckdb"


EXAMPLE: Final = {
    Database.POSTGRESQL: "postgresql://USER@HOST/DATABASE?table=SCHEMA.NAME",
    Database.SQLITE: "sqlite:///FILE?table=NAME",
    Database.DUCKDB: "duckdb:///FILE?table=NAME",
}
USUAL_SCHEMA: Final = {Database.POSTGRESQL: "public", Database.SQLITE: "main", Database.DUCKDB: "main"}


@dataclass(frozen=True, slots=True)
class Server:
    """Where a database server is; what is not told comes from the environment, as for every program of PostgreSQL."""

    database: str
    host: str = ""
    port: str = ""
    user: str = ""

    def __str__(self) -> str:
        return f"{self.host}{':' if self.port else ''}{self.port}/{self.database}"


@dataclass(frozen=True, slots=True)
class SqlTable:
    """A table of a database, and which of its rows are read."""

    kind: Database
    where: Server | Path
    schema: str
    table: str
    conditions: Conditions = NO_CONDITIONS
    is_row_by_row: bool = False  # so it is declared of a view

    @property
    def name(self) -> str:
        """The table's name, for messages."""
        return f"{self.schema}.{self.table}"

    @property
    def dataset(self) -> str:
        """What a dataset is called that nobody named: the table, whoever reads it and which of its rows."""
        place = f"/{self.where.resolve()}" if isinstance(self.where, Path) else self.where
        return f"{self.kind}://{place}?table={self.name}"

    @property
    def declared(self) -> dict[str, str]:
        """What was declared of the rows that are read: part of a request."""
        view = {"view": ROW_BY_ROW} if self.is_row_by_row else {}
        return ({"where": str(self.conditions)} if self.conditions else {}) | view


@dataclass(frozen=True, slots=True)
class StoredFiles:
    """Files in an object store, by the path that its file system knows."""

    scheme: str
    path: str

    @property
    def dataset(self) -> str:
        """What a dataset is called that nobody named."""
        return f"{self.scheme}://{self.path}"


class Lake(StrEnum):
    """A format of tables whose states have names."""

    DELTA = "delta"
    ICEBERG = "iceberg"


STATE_OF: Final = {Lake.DELTA: "version", Lake.ICEBERG: "snapshot"}
LAKE_STORES: Final = {Lake.DELTA: {"", "s3", "gs", "abfs"}, Lake.ICEBERG: {""}}
LAKE_EXAMPLE: Final = {
    Lake.DELTA: "delta:///FOLDER?version=12 or delta+s3://BUCKET/FOLDER?version=12",
    Lake.ICEBERG: "iceberg://CATALOG/NAMESPACE.TABLE?snapshot=123 or iceberg:///FILE.metadata.json?snapshot=123",
}


@dataclass(frozen=True, slots=True)
class LakeTable:
    """A table of a lake in one of its states; None: none was named."""

    kind: Lake
    address: str
    version: int | None = None

    @property
    def name(self) -> str:
        """The table's name, for messages."""
        return self.address.rpartition("/")[2]

    @property
    def dataset(self) -> str:
        """What a dataset is called that nobody named: the table, in whichever state, also by its metadata file."""
        folder, _, file = self.address.rpartition("/metadata/")
        return f"{self.kind}:{folder if folder and file.endswith('.metadata.json') else self.address}"


Place = SqlTable | StoredFiles | LakeTable


class Unknown(Enum):
    """An address of a kind that is not read here."""

    KIND = auto()


UNKNOWN: Final = Unknown.KIND
KNOWN: Final = (*EXAMPLE.values(), *LAKE_EXAMPLE.values(), *(f"{scheme}://PATH" for scheme in sorted(FILES)))


def place_of(source: object) -> Place | None:
    """Read an address; None for a path, a table in memory or anything else that is none, and refuse an unknown one.

    >>> place_of("postgresql://db.example.org/crm?table=tickets&where=year >= 2025").dataset
    'postgresql://db.example.org/crm?table=public.tickets'
    >>> place_of("exports/tickets.csv")
    """
    place = _known_place(source)
    if place is UNKNOWN:
        raise _unknown_kind()
    return place


def require_no_secret(source: object) -> None:
    """Refuse an address that holds a secret, or cannot be read, before anything is named by it.

    One of a kind that is not known here may be Spark's.
    """
    _known_place(source)


def is_table(source: str) -> bool:
    """Tell the address of a table of a database or a lake from files and all that is not known here."""
    return isinstance(_known_place(source), SqlTable | LakeTable)


def _known_place(source: object) -> Place | Unknown | None:
    if not isinstance(source, str | Path):
        return None
    _require_no_secret(str(source).partition("&where=")[0])
    found = SCHEME.fullmatch(source) if isinstance(source, str) else None
    if found is None:
        _require_a_path(source)
        return None
    scheme, rest = found["scheme"].lower(), found["rest"]
    if scheme in set(Database):
        return _table_in(Database(scheme), rest)
    if scheme in FILES:
        return _files_in(scheme, rest)
    lake, _, store = scheme.partition("+")
    if lake in set(Lake) and store in LAKE_STORES[Lake(lake)]:
        return _lake_table_in(Lake(lake), store, rest)
    if ASKED_OF_A_SERVER.search(rest):
        raise _unknown_kind()  # it may be a key, which nobody should find in a request or a message
    return UNKNOWN


def dataset_at(source: object) -> str:
    """Name a dataset by the place of its records; one of a kind that is not known here by its whole address."""
    match _known_place(source):
        case None:
            return str(Path(str(source)).resolve())
        case Unknown():
            return str(source)
        case place:
            return place.dataset


def _require_no_secret(told: str) -> None:
    """Refuse a password or a key. A password may hold any letter, so that one rule is enough: no colon before an @."""
    at_server = SCHEME.fullmatch(told)
    before, at, _ = at_server["rest"].partition("?")[0].rpartition("@") if at_server else ("", "", "")
    if (at and ":" in before) or SECRET.search(told):
        raise RequestError(
            "an address holds no password and no key: it would stand in request files, logs and the ledger. Leave it "
            "out, and give it in the environment (PGPASSWORD or a PGPASSFILE; AWS_ACCESS_KEY_ID and "
            "AWS_SECRET_ACCESS_KEY)",
            code="request.secret-in-address",
        )


def _require_a_path(source: str | Path) -> None:
    """Refuse what is nearly an address: taken for a path, it would be repeated in a message, with all it holds."""
    if LIKE_AN_ADDRESS.match(str(source)):
        raise RequestError(
            "this looks like an address and cannot be read as one: give it as text (a Path drops one of its slashes) "
            f"that begins with one of {', '.join(KNOWN)}",
            code="request.address",
        )


def _table_in(kind: Database, rest: str) -> SqlTable:
    at, _, told = rest.partition("?")
    told, _, condition = told.partition("&where=")
    named = dict(part.partition("=")[::2] for part in told.split("&"))
    if "table" not in named or set(named) - {"table", "view"} or named.get("view", ROW_BY_ROW) != ROW_BY_ROW:
        raise _misunderstood(
            kind,
            "after the question mark stand table=, where need be view=row_by_row, and last where=; everything else "
            "comes from the environment",
        )
    schema, table = _names_in(kind, named["table"])
    return SqlTable(kind, _where(kind, at), schema, table, conditions_in(condition), is_row_by_row="view" in named)


def _where(kind: Database, at: str) -> Server | Path:
    if kind is not Database.POSTGRESQL:
        if not at.startswith("/") or at == "/":
            raise _misunderstood(kind, "the file follows three slashes (a fourth one begins an absolute path)")
        return Path(at[1:])
    found = SERVER.fullmatch(at)
    if found is None:
        raise _misunderstood(kind, "a server and a database stand before the question mark")
    return Server(**{part: told or "" for part, told in found.groupdict().items()})


def _names_in(kind: Database, told: str) -> tuple[str, str]:
    """Read the table's name, and its schema's where it is told; one that has a dot stands in double quotes."""
    found = TABLE.fullmatch(told)
    if found is None:
        raise _misunderstood(kind, 'a table is named as NAME or SCHEMA.NAME, and a name with a dot stands in "…"')
    return (found["schema"] or USUAL_SCHEMA[kind]).strip('"'), found["table"].strip('"')


def _lake_table_in(kind: Lake, store: str, rest: str) -> LakeTable:
    at, _, told = rest.partition("?")
    state, _, number = told.partition("=")
    is_named = state == STATE_OF[kind] and number.isascii() and number.isdigit()
    is_local = not store and at.startswith("/")
    if not at.strip("/") or (told and not is_named) or (kind is Lake.DELTA and not (store or is_local)):
        raise SourceError(
            f"this address of {kind} cannot be read: the table is followed by its {STATE_OF[kind]} alone, as in "
            f"{LAKE_EXAMPLE[kind]}; credentials come from the environment",
            code="source.address",
        )
    address = str(Path(at[1:]).resolve()) if is_local else f"{store}://{at}" if store else at
    return LakeTable(kind, address, int(number) if is_named else None)


def _unknown_kind() -> SourceError:
    return SourceError(
        f"this kind of address is not known here: give a path, or one of {', '.join(KNOWN)}",
        code="source.unknown-address",
    )


def _misunderstood(kind: Database, why: str) -> SourceError:
    return SourceError(f"this address of {kind} cannot be read: {why}, as in {EXAMPLE[kind]}", code="source.address")


def _files_in(scheme: str, rest: str) -> StoredFiles:
    at_sign_is_fine = scheme in {"abfs", "file"}  # abfs://container@account.dfs.core.windows.net/…
    if set("?#&") & set(rest) or ("@" in rest and not at_sign_is_fine) or not rest.strip("/"):
        raise SourceError(
            f"this address of files cannot be read: {scheme}:// is followed by the path alone, a folder, a file or a "
            "glob with *; credentials, region and endpoint come from the environment",
            code="source.address",
        )
    return StoredFiles(scheme, rest)
