"""Whether two plans can be compared: a change is one of what was measured only if both measured it in the same way.

Other differences cannot matter: epsilon, mechanism, adjacency, account and dates of the releases, and size, admission,
bins and margins of the plans.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import denominator_at
from dpspin.boundary.privacy import EVERYONE
from dpspin.errors import RequestError

Place = int | str  # a theme by its id, or what is measured beside the themes: "none" and "not_read"
Stated = Callable[[SemanticPlan], object]


def _fixed(plan: SemanticPlan) -> object:
    """Return what fixes a map; its report card and where its text came from change nothing of what it does."""
    stated = plan.statement.contribution_map
    return stated.digest, stated.atoms_per_record, stated.answers_none, stated.languages, stated.made_by


def _taken(plan: SemanticPlan) -> str:
    """Say how much of a user a period of a series takes, and what it does with late records."""
    terms = plan.statement.series
    late = {"refuse": "without late records", "next": "with late records"}
    return "no series" if terms is None else f"at most {terms.per_period_bound:g} {late[terms.late]}"


MUST_BE_ALIKE: Final[Mapping[str, tuple[str, Stated]]] = {  # by the last word of the error's code
    "dictionary": ("the dictionary", lambda plan: f"{plan.dictionary.name} {plan.dictionary.version}"),
    "map": ("the map", lambda plan: plan.statement.contribution_map.name),
    "unit": ("the protected unit", lambda plan: plan.statement.unit.kind),
    "bound": ("the user bound", lambda plan: plan.statement.unit.bound),
    "missing": ("what happens to records without a user id", lambda plan: getattr(plan.statement.unit, "missing", "")),
    "quantity": ("what is measured", lambda plan: plan.statement.quantity.model_dump(mode="json")),
    "denominator": ("what shares refer to", lambda plan: plan.denominator.kind),
    "series": ("what a period of a series takes of a user", _taken),
}
BY_DIGEST: Final[Mapping[str, Stated]] = {  # where a name does not decide
    "dictionary": lambda plan: plan.dictionary.digest,
    "map": _fixed,
}


def released_by_place(plan: SemanticPlan) -> dict[Place, float]:
    """Return everything that a plan released."""
    themes = plan.entries if plan.noisy_sketch is None else plan.noisy_sketch
    beside = {"none": plan.uncovered, "not_read": plan.not_read}
    values: dict[Place, float] = {int(each.atom_id): each.noisy_mass for each in themes}
    return values | {name: each.noisy_mass for name, each in beside.items() if each is not None}


def require_comparable(before: SemanticPlan, after: SemanticPlan) -> None:
    """Refuse two plans that did not measure the same in the same way, or of which nothing can be compared."""
    require_same_measurement(before, after)
    for name, plan in (("A", before), ("B", after)):
        if not is_known(plan, plan.rules.beta / 2):  # each has half of beta
            raise RequestError(
                f"what shares refer to is too noisy in plan {name}: nothing can be compared", code="compare.no-shares"
            )


def is_known(plan: SemanticPlan, beta: float) -> bool:
    """Tell whether what shares refer to is known well enough for this chance of error."""
    return plan.has_shares and denominator_at(plan, beta).is_known


def require_same_measurement(before: SemanticPlan, after: SemanticPlan, names: tuple[str, str] = ("A", "B")) -> None:
    """Refuse two plans that did not measure the same in the same way, each with noise of its own."""
    differing = [*_differences(before, after, names)]
    if differing:
        told = "; ".join(words for _, words in differing)
        raise RequestError(
            f"these plans cannot be compared: {told}. A difference between them would be told as a change. Release "
            "one of them again as the other one was",
            code=f"compare.{differing[0][0]}",
        )
    if released_by_place(before) == released_by_place(after):
        raise RequestError(
            "these are two plans of one release, with the same noise: name two releases", code="compare.same-release"
        )
    for name, plan in zip(names, (before, after), strict=True):
        if plan.statement.sampling != EVERYONE:
            raise RequestError(
                f"plan {name} is of a random sample, and certified of that sample alone: the draw of another one would "
                "be told as a change. Compare releases of everyone",
                code="compare.sample",
            )


def _differences(before: SemanticPlan, after: SemanticPlan, names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    for code, (name, told) in MUST_BE_ALIKE.items():
        decides = BY_DIGEST.get(code, told)
        if decides(before) != decides(after):
            words = [told(plan) for plan in (before, after)]
            one, other = (f"{word} in {plan}" for word, plan in zip(words, names, strict=True))
            how = f"{one}, {other}" if words[0] != words[1] else f"another {other}"
            yield code, f"{name} differs ({how})"
