"""A look at everything before a release: the files, the text and the values of views, and all doubts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dpspin.boundary.facets import RecordFacet
from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.check.doubts import Doubt, doubts_about_files, doubts_about_text, suggested_fields
from dpspin.curator.check.look import Tally, TextLook, look_at_text
from dpspin.curator.check.peek import seen_file
from dpspin.curator.check.view_look import doubts_about_views, look_at_views
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import ProtectedCorpus, open_corpus
from dpspin.curator.records.dialect import Dialect
from dpspin.curator.records.find_files import locate
from dpspin.curator.records.formats.file_format import LeftOut, nobody


@dataclass(frozen=True, slots=True)
class WholeLook:
    """What was seen, and what looks wrong. Private."""

    text: TextLook
    doubts: tuple[Doubt, ...]

    def __repr__(self) -> str:
        return "WholeLook(<private>)"


def lenient(data: str, columns: Columns, dialect: Dialect, left_out: LeftOut = nobody) -> ProtectedCorpus:
    """Open the records so that nothing in them is refused: a look wants to see all of them."""
    return open_corpus(data, columns, RowPolicy(missing_users=MissingUsers.OWN_UNIT), dialect, left_out)


def look_at_all(
    data: str,
    columns: Columns,
    dialect: Dialect,
    languages: tuple[str, ...],
    *,
    facets: Sequence[RecordFacet] = (),
    tell: Callable[[int], None] | None = None,
) -> WholeLook:
    """Read everything once, and once more for views. ``languages`` are those that the map reads."""
    left_out = Tally()
    corpus = lenient(data, columns, dialect, left_out)
    files = [seen_file(file, dialect) for file in locate(data)]
    text = look_at_text(corpus, tell, left_out)
    views = look_at_views(corpus, facets) if facets else ()
    of_files = doubts_about_files(files, dialect, corpus.columns)
    of_text = doubts_about_text(text, corpus.columns, languages, suggested_fields(files, dialect))
    return WholeLook(text, (*of_files, *of_text, *doubts_about_views(views)))
