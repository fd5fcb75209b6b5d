"""``dpspin series``: one report per period, under one loss for a person's whole life in the series."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dpspin.cli import flags
from dpspin.cli.flags import JsonOption
from dpspin.cli.terminal import attended, say, width, working
from dpspin.errors import DpSpinError, RequestError

if TYPE_CHECKING:
    from dpspin.boundary.facets import PeriodFacet
    from dpspin.boundary.series import SeriesIndex, SeriesTerms
    from dpspin.series import Series

app = typer.Typer(
    help="A report per week or month, under one privacy loss for a person's whole life.", no_args_is_help=True
)
OF_SERIES = (
    *("atoms", "records.text", "records.user"),
    *(field for field in flags.OF_RECORDS if field.startswith(("records.dialect", "records.map", "records.aux"))),
    *("records.bad_rows", "records.unit.missing", "records.atoms_auxiliary", "records.atoms_auxiliary_is_public"),
    *("size", "beta", "title", "about.source", "about.owner"),
    *("account.dataset", "account.budget", "account.ledger"),
)
NO_LOOK = "no look was taken at the records first, since nobody was at a terminal: `dpspin series check` is one"
FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the series.")]
DataArgument = Annotated[str, typer.Argument(metavar="DATA", help="A file, a folder, a glob in quotes, or an address.")]
PeriodOption = Annotated[str, typer.Option("--period", help="Its name: 2026-W07, 2026-02, 2026-Q1 or a day.")]
DateOption = Annotated[str, typer.Option("--date", help="The column with each record's date.")]
EveryOption = Annotated[
    Literal["day", "week", "month", "quarter", "year"], typer.Option("--every", help="How long a period is.")
]
FirstOption = Annotated[str, typer.Option("--first", help="The calendar's first day (or month, or year).")]
LastOption = Annotated[str, typer.Option("--last", help="Its last day (or month, or year).")]
EpsilonOption = Annotated[
    float, typer.Option("--epsilon", help="What a person's whole life in it may cost, all periods together.")
]
ZoneOption = Annotated[str, typer.Option("--zone", help="The time zone of moments that tell an offset.")]


@app.command("open")
@flags.takes(*OF_SERIES, required=("atoms", "records.text", "records.user"))
def open_(
    given: dict[str, object],
    folder: FolderArgument,
    date: DateOption,
    every: EveryOption,
    first: FirstOption,
    last: LastOption,
    epsilon: EpsilonOption,
    lifetime_bound: Annotated[
        float, typer.Option("--lifetime-bound", help="The mass one user may contribute over all periods together.")
    ],
    per_period: Annotated[
        float | None,
        typer.Option(
            "--per-period", help="The most of it that one period takes (default: 1, or all).", show_default=False
        ),
    ] = None,
    late: Annotated[
        Literal["refuse", "next"],
        typer.Option("--late", help="Records of an earlier period: refuse leaves them out, next counts them."),
    ] = "refuse",
    fading_share: Annotated[
        float, typer.Option("--fading-share", help="The part of epsilon that shows how much is no longer counted.")
    ] = 0.1,
    zone: ZoneOption = "UTC",
    ask_approval: flags.AskOption = None,
    note: flags.NoteOption = "",
) -> None:
    """Open a series: charge its whole epsilon now, and fix everything that decides its periods.

    As in: dpspin series open support --atoms support-tickets --text body --user customer --date created
    --every week --first 2026-01-05 --last 2026-12-31 --epsilon 3 --lifetime-bound 8
    """
    from dpspin.cli.series_check import ask_about_others
    from dpspin.series import open_series, series_to_open

    terms = _terms(
        every=_calendar(date, every, first, last, zone),
        epsilon=epsilon,
        lifetime_bound=lifetime_bound,
        per_period_bound=min(1.0, lifetime_bound) if per_period is None else per_period,
        fading_share=fading_share,
        late=late,
    )
    if ask_approval is not None:
        _ask(series_to_open(folder, terms, **flags.in_words(given)), ask_approval, note)
        return
    ask_about_others(str(given.get("account.dataset", folder.resolve())), given.get("account.ledger"))
    with working("fitting the map"):
        index = open_series(folder, terms, **flags.in_words(given))
    _tell(folder, index)


def _ask(series: "Series", key: Path, note: str) -> None:
    from dpspin.cli.key import open_key
    from dpspin.cli.release import tell_filed

    signing = open_key(key)
    with working("fitting the map"):
        filed = series.ask(signing, note)
    tell_filed(filed)


@app.command("add")
def add(
    folder: FolderArgument,
    data: DataArgument,
    period: PeriodOption,
) -> None:
    """Release one period, and close it. Records of other periods in DATA are not counted, unless --late says next.

    At a terminal it looks first, as series check does, and asks where something looks wrong.
    """
    from dpspin.cli.attend import AtTheTerminal
    from dpspin.series import release_period, series_with

    looks = attended()
    with _settled():
        series = series_with(folder, data, period)
        if looks and period not in series.released():
            from dpspin.cli.series_check import look_at_period

            AtTheTerminal(by_file=True).ask(look_at_period(series, data, period).doubts)
        with working("reading and counting"):
            added = release_period(series, period)
    if added.answer.diagnostics is None:
        say(f"{period} was released before, and is closed: DATA was not read, and it is written as it was.", err=True)
    elif not looks:
        say(NO_LOOK, err=True)
    say(f"Publish: {added.folder} (open report.html)", err=True)
    say(f"Keep private: {folder / 'curator'}", err=True)


@app.command("check")
def check(folder: FolderArgument, data: DataArgument, period: PeriodOption, as_json: JsonOption = False) -> None:
    """Look at the records of a period before it is added: how many count, and why the others do not.

    For the curator's eyes; nothing is charged, taken or written. The exit code does not depend on the records.
    """
    from dpspin.series import series_with

    with _settled():
        series = series_with(folder, data, period)
        if period in series.released():
            say(f"{period} was released before, and is closed: adding it again only writes it again.", err=True)
            return
        from dpspin.cli.series_check import look_at_period

        found = look_at_period(series, data, period)
    say(json.dumps(found.as_json(), indent=2) if as_json else "\n".join(found.lines()))


@contextmanager
def _settled() -> Iterator[None]:
    """Let an error speak of fields: what they say was settled when the series was opened, and no option changes it."""
    try:
        yield
    except DpSpinError as error:
        error.of_file = True
        if "`records." in str(error):
            error.args = (f"{error}. The series settled that when it was opened: mend DATA, or open another series",)
        raise


@app.command("show")
def show(folder: FolderArgument, as_json: JsonOption = False) -> None:
    """Show what changed and since when, which periods are released, and how much could still be counted.

    Writes the page, the table and the text of the series anew, from its published plans alone.
    """
    from dpspin.boundary.series import SeriesIndex

    release = folder / "release"
    index = SeriesIndex.load(release)
    if as_json:
        say(index.to_json(), nl=False)
        return
    say("\n".join(_table(release, index)))
    if index.periods:
        _show_page(release)


@app.command("renew")
def renew(
    folder: FolderArgument,
    epsilon: Annotated[float, typer.Option("--epsilon", help="What the next life costs, beside those before.")],
    first: Annotated[str | None, typer.Option("--first", help="The new calendar's first day, where it moves.")] = None,
    last: Annotated[str | None, typer.Option("--last", help="The new calendar's last day, where it moves.")] = None,
    ask_approval: flags.AskOption = None,
    note: flags.NoteOption = "",
) -> None:
    """Open the next life: a new charge, and allowances are full again."""
    from dpspin.series import renew_series, series_to_renew

    if ask_approval is not None:
        _ask(series_to_renew(folder, epsilon, first, last), ask_approval, note)
        return
    with working("fitting the map"):
        index = renew_series(folder, epsilon, first=first, last=last)
    _tell(folder, index)


@app.command("preview")
def preview(
    every: EveryOption,
    first: FirstOption,
    last: LastOption,
    epsilon: EpsilonOption,
    active: Annotated[
        float, typer.Option("--active-periods", min=1, help="In how many periods somebody is active, by a guess.")
    ],
    records: Annotated[
        float, typer.Option("--records-per-period", help="How many records somebody then writes, by a guess.")
    ] = 1.0,
    as_json: JsonOption = False,
) -> None:
    """Recommend bounds from public guesses, and show the noise that they leave. Nothing is opened or spent."""
    from dpspin.public.preview.series_forecast import recommended
    from dpspin.public.wording.numbers import plain

    found = recommended(_calendar("date", every, first, last, "UTC"), epsilon, active, records)
    terms, periods = found.terms, len(found.terms.every.declared)
    if as_json:
        figures = {name: getattr(found, name) for name in ("noise_std", "separate_std", "times_less", "wanted_std")}
        bounds = {"lifetime_bound": terms.lifetime_bound, "per_period_bound": terms.per_period_bound}
        say(json.dumps({"periods": periods, **bounds, **figures}, indent=2))
        return
    say(f"--lifetime-bound {plain(terms.lifetime_bound)} --per-period {plain(terms.per_period_bound)}")
    say(f"{periods} periods at epsilon {plain(epsilon)} for a person's whole life:")
    say(f"  noise on each theme of each period (standard deviation): {plain(found.noise_std)}")
    say(f"  with {periods} separate releases of the same total loss:  {plain(found.separate_std)}")
    say(f"  which is {plain(found.times_less, 2)} times less")
    say(f"  noise on how much was wanted in a period: {plain(found.wanted_std)}")
    lasts = terms.lifetime_bound / terms.per_period_bound
    say(
        f"Who fills the bound in more than {plain(lasts)} periods fades from later ones, and the series shows how much."
    )


def _calendar(column: str, every: str, first: str, last: str, zone: str) -> "PeriodFacet":
    from dpspin.boundary.facets import PeriodFacet
    from dpspin.boundary.model_base import explained_as

    with explained_as(RequestError, "the calendar"):
        told = {"column": column, "every": every, "first": first, "last": last, "zone": zone}
        return PeriodFacet.model_validate(told)


def _terms(**told: object) -> "SeriesTerms":
    from dpspin.boundary.model_base import explained_as
    from dpspin.boundary.series import SeriesTerms

    with explained_as(RequestError, "the series"):
        return SeriesTerms.model_validate(told)


def _tell(folder: Path, index: "SeriesIndex") -> None:
    every = index.terms.every.declared
    say(
        f"{folder}: {len(every)} periods from {every[0]} to {every[-1]}. Epsilon {index.terms.epsilon} is charged for "
        "all of them together. Add one with: dpspin series add FOLDER DATA --period NAME",
        err=True,
    )


def _show_page(release: Path) -> None:
    from dpspin.public.series.series import write_series

    say(f"\n{write_series(release).on_terminal(width())}")
    say(f"Publish: {release} (open index.html)", err=True)


def _table(release: Path, index: "SeriesIndex") -> list[str]:
    """Return a line for each period of the calendar, from what is published alone."""
    from dpspin.boundary.plan import SemanticPlan
    from dpspin.boundary.series_place import fading_of

    released = {period.name: period for period in index.periods}
    last = max(released, default="")
    names = sorted({*index.terms.every.declared, *released})
    lines = [f"{'period':<12} {'state':<10} {'life':>4} {'counted of wanted':>24}"]
    for name in names:
        if name not in released:
            lines.append(f"{name:<12} {'skipped' if name < last else 'to come':<10}")
            continue
        found = fading_of(SemanticPlan.load(release / released[name].plan))
        part = "unknown" if found is None else f"{found.part:.0%} ({found.low:.0%} to {found.high:.0%})"
        lines.append(f"{name:<12} {'released':<10} {released[name].life:>4} {part:>24}")
    left = sum(name > last for name in index.terms.every.declared)
    return [*lines, f"{left} of {len(index.terms.every.declared)} periods of this life are to come; it is paid for."]
