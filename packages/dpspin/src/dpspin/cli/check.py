"""``dpspin check``: look before you pay. For the curator's eyes: exact, uncharged, and written nowhere."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpspin.cli import flags
from dpspin.cli.attend import doubt_lines
from dpspin.cli.terminal import fitting_words, reading, say, working
from dpspin.errors import RecordsRefused, RequestError

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.boundary.facets import RecordFacet
    from dpspin.curator.assign.chosen_map import Fitting
    from dpspin.curator.check.doubts import Doubt
    from dpspin.curator.check.look import MapLook, TextLook
    from dpspin.curator.check.peek import SeenFile
    from dpspin.curator.check.view_look import ViewLook
    from dpspin.curator.ledger.ledger import Ledger
    from dpspin.curator.records.corpus import ProtectedCorpus
    from dpspin.curator.records.dialect import Dialect

PRIVATE = "For your eyes only: these figures are exact. Nothing was charged, and nothing was written."
MAY = "You may decide by this whether to go on, how the file is written, which columns are named, how values are spelt."
MUST_NOT = (
    "Do not choose epsilon, the dictionary, the bound, a threshold or which values are declared by it: what you "
    "publish would then tell of the records without noise."
)
REFUSED = (
    "A release would be refused. Use that account (--dataset), one population for both (dpspin ledger init "
    "--population), or say why they are apart (dpspin ledger apart)."
)
FEW_LANGUAGES = 5
PRICED = ("loss.epsilon", "denominator", "records.unit.bound", "records.views")


@flags.takes(
    *("atoms", "records.text", "records.user", "records.unit.bound", "loss.epsilon", "denominator"),
    *("records.views", "records.map", "records.map.languages"),
    *("records.dialect.encoding", "records.dialect.delimiter", "records.dialect.sheet"),
    *("account.dataset", "account.ledger"),
)
def check(
    given: dict[str, Any],
    data: Annotated[str, typer.Argument(metavar="DATA", help="A file, a folder, a glob in quotes, or an address.")],
    as_json: flags.JsonOption = False,
) -> None:
    """Look at the records before anything is paid: what would be read, and what the map makes of it.

    Without --text it tells the columns; with --by how many records have each value;
    with --atoms how well the map fits; with --epsilon what it costs and can say.
    The exit code does not depend on the records: no script can decide by it.
    """
    flags.require_no_model(given, "a look")
    with working("getting ready"):
        from dpspin.boundary.request_terms import placed, read_as
        from dpspin.curator.check.doubts import doubts_about_files
        from dpspin.curator.check.peek import seen_file
        from dpspin.curator.check.view_look import facets_asked
        from dpspin.curator.records.dialect import Dialect
        from dpspin.curator.records.find_files import locate, require_used
        from dpspin.request import FitRequest

        words = (given.get(f"records.dialect.{part}") for part in ("encoding", "delimiter", "sheet"))
        fitting = None
        if "atoms" in given:
            of_map = {
                field: value for field, value in given.items() if field == "atoms" or field.startswith("records.map")
            }
            fitting = read_as(FitRequest, placed(of_map))
        universe = None if fitting is None else fitting.dictionary()
        facets = facets_asked(given["records.views"]) if "records.views" in given else ()
        if facets and "records.text" not in given:
            raise RequestError("records are counted by their values where they are read: name `records.text` too")
        dialect, files = Dialect.named(*words), locate(data)
        require_used(dialect, files)
        seen = [seen_file(file, dialect) for file in files]
    found = _Found(seen, dialect)
    found.doubts = doubts_about_files(seen, dialect)
    user, epsilon = given.get("records.user"), given.get("loss.epsilon")
    if "records.text" in given:
        found.open(data, given["records.text"], user, facets)
        if found.read(facets):
            if fitting is not None and universe is not None:
                found.fit(universe, fitting.records)
            found.compare(given.get("account.dataset"), data, given.get("account.ledger"), epsilon)
    if (epsilon is None) != ("denominator" not in given) or (epsilon is not None and universe is None):
        raise RequestError("what a release can say needs --atoms, --epsilon and --denominator, all three")
    if universe is not None and epsilon is not None:
        found.price(universe, {field: value for field, value in given.items() if field in PRICED}, user)
    say(json.dumps(found.as_json(), indent=2) if as_json else "\n".join(found.lines()))


class _Found:
    """What the looks find, one after another."""

    def __init__(self, files: Sequence["SeenFile"], dialect: "Dialect") -> None:
        self.files, self.dialect = files, dialect
        self.text: TextLook | None = None
        self.views: tuple[ViewLook, ...] = ()
        self.map: MapLook | None = None
        self.doubts: list[Doubt] = []
        self.accounts = ""
        self.advice: tuple[str, ...] = ()

    @property
    def suggested(self) -> list[str]:
        """The options that the files seem to need, and that were not given."""
        from dpspin.curator.check.doubts import suggested_fields

        return [flags.in_options(each) for each in suggested_fields(self.files, self.dialect)]

    def open(self, data: str, text: str, user: str | None, facets: "Sequence[RecordFacet]") -> None:
        """Find the columns."""
        from dpspin.boundary.facets import columns_of
        from dpspin.curator.check.look import Tally
        from dpspin.curator.check.whole_look import lenient
        from dpspin.curator.records.columns import Columns

        self.left_out = Tally()
        self.corpus = lenient(data, Columns(text, user, facets=columns_of(facets)), self.dialect, self.left_out)

    def read(self, facets: "Sequence[RecordFacet]") -> bool:
        """Read all records once, and once more for views; say whether that could be done."""
        from dpspin.curator.check.doubts import Doubt
        from dpspin.curator.check.look import look_at_text
        from dpspin.curator.check.view_look import look_at_views

        try:
            with reading("looking at") as tell:
                self.text = look_at_text(self.corpus, tell, self.left_out)
        except RecordsRefused as refused:
            self.doubts.append(Doubt(f"{refused}.", "A release refuses such a file, before anything is charged."))
            return False
        if facets:
            with reading("counting by value", self.text.records) as tell:
                self.views = look_at_views(self.corpus, facets, tell)
        self._doubt((), [])
        return True

    def fit(self, universe: "AtomUniverse", asked: "Fitting") -> None:
        """Fit the map and try it on the first records."""
        from dpspin.curator.check.doubts import doubts_about_map
        from dpspin.curator.check.look import look_at_map

        with working(fitting_words(universe)):
            fitted = asked.fitted(universe)
        with working("trying the map on the first records"):
            self.map = look_at_map(self.corpus, fitted, universe.size)
        self._doubt(fitted.statement.languages, doubts_about_map(self.map))

    def _doubt(self, languages: tuple[str, ...], more: "list[Doubt]") -> None:
        from dpspin.curator.check.doubts import doubts_about_files, doubts_about_text
        from dpspin.curator.check.view_look import doubts_about_views

        assert self.text is not None  # noqa: S101  it was read
        columns = self.corpus.columns
        of_files = doubts_about_files(self.files, self.dialect, columns)
        self.doubts = of_files + doubts_about_text(self.text, columns, languages, self.suggested)
        self.doubts += doubts_about_views(self.views)
        self.doubts += [] if of_files else more

    def compare(self, dataset: str | None, data: str, ledger: str | None, epsilon: float | None) -> None:
        """Ask the ledger, where there is one, whether it knows these records or people under another name."""
        from dpspin.cli.open_ledger import look_into_ledger
        from dpspin.curator.check.doubts import doubts_about_budget
        from dpspin.request import dataset_of

        name = dataset or dataset_of(data)
        book = look_into_ledger(ledger)
        if book is None:
            return
        budget = book.budget(name)
        self.accounts = f"{name}: " + ("nothing charged yet" if budget is None else f"{budget.words(budget.left)} left")
        self.doubts += doubts_about_budget(budget, epsilon)
        self.doubts += account_doubts(book, name, self.corpus, REFUSED)

    def price(self, universe: "AtomUniverse", told: dict[str, object], user: str | None) -> None:
        """Say what the request costs and can say, from public inputs."""
        from dpspin.boundary.request_terms import placed, read_as
        from dpspin.public.preview.forecast import forecast
        from dpspin.public.preview.public_inputs import PreviewRequest

        asked = read_as(PreviewRequest, placed({"records.unit": "record" if user is None else "user", **told}))
        forecasted = forecast(
            asked.records.unit,
            asked.records.adjacency,
            asked.loss,
            asked.mechanism,
            atoms=universe.size,
            size=asked.size_of(universe.size),
            denominator=asked.denominator.value,
            besides=2,
            views=asked.records.shared_views,
        )
        self.advice = tuple(map(flags.in_options, forecasted.advice[:2]))

    def as_json(self) -> dict[str, object]:
        """Return everything for a program; as private as the lines."""
        return {
            "private": PRIVATE,
            "files": [
                {
                    "name": file.name,
                    "format": file.format.name,
                    "encoding": file.suggestion.encoding,
                    "delimiter": file.suggestion.delimiter,
                    "columns": [asdict(column) for column in file.columns],
                }
                for file in self.files
            ],
            "add": self.suggested,
            "text": None if self.text is None else asdict(self.text),
            "views": [{"by": look.facet.title, "records": look.by_value} for look in self.views],
            "map": None if self.map is None else asdict(self.map),
            "account": self.accounts or None,
            "can_say": list(self.advice),
            "looks_wrong": [{"what": doubt.what, "do": flags.in_options(doubt.do)} for doubt in self.doubts],
        }

    def lines(self) -> Iterator[str]:
        """Return everything for a terminal."""
        yield PRIVATE
        for file in self.files:
            yield from _file_lines(file)
        if self.suggested:
            yield f"\nAdd to the command: {' '.join(self.suggested)}"
        if self.text is not None:
            yield from text_lines(self.text)
        yield from (line for look in self.views for line in _view_lines(look))
        if self.map is not None and self.map.recognised is not None:
            usual = "" if self.map.usual is None else f" (usual for it: {self.map.usual:.0%})"
            yield f"Map        recognises {self.map.recognised:.0%} of the readable text{usual}"
        if self.accounts:
            yield f"Account    {self.accounts}"
        yield from (f"Can say    {sentence}" for sentence in self.advice)
        yield from doubt_lines(self.doubts)
        if self.text is None and all(file.columns for file in self.files):
            yield "\nName the column with the words (--text), and the dictionary (--atoms), to see more."
        yield f"\n{MAY}\n{MUST_NOT}"


def account_doubts(book: "Ledger", dataset: str, corpus: "ProtectedCorpus", do: str) -> "list[Doubt]":
    """Say which other accounts know many of these records or users."""
    from dpspin.curator.aggregate.likeness import likeness_of
    from dpspin.curator.check.doubts import Doubt

    with working("comparing with the ledger's accounts"):
        likeness = likeness_of(corpus.batches(), book.likeness_key())
    return [
        Doubt(f"The ledger knows many of these {overlap.shared} as {overlap.dataset!r}.", do)
        for overlap in book.overlaps(dataset, likeness)
    ]


def _file_lines(file: "SeenFile") -> Iterator[str]:
    told = [f"looks like {file.suggestion.encoding}" if file.suggestion.encoding else "", _delimiter_words(file)]
    yield f"\n{file.name}: {', '.join([file.format.name, *filter(None, told)])}"
    yield from (f"  {column.name:<28} {column.kind}" for column in file.columns)


def _view_lines(look: "ViewLook") -> Iterator[str]:
    yield f"By {look.facet.title}, records"
    yield from (f"  {value:<28} {count:,}" for value, count in look.by_value.items())


def _delimiter_words(file: "SeenFile") -> str:
    return "" if file.suggestion.delimiter is None else f"separated by {file.suggestion.delimiter.word}"


def text_lines(look: "TextLook") -> Iterator[str]:
    """Tell what the text looks like."""
    from dpspin.text.languages import names_of

    first = "" if look.closely == look.records else f"; what follows is of the first {look.closely:,}"
    passed = f"; {look.left_out:,} more rows are no records" if look.left_out else ""
    yield f"\nRecords    {look.records:,}{passed}{first}"
    readable = look.closely - look.unreadable - look.empty
    yield f"Text       {readable:,} readable, {look.empty:,} empty, {look.unreadable:,} not readable"
    if look.users is not None:
        most = f"most records of one user: {look.of_one_user:,}" if look.of_one_user else "none named"
        yield f"Users      {look.users:,}; {most}; {look.without_user:,} records without one"
    mix = ", ".join(
        f"{name} {share:.0%}"
        for name, (_, share) in zip(names_of([code for code, _ in look.languages]), look.languages, strict=True)
        if round(share, 2)
    )
    yield f"Languages  {', '.join(mix.split(', ')[:FEW_LANGUAGES]) or 'cannot be told'}"
