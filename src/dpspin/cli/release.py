"""``dpspin release``: the curator's side, and the folder that may be published."""

from pathlib import Path
from typing import Annotated

import typer

from dpspin.cli import options
from dpspin.errors import RequestError


def release(
    data: Annotated[str, typer.Argument(metavar="DATA", help="A file, a folder, or a glob in quotes.")],
    atoms: options.AtomsOption,
    text: Annotated[str, typer.Option("--text", help="The column with the records' words.")],
    unit: options.UnitOption,
    epsilon: options.EpsilonOption,
    denominator: options.DenominatorOption,
    out: Annotated[Path, typer.Option("--out", help="Writes OUT/release (publishable) and OUT/curator (private).")],
    user: Annotated[str | None, typer.Option("--user", help="User level: the column with the user id.")] = None,
    bound: options.BoundOption = None,
    delta: options.DeltaOption = 0.0,
    mechanism: options.MechanismOption = options.MechanismName.LAPLACE,
    rho: options.RhoOption = None,
    adjacency: options.AdjacencyOption = options.AdjacencyName.ADD_DROP,
    size: options.SizeOption = None,
    admission: Annotated[
        options.AdmissionName | None,
        typer.Option("--admission", help="threshold (default): only what stands clear of the noise; fixed: L themes."),
    ] = None,
    beta: options.BetaOption = 0.05,
    bins: Annotated[
        str | None, typer.Option("--bins", help="Floors of high and moderate support, e.g. 0.05,0.02.")
    ] = None,
    per_record: Annotated[int, typer.Option("--per-record", "-K", help="The most atoms one record may touch.")] = 3,
    aux: Annotated[str | None, typer.Option("--aux", help="Public or separate records to fit word weights on.")] = None,
    aux_text: Annotated[str | None, typer.Option("--aux-text", help="Its text column (default: as --text).")] = None,
    aux_user: Annotated[
        str | None, typer.Option("--aux-user", help="Its user column; without it overlap is sought in texts.")
    ] = None,
    strict_rows: Annotated[bool, typer.Option("--strict-rows", help="Refuse unreadable rows (default: zero).")] = False,
    missing_users: Annotated[
        options.MissingUsersName | None,
        typer.Option("--missing-users", help="User level: rows without an id (default refuse)."),
    ] = None,
    title: Annotated[str, typer.Option("--title", help="A public title for the report.")] = "",
    dataset: Annotated[str | None, typer.Option("--dataset", help="The ledger's name (default: the path).")] = None,
    snapshot: Annotated[
        str, typer.Option("--snapshot", help="A public name for this state of the data, when they have changed.")
    ] = "",
    ledger: options.LedgerOption = None,
) -> None:
    """Release a differentially private plan and its verified report."""
    from dpspin import pipeline
    from dpspin.boundary.privacy import Adjacency, PrivacyLoss
    from dpspin.boundary.sealed import explained_as
    from dpspin.cli.book import open_book
    from dpspin.cli.files import read_atoms
    from dpspin.cli.progress import reading
    from dpspin.cli.publish import publish, require_writable
    from dpspin.curator.records.corpus import open_corpus
    from dpspin.curator.records.policy import BadRows
    from dpspin.curator.stage2_release.release import ReleaseSpec

    universe, protected = read_atoms(atoms), options.unit_of(unit, bound, missing_users)
    columns = pipeline.columns_of(text, user, protected)
    if (aux is None and (aux_text or aux_user)) or (user is None and aux_user):
        raise RequestError("--aux-text and --aux-user describe --aux, and --aux-user goes with --user")
    policy = pipeline.row_policy(BadRows.REFUSE if strict_rows else BadRows.ZERO, protected)
    with explained_as(RequestError, "the request"):
        spec = ReleaseSpec(
            loss=PrivacyLoss(epsilon, delta),
            denominator=denominator,
            mechanism=options.mechanism_of(mechanism, rho),
            size=options.size_of(size, universe.size),
            admission=admission.value if admission else None,
            beta=beta,
            bins=options.bins_of(bins),
            title=title,
        )
    if not snapshot.isprintable() or not title.isprintable():
        raise RequestError("--snapshot and --title must be one line of printable text")
    name = pipeline.dataset_name(data) if dataset is None else dataset
    corpus = open_corpus(data, columns, policy)
    require_writable(out, name)
    book = open_book(ledger)
    with reading("reading") as tell:
        answer = pipeline.release_to_curator(
            corpus.watched(tell),
            atoms=universe,
            unit=protected,
            adjacency=Adjacency(adjacency.value),
            spec=spec,
            atoms_per_record=per_record,
            auxiliary=None if aux is None else pipeline.Auxiliary(aux, aux_text or text, aux_user),
            dataset=name,
            snapshot=snapshot,
            budget=None,
            ledger=book,
        )
    publish(out, answer, universe, name, book)
