"""Whatever words a dictionary, a title or a sentence holds, the report stays one well-formed, inert page."""

import csv
import io
import json
import re
from decimal import Decimal
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.boundary.atoms import Atom
from dpspin.boundary.percentages import decimals_as_read
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.printable import printable
from dpspin.public.atoms.speakable_names import look_of, not_speakable, spelling_of
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.chart import chart_of
from dpspin.public.report.csv_tables import plan_csv
from dpspin.public.report.finding import ReportSentence
from dpspin.public.wording.numbers import Scale, out_of, plain, scale_of, small
from factories import plan_of, universe_of
from pages import page_of
from random_plans import plans

MOST_CHARACTERS = 42  # of all ticks together: what a phone holds on one line, with gaps
VOID = {"meta", "link", "br"}
NASTY = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    "' onmouseover='x",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt; & <b>",
    "</style><style>*{display:none}",
    "javascript:alert(1)",
    "=HYPERLINK(0)",
    "]]>",
    "\u202etxt.exe",
    "\u2028line",
]
words = st.sampled_from(NASTY) | st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30)
lines = words.filter(lambda text: text.strip() and text.isprintable() | ("\u202e" in text) | ("\u2028" in text))
labels = lines.map(str.strip).filter(lambda text: text and not not_speakable(text))
masses = st.floats(-20, 900, allow_nan=False)


class Outline(HTMLParser):
    """Everything the laws ask of a page: balance, ids, links, attributes, and text by element."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.texts = [], [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))

    def values(self, name):
        return [value for key, value in self.attributes if key == name]


@st.composite
def reports(draw):
    names, areas = (draw(st.lists(labels, min_size=1, max_size=5, unique_by=(look_of, spelling_of))) for _ in range(2))
    atoms = [
        Atom(id=7 * i, label=name, description=draw(words), parent=draw(st.none() | st.sampled_from(areas)))
        for i, name in enumerate(names)
    ]
    universe = universe_of(atoms, name=draw(lines))
    noisy = draw(st.lists(masses, min_size=len(atoms), max_size=len(atoms)))
    admission = draw(st.sampled_from(["threshold", "fixed"]))
    epsilon, none = draw(st.sampled_from([0.1, 1.0, 20.0])), draw(st.none() | masses)
    plan = plan_of(universe, noisy, admission=admission, epsilon=epsilon, none=none)
    plan = plan.model_copy(update={"title": draw(words)})
    ids = [entry.atom_id for entry in plan.entries]
    sentence = st.builds(
        ReportSentence,
        words,
        st.lists(st.sampled_from(ids), max_size=4).map(tuple) if ids else st.just(()),
        st.booleans(),
        none=st.just(False) if none is None else st.booleans(),
    )
    return plan, draw(st.lists(sentence, max_size=9)), universe


@settings(max_examples=60, deadline=None)
@given(reports())
def test_a_report_is_one_balanced_inert_page_with_unique_ids_and_living_links(report):
    plan, summary, atoms = report
    page = Outline(page_of(plan, summary, atoms=atoms))
    ids = page.values("id")
    assert page.open == []
    assert (
        page.tags.count("h1") == page.tags.count("main") == page.tags.count("script") == page.tags.count("style") == 1
    )
    assert len(set(ids)) == len(ids)
    assert {"img", "iframe", "object", "form", "base"}.isdisjoint(page.tags)
    assert not [key for key, _ in page.attributes if key.startswith("on") or key in {"src", "style", "srcdoc"}]
    assert all(link == "data:," or link.removeprefix("#") in ids for link in page.values("href"))


@settings(max_examples=60, deadline=None)
@given(reports())
def test_every_verified_sentence_and_every_label_is_shown_letter_by_letter(report):
    plan, summary, atoms = report
    page = Outline(page_of(plan, summary, atoms=atoms))
    shown = "".join(text for element, text in page.texts if element == "bdi")
    for sentence in summary:
        assert not sentence.verified or printable(sentence.text) in shown
    for entry in plan.entries:
        assert printable(entry.label) in shown
        assert printable(entry.description) in shown


@settings(max_examples=40, deadline=None)
@given(reports())
def test_the_plan_can_be_read_back_from_the_page(report):
    plan, summary, atoms = report
    page = page_of(plan, summary, atoms=atoms)
    (embedded,) = re.findall(r'<script type="application/json" id="plan">(.*?)</script>', page, flags=re.DOTALL)
    assert SemanticPlan.from_json(json.dumps(json.loads(embedded))) == plan


@settings(max_examples=60, deadline=None)
@given(reports())
def test_the_table_gives_back_every_label_without_a_formula(report):
    plan, _, atoms = report
    rows = list(csv.reader(io.StringIO(plan_csv(plan, atoms), newline="")))
    assert {len(row) for row in rows} == {8}
    assert not any(row[1].startswith(("=", "+", "-", "@")) for row in rows)
    known = {str(atom.id): atom.label for atom in atoms.atoms}
    assert sum(row[0] == "" for row in rows) == (0 if plan.uncovered is None else 3)
    for row in [row for row in rows[1:] if row[0]]:
        entry = plan.entry(int(row[0]))
        assert row[1].removeprefix("'") == printable(entry.label if entry else known[row[0]])


SHARES = ("Share", "Range without the .*?")


def cells(page, row, headings):
    """Return the share and the range in a row of the table."""
    (found,) = re.findall(rf'<tr role="row" id="row-{row}".*?</tr>', page, flags=re.DOTALL)
    return [re.search(rf'data-label="{label}">(.*?)</td>', found)[1] for label in headings]


@settings(max_examples=40, deadline=None)
@given(plans())
def test_the_table_gives_the_very_shares_that_sentences_give(released):
    facts = Facts(released.plan, released.universe)
    page, scale = page_of(released.plan, atoms=released.universe), scale_of(released.plan)
    if facts.read is not None:
        coarser = Scale(decimals_as_read(released.plan))
        for atom, read in facts.read.listed.items():
            told = coarser.interval(read.low, read.high) if facts.has_shares else scale.text(0)
            assert cells(page, atom, ["A reader would (?:file|find it in)"]) == [told]
        return
    beside = {"none": released.plan.uncovered, "not-read": released.plan.not_read}
    told = {atom: facts.theme(atom) for atom in facts.listed}
    told |= {row: facts.beside(value) for row, value in beside.items() if value is not None}
    for row, estimate in told.items():
        assert cells(page, row, SHARES) == [scale.text(estimate.share), scale.interval(estimate.low, estimate.high)]


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 12))
def test_a_printed_interval_contains_the_certified_one(a, b, decimals):
    low, high = sorted((a, b))
    text = Scale(decimals).interval(low, high)
    printed = [Decimal(part.rstrip("%").replace(",", "")) for part in text.split(" to ")]
    assert printed[0] <= Decimal(low) * 100
    assert printed[1] >= Decimal(high) * 100


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 15).flatmap(lambda power: st.integers(10**power, min(2**53, 10 ** (power + 1)))),
    st.floats(0.5, 1e7),
    st.sampled_from([0.01, 1.0, 20.0]),
)
def test_at_any_denominator_the_axis_is_sparse_and_no_number_needs_an_exponent(denominator, mass, epsilon):
    universe = universe_of([Atom(id=0, label="a")])
    plan = plan_of(universe, [mass], denominator=denominator, epsilon=epsilon)
    chart, scale = chart_of(Facts(plan, universe)), scale_of(plan)
    ticks = [tick.text for tick in chart.ticks]
    numbers = [*ticks, *(scale.text(entry.support) for entry in plan.entries)]
    assert 2 <= len(ticks) <= 5
    assert len(ticks) == 2 or len(ticks) * max(map(len, ticks)) <= MOST_CHARACTERS
    assert len(set(ticks)) == len(ticks)
    assert all(re.fullmatch(r"[\d,]+(\.\d+)?%", number) for number in numbers)
    assert all(lane.noise.end <= 100 for lane in chart.lanes)
    if plan.entries and plan.entries[0].clears_noise:
        assert re.search(r"[1-9]", scale.text(plan.entries[0].support))


@given(st.floats(1e-15, 0.5))
def test_a_written_delta_is_the_delta(delta):
    assert abs(float(small(delta)) - delta) <= 1e-8 * delta
    assert "e-0" not in small(delta)


@given(st.floats(1e-9, 1e12))
def test_a_plain_number_is_within_its_digits(value):
    text = plain(value)
    assert "e" not in text
    assert abs(float(text.replace(",", "")) - value) <= value / 190


@given(st.floats(0.5, 1))
def test_odds_never_claim_certainty_in_figures_or_round_to_an_even_guess(probability):
    figures = re.fullmatch(r"([\d,]+) of ([\d,]+)", out_of(probability))
    if figures:
        part, whole = (int(number.replace(",", "")) for number in figures.groups())
        assert whole < 2 * part < 2 * whole
