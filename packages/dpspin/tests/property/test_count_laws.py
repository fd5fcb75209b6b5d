"""One protected unit changes the count of units by one, whatever is done with the rows; no exact count is published."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.boundary.denominator import CountShare, TotalMass
from dpspin.boundary.mechanisms import Gaussian, Laplace, PrivateTopL
from dpspin.boundary.privacy import Adjacency, MissingUsers, PrivacyLoss, RecordUnit, UserUnit
from dpspin.boundary.statement import Separation
from dpspin.curator.aggregate.auxiliary_baseline import auxiliary_baseline
from dpspin.curator.aggregate.local import aggregate
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.aggregate.storage import InMemory, Spilling
from dpspin.curator.aggregate.totals import totals_for
from dpspin.curator.records.columns import BadRows, Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.errors import BoundViolation, RequestError
from dpspin.public.report.folder import write_release
from factories import PAPER_UNIVERSE, WeightsMap

ATOMS = PAPER_UNIVERSE.size


def weigh(text):
    """An empty text gives nothing at all, as an unreadable one does."""
    return [0.2 * (letter in text) for letter in "abcd"] + [0.2 * bool(text)]


MAP = WeightsMap(ATOMS, weigh)
COMPARED = Separation(map_text="compared", dictionary_text="no_text")
IN_MEMORY, LAPLACE = InMemory(), Laplace()
TEXTS = st.sampled_from(["", "a", "ab", "dcba", None])
USERS = st.sampled_from([None, "ann", "bob", "cy", ""])
ROWS = st.lists(st.tuples(USERS, TEXTS), max_size=12)
POLICIES = [MissingUsers.DROP, MissingUsers.OWN_UNIT]
STORAGES = {
    "in memory": lambda _: InMemory(),
    "spilling": lambda folder: Spilling(rows=2, memory_mib=64, folder=folder),
}


def origin_of(unit, adjacency=Adjacency.ADD_DROP):
    return SketchOrigin.of(PAPER_UNIVERSE, MAP.statement, unit, adjacency)


def sketch_of(rows, unit, storage=IN_MEMORY, bad_rows=BadRows.ZERO):
    table = pa.table(
        {
            "who": pa.array([who for who, _ in rows], pa.string()),
            "text": pa.array([text for _, text in rows], pa.string()),
        }
    )
    user, missing = (None, MissingUsers.REFUSE) if isinstance(unit, RecordUnit) else ("who", unit.missing)
    corpus = open_corpus(table, Columns("text", user), RowPolicy(bad_rows, missing))
    return aggregate(corpus, MAP, origin_of(unit), storage)[0]


def by_definition(rows, unit):
    if isinstance(unit, RecordUnit):
        return len(rows)
    named, alone = {who for who, _ in rows if who}, sum(not who for who, _ in rows)
    return len(named) + (alone if unit.missing is MissingUsers.OWN_UNIT else 0)


@given(rows=ROWS, text=TEXTS)
def test_one_record_more_is_one_more_also_where_it_gives_nothing(rows, text):
    assert sketch_of(rows, RecordUnit()).units == len(rows)
    assert sketch_of([*rows, (None, text)], RecordUnit()).units == len(rows) + 1


@pytest.mark.parametrize("missing", POLICIES)
@given(rows=ROWS, who=USERS, texts=st.lists(TEXTS, min_size=1, max_size=3))
def test_one_user_more_is_one_more_whatever_they_wrote(missing, rows, who, texts):
    unit = UserUnit(1.0, missing)
    others = [row for row in rows if not who or row[0] != who]
    theirs = [(who, text) for text in texts]
    added = sketch_of(others + theirs, unit).units - sketch_of(others, unit).units
    if who:
        assert added == 1
    else:  # each row without an id is a unit of its own, or is left out
        assert added == (len(texts) if missing is MissingUsers.OWN_UNIT else 0)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("unit", [RecordUnit(), *(UserUnit(0.5, missing) for missing in POLICIES)], ids=str)
def test_every_storage_counts_the_definition(tmp_path, storage, unit):
    rows = [(None if i % 5 == 0 else f"u{i % 9}", ["", "ab", None, "d"][i % 4]) for i in range(60)]
    assert sketch_of(rows, unit, STORAGES[storage](tmp_path)).units == by_definition(rows, unit)


def test_strict_rows_change_no_count():
    rows = [("ann", "a"), ("bob", "b"), ("ann", "")]
    assert sketch_of(rows, UserUnit(1.0), bad_rows=BadRows.REFUSE).units == 2


def test_finished_record_sketches_add_their_counts():
    one, two = sketch_of([(None, "a")] * 3, RecordUnit()), sketch_of([(None, None)] * 2, RecordUnit())
    assert one.merge(two).units == 5
    assert one.merge(Sketch(two.ticks, two.origin)).units is None


class Shifted:
    """Noise that everybody can foresee: it adds a known number to everything."""

    randomness = "os-csprng"

    def __init__(self):
        self.asked = []

    def laplace(self, values, scale, sensitivity, epsilon):
        self.asked.append((len(values), scale, sensitivity.l1, epsilon))
        return [int(value) + 1000 for value in values]

    def gaussian(self, values, scale, sensitivity, loss):
        self.asked.append((len(values), scale, sensitivity.l1, loss.epsilon))
        return [int(value) + 1000 for value in values]

    def peel(self, scores, rounds, scale, price):
        self.asked.append((len(scores), scale, price.reach, price.epsilon))
        return list(range(rounds))


def spec_of(denominator, mechanism=LAPLACE):
    loss = PrivacyLoss(1.0, 0.0 if isinstance(mechanism, Laplace) else 1e-6)
    return ReleaseSpec(loss=loss, denominator=denominator, size=2, mechanism=mechanism)


@pytest.mark.parametrize("mechanism", [Laplace(), Gaussian(), PrivateTopL()], ids=lambda each: each.kind)
def test_the_draws_of_a_release_together_cost_what_is_charged(mechanism):
    noise, sketch = Shifted(), sketch_of([(None, "ab")] * 777, RecordUnit())
    plan = release_plan(sketch, PAPER_UNIVERSE, spec_of(CountShare(share=0.2), mechanism), noise)
    assert sum(epsilon for *_, epsilon in noise.asked) == pytest.approx(1.0)
    assert noise.asked[-1] == (1, pytest.approx(5.0), 1, 0.2)
    assert plan.denominator.noisy_count == 1777
    assert plan.statement.loss == spec_of(1, mechanism).loss


@pytest.mark.parametrize("unit", [RecordUnit(), UserUnit(2.0, MissingUsers.OWN_UNIT)], ids=lambda unit: unit.kind)
def test_no_published_file_holds_another_count_than_the_noisy_one(tmp_path, unit):
    sketch = sketch_of([(f"u{i}", "ab") for i in range(6547)], unit)
    plan = release_plan(sketch, PAPER_UNIVERSE, spec_of(CountShare(share=0.2)), Shifted())
    write_release(tmp_path, plan, PAPER_UNIVERSE)
    published = "".join(path.read_text() for path in tmp_path.iterdir())
    assert "7547" in published
    assert "6547" not in published
    assert "6,547" not in published
    assert "6547" not in repr(sketch)


def test_nobody_is_counted_where_no_count_was_bought():
    noise, sketch = Shifted(), sketch_of([(None, "ab")] * 50, RecordUnit())
    for denominator in (100, TotalMass()):
        plan = release_plan(sketch, PAPER_UNIVERSE, spec_of(denominator), noise)
        assert plan.denominator.kind != "count"
    assert [asked for asked, *_ in noise.asked] == [ATOMS + 1] * 2


def test_a_sketch_that_nobody_counted_gives_no_count():
    uncounted = Sketch(np.zeros(ATOMS + 1, np.int64), origin_of(RecordUnit()))
    with pytest.raises(BoundViolation, match="without counting"):
        release_plan(uncounted, PAPER_UNIVERSE, spec_of(CountShare(share=0.2)), Shifted())


def test_a_count_is_refused_under_replacement_before_anything_is_drawn():
    noise = Shifted()
    sketch = Sketch(np.zeros(ATOMS + 1, np.int64), origin_of(RecordUnit(), Adjacency.REPLACE), 5)
    with pytest.raises(RequestError, match="is not protected"):
        release_plan(sketch, PAPER_UNIVERSE, spec_of(CountShare(share=0.2)), noise)
    assert noise.asked == []


@pytest.mark.parametrize("unit", [RecordUnit(), UserUnit(1.0, MissingUsers.OWN_UNIT)], ids=lambda unit: unit.kind)
@given(rows=ROWS, cut=st.integers(0, 12))
def test_totals_of_two_parts_count_what_one_pass_counts(unit, rows, cut):
    one, two = (totals_for(origin_of(unit)) for _ in range(2))
    for totals, part in ((one, rows[:cut]), (two, rows[cut:])):
        texts = pa.array([text for _, text in part], pa.string())
        totals.add(MAP(texts), pa.array([who or None for who, _ in part], pa.string()))
    one.merge(two)
    assert one.finish().units == by_definition(rows, unit)


def test_auxiliary_text_gives_its_shares_as_a_baseline_unless_it_expresses_nothing():
    def text(*words):
        return open_corpus(pa.table({"text": pa.array(words, pa.string())}), Columns("text"))

    baseline = auxiliary_baseline(text("a", "ab", None), MAP, PAPER_UNIVERSE, RecordUnit(), COMPARED)
    assert baseline.values == pytest.approx([0.4, 0.2, 0, 0, 0.4])
    with pytest.raises(RequestError, match="expresses no theme"):
        auxiliary_baseline(text("", None), MAP, PAPER_UNIVERSE, RecordUnit(), COMPARED)


def test_a_baseline_says_whether_its_text_was_compared_or_declared_public():
    text = open_corpus(pa.table({"text": ["a"]}), Columns("text"))
    declared = Separation(map_text="declared_public", dictionary_text="no_text")
    told = [auxiliary_baseline(text, MAP, PAPER_UNIVERSE, RecordUnit(), each).source for each in (COMPARED, declared)]
    assert ["(compared with the records)" in told[0], "(declared public, not compared" in told[1]] == [True, True]


def test_users_of_auxiliary_text_are_clipped_as_those_of_the_release_are():
    """A user with nine texts counts for the bound at most; where no user is named, the baseline says so."""
    table = pa.table({"text": ["a"] * 9 + ["b"], "who": ["much"] * 9 + ["little"]})
    named, unnamed = (open_corpus(table, Columns("text", user)) for user in ("who", None))
    tight, loose = (
        auxiliary_baseline(named, MAP, PAPER_UNIVERSE, UserUnit(bound=bound), COMPARED) for bound in (1.0, 9.0)
    )
    plain = auxiliary_baseline(unnamed, MAP, PAPER_UNIVERSE, UserUnit(bound=1.0), COMPARED)
    assert tight.values[0] < plain.values[0] - 0.05
    assert loose.values == pytest.approx(plain.values)
    assert "clipped like them" in tight.source
    assert "not clipped" in plain.source
