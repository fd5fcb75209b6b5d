"""Which texts of an evaluation are judged: those of all private methods at the same epsilon, with what they released.

The paper's judge sees the object that a text was written from, and no record. Texts that are written from records have
no released object, so they are not judged. The exact plan is one, of a kind: it is there only where it was asked for.
"""

from collections.abc import Callable, Iterator
from typing import Final, Literal, assert_never

from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.plan import SemanticPlan
from dpspin.llm.chat import Chat
from dpspin_lab.baselines.comparison import Compared, exact_plan, plan_of
from dpspin_lab.baselines.private.release import BaselineRelease, Clusters, Histogram, RivalMethod, noise_from
from dpspin_lab.baselines.private.rivals import METHODS, release_rival
from dpspin_lab.baselines.private.words import Verbalised, template_words, verbalise
from dpspin_lab.judge.case import Basis, Case, case_of_plan
from dpspin_lab.judge.pairwise import Pair, pair_of
from dpspin_lab.judge.validity import Spoiling, spoiled_texts
from dpspin_lab.runs.config import PAPERS
from dpspin_lab.runs.words import text_by_bins

EPSILON: Final = 1.0  # of the paper's tables of scores
OURS: Final = "plan, gaussian"  # the paper's row, which the rivals are compared with
EXACT: Final = "non-private plan"
_TYPES: Final = {
    "keyword_histogram": "histogram of public keywords with noisy counts",
    "category_histogram": "histogram of public categories with noisy counts",
}
_GROUPS: Final = "groups of records with noisy sizes and public keywords"


class Known(FrozenModel):
    """A true text and a spoiled one of the same plan."""

    how: Spoiling
    true: Case
    worse: str


class Texts(FrozenModel):
    """All that a judge is asked about on one data set; what is in here is simulated, or exact."""

    private: Literal[False] = False
    made_from: str
    cases: tuple[Case, ...]
    known: tuple[Known, ...]
    exact_case: Case
    exact_pairs: tuple[Pair, ...]  # named by the method


def texts_of(chosen: Compared, made_from: str, count: int) -> Texts:
    """Write ``count`` texts of every method, each of a noise of its own."""
    plans = {f"plan, {name}": [plan_of(chosen, name, EPSILON, seed) for seed in range(count)] for name in PAPERS}
    told = [_plan_case(chosen, method, plan) for method, every in plans.items() for plan in every]
    rivals = [_rival_case(chosen, method, seed) for method in METHODS for seed in range(count)]
    true = [case for case in told if case.method == OURS]
    known = [each for seed, case in enumerate(true) for each in _known(chosen, case, plans[OURS][seed], seed)]
    exact, pairs = _of_the_exact_plan(chosen, told)
    return Texts(
        made_from=made_from,
        cases=(*told, *rivals),
        known=tuple(known),
        exact_case=exact,
        exact_pairs=pairs,
    )


def _plan_case(chosen: Compared, method: str, plan: SemanticPlan) -> Case:
    text = text_by_bins(plan)
    return case_of_plan(plan, text, dataset=chosen.prepared.dataset, method=method, entries_alone=True)


def _known(chosen: Compared, case: Case, plan: SemanticPlan, seed: int) -> Iterator[Known]:
    listed = {entry.atom_id for entry in plan.entries}
    others = [atom.label for atom in chosen.prepared.universe.atoms if atom.id not in listed]
    for how, worse in spoiled_texts(case.summary, plan, others, seed):
        yield Known(how=how, true=case, worse=worse)


def written_rivals(chosen: Compared, count: int, chat: Chat) -> list[Case]:
    """Have a language model write what templates write of the rivals' releases: the very releases of ``texts_of``."""
    return [
        _rival_case(chosen, method, seed, lambda release: verbalise(release, chat))
        for method in METHODS
        for seed in range(count)
    ]


def _rival_case(
    chosen: Compared, method: RivalMethod, seed: int, words: Callable[[BaselineRelease], Verbalised] = template_words
) -> Case:
    release = release_rival(method, chosen.protected, chosen.public, EPSILON, noise_from(seed))
    kind = _TYPES.get(method, _GROUPS)
    return Case(
        dataset=chosen.prepared.dataset,
        method=method,
        decoder_input=f"the {kind}, and public instructions",
        released_object_type=kind,
        mechanism=", ".join(dict.fromkeys(str(charge.described()["law"]) for charge in release.loss.charges)),
        epsilon=EPSILON,
        protected_unit=release.unit.kind,
        protected_units=len(chosen.records),
        released_object="\n".join(_lines(release)) or "(nothing passed the noise)",
        summary=words(release).summary,
        basis=Basis.SIMULATED,
    )


def _lines(release: BaselineRelease) -> Iterator[str]:
    match release.released:
        case Histogram(entries=entries):
            yield from (f"- {entry.name}: {entry.count}" for entry in entries)
        case Clusters(clusters=clusters):
            for number, cluster in enumerate(clusters, 1):
                keywords = ", ".join(entry.name for entry in cluster.keywords) or "none"
                yield f"- group {number} | noisy_size={cluster.size} | keywords={keywords}"
        case _:
            assert_never(release.released)


def _of_the_exact_plan(chosen: Compared, told: list[Case]) -> tuple[Case, tuple[Pair, ...]]:
    exact = exact_plan(chosen)
    text = text_by_bins(exact)
    pairs = tuple(pair_of(exact, name=case.method, dp=case.summary, np=text) for case in told)
    case = Case(
        dataset=chosen.prepared.dataset,
        method=EXACT,
        decoder_input="the exact plan",
        released_object_type="exact plan, never released",
        mechanism="none",
        epsilon=None,
        protected_unit="none",
        protected_units=len(chosen.records),
        released_object=pairs[0].reference_plan,
        summary=text,
        basis=Basis.EXACT,
    )
    return case, pairs
