import pyarrow as pa

from dpspin.demo.synthetic import SyntheticCorpus
from dpspin_lab.studies.lessons import labels_of
from dpspin_lab.studies.map_truth import MappingScore, mean
from factories import PAPER_UNIVERSE

FIRST, SECOND = PAPER_UNIVERSE.ids[:2]


def corpus_of(about: list[list[int]]) -> SyntheticCorpus:
    tickets = [f"T{number}" for number in range(len(about))]
    truth = [
        {"ticket_id": ticket, "atom_id": atom, "weight": 1 / len(atoms)}
        for ticket, atoms in zip(tickets, about, strict=True)
        for atom in atoms
    ]
    records = pa.table({"ticket_id": tickets, "text": [f"text of {ticket}" for ticket in tickets]})
    return SyntheticCorpus(records, pa.Table.from_pylist(truth[::-1]), PAPER_UNIVERSE)


def test_tickets_become_labels_by_position_and_off_topic_ones_have_none():
    found = labels_of(corpus_of([[SECOND], [], [FIRST, SECOND], *[[FIRST]] * 17]))
    assert found.atoms == (frozenset({1}), frozenset(), frozenset({0, 1}), *[frozenset({0})] * 17)
    assert found.texts == tuple(f"text of T{number}" for number in range(20))
    assert found.size == PAPER_UNIVERSE.size


def test_the_mean_of_scores_is_taken_metric_by_metric():
    first = MappingScore(0.25, 0.5, 0.5, 1.0, 0.75, 0.0)
    second = MappingScore(0.75, 0.5, 0.0, 0.5, 0.25, 1.0)
    assert mean([first, second]) == MappingScore(0.5, 0.5, 0.25, 0.75, 0.5, 0.5)
    assert mean([first]) == first
