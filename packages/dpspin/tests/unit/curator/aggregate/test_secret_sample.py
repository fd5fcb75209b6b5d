"""A random sample: independent coins, one per unit, that leave no trace."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.privacy import (
    EVERYONE,
    TICKS_PER_MASS,
    Adjacency,
    MissingUsers,
    PoissonSample,
    PrivacyLoss,
    RecordUnit,
    UserUnit,
)
from dpspin.curator.aggregate.local import Records, aggregate
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.secret_sample import SampleOfUsers, draw_for, flips
from dpspin.curator.aggregate.shards import open_shards, sketch_shard
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.aggregate.sketch_file import ShardFacts, write_sketch
from dpspin.curator.aggregate.totals import totals_for
from dpspin.curator.records.columns import USER, BadRows, Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.errors import RequestError
from factories import WeightsMap, universe_of
from report_cards import card_of, identity

MAP = WeightsMap(1, lambda text: [1.0, 0.0])
UNIVERSE = universe_of([Atom(id=1, label="anything")])
RATE = 0.3
RECORDS = SketchOrigin.of(UNIVERSE, MAP.statement, RecordUnit(), Adjacency.ADD_DROP, sampling=PoissonSample(rate=RATE))
USERS = replace(RECORDS, unit=UserUnit(1.0, MissingUsers.OWN_UNIT))
SIGMAS = 6  # a false alarm in 5·10^8 runs


def table_of(users, each):
    return pa.table({"who": [f"u{n}" for n in range(users) for _ in range(each)], "body": ["x"] * (users * each)})


def corpus_of(table, unit):
    user = "who" if isinstance(unit, UserUnit) else None
    return open_corpus(table, Columns("body", user), RowPolicy(missing_users=MissingUsers.OWN_UNIT))


def within(count, number, rate):
    return abs(count - number * rate) <= SIGMAS * (number * rate * (1 - rate)) ** 0.5


def test_coins_fall_at_the_stated_rate_and_differ_from_run_to_run():
    first, second = flips(20_000, RATE), flips(20_000, RATE)
    assert within(first.sum(), 20_000, RATE)
    assert within((first & second).sum(), 20_000, RATE**2)


def test_each_record_is_measured_by_a_coin_of_its_own():
    sketch, seen = aggregate(corpus_of(table_of(1, 20_000), RecordUnit()), MAP, RECORDS)
    assert within(sketch.ticks[0] // TICKS_PER_MASS, 20_000, RATE)
    assert seen.records == 20_000  # what was read, not what was drawn


def test_a_user_is_measured_with_all_records_or_with_none_across_batches():
    draw = SampleOfUsers(RATE)
    batches = [table_of(500, 3).rename_columns([USER, "body"]).to_batches()[0] for _ in range(2)]
    kept = [draw(batch).column(USER).to_pylist() for batch in batches]
    assert kept[0] == kept[1]
    assert all(kept[0].count(user) == 3 for user in kept[0])
    assert within(len(set(kept[0])), 500, RATE)


def test_records_without_a_user_have_a_coin_each():
    draw = draw_for(USERS)
    batch = pa.record_batch({USER: pa.nulls(20_000, pa.string()), "body": ["x"] * 20_000})
    assert within(draw(batch).num_rows, 20_000, RATE)


def test_users_of_a_sample_are_clipped_as_ever():
    sketch, _ = aggregate(corpus_of(table_of(2_000, 5), USERS.unit), MAP, USERS)
    assert within(sketch.ticks[0] // TICKS_PER_MASS, 2_000, RATE)


def test_a_released_sample_is_scaled_up_and_says_so():
    sketch = Sketch(np.array([600 * TICKS_PER_MASS, 0]), RECORDS)
    spec = ReleaseSpec(loss=PrivacyLoss(20.0), denominator=2000, size=1)
    plan = release_plan(sketch, UNIVERSE, spec, SecureNoise())
    assert plan.entries[0].noisy_mass == pytest.approx(2000, abs=10)
    assert plan.statement.sampling == PoissonSample(rate=RATE)


def test_replacement_is_refused_before_anything_is_drawn():
    origin = replace(RECORDS, adjacency=Adjacency.REPLACE)
    with pytest.raises(RequestError, match="add_drop"):
        release_plan(
            Sketch(np.zeros(2), origin),
            UNIVERSE,
            ReleaseSpec(loss=PrivacyLoss(1.0), denominator=1, size=1),
            SecureNoise(),
        )


@pytest.mark.parametrize("origin", [RECORDS, USERS], ids=["records", "users"])
def test_a_sample_is_not_kept_in_a_file_that_could_be_released_again(origin, tmp_path):
    """k releases of one sample are ln(1 + q(e^(k·eps_s) - 1))-DP, far above k·eps: each needs fresh coins."""
    records = Records(corpus_of(table_of(2, 2), origin.unit), MAP, origin)
    with pytest.raises(RequestError, match="drawn anew"):
        sketch_shard(tmp_path / "a.sketch", records, pseudonyms=Pseudonyms(bytes(32)))
    assert not list(tmp_path.iterdir())
    totals = totals_for(origin, pseudonyms=Pseudonyms(bytes(32)))
    facts = ShardFacts(
        columns=("body",), bad_rows=BadRows.ZERO, parts=("",), records=0, without_text=0, without_atom=0, auxiliary=None
    )
    write_sketch(tmp_path / "forced.sketch", totals, facts)
    with pytest.raises(RequestError, match="drawn anew"):
        open_shards([tmp_path / "forced.sketch"])


class Remembering(WeightsMap):
    """A map that keeps a file of what it was asked, as a language model's answers may be kept."""

    leaves_a_trace = True


def test_a_map_that_keeps_its_answers_is_refused_with_a_secret_sample():
    """The file would list who was drawn, on which the amplification rests."""
    corpus, remembering = corpus_of(table_of(2, 2), RecordUnit()), Remembering(1, lambda text: [1.0, 0.0])
    with pytest.raises(RequestError, match="no list of who was drawn"):
        Records(corpus, remembering, RECORDS)
    assert Records(corpus, remembering, replace(RECORDS, sampling=EVERYONE))
    assert Records(corpus, MAP, RECORDS)


def test_shares_of_a_sample_are_not_quantified():
    card = card_of(identity(2), ids=[1])
    statement = MAP.statement.model_copy(update={"card": card})
    assert card.confusion
    for sampling, quantified in ((EVERYONE, True), (PoissonSample(rate=RATE), False)):
        origin = replace(RECORDS, contribution_map=statement, sampling=sampling)
        spec = ReleaseSpec(loss=PrivacyLoss(1.0), denominator=2000, size=1)
        plan = release_plan(Sketch(np.array([600 * TICKS_PER_MASS, 0]), origin), UNIVERSE, spec, SecureNoise())
        assert bool(plan.quantified) == quantified
