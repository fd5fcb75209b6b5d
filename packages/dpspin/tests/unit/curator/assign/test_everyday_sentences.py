"""The sentences on other subjects are many, different from each other, and from all that a map is measured with."""

from importlib.resources import files
from itertools import chain
from pathlib import Path

import pytest
import yaml

from dpspin import packs

DOMAINS, OF_PACKS = (
    yaml.safe_load((files("dpspin.curator.assign") / f"{name}_sentences.yaml").read_text(encoding="utf-8"))
    for name in ("everyday", "pack")
)
EVERYDAY, SENTENCES = (list(chain.from_iterable(walks.values())) for walks in (DOMAINS, DOMAINS | OF_PACKS))
TRUTH = sorted((Path(__file__).parents[3] / "truth").glob("*.yaml"))


def plain(text):
    """Return the words of a text only, so that no full stop or capital hides a repeat."""
    return " ".join("".join(sign if sign.isalnum() else " " for sign in text.casefold()).split())


def test_many_walks_of_life_are_covered():
    assert len(DOMAINS) >= 36
    assert min(map(len, DOMAINS.values())) >= 80


def test_every_pack_has_its_areas():
    assert {name.partition(":")[0] for name in OF_PACKS} == set(packs.names())
    assert {len(sentences) for sentences in OF_PACKS.values()} == {40}


def test_no_sentence_is_repeated():
    assert len(set(map(plain, SENTENCES))) == len(SENTENCES)


def test_a_sentence_is_one_short_printable_line():
    assert [sentence for sentence in SENTENCES if len(sentence) > 300 or not sentence.isprintable()] == []


@pytest.mark.parametrize("name", packs.names())
def test_no_everyday_sentence_is_taken_from_a_pack(name):
    taught = chain.from_iterable((*atom.examples, *atom.counter_examples) for atom in packs.load(name).atoms)
    assert set(map(plain, EVERYDAY)) & set(map(plain, taught)) == set()


@pytest.mark.parametrize("path", TRUTH, ids=lambda path: path.stem)
def test_no_sentence_is_taken_from_a_truth_set(path):
    held_back = [record["text"] for record in yaml.safe_load(path.read_text(encoding="utf-8"))]
    assert set(map(plain, SENTENCES)) & set(map(plain, held_back)) == set()
