"""At a terminal, a release looks first, shows what goes on, and asks the curator where something looks wrong."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dpspin.cli.flags import in_options
from dpspin.cli.terminal import attended, draws_blocks, fitting_words, reading, say, width, working
from dpspin.errors import RecordsRefused

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.curator.aggregate.local import Records
    from dpspin.curator.check.doubts import Doubt
    from dpspin.curator.release.measurement import Measurement
    from dpspin.pipeline import Released
    from dpspin.request import ReleaseRequest

NO_LOOK = "no look was taken at the records first, since nobody was at a terminal: `dpspin check` is one"
STOPPED = "stopped before anything was charged"


def doubt_lines(doubts: Sequence["Doubt"], *, by_file: bool = False) -> Iterator[str]:
    """Say what looks wrong, and what to do: in options, or in the fields of a request file."""
    if doubts:
        yield "\nLooks wrong:"
    for doubt in doubts:
        yield f"  {doubt.what}\n    {doubt.do if by_file else in_options(doubt.do)}"


@dataclass(slots=True)
class AtTheTerminal:
    """The curator's terminal. An unattended run looks at nothing, so it decides nothing by the data."""

    by_file: bool = False  # the request is a file, which names fields
    seen: int | None = None  # how many records there are; None where nobody looked

    def look_at_data(self, measured: "Measurement", atoms: "AtomUniverse") -> None:
        """Where a person sits there, look at the records first, and ask whether to go on if something looks wrong."""
        if not attended():
            return
        from dpspin.boundary.facets import columns_of
        from dpspin.curator.check.whole_look import look_at_all
        from dpspin.curator.records.columns import Columns

        facets = [view.facet for view in measured.views]
        columns = Columns(measured.text, measured.user, facets=columns_of(facets))
        with reading("looking at") as tell:
            look = look_at_all(
                measured.data, columns, measured.dialect, measured.languages_read(atoms), facets=facets, tell=tell
            )
        self.ask(look.doubts)
        self.seen = look.text.records

    def look_at_map(self, records: "Records") -> "Records":
        """Where a person sits there, try the fitted map on the first records, and ask whether to go on.

        No language model is asked for a look; what it is about to be asked is announced instead.
        """
        from dpspin.curator.check.doubts import doubts_about_map
        from dpspin.curator.check.look import look_at_map

        if records.contribution_map.statement.trusts:
            return replace(records, announce=partial(_tell_estimate, records))
        if attended():
            with working("trying the map on the first records"):
                look = look_at_map(records.corpus, records.contribution_map, records.origin.universe_size)
            self.ask(doubts_about_map(look))
        return records

    def fitting(self, atoms: "AtomUniverse") -> AbstractContextManager[None]:
        """Show that a map is being fitted."""
        return working(fitting_words(atoms))

    def reading(self) -> AbstractContextManager[Callable[[int], None]]:
        """Show how many records have been read; they are read twice, to be compared and to be measured."""
        return reading("reading, mapping and charging", None if self.seen is None else 2 * self.seen)

    def ask(self, doubts: Sequence["Doubt"]) -> None:
        """Tell what looks wrong, and stop unless the person there goes on all the same."""
        for line in doubt_lines(doubts, by_file=self.by_file):
            say(line, err=True)
        if doubts and not _goes_on():
            raise RecordsRefused(STOPPED)

    def tell_whether_anyone_looked(self, request: "ReleaseRequest") -> None:
        """Say that no look was taken, where there were records here to look at."""
        from dpspin.curator.records.frames import is_spark_frame
        from dpspin.request import SketchFiles

        here = not isinstance(request.records, SketchFiles) and not is_spark_frame(request.records.data)
        if self.seen is None and here:
            say(NO_LOOK, err=True)


def tell_release(out: Path, released: "Released") -> None:
    """Show the summary, what was on trust, what is left of the budget, and which folder is which."""
    from dpspin.boundary.accounting import cost_of
    from dpspin.public.narrate.facts import Facts
    from dpspin.public.report.finding import shown_sentences
    from dpspin.public.report.on_terminal import terminal_page
    from dpspin.public.wording.promise import on_trust

    plan, dataset = released.plan, released.dataset
    summary = shown_sentences(released.texts.display.verdict) if released.texts else []
    say(terminal_page(Facts(plan, released.atoms), summary, width(), plain=not draws_blocks()))
    if released.answer.diagnostics is None:
        say("\nThese numbers were released before: read again, at no cost.", err=True)
    for sentence in on_trust(plan.statement):
        say(f"\n{sentence}", err=True)
    budget = released.ledger.require_budget(dataset)
    more = budget.reports_left(cost_of(plan.statement, plan.rules.size, plan.denominator))
    spent, cap = budget.words(budget.spent), budget.words(budget.cap)
    say(f"\nBudget of {dataset}: spent {spent} of {cap}; {more} more like this one.", err=True)
    say(f"Publish: {out / 'release'} (open report.html)", err=True)
    say(f"Keep private: {out / 'curator'} (diagnostics.json tells how many records could be used)", err=True)


def _tell_estimate(records: "Records") -> None:
    """Say on the curator's own terminal what is about to be asked, before the first record is sent."""
    from dpspin.boundary.calibration import rate_of
    from dpspin.curator.assign.llm.llm_map import LlmMap
    from dpspin.curator.records.columns import TEXT

    if isinstance(records.contribution_map, LlmMap):
        everyone = records.contribution_map.estimate(batch.column(TEXT) for batch in records.corpus.batches())
        rate = rate_of(records.origin.sampling)
        say(str(everyone if rate == 1 else everyone.times(rate)), err=True)


def _goes_on() -> bool:
    try:
        return typer.confirm("Go on all the same?", default=False, err=True)
    except typer.Abort:  # Ctrl-C or Ctrl-D is a no
        return False
