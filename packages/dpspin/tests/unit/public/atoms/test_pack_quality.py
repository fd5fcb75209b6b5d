"""What every ready dictionary owes its users, and the truth set by which its maps are judged."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.strict_yaml import parse_yaml
from dpspin.public.atoms.lint import lint
from dpspin.public.atoms.packs import load, names

TRUTH = Path(__file__).parents[3] / "truth"
TELLING_WORDS = 4  # shorter sentences ("Please help.") may stand anywhere


class Record(NamedTuple):
    """A text and the ids of the atoms that it expresses, as a careful reader sees it."""

    text: str
    atoms: tuple[int, ...]


@pytest.fixture(params=names())
def pack(request) -> AtomUniverse:
    return load(request.param)


@pytest.fixture
def truth(pack) -> list[Record]:
    content = parse_yaml((TRUTH / f"{pack.name}.yaml").read_text(encoding="utf-8"))
    return [Record(record["text"], tuple(record["atoms"])) for record in content]


def sentences(texts: Iterable[str]) -> Iterator[str]:
    """Return whole texts and their sentences, as bare lower-case words.

    Whole texts too, because an ellipsis or an abbreviation in one copy only would hide the other.
    """
    for text in texts:
        for part in (text, *re.split(r"[.!?;]+", text)):
            words = re.findall(r"\w+", part.casefold())
            if len(words) >= TELLING_WORDS:
                yield " ".join(words)


def test_a_pack_has_a_size_that_a_reader_can_survey(pack):
    assert 40 <= pack.size <= 80


def test_a_pack_is_clean(pack):
    assert lint(pack) == ()


def test_every_atom_is_taught_by_cues_examples_and_near_misses(pack):
    thin = [
        atom.label
        for atom in pack.atoms
        if len(atom.cues) < 5 or len(atom.examples) < 20 or len(atom.counter_examples) < 4
    ]
    assert thin == []


def test_every_description_is_one_sentence(pack):
    one_sentence = re.compile(r"(?s)(?!.*[.!?]\s+[A-Z])[A-Z].+\.")
    assert [atom.description for atom in pack.atoms if not one_sentence.fullmatch(atom.description)] == []


def test_the_truth_names_only_atoms_of_the_pack_and_each_once(pack, truth):
    for record in truth:
        assert set(record.atoms) <= set(pack.ids), record
        assert len(set(record.atoms)) == len(record.atoms), record


def test_the_truth_covers_every_atom_twice(pack, truth):
    seen = Counter(atom for record in truth for atom in record.atoms)
    assert [atom.label for atom in pack.atoms if seen[atom.id] < 2] == []


def test_a_tenth_of_the_truth_is_none_of_these(truth):
    assert sum(not record.atoms for record in truth) >= 0.1 * len(truth)


def test_no_record_of_the_truth_stands_there_twice(truth):
    assert len({record.text.casefold() for record in truth}) == len(truth)


def test_the_truth_was_held_back_from_the_pack(pack, truth):
    written = [*pack.background, *(text for atom in pack.atoms for text in atom.examples + atom.counter_examples)]
    taught = set(sentences(written))
    assert taught.isdisjoint(sentences(record.text for record in truth))


def test_none_of_these_can_be_learned_from_the_pack(pack):
    assert len(pack.background) >= 100
    expressed = {text.casefold() for atom in pack.atoms for text in atom.examples}
    assert expressed.isdisjoint(text.casefold() for text in pack.background)
