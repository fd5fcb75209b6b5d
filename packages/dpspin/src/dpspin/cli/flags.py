"""The options that build a request, in one table (flags.toml), and a few that several commands share.

Only here an option and a field meet. A command takes the options of the fields that it names; an error that speaks of
a field (`records.user`) is told with the option (--user).
"""

import functools
import inspect
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer

from dpspin.errors import DpSpinError, RequestError

Command = Callable[..., None]
TAKES: Final = {"text": str, "texts": list[str], "number": float, "whole number": int, "switch": bool}
ESSENTIAL: Final = "Options"  # the group that stands first, without a name of its own


@dataclass(frozen=True, slots=True)
class Flag:
    """One option: the field of the request that it fills, its names, its type and what it says of itself."""

    field: str
    names: tuple[str, ...]
    type: Any
    help: str
    panel: str | None

    @property
    def parameter(self) -> str:
        """The name under which a command gets the value."""
        return self.field.replace(".", "__")

    def declared(self, *, required: bool) -> inspect.Parameter:
        """Return it as a parameter of a command; an option that is left out says nothing of its field."""
        takes = "" if self.type is bool else None  # a switch takes nothing, and says so
        shown: Any = {"help": self.help, "rich_help_panel": self.panel, "show_default": False, "metavar": takes}
        option = typer.Option(*self.names, **shown)
        optional = not required and self.type is not bool
        annotation: Any = Annotated[self.type | None if optional else self.type, option]
        default = inspect.Parameter.empty if required else None if optional else False
        return inspect.Parameter(self.parameter, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _read_table() -> dict[str, Flag]:
    groups = tomllib.loads(Path(__file__).with_name("flags.toml").read_text(encoding="utf-8"))
    return {
        field: Flag(
            field,
            tuple(names.split()),
            TAKES.get(takes) or Literal[tuple(takes.split("|"))],
            help_,
            None if group == ESSENTIAL else group,
        )
        for group, flags in groups.items()
        for field, (names, takes, help_) in flags.items()
    }


FLAGS: Final = _read_table()
ASK: Final = "--ask-approval KEY --note WHY"
ASKABLE: Final = frozenset(f"approval.{why}" for why in ("not-asked", "declined", "other-request", "expired"))
AskOption = Annotated[
    Path | None,
    typer.Option(
        "--ask-approval",
        help="Charge nothing: ask the account's officers for approval, signed with this key file.",
        show_default=False,
    ),
]
NoteOption = Annotated[
    str, typer.Option("--note", help="With --ask-approval: what it is for; the officers read it.", show_default=False)
]
SWITCHES: Final = {"records.bad_rows": "refuse"}  # what a switch that was given stands for
NOT_MEASURING: Final = ("records.sketches", "records.window.partition", "records.window.name")
OF_RECORDS: Final = tuple(field for field in FLAGS if field.startswith("records.") and field not in NOT_MEASURING)
OF_VIEWS: Final = ("records.views", "records.examples", "records.candidates")
NOT_READ: Final = ("records.sampling", "records.adjacency", *OF_VIEWS)
OF_SAMPLES: Final = (
    "atoms",
    *(field for field in OF_RECORDS if field not in NOT_READ),
    *("records.window.partition", "records.window.name", "denominator"),
    *("account.dataset", "account.snapshot", "account.ledger"),
)
REPORT: Final = FLAGS["title"].panel

JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON.", metavar="")]
LedgerOption = Annotated[str | None, typer.Option("--ledger", help=FLAGS["account.ledger"].help)]
PlanArgument = Annotated[
    str, typer.Argument(metavar="PLAN", help="A release folder, a plan.json file, or - for stdin.")
]


def takes(*fields: str, required: tuple[str, ...] = ()) -> Callable[[Command], Command]:
    """Give a command the options of these fields; it gets what was told of them, by field, as its first argument."""

    def decorate(command: Command) -> Command:
        own = list(inspect.signature(command).parameters.values())[1:]
        flags = [FLAGS[field] for field in fields]

        @functools.wraps(command)
        def told(*args: object, **values: Any) -> None:  # noqa: ANN401  whatever the options hold
            given = {flag.field: values.pop(flag.parameter) for flag in flags}
            command({field: value for field, value in given.items() if _is_told(value)}, *args, **values)

        declared = [flag.declared(required=flag.field in required) for flag in flags]
        ordered = sorted((*declared, *own), key=lambda each: each.default is not inspect.Parameter.empty)
        told.__signature__ = inspect.Signature([each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in ordered])  # type: ignore[attr-defined]
        told.__annotations__ = {each.name: each.annotation for each in ordered}
        return told

    return decorate


def _is_told(value: object) -> bool:
    """Tell an option that was given from one that was left out; zero is given."""
    return value is not None and value is not False and value != []


def in_words(given: Mapping[str, object]) -> dict[str, object]:
    """Return what was told as a request takes it."""
    return {field: SWITCHES.get(field, value) for field, value in given.items()}


def in_options(message: str) -> str:
    """Name the options where fields of a request are named, with what they are to say.

    >>> in_options("name the column with the user id (`records.user`), or ask for `records.adjacency: add_drop`")
    'name the column with the user id (--user), or ask for --adjacency add_drop'
    """
    return re.sub(r"`([a-z_.]+)(?:: ([^`]+))?`", lambda found: _option_of(found[1], found[2]) or found[0], message)


def in_users_words(error: DpSpinError) -> str:
    """Say an error as the user named things: by options, or by fields where a request file was read."""
    by_fields = error.of_file or (error.code == "request.misplaced" and error.field not in FLAGS)
    told = str(error) if by_fields else in_options(str(error))
    return f"{told}. Ask with the same command and {ASK}" if error.code in ASKABLE else told


def _option_of(field: str, value: str | None) -> str | None:
    """Return the option that fills a field, those of its parts, or the one of the part that it belongs to."""
    if parts := [flag.names[0] for flag in FLAGS.values() if flag.field.startswith(f"{field}.") and field not in FLAGS]:
        return " or ".join(parts)
    while field not in FLAGS and "." in field:
        field = field.rpartition(".")[0]
    if field not in FLAGS:
        return None
    flag = FLAGS[field]
    return flag.names[0] if value is None or flag.type is bool else f"{flag.names[0]} {value}"


def require_no_model(given: Mapping[str, object], what: str) -> None:
    """Refuse a language model where a map is only looked at: it is not fitted here, and every question costs."""
    if given.get("records.map") == "llm":
        raise RequestError(f"{what} asks no language model: choose another --map")
