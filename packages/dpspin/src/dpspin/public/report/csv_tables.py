"""The plan as tables: wide for people with a spreadsheet, one row per theme or area, and tidy for programs; as CSV."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from decimal import Decimal

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.grounded_shares import GroundedValue
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import PlanEntry, Uncovered
from dpspin.boundary.printable import printable
from dpspin.public.narrate.as_read import AsRead, Estimate
from dpspin.public.narrate.claims.areas import by_share
from dpspin.public.narrate.claims.beside_baseline import themes_beside_baseline
from dpspin.public.narrate.facts import Facts


@dataclass(frozen=True, slots=True)
class ThemeRow:
    """One theme whose mass was released, listed or not; the fields are the columns, the technical ones last."""

    theme: str
    area: str
    listed: bool
    share_percent: Decimal | None
    low_percent: Decimal | None
    high_percent: Decimal | None
    rank: int | None
    bin: str
    clear_of_noise: bool | None
    description: str
    noisy_mass: float
    atom_id: int


@dataclass(frozen=True, slots=True)
class ReadThemeRow(ThemeRow):
    """The same where a sample was read: what a reader would file, for all listed themes together, and a best guess.

    ``listed`` and ``rank`` are by the reading; the shares of before are what the map alone filed.
    """

    reader_low_percent: Decimal | None
    reader_high_percent: Decimal | None
    best_guess_percent: Decimal | None


@dataclass(frozen=True, slots=True)
class AreaRow:
    """One heading of the dictionary; it has a share where the masses of all of its themes were released and add up."""

    area: str
    share_percent: Decimal | None
    low_percent: Decimal | None
    high_percent: Decimal | None
    themes: int
    listed_themes: int


def theme_rows(facts: Facts) -> list[ThemeRow]:
    """Return the themes, the largest first; their shares are rounded as the sentences round them."""
    places = {atom: place for place, atom in enumerate(facts.labels)}
    sizes = facts.masses if facts.read is None else {atom: each.share for atom, each in facts.read.every.items()}
    ranks = {atom: rank for rank, atom in enumerate(facts.ranked)}
    last = len(ranks)
    largest_first = sorted(facts.masses, key=lambda atom: (ranks.get(atom, last), -sizes[atom], places[atom]))
    about = {int(atom.id): atom for atom in facts.atoms.atoms}
    return [_theme_row(facts, atom, about[atom].parent or "", about[atom].description) for atom in largest_first]


def _theme_row(facts: Facts, atom: int, area: str, description: str) -> ThemeRow:
    entry = facts.listed.get(atom)
    share, low, high = _percentages(facts, facts.theme(atom))
    row = ThemeRow(
        theme=facts.labels[atom],
        area=area,
        listed=atom in facts.ranked,
        share_percent=share,
        low_percent=low,
        high_percent=high,
        rank=facts.ranked.index(atom) + 1 if atom in facts.ranked else None,
        bin="" if entry is None else known_bin(facts.plan, entry),
        clear_of_noise=None if entry is None else entry.clears_noise,
        description=" ".join(description.split()),
        noisy_mass=facts.masses[atom],
        atom_id=atom,
    )
    read = facts.read
    if read is None:
        return row
    low, high = read.outward(read.theme(atom)) if facts.has_shares else (None, None)
    return ReadThemeRow(
        **{field.name: getattr(row, field.name) for field in fields(row)},
        reader_low_percent=low,
        reader_high_percent=high,
        best_guess_percent=facts.percent(read.best_guesses[atom]) if facts.has_shares and atom in read.listed else None,
    )


def columns_of(facts: Facts) -> list[str]:
    """Return the columns of the wide table."""
    return [field.name for field in fields(ThemeRow if facts.read is None else ReadThemeRow)]


def area_rows(facts: Facts) -> list[AreaRow]:
    """Return the areas, the largest first; in the order of the dictionary where they have no shares."""
    return [_area_row(facts, area) for area in by_share(facts) or facts.areas]


def _area_row(facts: Facts, area: str) -> AreaRow:
    members = facts.areas[area]
    share, low, high = _percentages(facts, facts.area_estimates.get(area))
    return AreaRow(
        area=area,
        share_percent=share,
        low_percent=low,
        high_percent=high,
        themes=len(members),
        listed_themes=sum(atom in facts.ranked for atom in members),
    )


def _percentages(facts: Facts, estimate: Estimate | None) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
    """Return a share and the ends of its interval, where there is one that says anything."""
    if estimate is None or not facts.has_shares:
        return None, None, None
    return facts.percent(estimate.share), *facts.outward(estimate)


COLUMNS = ("atom_id", "label", "admitted", "bin", "variable", "value", "low", "high")
NONE = "none of these"
NOT_READ = "not in a language that the map reads"
FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n", "'")

Row = tuple[object, ...]


def themes_csv(plan: SemanticPlan, atoms: AtomUniverse) -> str:
    """Return the wide table: one row per theme whose mass was released, listed or not, the largest first.

    Shares and their intervals are rounded as the sentences of a report round them; the tidy table has all digits.
    """
    facts = Facts(plan, atoms)
    return csv_text(columns_of(facts), (astuple(row) for row in theme_rows(facts)))


def csv_text(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Write a table as RFC 4180 text, in which no cell is run."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(map(_cell, row) for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return defused(value)
        case _:
            return value


def plan_csv(plan: SemanticPlan, atoms: AtomUniverse) -> str:
    r"""Return the tidy table: one row per atom and variable, as RFC 4180 text.

    Where the plan measures them, text in other languages and "none of these" come first, without an ``atom_id``.
    Variables of an admitted atom: ``noisy_mass``, ``mass``, ``support`` (the last two with their certified interval in
    ``low`` and ``high``) and ``rank``. Its ``bin`` is a word, so it is a column of its own and ``value`` is always a
    number; bins and supports are left open where nothing is known of what shares refer to. Atoms that were not admitted
    follow in dictionary order with their ``noisy_mass``, where the mechanism paid for it.

    With a public baseline, three more variables follow for every atom: ``baseline_share`` and, from a full sketch,
    ``share_of_total`` with its certified interval, and ``best_guess_share`` for the atoms of the denoised list.

    Where a sample was read, the listed themes by the reading come last, and "none of these": ``read_mass`` and
    ``read_support`` with the intervals in which a reader would put them, ``read_best_guess`` and ``read_rank``; and
    ``sorted_alike``, the share of the mass that the map put where the reader did.

    Spreadsheets run cells that begin like a formula. Such words get one leading apostrophe, and so do words that
    begin with an apostrophe: dropping one leading apostrophe gives back the public words. Numbers are left alone.
    Marks of direction and other characters that are obeyed or hidden are written out, as in ``\u202e``.
    """
    return csv_text(COLUMNS, tidy_rows(Facts(plan, atoms)))


def tidy_rows(facts: Facts) -> Iterator[Row]:
    """Yield the rows of the tidy table, with words as they are."""
    plan, labels = facts.plan, facts.labels
    yield from _beside_rows(plan)
    for entry in plan.entries:
        yield from _admitted_rows(plan, entry)
    yield from _other_rows(plan, labels)
    yield from _baseline_rows(plan, labels)
    yield from () if facts.read is None else _read_rows(facts, facts.read)


def _read_rows(facts: Facts, read: AsRead) -> Iterator[Row]:
    for theme in read.grounded.themes:
        admitted = facts.listed.get(int(theme.atom_id))
        about = (
            theme.atom_id,
            theme.label,
            "true" if admitted else "false",
            known_bin(facts.plan, admitted) if admitted else "",
        )
        yield from _read_values(about, theme, facts.plan)
        yield (*about, "read_rank", theme.rank, "", "")
    if read.grounded.none is not None:
        yield from _read_values(("", NONE, "", ""), read.grounded.none, facts.plan)
    alike = read.grounded.sorted_alike
    if alike is not None and facts.has_shares:
        yield ("", "", "", "", "sorted_alike", alike.share, alike.low, alike.high)


def _read_values(about: Row, value: GroundedValue, plan: SemanticPlan) -> Iterator[Row]:
    support = (value.support, value.support_low, value.support_high)
    yield (*about, "read_mass", value.mass, value.low, value.high)
    yield (*about, "read_support", *(support if plan.has_shares else ("", "", "")))
    yield (*about, "read_best_guess", value.best_guess if plan.has_shares else "", "", "")


def _admitted_rows(plan: SemanticPlan, entry: PlanEntry) -> Iterator[Row]:
    about = (entry.atom_id, entry.label, "true", known_bin(plan, entry))
    yield from _value_rows(about, entry, plan)
    yield (*about, "rank", entry.rank, "", "")


def _beside_rows(plan: SemanticPlan) -> Iterator[Row]:
    for name, value in ((NOT_READ, plan.not_read), (NONE, plan.uncovered)):
        if value is not None:
            yield from _value_rows(("", name, "", ""), value, plan)


def _value_rows(about: Row, released: PlanEntry | Uncovered, plan: SemanticPlan) -> Iterator[Row]:
    support = (released.support, released.support_low, released.support_high)
    yield (*about, "noisy_mass", released.noisy_mass, "", "")
    yield (*about, "mass", released.mass, released.low, released.high)
    yield (*about, "support", *(support if plan.has_shares else ("", "", "")))


def _other_rows(plan: SemanticPlan, labels: dict[int, str]) -> Iterator[Row]:
    admitted = {entry.atom_id for entry in plan.entries}
    for item in plan.noisy_sketch or ():
        if item.atom_id not in admitted:
            yield (item.atom_id, labels[item.atom_id], "false", "", "noisy_mass", item.noisy_mass, "", "")


def _baseline_rows(plan: SemanticPlan, labels: dict[int, str]) -> Iterator[Row]:
    admitted = {entry.atom_id: known_bin(plan, entry) for entry in plan.entries}
    released = {each.atom_id: each for each in themes_beside_baseline(plan)}
    guessed = {each.atom_id: each.share for each in plan.denoised}
    for public in plan.baseline.shares if plan.baseline else ():
        i = public.atom_id
        about = (i, labels[i], "true" if i in admitted else "false", admitted.get(i, ""))
        yield (*about, "baseline_share", public.share, "", "")
        if i in released:
            yield (*about, "share_of_total", released[i].share, released[i].low, released[i].high)
        if i in guessed:
            yield (*about, "best_guess_share", guessed[i], "", "")


def defused(words: str) -> str:
    """Return words that no spreadsheet takes for a formula, and in which nothing is obeyed or hidden.

    >>> defused("=HYPERLINK(1)"), defused("late parcel")
    ("'=HYPERLINK(1)", 'late parcel')
    """
    seen = printable(words)
    return f"'{seen}" if seen.startswith(FORMULA_STARTS) or seen.lstrip().startswith(FORMULA_STARTS) else seen


def known_bin(plan: SemanticPlan, entry: PlanEntry) -> str:
    """Name the bin of an entry; nothing where nothing is known of what shares refer to."""
    return entry.bin if plan.has_shares else ""
