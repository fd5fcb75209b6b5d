"""At a terminal, a release looks first, and asks the curator where something looks wrong."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import typer

from dpspin.cli.progress import attended, reading, working
from dpspin.cli.terminal import say
from dpspin.errors import RecordsRefused

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.cli.records import RecordOptions
    from dpspin.curator.aggregate.local import Records
    from dpspin.curator.check.doubts import Doubt
    from dpspin.curator.records.corpus import ProtectedCorpus
    from dpspin.curator.records.dialect import Dialect

NO_LOOK = "no look was taken at the records first, since nobody was at a terminal: `dpspin check` is one"
STOPPED = "stopped before anything was charged"


def doubt_lines(doubts: Sequence["Doubt"]) -> Iterator[str]:
    """Say what looks wrong, and what to do."""
    if doubts:
        yield "\nLooks wrong:"
    for doubt in doubts:
        yield f"  {doubt.what}\n    {doubt.do}"


def lenient(data: str, text: str, user: str | None, dialect: "Dialect") -> "ProtectedCorpus":
    """Open the records so that nothing in them is refused: a look wants to see all of them."""
    from dpspin.boundary.privacy import MissingUsers
    from dpspin.curator.records.corpus import open_corpus
    from dpspin.curator.records.policy import Columns, RowPolicy

    return open_corpus(data, Columns(text, user), RowPolicy(missing_users=MissingUsers.OWN_UNIT), dialect)


def ask_about_text(data: str, how: "RecordOptions", universe: "AtomUniverse") -> int | None:
    """Where a person sits there, look at the records first, and ask whether to go on if something looks wrong.

    Return how many records there are; None where nobody looked. An unattended run decides nothing by the data.
    """
    if not attended():
        return None
    from dpspin.curator.check.doubts import doubts_about_files, doubts_about_text, suggested_options
    from dpspin.curator.check.look import look_at_text
    from dpspin.curator.check.peek import seen_file
    from dpspin.curator.records.files import locate

    corpus = lenient(data, how.text, how.user, how.dialect)
    files = [seen_file(file, how.dialect) for file in locate(data)]
    with reading("looking at") as tell:
        look = look_at_text(corpus, tell)
    asked = suggested_options(files, how.dialect)
    _ask(
        [
            *doubts_about_files(files, how.dialect, corpus.columns),
            *doubts_about_text(look, corpus.columns, how.languages_read(universe), asked),
        ]
    )
    return look.records


def ask_about_map(records: "Records") -> None:
    """Where a person sits there, try the fitted map on the first records, and ask whether to go on."""
    from dpspin.curator.check.doubts import doubts_about_map
    from dpspin.curator.check.look import look_at_map

    if not attended() or records.contribution_map.statement.trusts:  # no language model is asked for a look
        return
    with working("trying the map on the first records"):
        look = look_at_map(records.corpus, records.contribution_map, records.origin.universe_size)
    _ask(doubts_about_map(look))


def _ask(doubts: Sequence["Doubt"]) -> None:
    for line in doubt_lines(doubts):
        say(line, err=True)
    if doubts and not _goes_on():
        raise RecordsRefused(STOPPED)


def _goes_on() -> bool:
    try:
        return typer.confirm("Go on all the same?", default=False, err=True)
    except typer.Abort:  # Ctrl-C or Ctrl-D is a no
        return False
