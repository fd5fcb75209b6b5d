"""Options that several commands share."""

from enum import StrEnum
from typing import Annotated

import typer


class Unit(StrEnum):
    """What is protected."""

    RECORD = "record"
    USER = "user"


class MissingUsersName(StrEnum):
    """What happens to records without a user id."""

    REFUSE = "refuse"
    DROP = "drop"
    OWN_UNIT = "own_unit"


class MechanismName(StrEnum):
    """The release mechanism."""

    LAPLACE = "laplace"
    GAUSSIAN = "gaussian"
    PRIVATE_TOP_L = "private_topL"
    SET_EM = "set_em"
    AUTO = "auto"


class AccountingName(StrEnum):
    """How private_topL adds up its costs."""

    BASIC = "basic"
    ZCDP = "zcdp"


class QuantityName(StrEnum):
    """What is measured."""

    MASS = "mass"
    PREVALENCE = "prevalence"


class AdjacencyName(StrEnum):
    """Which datasets count as neighbours."""

    ADD_DROP = "add_drop"
    REPLACE = "replace"


class LengthName(StrEnum):
    """How much a text tells."""

    SHORT = "short"
    FULL = "full"


class AdmissionName(StrEnum):
    """Which atoms enter the plan."""

    THRESHOLD = "threshold"
    FIXED = "fixed"


AtomsOption = Annotated[
    str, typer.Option("--atoms", help="A pack's name (see `dpspin atoms packs`) or a dictionary file.")
]
UnitOption = Annotated[Unit, typer.Option("--unit", help="What is protected: one record, or all records of one user.")]
TextOption = Annotated[str, typer.Option("--text", help="The column with the records' words.")]
UserOption = Annotated[str | None, typer.Option("--user", help="User level: the column with the user id.")]
MissingUsersOption = Annotated[
    MissingUsersName | None, typer.Option("--missing-users", help="User level: rows without an id (default refuse).")
]
StrictRowsOption = Annotated[bool, typer.Option("--strict-rows", help="Refuse unreadable rows (default: zero).")]
EncodingOption = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        help="How DATA's text files are written: utf-8, utf-16-le, utf-16-be, windows-1252 or latin-1 (default: as the "
        "first bytes tell, or utf-8).",
    ),
]
DelimiterOption = Annotated[
    str | None,
    typer.Option(
        "--delimiter",
        help="What separates DATA's CSV cells: comma, semicolon, tab, pipe, or the character (default: as the first "
        "line tells).",
    ),
]
SheetOption = Annotated[
    str | None, typer.Option("--sheet", help="The sheet of an Excel file (default: the only visible one).")
]
MapOption = Annotated[
    str,
    typer.Option("--map", help="hybrid, paper, cues, taught, supervised, embedding, llm, or a saved map's file."),
]
AuxIsPublicOption = Annotated[
    bool,
    typer.Option(
        "--aux-is-public", help="The map's auxiliary text is public: not compared with the records; the plan says so."
    ),
]
AtomsAuxIsPublicOption = Annotated[
    bool,
    typer.Option(
        "--atoms-aux-is-public", help="The same of the text that the dictionary was built from; the plan says so."
    ),
]
AtomsAuxOption = Annotated[
    str | None,
    typer.Option("--atoms-aux", help="The auxiliary records that the dictionary was built from (default: --aux)."),
]
LlmUrlOption = Annotated[
    str | None, typer.Option("--llm-url", help="An OpenAI-compatible endpoint on this machine: http://127.0.0.1:…/v1.")
]
LlmModelOption = Annotated[str | None, typer.Option("--llm-model", help="The model's name there.")]
LlmTrustedOption = Annotated[
    bool,
    typer.Option("--llm-endpoint-is-trusted", help="Records may be sent to another host: it is part of the curator."),
]
PerRecordOption = Annotated[
    int | None,
    typer.Option("--per-record", "-K", help="The most atoms one record may touch (default: 3 with --map paper)."),
]
LanguagesOption = Annotated[
    str | None,
    typer.Option(
        "--languages", help="Languages that the map reads: en,de; any: every text (default: the dictionary's own)."
    ),
]
EmbedderOption = Annotated[
    str | None, typer.Option("--embedder", help="Evidence by embeddings too: static, minilm, or a model's folder.")
]
AuxOption = Annotated[str | None, typer.Option("--aux", help="Public or separate records to fit the map on.")]
AuxLabelOption = Annotated[
    str | None, typer.Option("--aux-label", help="Its column with the atoms of each text: ids or labels, `;` between.")
]
AuxTextOption = Annotated[str | None, typer.Option("--aux-text", help="Its text column (default: as --text).")]
AuxUserOption = Annotated[
    str | None, typer.Option("--aux-user", help="Its user column; without it overlap is sought in texts.")
]
BoundOption = Annotated[
    float | None, typer.Option("--bound", help="User level: the mass one user may contribute (default 1).")
]
EpsilonOption = Annotated[float, typer.Option("--epsilon", help="The privacy loss this release may cost.")]
DeltaOption = Annotated[float, typer.Option("--delta", help="For gaussian and private_topL, for example 1e-6.")]
MechanismOption = Annotated[
    MechanismName,
    typer.Option("--mechanism", help="laplace is the best choice for most data; auto decides by public numbers."),
]
RhoOption = Annotated[
    float | None,
    typer.Option("--rho", help="private_topL, set_em: the part of the budget that pays for the values (default 0.5)."),
]
MonotoneOption = Annotated[
    bool, typer.Option("--monotone", help="private_topL: the exponent without the factor 2 (add_drop only).")
]
AccountingOption = Annotated[
    AccountingName | None,
    typer.Option("--accounting", help="private_topL: basic (the paper's, default) or zcdp, joint and tighter."),
]
QuantityOption = Annotated[
    QuantityName,
    typer.Option("--quantity", help="mass: how much of the text; prevalence: how many records or users mention it."),
]
PrevalenceAtomsOption = Annotated[
    int | None,
    typer.Option("--prevalence-atoms", help="prevalence: the most themes one unit may count for (default 3)."),
]
SampleRateOption = Annotated[
    float | None,
    typer.Option("--sample-rate", help="Measure a random sample: each unit with this probability (add_drop only)."),
]
AdjacencyOption = Annotated[
    AdjacencyName, typer.Option("--adjacency", help="Protect presence, or content at fixed size.")
]
SizeOption = Annotated[int | None, typer.Option("--size", "-L", help="The most themes a plan may list (default 10).")]
BetaOption = Annotated[float, typer.Option("--beta", help="The error probability of each certified statement.")]
MarginOption = Annotated[
    float | None,
    typer.Option(
        "--margin",
        help="The paper's fixed public margin, a mass of 0 or more, instead of certified ones; bounds no error.",
    ),
]
DenominatorOption = Annotated[
    int,
    typer.Option("--denominator", help="A public number of units that shares refer to; never counted from the data."),
]
ReleaseDenominatorOption = Annotated[
    str | None,
    typer.Option(
        "--denominator",
        help="What shares refer to: a public number of units, never counted from the data; or `total`, the total mass.",
    ),
]
CountShareOption = Annotated[
    float | None,
    typer.Option(
        "--count-share", help="Instead of --denominator: the part of epsilon that buys a noisy count, e.g. 0.1."
    ),
]
BaselineOption = Annotated[
    str | None,
    typer.Option(
        "--baseline", help="Public shares to compare with: a CSV or JSON file (atom_id or label, share), or `aux`."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
LedgerOption = Annotated[
    str | None, typer.Option("--ledger", help="Where budgets are kept (default: $DPSPIN_LEDGER or your data folder).")
]
LengthOption = Annotated[
    LengthName, typer.Option("--length", help="The template's text: short (about five sentences) or full.")
]
PlanArgument = Annotated[
    str, typer.Argument(metavar="PLAN", help="A release folder, a plan.json file, or - for stdin.")
]
