"""``dpspin series check``, and what ``dpspin series add`` looks at before it closes a period, for the curator."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from dpspin.cli.attend import AtTheTerminal, doubt_lines
from dpspin.cli.check import PRIVATE, account_doubts, text_lines
from dpspin.cli.terminal import attended, fitting_words, reading, say, working

if TYPE_CHECKING:
    from dpspin.curator.check.doubts import Doubt
    from dpspin.curator.check.look import TextLook
    from dpspin.curator.check.period import DateLook, UserLook
    from dpspin.series import Series

REFUSED = (
    "The period would be refused: what is learned of them adds up in one account. Open a series under that one (dpspin "
    "series open --dataset), or say why they are apart (dpspin ledger apart)."
)
MOST_NAMED = 3
MAY = "You may decide by this whether it is the right file, and whether it is complete."
MUST_NOT = "Do not skip a period because of what it holds: that it is missing would tell of the records without noise."


@dataclass(frozen=True, slots=True)
class PeriodLook:
    """What the looks at the records of a period found."""

    dates: "DateLook"
    text: "TextLook"
    users: "UserLook"
    doubts: "tuple[Doubt, ...]"

    def as_json(self) -> dict[str, object]:
        """Return everything for a program; as private as the lines."""
        found = {"dates": asdict(self.dates), "text": asdict(self.text), "users": asdict(self.users)}
        wrong = [{"what": doubt.what, "do": doubt.do} for doubt in self.doubts]
        return {"private": PRIVATE, **found, "looks_wrong": wrong}

    def lines(self) -> Iterator[str]:
        """Return everything for a terminal."""
        dates = self.dates
        yield PRIVATE
        yield f"\nIn DATA    {dates.records:,} records"
        yield f"Counted    {dates.counted:,} in {dates.period}"
        yield f"Left out   {dates.earlier:,} earlier, {dates.later:,} later, {dates.undated:,} without a date"
        if dates.counted:
            yield from text_lines(self.text)
            yield f"Known      {self.users.known:,} of the users were counted in an earlier period of this life"
        yield from doubt_lines(self.doubts, by_file=True)
        yield f"\n{MAY}\n{MUST_NOT}"


def look_at_period(series: "Series", data: str, period: str) -> PeriodLook:
    """Read the records of a period that is not released yet; nothing is charged, taken or written."""
    from dpspin.curator.check.doubts import doubts_about_files, doubts_about_map, doubts_about_text
    from dpspin.curator.check.look import Tally, look_at_map, look_at_text
    from dpspin.curator.check.peek import seen_file
    from dpspin.curator.check.period import doubts_about_dates, doubts_about_known, look_at_dates, look_at_users
    from dpspin.curator.check.whole_look import lenient
    from dpspin.curator.records.columns import Columns
    from dpspin.curator.records.find_files import locate
    from dpspin.curator.release.series_period import users_before

    with working(fitting_words(series.atoms)):
        records = series.records
    columns, dialect = records.corpus.columns, records.corpus.dialect
    dated = columns.dated
    assert dated is not None  # noqa: S101  a series reads by dates
    before = users_before(
        series.asked(period, series.life_of(period)), records, series.ledger, series.state(series.life)
    )
    every = lenient(data, Columns(columns.text, facets=(dated.calendar.column,)), dialect)
    left_out = Tally()
    corpus = lenient(data, Columns(columns.text, columns.user, dated=dated), dialect, left_out)
    with reading("looking at") as tell:
        dates, text = look_at_dates(every, dated, period, tell), look_at_text(corpus, tell, left_out)
        users = look_at_users(corpus, *before)
    doubts = [*doubts_about_dates(dates, dated), *doubts_about_known(users)]
    if dates.counted:
        statement = records.contribution_map.statement
        files = [seen_file(file, dialect) for file in locate(data)]
        doubts += doubts_about_files(files, dialect, columns)
        told = replace(text, users=None) if users.known else text  # else what names them is looked at too
        doubts += doubts_about_text(told, columns, statement.languages, [])
        doubts += doubts_about_map(look_at_map(corpus, records.contribution_map, records.origin.universe_size))
        doubts += account_doubts(series.ledger, series.request.dataset, corpus, REFUSED)
    return PeriodLook(dates, text, users, tuple(doubts))


def ask_about_others(dataset: str, ledger: object) -> None:
    """Say before the charge that people of other accounts will be refused later: no record is here to compare yet."""
    from dpspin.curator.check.doubts import Doubt
    from dpspin.curator.ledger.ledger import Ledger, default_ledger
    from dpspin.curator.ledger.stores import store_of

    store = store_of(str(ledger or default_ledger()))
    others = Ledger(store).datasets() if store.exists() else ()
    if not others or dataset in others:
        return
    more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
    doubt = Doubt(
        f"The ledger has accounts of {', '.join(map(repr, others[:MOST_NAMED]))}{more}, and none of {dataset!r} yet.",
        "Periods with many of their records or users would be refused, and what is charged now stays charged. "
        "Compare first, for free: dpspin check DATA --text … --user … --dataset …. If they are the same people, take "
        "that account (--dataset), or one population for both (dpspin ledger init --population).",
    )
    if attended():
        AtTheTerminal().ask([doubt])
    else:
        say("\n".join(doubt_lines([doubt])), err=True)
