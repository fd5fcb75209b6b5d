"""What the paper says about texts: the verifier, likeness to the reference's text, and a judge's scores."""

from collections.abc import Iterator
from statistics import StatisticsError, correlation
from typing import Final

from dpspin_lab.results.claims.claim import PRIVATE, Claim, Test
from dpspin_lab.results.estimate import LIKENESSES, Correlation, Estimate, measured
from dpspin_lab.results.evaluation_tables import Results, found, part_of
from dpspin_lab.results.judges import judges_of, why_not_believed
from dpspin_lab.results.verdict import Cell, at_least, compared, never
from dpspin_lab.runs.summary import Row

FOLLOWS, HIGH, BEST = 0.8, 4.0, 5.0
SMALL, LARGE = 1.0, 4.0  # the budgets of the paper's tables
PLANS: Final = ("plan, gaussian", "plan, laplace", "plan, private_topL")
HISTOGRAMS: Final = ("keyword_histogram", "category_histogram")
PLAN, CLUSTERS = "plan, gaussian", "urania"


def template_is_consistent(results: Results) -> Iterator[Cell]:
    """Ask what the verifier said of the template's texts."""
    asked = {"accepted": ("texts refused", 1.0), "uar": ("UAR not 0", 0.0), "ucr": ("UCR not 0", 0.0)}
    for part, rows in _with_texts(results).items():
        runs = sum(int(row["runs"]) for row in rows)
        for column, (where, right) in asked.items():
            yield never(part, where, runs, exceptions=any(row[column] != right for row in rows))


def text_follows_plan(results: Results) -> Iterator[Cell]:
    """Tell how closely keyphrases and Overlap go together over all settings of a part."""
    for table in results.grids:
        rows = table.measured("j_kp").rows
        try:
            together = correlation([row["overlap"] for row in rows], [row["j_kp"] for row in rows])
        except StatisticsError:  # fewer than two settings, or no spread
            continue
        found_so = Correlation(together, len(rows), min(row["runs"] for row in rows))
        yield at_least(part_of(table), "all settings with texts", found_so, FOLLOWS)


def gaussian_reads_closer(results: Results) -> Iterator[Cell]:
    """Compare the likeness of Gaussian and of private top-L texts at the same budget."""
    for table in results.grids:
        rows = table.main_setting.where(epsilon=SMALL)
        for column in LIKENESSES:
            both = (found(rows, column, mechanism=name) for name in ("gaussian", PRIVATE))
            yield from compared(part_of(table), f"{column}, ε={SMALL:g}", *both)


def private_reads_closer_with_budget(results: Results) -> Iterator[Cell]:
    """Compare the likeness of private top-L texts at the two budgets of the paper's tables."""
    for table in results.grids:
        rows = table.main_setting.where(mechanism=PRIVATE)
        for column in LIKENESSES:
            both = (found(rows, column, epsilon=epsilon) for epsilon in (LARGE, SMALL))
            yield from compared(part_of(table), f"{column}, ε={LARGE:g} against {SMALL:g}", *both)


def score_high(methods: tuple[str, ...]) -> Test:
    """Read coverage and faithfulness of some methods."""

    def test(results: Results) -> Iterator[Cell]:
        for dataset, row in _believed(results, methods):
            for name in ("coverage", "faithfulness"):
                if score := _score(row, name):
                    yield at_least(dataset, f"{_where(row)}, {name}", score, HIGH)

    return test


def faithful_but_plainer(results: Results) -> Iterator[Cell]:
    """Set faithfulness beside insightfulness of plans."""
    for dataset, row in _believed(results, PLANS):
        both = (_score(row, name) for name in ("faithfulness", "insightfulness"))
        yield from compared(dataset, _where(row), *both)


def clusters_are_less_faithful(results: Results) -> Iterator[Cell]:
    """Compare faithfulness of the Gaussian plan against that of the URANIA-style release."""
    rows = list(_believed(results, (PLAN, CLUSTERS)))
    scored = {(dataset, row["judge"], row["method"]): _score(row, "faithfulness") for dataset, row in rows}
    for dataset, judge in dict.fromkeys((dataset, row["judge"]) for dataset, row in rows):
        both = (scored.get((dataset, judge, method)) for method in (PLAN, CLUSTERS))
        yield from compared(dataset, f"{judge}: {PLAN} against {CLUSTERS}", *both)


def texts_are_safe(results: Results) -> Iterator[Cell]:
    """Read the judge's score of safety, which rates words and is no guarantee."""
    for dataset, row in _believed(results):
        if score := _score(row, "privacy_safety"):
            yield at_least(dataset, _where(row), score, BEST)


def _with_texts(results: Results) -> dict[str, list[Row]]:
    """Return the rows with verified texts, by data set and unit; each run has a plan and a text of its own."""
    rows: dict[str, list[Row]] = {}
    for table in (*results.grids, *results.probes):
        found_there = table.measured("accepted").measured("uar").measured("ucr").rows
        rows.setdefault(part_of(table), []).extend(found_there)
    return {part: every for part, every in rows.items() if every}


def _believed(results: Results, methods: tuple[str, ...] = ()) -> Iterator[tuple[str, Row]]:
    """Yield the scores at the paper's budget by judges that can tell a true text from a spoiled one."""
    judges = {judge.judge for judge in judges_of(results).values() if judge.scores_count}
    for dataset, rows in results.judged.items():
        for row in rows:
            if row["judge"] in judges and row["epsilon"] == SMALL and (not methods or row["method"] in methods):
                yield dataset, row


def _where(row: Row) -> str:
    return f"{row['judge']}: {row['method']}"


def _score(row: Row, name: str) -> Estimate | None:
    return measured(row, name, runs="texts")


CLAIMS: Final = (
    Claim(
        "template-consistent",
        "The template's texts are consistent with their plans.",
        "No text is refused, and none has an unsupported theme or comparison (UAR, UCR).",
        template_is_consistent,
        by_construction=True,
        source="6, metrics; appendix on metrics",
    ),
    Claim(
        "text-follows-plan",
        "With a template, likeness of texts mainly mirrors how far the plans agree.",
        f"Keyphrase Jaccard and Overlap have a correlation of at least {FOLLOWS:g} over the settings of each part.",
        text_follows_plan,
        source="appendix on metrics",
    ),
    Claim(
        "gaussian-text-closer",
        "At ε=1 the text of a Gaussian plan is closer to the reference's than that of private top-L admission "
        "(with the template).",
        "All four likenesses are higher. The paper's texts are a language model's, and in its table of CFPB the second "
        "(J_2) is 0.21 for both: this is of the template's texts alone.",
        gaussian_reads_closer,
        source="appendices, tables of likeness",
    ),
    Claim(
        "private-text-gains",
        "Texts of private top-L admission come closer to the reference's from ε=1 to ε=4 (with the template).",
        "All four likenesses are higher at ε=4. The paper's texts are a language model's.",
        private_reads_closer_with_budget,
        source="appendices, tables of likeness",
    ),
    Claim(
        "judge-plans",
        "A judge gives summaries of plans high scores for coverage and faithfulness.",
        f"Both are at least {HIGH:g} of 5 at ε=1.",
        score_high(PLANS),
        why_missing=why_not_believed,
        of_models=True,
        source="6.5, tables of scores",
    ),
    Claim(
        "judge-insight",
        "Faithfulness and insight come apart: insight depends on what the plan holds.",
        "Faithfulness of plans is above their insightfulness at ε=1.",
        faithful_but_plainer,
        why_missing=why_not_believed,
        of_models=True,
        source="6.5",
    ),
    Claim(
        "judge-histograms",
        "Histograms can score high where their public words fit the data.",
        f"Coverage and faithfulness of both histograms are at least {HIGH:g} of 5 at ε=1.",
        score_high(HISTOGRAMS),
        why_missing=why_not_believed,
        of_models=True,
        source="6.5",
    ),
    Claim(
        "judge-urania",
        "Summaries of the URANIA-style release are less faithful than those of plans.",
        "Faithfulness of the Gaussian plan is higher at ε=1.",
        clusters_are_less_faithful,
        why_missing=why_not_believed,
        of_models=True,
        source="6.5, tables of scores",
    ),
    Claim(
        "judge-safety",
        "All summaries have the best score for safe words.",
        f"Every method has {BEST:g} of 5 at ε=1.",
        texts_are_safe,
        why_missing=why_not_believed,
        of_models=True,
        source="6.5, tables of scores",
    ),
)
