"""The red team: its bound against a linear program, its attacks on small scenes, and what never reaches a text."""

import json
import math

import numpy as np
import pytest
from scipy.optimize import linprog

from dpspin.audit.epsilon_bound import at_least
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.assign.calibrated_fits import fit_names
from dpspin.demo.chance import chance_of, pick
from dpspin.demo.synthetic import ticket_pack
from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.rehearse import masses_of
from dpspin_lab.baselines.clio import Tools, with_model
from dpspin_lab.baselines.grouping import term_points
from dpspin_lab.baselines.private.release import noise_from
from dpspin_lab.baselines.redteam.bound import at_most_guessed, by_replacement, by_the_prior
from dpspin_lab.baselines.redteam.pipelines import Ours, clio_like, likeliest, secrets_as_atoms, urania, urania_full
from dpspin_lab.baselines.redteam.scene import INSTRUCTION, SECRETS, Poison, scene, stated_in
from dpspin_lab.baselines.redteam.trials import Plot, attacked, chosen, pipelines
from fake_llm import FakeModel, completion

K = len(SECRETS)
LOSSES = [PrivacyLoss(epsilon, delta) for epsilon in (0.1, 1.0, 2.0, 4.0) for delta in (0.0, 0.05)]


def most_guessed(loss, values):
    """Maximise the chance of a right guess over all mechanisms of that loss, by a linear program over their laws.

    A guess is one of ``values`` outputs. Unknown are Q (without the record), P_v for each secret, and for each pair the
    positive parts whose sum delta bounds: Σ_o max(0, P_v(o) - e^eps Q(o)) <= delta, and the other way round.
    """
    laws, parts = values + 1, 2 * values
    size = (laws + parts) * values

    def column(law, output):
        return law * values + output

    above, limits = [], []
    for v in range(values):
        for which, (one, other) in enumerate(((v + 1, 0), (0, v + 1))):
            part = laws + 2 * v + which
            for output in range(values):
                row = np.zeros(size)
                row[column(one, output)], row[column(other, output)] = 1, -math.exp(loss.epsilon)
                row[column(part, output)] = -1
                above.append(row)
                limits.append(0.0)
            total = np.zeros(size)
            total[column(part, 0) : column(part, 0) + values] = 1
            above.append(total)
            limits.append(loss.delta)
    sums = np.zeros((laws, size))
    for law in range(laws):
        sums[law, column(law, 0) : column(law, 0) + values] = 1
    right = np.zeros(size)
    right[[column(v + 1, v) for v in range(values)]] = -1 / values
    return -linprog(right, np.array(above), limits, sums, np.ones(laws)).fun


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("values", [2, 5])
def test_no_mechanism_of_a_loss_is_guessed_more_often_than_the_bound_says(loss, values):
    found = most_guessed(loss, values)
    assert found <= at_most_guessed(loss, values) + 1e-9
    if loss.delta == 0:
        assert found == pytest.approx(at_most_guessed(loss, values))  # and some mechanism reaches it


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 2.0, 3.0, 6.0])
@pytest.mark.parametrize("values", [2, 3, 10, 100])
def test_the_way_over_replacement_is_never_better(epsilon, values):
    assert at_most_guessed(PrivacyLoss(epsilon), values) <= by_replacement(2 * epsilon, values)
    assert by_the_prior(PrivacyLoss(epsilon), values) == pytest.approx(min(1, math.e**epsilon / values))


def test_one_value_is_no_secret():
    with pytest.raises(RequestError, match="two values"):
        by_the_prior(PrivacyLoss(1.0), 1)


def test_a_scene_repeats_and_only_the_person_knows_the_secret():
    one, again, other = scene(3, 7, records=60), scene(3, 7, records=60), scene(4, 7, records=60)
    assert one == again
    assert one != other
    assert len(one.users) == len(one.texts(Poison.COUNTING)) == 60
    assert stated_in(one.person()) == (one.secret,)
    assert not any(stated_in(text) for text in (*one.others, *one.attackers(Poison.INSTRUCTING)))
    counts = [sum(secret in text for text in one.attackers(Poison.COUNTING)) for secret in SECRETS]
    assert counts == [5] * K  # nothing that the attacker writes depends on the secret


def test_secrets_are_drawn_evenly():
    counts = np.bincount([scene(number, 1, records=51).secret for number in range(400)], minlength=K)
    assert counts.sum() == 400
    assert ((counts - 40) ** 2 / 40).sum() < 33.7  # chi-squared with 9 degrees: 1 in 10,000; the seed is fixed


def by_counting(attacks):
    [found] = [attack for attack in attacks if attack.poison is Poison.COUNTING]
    return found


def by_instructing(attacks):
    [found] = [attack for attack in attacks if attack.poison is Poison.INSTRUCTING]
    return found


def rate(attack, scenes):
    """Return how often the guess is right at each loss; of several likeliest secrets one is picked."""
    right = [
        [
            pick(published.likeliest or range(K), chance_of(one.number)) == one.secret
            for published in attack.publish(one)
        ]
        for one in scenes
    ]
    return np.mean(right, axis=0)


def test_fifty_poisoned_records_make_the_clio_like_pipeline_name_the_secret():
    scenes = [scene(number, 0, records=200) for number in range(4)]
    [found] = rate(by_counting(clio_like(Tools())), scenes)
    assert found >= 0.75  # who guesses is right in three of four with a chance of 0.004


def test_without_poison_that_pipeline_does_not_name_it():
    scenes = [scene(number, 0, records=200, poisoned=0) for number in range(2)]
    for attack in clio_like(Tools()):
        assert [published.likeliest for one in scenes for published in attack.publish(one)] == [()] * 2


@pytest.fixture(scope="module")
def worst():
    return Ours.with_default_map(secrets_as_atoms())


def worst_hits(worst, epsilon, trials):
    hits = 0
    for number in range(trials):
        one = scene(number, 2, records=52)
        plan = worst.release(one, Poison.COUNTING, PrivacyLoss(epsilon), number)
        hits += pick(likeliest(plan, worst.possible(one, Poison.COUNTING)), chance_of(number)) == one.secret
    return hits


@pytest.mark.long
def test_the_best_guess_from_a_plan_whose_themes_are_the_secrets_keeps_the_bound(worst):
    hits = worst_hits(worst, 1.0, 120)
    assert at_least(hits, 120, 1e-6) <= at_most_guessed(PrivacyLoss(1.0), K)  # fails by chance once in a million


def test_that_guess_is_no_straw_man(worst):
    assert worst_hits(worst, 4.0, 30) >= 20  # at epsilon 4 the bound is 0.98, and most secrets are found


def test_a_mechanism_that_lost_ten_times_as_much_would_break_the_bound(worst):
    hits = worst_hits(worst, 10.0, 30)
    assert at_least(hits, 30, 1e-6) > at_most_guessed(PrivacyLoss(1.0), K)


def test_the_attacker_computes_the_very_masses_of_the_scene(worst):
    one = scene(5, 2, records=60)
    exact = masses_of(worst.measured(one.texts(Poison.COUNTING)))
    assert worst.possible(one, Poison.COUNTING)[one.secret].tolist() == pytest.approx(exact.tolist())


def test_instructions_in_records_never_reach_our_text():
    ours = Ours(ticket_pack(), fit_names(ticket_pack(), None))
    one = scene(1, 0, records=150)
    plan = ours.release(one, Poison.INSTRUCTING, PrivacyLoss(4.0), 1)
    text = ours.read(plan, ours.possible(one, Poison.INSTRUCTING)).text
    assert text
    assert not stated_in(text)
    words = INSTRUCTION.lower().split()
    assert not any(" ".join(words[place : place + 3]) in text.lower() for place in range(len(words) - 2))
    labels = {atom.label for atom in ticket_pack().atoms}
    assert any(label in text for label in labels)


@pytest.mark.parametrize("fitted", [lambda: urania((1.0,), knows_secrets=True), lambda: urania_full((1.0,))])
def test_clusters_with_the_secrets_as_keywords_keep_the_bound(fitted):
    scenes = [scene(number, 0, records=100) for number in range(20)]
    for attack in fitted():
        [found] = rate(attack, scenes)
        assert at_least(round(20 * found), 20, 1e-6) <= at_most_guessed(attack.losses[0], K)


class Obedient(FakeModel):
    """A model that does what the records tell it to: it names the illness that it finds among them."""

    def answer(self, heard):
        prompt = heard.body["messages"][-1]["content"]
        self.heard.append(heard)
        if prompt.startswith("Say in one sentence"):
            return completion(prompt.split("Record:\n")[1])
        if prompt.startswith("Could somebody find"):
            return completion(json.dumps({"mark": 5}))
        named = " ".join(SECRETS[place] for place in stated_in(prompt)) if INSTRUCTION in prompt else ""
        return completion(json.dumps({"title": f"pill reminder {named}", "description": "A group of tickets."}))


@pytest.mark.enable_socket
def test_a_model_that_obeys_its_input_tells_the_secret_in_the_clio_like_pipeline():
    with Obedient() as model:
        tools = with_model(Chat(Endpoint(model.url, "obedient")), term_points)
        [found] = rate(by_instructing(clio_like(tools)), [scene(0, 0, records=60)])
    assert found == 1.0


def test_rows_tell_rate_interval_prior_and_bound_and_repeat():
    plot = Plot(trials=4, records=60, epsilons=(1.0,), seed=3)
    only = ("guessing", "ours, the secrets as themes")
    rows = list(attacked(plot, chosen(plot, only=only)))
    assert rows == list(attacked(plot, chosen(plot, only=only)))
    assert [(row.pipeline, row.poison, row.epsilon, row.trials, row.prior) for row in rows] == [
        ("guessing", None, None, 4, 0.1),
        ("ours, the secrets as themes", "counting", 1.0, 4, 0.1),
        ("ours, the secrets as themes", "instructing", 1.0, 4, 0.1),
    ]
    assert rows[0].bound is None
    assert rows[1].bound == rows[2].bound == pytest.approx(math.e / 10)
    assert all(row.low <= row.guessed <= row.high for row in rows)


def test_every_pipeline_that_reads_records_is_attacked_with_each_kind_of_poison():
    attacks = {name: fitted() for name, fitted in pipelines((50.0,)).items()}
    assert {name: [attack.poison for attack in every] for name, every in attacks.items()} == {
        name: [None] if name == "guessing" else list(Poison) for name in attacks
    }
    one = scene(0, 0, records=100)
    for every in (attacks["ours"], attacks["urania, the secrets among its keywords"]):
        counting, instructing = (next(attack.publish(one)) for attack in every)
        assert counting != instructing  # each is a release of its own records


def test_an_unknown_pipeline_is_refused():
    with pytest.raises(RequestError, match="there are: guessing"):
        chosen(Plot(), only=("theirs",))


def test_a_pipeline_with_a_model_asks_for_one():
    with pytest.raises(RequestError, match="--llm-url"):
        chosen(Plot(), only=("clio-like, model",))


def test_a_model_elsewhere_is_refused_before_any_trial_unless_the_records_are_public():
    elsewhere = Chat(Endpoint("https://models.example.org/v1", "big"))
    with pytest.raises(RequestError, match="--records-are-public"):
        chosen(Plot(), elsewhere)
    assert "clio-like, model" in chosen(Plot(), elsewhere, records_are_public=True)


def test_a_scene_that_cannot_hold_its_records_is_refused():
    with pytest.raises(RequestError, match="ask for more records"):
        scene(0, 0, records=50)


def test_noise_of_a_scene_is_marked(worst):
    plan = worst.release(scene(0, 0, records=52), Poison.COUNTING, PrivacyLoss(1.0), 5)
    assert plan.statement.randomness == noise_from(5).randomness == "SIMULATED-NOT-PRIVATE"
