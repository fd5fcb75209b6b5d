"""A small corpus with users, its split, a dictionary and prepared records: enough for runs of the lab."""

from dataclasses import replace
from functools import cache

from dpspin.boundary.atoms import Atom
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.split import split_by_hash
from dpspin_lab.runs.config import RunConfig
from dpspin_lab.runs.record_preparation import fit, prepare_by
from factories import universe_of

THEMES = ("late parcel", "broken glass", "rude staff", "long queue", "wrong colour", "dry skin", "sharp blade")
UNIVERSE = universe_of([Atom(id=10 + place, label=label) for place, label in enumerate(THEMES)])


@cache
def tiny_split():
    """Return 240 records of up to three themes by some 90 users; the first themes are the most frequent."""
    about = [[(number * step) % 13 % 8 for step in (1, 5, 7)[: number % 4]] for number in range(240)]
    texts = tuple(" and ".join(["something", *map(_theme, themes)]) for themes in about)
    ids = tuple(f"r{number}" for number in range(len(texts)))
    users = tuple(f"u{(number * number + 3 * number) % 151}" for number in range(len(texts)))
    nothing = ("",) * len(texts)
    categories = tuple("high" if number % 3 else "low" for number in range(len(texts)))
    corpus = Corpus("tiny", ids, texts, users, nothing, categories, nothing)
    return split_by_hash(corpus, by_user=True, auxiliary_share=0.4, salt="test")


@cache
def tiny_map(probe=False):
    return fit(tiny_split().auxiliary, UNIVERSE, probe=probe)


@cache
def tiny_prepared(per_record=2, probe=False):
    atoms, fitted = tiny_map(probe)
    return prepare_by(replace(fitted, atoms_per_record=per_record), tiny_split(), atoms)


def record_run(**fields):
    given = {"dataset": "tiny", "n_records": 80, "m": 7, "K": 2, "L": 3, "mechanism": "laplace", "epsilon": 1.0}
    return RunConfig.model_validate({**given, **fields})


def user_run(**fields):
    users = {"protected_unit": "user", "n_records": None, "n_users": 30, "user_id_field": "user_id", "B": 1.0}
    return record_run(**{**users, **fields})


def _theme(number):
    return THEMES[number] if number < len(THEMES) else "nothing else"
