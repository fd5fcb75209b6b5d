"""``dpspin sketch``: measure one shard of a corpus where it lies; ``release --sketch`` brings shards together."""

import os
from pathlib import Path
from typing import Annotated

import typer

from dpspin.cli import options
from dpspin.cli.records import RecordOptions
from dpspin.cli.terminal import say
from dpspin.errors import InputError, RequestError


def _write_new_key(path: Path | None) -> None:
    from dpspin.boundary.lab_place import require_no_lab
    from dpspin.curator.stage2_release.pseudonyms import write_new_key

    if path is not None:
        require_no_lab(path.parent)
        write_new_key(path)
        say(f"Keep private: {path}. Delete it when the last shard is sketched.", err=True)
        raise typer.Exit


def sketch(
    data: Annotated[str, typer.Argument(metavar="DATA", help="One shard: a file, a folder, or a glob in quotes.")],
    atoms: options.AtomsOption,
    text: options.TextOption,
    unit: options.UnitOption,
    out: Annotated[Path, typer.Option("--out", help="The sketch file. It is private: exact sums, no noise.")],
    user: options.UserOption = None,
    user_key: Annotated[
        Path | None, typer.Option("--user-key", help="User level: the file with the secret key that all shards share.")
    ] = None,
    new_user_key: Annotated[
        Path | None,
        typer.Option(
            "--new-user-key", callback=_write_new_key, is_eager=True, help="Write a new user key to a file, and stop."
        ),
    ] = None,
    bound: options.BoundOption = None,
    adjacency: options.AdjacencyOption = options.AdjacencyName.ADD_DROP,
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
    strict_rows: options.StrictRowsOption = False,
    missing_users: options.MissingUsersOption = None,
    encoding: options.EncodingOption = None,
    delimiter: options.DelimiterOption = None,
    sheet: options.SheetOption = None,
) -> None:
    """Measure one shard of a corpus into a private file of exact sums; nothing is released or charged."""
    from dpspin.cli.files import read_atoms
    from dpspin.cli.progress import fitting_words, reading, working
    from dpspin.curator.engines.shards import sketch_shard
    from dpspin.curator.stage2_release.pseudonyms import shared_pseudonyms

    del new_user_key  # its callback has stopped the command
    if (unit is options.Unit.USER) != (user_key is not None):
        raise RequestError("--user-key goes with --unit user, and is needed there: shards must name users alike")
    universe = read_atoms(atoms)
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
        None,  # a random sample is drawn anew for every release: no file keeps one
        encoding=encoding,
        delimiter=delimiter,
        sheet=sheet,
    )
    pseudonyms = None if user_key is None else shared_pseudonyms(user_key)
    _require_place(out)
    with working(fitting_words(universe)):
        records = how.records(data, universe, out.absolute().parent / ".dpspin-llm")
    with reading("reading") as tell:
        sketch_shard(out, records.watched(tell), pseudonyms=pseudonyms)
    say(f"Keep private: {out} (exact sums, no noise). Release it with: dpspin release --sketch", err=True)


def _require_place(out: Path) -> None:
    """Refuse a place that cannot be written, is the lab's or holds something else, before any record is read."""
    from dpspin.boundary.lab_place import require_no_lab
    from dpspin.curator.stage2_release.sketch_file import read_header

    if not out.parent.is_dir() or not os.access(out.parent, os.W_OK | os.X_OK):
        raise InputError(f"cannot write {str(out)!r}: {str(out.parent)!r} is no folder to write in; change --out")
    require_no_lab(out.parent)
    if out.exists():
        try:
            read_header(out)
        except InputError:
            raise InputError(f"{str(out)!r} is there and is no sketch file; change --out") from None
