"""Public or generated records from a file, as the baselines read them: all texts at once."""

from dataclasses import dataclass, field

from dpspin.curator.records.corpus import TEXT, USER, open_corpus
from dpspin.curator.records.policy import Columns
from dpspin.errors import RequestError


@dataclass(frozen=True, slots=True)
class Records:
    """Texts, and whose they are where a column says so."""

    texts: tuple[str, ...] = field(repr=False)
    users: tuple[str, ...] | None = field(repr=False)


def read_records(source: str, text: str, user: str | None = None) -> Records:
    """Read every record that has a text."""
    rows = [
        (row[TEXT], row.get(USER))
        for batch in open_corpus(source, Columns(text=text, user=user)).batches()
        for row in batch.to_pylist()
        if row[TEXT]
    ]
    if not rows:
        raise RequestError("there is no record with a text; check the file and the text column (--text)")
    texts, users = zip(*rows, strict=True)
    return Records(texts, users if user is not None else None)
