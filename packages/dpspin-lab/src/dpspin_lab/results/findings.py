"""The half page that a hurried reader wants: what was found, in plain sentences with figures from the tables."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.markdown import table_lines
from dpspin_lab.results.claims.claim import Judged
from dpspin_lab.results.claims.on_probe import ADMITTED, FEW
from dpspin_lab.results.claims.ours_on_truth import PROMISED
from dpspin_lab.results.estimate import pooled
from dpspin_lab.results.evaluation_tables import Results, found
from dpspin_lab.results.verdict import Verdict
from dpspin_lab.runs.config import PAPERS, MechanismName
from dpspin_lab.runs.grids import MAIN_K, MAIN_L
from dpspin_lab.runs.summary import Row

USUAL, SMALL = 1.0, 0.1  # budgets of which the sentences speak
PLANS: Final = {"laplace": "Laplace plan", "gaussian": "Gaussian plan", "private_topL": "private top-L admission"}
MAPS: Final = {"ngram": "the paper's map", "hybrid": "the hybrid map", "names": "the map by names"}


def findings(results: Results, papers: Sequence[Judged], ours: Sequence[Judged]) -> Iterator[str]:
    """Write one sentence for each finding; what the tables do not hold is left out."""
    told = (
        _themes(results, USUAL, PLANS),
        _themes(results, SMALL, PLANS | {"laplace_eb": "Laplace plan read beside the auxiliary shares"}),
        _noise(results),
        _planner(results),
        _asking_nobody(results),
        _probe(results),
        _certificates(results),
        _verdicts(results, papers, ours),
    )
    yield from (f"{number}. {sentence}" for number, sentence in enumerate(filter(None, told), 1))


def _verdicts(results: Results, papers: Sequence[Judged], ours: Sequence[Judged]) -> str:
    rows = [row for table in (*results.grids, *results.others, *results.probes) for row in table.rows]
    runs = sum(int(row["runs"]) for row in rows)
    releases = runs - sum(int(row["runs"]) for row in rows if row["mechanism"] == MechanismName.PUBLIC_ONLY)
    return (
        f"{runs:,} runs were made, {releases:,} of them simulated releases. Verdicts on the paper's {len(papers)} "
        f"claims: {_counted(papers)}; on our own {len(ours)}: {_counted(ours)}."
    )


def _counted(claims: Sequence[Judged]) -> str:
    """Count verdicts, and how many of each could hardly have been others."""
    counts = Counter(judged.verdict for judged in claims)
    built = Counter(judged.verdict for judged in claims if judged.claim.by_construction)
    return ", ".join(
        f"“{verdict.value}” {counts[verdict]}"
        + (f" ({built[verdict]} of them by construction)" if built[verdict] else "")
        for verdict in Verdict
        if counts[verdict]
    )


def _themes(results: Results, epsilon: float, plans: dict[str, str]) -> str | None:
    """Tell how many of the heaviest themes of the exact sketch plans list, from the worst part to the best."""
    spans = {
        name: _span([_only(table.main_setting, "overlap", mechanism, epsilon) for table in results.grids], MAIN_L)
        for mechanism, name in plans.items()
    }
    if not all(spans.values()):
        return None
    listed = ", ".join(f"{name} {span}" for name, span in spans.items())
    return (
        f"Of the {MAIN_L} heaviest themes of the exact sketch, this many are listed at ε={epsilon:g}, from the worst "
        f"data set and unit to the best: {listed}."
    )


def _noise(results: Results) -> str | None:
    pairs = [
        [_only(table.main_setting, "error_l2", name, USUAL) for name in ("gaussian", "laplace")]
        for table in results.grids
    ]
    span = _span([high / low for high, low in pairs if high and low])
    return f"At ε={USUAL:g} Gaussian noise is {span} times as large as Laplace noise." if span else None


def _planner(results: Results) -> str | None:
    gaps = []
    for table in results.grids:
        rows = table.main_setting
        best = [max(every) for epsilon in rows.values("epsilon") if (every := _overlaps(rows, PAPERS, epsilon))]
        chosen = [each for epsilon in rows.values("epsilon") for each in _overlaps(rows, ("auto",), epsilon)]
        if chosen and len(chosen) == len(best):
            gaps.append(MAIN_L * (sum(chosen) - sum(best)) / len(best))
    if not gaps:
        return None
    return (
        "The plan of the planner, which sees public numbers alone, differs from what turned out to be the best of the "
        f"paper's mechanisms at each budget by {min(gaps):+.2f} to {max(gaps):+.2f} themes on average over the budgets."
    )


def _asking_nobody(results: Results) -> str | None:
    hashed = _span([_only(table.main_setting, "overlap", "public_only", USUAL) for table in results.grids], MAIN_L)
    late = [table.where(K=MAIN_K, L=MAIN_L) for table in results.varied(split="time", assignment_map="ngram")]
    timed = _span([_only(table, "overlap", "public_only", USUAL) for table in late], MAIN_L)
    if not hashed:
        return None
    over = f"; where public text is older than the records, {timed}" if timed else ""
    return f"A plan that asks no record, and lists what public text is about, has {hashed} of these {MAIN_L}{over}."


def _probe(results: Results) -> str | None:
    rows = [row for table in results.probes for row in table.measured(ADMITTED).rows if row["mechanism"] in PAPERS]
    if not rows:
        return None
    largest = max(row["probe_support"] for row in rows)
    few = pooled([row for row in rows if row["probe_support"] <= FEW], ADMITTED)
    many = pooled([row for row in rows if row["probe_support"] == largest], ADMITTED)
    return (
        f"A synthetic theme, of which at most {FEW} units speak, or none, is listed in {few.mean:.1%} of {few.runs:,} "
        f"runs of the probe, one of {largest} units in {many.mean:.1%} of {many.runs:,} (all budgets, the paper's "
        "mechanisms and both levels together; its records are sentences of ours that speak of nothing else)."
    )


def _certificates(results: Results) -> str | None:
    tables = (*results.grids, *results.others, *results.probes)
    rows = [row for table in tables for row in table.where(mechanism="laplace").measured("value_error_inside").rows]
    if not rows:
        return None
    inside = pooled(rows, "value_error_inside")
    return (
        f"The largest error of a Laplace release was inside its certificate in {inside.mean:.1%} of {inside.runs:,} "
        f"runs; {PROMISED:.0%} is promised."
    )


def beside_labels(results: Results) -> Iterator[str]:
    """Write how near plans of each map and split come to labels that are known, at the usual budget."""
    released, public = (dict(_blocks(results, name)) for name in ("laplace", "public_only"))
    if not released:
        return
    heads = ("map", "split", f"of the {MAIN_L} truly largest themes a Laplace plan lists", "TV", "TV, public-only plan")
    rows = [
        (*block, f"{MAIN_L * listed:.1f}", f"{tv:.2f}", _distance(public.get(block)))
        for block, (listed, tv) in sorted(released.items())
    ]
    yield f"Beside the labels of complaints, at ε={USUAL:g} (TV: the part of the mass that lies on wrong themes):"
    yield ""
    yield from table_lines(heads, rows, words=2)
    yield ""
    yield (
        "“The paper's map” is [our reading](conformance.md#problem-formulation) of it: the paper prints no "
        "representation of texts."
    )


def _distance(public: tuple[float, float] | None) -> str:
    return "-" if public is None else f"{public[1]:.2f}"


def _blocks(results: Results, mechanism: str) -> Iterator[tuple[tuple[str, str], tuple[float, float]]]:
    """Yield both figures of each split and map in the usual setting, also of maps that are not cut to K themes."""
    tables = (*(table.main_setting for table in results.grids), *(each.where(L=MAIN_L) for each in results.others))
    for table in tables:
        for row in table.where(mechanism=mechanism, epsilon=USUAL).measured("truth_tv").measured("truth_overlap").rows:
            yield _block(row), (float(row["truth_overlap"]), float(row["truth_tv"]))


def _block(row: Row) -> tuple[str, str]:
    name = str(row.get("assignment_map"))
    cut = f"K={row['K']}" if row["K"] < row["m"] else "not cut, as by default"
    return f"{MAPS.get(name, name)}, {cut}", f"by {row.get('split')}"


def _overlaps(rows: Table, mechanisms: Sequence[str], epsilon: float) -> list[float]:
    every = [_only(rows, "overlap", name, epsilon) for name in mechanisms]
    return [each for each in every if each is not None]


def _only(rows: Table, column: str, mechanism: str, epsilon: float) -> float | None:
    figure = found(rows, column, mechanism=mechanism, epsilon=epsilon)
    return figure.mean if figure else None


def _span(numbers: Sequence[float | None], factor: float = 1.0) -> str:
    """Write the smallest and the largest of several figures.

    >>> _span([0.5, None, 0.75], 10), _span([1.0]), _span([None])
    ('5.0 to 7.5', '1.0', '')
    """
    known = [number * factor for number in numbers if number is not None]
    if not known:
        return ""
    low, high = f"{min(known):.1f}", f"{max(known):.1f}"
    return low if low == high else f"{low} to {high}"
