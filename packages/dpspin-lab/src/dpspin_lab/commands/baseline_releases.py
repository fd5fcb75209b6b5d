"""``dpspin lab baselines``: the private rivals of a release, on public data."""

import json
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.flags import JsonOption
from dpspin.cli.terminal import say
from dpspin.errors import RequestError
from dpspin_lab.commands import options
from dpspin_lab.commands.options import DataOption, DatasetName, chat_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dpspin.boundary.privacy import PrivacyLoss
    from dpspin.llm.chat import Chat
    from dpspin_lab.baselines.private.release import BaselineRelease
    from dpspin_lab.baselines.private.rival_quality import ClusterRow, HistogramRow
    from dpspin_lab.baselines.private.rivals import ProtectedRivals, PublicRivals
    from dpspin_lab.baselines.private.words import Verbalised
    from dpspin_lab.datasets.split import Split

SALT, AUXILIARY_SHARE = "baselines", 0.4
PACKS = {
    DatasetName.CFPB: "bank-complaints",
    DatasetName.AMAZON: "product-reviews",
    DatasetName.YELP: "restaurant-reviews",
}  # whose words are the public keywords


def baselines(
    data: DataOption,
    dataset: options.DatasetOption,
    epsilon: options.EpsilonsOption,
    records: options.UnitsOption = 2000,
    user: options.ByUserOption = False,
    atoms: Annotated[
        str | None, typer.Option("--atoms", help="A dictionary, for its words; default: the ready one of the subject.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="Repeatable noise; without it the operating system's.")
    ] = None,
    draws: options.FiguresOption = None,
    llm_url: Annotated[str | None, typer.Option("--llm-url", help="An OpenAI-compatible endpoint that writes.")] = None,
    llm_model: Annotated[str | None, typer.Option("--llm-model", help="The model's name there.")] = None,
    llm_endpoint_is_trusted: options.TrustOption = False,
    records_are_public: options.PublicOption = False,
    as_json: JsonOption = False,
) -> None:
    """Release public records by the paper's private baselines: noisy keywords, categories, clusters with keywords."""
    from dpspin.boundary.privacy import PrivacyLoss
    from dpspin_lab.not_private import require_reader

    chat = chat_of(llm_url, llm_model, trusted=llm_endpoint_is_trusted)
    for each in epsilon:
        PrivacyLoss(each)  # refuses what is no loss before the records are read
    if chat is not None and draws is not None:
        raise RequestError("--draws counts, and writes no text: leave the language model out")
    if chat is not None and seed is not None:  # then anybody can take the noise off
        require_reader(chat, records_are_public=records_are_public)
    public, protected = _prepared(data, dataset, records, atoms, by_user=user)
    if draws is None:
        lines = _releases(public, protected, epsilon, seed, chat, as_json=as_json)
    else:
        lines = _figures(public, protected, epsilon, draws, seed or 0, as_json=as_json)
    for line in lines:
        say(line)


def _prepared(
    data: Path, dataset: DatasetName, units: int, atoms: str | None, *, by_user: bool
) -> "tuple[PublicRivals, ProtectedRivals]":
    from dpspin.public.atoms.packs import load_named
    from dpspin_lab.baselines.private.rivals import fit_rivals, protect

    split = parts_of(data, dataset, units, by_user=by_user)
    public = fit_rivals(split.auxiliary, load_named(atoms or PACKS[dataset]))
    return public, protect(split.target, public, by_user=by_user)


def parts_of(data: Path, dataset: DatasetName, units: int, *, by_user: bool) -> "Split":
    """Read a data set: the auxiliary part, and as many units of the rest."""
    from dpspin_lab.datasets.registry import DATASETS
    from dpspin_lab.datasets.split import Split, selected, split_by_hash

    split = split_by_hash(
        DATASETS[dataset.value].read(data),
        by_user=by_user,
        auxiliary_share=AUXILIARY_SHARE,
        salt=SALT,
        leave_out_copies=by_user,
    )
    rows = selected(split.target, by_user=by_user, n=units, seed=0, strict=True)
    return Split(split.auxiliary, split.target.part(rows))


def _releases(
    public: "PublicRivals",
    protected: "ProtectedRivals",
    epsilons: "Sequence[float]",
    seed: int | None,
    chat: "Chat | None",
    *,
    as_json: bool,
) -> "Iterator[str]":
    """Tell each release, and what all of them together cost: they are of the same records, so losses add up."""
    from dpspin_lab.baselines.private.release import noise_from
    from dpspin_lab.baselines.private.rivals import METHODS, release_rival
    from dpspin_lab.baselines.private.words import template_words, verbalise

    spent = None
    for epsilon, method in product(epsilons, METHODS):
        release = release_rival(method, protected, public, epsilon, noise_from(seed))
        words = template_words(release) if chat is None else verbalise(release, chat)
        spent = release.loss.total if spent is None else spent + release.loss.total
        yield json.dumps(described(release, words, spent)) if as_json else told(release, words)
    if spent is not None and not as_json:
        yield _in_all(spent, len(epsilons) * len(METHODS))


def _in_all(spent: "PrivacyLoss", releases: int) -> str:
    return (
        f"In all, these {releases} releases of the same records lose epsilon {spent.epsilon:g}, delta {spent.delta:g}: "
        "losses add up, and who reads all of them knows that much."
    )


def described(release: "BaselineRelease", words: "Verbalised", spent: "PrivacyLoss") -> dict[str, object]:
    """Return a release for a file, with what it and those before it cost."""
    return {
        "method": release.method,
        "private": False,
        "use": "experiments on public data",
        "randomness": release.randomness,
        "unit": release.unit.kind,
        "adjacency": release.adjacency.value,
        "loss": release.loss.described(),
        "loss_so_far": asdict(spent),
        "released": asdict(release.released),
        **asdict(words),
    }


def told(release: "BaselineRelease", words: "Verbalised") -> str:
    """Tell a release to a person."""
    total = release.loss.total
    promised = f"epsilon {total.epsilon:g}, delta {total.delta:g} for one {release.unit.kind}"
    stated = f"{release.method} ({promised}, {release.randomness})"
    return f"NOT PRIVATE (an experiment, charged to no ledger): {stated}\n{words.summary}\n"


def _figures(
    public: "PublicRivals",
    protected: "ProtectedRivals",
    epsilons: "Sequence[float]",
    draws: int,
    seed: int,
    *,
    as_json: bool,
) -> "Iterator[str]":
    from dpspin_lab.baselines.private.rival_quality import compare
    from dpspin_lab.not_private import RANDOMNESS

    if not as_json:
        yield f"{RANDOMNESS}: means of {draws} releases from known seeds, against exact counts."
    for epsilon in epsilons:
        for row in compare(protected, public, epsilon, draws=draws, seed=seed):
            yield json.dumps({"private": False, "randomness": RANDOMNESS, **asdict(row)}) if as_json else figure(row)


def figure(row: "HistogramRow | ClusterRow") -> str:
    """Tell one line of figures."""
    from dpspin_lab.baselines.private.rival_quality import HistogramRow

    if isinstance(row, HistogramRow):
        return f"{row.epsilon:>4g} {row.method:<20} part of the exact head released {row.head:.3f}"
    found = row.quality
    return (
        f"{row.epsilon:>4g} {row.method:<20} cosine {found.cosine:.3f}  clusters {found.clusters:.1f}  "
        f"covered {found.covered:.3f}  size error {found.size_error:.1f}  "
        f"keyword precision {found.keyword_precision:.3f}  "
        f"absent {found.keywords_absent:.3f}  described {found.described:.3f}"
    )
