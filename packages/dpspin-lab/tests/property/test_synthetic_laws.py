"""Laws of dictionaries in files and of generated corpora, whatever the dictionary and the seed."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.boundary.atoms import Atom, AtomUniverse, Provenance
from dpspin.demo.synthetic import generate_tickets
from dpspin.public.atoms.dictionary_files import dumps, load, loads
from dpspin.public.atoms.lint import lint
from dpspin_lab.metrics.plan import overlap_at, total_variation
from true_shares import true_shares

words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20).filter(
    str.strip
)
atoms = st.builds(
    Atom,
    id=st.integers(0, 2**40),
    label=words,
    description=st.text(st.characters(codec="utf-8"), max_size=30),
    cues=st.lists(words, max_size=3).map(tuple),
    parent=st.none() | words,
)
universes = st.builds(
    AtomUniverse,
    name=words,
    version=words,
    provenance=st.builds(Provenance, source=st.sampled_from(["pack", "handwritten"]), note=words),
    atoms=st.lists(
        atoms, min_size=1, max_size=5, unique_by=(lambda atom: atom.id, lambda atom: atom.label.casefold())
    ).map(tuple),
)


@given(universes)
def test_a_dictionary_survives_its_file(universe):
    again = loads(dumps(universe), Path("universe.json"))
    assert again == universe
    assert again.digest == universe.digest


@settings(max_examples=20)
@given(universes)
def test_a_dictionary_survives_the_disk(universe):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "universe.json"
        path.write_text(dumps(universe), encoding="utf-8")
        assert load(path).digest == universe.digest


@given(universes)
def test_lint_answers_for_any_dictionary_about_its_own_atoms(universe):
    assert {finding.atom_id for finding in lint(universe)} <= set(universe.ids)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.integers(0, 2**64))
def test_one_seed_makes_one_corpus(n, seed):
    one, two = generate_tickets(n, seed), generate_tickets(n, seed)
    assert one.records.equals(two.records)
    assert one.truth.equals(two.truth)
    assert one.records.num_rows == n
    assert set(one.truth["ticket_id"].to_pylist()) <= set(one.records["ticket_id"].to_pylist())


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_different_seeds_make_different_corpora(one, two):
    texts = [generate_tickets(30, seed).records["text"].to_pylist() for seed in (one, two)]
    assert (texts[0] == texts[1]) == (one == two)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 2**32), st.integers(1, 54))
def test_distances_between_corpora_behave_like_distances(one, two, size):
    p, q = (true_shares(generate_tickets(30, seed)) for seed in (one, two))
    assert 0 <= total_variation(p, q) == total_variation(q, p) <= 1 + 1e-9
    assert 0 <= overlap_at(p, q, size) == overlap_at(q, p, size) <= 1
    assert total_variation(p, p) == 0
    assert overlap_at(p, p, size) == 1
