"""``dpspin release``: the curator's side, and the folder that may be published."""

import glob
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import options, requested
from dpspin.cli.records import RecordOptions, refuse_record_options
from dpspin.cli.terminal import say
from dpspin.errors import RequestError, SourceError

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.boundary.baseline import Baseline
    from dpspin.curator.aggregate.local import Records
    from dpspin.curator.aggregate.shards import Shards
    from dpspin.pipeline import FromAuxiliary


def release(
    context: typer.Context,
    atoms: options.AtomsOption,
    epsilon: options.EpsilonOption,
    out: Annotated[Path, typer.Option("--out", help="Writes OUT/release (publishable) and OUT/curator (private).")],
    data: Annotated[
        str | None, typer.Argument(metavar="DATA", help="A file, a folder, or a glob in quotes.", show_default=False)
    ] = None,
    sketch: Annotated[
        list[str] | None,
        typer.Option("--sketch", help="Instead of DATA: a file of `dpspin sketch`, or a glob in quotes; repeat it."),
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", help="With DATA, required: the column with the records' words.")
    ] = None,
    unit: Annotated[
        options.Unit | None,
        typer.Option("--unit", help="With DATA, required: what is protected, one record or all records of one user."),
    ] = None,
    user: options.UserOption = None,
    bound: options.BoundOption = None,
    denominator: options.ReleaseDenominatorOption = None,
    count_share: options.CountShareOption = None,
    delta: options.DeltaOption = 0.0,
    mechanism: options.MechanismOption = options.MechanismName.LAPLACE,
    rho: options.RhoOption = None,
    monotone: options.MonotoneOption = False,
    accounting: options.AccountingOption = None,
    adjacency: options.AdjacencyOption = options.AdjacencyName.ADD_DROP,
    size: options.SizeOption = None,
    admission: Annotated[
        options.AdmissionName | None,
        typer.Option("--admission", help="threshold (default): only what stands clear of the noise; fixed: L themes."),
    ] = None,
    beta: options.BetaOption = 0.05,
    margin: options.MarginOption = None,
    bins: Annotated[
        str | None, typer.Option("--bins", help="Floors of high and moderate support, e.g. 0.05,0.02.")
    ] = None,
    map_: options.MapOption = "hybrid",
    per_record: options.PerRecordOption = None,
    embedder: options.EmbedderOption = None,
    languages: options.LanguagesOption = None,
    aux: options.AuxOption = None,
    aux_text: options.AuxTextOption = None,
    aux_user: options.AuxUserOption = None,
    aux_label: options.AuxLabelOption = None,
    aux_is_public: options.AuxIsPublicOption = False,
    atoms_aux: options.AtomsAuxOption = None,
    atoms_aux_is_public: options.AtomsAuxIsPublicOption = False,
    llm_url: options.LlmUrlOption = None,
    llm_model: options.LlmModelOption = None,
    llm_endpoint_is_trusted: options.LlmTrustedOption = False,
    quantity: options.QuantityOption = options.QuantityName.MASS,
    prevalence_atoms: options.PrevalenceAtomsOption = None,
    sample_rate: options.SampleRateOption = None,
    strict_rows: options.StrictRowsOption = False,
    missing_users: options.MissingUsersOption = None,
    encoding: options.EncodingOption = None,
    delimiter: options.DelimiterOption = None,
    sheet: options.SheetOption = None,
    baseline: options.BaselineOption = None,
    length: options.LengthOption = options.LengthName.FULL,
    title: Annotated[str, typer.Option("--title", help="A public title for the report.")] = "",
    period: Annotated[
        str, typer.Option("--period", help="The time that the records cover, as the report names it.")
    ] = "",
    source: Annotated[str, typer.Option("--source", help="Where the records come from, as the report names it.")] = "",
    owner: Annotated[str, typer.Option("--owner", help="Who answers for the release, as the report names them.")] = "",
    date: Annotated[str | None, typer.Option("--date", help="The date that the report bears (default: today).")] = None,
    dataset: Annotated[
        str | None, typer.Option("--dataset", help="The ledger's name (default: the path; with --sketch, required).")
    ] = None,
    snapshot: Annotated[
        str, typer.Option("--snapshot", help="A public name for this state of the data, when they have changed.")
    ] = "",
    partition: Annotated[
        str | None,
        typer.Option("--partition", help="The column that the account declares as its partition into windows."),
    ] = None,
    window: Annotated[
        str | None, typer.Option("--window", help="Only records with this value there; windows do not add up.")
    ] = None,
    ledger: options.LedgerOption = None,
) -> None:
    """Release a differentially private plan and its verified report."""
    from dpspin.cli.progress import fitting_words, reading, working

    with working("getting ready"):  # what is loaded takes a second or two
        from dpspin import pipeline
        from dpspin.boundary.model_base import explained_as
        from dpspin.boundary.plan_fields import About
        from dpspin.boundary.privacy import PrivacyLoss
        from dpspin.boundary.written_files import today
        from dpspin.cli.ask_first import NO_LOOK, ask_about_map, ask_about_text
        from dpspin.cli.files import read_atoms
        from dpspin.cli.open_ledger import open_book_for
        from dpspin.cli.publish import publish, require_writable
        from dpspin.curator.release.draw_plan import ReleaseSpec
        from dpspin.public.narrate.policy import Length

        universe = read_atoms(atoms)
    chosen = requested.mechanism_of(mechanism, rho, monotone=monotone, accounting=accounting)
    with explained_as(RequestError, "the request"):
        spec = ReleaseSpec(
            loss=PrivacyLoss(epsilon, delta),
            denominator=requested.denominator_of(denominator, count_share),
            size=requested.size_of(size, universe.size),
            admission=admission.value if admission else None,
            beta=beta,
            margin=requested.margin_of(margin),
            bins=requested.bins_of(bins),
            title=title,
            about=About(period=period, source=source, owner=owner, date=today() if date is None else date),
        )
    if not all(words.isprintable() for words in (snapshot, title, period, source, owner, date or "")):
        raise RequestError(
            "--snapshot, --title, --period, --source, --owner and --date take one line of printable text"
        )
    name = _dataset_name(data, sketch, dataset)
    require_writable(out, name)
    public = _public_baseline(baseline, universe)
    known: int | None = None
    if data is None:
        refuse_record_options(context)
        measured: Records | Shards = _shards(sketch or [])
    else:
        if text is None:
            raise RequestError("name the column with the records' words (--text)")
        if unit is None:
            raise RequestError("say what is protected: --unit record, or --unit user with --user COLUMN")
        how = RecordOptions(
            text,
            unit,
            user,
            bound,
            missing_users,
            strict_rows,
            adjacency,
            map_,
            per_record,
            embedder,
            languages,
            aux,
            aux_text,
            aux_user,
            aux_label,
            aux_is_public,
            atoms_aux,
            atoms_aux_is_public,
            llm_url,
            llm_model,
            llm_endpoint_is_trusted,
            quantity,
            prevalence_atoms,
            sample_rate,
            partition,
            window,
            encoding,
            delimiter,
            sheet,
        )
        known = ask_about_text(data, how, universe)
        with working(fitting_words(universe)):
            records = how.records(data, universe, out / "curator")
        ask_about_map(records)
        measured, public = pipeline.beside_baseline(public, records, universe, how.auxiliary)
    if isinstance(public, pipeline.FromAuxiliary):
        raise RequestError("sketch files carry no auxiliary text: give --baseline a file of shares")
    book = open_book_for(out, ledger)
    with reading("reading, mapping and charging", None if known is None else 2 * known) as tell:
        answer = pipeline.release_to_curator(
            measured.watched(tell),
            atoms=universe,
            spec=pipeline.with_mechanism(spec.model_copy(update={"baseline": public}), chosen, measured.origin),
            dataset=name,
            snapshot=snapshot,
            budget=None,
            ledger=book,
        )
    with working("writing the report"):
        publish(out, answer, universe, name, book, Length(length.value))
    if data is not None and known is None:
        say(NO_LOOK, err=True)


def _public_baseline(choice: str | None, universe: "AtomUniverse") -> "Baseline | FromAuxiliary | None":
    from dpspin.pipeline import FromAuxiliary
    from dpspin.public.atoms.baseline_files import read_baseline

    if choice is None:
        return None
    return FromAuxiliary() if choice == "aux" else read_baseline(Path(choice), universe)


def _dataset_name(data: str | None, sketches: list[str] | None, chosen: str | None) -> str:
    from dpspin import pipeline

    if (data is None) == (not sketches):
        raise RequestError("name the records (DATA) or sketch files of them (--sketch), and not both")
    if chosen is not None:
        return chosen
    if data is None:
        raise RequestError("sketch files have no place that could name their dataset: name it with --dataset")
    return pipeline.dataset_name(data)


def _shards(sketches: list[str]) -> "Shards":
    from dpspin.curator.aggregate.shards import open_shards

    return open_shards([file for name in sketches for file in _sketch_files(name)])


def _sketch_files(name: str) -> list[Path]:
    if Path(name).exists():
        return [Path(name)]
    found = [Path(match) for match in sorted(glob.glob(name))]  # noqa: PTH207  a pattern may be absolute
    if not found:
        raise SourceError(f"no sketch file found at {name!r}; make one with: dpspin sketch")
    return found
