"""The page's table: what is known of every listed theme and of what lies beside them, and of the themes not listed."""

from dataclasses import dataclass

from dpspin.boundary.atoms import Atom
from dpspin.boundary.privacy import MASS
from dpspin.public.narrate.as_read import AsRead, Estimate
from dpspin.public.narrate.claims.certainty import whole_percent
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.chart import range_words
from dpspin.public.wording.numbers import scale_of

AS_FILED = (
    "Share",
    "Range without the privacy noise",
    "Estimate without sorting errors",
    "Sorted right on test text",
)
AS_READ = ("Best guess", "The map alone", "Its range without the privacy noise")
UNKNOWN = "–"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a listed theme, or what lies beside the themes (``atom_id`` None); one cell for each heading."""

    name: str
    description: str
    area: str
    cells: tuple[str, ...]
    atom_id: int | None = None
    unclear: bool = False


@dataclass(frozen=True, slots=True)
class ListedTable:
    """Headings of the numbers, and the rows; ``none`` and ``not_read`` are there where they are measured."""

    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    none: Row | None
    not_read: Row | None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.rows or self.none or self.not_read)


def listed_table(facts: Facts) -> ListedTable:
    """Lay out what is listed, as a reader would file it where a sample was read."""
    about = {int(atom.id): atom for atom in facts.atoms.atoms}
    rows = tuple(_theme(facts, about[atom]) for atom in facts.ranked)
    headings = AS_FILED if facts.read is None else (reader_would(facts), *AS_READ)
    return ListedTable(headings, rows, _none(facts), _not_read(facts))


def reader_would(facts: Facts) -> str:
    """Head what a reader would say: units are found to mention a theme, and mass is filed under it."""
    return "A reader would file" if facts.plan.statement.quantity == MASS else "A reader would find it in"


def _theme(facts: Facts, atom: Atom) -> Row:
    theme = int(atom.id)
    if facts.read is not None:
        read = facts.read
        cells = _as_read(facts, read, read.theme(theme), read.best_guesses[theme], facts.theme(theme))
        return Row(atom.label, atom.description, atom.parent or UNKNOWN, cells, theme)
    scale, sorting = scale_of(facts.plan), facts.sorting_range((theme,))
    precision = facts.cards[theme].precision if theme in facts.cards else None
    cells = (
        *_as_filed(facts, facts.theme(theme)),
        UNKNOWN if sorting is None else scale.between(*sorting),
        UNKNOWN if precision is None else f"{whole_percent(precision)}%",
    )
    unclear = not facts.listed[theme].clears_noise
    return Row(atom.label, atom.description, atom.parent or UNKNOWN, cells, theme, unclear)


def _none(facts: Facts) -> Row | None:
    if facts.plan.uncovered is None:
        return None
    filed, read = facts.beside(facts.plan.uncovered), facts.read
    if read is not None and read.none is not None and read.grounded.none is not None:
        cells = _as_read(facts, read, read.none, read.grounded.none.best_guess, filed)
        return Row("None of these", "What a reader would file under no theme of the dictionary.", UNKNOWN, cells)
    cells = (*_as_filed(facts, filed), UNKNOWN, UNKNOWN)
    return Row("None of these", "What readable records gave to no theme of the dictionary.", UNKNOWN, cells)


def _not_read(facts: Facts) -> Row | None:
    if facts.plan.not_read is None:
        return None
    filed, other = facts.beside(facts.plan.not_read), f"Records that are not in {facts.languages}."
    if facts.read is not None:
        cells = (UNKNOWN, UNKNOWN, *_as_filed(facts, filed))
        return Row(
            "In other languages", f"{other} The map looked for no theme in them; the reader did.", UNKNOWN, cells
        )
    cells = (*_as_filed(facts, filed), UNKNOWN, UNKNOWN)
    return Row("Not read", f"{other} No theme was looked for in them.", UNKNOWN, cells)


def _as_filed(facts: Facts, filed: Estimate) -> tuple[str, str]:
    scale = scale_of(facts.plan)
    return scale.text(filed.share), scale.interval(filed.low, filed.high)


def _as_read(facts: Facts, read: AsRead, estimate: Estimate, best: float, filed: Estimate) -> tuple[str, ...]:
    known = facts.has_shares
    told = range_words(read, estimate) if known else scale_of(facts.plan).text(0)
    return told, scale_of(facts.plan).text(best), *_as_filed(facts, filed)


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A theme that is not listed: its share and range, where there are any, and why it is not."""

    atom: Atom
    share: str
    interval: str
    reason: str


def unlisted(facts: Facts) -> list[Unlisted]:
    """Return the themes that are not listed, the largest first: they are paid for, where everything was measured."""
    rest = [atom for atom in facts.atoms.atoms if atom.id not in facts.ranked]
    size = facts.masses if facts.read is None else {atom: each.share for atom, each in facts.read.every.items()}
    return [_unlisted(facts, atom) for atom in sorted(rest, key=lambda atom: -size.get(int(atom.id), 0.0))]


def _unlisted(facts: Facts, atom: Atom) -> Unlisted:
    theme = int(atom.id)
    share, interval = _as_filed(facts, facts.theme(theme)) if theme in facts.masses else ("", "")
    if facts.read is not None and facts.has_shares:
        interval = range_words(facts.read, facts.read.every[theme])
    return Unlisted(atom, share, interval, reason_left_out(facts, theme))


def reason_left_out(facts: Facts, atom: int) -> str:
    """Say why a theme of the dictionary is not listed."""
    if atom not in facts.masses:
        return "not among the privately chosen ones"
    if facts.read is not None:
        return f"not among the {facts.plan.rules.size} largest by the reading"
    if facts.masses[atom] <= facts.plan.rules.certificates.admission_threshold:
        return "does not stand clear of the noise"
    return f"not among the {facts.plan.rules.size} largest"
