import json

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.errors import DictionaryError
from dpspin.public.atoms.dictionary_files import dumps, load
from factories import universe_of

GOOD = """
name: themes
version: "1"
provenance: {source: handwritten, note: for tests}
atoms:
  - {id: 3, label: late delivery, description: It comes late., cues: [still waiting, where is it], parent: orders}
  - {id: 1, label: double charge}
"""


@pytest.fixture
def dictionary(tmp_path):
    def written(text: str, name: str = "themes.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_yaml_is_read_in_the_order_of_the_file(dictionary):
    universe = load(dictionary(GOOD))
    assert universe.ids == (3, 1)
    assert universe.atoms[0].cues == ("still waiting", "where is it")
    assert universe.atoms[1].parent is None


@pytest.mark.parametrize("name", ["a.yaml", "a.yml", "a.YAML"])
def test_both_yaml_suffixes_are_known(dictionary, name):
    assert load(dictionary(GOOD, name)).size == 2


def test_json_written_by_us_is_read_back_with_the_same_digest(dictionary):
    universe = universe_of([Atom(id=7, label="café noise", cues=("zu laut",)), Atom(id=2, label="long wait")])
    again = load(dictionary(dumps(universe), "themes.json"))
    assert again == universe
    assert again.digest == universe.digest


def test_a_plain_list_becomes_a_handwritten_dictionary(dictionary):
    universe = load(dictionary("late delivery\n\n  double charge \n", "my-themes.txt"))
    assert [(atom.id, atom.label) for atom in universe.atoms] == [(0, "late delivery"), (1, "double charge")]
    assert (universe.name, universe.provenance.source) == ("my-themes", "handwritten")


def test_a_byte_order_mark_is_not_part_of_the_first_label(dictionary):
    assert load(dictionary("\ufefflate delivery\n", "themes.txt")).atoms[0].label == "late delivery"


def refusal(path) -> str:
    with pytest.raises(DictionaryError) as caught:
        load(path)
    return str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    assert "nowhere.yaml: there is no such file" in refusal(tmp_path / "nowhere.yaml")


def test_a_folder_is_not_a_dictionary(tmp_path):
    (tmp_path / "folder.yaml").mkdir()
    assert "cannot be read" in refusal(tmp_path / "folder.yaml")


def test_an_unknown_suffix_lists_the_known_ones(dictionary):
    message = refusal(dictionary(GOOD, "themes.toml"))
    assert ".yaml, .yml, .json, .txt" in message
    assert "'.toml'" in message


def test_bytes_that_are_not_utf8_are_refused(tmp_path):
    (tmp_path / "themes.txt").write_bytes("café".encode("latin-1"))
    assert "UTF-8" in refusal(tmp_path / "themes.txt")


def test_broken_yaml_names_the_line(dictionary):
    assert "line 3" in refusal(dictionary("name: themes\nversion: '1'\natoms: ]\n"))


def test_broken_json_names_the_line(dictionary):
    assert "line 3" in refusal(dictionary('{\n "name": "themes",\n "version" "1"}', "themes.json"))


@pytest.mark.parametrize(
    ("text", "name"),
    [(GOOD.replace("name: themes", "name: themes\nname: other"), "a.yaml"), ('{"name": "a", "name": "b"}', "a.json")],
)
def test_a_key_that_stands_twice_is_refused(dictionary, text, name):
    assert "'name' stands twice" in refusal(dictionary(text, name))


def test_yaml_references_and_tags_are_refused(dictionary):
    assert "references" in refusal(dictionary("name: &x themes\nversion: *x\n"))
    assert "could not determine a constructor" in refusal(dictionary("name: !!python/name:os.system ''\n"))


def test_an_impossible_date_is_refused_like_any_other_mistake(dictionary):
    assert "put dates in quotes" in refusal(dictionary(GOOD.replace("late delivery", "2025-13-45")))


def test_an_unknown_key_comes_with_the_atom_and_a_suggestion(dictionary):
    message = refusal(dictionary(GOOD.replace("cues:", "cue:")))
    assert "atom 1 ('late delivery') has an unknown key 'cue'; did you mean 'cues'?" in message


def test_a_missing_key_is_named_with_its_atom(dictionary):
    assert "atom 2 ('double charge') has no 'id'" in refusal(dictionary(GOOD.replace("id: 1, ", "")))
    assert "the dictionary has no 'version'" in refusal(dictionary(GOOD.replace('version: "1"', "")))


def test_text_that_yaml_reads_as_something_else_is_pointed_at(dictionary):
    assert "version: must be text; put it in quotes" in refusal(dictionary(GOOD.replace('"1"', "1")))
    assert "atom 2, label: must be text" in refusal(dictionary(GOOD.replace("double charge", "no")))


def test_an_id_is_a_number_not_something_like_one(dictionary):
    assert "atom 2, id" in refusal(dictionary(GOOD.replace("id: 1", "id: yes")))
    assert "atom 2, id" in refusal(dictionary(GOOD.replace("id: 1", 'id: "1"')))


def test_repeated_ids_and_labels_are_refused(dictionary):
    assert "share the id '3'" in refusal(dictionary(GOOD.replace("id: 1", "id: 3")))
    assert "share the label 'late delivery'" in refusal(dictionary(GOOD.replace("double charge", "Late Delivery")))


@pytest.mark.parametrize("content", ["", "[]", "just words", "name: themes"])
def test_a_file_without_a_dictionary_says_what_one_looks_like(dictionary, content):
    assert "atoms" in refusal(dictionary(content))


def test_a_dictionary_without_atoms_is_refused(dictionary):
    content = {"name": "a", "version": "1", "provenance": {"source": "pack", "note": "x"}, "atoms": []}
    assert "at least one atom" in refusal(dictionary(json.dumps(content), "a.json"))
    assert "at least one atom" in refusal(dictionary("\n \n", "a.txt"))


def test_only_the_first_mistakes_are_listed(dictionary):
    content = {"name": "a", "version": "1", "provenance": {"source": "pack", "note": "x"}, "atoms": [{"id": 1}] * 9}
    assert refusal(dictionary(json.dumps(content), "a.json")).endswith("; and 4 more")
