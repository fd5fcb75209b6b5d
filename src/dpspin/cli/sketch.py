"""``dpspin sketch``: measure one shard of a corpus where it lies; ``release --sketch`` brings shards together."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import options
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.curator.records.corpus import ProtectedCorpus
    from dpspin.curator.stage1_assign.contribution import ContributionMap
    from dpspin.pipeline import Auxiliary


def sketch(
    data: Annotated[str, typer.Argument(metavar="DATA", help="One shard: a file, a folder, or a glob in quotes.")],
    atoms: options.AtomsOption,
    text: Annotated[str, typer.Option("--text", help="The column with the records' words.")],
    unit: options.UnitOption,
    out: Annotated[Path, typer.Option("--out", help="The sketch file. It is private: exact sums, no noise.")],
    user: Annotated[str | None, typer.Option("--user", help="User level: the column with the user id.")] = None,
    user_key: Annotated[
        Path | None,
        typer.Option(
            "--user-key",
            envvar="DPSPIN_USER_KEY",
            help="User level: a secret file that all shards share; made if it is not there.",
        ),
    ] = None,
    bound: options.BoundOption = None,
    adjacency: options.AdjacencyOption = options.AdjacencyName.ADD_DROP,
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
) -> None:
    """Measure one shard of a corpus and keep its exact totals in a private file; nothing is released or charged."""
    from dpspin import pipeline
    from dpspin.boundary.privacy import Adjacency, UserUnit
    from dpspin.cli.files import read_atoms
    from dpspin.cli.progress import reading
    from dpspin.curator.engines.shards import sketch_shard
    from dpspin.curator.records.corpus import open_corpus
    from dpspin.curator.records.policy import BadRows
    from dpspin.curator.stage2_release.pseudonyms import shared_pseudonyms
    from dpspin.curator.stage2_release.sketch import SketchOrigin

    universe, protected = read_atoms(atoms), options.unit_of(unit, bound, missing_users)
    columns = pipeline.columns_of(text, user, protected)
    if (aux is None and (aux_text or aux_user)) or (user is None and aux_user):
        raise RequestError("--aux-text and --aux-user describe --aux, and --aux-user goes with --user")
    if isinstance(protected, UserUnit) != (user_key is not None):
        raise RequestError("--user-key goes with --unit user, and is needed there: shards must name users alike")
    policy = pipeline.row_policy(BadRows.REFUSE if strict_rows else BadRows.ZERO, protected)
    corpus = open_corpus(data, columns, policy)
    auxiliary = None if aux is None else pipeline.Auxiliary(aux, aux_text or text, aux_user)
    fitted = _fitted_map(universe, auxiliary, corpus, per_record)
    origin = SketchOrigin(universe.digest, universe.size, fitted.statement, protected, Adjacency(adjacency.value))
    with reading("reading") as tell:
        sketch_shard(
            out,
            corpus.watched(tell),
            fitted,
            origin,
            pseudonyms=None if user_key is None else shared_pseudonyms(user_key),
        )
    typer.echo(f"Keep private: {out}", err=True)


def _fitted_map(
    universe: "AtomUniverse", auxiliary: "Auxiliary | None", corpus: "ProtectedCorpus", per_record: int
) -> "ContributionMap":
    """Fit the map as a release does; auxiliary records must not be among the protected ones, shard by shard."""
    from dpspin.boundary.privacy import MissingUsers
    from dpspin.curator.records.corpus import TEXT, open_corpus
    from dpspin.curator.records.disjoint import require_disjoint
    from dpspin.curator.records.policy import Columns, RowPolicy
    from dpspin.curator.stage1_assign.scorers.idf import AuxiliaryIdf, PublicWordIdf
    from dpspin.curator.stage1_assign.scorers.ngram import NgramMap

    if auxiliary is None:
        return NgramMap.fit(universe, PublicWordIdf(), per_record)
    columns = Columns(auxiliary.text, auxiliary.user if corpus.columns.user else None)
    public_text = open_corpus(auxiliary.source, columns, RowPolicy(missing_users=MissingUsers.OWN_UNIT))
    require_disjoint(public_text, corpus)
    return NgramMap.fit(universe, AuxiliaryIdf(batch.column(TEXT) for batch in public_text.batches()), per_record)
