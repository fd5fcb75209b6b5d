"""What the private rivals release: planted themes come out, small groups do not, and text adds nothing."""

from dataclasses import replace

import numpy as np
import pytest

from dpspin.boundary.atoms import Atom, AtomId
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.demo.synthetic import generate_split
from dpspin.errors import RecordsRefused, RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin_lab.baselines.private.histograms import Indicators, category_histogram, keyword_histogram, keywords_of
from dpspin_lab.baselines.private.release import (
    BaselineRelease,
    Cluster,
    Clusters,
    Entry,
    Histogram,
    LossStatement,
    noise_from,
)
from dpspin_lab.baselines.private.rival_quality import described, quality
from dpspin_lab.baselines.private.rivals import METHODS, fit_rivals, protect, release_rival
from dpspin_lab.baselines.private.urania import (
    BoundedRecords,
    bound_records,
    fit_public_side,
    fit_representation,
    normalised,
    release_clusters,
)
from dpspin_lab.baselines.private.urania_schedule import joint_schedule, paper_schedule, public_schedule
from dpspin_lab.baselines.private.words import template_words, topic_prompt, verbalise
from dpspin_lab.datasets.corpus import Corpus
from factories import universe_of
from fake_llm import FakeWriter

THEMES = {
    "stolen card": "the stolen card was used by a stranger, card stolen abroad",
    "late delivery": "delivery came late again, a late parcel and no delivery note",
    "rude staff": "rude staff at the desk, the staff were rude to everyone",
    "broken screen": "broken screen after a week, the screen arrived broken",
}
ATOMS = universe_of([Atom(id=AtomId(place), label=label) for place, label in enumerate(THEMES)])
PUBLIC = fit_public_side([text for text in THEMES.values() for _ in range(20)], ATOMS, clusters=4)
COUNTS = (900, 600, 300, 5)
TARGET = [text for text, count in zip(THEMES.values(), COUNTS, strict=True) for _ in range(count)]
RECORDS = bound_records(TARGET, PUBLIC)
LOSS = PrivacyLoss(5.0, 1e-6)


def release_of(scheduler, loss=LOSS, noise=None):
    return release_clusters(RECORDS, PUBLIC, loss, scheduler, noise or noise_from(3))


TICKETS = generate_split(400, 600, seed=1)


def corpus_of(tickets):
    ids, texts, days, channels = (
        tuple(tickets.records[name].to_pylist()) for name in ("ticket_id", "text", "created", "channel")
    )
    return Corpus("tickets", ids, texts, None, days, channels, ("",) * len(ids))


def new_tickets():
    """The target without what it shares, by chance, with the auxiliary part."""
    known, target = set(corpus_of(TICKETS.auxiliary).texts), corpus_of(TICKETS.target)
    return target.part([row for row, text in enumerate(target.texts) if text not in known])


@pytest.fixture(scope="module")
def rivals():
    return fit_rivals(corpus_of(TICKETS.auxiliary), TICKETS.auxiliary.universe)


@pytest.mark.parametrize(("categories", "released"), [(14, 10), (3, 3)], ids=["issues", "rating bins"])
def test_histograms_release_the_papers_ten_keywords_and_ten_or_three_categories(rivals, categories, released):
    names = tuple(f"category {number}" for number in range(categories))
    records = protect(new_tickets(), rivals)
    records = replace(records, categories=[names[number % categories] for number in range(len(records.categories))])
    for method, size in (("keyword_histogram", 10), ("category_histogram", released)):
        made = release_rival(method, records, replace(rivals, categories=names), 50.0, noise_from(0))
        assert len(made.released.entries) == size


def names(release):
    return [entry.name for entry in release.released.entries]


@pytest.mark.parametrize("scheduler", [paper_schedule, joint_schedule])
def test_planted_groups_are_released_by_size_with_their_own_words(scheduler):
    clusters = release_of(scheduler).released.clusters
    assert [cluster.size for cluster in clusters] == pytest.approx(COUNTS[:3], abs=25)
    leading = [{entry.name for entry in cluster.keywords[:2]} for cluster in clusters]
    assert leading == [{"stolen", "card"}, {"late", "delivery"}, {"rude", "staff"}]


def test_public_centres_release_the_same_groups():
    clusters = release_of(public_schedule, PrivacyLoss(5.0)).released.clusters
    assert {entry.name for entry in clusters[0].keywords[:2]} == {"stolen", "card"}
    assert [cluster.size for cluster in clusters] == pytest.approx(COUNTS[:3], abs=15)


def test_a_release_draws_noise_of_the_operating_system_without_a_seed():
    release = release_of(paper_schedule, noise=noise_from(None))
    assert release.randomness == "os-csprng"
    assert [cluster.size for cluster in release.released.clusters] == pytest.approx(COUNTS[:3], abs=40)


class LostNoise:
    """Noise that hides everything: what is released must then come from it alone."""

    randomness = "SIMULATED-NOT-PRIVATE"

    def laplace(self, values, scale, sensitivity, epsilon):
        return [int(place) for place in np.arange(len(values)) % 97]

    def gaussian(self, values, scale, sensitivity, cost):
        return [int(place) for place in (np.arange(len(values)) % 97) * 2**20]


@pytest.mark.parametrize("scheduler", [paper_schedule, joint_schedule])
def test_nothing_of_the_records_is_released_but_through_noise(scheduler):
    other = bound_records(["rude staff"] * 40, PUBLIC)
    one, two = (release_clusters(records, PUBLIC, LOSS, scheduler, LostNoise()) for records in (RECORDS, other))
    assert one == two


def test_too_little_public_text_is_refused():
    with pytest.raises(RequestError, match="public centres"):
        fit_public_side([], ATOMS, clusters=9)


def test_quality_tells_a_good_release_from_a_poor_one():
    good, poor = (
        quality(RECORDS, PUBLIC, PrivacyLoss(epsilon, 1e-6), joint_schedule, noise_from(1)) for epsilon in (8.0, 0.02)
    )
    assert good.size_error < poor.size_error
    assert good.cosine > 0.95 > poor.cosine


def test_a_record_is_described_by_the_listed_keywords_of_its_own_cluster():
    flags = np.array([[1, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=np.bool_)
    records = BoundedRecords(normalised(np.eye(3)), Indicators(flags))
    table = np.array([[5, -2, 9], [4, 4, 0]])  # cluster 0 lists the words 0 and 2, cluster 1 the words 0 and 1
    assert described(records, np.array([0, 0, 0]), table) == pytest.approx((1 / 2 + 1) / 2)
    assert described(records, np.array([1, 1, 1]), table) == pytest.approx((1 + 0) / 2)


def test_what_was_learned_from_is_not_protected(rivals):
    with pytest.raises(RecordsRefused, match="some records are in both"):
        protect(corpus_of(TICKETS.auxiliary).part([2]), rivals)


def test_what_was_learned_from_is_not_protected_under_another_id_either(rivals):
    known = corpus_of(TICKETS.auxiliary)
    row = next(row for row, text in enumerate(known.texts) if len(text) > 100)
    copied = replace(known.part([row]), ids=("a new id",), texts=(known.texts[row].replace(" ", "\n"),))
    with pytest.raises(RecordsRefused, match="word for word"):
        protect(copied, rivals)


@pytest.mark.parametrize("method", METHODS)
def test_every_rival_releases_states_and_speaks(method, rivals):
    release = release_rival(method, protect(new_tickets(), rivals), rivals, 5.0, noise_from(2))
    assert release.method == method
    assert release.loss.total.epsilon == pytest.approx(5.0)
    assert (release.loss.total.delta > 0) == (method in {"urania", "urania_joint"})
    assert not template_words(release).summary.startswith("No ")


def test_texts_are_represented_in_lower_case_by_words_and_pairs_without_stop_words():
    said, plain = "The STAFF was rude. RUDE staff!", "staff rude rude staff"
    represented = fit_representation([plain, "staff rude", "late parcel"])
    assert np.array_equal(represented([said]).ticks, represented([plain]).ticks)
    assert not np.array_equal(represented(["rude staff"]).ticks, represented(["staff rude"]).ticks)
    assert not represented(["the was"]).ticks.any()


def test_the_vocabulary_has_the_two_hundred_most_frequent_words_of_four_letters():
    letters = "bcdfghjklmnpqrs"
    words = [f"wa{one}{two}" for one in letters for two in letters]
    vocabulary = keywords_of([*words, *words[20:], "cab"]).words
    assert vocabulary == (*sorted(words[20:]), *sorted(words[:20]))[:200]


def test_keywords_of_auxiliary_text_are_counted_in_the_target():
    vocabulary = keywords_of(THEMES.values())
    release = keyword_histogram(vocabulary.indicators(TARGET), vocabulary, 2.0, noise_from(5), size=3)
    assert set(names(release)) <= {"card", "stolen", "abroad", "stranger", "used"}
    assert release.released.entries[0].count == pytest.approx(900, abs=40)


def test_categories_outside_the_public_list_are_not_released():
    labels = ["issue"] * 500 + ["secret"] * 400 + ["other"] * 50
    release = category_histogram(labels, ("issue", "other"), 1.0, noise_from(5), size=10)
    assert names(release) == ["issue", "other"]
    assert "secret" not in template_words(release).summary


STATED = LossStatement(PrivacyLoss(1.0), "basic", ())


def released(method, what):
    return BaselineRelease(method, what, STATED, "SIMULATED-NOT-PRIVATE")


FIVE = Clusters(tuple(Cluster(100 - place, (Entry(f"word{place}", 9),)) for place in range(5)))


def test_the_summary_speaks_of_four_clusters_and_topics_of_all():
    words = template_words(released("urania", FIVE))
    assert "word3" in words.summary
    assert "word4" not in words.summary
    assert len(words.topics) == 5


@pytest.mark.parametrize(
    ("method", "empty"),
    [("keyword_histogram", Histogram(())), ("category_histogram", Histogram(())), ("urania", Clusters(()))],
)
def test_an_empty_release_is_said_and_asks_no_model(method, empty):
    release = released(method, empty)
    assert template_words(release).summary.startswith("No ")
    nowhere = Chat(Endpoint("http://127.0.0.1:9/v1", "tiny"))
    assert verbalise(release, nowhere) == template_words(release)


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_model_reads_each_cluster_and_then_the_first_four():
    answers = [f"Topic: t{place}\nDescription: d{place}" for place in range(5)]
    with FakeWriter([*answers, " the summary "]) as server:
        words = verbalise(released("urania", FIVE), Chat(Endpoint(server.url, "tiny")))
    assert (words.summary, words.topics) == ("the summary", tuple(answers))
    *topics, summary = server.prompts
    assert topics == [topic_prompt(cluster) for cluster in FIVE.clusters]
    rules = (
        *(
            "and nothing else",
            "no examples, names, organisations, dates, quotations, places",
            "You have seen no records",
        ),
        *(
            "No XML tags and no Markdown headings",
            "`Topic: ` with a short name",
            "`Description: ` with one or two sent",
        ),
    )
    assert [rule for rule in rules if rule not in topics[0]] == []
    assert "\n\n100\n\nSelected keywords:\n\nword0" in topics[0]
    assert "d3" in summary
    assert "d4" not in summary
    assert "98" not in summary  # sizes are for the first call


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_model_reads_the_released_counts_of_a_histogram():
    histogram = Histogram((Entry("credit", 512), Entry("report", 400)))
    with FakeWriter(["credit leads"]) as server:
        words = verbalise(released("keyword_histogram", histogram), Chat(Endpoint(server.url, "tiny")))
    assert words.summary == "credit leads"
    assert "- credit: 512\n- report: 400" in server.prompts[0]
