"""``dpspin atoms``: dictionaries of concepts (Stage 0)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import build, flags
from dpspin.cli.flags import JsonOption
from dpspin.cli.terminal import fitting_words, say, working

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.boundary.report_card import AtomCard, ReportCard
    from dpspin.boundary.statement import MapStatement

WORST = 12

app = typer.Typer(
    help="Dictionaries of concepts: list the ready packs, show and check one, draft or build one.", no_args_is_help=True
)

NameArgument = Annotated[str, typer.Argument(metavar="ATOMS", help="A pack's name or a dictionary file.")]


@app.command("packs")
def packs(as_json: JsonOption = False) -> None:
    """List the ready packs."""
    from dpspin.public.atoms.packs import in_short, load, names

    if as_json:
        universes = {name: load(name) for name in names()}
        rows = {name: {"atoms": u.size, "version": u.version, "digest": u.digest} for name, u in universes.items()}
        say(json.dumps(rows, indent=2))
        return
    for name in names():
        say(f"{name}  {in_short(name)}")


@app.command("show")
def show(atoms: NameArgument, as_json: JsonOption = False) -> None:
    """Show a dictionary: its atoms, provenance and digest."""
    from dpspin.public.atoms.dictionary_files import dumps
    from dpspin.public.atoms.packs import load_named

    universe = load_named(atoms)
    if as_json:
        say(dumps(universe.published))
        return
    say(f"{universe.name}, version {universe.version}: {universe.size} atoms\n{universe.digest}")
    say(f"{universe.provenance.source}: {universe.provenance.note}\n")
    group = None
    for atom in universe.atoms:
        if atom.parent != group:
            group = atom.parent
            say(group or "")
        say(f"  {atom.id:>4}  {atom.label:<32}  {atom.description}")


@app.command("lint")
def lint(atoms: NameArgument, as_json: JsonOption = False) -> None:
    """Check a dictionary for labels that overlap, say too little or carry personal data. Exit code 1 on findings."""
    from dataclasses import asdict

    from dpspin.public.atoms.lint import lint as findings_in
    from dpspin.public.atoms.packs import load_named

    findings = findings_in(load_named(atoms))
    if as_json:
        say(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        for finding in findings:
            say(f"{finding.rule}  {finding.message}")
        say("no findings" if not findings else f"{len(findings)} findings", err=True)
    raise typer.Exit(1 if findings else 0)


@app.command("test")
@flags.takes(
    *("records.map", "records.map.languages", "records.map.embedder", "records.map.atoms_per_record"),
    *("records.auxiliary.source", "records.auxiliary.text", "records.auxiliary.label", "records.auxiliary.crosswalk"),
)
def examine(
    given: dict[str, object],
    atoms: NameArgument,
    save: Annotated[Path | None, typer.Option("--save", help="Keep the fitted map, for --map of a release.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Fit a map, show its report card, and keep it: how far a dictionary and a map can be believed, before any release.

    The card is measured on text that the map did not learn from: labelled auxiliary text or, without any, records
    composed of the dictionary's own examples. Protected records play no part.
    """
    from dpspin.boundary.request_terms import placed, read_as
    from dpspin.curator.assign.saved_maps import save_map
    from dpspin.request import FitRequest

    flags.require_no_model(given, "an examination")
    asked = read_as(FitRequest, placed({"atoms": atoms, **given}))
    universe = asked.dictionary()
    with working(fitting_words(universe)):
        fitted = asked.records.fitted(universe)
    if save is not None:
        save_map(fitted, save)
    if as_json:
        say(fitted.statement.model_dump_json(indent=2))
        return
    for line in card_lines(fitted.statement, universe):
        say(line)


def card_lines(statement: "MapStatement", universe: "AtomUniverse") -> Iterator[str]:
    """Say in plain words how far a map can be believed."""
    yield f"map: {statement.name}, fitted on {statement.fitted_on}"
    yield f"digest: {statement.digest}"
    if statement.card is None:
        yield "no report card: the map is untested, for want of labelled auxiliary text or example sentences"
        return
    yield from _whole(statement.card)
    yield from _atoms(statement.card, universe)


def _whole(card: "ReportCard") -> Iterator[str]:
    yield f"\nmeasured on {card.measured_on}, none of which the map learned from:"
    yield f"  of the mass it assigns, {card.precision:.0%} is on themes that the text expresses"
    yield f"  of the themes that texts express, it finds {card.recall:.0%}"
    yield from _shares(card)
    yield f"  covered by the dictionary: {card.covered_by_map:.0%} by the map, {card.covered_in_truth:.0%} in truth"


def _shares(card: "ReportCard") -> Iterator[str]:
    """Say what the shares are worth, where the map was tested on text that people wrote."""
    if not card.real_text:
        yield "  how far the shares of real text are off, such records cannot tell: label some text for that"
        return
    yield f"  {card.total_variation:.1%} of the total lies on the wrong theme once errors have cancelled out"
    if card.rivals is not None:
        alone, with_map = card.rivals.labels, card.rivals.with_map
        yield f"  shares of a fifth of the texts, guessed from the labels of the others: {alone:.1%} off"
        yield f"  the same, with what the map sees change: {with_map:.1%} off"
        if card.rivals.passed_on is not None:
            yield f"  of the rise of a theme that doubles, the map shows {card.rivals.passed_on:.0%}"


def _atoms(card: "ReportCard", universe: "AtomUniverse") -> Iterator[str]:
    labels = {atom.id: atom.label for atom in universe.atoms}
    tested = [atom for atom in card.atoms if atom.recall is not None]
    head = f"measured worst ({min(WORST, len(tested))} of {len(card.atoms)}):"
    yield f"\n{head:<33}precision   recall   texts"
    for atom in sorted(tested, key=_worth)[:WORST]:
        precision = "     –" if atom.precision is None else f"{atom.precision:6.0%}"
        recall, texts = f"{atom.recall or 0.0:6.0%}", f"{atom.expressed or 0.0:5.0f}"
        yield f"  {labels[atom.atom_id][:32]:<32}  {precision}   {recall}   {texts}"


def _worth(atom: "AtomCard") -> float:
    return (atom.precision or 0.0) + (atom.recall or 0.0)


@app.command("candidates")
def candidates(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE…", help="Packs or dictionary files whose themes may be missing."),
    ],
    atoms: Annotated[str, typer.Option("--atoms", help="The dictionary that may lack them: a pack's name or a file.")],
    out: Annotated[Path, typer.Option("--out", help="The list to write, a .json file that does not exist yet.")],
    most: Annotated[int, typer.Option("--most", min=1, max=500, help="The most candidates to list.")] = 250,
) -> None:
    """List themes that a dictionary may lack, for --candidates of a release: from public words, NEVER from records.

    Sources may be packs, dictionaries that were built from auxiliary text, or drafts of a model that never saw the
    records. What the dictionary has, or nearly has, is left out; of the rest, the themes of its subject stay.
    """
    from dpspin.public.atoms.candidates import list_candidates
    from dpspin.public.atoms.dictionary_files import dumps
    from dpspin.public.atoms.packs import load_named

    build.require_new(out, ".json")
    listed = list_candidates(load_named(atoms), [*map(load_named, sources)], name=out.stem, most=most)
    out.write_text(dumps(listed.themes), encoding="utf-8")
    for theme in listed.left_out:
        say(f"left out  {theme.label}: too near to {theme.near}")
    say(f"{listed.themes.size} candidates in {out}; read them, and strike what you do not want to ask for", err=True)


@app.command("adopt")
def adopt(
    plan: flags.PlanArgument,
    names: Annotated[list[str], typer.Argument(metavar="CANDIDATE…", help="Candidates of the plan, by name.")],
    themes: Annotated[str, typer.Option("--candidates", help="The list that the release was given.")],
    atoms: Annotated[str, typer.Option("--atoms", help="The dictionary they are added to: a pack's name or a file.")],
    into: Annotated[Path, typer.Option("--into", help="The new dictionary, a .json file that does not exist yet.")],
) -> None:
    """Add candidates of a released plan to a dictionary, as drafts that `atoms lint` points at until they are read."""
    from dpspin.cli.plans import plan_in, read_plan
    from dpspin.public.atoms.candidates import adopted
    from dpspin.public.atoms.dictionary_files import dumps
    from dpspin.public.atoms.packs import load_named

    build.require_new(into, ".json")
    grown = adopted(load_named(atoms), load_named(themes), read_plan(plan_in(plan)), names)
    into.write_text(dumps(grown), encoding="utf-8")
    say(f"{grown.size} atoms in {into}; read the drafts: dpspin atoms lint {into}", err=True)


app.add_typer(build.app, name="build")
app.command("suggest")(build.suggest)
app.command("teach")(build.teach)
