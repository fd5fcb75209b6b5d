"""What the paper says about the controlled probe (its section 6.3 and the appendix on it)."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.results.claims.claim import MOSTLY, Claim, Scope, Test
from dpspin_lab.results.estimate import Estimate, pooled
from dpspin_lab.results.evaluation_tables import Results, by_writer, found, part_of, series, short, writer_told
from dpspin_lab.results.verdict import Cell, Trend, at_most, compared, ever, falling, followed, never, rising, some
from dpspin_lab.runs.config import PAPERS
from dpspin_lab.runs.grids import MAIN_L

FEW, RARE = 5, 0.25
RECORDS: Final = Scope("record")  # the paper has no probe at user level
ADMITTED, MENTIONED, MASS, RANK = "probe_admission", "probe_mention", "probe_mass", "probe_rank"


def curves(tables: Iterable[Table], column: str) -> Iterator[tuple[str, str, list[tuple[float, Estimate]]]]:
    """Yield a measure over the probe's support, for each mechanism and budget."""
    for table in tables:
        for mechanism in PAPERS:
            for epsilon in table.values("epsilon"):
                over = series(table, "probe_support", column, mechanism=mechanism, epsilon=epsilon)
                if over:
                    yield part_of(table), f"{short(mechanism)}, ε={epsilon:g}", over


def rare_at_first(scope: Scope) -> Test:
    """Read admission at the smallest supports, all budgets together: a single setting has too few runs to tell."""

    def test(results: Results) -> Iterator[Cell]:
        for table, mechanism in product(scope.of(results.probes), PAPERS):
            rows = table.where(mechanism=mechanism).measured(ADMITTED).rows
            if few := [row for row in rows if row["probe_support"] <= FEW]:
                yield at_most(part_of(table), f"{short(mechanism)}, s up to {FEW}", pooled(few, ADMITTED), RARE)

    return test


def rises_with_support(column: str, scope: Scope) -> Test:
    """Follow a rate over the support."""

    def test(results: Results) -> Iterator[Cell]:
        for part, where, over in curves(scope.of(results.probes), column):
            yield from followed(rising, part, where, over)

    return test


def without_noise(column: str, trend: Trend) -> Test:
    """Follow an exact figure over the support; it needs no mechanism."""

    def test(results: Results) -> Iterator[Cell]:
        for table in RECORDS.of(results.probes):
            first = table.where(mechanism=PAPERS[0], epsilon=table.values("epsilon")[0])
            yield from followed(trend, part_of(table), "without noise", series(first, "probe_support", column))

    return test


def mention_not_above_admission(results: Results) -> Iterator[Cell]:
    """Look for a setting in which more runs mention than admit; then one at least mentions what is not admitted."""
    for table in RECORDS.of(results.probes):
        rows = table.measured(MENTIONED).rows
        if rows:
            seen = any(row[MENTIONED] > row[ADMITTED] for row in rows)
            runs = sum(int(row["runs"]) for row in rows)
            yield never(part_of(table), "all settings with texts", runs, exceptions=seen)


def admitted_and_left_out(results: Results) -> Iterator[Cell]:
    """Look on all data sets and units for runs in which a model's text leaves out the probe that the plan lists."""
    tried = []
    for table in results.model_probes:
        for rows in by_writer(table.measured(MENTIONED)):
            seen = sum(round(row["runs"] * max(0.0, row[ADMITTED] - row[MENTIONED])) for row in rows.rows)
            runs = sum(round(row["runs"] * row[ADMITTED]) for row in rows.rows)
            if runs:
                tried.append(ever("", f"{part_of(table)}, {', '.join(writer_told(rows.rows[0]))}", runs, seen=seen))
    if tried:
        yield some("all, record and user", tried)


def small_budgets_admit_less(scope: Scope) -> Test:
    """Compare admission at the largest budget and at the smallest, where the probe belongs into the plan."""

    def test(results: Results) -> Iterator[Cell]:
        for table in scope.of(results.probes):
            if tried := list(_by_budgets(table)):
                yield some(part_of(table), tried)

    return test


def _by_budgets(table: Table) -> Iterator[Cell]:
    small, large = (table.values("epsilon")[place] for place in (0, -1))
    belongs = {row["probe_support"] for row in table.rows if row.get(RANK) is not None and row[RANK] <= MAIN_L}
    for mechanism, support in product(PAPERS, sorted(belongs)):
        rows = table.where(mechanism=mechanism, probe_support=support)
        where = f"{short(mechanism)}, s={support}, ε={large:g} against {small:g}"
        if small < large:
            both = (found(rows, ADMITTED, epsilon=epsilon) for epsilon in (large, small))
            yield from compared(part_of(table), where, *both)


CLAIMS: Final = (
    Claim(
        "probe-rare",
        "A theme with little support is seldom admitted.",
        f"Each mechanism admits the probe in at most {RARE:.0%} of its runs with s up to {FEW}.",
        rare_at_first(RECORDS),
        source="6.3",
    ),
    Claim(
        "probe-rises",
        "Admission generally rises with the support s.",
        f"The rate is higher at the largest s than at the smallest, with no clear step down; {MOSTLY:.0%} of the clear "
        "cases suffice.",
        rises_with_support(ADMITTED, RECORDS),
        needed=MOSTLY,
        source="6.3",
    ),
    Claim(
        "mention-rises",
        "Mention in the text follows the same trend.",
        f"The same test on the rate of mention, with the same {MOSTLY:.0%}.",
        rises_with_support(MENTIONED, RECORDS),
        needed=MOSTLY,
        source="6.3",
    ),
    Claim(
        "mention-within-admission",
        "What is not admitted is not mentioned.",
        "In no setting is the rate of mention above that of admission (an exception that another run of the same "
        "setting makes up for would not be seen).",
        mention_not_above_admission,
        by_construction=True,
        source="appendix on metrics, as we read it",
    ),
    Claim(
        "mention-may-be-lower",
        "Mention can be rarer than admission, as a writer may leave out an admitted theme.",
        "In some run whose text a language model wrote, on any data set, the probe is admitted and not mentioned.",
        admitted_and_left_out,
        missing="All texts of the probe are the template's, which names every admitted theme. "
        "`dpspin lab paper --decoder-url URL --decoder-model NAME` has a model write some.",
        source="6.3, appendix on metrics",
        of_models=True,
    ),
    Claim(
        "probe-mass",
        "More probe records put more mass on the probe atom.",
        "Its exact mass rises from the smallest to the largest s with no step down.",
        without_noise(MASS, rising),
        by_construction=True,
        source="appendix on the probe",
    ),
    Claim(
        "probe-rank",
        "With more support the probe's rank without noise moves towards the top.",
        "The rank falls from the smallest to the largest s with no step up.",
        without_noise(RANK, falling),
        by_construction=True,
        source="appendix, a caption on CFPB, as we read it",
    ),
    Claim(
        "probe-budget",
        "More noise, as of a smaller budget, can keep the probe out of the plan.",
        f"On each data set, at some s with a rank without noise within L={MAIN_L}, the probe is admitted more often "
        "at the largest ε than at the smallest.",
        small_budgets_admit_less(RECORDS),
        source="appendix on the probe",
    ),
)
