"""All methods on the same records: one row per private method and epsilon, one per reference, all texts kept apart."""

from dataclasses import replace

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.demo.synthetic import generate_tickets
from dpspin_lab.baselines.comparison import compare_methods
from dpspin_lab.baselines.private.rivals import METHODS as RIVALS
from dpspin_lab.baselines.private.urania_full import METHODS as FULL
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.split import split_by_hash
from dpspin_lab.runs.grids import MAIN_K
from dpspin_lab.runs.record_preparation import fit, prepare_by
from dpspin_lab.runs.summary import read_summary
from factories import universe_of

METHODS = (*RIVALS, *FULL)


def tickets():
    """Generated tickets, and a dictionary of bare labels."""
    records = generate_tickets(400, seed=3).records
    texts, users = records.column("text").to_pylist(), records.column("user_id").to_pylist()
    nothing, bins = ("",) * 400, tuple(("high", "low")[number % 2] for number in range(400))
    ids = tuple(records.column("ticket_id").to_pylist())
    labels = ("late delivery", "refund", "password reset", "broken item", "wrong size", "double charge", "rude agent")
    more = ("slow website", "missing part", "cancel order", "change address", "gift card", "return label")
    universe = universe_of([Atom(id=place, label=label) for place, label in enumerate(labels + more)])
    return Corpus("tickets", ids, tuple(texts), tuple(users), nothing, bins, nothing), universe


def prepared(split, universe, path):
    atoms, fitted = fit(split.auxiliary, universe)
    prepare_by(replace(fitted, atoms_per_record=MAIN_K), split, atoms).write(path)
    return path


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    out = tmp_path_factory.mktemp("compared")
    corpus, universe = tickets()
    split = split_by_hash(corpus, by_user=False, auxiliary_share=0.5, salt="test")
    compare_methods(split, prepared(split, universe, out / "kept.npz"), out, (0.5, 4.0), 2)
    return out


def rows(tables, name):
    return read_summary(tables / "tickets" / "summaries" / f"{name}.json")


def test_every_private_method_is_there_at_every_epsilon(tables):
    private = [row for row in rows(tables, "methods") if row["private"]]
    plans = {"plan, laplace", "plan, gaussian", "plan, private_topL"}
    [guessed] = [row for row in private if row["method"] == "plan, public_only"]
    assert (guessed["epsilon"], guessed["texts"]) == (0.0, 1)
    private.remove(guessed)
    assert {row["method"] for row in private} == plans | set(METHODS)
    assert len(private) == 2 * len(plans | set(METHODS))
    assert {row["texts"] for row in private} == {2}
    assert all(row["verified"] == 1.0 for row in private if row["method"] in plans)


def test_references_have_no_epsilon_and_marked_files(tables):
    references = [row for row in rows(tables, "methods") if not row["private"]]
    names = {"raw sample", "redacted sample", "clustering", "non-private plan", "clio-like"}
    assert {row["method"] for row in references} == names
    assert {row["epsilon"] for row in references} == {None}
    files = {path.name for path in (tables / "tickets" / "texts").iterdir()}
    assert files == {f"NOT-PRIVATE-{name.replace(' ', '-')}.json" for name in names}


def test_the_exact_plan_is_most_like_itself(tables):
    [own] = [row for row in rows(tables, "methods") if row["method"] == "non-private plan"]
    assert own["cos_tfidf"] == pytest.approx(1.0)


def test_rivals_are_measured_at_every_epsilon(tables):
    guessed = {(f"public_only, {method}", 0.0) for method in ("keyword_histogram", "category_histogram")}
    assert {(row["method"], row["epsilon"]) for row in rows(tables, "rivals")} == guessed | {
        (method, epsilon) for method in METHODS for epsilon in (0.5, 4.0)
    }


def test_users_are_compared_by_the_same_methods_and_without_references(tmp_path):
    corpus, universe = tickets()
    split = split_by_hash(corpus, by_user=True, auxiliary_share=0.5, salt="test")
    kept = prepared(split, universe, tmp_path / "kept.npz")
    compare_methods(split, kept, tmp_path, (4.0,), 1, by_user=True)
    methods = read_summary(tmp_path / "tickets" / "summaries" / "methods_by_user.json")
    assert {row["method"] for row in methods} == {
        *METHODS,
        *(f"plan, {name}" for name in ("laplace", "gaussian", "private_topL", "public_only")),
    }
    users = len(set(split.target.users))
    rivals = read_summary(tmp_path / "tickets" / "summaries" / "rivals_by_user.json")
    assert {row["n_users"] for row in rivals} == {users}
