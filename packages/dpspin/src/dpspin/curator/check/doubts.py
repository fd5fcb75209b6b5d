"""What looks wrong in a look at the records, and what to do about it: for a person to decide, before anything is paid.

An unattended run decides nothing by the data, so none of this stops it: there the declared policies hold.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dpspin.curator.check.look import LanguageMix, MapLook, TextLook
from dpspin.curator.check.peek import CELL_KINDS, SHORT, SeenFile
from dpspin.curator.ledger.amounts import Budget, Currency
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.dialect import Dialect, Encoding
from dpspin.text.languages import names_of

MANY_UNREADABLE: Final = 0.01
MANY_EMPTY: Final = 0.2
MANY_FOREIGN: Final = 0.2
LITTLE: Final = 0.5  # of what the map usually recognises
FEW_TEXTS: Final = 0.01  # different ones, of all: a category, not words
ENOUGH: Final = 200  # records from which such shares say something
ONE_WRITES_ALL: Final = 0.2
NOT_WORDS: Final = frozenset((*CELL_KINDS, SHORT))


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that looks wrong, and what to do."""

    what: str
    do: str


def doubts_about_text(
    look: TextLook, columns: Columns, languages: tuple[str, ...], suggested: Sequence[str]
) -> list[Doubt]:
    """Judge what reading gave. ``languages`` are those that the map reads; ``suggested`` are fields for the files."""
    of_rows = _about_rows(look)
    if look.records == 0:
        return [*of_rows, Doubt("There is no record.", "Name other data, or look at how the file begins and ends.")]
    of_languages = doubts_about_languages(look.languages, languages)
    return [*of_rows, *_about_words(look, columns, suggested), *of_languages, *_about_users(look, columns)]


def _about_rows(look: TextLook) -> list[Doubt]:
    """Say that rows are left out: they would be missing from a release without a word."""
    if not look.left_out:
        return []
    rows = "1 row is" if look.left_out == 1 else f"{look.left_out:,} rows are"
    of_all = f"{rows} left out, of {look.left_out + look.records:,}"
    return [
        Doubt(
            f"{of_all}: too many or too few cells, no JSON object, or too long.",
            "Put cells that hold the delimiter into quotation marks, or write the file as JSONL or Parquet. A release "
            "leaves them out too, and refuses the file where strict rows are asked for (`records.bad_rows`).",
        )
    ]


def doubts_about_files(files: Sequence[SeenFile], dialect: Dialect, columns: Columns | None = None) -> list[Doubt]:
    """Judge what files seem to be: each by itself, and whether they are written alike."""
    undeclared = [file.suggestion.encoding for file in files if not file.suggestion.told_by_the_file]
    guesses = {guess for guess in undeclared if guess is not None}
    if len(guesses) > 1:
        return [
            Doubt(
                f"The files are written differently: {' and '.join(sorted(guesses))}.",
                "One `records.dialect.encoding` is for all of them. Save them alike, or release them apart.",
            )
        ]
    return [doubt for file in files for doubt in _doubts_about_file(file, dialect, columns)]


def suggested_fields(files: Sequence[SeenFile], dialect: Dialect) -> list[str]:
    """Return the fields that all files seem to need, and that were not given."""
    asked = [file.suggestion.fields for file in files]
    return [] if dialect.encoding is not None or len(set(asked)) > 1 else [*asked[0]]


def _doubts_about_file(file: SeenFile, dialect: Dialect, columns: Columns | None) -> list[Doubt]:
    """Judge what a file seems to be against what is declared of it and asked for in it."""
    found, guess = [], file.suggestion.encoding
    if dialect.encoding is not None and guess is not None and _contradict(dialect.encoding, guess):
        found.append(
            Doubt(
                f"{file.name} is declared to be {dialect.encoding}, and it looks like {guess}.",
                "Leave `records.dialect.encoding` out, or declare that one: wrongly decoded words are not found.",
            )
        )
    if guess is None and "encoding" in file.format.told_by:
        found.append(
            Doubt(
                f"{file.name} is no text, or in an encoding that is not known here.",
                "Save it as UTF-8: what cannot be decoded counts as unreadable.",
            )
        )
    elif not file.columns:
        found.append(
            Doubt(
                f"The first line of {file.name} does not look like names of columns, so none are shown.",
                "Records need names above them: if there are none, add a first line; if there are, go on.",
            )
        )
    return [
        *found,
        *(
            Doubt(
                f"{column.name!r} holds {column.kind}, not sentences.",
                "Name the column with the words (`records.text`).",
            )
            for column in file.columns
            if columns is not None and column.name == columns.text and column.kind in NOT_WORDS
        ),
    ]


def _contradict(declared: Encoding, guess: Encoding) -> bool:
    western = {Encoding.WINDOWS_1252, Encoding.LATIN_1}
    return declared is not guess and not {declared, guess} <= western


def doubts_about_budget(budget: Budget | None, epsilon: float | None) -> list[Doubt]:
    """Say that the account cannot pay an epsilon."""
    if budget is None or epsilon is None or budget.currency is Currency.RHO or epsilon <= budget.left.epsilon:
        return []
    left = budget.words(budget.left)
    return [Doubt(f"The account has {left} left: the release would be refused.", "Ask for less, or raise the cap.")]


def doubts_about_languages(mix: LanguageMix, read: tuple[str, ...]) -> list[Doubt]:
    """Say that much of the text is in none of the languages that the map reads; where none is stated, it reads all."""
    foreign = sum(share for code, share in mix if code not in read) if read else 0.0
    if foreign <= MANY_FOREIGN:
        return []
    return [
        Doubt(
            f"{foreign:.0%} of the text is not in {' or '.join(names_of(read))}, and the map reads nothing else.",
            "It would be reported as not read. A dictionary with examples in its language reads it (`atoms`).",
        )
    ]


def doubts_about_map(look: MapLook) -> list[Doubt]:
    """Judge whether the map makes anything of the text."""
    if look.usual is None or look.recognised is None or look.recognised >= LITTLE * look.usual:
        return []
    return [
        Doubt(
            f"The map recognises {look.recognised:.0%} of the readable text; {look.usual:.0%} is usual for it.",
            "Is it text of the dictionary's domain? Most of it would be reported as none of the themes.",
        )
    ]


def _about_words(look: TextLook, columns: Columns, suggested: Sequence[str]) -> list[Doubt]:
    found = []
    if look.unreadable > MANY_UNREADABLE * look.closely:
        declare = (
            f"Declare how the file is written: {' '.join(suggested)}." if suggested else "See what the cells hold."
        )
        found.append(Doubt(f"{look.unreadable / look.closely:.0%} of the records have no readable text.", declare))
    if look.empty > MANY_EMPTY * look.closely:
        found.append(
            Doubt(
                f"{look.empty / look.closely:.0%} of the texts in {columns.text!r} are empty.",
                "Is that the column with the words (`records.text`)?",
            )
        )
    readable = look.closely - look.unreadable
    if not found and readable >= ENOUGH and look.different < FEW_TEXTS * readable:
        found.append(
            Doubt(
                f"{columns.text!r} holds the same few texts again and again.",
                "Is it a category? Name the column with the words (`records.text`).",
            )
        )
    return found


def _about_users(look: TextLook, columns: Columns) -> list[Doubt]:
    if look.users is None:
        return []
    found, named = [], look.closely - look.without_user
    if look.without_user:
        found.append(
            Doubt(
                f"{look.without_user / look.closely:.1%} of the records have no user in {columns.user!r}.",
                "Say what happens to them: `records.unit.missing: drop` or own_unit; the default refuses.",
            )
        )
    if named >= ENOUGH and look.users == named:
        found.append(
            Doubt(
                f"Every record has another user in {columns.user!r}.",
                "Is it the number of the record? Then each record is protected, not each person.",
            )
        )
    if named >= ENOUGH and look.of_one_user > ONE_WRITES_ALL * named:
        found.append(
            Doubt(
                f"One user has {look.of_one_user / named:.0%} of the records.",
                "Is it a robot, or a word for unknown? All that one user writes counts for the bound at most.",
            )
        )
    return found
