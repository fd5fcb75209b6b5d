"""The plan as CSV files: tidy for programs, and wide for people with a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, fields

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import PlanEntry, Uncovered
from dpspin.boundary.printable import printable
from dpspin.public.narrate.claims.baseline import departures_of
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.bins import known_bin
from dpspin.public.report.names import labels_of
from dpspin.public.report.wide import ThemeRow, theme_rows

COLUMNS = ("atom_id", "label", "admitted", "bin", "variable", "value", "low", "high")
NONE = "none of these"
NOT_READ = "not in a language that the map reads"
FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n", "'")

Row = tuple[object, ...]


def themes_csv(plan: SemanticPlan, atoms: AtomUniverse) -> str:
    """Return the wide table: one row per theme whose mass was released, listed or not, the largest first.

    Shares and their intervals are rounded as the sentences of a report round them; the tidy table has all digits.
    """
    names = [field.name for field in fields(ThemeRow)]
    return _csv(names, (astuple(row) for row in theme_rows(Facts(plan, atoms))))


def _csv(columns: Sequence[str], rows: Iterable[Row]) -> str:
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


def plan_csv(plan: SemanticPlan, *, atoms: AtomUniverse | None = None) -> str:
    r"""Return the tidy table: one row per atom and variable, as RFC 4180 text.

    Where the plan measures them, text in other languages and "none of these" come first, without an ``atom_id``.
    Variables of an admitted atom: ``noisy_mass``, ``mass``, ``support`` (the last two with their certified interval in
    ``low`` and ``high``) and ``rank``. Its ``bin`` is a word, so it is a column of its own and ``value`` is always a
    number; bins and supports are left open where nothing is known of what shares refer to. Atoms that were not admitted
    follow in dictionary order with their ``noisy_mass``, where the mechanism paid for it; they have a label only if the
    dictionary is given.

    With a public baseline, three more variables follow for every atom: ``baseline_share`` and, from a full sketch,
    ``share_of_total`` with its certified interval, and ``best_guess_share`` for the atoms of the denoised list.

    Spreadsheets run cells that begin like a formula. Such words get one leading apostrophe, and so do words that
    begin with an apostrophe: dropping one leading apostrophe gives back the public words. Numbers are left alone.
    Marks of direction and other characters that are obeyed or hidden are written out, as in ``\u202e``.
    """
    return _csv(COLUMNS, tidy_rows(plan, labels_of(plan, atoms)))


def tidy_rows(plan: SemanticPlan, labels: dict[int, str]) -> Iterator[Row]:
    """Yield the rows of the tidy table, with words as they are."""
    yield from _beside_rows(plan)
    for entry in plan.entries:
        yield from _admitted_rows(plan, entry)
    yield from _other_rows(plan, labels)
    yield from _baseline_rows(plan, labels)


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
            yield (item.atom_id, labels.get(item.atom_id, ""), "false", "", "noisy_mass", item.noisy_mass, "", "")


def _baseline_rows(plan: SemanticPlan, labels: dict[int, str]) -> Iterator[Row]:
    admitted = {entry.atom_id: known_bin(plan, entry) for entry in plan.entries}
    released = {each.atom_id: each for each in departures_of(plan)}
    guessed = {each.atom_id: each.share for each in plan.denoised}
    for public in plan.baseline.shares if plan.baseline else ():
        i = public.atom_id
        about = (i, labels.get(i, ""), "true" if i in admitted else "false", admitted.get(i, ""))
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
