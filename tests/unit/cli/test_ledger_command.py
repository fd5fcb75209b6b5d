"""``dpspin ledger`` as a user meets it."""

import json
import sqlite3
from contextlib import closing

import pytest

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger import open_ledger
from factories import price


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.db"


def spend(path, epsilon, *, fingerprint="f", dataset="d", delta=0.0, kind="laplace"):
    ledger = open_ledger(path)
    request = json.dumps({"mechanism": {"kind": kind}})
    reserved = ledger.reserve(
        dataset,
        fingerprint=fingerprint,
        content=f"records of {dataset}",
        cost=price(epsilon, delta),
        request_json=request,
    )
    ledger.commit(reserved, b"plan")
    return reserved.statement.head


def shown(dpspin, path, *words):
    return json.loads(dpspin("ledger", "show", "--json", "--ledger", path, *words).out)["accounts"]


def test_show_says_how_many_more_reports_like_the_last_one_fit(dpspin, path):
    assert dpspin("ledger", "init", "--dataset", "d", "--epsilon", "1", "--ledger", path).code == 0
    assert "more" not in dpspin("ledger", "show", "--ledger", path).out
    spend(path, 0.3)
    assert "left   epsilon 0.7: 2 more reports like the last one" in dpspin("ledger", "show", "--ledger", path).out
    spend(path, 0.35, fingerprint="g")
    assert "left   epsilon 0.35: 1 more report like the last one" in dpspin("ledger", "show", "--ledger", path).out
    assert shown(dpspin, path)[0]["more_like_the_last"] == 1


@pytest.mark.parametrize(("kind", "words"), [("dataset", ("replace",)), ("population", ())], ids=["dataset", "people"])
def test_an_account_says_whom_its_total_is_about(dpspin, path, kind, words):
    declared = [word for name in words for word in ("--adjacency", name)]
    init = ("ledger", "init", f"--{kind}", "d", "--epsilon", "1", "--unit", "user", *declared, "--ledger", path)
    assert dpspin(*init).code == 0
    adjacency = words[0] if words else "add_drop"
    assert f"about  one user ({adjacency})" in dpspin("ledger", "show", "--ledger", path).out
    assert (shown(dpspin, path)[0]["unit"], shown(dpspin, path)[0]["adjacency"]) == ("user", adjacency)


def test_the_first_charge_says_it_where_nobody_declared_it(dpspin, path):
    dpspin("ledger", "init", "--dataset", "d", "--epsilon", "1", "--ledger", path)
    assert shown(dpspin, path)[0]["unit"] is None
    spend(path, 0.3)
    assert "about  one record (add_drop)" in dpspin("ledger", "show", "--ledger", path).out


def test_an_account_in_rho_also_says_what_that_means(dpspin, path):
    made = dpspin("ledger", "init", "--dataset", "d", "--rho", "0.5", "--ledger", path)
    assert "budget of 'd': rho 0.5" in made.err
    spend(path, 0.4)
    text = dpspin("ledger", "show", "--ledger", path, "--at-delta", "1e-5").out
    assert "spent  rho 0.080000001" in text
    assert "spent means epsilon 1.693 at delta 1e-05" in text
    assert shown(dpspin, path)[0]["spent_epsilon_at_delta"] == pytest.approx(1.897, abs=0.001)
    assert "rho 0.5" in dpspin("ledger", "history", "--ledger", path).out


def test_a_population_is_decided_first_and_named_by_its_datasets(dpspin, path):
    base = ("ledger", "init", "--ledger", path)
    assert dpspin(*base, "--dataset", "d", "--population", "people", "--epsilon", "1").code == 2
    assert "budget of 'people'" in dpspin(*base, "--population", "people", "--epsilon", "1").err
    made = dpspin(*base, "--dataset", "d", "--population", "people", "--partition", "week", "--epsilon", "1")
    assert made.code == 0
    text = dpspin("ledger", "show", "--ledger", path).out
    assert "people (population)" in text
    assert [(each["kind"], each["partition"]) for each in shown(dpspin, path)] == [
        ("dataset", "week"), ("population", None),
    ]  # fmt: skip
    assert len(shown(dpspin, path, "--dataset", "d")) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--epsilon", "1"), "name the account"),
        (("--dataset", "d"), "decide a total"),
        (("--dataset", "d", "--epsilon", "1", "--rho", "1"), "decide a total"),
        (("--dataset", "d", "--rho", "1", "--delta", "1e-6"), "decide a total"),
        (("--population", "p", "--partition", "week", "--epsilon", "1"), "divides the records of a dataset"),
        (("--dataset", "d", "--epsilon", "1", "--adjacency", "replace"), "--adjacency goes with --unit"),
    ],
)
def test_a_decision_that_says_too_little_or_too_much_is_refused_and_makes_no_ledger(dpspin, path, words, message):
    ran = dpspin("ledger", "init", "--ledger", path, *words)
    assert ran.code == 2
    assert message in ran.err
    assert not path.exists()


def test_the_composed_total_is_marked_as_information(dpspin, path):
    open_ledger(path).set_budget("d", PrivacyLoss(5.0, 1e-5))
    for number in range(4):
        spend(path, 0.5, fingerprint=str(number))
    text = dpspin("ledger", "show", "--pld", "--ledger", path).out
    assert "for information only, composed by PLD: epsilon 2 at delta 1e-06" in text
    spend(path, 0.5, fingerprint="top", delta=5e-6, kind="private_topL")
    assert "no epsilon at so small a delta as 1e-06" in dpspin("ledger", "show", "--pld", "--ledger", path).out
    assert shown(dpspin, path, "--pld", "--at-delta", "1e-5")[0]["pld_epsilon_for_information"] < 2.51


def test_verify_holds_then_finds_what_was_changed(dpspin, path):
    open_ledger(path).set_budget("d", PrivacyLoss(1.0))
    head = spend(path, 0.5)
    good = dpspin("ledger", "verify", "--ledger", path, "--head", head)
    assert good.code == 0
    assert "4 rows, unchanged and within their budgets; the given hash is one of them" in good.out
    other = dpspin("ledger", "verify", "--ledger", path, "--head", "0" * 64)
    assert other.code == 1
    assert "older copy" in other.out
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TRIGGER entry_is_fixed")
        connection.execute("UPDATE entry SET epsilon_nano = 1")
    bad = dpspin("ledger", "verify", "--ledger", path)
    assert bad.code == 1
    assert "FINDING: row 3 (entry) was changed" in bad.out
    told = json.loads(dpspin("ledger", "verify", "--json", "--ledger", path).out)
    assert (told["holds"], told["rows"]) == (False, 4)


def test_a_ledger_that_is_not_there_cannot_be_verified(dpspin, path):
    assert dpspin("ledger", "verify", "--ledger", path).code == 2
    assert not path.exists()


def test_windows_by_command(dpspin, tmp_path):
    (tmp_path / "t.csv").write_text("text,week\n" + "my parcel is late,W1\n" * 300 + "refund please,W2\n" * 300)
    init = ("ledger", "init", "--dataset", "d", "--epsilon", "1", "--partition", "week")
    assert dpspin(*init).code == 0

    def release(*words):
        base = ("release", tmp_path / "t.csv", "--text", "text", "--atoms", "support-tickets", "--map", "paper")
        return dpspin(*base, "--unit", "record", "--epsilon", "1", "--denominator", "300", "--dataset", "d", *words)

    for week in ("W1", "W2"):
        assert release("--partition", "week", "--window", week, "--out", tmp_path / week).code == 0
    label = json.loads((tmp_path / "W2/release/label.json").read_text())
    assert label["account"]["window"] == {"partition": "week", "name": "W2"}
    assert any("This dataset has now spent epsilon 1 of 1." in sentence for sentence in label["sentences"])
    page = (tmp_path / "W2/release/report.html").read_text()
    assert "This dataset has now spent epsilon 1 of 1." in page
    assert label["account"]["head"] in page
    assert "window W2" in dpspin("ledger", "history").out
    half = release("--window", "W1", "--out", tmp_path / "half")
    assert half.code == 2
    assert "give both" in half.err
    assert release("--out", tmp_path / "all").code == 3


def test_a_postgres_url_in_the_environment_is_used_as_it_is(dpspin, monkeypatch):
    monkeypatch.setenv("DPSPIN_LEDGER", "postgresql://curator:hunter2@/ledger?host=/nowhere")
    ran = dpspin("ledger", "show")
    assert ran.code == 2
    assert "postgresql://curator@/ledger" in ran.err
    assert "hunter2" not in ran.err
