"""``dpspin.compare``: two releases, and what can be said of the change from the one to the other. No record is read."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.comparable import require_comparable
from dpspin.boundary.comparison_fields import Comparison
from dpspin.boundary.folders import plan_file_in
from dpspin.boundary.plan import SemanticPlan
from dpspin.errors import TemplateRefused
from dpspin.public.atoms.packs import atoms_beside, require_atoms_beside
from dpspin.public.compare.page import change_page
from dpspin.public.compare.rows import change_csv, terminal_text
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.verify import Verdict, check_text

Place = str | Path


@dataclass(frozen=True)
class Compared:
    """Two plans, what differs between them, and how it is told; ``str`` of it is the text."""

    facts: Facts

    @property
    def change(self) -> Comparison:
        """Every change with its interval, as data."""
        assert self.facts.change is not None  # noqa: S101  there are two plans
        return self.facts.change

    @cached_property
    def text(self) -> str:
        """The sentences; each was read back and holds."""
        text = TemplateDecoder()(self.facts)
        verdict = self.verify(text)
        if not verdict.accepted:
            why = ", ".join(verdict.rules())
            raise TemplateRefused(f"the template's text was refused ({why}), so nothing is shown: please report this")
        return text

    def __str__(self) -> str:
        return self.text

    def verify(self, text: str) -> Verdict:
        """Check a text about this change, whoever wrote it."""
        return check_text(text, Language(self.facts, Mode.DISPLAY))

    def to_json(self) -> str:
        """Return the comparison as JSON, with the digests of both plans."""
        return self.change.to_json()

    def to_csv(self) -> str:
        """Return a table: one row for each theme that was compared, and for what belongs to none."""
        return change_csv(self.facts, self.change)

    def to_html(self) -> str:
        """Return the page, without scripts or network."""
        return change_page(self.facts, self.change, self.verify(self.text))

    def on_terminal(self, width: int) -> str:
        """Return what a terminal of this width shows."""
        return terminal_text(self.facts, self.change, self.text, width)


def compare(a: SemanticPlan | Place, b: SemanticPlan | Place, atoms: AtomUniverse | None = None) -> Compared:
    """Compare two releases that measured the same in the same way: plans, release folders or plan files.

    ``atoms`` is their dictionary; it is found beside a file, or among the ready packs. Others are refused, and the
    error names what differs. A change of a theme's share is certified with both noises, for all themes together.
    """
    before, after = (each if isinstance(each, SemanticPlan) else SemanticPlan.load(each) for each in (a, b))
    require_comparable(before, after)
    files = [_file(each) for each in (a, b)]
    found = (atoms_beside(file, plan) for file, plan in zip(files, (before, after), strict=True))
    universe = atoms or next(filter(None, found), None) or require_atoms_beside(files[-1], after)
    return Compared(Facts(after, universe, before))


def _file(place: SemanticPlan | Place) -> Path:
    """Return where a plan lies; one that was handed over lies nowhere."""
    path = Path() / "nowhere" if isinstance(place, SemanticPlan) else Path(place)
    return plan_file_in(path) if path.is_dir() else path
