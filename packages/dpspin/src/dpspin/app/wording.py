"""The words of pages: fields of a request as a person calls them, and a whole request in sentences."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from dpspin.public.wording.numbers import plain

FIELDS: Final = {
    "records.text": "the column with the words",
    "records.user": "the column that says who wrote it",
    "records.dialect.encoding": "how the file is written",
    "records.unit": "whom the report protects",
    "records.views": "the comparison by a column",
    "records.data": "the file",
    "account.dataset": "the account",
    "account.snapshot": "the state of the data",
    "account.budget": "the total budget",
    "account.ledger": "the ledger",
    "loss.epsilon": "epsilon",
    "denominator": "the public number of people or records",
    "atoms": "the dictionary",
    "reading.folder": "the read sample",
    "title": "the title",
}


def in_plain_words(message: str) -> str:
    """Name the fields of a request as the pages do.

    >>> in_plain_words("Is that the column with the words (`records.text`)? Say `loss.epsilon: 1`")
    'Is that the column with the words? Say epsilon 1'
    """
    without = re.sub(r" \(`[a-z_.]+`\)", "", message)
    return re.sub(r"`([a-z_.]+)(?:: ([^`]+))?`", _called, without)


def _called(found: re.Match[str]) -> str:
    name = FIELDS.get(found[1], found[1])
    return name if found[2] is None else f"{name} {found[2]}"


def sentences(draft: Mapping[str, Any], themes: int) -> list[tuple[str, str]]:
    """Say a request in plain words, each with its heading."""
    file, user = Path(str(draft["records.data"])).name, draft.get("records.user")
    who = (
        f"Each person, with everything they wrote. People are told apart by the column “{user}”."
        if draft["records.unit"] == "user"
        else "Each record by itself. Somebody who wrote three records is protected three times less."
    )
    views = [
        f"Also compared by {view.replace('=', ': ', 1).replace(',', ', ')}." for view in draft.get("records.views", ())
    ]
    read = (
        ["A sample of the records was drawn for reading, and corrects the numbers."]
        if "reading.folder" in draft
        else []
    )
    title = [f"{draft['title']} (public)"] if "title" in draft else []
    many = "people" if draft["records.unit"] == "user" else "records"
    return [
        *(("Title", each) for each in title),
        ("Data", f"The column “{draft['records.text']}” of {file}."),
        (
            "Question",
            " ".join([f"How much of it is about each of {themes} themes ({_shown(draft['atoms'])}).", *views]),
        ),
        ("Protected", who),
        ("Price", f"Epsilon {plain(float(draft['loss.epsilon']))} of the budget, paid before noise is drawn."),
        ("Shares of", f"{int(draft['denominator']):,} {many}, a public number."),
        *(("Reading", each) for each in read),
    ]


def _shown(atoms: object) -> str:
    """Return a pack's name as words, or the name of a file."""
    file = Path(str(atoms))
    return file.name if file.is_absolute() else str(atoms).replace("-", " ")
