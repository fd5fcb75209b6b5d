import re
import time
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

from dpspin.demo.letters import ticket_bank
from dpspin.demo.synthetic import generate_split, generate_tickets, public_profile, ticket_pack, write_csv, write_truth
from dpspin.errors import RequestError
from true_shares import true_shares


@pytest.fixture(scope="module")
def corpus():
    return generate_tickets(2000, seed=3)


def truth_rows(corpus) -> list[tuple[str, int, float]]:
    return list(zip(*(corpus.truth[name].to_pylist() for name in ("ticket_id", "atom_id", "weight")), strict=True))


def plain(text: str) -> str:
    return " " + " ".join(re.findall(r"[\w']+", text.casefold())) + " "


def theme_sentences():
    """Every variant of every theme sentence with its atom and its chance to be written."""
    profile = public_profile()
    for atom in ticket_pack().atoms:
        theme = ticket_bank().themes[atom.id]
        for phrases, often in ((theme.say, 1.0), (theme.more, 0.75)):  # 0.75 further sentences per theme on average
            for phrase in phrases:
                for variant in phrase:
                    yield atom, variant, profile[atom.id] * often / len(phrases) / len(phrase)


def share_of_sentences(condition) -> float:
    hits, total = 0.0, 0.0
    for atom, sentence, weight in theme_sentences():
        total += weight
        hits += weight * condition(atom, sentence)
    return hits / total


def test_the_bank_covers_every_atom_of_the_pack_and_nothing_else():
    bank = ticket_bank()
    assert set(bank.themes) == set(ticket_pack().ids)
    assert sorted(bank.popularity) == sorted(ticket_pack().ids)
    for theme in bank.themes.values():
        assert len(theme.say) + len(theme.more) >= 8
        assert len(theme.more) >= 2  # a theme may go on for two sentences more
        assert theme.near


def test_no_sentence_belongs_to_two_themes():
    owners = Counter(variant for _, variant, _ in theme_sentences())
    near = Counter(v for theme in ticket_bank().themes.values() for phrase in theme.near for v in phrase)
    assert max((owners + near).values()) == 1


def test_every_slot_in_the_bank_can_be_filled():
    bank = ticket_bank()
    known = set(bank.slots) | {"product"}
    frames = [*bank.openings.values(), *bank.closings.values(), bank.small_talk, bank.outbursts, bank.off_topic]
    frames += [theme.near for theme in bank.themes.values()]
    texts = [variant for phrases in frames for phrase in phrases for variant in phrase]
    texts += [variant for _, variant, _ in theme_sentences()]
    assert {slot for text in texts for slot in re.findall(r"{(\w*)}", text)} <= known
    assert not any(mark in text for text in texts for mark in "<>|")


def test_few_theme_sentences_hold_the_words_of_their_label():
    def holds(atom, sentence) -> bool:
        return set(plain(atom.label).split()) <= set(plain(sentence).split())

    assert 0.05 < share_of_sentences(holds) <= 0.35


def test_few_theme_sentences_hold_a_cue_of_the_pack():
    def holds(atom, sentence) -> bool:
        return any(plain(cue) in plain(sentence) for cue in atom.cues)

    assert 0.05 < share_of_sentences(holds) <= 0.35


def test_matching_labels_is_neither_hopeless_nor_enough(corpus):
    texts = dict(zip(corpus.records["ticket_id"].to_pylist(), corpus.records["text"].to_pylist(), strict=True))
    labels = {atom.id: atom.label for atom in corpus.universe.atoms}
    found = [labels[atom] in texts[ticket].casefold() for ticket, atom, _ in truth_rows(corpus)]
    assert 0 < np.mean(found) < 0.5


def test_near_misses_fool_a_label_matcher_now_and_then(corpus):
    true_pairs = {(ticket, atom) for ticket, atom, _ in truth_rows(corpus)}
    rows = zip(corpus.records["ticket_id"].to_pylist(), corpus.records["text"].to_pylist(), strict=True)
    claims = [(t, atom.id) for t, text in rows for atom in corpus.universe.atoms if atom.label in text.casefold()]
    assert 0.5 < np.mean([claim in true_pairs for claim in claims]) < 1


def test_weights_of_a_ticket_sum_to_one_over_one_to_three_themes(corpus):
    weights: dict[str, list[float]] = {}
    for ticket, _, weight in truth_rows(corpus):
        weights.setdefault(ticket, []).append(weight)
    assert all(abs(sum(w) - 1) < 1e-12 for w in weights.values())
    assert {len(w) for w in weights.values()} == {1, 2, 3}


def test_a_few_tickets_are_off_topic(corpus):
    on_topic = len(set(corpus.truth["ticket_id"].to_pylist()))
    assert 0.05 <= 1 - on_topic / 2000 <= 0.08


def test_most_users_write_once_or_twice_and_a_few_dozens_of_times():
    counts = Counter(generate_tickets(10_000, seed=1).records["user_id"].to_pylist())
    assert len(counts) == 5000
    assert np.mean([count <= 2 for count in counts.values()]) > 0.7
    assert 24 <= max(counts.values()) <= 100


def test_the_number_of_users_can_be_chosen():
    corpus = generate_tickets(100, seed=1, users=7)
    assert len(set(corpus.records["user_id"].to_pylist())) == 7


@pytest.mark.parametrize("users", [0, 11])
def test_users_that_do_not_fit_are_refused(users):
    with pytest.raises(RequestError, match="users"):
        generate_tickets(10, seed=1, users=users)


def test_the_columns_are_what_a_release_expects(corpus):
    assert corpus.records.schema.names == ["ticket_id", "user_id", "created", "channel", "text"]
    assert all(kind == pa.string() for kind in corpus.records.schema.types)
    assert len(set(corpus.records["ticket_id"].to_pylist())) == 2000
    assert all(re.fullmatch(r"u\d{6}", user) for user in corpus.records["user_id"].to_pylist())
    created = corpus.records["created"].to_pylist()
    assert created == sorted(created)


def test_tickets_are_one_line_and_vary_in_length_case_and_script(corpus):
    texts = corpus.records["text"].to_pylist()
    assert all(text.strip() and "\n" not in text for text in texts)
    assert len(set(texts)) > 0.95 * len(texts)
    assert 0.005 < np.mean([text.isupper() for text in texts]) < 0.04
    assert 0.05 < np.mean([text == text.lower() for text in texts]) < 0.2
    assert 0.02 < np.mean([not text.isascii() for text in texts]) < 0.4
    assert np.percentile([len(text) for text in texts], 90) > 3 * np.percentile([len(text) for text in texts], 10)


def test_theme_shares_are_skewed_and_follow_the_public_profile(corpus):
    shares = true_shares(corpus)
    profile = np.array([public_profile()[atom] for atom in corpus.universe.ids])
    assert shares.max() > 4 * np.median(shares)
    assert np.corrcoef(shares, profile)[0, 1] > 0.9


def test_planted_shares_are_followed():
    profile = public_profile()
    rare = min(profile, key=profile.get)
    corpus = generate_tickets(1000, seed=2, shares=profile | {rare: 0.5})
    assert true_shares(corpus)[corpus.universe.ids.index(rare)] > 0.2


def test_a_single_planted_theme_is_the_only_one():
    corpus = generate_tickets(50, seed=2, shares={16: 1.0})
    assert set(corpus.truth["atom_id"].to_pylist()) == {16}


@pytest.mark.parametrize("shares", [{999: 1.0}, {1: -1.0, 2: 2.0}, {1: 0.0}, {1: float("nan")}])
def test_impossible_shares_are_refused(shares):
    with pytest.raises(RequestError):
        generate_tickets(10, seed=1, shares=shares)


def test_the_split_has_no_common_user_or_ticket_and_no_common_seed():
    split = generate_split(300, 400, seed=5)
    assert (split.auxiliary.records.num_rows, split.target.records.num_rows) == (300, 400)
    for column in ("user_id", "ticket_id"):
        sides = (set(side.records[column].to_pylist()) for side in (split.auxiliary, split.target))
        assert set.isdisjoint(*sides)
    assert split.auxiliary.records["text"].to_pylist() != split.target.records["text"].to_pylist()[:300]


def test_a_shift_can_be_planted_in_the_target_alone():
    split = generate_split(200, 200, seed=5, target_shares={31: 1.0})
    assert set(split.target.truth["atom_id"].to_pylist()) == {31}
    assert split.auxiliary.records == generate_split(200, 50, seed=5).auxiliary.records


def test_files_hold_what_was_generated_and_truth_stays_apart(corpus, tmp_path):
    write_csv(corpus, tmp_path / "tickets.csv")
    write_truth(corpus, tmp_path / "truth.csv")
    tickets = csv.read_csv(tmp_path / "tickets.csv")
    assert tickets["text"].to_pylist() == corpus.records["text"].to_pylist()
    assert tickets.column_names == corpus.records.column_names
    assert csv.read_csv(tmp_path / "truth.csv").equals(corpus.truth)


def test_twenty_thousand_tickets_take_less_than_four_seconds_of_cpu():
    start = time.process_time()
    generate_tickets(20_000, seed=1)
    assert time.process_time() - start < 4
