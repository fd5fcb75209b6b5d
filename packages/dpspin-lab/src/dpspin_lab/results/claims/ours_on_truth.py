"""What we found where something is other than in the paper: the split, the map; and the certificates."""

from collections.abc import Iterator
from typing import Final

from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.results.claims.claim import HALF_A_THEME, Claim, Test
from dpspin_lab.results.claims.ours_on_mechanisms import EASED, overlaps
from dpspin_lab.results.estimate import Estimate, measured, pooled, times
from dpspin_lab.results.evaluation_tables import Results, found, part_of, short, unusual
from dpspin_lab.results.verdict import Cell, above, at_least, compared, not_below_on_average
from dpspin_lab.runs.grids import MAIN_K, MAIN_L
from dpspin_lab.runs.summary import Row

USUAL_BUDGET, PROMISED, DWARFED = 0.5, 0.95, 4.0
NO_TIME = "No runs are split by time."
NO_TRUTH = "No runs are compared with known labels."


def public_plan_suffers_from_time(results: Results) -> Iterator[Cell]:
    """Compare the Overlap of the public-only plan, split by chance and by time."""
    for late in _by_time(results):
        for usual in results.of_unit(late.unit):
            if usual.dataset == late.dataset:
                both = (_public_overlap(usual.main_setting), _public_overlap(late))
                yield from compared(part_of(late), "split by hash against split by time", *both)


def asking_pays_over_time(results: Results) -> Iterator[Cell]:
    """Compare the Overlap of the Laplace plan beside the public-only plan, split by time."""
    for late in _by_time(results):
        if pairs := overlaps(late, "laplace", "public_only", from_budget=USUAL_BUDGET):
            yield not_below_on_average(part_of(late), "laplace against public-only", pairs, HALF_A_THEME)


def map_outweighs_noise(results: Results) -> Iterator[Cell]:
    """Compare what map and noise add to the distance of released shares from the truth, with every map, cut or not."""
    for table in (*results.grids, *results.others):
        for row in table.where(mechanism="laplace").measured("truth_tv_mapping").rows:
            mapping, noise = measured(row, "truth_tv_mapping"), measured(row, "truth_tv_noise")
            if mapping and noise and row["epsilon"] >= USUAL_BUDGET:
                where = f"m={row['m']}, K={row['K']}, ε={row['epsilon']:g}: map against {DWARFED:g} × noise"
                yield above(_kind(table, row), where, mapping, times(noise, DWARFED))


def sketch_is_not_truth(results: Results) -> Iterator[Cell]:
    """Compare what a plan recovers of the exact sketch with what it recovers of the known labels."""
    for table in results.grids:
        rows = table.main_setting.where(mechanism="laplace")
        for epsilon in rows.values("epsilon"):
            if epsilon >= USUAL_BUDGET:
                both = (found(rows, column, epsilon=epsilon) for column in ("overlap", "truth_overlap"))
                yield from compared(part_of(table), f"laplace, ε={epsilon:g}: sketch against truth", *both)


def hybrid_is_truer(results: Results) -> Iterator[Cell]:
    """Compare the distance from the truth with the paper's map and with the hybrid, on the same dictionary."""
    for hybrid in results.varied(assignment_map="hybrid"):
        for row in hybrid.where(mechanism="laplace").measured("truth_tv").rows:
            same = {
                name: row.get(name) for name in ("m", "K", "L", "epsilon", "split", "dictionary", hybrid.size_field)
            }
            papers = [
                each
                for table in (*results.grids, *results.others)
                if table.dataset == hybrid.dataset and table.unit == hybrid.unit
                for each in table.where(mechanism="laplace", assignment_map="ngram", **same).rows
            ]
            both = (measured(one, "truth_tv") for one in (papers[0] if papers else None, row))
            where = f"m={row['m']}, ε={row['epsilon']:g}: ngram against hybrid"
            yield from compared(f"{part_of(hybrid)}, {row['split']}", where, *both)


def asking_is_truer_over_time(results: Results) -> Iterator[Cell]:
    """Compare the distance from the truth of a release through the uncut hybrid with that of what was known before."""
    for late in results.varied(split="time", assignment_map="hybrid"):
        for row in late.where(mechanism="laplace").measured("truth_tv").rows:
            same = {name: row.get(name) for name in ("m", "K", "L", "epsilon", late.size_field)}
            if row["K"] >= row["m"] and row["epsilon"] >= USUAL_BUDGET:
                both = (found(late, "labels_tv", mechanism="public_only", **same), measured(row, "truth_tv"))
                yield from compared(part_of(late), f"ε={row['epsilon']:g}: auxiliary labels against laplace", *both)


def asking_is_truer(results: Results) -> Iterator[Cell]:
    """Compare the distances of the public-only plan and of a release from the truth, in every block with labels."""
    for table in (
        *(table.main_setting for table in results.grids),
        *(each.where(K=MAIN_K, L=MAIN_L) for each in results.others),
    ):
        for row in table.where(mechanism="laplace").measured("truth_tv").rows:
            same = {name: row.get(name) for name in ("m", "epsilon", "split", "dictionary", "assignment_map")}
            if row["epsilon"] >= USUAL_BUDGET:
                both = (found(table, "truth_tv", mechanism="public_only", **same), measured(row, "truth_tv"))
                block = f"{part_of(table)}, {row.get('split')}, {row.get('assignment_map')}"
                yield from compared(block, f"ε={row['epsilon']:g}: public-only against laplace", *both)


def promise_is_kept(column: str) -> Test:
    """Count how often all runs of a mechanism stayed inside their certificates.

    A certificate holds for any records, by noise alone, and each run has noise of its own: whatever records runs share,
    the exact binomial test is right.
    """

    def test(results: Results) -> Iterator[Cell]:
        kept: dict[str, list[Row]] = {}
        for table in (*results.grids, *results.others, *results.probes):
            for row in table.measured(column).rows:
                kept.setdefault(row["mechanism"], []).append(row)
        for mechanism, rows in kept.items():
            yield at_least(f"all, {short(mechanism)}", f"{len(rows)} settings", pooled(rows, column), PROMISED)

    return test


def _by_time(results: Results) -> list[Table]:
    return [table.where(K=MAIN_K, L=MAIN_L) for table in results.varied(split="time", assignment_map="ngram")]


def _public_overlap(table: Table) -> Estimate | None:
    return found(table, "overlap", mechanism="public_only", epsilon=table.epsilon)


def _kind(table: Table, row: Row) -> str:
    return ", ".join((part_of(table), *unusual(table), "cut to K" if row["K"] < row["m"] else "not cut"))


CLAIMS: Final = (
    Claim(
        "public-only-over-time",
        "A random split flatters the public-only plan: with auxiliary text older than the records it misses more.",
        "Its Overlap is lower where the data are split by time.",
        public_plan_suffers_from_time,
        missing=NO_TIME,
    ),
    Claim(
        "asking-over-time",
        "Split by time, asking the records is at most half a theme in ten worse at finding those of the exact sketch "
        "than the public-only plan, on average over the budgets.",
        f"A Laplace plan, ε from {USUAL_BUDGET:g} on. {EASED} than that of the public-only plan; at no single ε is it "
        "clearly lower by as much.",
        asking_pays_over_time,
        missing=NO_TIME,
    ),
    Claim(
        "map-and-noise",
        "From ε=0.5 on, most of a release's distance from the truth is the map's and not the noise's (CFPB).",
        f"With Laplace noise and ε from {USUAL_BUDGET:g} on, the map adds more than {DWARFED:g} times what noise adds, "
        "whatever the map and the split, and whether records are cut to K themes or not.",
        map_outweighs_noise,
        missing=NO_TRUTH,
    ),
    Claim(
        "sketch-and-truth",
        "Recovering the sketch is not recovering the truth: with the paper's map a plan can be right about the sketch "
        "and wrong about the records.",
        f"From ε={USUAL_BUDGET:g} on, a Laplace plan overlaps more with the exact sketch than with known labels.",
        sketch_is_not_truth,
        missing=NO_TRUTH,
    ),
    Claim(
        "hybrid-map",
        "On CFPB, a hybrid map taught by auxiliary labels is nearer to the truth than the paper's map, on the same "
        "dictionary, with K=3.",
        "The total variation between released and true shares is lower, at every ε, split by hash or by time.",
        hybrid_is_truer,
        missing=NO_TRUTH,
    ),
    Claim(
        "certified-loss",
        "Losses stay inside the paper's utility certificates as often as these promise.",
        f"At least {PROMISED:.0%} of the runs of each mechanism have a Loss inside (exact binomial test, all runs of a "
        "mechanism together).",
        promise_is_kept("loss_inside"),
        missing="No run carries a certificate.",
        source="ours; appendix on utility",
    ),
    Claim(
        "certified-values",
        "Value errors stay inside the certificates as often as these promise.",
        f"At least {PROMISED:.0%} of the runs of each mechanism have their largest error inside (same test; a promise "
        "that is kept exactly, and not by more, stays open).",
        promise_is_kept("value_error_inside"),
        missing="No run carries a certificate.",
        source="ours; appendix on utility",
    ),
    Claim(
        "asking-and-truth",
        "Asking the records states shares that are nearer to the truth than those of the public-only plan, with K=3.",
        f"The total variation from the true shares is lower for a Laplace release than for the public-only plan, at "
        f"every ε from {USUAL_BUDGET:g} on, in every split and map with known labels.",
        asking_is_truer,
        missing=NO_TRUTH,
    ),
    Claim(
        "asking-is-truer-over-time",
        "Where the world has moved since the auxiliary text was written, asking the records comes nearer to the truth "
        "than stating the auxiliary labels (CFPB, before and since 2023).",
        f"Split by time, with the uncut hybrid map and ε from {USUAL_BUDGET:g} on, the total variation between "
        "released and true shares is lower.",
        asking_is_truer_over_time,
        missing=NO_TRUTH,
    ),
)
