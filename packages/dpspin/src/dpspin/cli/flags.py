"""The options that build a request, in one table: which field each one fills, and how it is told.

Only here an option and a field meet. A command takes the options of the fields that it names; an error that speaks of
a field (`records.user`) is told with the option (--user).
"""

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import typer

from dpspin.errors import RequestError

Command = Callable[..., None]
RECORDS, MAP, MEASURED = "Records", "Map, and the texts behind it", "What is measured, and whom it protects"
NOISE, REPORT, ACCOUNT = "Noise", "Report", "Account"
EXPERIMENTS: Final = "Experiments: the paper's choices (all at once: --preset paper)"


@dataclass(frozen=True, slots=True)
class Flag:
    """One option: the field of the request that it fills, its names, its type and what it says of itself."""

    field: str
    names: tuple[str, ...]
    type: Any
    help: str
    panel: str | None = None
    choices: tuple[str, ...] = ()

    @property
    def parameter(self) -> str:
        """The name under which a command gets the value."""
        return self.field.replace(".", "__")

    def declared(self, *, required: bool) -> inspect.Parameter:
        """Return it as a parameter of a command; an option that is left out says nothing of its field."""
        option = typer.Option(*self.names, help=self.help, rich_help_panel=self.panel, show_default=False)
        kind = Literal[self.choices] if self.choices else self.type
        optional = not required and self.type is not bool
        annotation = Annotated[kind | None if optional else kind, option]  # type: ignore[valid-type]
        default = inspect.Parameter.empty if required else None if optional else False
        return inspect.Parameter(self.parameter, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _flag(field: str, names: str, type_: Any, help_: str, panel: str | None = None, choices: str = "") -> Flag:  # noqa: ANN401  a type
    return Flag(field, tuple(names.split()), type_, help_, panel, tuple(choices.split()))


TABLE: Final = (
    _flag("atoms", "--atoms", str, "A pack's name (see `dpspin atoms packs`) or a dictionary file."),
    _flag("records.text", "--text", str, "The column with the records' words."),
    _flag(
        "records.unit", "--unit", str, "What is protected: one record, or all records of one user.", None, "record user"
    ),
    _flag("records.user", "--user", str, "User level: the column with the user id."),
    _flag("loss.epsilon", "--epsilon", float, "The privacy loss this release may cost."),
    _flag(
        "denominator",
        "--denominator",
        str,
        "What shares refer to: a public number of units, never counted from the data; or `total`, the total mass.",
    ),
    _flag(
        "records.sketches",
        "--sketch",
        list[str],
        "Instead of DATA: a file of `dpspin sketch`, or a glob in quotes; repeat it.",
        RECORDS,
    ),
    _flag(
        "records.dialect.encoding",
        "--encoding",
        str,
        "How DATA's text files are written: utf-8, utf-16-le, utf-16-be, windows-1252 or latin-1 (default: as the "
        "first bytes tell, or utf-8).",
        RECORDS,
    ),
    _flag(
        "records.dialect.delimiter",
        "--delimiter",
        str,
        "What separates DATA's CSV cells: comma, semicolon, tab, pipe, or the character (default: as the first line "
        "tells).",
        RECORDS,
    ),
    _flag(
        "records.dialect.sheet", "--sheet", str, "The sheet of an Excel file (default: the only visible one).", RECORDS
    ),
    _flag("records.bad_rows", "--strict-rows", bool, "Refuse unreadable rows (default: zero).", RECORDS),
    _flag(
        "records.unit.missing",
        "--missing-users",
        str,
        "User level: rows without an id (default refuse).",
        RECORDS,
        "refuse drop own_unit",
    ),
    _flag(
        "records.map",
        "--map",
        str,
        "hybrid (default), cues, taught, supervised, embedding, paper, llm, or a saved map's file.",
        MAP,
    ),
    _flag(
        "records.map.languages",
        "--languages",
        str,
        "Languages that the map reads: en,de; any: every text (default: the dictionary's own).",
        MAP,
    ),
    _flag(
        "records.map.embedder",
        "--embedder",
        str,
        "Evidence by embeddings too: static, minilm, or a model's folder.",
        MAP,
    ),
    _flag("records.auxiliary.source", "--aux", str, "Public or separate records to fit the map on.", MAP),
    _flag("records.auxiliary.text", "--aux-text", str, "Its text column (default: as --text).", MAP),
    _flag("records.auxiliary.user", "--aux-user", str, "Its user column; without it overlap is sought in texts.", MAP),
    _flag(
        "records.auxiliary.label",
        "--aux-label",
        str,
        "Its column with the atoms of each text: ids or labels, `;` between.",
        MAP,
    ),
    _flag(
        "records.auxiliary_is_public",
        "--aux-is-public",
        bool,
        "The map's auxiliary text is public: not compared with the records; the plan says so.",
        MAP,
    ),
    _flag(
        "records.atoms_auxiliary",
        "--atoms-aux",
        str,
        "The auxiliary records that the dictionary was built from (default: --aux).",
        MAP,
    ),
    _flag(
        "records.atoms_auxiliary_is_public",
        "--atoms-aux-is-public",
        bool,
        "The same of the text that the dictionary was built from; the plan says so.",
        MAP,
    ),
    _flag(
        "records.map.url",
        "--llm-url",
        str,
        "An OpenAI-compatible endpoint on this machine: http://127.0.0.1:…/v1.",
        MAP,
    ),
    _flag("records.map.model", "--llm-model", str, "The model's name there.", MAP),
    _flag(
        "records.map.endpoint_is_trusted",
        "--llm-endpoint-is-trusted",
        bool,
        "Records may be sent to another host: it is part of the curator.",
        MAP,
    ),
    _flag(
        "records.quantity",
        "--quantity",
        str,
        "mass (default): how much of the text; prevalence: how many records or users mention it.",
        MEASURED,
        "mass prevalence",
    ),
    _flag(
        "records.quantity.most_atoms",
        "--prevalence-atoms",
        int,
        "prevalence: the most themes one unit may count for (default 3).",
        MEASURED,
    ),
    _flag(
        "records.unit.bound", "--bound", float, "User level: the mass one user may contribute (default 1).", MEASURED
    ),
    _flag(
        "records.sampling",
        "--sample-rate",
        float,
        "Measure a random sample that stays secret: each unit with this probability (add_drop only).",
        MEASURED,
    ),
    _flag(
        "denominator.share",
        "--count-share",
        float,
        "Instead of --denominator: the part of epsilon that buys a noisy count, e.g. 0.1.",
        MEASURED,
    ),
    _flag(
        "records.adjacency",
        "--adjacency",
        str,
        "Protect presence (default), or content at fixed size.",
        MEASURED,
        "add_drop replace",
    ),
    _flag("loss.delta", "--delta", float, "For gaussian and private_topL, for example 1e-6.", NOISE),
    _flag(
        "mechanism",
        "--mechanism",
        str,
        "laplace (default) is the best choice for most data; auto decides by public numbers.",
        NOISE,
        "laplace gaussian private_topL set_em auto",
    ),
    _flag("size", "--size -L", int, "The most themes a plan may list (default 10).", NOISE),
    _flag("beta", "--beta", float, "The error probability of each certified statement (default 0.05).", NOISE),
    _flag(
        "baseline",
        "--baseline",
        str,
        "Public shares to compare with: a CSV or JSON file (atom_id or label, share), or `aux`.",
        REPORT,
    ),
    _flag("title", "--title", str, "A public title for the report.", REPORT),
    _flag("about.period", "--period", str, "The time that the records cover, as the report names it.", REPORT),
    _flag("about.source", "--source", str, "Where the records come from, as the report names it.", REPORT),
    _flag("about.owner", "--owner", str, "Who answers for the release, as the report names them.", REPORT),
    _flag("about.date", "--date", str, "The date that the report bears (default: today).", REPORT),
    _flag(
        "account.dataset", "--dataset", str, "The ledger's name (default: the path; with --sketch, required).", ACCOUNT
    ),
    _flag(
        "account.snapshot",
        "--snapshot",
        str,
        "A public name for this state of the data, when they have changed.",
        ACCOUNT,
    ),
    _flag(
        "records.window.partition",
        "--partition",
        str,
        "The column that the account declares as its partition into windows.",
        ACCOUNT,
    ),
    _flag(
        "records.window.name", "--window", str, "Only records with this value there; windows do not add up.", ACCOUNT
    ),
    _flag(
        "account.ledger",
        "--ledger",
        str,
        "Where budgets are kept (default: $DPSPIN_LEDGER or your data folder).",
        ACCOUNT,
    ),
    _flag(
        "mechanism.value_fraction",
        "--rho",
        float,
        "private_topL, set_em: the part of the budget that pays for the values (default 0.5).",
        EXPERIMENTS,
    ),
    _flag(
        "mechanism.monotone",
        "--monotone",
        bool,
        "private_topL: the exponent without the factor 2 (add_drop only).",
        EXPERIMENTS,
    ),
    _flag(
        "mechanism.accounting",
        "--accounting",
        str,
        "private_topL: basic (the paper's, default) or zcdp, joint and tighter.",
        EXPERIMENTS,
        "basic zcdp",
    ),
    _flag(
        "admission",
        "--admission",
        str,
        "threshold (default): only what stands clear of the noise; fixed: L themes.",
        EXPERIMENTS,
        "threshold fixed",
    ),
    _flag(
        "margin",
        "--margin",
        float,
        "The paper's fixed public margin, a mass of 0 or more, instead of certified ones; bounds no error.",
        EXPERIMENTS,
    ),
    _flag("bins", "--bins", str, "Floors of high and moderate support, e.g. 0.05,0.02.", EXPERIMENTS),
    _flag(
        "records.map.atoms_per_record",
        "--per-record -K",
        int,
        "The most atoms one record may touch (default: 3 with --map paper).",
        EXPERIMENTS,
    ),
)
FLAGS: Final = {flag.field: flag for flag in TABLE}
SWITCHES: Final = {"records.bad_rows": "refuse"}  # what a switch that was given stands for
NOT_MEASURING: Final = ("records.sketches", "records.window.partition", "records.window.name")
OF_RECORDS: Final = tuple(field for field in FLAGS if field.startswith("records.") and field not in NOT_MEASURING)
PAPER: Final[Mapping[str, object]] = {"records.map": "paper", "admission": "fixed", "margin": 0.0}


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


def _option_of(field: str, value: str | None) -> str | None:
    """Return the option that fills a field, those of its parts, or the one of the part that it belongs to."""
    if parts := [flag.names[0] for flag in TABLE if flag.field.startswith(f"{field}.") and field not in FLAGS]:
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
