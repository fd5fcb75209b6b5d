import pytest

from dpspin.boundary.atoms import Atom
from dpspin.curator.assign.evidence_sources import MOST_HITS, CueEvidence, denied
from factories import universe_of
from restaurant_dictionary import COLD, STAFF, UNIVERSE, WAIT

CUES = CueEvidence.of(UNIVERSE)


def hits(text):
    return CUES([text])[1, 0].tolist()


@pytest.mark.parametrize(
    ("text", "atom"),
    [
        ("A LONG wait, as ever", WAIT),
        ("they kept us waiting", WAIT),
        ("she rolled her eyes", STAFF),
        ("the pie was stone-cold", COLD),
    ],
)
def test_a_cue_is_found_whatever_its_case_and_punctuation(text, atom):
    assert [place for place, count in enumerate(hits(text)) if count] == [atom]


@pytest.mark.parametrize(
    "text",
    [
        "There was no long wait.",
        "It never took forever.",
        "They didn't keep us, it wasn't lukewarm",
        "They didn’t say it took forever",
        "without a long wait",
        "prolonged waits",
        "long. Wait!",  # a cue does not reach over the end of a sentence
    ],
)
def test_a_denied_or_broken_cue_does_not_count(text):
    assert not any(hits(text))


@pytest.mark.parametrize(
    "text", ["a long wait and no smile", "No. A long wait.", "not one of us there liked the long wait"]
)
def test_a_negation_elsewhere_denies_nothing(text):
    assert hits(text)[WAIT] == 1


def test_layers_tell_whether_and_how_often_up_to_a_bound():
    one, many = CUES(["Lukewarm. " * 9 + "A long wait."])
    assert one[0].tolist() == [1, 0, 1]
    assert many[0].tolist() == [1, 0, MOST_HITS]


def test_a_shared_cue_speaks_for_all_its_atoms_and_a_wordless_one_for_none():
    evidence = CueEvidence.of(universe_of([Atom(id=1, label="a b", cues=("x",)), Atom(id=2, label="!", cues=("x",))]))
    assert evidence(["x", "!"])[0].tolist() == [[1, 1], [0, 0]]
    assert CueEvidence.of(universe_of([Atom(id=1, label="?")]))(["anything"]).sum() == 0


def test_the_reach_of_a_negation_ends():
    assert denied(["not", "a", "b", "c", "cue"], 4)
    assert not denied(["not", "a", "b", "c", "d", "cue"], 5)


def test_the_digest_follows_the_cues_and_their_atoms():
    other = universe_of([*UNIVERSE.atoms[:2], UNIVERSE.atoms[2].model_copy(update={"cues": ("tepid",)})])
    turned = universe_of(UNIVERSE.atoms[::-1])
    assert CUES.digest == CueEvidence.of(UNIVERSE).digest
    assert len({CUES.digest, CueEvidence.of(other).digest, CueEvidence.of(turned).digest}) == 3
