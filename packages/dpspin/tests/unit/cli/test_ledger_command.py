"""``dpspin ledger`` as a user meets it."""

import json
import sqlite3
from contextlib import closing

import pytest

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger import open_ledger
from factories import charge_to, price


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.db"


def spend(path, epsilon, *, fingerprint="f", dataset="d", delta=0.0, kind="laplace"):
    ledger = open_ledger(path)
    request = json.dumps({"mechanism": {"kind": kind}})
    charge = charge_to(dataset, fingerprint, price(epsilon, delta), request)
    reserved = ledger.reserve(charge, f"records of {dataset}")
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
        (("--dataset", "d", "--epsilon", "1", "--user-column", "who"), "goes with --dataset and --unit user"),
        (("--population", "p", "--epsilon", "1", "--unit", "user", "--user-column", "who"), "goes with --dataset"),
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
    assert "--partition" in half.err
    assert release("--out", tmp_path / "all").code == 3


def test_a_postgres_url_in_the_environment_is_used_as_it_is(dpspin, monkeypatch):
    monkeypatch.setenv("DPSPIN_LEDGER", "postgresql://curator:hunter2@/ledger?host=/nowhere")
    ran = dpspin("ledger", "show")
    assert ran.code == 75
    assert "postgresql://curator@/ledger" in ran.err
    assert "hunter2" not in ran.err


# --- which users, which records, which ledger -------------------------------------------------------------------------


def letters(path, rows=400, start=0):
    lines = [f"letter number {n} says that my parcel is late,u{n},h{n // 2}" for n in range(start, start + rows)]
    path.write_text("text,user,household\n" + "\n".join(lines) + "\n")
    return path


def release(dpspin, data, out, *words):
    (out.parent / "atoms.txt").write_text("late parcel\nrefund\napp crash\n")
    base = ("release", data, "--text", "text", "--atoms", out.parent / "atoms.txt", "--map", "paper", "--out", out)
    return dpspin(*base, "--epsilon", "0.5", "--denominator", "400", *words)


USERS = ("--unit", "user", "--user", "user")


def spent(dpspin, name):
    return next(each["spent"]["epsilon"] for each in shown_by_default(dpspin) if each["name"] == name)


def shown_by_default(dpspin):
    return json.loads(dpspin("ledger", "show", "--json").out)["accounts"]


def test_the_account_knows_its_user_column_and_a_person_may_say_that_it_was_renamed(dpspin, tmp_path):
    data, out = letters(tmp_path / "t.csv"), tmp_path / "out"
    init = ("ledger", "init", "--dataset", "t", "--epsilon", "2", "--unit", "user", "--user-column", "user")
    assert dpspin(*init).code == 0
    assert "users  named by 'user'" in dpspin("ledger", "show").out
    other = release(dpspin, data, out, "--dataset", "t", "--unit", "user", "--user", "household")
    assert other.code == 2
    assert "column 'user' names; this request takes them from 'household'" in other.err
    assert spent(dpspin, "t") == 0.0
    assert release(dpspin, data, out, "--dataset", "t", *USERS).code == 0
    plan = json.loads((out / "release/plan.json").read_text())
    assert plan["account"]["user_column"] == "user"
    assert "all records with the same value in the column &#39;user&#39;" in (out / "release/report.html").read_text()
    alias = ("ledger", "alias", "--dataset", "t", "--user-column", "household", "--note", "only a test")
    assert dpspin(*alias).code == 0
    renamed = ("--dataset", "t", "--unit", "user", "--user", "household")
    assert release(dpspin, data, tmp_path / "renamed", *renamed).code == 0
    history = dpspin("ledger", "history")
    assert "declared   users named by 'household'  t  only a test" in history.out
    told = json.loads(dpspin("ledger", "history", "--json").out)["declarations"]
    assert [each["user_column"] for each in told] == ["user", "household"]
    assert dpspin("ledger", "verify").code == 0


def test_a_near_copy_is_refused_before_the_charge_until_a_person_decides(dpspin, tmp_path):
    assert release(dpspin, letters(tmp_path / "one.csv"), tmp_path / "one", "--dataset", "one", *USERS).code == 0
    copy = letters(tmp_path / "two.csv", rows=399, start=1)
    refused = release(dpspin, copy, tmp_path / "two", "--dataset", "two", "--unit", "record")
    assert refused.code == 2
    assert "large part of the records of 'two' is known to this ledger as dataset 'one'" in refused.err
    assert [each["name"] for each in shown_by_default(dpspin)] == ["one"]
    assert not (tmp_path / "two/release").exists()
    assert dpspin("ledger", "apart", "--dataset", "two", "--from", "one", "--note", " ").code == 2
    apart = ("ledger", "apart", "--dataset", "two", "--from", "one", "--note", "agreed with the data owner")
    assert dpspin(*apart).code == 0
    assert release(dpspin, copy, tmp_path / "two", "--dataset", "two", "--unit", "record").code == 0
    assert "apart from 'one'" in dpspin("ledger", "history").out


def test_a_declaration_needs_a_ledger(dpspin, tmp_path):
    for words in (("alias", "--user-column", "u"), ("apart", "--from", "one")):
        ran = dpspin("ledger", *words, "--dataset", "two", "--note", "why")
        assert ran.code == 2
        assert "no ledger" in ran.err
    assert not (tmp_path / "default-ledger.db").exists()


def test_a_release_that_another_ledger_paid_for_is_not_replaced(dpspin, tmp_path):
    data, out = letters(tmp_path / "t.csv"), tmp_path / "out"
    new = release(dpspin, data, out, "--dataset", "t", "--unit", "record")
    assert new.code == 0
    assert "New ledger: " in new.err
    assert "knows of no earlier release" in new.err
    published = (out / "release/plan.json").read_bytes()
    elsewhere = tmp_path / "elsewhere.db"
    for _ in range(2):  # absent, then there and without that release
        refused = release(dpspin, data, out, "--dataset", "t", "--unit", "record", "--ledger", elsewhere)
        assert refused.code == 2
        assert "holds an earlier release" in refused.err
        assert "choose another folder" in refused.err
        if not elsewhere.exists():
            open_ledger(elsewhere).set_budget("t", PrivacyLoss(1.0))
    assert open_ledger(elsewhere).history() == ()
    assert (out / "release/plan.json").read_bytes() == published
    again = release(dpspin, data, out, "--dataset", "t", "--unit", "record")
    assert again.code == 0
    assert "New ledger" not in again.err


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000])
@pytest.mark.parametrize("name", ["curator/receipt.json", "release/plan.json"])
def test_a_damaged_file_of_an_earlier_release_is_refused_in_one_line(dpspin, tmp_path, name, content):
    data, out = letters(tmp_path / "t.csv"), tmp_path / "out"
    (out / name).parent.mkdir(parents=True)
    (out / name).write_bytes(content)
    ran = release(dpspin, data, out, "--dataset", "t", "--unit", "record")
    assert ran.code == 2
    assert "is damaged" in ran.err
    assert "Nothing was charged" in ran.err
    assert not (tmp_path / "default-ledger.db").exists()


def test_a_plan_without_an_account_is_replaced(dpspin, tmp_path):
    data, out = letters(tmp_path / "t.csv"), tmp_path / "out"
    (out / "release").mkdir(parents=True)
    (out / "release/plan.json").write_text('{"account": null}')
    assert release(dpspin, data, out, "--dataset", "t", "--unit", "record").code == 0


@pytest.mark.parametrize("command", ["show", "history"])
def test_a_ledger_in_which_nothing_is_says_so(dpspin, path, command):
    open_ledger(path)
    assert "nothing yet" in dpspin("ledger", command, "--ledger", path).out
