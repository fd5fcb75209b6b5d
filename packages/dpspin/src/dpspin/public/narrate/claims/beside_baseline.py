"""Claims that set a release beside its public baseline."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from dpspin.boundary.baseline import ComparedShare, beside_baseline
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.narrate.claims.claim import AsFiled, Problem, broken, not_listed
from dpspin.public.narrate.facts import Facts

AMONG: Final = ("the themes", "the themes and what fits none of them")  # what a baseline's parts are parts of


@dataclass(frozen=True, slots=True)
class BesideBaseline(AsFiled):
    """What is said of a listed theme beside its part in the public baseline."""

    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"among": AMONG}
    theme: int
    among: str | None = None

    def _figures(self, facts: Facts) -> dict[str, object]:
        baseline = facts.plan.baseline
        return {"among": AMONG[baseline is not None and baseline.none is not None]}


@dataclass(frozen=True, slots=True)
class AboveBaseline(BesideBaseline):
    """A theme's share of all that was measured lies above its share in the public baseline."""

    kind: ClassVar[str] = "above_baseline"

    def _law(self, facts: Facts) -> Problem | None:
        """Ask that it is listed, and that its whole interval lies above."""
        return _not_beside(facts, self.theme, lambda each: each.low > each.baseline)


@dataclass(frozen=True, slots=True)
class BelowBaseline(BesideBaseline):
    """A theme's share of all that was measured lies below its share in the public baseline."""

    kind: ClassVar[str] = "below_baseline"

    def _law(self, facts: Facts) -> Problem | None:
        """Ask that it is listed, and that its whole interval lies below."""
        return _not_beside(facts, self.theme, lambda each: each.high < each.baseline)


@dataclass(frozen=True, slots=True)
class ApartFromBaseline(AsFiled):
    """How many themes of the dictionary are told apart from the public baseline."""

    kind: ClassVar[str] = "apart_from_baseline"
    count: int | None = None
    size: int | None = None

    def _law(self, facts: Facts) -> Problem | None:
        compared = told_apart(facts.plan) is not None
        return broken("unsupported-baseline", "There is no baseline to compare with.", unless=compared)

    def _figures(self, facts: Facts) -> dict[str, object]:
        count, size = told_apart(facts.plan) or (0, 0)
        return {"count": count, "size": size}


def _not_beside(facts: Facts, theme: int, lies: Callable[[ComparedShare], bool]) -> Problem | None:
    there = any(each.atom_id == theme and lies(each) for each in themes_beside_baseline(facts.plan))
    message = f"The noise does not set {facts.labels.get(theme, theme)!r} on that side of the baseline."
    return broken("unsupported-baseline", message, unless=there) or not_listed(facts, theme)


def themes_beside_baseline(plan: SemanticPlan) -> tuple[ComparedShare, ...]:
    """Compare every theme with the plan's baseline; nothing, where there is no baseline or no full sketch."""
    if plan.baseline is None or plan.noisy_sketch is None:
        return ()
    none = plan.uncovered.noisy_mass if plan.uncovered else None
    masses = [item.noisy_mass for item in plan.noisy_sketch]
    return beside_baseline(masses, none, plan.statement.noise, plan.baseline, plan.rules.beta)


def told_apart(plan: SemanticPlan) -> tuple[int, int] | None:
    """Count the themes that the noise lets one tell apart from the baseline, and all; None where none were compared."""
    compared = themes_beside_baseline(plan)
    return (sum(each.differs for each in compared), len(compared)) if compared else None
