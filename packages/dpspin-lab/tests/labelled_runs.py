"""The small corpus with labels that are atoms: prepared by the paper's map, and by the hybrid that learns from them."""

from dataclasses import replace
from functools import cache

from dpspin_lab.datasets.split import Split
from dpspin_lab.runs.prepared import read_prepared
from dpspin_lab.runs.record_preparation import Recipe, prepare_by, prepared_files
from tiny_runs import THEMES, UNIVERSE, tiny_map, tiny_split


def labelled_split():
    """Return the small corpus, each record labelled with the first theme that it names."""
    return Split(*(_labelled(part) for part in (tiny_split().auxiliary, tiny_split().target)))


@cache
def labelled_prepared():
    atoms, fitted = tiny_map()
    return prepare_by(replace(fitted, atoms_per_record=2), labelled_split(), atoms, labelled=True)


def hybrid_prepared(folder):
    paths = prepared_files(folder, labelled_split(), UNIVERSE, [2], Recipe("hybrid", labelled=True))
    return read_prepared(paths[2])


def _labelled(corpus):
    return replace(corpus, paths=tuple(_first_theme(text) for text in corpus.texts))


def _first_theme(text):
    found = [(text.index(theme), theme) for theme in THEMES if theme in text]
    return min(found)[1] if found else "something else"
