"""All methods beside each other: plans, private rivals, and at record level references that protect nobody.

Texts are compared by what needs no judge: the deterministic rubric, and their likeness to the text of the exact plan.
Each text has its own released object, so coverage is of that object: it tells how fully a method says what it released.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import Mode
from dpspin_lab.baselines.clio import clio, report_source
from dpspin_lab.baselines.exact_plan import ReferencePlan, plan_source, reference_plan
from dpspin_lab.baselines.private.release import DELTA, BaselineRelease, Histogram, noise_from
from dpspin_lab.baselines.private.rival_quality import ClusterRow, HistogramRow, compare, public_heads
from dpspin_lab.baselines.private.rivals import (
    METHODS,
    ProtectedRivals,
    PublicRivals,
    fit_rivals,
    protect,
    release_rival,
)
from dpspin_lab.baselines.private.urania_full import METHODS as FULL
from dpspin_lab.baselines.private.urania_full import (
    FullPublic,
    FullRecords,
    compare_full,
    encoder_of_words,
    fit_full,
    protect_full,
    release_full,
)
from dpspin_lab.baselines.private.words import MOST_CLUSTERS, template_words
from dpspin_lab.baselines.references import Reference, refer, references, write
from dpspin_lab.datasets.corpus import NOBODY, Corpus
from dpspin_lab.datasets.split import Split, selected, user_names, without_known_texts
from dpspin_lab.metrics.text import Rubric, likeness, rubric, rubric_of_names
from dpspin_lab.runs.config import PAPERS, MechanismName, RunConfig
from dpspin_lab.runs.grids import MAIN_K, MAIN_L
from dpspin_lab.runs.prepared import Prepared, prepared_at, start_of
from dpspin_lab.runs.releasing import read_as, released
from dpspin_lab.runs.summary import Row, spread, write_table

UNITS: Final = 2000  # protected records of the paper's comparison
SEED: Final = 0
USER_BOUND: Final = 1.0  # a user's mass: the rivals give a user what they give a record, so the plan does too


@dataclass(frozen=True, slots=True)
class Compared:
    """The records that every method reads, and what was fixed before."""

    prepared: Prepared
    records: Corpus = field(repr=False)
    unseen: Corpus = field(repr=False)  # those of them that the rivals read
    public: PublicRivals
    protected: ProtectedRivals
    units: int
    by_user: bool = False


def compare_methods(
    split: Split, prepared: Path, out: Path, epsilons: Sequence[float], seeds: int, *, by_user: bool = False
) -> None:
    """Write ``rivals`` (how good each rival's release is) and ``methods`` (how all texts compare) as tables."""
    chosen = compared(split, prepared, by_user=by_user)
    public, sized = chosen.public, {"n_users" if by_user else "n_records": chosen.units}
    folder, unit = out / split.target.name / "summaries", "_by_user" if by_user else ""
    full = _full_pipeline(chosen)
    found = [
        row
        for epsilon in epsilons
        for row in (
            *compare(chosen.protected, public, epsilon, draws=seeds, seed=SEED),
            *compare_full(full.records, full.public, PrivacyLoss(epsilon, DELTA), draws=seeds, seed=SEED),
        )
    ]
    guessed = [
        {**sized, "draws": 1, "method": f"public_only, {method}", "epsilon": 0.0, "head": head}
        for method, head in public_heads(split.auxiliary, chosen.protected, public)
    ]
    write_table(folder, f"rivals{unit}", [*({**sized, "draws": seeds, **_flat(row)} for row in found), *guessed])
    texts = out / split.target.name / "texts"
    write_table(folder, f"methods{unit}", list(_methods(chosen, full, texts, epsilons, seeds)))


def compared(split: Split, prepared: Path, *, by_user: bool = False) -> Compared:
    """Select the units, fit what is public, and bound what is protected.

    Users who wrote a text that the auxiliary part has are left out of what the rivals read: they publish its words.
    """
    kept, target = prepared_at(prepared), split.target
    units = min(UNITS, len(set(user_names(target)) - {NOBODY}) if by_user else len(target))
    records = target.part(selected(target, by_user=by_user, n=units, seed=SEED, strict=True))
    public = fit_rivals(split.auxiliary, kept.universe)
    unseen = without_known_texts(Split(split.auxiliary, records)) if by_user else records
    return Compared(kept, records, unseen, public, protect(unseen, public, by_user=by_user), units, by_user)


@dataclass(frozen=True, slots=True)
class _Full:
    """URANIA's own steps on the records that the rivals read."""

    public: FullPublic
    records: FullRecords


def _full_pipeline(chosen: Compared) -> _Full:
    """Fit what these steps need on auxiliary text, without a model."""
    auxiliary, users = chosen.public.auxiliary.texts, user_names(chosen.unseen) if chosen.by_user else None
    public = fit_full(auxiliary, chosen.prepared.universe, encoder_of_words(auxiliary))
    return _Full(public, protect_full(chosen.unseen.texts, public, users))


def _methods(chosen: Compared, full: _Full, texts: Path, epsilons: Sequence[float], seeds: int) -> Iterator[Row]:
    exact = exact_plan(chosen)
    standard = refer(plan_source(exact)).text
    for epsilon in epsilons:
        for mechanism in PAPERS:
            told = [_plan_text(chosen, mechanism, epsilon, seed) for seed in range(seeds)]
            yield _row(f"plan, {mechanism}", epsilon, told, standard)
        for method in METHODS:
            releases = [
                release_rival(method, chosen.protected, chosen.public, epsilon, noise_from(seed))
                for seed in range(seeds)
            ]
            yield _row(method, epsilon, [_rival_text(release) for release in releases], standard)
        for variant in FULL:
            loss = PrivacyLoss(epsilon, DELTA)
            releases = [
                release_full(variant, full.records, full.public, loss, noise_from(seed)) for seed in range(seeds)
            ]
            yield _row(variant, epsilon, [_rival_text(release) for release in releases], standard)
    yield _row("plan, public_only", 0.0, [_public_text(chosen, max(epsilons))], standard)
    for reference in () if chosen.by_user else _references(chosen, exact):
        write(texts, reference)
        scored = rubric_of_names(reference.text, _themes(exact))
        yield _row(reference.method, None, [(reference.text, scored)], standard)


def _references(chosen: Compared, exact: ReferencePlan) -> Iterator[Reference]:
    """Write every non-private text, of which coverage is told of the exact plan's themes."""
    yield from references(chosen.records.texts, plan_source(exact), seed=SEED)
    yield refer(report_source(clio(chosen.records.texts, chosen.records.users, seed=SEED)))


def exact_plan(chosen: Compared) -> ReferencePlan:
    """Return the paper's P_NP of these records. It protects nobody."""
    start = start_of(_config(chosen, "laplace", 1.0, SEED), chosen.prepared)
    universe = chosen.prepared.universe
    return reference_plan(start.masses, universe, denominator=chosen.units, size=MAIN_L)


def _plan_text(chosen: Compared, mechanism: str, epsilon: float, seed: int) -> tuple[str, Rubric]:
    return _told(chosen, plan_of(chosen, mechanism, epsilon, seed))


def _public_text(chosen: Compared, epsilon: float) -> tuple[str, Rubric]:
    """Say of the auxiliary masses what a release at this epsilon would say of them, in the same words."""
    asked = _config(chosen, MechanismName.PUBLIC_ONLY, epsilon, SEED)
    expected = released(asked, start_of(asked, chosen.prepared)).values
    if expected is None:
        raise AssertionError("the public-only plan has a value for every atom")
    return _told(
        chosen, read_as(plan_of(chosen, MechanismName.LAPLACE, epsilon, SEED), chosen.prepared.universe, expected)
    )


def plan_of(chosen: Compared, mechanism: str, epsilon: float, seed: int) -> SemanticPlan:
    """Release the very records that the rivals read, with noise of the seed."""
    start = start_of(_config(chosen, mechanism, epsilon, SEED), chosen.prepared)
    plan = released(_config(chosen, mechanism, epsilon, seed), start).plan
    if plan is None:
        raise AssertionError("the paper's mechanisms release a plan")
    return plan


def _told(chosen: Compared, plan: SemanticPlan) -> tuple[str, Rubric]:
    text = TemplateDecoder(Mode.DISPLAY)(Facts(plan, chosen.prepared.universe))
    return text, rubric(text, plan, chosen.prepared.universe)


def _rival_text(release: BaselineRelease) -> tuple[str, Rubric]:
    text = template_words(release).summary
    return text, rubric_of_names(text, _released_names(release))


def _released_names(release: BaselineRelease) -> set[str]:
    """Return the names that the text is to tell: of clusters, the keywords of those that the paper speaks of."""
    if isinstance(release.released, Histogram):
        return {entry.name for entry in release.released.entries}
    spoken = release.released.clusters[:MOST_CLUSTERS]
    return {entry.name for cluster in spoken for entry in cluster.keywords}


def _themes(exact: ReferencePlan) -> set[str]:
    return {entry.label for entry in exact.entries}


def _config(chosen: Compared, mechanism: str, epsilon: float, seed: int) -> RunConfig:
    by_user = {"protected_unit": "user", "n_users": chosen.units, "user_id_field": "user_id", "B": USER_BOUND}
    protected = by_user if chosen.by_user else {"n_records": chosen.units}
    return RunConfig(
        dataset=chosen.prepared.dataset,
        public_denominator=chosen.units,
        **protected,
        m=chosen.prepared.universe.size,
        K=MAIN_K,
        L=MAIN_L,
        mechanism=mechanism,
        epsilon=epsilon,
        seed=seed,
        decoder_backend="none",
        clean_reference_decoder_backend="none",
    )


def _row(method: str, epsilon: float | None, told: Sequence[tuple[str, Rubric]], standard: str) -> Row:
    alike = [likeness(text, standard) for text, _ in told]
    scores = [asdict(scored) for _, scored in told]
    measured: dict[str, list[float | None]] = {
        **{name: [score[name] for score in scores] for name in scores[0]},
        "j_tok": [each.tokens.value for each in alike],
        "j_2": [each.bigrams.value for each in alike],
        "j_kp": [each.keyphrases.value for each in alike],
        "cos_tfidf": [each.tfidf_cosine for each in alike],
    }
    figures = {column: figure for name, values in measured.items() for column, figure in spread(name, values).items()}
    return {"method": method, "private": epsilon is not None, "epsilon": epsilon, "texts": len(told), **figures}


def _flat(row: HistogramRow | ClusterRow) -> Row:
    flat = asdict(row)
    deviations = {f"{name}_sd": value for name, value in (flat.get("deviation") or {}).items()}
    histogram = {name: flat.get(name) for name in ("head", "head_sd")}
    return {"method": row.method, "epsilon": row.epsilon, **histogram, **(flat.get("quality") or {}), **deviations}
