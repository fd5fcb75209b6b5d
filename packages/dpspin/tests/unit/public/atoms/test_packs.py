import re

import pytest

from dpspin.errors import DictionaryError
from dpspin.public.atoms.lint import lint
from dpspin.public.atoms.packs import in_short, load, names


@pytest.mark.parametrize("name", names())
def test_every_pack_loads_under_its_own_name_and_is_clean(name):
    pack = load(name)
    assert pack.name == name
    assert pack.provenance.source == "pack"
    assert lint(pack) == ()


def test_an_unknown_pack_is_refused_with_the_list():
    with pytest.raises(DictionaryError, match="support-tickets"):
        load("../support-tickets")


@pytest.fixture(scope="module")
def tickets():
    return load("support-tickets")


def test_the_ticket_pack_has_stable_ids_and_about_fifty_atoms(tickets):
    assert tickets.ids == tuple(range(1, tickets.size + 1))
    assert 48 <= tickets.size <= 56
    assert 8 <= len({atom.parent for atom in tickets.atoms}) <= 10


def test_every_ticket_atom_is_fully_written(tickets):
    for atom in tickets.atoms:
        assert 2 <= len(atom.label.split()) <= 4, atom.label
        assert atom.label == atom.label.lower()
        assert atom.description.endswith(".")
        assert 5 <= len(atom.cues) <= 9, atom.label
        assert atom.parent


def test_every_ticket_atom_has_a_cue_that_shares_no_word_with_its_label(tickets):
    for atom in tickets.atoms:
        label = set(re.findall(r"\w+", atom.label))
        assert any(label.isdisjoint(re.findall(r"\w+", cue)) for cue in atom.cues), atom.label


@pytest.mark.parametrize("name", names())
def test_a_pack_in_short_is_what_its_file_says(name):
    pack = load(name)
    assert in_short(name) == f"{pack.size} atoms  {pack.provenance.note}"
