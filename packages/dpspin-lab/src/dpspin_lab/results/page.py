"""The results page: written from the tables alone, so that it can be made again and never drifts from them."""

from collections.abc import Iterator, Sequence

from dpspin_lab.results.account import on_which_data, what_was_run
from dpspin_lab.results.claims.all_claims import judged_ours, judged_papers
from dpspin_lab.results.claims.claim import Judged
from dpspin_lab.results.compared import mechanisms_compared, methods_compared, rivals_compared, truth_compared
from dpspin_lab.results.findings import findings
from dpspin_lab.results.judging import section_of_judges
from dpspin_lab.results.rules import HISTORY, HOW
from dpspin_lab.results.tables import Results
from dpspin_lab.results.verdict import CONFIDENCE
from dpspin_lab.results.verdicts import glance, one_by_one, otherwise
from dpspin_lab.rubric import PROSE
from dpspin_lab.runs.grids import MAIN_K, MAIN_L

OTHER_LEVELS = (0.95, 0.999)

INTRODUCTION = """# Results

Written by `dpspin lab results` from the tables of `dpspin lab paper` ([how](lab-runs.md)); do not edit it.
**Nothing on this page is private**: the lab sees exact sketches of public data and draws noise from known seeds. All
figures are totals and means; no record and no phrase of a text is shown."""

DEFINITIONS = """These statements of the paper are definitions or proofs, and no measurements: the guarantee itself;
that the decoder sees the plan alone, at either level; that Loss is not normalised, so that its size is compared within
a data set; that a larger L changes both the target and the mass that can be kept; that the probe is a known coordinate,
and no discovery."""

OF_MECHANISMS = f"""K={MAIN_K}, L={MAIN_L}, the usual dictionary and number of units, B=1 at user level. The public-only
plan asks no record and has no ε; it stands in the last row."""

OF_TRUTH = f"""Where the publisher labels each record, plans can be compared with the truth, and not with the sketch
alone. *TV* is the total variation between stated and true shares of the themes (0: the same; 1: nothing in common);
what map and noise add to it sums up to it. L={MAIN_L}; K is the most themes of a record, *all* where the map's vector
is not cut, as in the product by default. The public-only plan states the auxiliary records as mapped, by a map that did
not learn from them; the auxiliary labels need no map, and are the most that is known without asking a record."""

OF_METHODS = f"""Every text is made from the same records. *Names what it released* is of a method's own object; of the
references, which release none, it is of the exact plan's themes. Both likenesses are to the text of the exact plan, so
they favour plans by construction, and do not tell which text is better. That text is by a plainer template than those
of the other plans, so that a plan without noise would not reach 1 either; P27 has one template on both sides, and its
figures are not comparable with these. All noise here is from known seeds, and protects no one; the column *protects*
says whom a method would protect if its noise were drawn securely. References and the Clio-like pipeline protect
**nobody**. Reading ease (Flesch) is not told of texts with fewer than {PROSE} sentences; within a data set it tells of
the dictionary's labels as much as of the writing."""

NOT_MEASURED = """- No language model wrote a text here; every figure on texts is of templates.
  `dpspin lab paper --judge-url` lets a model judge them.
- The paper's plots are not part of its text, so its budgets are known only where it names them, and its curves cannot
  be compared with ours point by point.
- The paper's sizes are run where the samples are large enough
  ([what differs](lab-runs.md#what-differs-from-the-paper))."""


def page_of(results: Results, pictures: Sequence[tuple[str, str]] = ()) -> str:
    """Write the page; pictures are pairs of a place and a caption."""
    return "\n".join(_lines(results, pictures)) + "\n"


def _lines(results: Results, pictures: Sequence[tuple[str, str]]) -> Iterator[str]:
    papers, ours = judged_papers(results), judged_ours(results)
    yield from (INTRODUCTION, "")
    yield from ("## In short", "", *findings(results, papers, ours), "")
    yield from ("## How claims are judged", "", HOW, "")
    yield from ("## What was run", "", *what_was_run(results), "")
    if results.datasets:
        yield from ("## On which data", "", *on_which_data(results), "")
    yield from ("## The paper's claims at a glance", "", *glance("P", papers), "", DEFINITIONS, "")
    yield from ("## What we found at a glance", "", *glance("O", ours), "")
    yield from _figures(pictures)
    yield from ("## All mechanisms at the same ε", "", OF_MECHANISMS, "", *mechanisms_compared(results))
    if told := list(truth_compared(results)):
        yield from ("## Against the truth", "", OF_TRUTH, "", *told, "")
    yield from _of_methods(results)
    yield from section_of_judges(results)
    yield from ("## The paper's claims one by one", "", *one_by_one("P", papers))
    yield from ("## What we found, one by one", "", *one_by_one("O", ours))
    yield from ("## How the rules came about", "", HISTORY, "", *_at_other_levels(results, papers, ours), "")
    yield from ("## What was not measured", "", NOT_MEASURED)


def _at_other_levels(results: Results, papers: Sequence[Judged], ours: Sequence[Judged]) -> Iterator[str]:
    """Tell how far verdicts hang on the level of confidence that was chosen."""
    for level in OTHER_LEVELS:
        of_the_paper = otherwise("P", papers, judged_papers(results, level))
        changed = [*of_the_paper, *otherwise("O", ours, judged_ours(results, level))]
        told = "; ".join(changed) or "none"
        yield f"- With {level:g} for a claim instead of {CONFIDENCE:g}, these verdicts would be others: {told}."


def _figures(pictures: Sequence[tuple[str, str]]) -> Iterator[str]:
    if pictures:
        yield from ("## Figures", "", "Bands are one standard deviation over seeds.", "")
        for place, caption in pictures:
            yield from (f"![{caption}]({place})", "", f"*{caption}*", "")


def _of_methods(results: Results) -> Iterator[str]:
    if results.methods:
        yield from ("## All methods at the same ε", "", OF_METHODS, "", *methods_compared(results))
    if results.rivals:
        told = "How good the releases of the [private rivals](private-baselines.md) are, by what each of them measures:"
        yield from (told, "", *rivals_compared(results), "")
