"""``release`` with every denominator and with a public baseline, as a user meets them."""

import csv

import pytest

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.atoms.dictionary_files import dumps
from restaurant_dictionary import UNIVERSE

ATOMS = ("--atoms", "support-tickets", "--map", "paper", "--text", "text")
WORDS = ["my parcel is late and I want a refund", "the app crashes when I open it", "I cannot reset my password"]


@pytest.fixture
def tickets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, rows in (("t.csv", 300), ("aux.csv", 90)):
        with (tmp_path / name).open("w", newline="") as file:
            lines = csv.writer(file)
            lines.writerow(["who", "text"])
            lines.writerows([f"{name}{i % 50}", f"{WORDS[i % 3]}, says {name} {i}"] for i in range(rows))
    return tmp_path


def released(folder):
    return SemanticPlan.from_json((folder / "out/release/plan.json").read_bytes())


def release_words(*more, unit=("--unit", "record"), dataset="d"):
    return ("release", "t.csv", *ATOMS, *unit, "--epsilon", "2", "--dataset", dataset, "--out", "out", *more)


USERS = ("--unit", "user", "--user", "who")
SHOWN = {
    "records": (("--count-share", "0.1"), ("--unit", "record"), "count", "records"),
    "users": (("--count-share", "0.1"), USERS, "count", "users"),
    "total": (("--denominator", "total"), ("--unit", "record"), "total", "the total of all masses, about"),
    "public": (("--denominator", "1,000"), ("--unit", "record"), "public", "a declared total of 1,000"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_release_says_what_its_shares_refer_to(tickets, dpspin, name):
    options, unit, kind, words = SHOWN[name]
    ran = dpspin(*release_words(*options, unit=unit))
    assert ran.code == 0, ran.err
    plan = released(tickets)
    assert plan.denominator.kind == kind
    assert words in " ".join(ran.out.split())
    if name == "records":
        assert plan.denominator.low - 200 < 300 < plan.denominator.high + 200
    if name == "users":
        assert plan.denominator.low - 200 < 50 < plan.denominator.high + 200


def test_a_counted_release_is_charged_its_whole_epsilon_and_repeated_for_free(tickets, dpspin):
    first = dpspin(*release_words("--count-share", "0.1"))
    assert "spent epsilon 2" in first.err.replace("(", "").replace(",", ""), first.err
    plan = released(tickets)
    again = dpspin(*release_words("--count-share", "0.1", "--size", "3"))
    assert "at no cost" in again.err
    assert released(tickets).denominator == plan.denominator
    other = dpspin(*release_words("--count-share", "0.2"))
    assert other.code == 3


@pytest.mark.usefixtures("tickets")
@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "say --denominator"),
        (("--denominator", "5", "--count-share", "0.1"), "say what shares refer to once"),
        (("--count-share", "1"), "--count-share"),
        (("--denominator", "many"), "the word total"),
        (("--denominator", "0"), "--denominator"),
        (("--count-share", "0.1", "--adjacency", "replace"), "not protected"),
        (("--denominator", "total", "--mechanism", "private_topL", "--delta", "1e-6"), "no total"),
        (("--denominator", "9", "--baseline", "aux"), "--aux"),
        (("--denominator", "9", "--baseline", "none.csv"), "cannot be read"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_charged(dpspin, options, why):
    ran = dpspin(*release_words(*options))
    assert ran.code == 2
    assert why in ran.err


def test_a_baseline_from_auxiliary_text_stands_in_the_plan_and_another_one_is_free(tickets, dpspin):
    ran = dpspin(*release_words("--denominator", "total", "--aux", "aux.csv", "--baseline", "aux"))
    assert ran.code == 0, ran.err
    plan = released(tickets)
    assert "auxiliary text is not protected" in plan.baseline.source
    assert plan.denoised
    assert "told apart from the public baseline" in (tickets / "out/release/summary.txt").read_text()
    (tickets / "shares.csv").write_text("atom_id,share\n" + f"{plan.baseline.shares[0].atom_id},1\n")
    page = dpspin("report", "out/release/plan.json", "--baseline", "shares.csv", "--out", "page.html")
    assert page.code == 0, page.err
    assert "shares.csv" in (tickets / "page.html").read_text()
    (tickets / "out/release/atoms.json").unlink()  # the dictionary is a ready pack, which is known without it
    assert dpspin("report", "out/release/plan.json", "--baseline", "shares.csv", "--out", "page.html").code == 0


def test_protected_records_are_no_baseline_not_even_of_a_release_that_is_repeated(tickets, dpspin):
    words = release_words("--denominator", "total", unit=("--unit", "record"))
    (tickets / "tiny.json").write_text(dumps(UNIVERSE))
    plain = [{"paper": "cues", "support-tickets": "tiny.json"}.get(word, word) for word in words]
    assert dpspin(*plain).code == 0
    before = released(tickets)
    lines = (tickets / "t.csv").read_text().splitlines()
    (tickets / "stolen.csv").write_text("\n".join(lines[:100]) + "\n")
    stolen = dpspin(*plain, "--aux", "stolen.csv", "--baseline", "aux")
    assert stolen.code == 2
    assert "auxiliary" in stolen.err
    assert released(tickets) == before


def test_sketch_files_have_no_auxiliary_text(tickets, dpspin):
    sketched = dpspin("sketch", "t.csv", *ATOMS, "--unit", "record", "--out", "s.sketch")
    assert sketched.code == 0, sketched.err
    words = ("release", "--sketch", "s.sketch", "--atoms", "support-tickets", "--epsilon", "2", "--dataset", "d")
    refused = dpspin(*words, "--count-share", "0.1", "--baseline", "aux", "--out", "out")
    assert "sketch files carry no auxiliary text" in refused.err
    (tickets / "b.json").write_text('{"late delivery": 1}')
    done = dpspin(*words, "--count-share", "0.1", "--baseline", "b.json", "--out", "out")
    assert done.code == 0, done.err
    assert released(tickets).denominator.kind == "count"
