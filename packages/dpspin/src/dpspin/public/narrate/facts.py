"""What is known: a plan with its dictionary, and the values that claims are made of. All of it is public."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from functools import cached_property

from dpspin.boundary import percentages
from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.candidate_table import CandidateTable, candidates_of
from dpspin.boundary.certify import BELOW_SHARE, TICK, CertifiedMargins
from dpspin.boundary.comparable import require_comparable
from dpspin.boundary.comparison import compare_plans
from dpspin.boundary.comparison_fields import Comparison
from dpspin.boundary.denominator import PART_OF_BETA, PublicNumber, certificates_beside, share_interval
from dpspin.boundary.example_table import ExampleTable, examples_of
from dpspin.boundary.percentages import contradict, most_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import PlanEntry, Uncovered
from dpspin.boundary.privacy import MASS
from dpspin.boundary.report_card import AtomCard
from dpspin.boundary.series_changes import PlansInTime
from dpspin.boundary.series_levels import areas_in
from dpspin.boundary.view_tables import ViewTable, tables_of
from dpspin.errors import RequestError
from dpspin.public.atoms.speakable_names import require_speakable, require_speakable_views
from dpspin.public.narrate.as_read import AsRead, Estimate, inside_a_sentence
from dpspin.text.languages import names_of, require_codes


@dataclass(frozen=True)
class Facts:
    """A plan and the dictionary that it was measured by: labels that were not admitted must be known as such.

    With an earlier plan (A) it is about the change from that one to this one (B), and about nothing else; with the
    plans of a series, of which this one is the last, about that series.
    """

    plan: SemanticPlan
    atoms: AtomUniverse
    before: SemanticPlan | None = None
    time: PlansInTime | None = None

    def __post_init__(self) -> None:
        if self.time is not None and (self.before is not None or self.plan is not self.time.released[-1]):
            raise RequestError("a text tells a series up to its last plan, or compares two plans: not both")
        if self.before is not None:
            require_comparable(self.before, self.plan)
        for plan in filter(None, [self.before] if self.time is None else self.time.released[:-1]):
            Facts(plan, self.atoms)  # its words are those of the dictionary too
        if self.atoms.digest != self.plan.dictionary.digest:
            raise RequestError(
                f"this is not the dictionary of the plan, which was measured by {self.plan.dictionary.name!r}, version "
                f"{self.plan.dictionary.version!r}: give the atoms.json of its release"
            )
        require_speakable(self.atoms)
        require_speakable_views(view.facet for view in self.plan.statement.views)
        examples_of(self.plan, self.atoms)  # they are the dictionary's own
        require_codes(self.plan.statement.contribution_map.languages)  # any words could stand there
        known = {atom.id: (atom.label, atom.description, atom.parent) for atom in self.atoms.atoms}
        read = () if self.plan.grounded is None else self.plan.grounded.themes
        renamed = any(known.get(each.atom_id, ("",))[0] != each.label for each in read)
        if renamed or any(
            known.get(each.atom_id) != (each.label, each.description, each.parent) for each in self.plan.entries
        ):
            raise RequestError("the plan calls a theme by other words than its dictionary: it was changed by hand")

    @cached_property
    def change(self) -> Comparison | None:
        """What became of every theme since the earlier plan; nothing where there is none."""
        return None if self.before is None else compare_plans(self.before, self.plan, self.atoms)

    @cached_property
    def each(self) -> "tuple[Facts, ...]":
        """Each plan by itself, the earlier one first."""
        if self.time is not None:
            return tuple(Facts(plan, self.atoms) for plan in self.time.plans.values())
        return (self,) if self.before is None else (Facts(self.before, self.atoms), Facts(self.plan, self.atoms))

    @cached_property
    def views(self) -> dict[str, ViewTable]:
        """The views by the names of their facets."""
        return {table.view.facet.title: table for table in tables_of(self.plan)}

    @cached_property
    def examples(self) -> ExampleTable | None:
        """The listed themes by their public examples, where that was measured."""
        return examples_of(self.plan, self.atoms)

    @cached_property
    def candidates(self) -> CandidateTable | None:
        """What lies nearest to candidates, where that was measured."""
        return candidates_of(self.plan)

    def nearest_to(self, candidate: str) -> Estimate:
        """Return the share of what lies nearest to a candidate that is known."""
        assert self.candidates is not None  # noqa: S101  the caller asked
        mass = self.candidates.masses[candidate]
        low, high = share_interval(mass.low, mass.high, self.plan.denominator)
        return self._bounded(Estimate(mass.value / self.plan.denominator.value, low, high))

    @cached_property
    def listed(self) -> dict[int, PlanEntry]:
        """The admitted themes by id, in the order of their ranks."""
        return {int(entry.atom_id): entry for entry in self.plan.entries}

    @cached_property
    def ranked(self) -> tuple[int, ...]:
        """The themes that a text lists, by rank: as a reader would file them, where a sample was read.

        Of a change: those that are told apart, the surest first. Of a series: those that changed, the latest first.
        """
        if self.time is not None:
            return self.time.moved
        if self.change is not None:
            return tuple(int(each.atom_id) for each in self.change.moved)
        return tuple(self.listed if self.read is None else self.read.listed)

    @cached_property
    def read(self) -> AsRead | None:
        """What the reading of a sample says; nothing where none was read."""
        return AsRead.of(self.plan)

    @cached_property
    def clear(self) -> tuple[int, ...]:
        """The themes whose intervals lie above zero, listed or not."""
        return tuple(atom for atom in self.masses if self.theme(atom).low > 0)

    @cached_property
    def unclear(self) -> tuple[int, ...]:
        """The listed themes whose intervals do not, by rank: those of the reading, where a sample was read."""
        interval = self.theme if self.read is None else self.read.theme
        return tuple(atom for atom in self.ranked if interval(atom).low <= 0)

    @cached_property
    def masses(self) -> dict[int, float]:
        """Every noisy mass that was released, by id."""
        released = self.plan.entries if self.plan.noisy_sketch is None else self.plan.noisy_sketch
        return {int(each.atom_id): each.noisy_mass for each in released}

    @cached_property
    def labels(self) -> dict[int, str]:
        """The label of every theme of the dictionary."""
        return {int(atom.id): atom.label for atom in self.atoms.atoms}

    @cached_property
    def meanings(self) -> dict[int, str]:
        """What a theme means, as it can stand inside a sentence; only for themes that say so."""
        found = {int(atom.id): inside_a_sentence(atom.description) for atom in self.atoms.atoms}
        return {atom: meaning for atom, meaning in found.items() if meaning}

    @cached_property
    def areas(self) -> dict[str, tuple[int, ...]]:
        """The headings of the dictionary, each with all of its themes, listed or not."""
        return areas_in(self.atoms)

    @property
    def adds_up(self) -> bool:
        """Whether values may be added: masses of everything measured, and not prevalences, which count a unit twice."""
        return self.plan.noisy_sketch is not None and self.plan.statement.quantity == MASS

    @property
    def certifies(self) -> bool:
        """Whether orders rest on the noise, and not on a public margin that bounds no error."""
        return isinstance(self.plan.rules.margin, CertifiedMargins)

    @cached_property
    def languages(self) -> str:
        """The languages that the map reads, as what is in none of them is not in one *or* the other."""
        return " or ".join(names_of(self.plan.statement.contribution_map.languages))

    @cached_property
    def decimals(self) -> int:
        """The decimals of a percentage that the noise allows."""
        return percentages.decimals_of(self.plan)

    @cached_property
    def has_shares(self) -> bool:
        """Whether what shares refer to is known at all: a measured number may be noise alone."""
        return self.plan.has_shares

    def theme(self, atom: int) -> Estimate:
        """Return the estimate of a theme whose mass was released; of one that is not listed with a wider interval."""
        return self._bounded(self.released(atom))

    def released(self, atom: int) -> Estimate:
        """Return the same as the noise left it, though no share can be as much."""
        entry = self.listed.get(atom)
        return self._of(self.masses[atom]) if entry is None else self._as_read(entry)

    def beside(self, value: Uncovered) -> Estimate:
        """Return the estimate of what belongs to no theme, or was not read."""
        return self._bounded(self._as_read(value))

    def _as_read(self, value: PlanEntry | Uncovered) -> Estimate:
        if value.noisy_mass < 0:
            return self._of(value.noisy_mass)
        return Estimate(value.support, value.support_low, value.support_high)

    def _of(self, mass: float) -> Estimate:
        return self._estimate(mass, self.plan.rules.certificates.interval_below, self._reach_above)

    @cached_property
    def _reach_above(self) -> float:
        """How far above any released mass the true one lies at most, for all themes at once."""
        statement = self.plan.statement
        contenders = len(self.masses) + statement.contribution_map.besides
        return statement.noise.upper_quantile((1 - BELOW_SHARE) * self._beta / contenders) + TICK

    @property
    def _beta(self) -> float:
        """The chance of error that the masses have; a noisy denominator has taken its part."""
        exact = isinstance(self.plan.denominator, PublicNumber)
        return self.plan.rules.beta if exact else (1 - PART_OF_BETA) * self.plan.rules.beta

    @cached_property
    def area_estimates(self) -> dict[str, Estimate]:
        """The sum of each heading over all of its themes; the intervals of all headings hold together.

        The noise of a sum over a fixed set is known exactly, so it is far narrower than a sum of intervals.
        """
        sums = {name: self._estimate(mass, reach, reach) for name, (mass, reach) in self.area_masses.items()}
        told = {name: self._whole(self.areas[name], estimate) for name, estimate in sums.items()}
        loose = (self.theme(int(atom.id)) for atom in self.atoms.atoms if atom.parent is None and told)
        return {} if self.has_shares and self.contradict((*told.values(), *loose)) else told

    def _whole(self, atoms: Iterable[int], estimate: Estimate) -> Estimate:
        """Tell a sum as no less than its parts: it has a noise of its own, and they may seem to be more.

        The share of a part that may be noise alone says nothing, but the sum may be as much as its interval allows.
        """
        parts = [*map(self.theme, atoms)]
        share = max([estimate.share, *(part.share for part in parts if part.low > 0)])
        return self._bounded(Estimate(share, estimate.low, max([estimate.high, *(part.high for part in parts)])))

    def contradict(self, sums: Iterable[Estimate]) -> bool:
        """Tell whether sums over different themes cannot be, beside each other and what belongs to none of them."""
        beside = (self.beside(value) for value in (self.plan.uncovered, self.plan.not_read) if value is not None)
        return contradict(self.plan, ((each.share, each.low) for each in (*sums, *beside)))

    @cached_property
    def area_masses(self) -> dict[str, tuple[float, float]]:
        """The noisy mass of each heading and how far it reaches: a common denominator changes no order."""
        if not self.adds_up:
            return {}
        tail = self._beta / (2 * max(1, len(self.areas)))
        return {name: self._sum(ids, tail) for name, ids in self.areas.items()}

    def _sum(self, atoms: Iterable[int], tail: float) -> tuple[float, float]:
        masses = [self.masses[atom] for atom in atoms]
        return sum(masses), self.plan.statement.noise.sum_quantile(len(masses), tail)

    @cached_property
    def together(self) -> Estimate:
        """The sum of the listed themes. They were chosen by the noise, so the ends of their intervals add up."""
        each = [self.theme(atom) for atom in self.listed]
        return self._bounded(Estimate(*(sum(getattr(one, name) for one in each) for name in ("share", "low", "high"))))

    @cached_property
    def tail(self) -> Estimate:
        """The sum of the themes that are not listed: everything but those."""
        rest = [atom for atom in self.masses if atom not in self.listed]
        share = max(0.0, sum(self.masses[atom] for atom in rest)) / self.plan.denominator.value
        (every, reach), (low, high) = self._sum(self.masses, self._beta / 4), self._ends_of_listed
        ends = share_interval(max(0.0, every - reach - high), max(0.0, every + reach - low), self.plan.denominator)
        return self._whole(rest, Estimate(share, ends[0], max(ends[1], share)))

    @property
    def _ends_of_listed(self) -> tuple[float, float]:
        """The mass of all listed themes at least and at most, with half of beta: the other half is for everything."""
        plan, rules = self.plan, self.plan.rules
        known = certificates_beside(
            plan.denominator, plan.statement, atoms=self.atoms.size, size=rules.size, beta=rules.beta / 2
        )
        masses = [entry.noisy_mass for entry in self.listed.values()]
        lows = (max(0.0, mass - known.interval_below) for mass in masses)
        highs = (max(0.0, mass) + known.interval_above for mass in masses)
        return sum(lows), sum(highs)

    @cached_property
    def cards(self) -> dict[int, AtomCard]:
        """How well each theme is sorted on test text; nothing where the map was not tested."""
        card = self.plan.statement.contribution_map.card
        return {} if card is None else {int(each.atom_id): each for each in card.atoms}

    def sorting_range(self, atoms: tuple[int, ...]) -> tuple[float, float] | None:
        """Return what the map's errors on test text would make of a share: about, and not certified.

        For several themes the ends add up, as if no error within them cancelled another.
        """
        ranges = [self._sorted[atom] for atom in atoms]
        known = [each for each in ranges if each is not None]
        return (sum(low for low, _ in known), sum(high for _, high in known)) if len(known) == len(ranges) else None

    @cached_property
    def _sorted(self) -> dict[int, tuple[float, float] | None]:
        ranges = {
            atom: card.range_of(self.theme(atom).share) for atom, card in self.cards.items() if atom in self.masses
        }
        return {**dict.fromkeys(self.masses), **ranges}

    def _estimate(self, mass: float, below: float, above: float) -> Estimate:
        """Return a share and its interval; what lies below zero may be as much as what lies there."""
        least = max(0.0, mass)
        low, high = share_interval(max(0.0, mass - below), least + above, self.plan.denominator)
        return Estimate(least / self.plan.denominator.value, low, high)

    def _bounded(self, estimate: Estimate) -> Estimate:
        """Cut what no share can be."""
        most = most_of(self.plan)
        return Estimate(*(min(most, value) for value in (estimate.share, estimate.low, estimate.high)))

    def percent(self, share: float) -> Decimal:
        """Round a share as a text gives it."""
        return percentages.rounded(share, self.decimals, ROUND_HALF_EVEN)

    def outward(self, estimate: Estimate) -> tuple[Decimal, Decimal]:
        """Round an interval so that the one that is printed contains it."""
        return percentages.outward(estimate.low, estimate.high, self.decimals)
