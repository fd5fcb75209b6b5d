"""``dpspin lab urania-full``: the URANIA paper's own pipeline as far as models allow, on public data."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.flags import JsonOption
from dpspin.cli.terminal import say
from dpspin_lab.commands import options
from dpspin_lab.commands.baseline_releases import PACKS, described, figure, parts_of, told
from dpspin_lab.commands.options import DataOption, DatasetName, chat_of

if TYPE_CHECKING:
    from dpspin.boundary.privacy import PrivacyLoss
    from dpspin.llm.chat import Chat
    from dpspin_lab.baselines.clio import Facets
    from dpspin_lab.baselines.private.urania_full import FullPublic, FullRecords


def urania_full(
    data: DataOption,
    dataset: options.DatasetOption,
    epsilon: options.EpsilonsOption,
    records: options.UnitsOption = 2000,
    user: options.ByUserOption = False,
    embedder: Annotated[str, typer.Option("--embedder", help="static, minilm, or a BERT model's folder.")] = "static",
    seed: options.SeedOption = 0,
    draws: options.FiguresOption = None,
    llm_url: options.LlmUrlOption = None,
    llm_model: options.LlmModelOption = None,
    records_are_public: options.PublicOption = False,
    as_json: JsonOption = False,
) -> None:
    """Release public records by URANIA's own steps: facets, encoder, private clusters, three kinds of keyword sets.

    A language model writes facets and words; without one, code does. Noise is from the seed.
    """
    from dpspin.boundary.privacy import PrivacyLoss
    from dpspin_lab.baselines.private.release import DELTA

    losses = [PrivacyLoss(each, DELTA) for each in epsilon]  # refused before the records are read
    chat = chat_of(llm_url, llm_model, seed)
    facets = _facets(chat, records_are_public=records_are_public)
    public, protected = _prepared(data, dataset, records, embedder, facets, by_user=user)
    lines = (
        _releases(public, protected, losses, seed, chat, as_json=as_json)
        if draws is None
        else _figures(public, protected, losses, draws, seed, as_json=as_json)
    )
    for line in lines:
        say(line)


def _facets(chat: "Chat | None", *, records_are_public: bool) -> "Facets":
    """Return who writes facets; a model elsewhere is refused before the records are read."""
    from dpspin_lab.baselines.clio import model_facets, telling_facets

    return telling_facets if chat is None else model_facets(chat, records_are_public=records_are_public)


def _prepared(
    data: Path, dataset: DatasetName, units: int, embedder: str, facets: "Facets", *, by_user: bool
) -> "tuple[FullPublic, FullRecords]":
    from dpspin.curator.assign.embedders import installed
    from dpspin.public.atoms.packs import load_named
    from dpspin_lab.baselines.private.urania_full import Encoder, fit_full, protect_full
    from dpspin_lab.datasets.split import require_disjoint

    split = parts_of(data, dataset, units, by_user=by_user)
    require_disjoint(split, by_user=by_user, published=True)
    encoder = Encoder(facets, installed(embedder))
    public = fit_full(split.auxiliary.texts, load_named(PACKS[dataset]), encoder)
    return public, protect_full(split.target.texts, public, split.target.users if by_user else None)


def _releases(
    public: "FullPublic",
    protected: "FullRecords",
    losses: "list[PrivacyLoss]",
    seed: int,
    chat: "Chat | None",
    *,
    as_json: bool,
) -> Iterator[str]:
    from dpspin_lab.baselines.private.release import noise_from
    from dpspin_lab.baselines.private.urania_full import METHODS, release_full
    from dpspin_lab.baselines.private.words import template_words, verbalise

    spent = None
    for loss in losses:
        for method in METHODS:
            release = release_full(method, protected, public, loss, noise_from(seed))
            words = template_words(release) if chat is None else verbalise(release, chat)
            spent = release.loss.total if spent is None else spent + release.loss.total
            yield json.dumps(described(release, words, spent)) if as_json else told(release, words)


def _figures(
    public: "FullPublic",
    protected: "FullRecords",
    losses: "list[PrivacyLoss]",
    draws: int,
    seed: int,
    *,
    as_json: bool,
) -> Iterator[str]:
    from dpspin_lab.baselines.private.urania_full import compare_full
    from dpspin_lab.not_private import RANDOMNESS

    for loss in losses:
        for row in compare_full(protected, public, loss, draws=draws, seed=seed):
            yield json.dumps({"private": False, "randomness": RANDOMNESS, **asdict(row)}) if as_json else figure(row)
