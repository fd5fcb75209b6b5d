"""``dpspin check``: look before you pay. For the curator's eyes: exact, uncharged, and written nowhere."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import options, requested
from dpspin.cli.ask_first import doubt_lines, lenient
from dpspin.cli.progress import fitting_words, reading, working
from dpspin.cli.terminal import say
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.curator.check.doubts import Doubt
    from dpspin.curator.check.look import MapLook, TextLook
    from dpspin.curator.check.peek import SeenFile
    from dpspin.curator.records.dialect import Dialect

PRIVATE = "For your eyes only: these figures are exact. Nothing was charged, and nothing was written."
MAY = "You may decide by this whether to go on, how the file is written and which columns are named."
MUST_NOT = (
    "Do not choose epsilon, the dictionary, the bound or a threshold by it: what you publish would then tell of the "
    "records without noise."
)
FEW_LANGUAGES = 5


def check(
    data: Annotated[str, typer.Argument(metavar="DATA", help="A file, a folder, or a glob in quotes.")],
    atoms: Annotated[str | None, typer.Option("--atoms", help="A ready pack's name, or a dictionary file.")] = None,
    text: Annotated[str | None, typer.Option("--text", help="The column with the records' words.")] = None,
    user: options.UserOption = None,
    bound: options.BoundOption = None,
    epsilon: Annotated[float | None, typer.Option("--epsilon", help="What the release would cost.")] = None,
    denominator: Annotated[
        str | None, typer.Option("--denominator", help="With --epsilon: the public number that shares refer to.")
    ] = None,
    map_: options.MapOption = "hybrid",
    languages: options.LanguagesOption = None,
    encoding: options.EncodingOption = None,
    delimiter: options.DelimiterOption = None,
    sheet: options.SheetOption = None,
    dataset: Annotated[str | None, typer.Option("--dataset", help="The ledger's name (default: the path).")] = None,
    ledger: options.LedgerOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Look at the records before anything is paid: what would be read, and what the map makes of it.

    Without --text it tells the columns; with --atoms how well the map fits; with --epsilon what it costs and can say.
    The exit code does not depend on the records: no script can decide by it.
    """
    with working("getting ready"):
        from dpspin.cli.files import read_atoms
        from dpspin.curator.check.doubts import doubts_about_files
        from dpspin.curator.check.peek import seen_file
        from dpspin.curator.records.dialect import Dialect, require_used
        from dpspin.curator.records.files import locate

        universe = None if atoms is None else read_atoms(atoms)
        dialect, files = Dialect.named(encoding, delimiter, sheet), locate(data)
        require_used(dialect, files)
        seen = [seen_file(file, dialect) for file in files]
    found = _Found(seen, dialect)
    found.doubts = doubts_about_files(seen, dialect)
    if text is not None:
        found.read(data, text, user)
        if universe is not None:
            found.fit(universe, map_, languages)
        found.compare(dataset, data, ledger, epsilon)
    if (epsilon is None) != (denominator is None) or (epsilon is not None and universe is None):
        raise RequestError("what a release can say needs --atoms, --epsilon and --denominator, all three")
    if universe is not None and epsilon is not None:
        found.price(universe, user, bound, epsilon, denominator)
    say(json.dumps(found.as_json(), indent=2) if as_json else "\n".join(found.lines()))


class _Found:
    """What the looks find, one after another."""

    def __init__(self, files: Sequence["SeenFile"], dialect: "Dialect") -> None:
        self.files, self.dialect = files, dialect
        self.text: TextLook | None = None
        self.map: MapLook | None = None
        self.doubts: list[Doubt] = []
        self.accounts = ""
        self.advice: tuple[str, ...] = ()

    @property
    def suggested(self) -> list[str]:
        """The options that the files seem to need, and that were not given."""
        from dpspin.curator.check.doubts import suggested_options

        return suggested_options(self.files, self.dialect)

    def read(self, data: str, text: str, user: str | None) -> None:
        """Read all records once."""
        from dpspin.curator.check.look import look_at_text

        self.corpus = lenient(data, text, user, self.dialect)
        with reading("looking at") as tell:
            self.text = look_at_text(self.corpus, tell)
        self._doubt((), [])

    def fit(self, universe: "AtomUniverse", map_: str, languages: str | None) -> None:
        """Fit the map and try it on the first records."""
        from dpspin import pipeline
        from dpspin.cli.files import read_map
        from dpspin.curator.check.doubts import doubts_about_map
        from dpspin.curator.check.look import look_at_map

        if map_ == "llm":
            raise RequestError("a look asks no language model; leave --map out")
        with working(fitting_words(universe)):
            fitted = pipeline.fitted_map(read_map(map_, universe, languages=languages), universe, None)
        with working("trying the map on the first records"):
            self.map = look_at_map(self.corpus, fitted, universe.size)
        self._doubt(fitted.statement.languages, doubts_about_map(self.map))

    def _doubt(self, languages: tuple[str, ...], more: "list[Doubt]") -> None:
        from dpspin.curator.check.doubts import doubts_about_files, doubts_about_text

        assert self.text is not None  # noqa: S101  it was read
        columns = self.corpus.columns
        of_files = doubts_about_files(self.files, self.dialect, columns)
        self.doubts = of_files + doubts_about_text(self.text, columns, languages, self.suggested)
        self.doubts += [] if of_files else more

    def compare(self, dataset: str | None, data: str, ledger: str | None, epsilon: float | None) -> None:
        """Ask the ledger, where there is one, whether it knows these records or people under another name."""
        from dpspin import pipeline
        from dpspin.cli.open_ledger import look_into_book
        from dpspin.curator.aggregate.likeness import likeness_of
        from dpspin.curator.check.doubts import Doubt, doubts_about_budget

        name = dataset or pipeline.dataset_name(data)
        book = look_into_book(ledger)
        if book is None:
            return
        budget = book.budget(name)
        self.accounts = f"{name}: " + ("nothing charged yet" if budget is None else f"{budget.words(budget.left)} left")
        self.doubts += doubts_about_budget(budget, epsilon)
        with working("comparing with the ledger's accounts"):
            likeness = likeness_of(self.corpus.batches(), book.likeness_key())
        self.doubts += [
            Doubt(
                f"The ledger knows many of these {overlap.shared} as {overlap.dataset!r}.",
                "A release would be refused. Use that account (--dataset), one population for both (dpspin ledger init "
                "--population), or say why they are apart (dpspin ledger apart).",
            )
            for overlap in book.overlaps(name, likeness)
        ]

    def price(
        self, universe: "AtomUniverse", user: str | None, bound: float | None, epsilon: float, denominator: str | None
    ) -> None:
        """Say what the request costs and can say, from public inputs."""
        from dpspin.boundary.denominator import PublicNumber
        from dpspin.boundary.mechanisms import Laplace
        from dpspin.boundary.privacy import Adjacency, PrivacyLoss
        from dpspin.public.preview.forecast import forecast

        refers_to = requested.denominator_of(denominator, None)
        if not isinstance(refers_to, PublicNumber):
            raise RequestError(
                "what a release can say is told for a public number that shares refer to: --denominator N"
            )
        unit = requested.unit_of(options.Unit.RECORD if user is None else options.Unit.USER, bound)
        self.advice = forecast(
            unit,
            Adjacency.ADD_DROP,
            PrivacyLoss(epsilon),
            Laplace(),
            atoms=universe.size,
            size=requested.size_of(None, universe.size),
            denominator=refers_to.value,
            besides=2,
        ).advice[:2]

    def as_json(self) -> dict[str, object]:
        """Return everything for a program; as private as the lines."""
        return {
            "private": PRIVATE,
            "files": [
                {
                    "name": file.name,
                    "format": file.format.value,
                    "encoding": file.suggestion.encoding,
                    "delimiter": file.suggestion.delimiter,
                    "columns": [asdict(column) for column in file.columns],
                }
                for file in self.files
            ],
            "add": self.suggested,
            "text": None if self.text is None else asdict(self.text),
            "map": None if self.map is None else asdict(self.map),
            "account": self.accounts or None,
            "can_say": list(self.advice),
            "looks_wrong": [asdict(doubt) for doubt in self.doubts],
        }

    def lines(self) -> Iterator[str]:
        """Return everything for a terminal."""
        yield PRIVATE
        for file in self.files:
            yield from _file_lines(file)
        if self.suggested:
            yield f"\nAdd to the command: {' '.join(self.suggested)}"
        if self.text is not None:
            yield from _text_lines(self.text)
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


def _file_lines(file: "SeenFile") -> Iterator[str]:
    told = [f"looks like {file.suggestion.encoding}" if file.suggestion.encoding else "", _delimiter_words(file)]
    yield f"\n{file.name}: {', '.join([file.format.value, *filter(None, told)])}"
    yield from (f"  {column.name:<28} {column.kind}" for column in file.columns)


def _delimiter_words(file: "SeenFile") -> str:
    return "" if file.suggestion.delimiter is None else f"separated by {file.suggestion.delimiter.word}"


def _text_lines(look: "TextLook") -> Iterator[str]:
    from dpspin.text.languages import names_of

    first = "" if look.closely == look.records else f"; what follows is of the first {look.closely:,}"
    yield f"\nRecords    {look.records:,}{first}"
    readable = look.closely - look.unreadable - look.empty
    yield f"Text       {readable:,} readable, {look.empty:,} empty, {look.unreadable:,} not readable"
    if look.users is not None:
        most = f"most records of one user: {look.of_one_user:,}" if look.of_one_user else "none named"
        yield f"Users      {look.users:,}; {most}; {look.without_user:,} records without one"
    mix = ", ".join(
        f"{name} {share:.0%}"
        for name, (_, share) in zip(names_of([code for code, _ in look.languages]), look.languages, strict=True)
    )
    yield f"Languages  {', '.join(mix.split(', ')[:FEW_LANGUAGES]) or 'cannot be told'}"
