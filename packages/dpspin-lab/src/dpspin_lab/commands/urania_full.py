"""``dpspin lab urania-full``: the URANIA paper's own pipeline as far as models allow, on public data."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.flags import JsonOption
from dpspin.cli.terminal import say
from dpspin.errors import RequestError
from dpspin_lab.commands import options
from dpspin_lab.commands.baseline_releases import PACKS, described, figure, parts_of, told
from dpspin_lab.commands.options import DataOption, DatasetName, chat_of

if TYPE_CHECKING:
    from dpspin.boundary.privacy import PrivacyLoss
    from dpspin.llm.chat import Chat
    from dpspin_lab.baselines.clio import Facets
    from dpspin_lab.baselines.private.histograms import Vocabulary
    from dpspin_lab.baselines.private.urania_full import FullPublic, FullRecords


class Writing(StrEnum):
    """Who writes the facets of records."""

    MODEL = "model"
    CODE = "code"


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
    facets: Annotated[
        Writing | None,
        typer.Option(
            "--facets",
            help="Who writes them: model (a question for each record; default where one is named) or code.",
        ),
    ] = None,
    llm_endpoint_is_trusted: options.TrustOption = False,
    records_are_public: options.PublicOption = False,
    as_json: JsonOption = False,
) -> None:
    """Release public records by URANIA's own steps: facets, encoder, private clusters, several keyword sets.

    A language model writes facets and words, and chooses one more keyword set from auxiliary text; without one, code
    does, and there are three sets. Noise is from the seed.
    """
    from dpspin.boundary.privacy import PrivacyLoss
    from dpspin_lab.baselines.private.release import DELTA

    losses = [PrivacyLoss(each, DELTA) for each in epsilon]  # refused before the records are read
    chat = chat_of(llm_url, llm_model, seed, trusted=llm_endpoint_is_trusted)
    steps = _steps(chat, facets, seed, records_are_public=records_are_public)
    public, protected = _prepared(data, dataset, records, embedder, steps, by_user=user)
    lines = (
        _releases(public, protected, losses, seed, chat, as_json=as_json)
        if draws is None
        else _figures(public, protected, losses, draws, seed, as_json=as_json)
    )
    for line in lines:
        say(line)


@dataclass(frozen=True, slots=True)
class _Steps:
    """What a model may do before a protected record is read, or code."""

    facets: "Facets"
    keywords: "Callable[[Sequence[str]], Vocabulary] | None"


def _steps(chat: "Chat | None", by: Writing | None, seed: int, *, records_are_public: bool) -> _Steps:
    """Return who does what; a model elsewhere is refused before the records are read."""
    from dpspin_lab.baselines.clio import model_facets, telling_facets
    from dpspin_lab.baselines.private.urania_model_words import keywords_by_model
    from dpspin_lab.not_private import require_reader

    if chat is None:
        if by is Writing.MODEL:
            raise RequestError("--facets model needs one: name it with --llm-url and --llm-model")
        return _Steps(telling_facets, None)
    require_reader(chat, records_are_public=records_are_public)
    written = telling_facets if by is Writing.CODE else model_facets(chat, records_are_public=records_are_public)
    return _Steps(written, partial(keywords_by_model, chat, seed=seed, records_are_public=records_are_public))


def _prepared(
    data: Path, dataset: DatasetName, units: int, embedder: str, steps: _Steps, *, by_user: bool
) -> "tuple[FullPublic, FullRecords]":
    from dpspin.curator.assign.embedders import installed
    from dpspin.public.atoms.packs import load_named
    from dpspin_lab.baselines.private.urania_full import Encoder, fit_full, protect_full
    from dpspin_lab.datasets.split import require_disjoint

    split = parts_of(data, dataset, units, by_user=by_user)
    require_disjoint(split, by_user=by_user, published=True)
    chosen = None if steps.keywords is None else steps.keywords(split.auxiliary.texts)
    encoder = Encoder(steps.facets, installed(embedder))
    public = fit_full(split.auxiliary.texts, load_named(PACKS[dataset]), encoder, chosen_by_model=chosen)
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
    from dpspin_lab.baselines.private.urania_full import release_full
    from dpspin_lab.baselines.private.words import template_words, verbalise

    spent = None
    for loss in losses:
        for method in public.methods:
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
