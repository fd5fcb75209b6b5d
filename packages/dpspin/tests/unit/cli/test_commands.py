"""Every command, as a user meets it: what it prints, where it prints it, and how it ends."""

import json

import pytest

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.read_plan import reading_of, reread
from dpspin.public.atoms.dictionary_files import dumps
from factories import PAPER_PLAN, PAPER_UNIVERSE

NEVER_TESTED = "The map is untested, so nobody knows how well it sorts these records."
LISTED = "“Long wait” is listed."
ACCEPTED = f"{LISTED} {NEVER_TESTED}"
REJECTED = "“Long wait” has a share of 15.8%."
NOT_A_COUNT = "A share is a bounded noisy measure, not a count of records or users."
OF_WHAT = "Shares refer to a declared total of 2,000."
RASH = "Each kind of statement about the noise holds with 80% confidence."


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text(PAPER_PLAN.to_json())
    (tmp_path / "atoms.json").write_text(dumps(PAPER_UNIVERSE))
    return path


def write(path, text):
    path.write_text(text)
    return path


def release_words(tmp_path, *more, unit=("--unit", "record")):
    return (
        *("release", tmp_path / "t.csv", "--atoms", "support-tickets", "--map", "paper", "--text", "text", *unit),
        *("--epsilon", "1", "--denominator", "300", "--out", tmp_path / "out", *more),
    )


@pytest.fixture
def tickets(tmp_path):
    lines = [f"c{i % 50},my parcel is late and I want a refund" for i in range(300)]
    return write(tmp_path / "t.csv", "\n".join(["who,text", *lines]) + "\n")


UNITS = {"record": ("--unit", "record"), "user": ("--unit", "user", "--user", "who", "--bound", "2")}
MECHANISMS = {
    "laplace": (),
    "gaussian": ("--mechanism", "gaussian", "--delta", "1e-6"),
    "private_topL": ("--mechanism", "private_topL", "--delta", "1e-6", "--value-fraction", "0.3"),
}


@pytest.mark.usefixtures("tickets")
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("adjacency", ["add_drop", "replace"])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_release_works_for_every_unit_adjacency_and_mechanism(tmp_path, dpspin, unit, adjacency, mechanism):
    more = ("--adjacency", adjacency, *MECHANISMS[mechanism])
    ran = dpspin(*release_words(tmp_path, *more, unit=UNITS[unit]))
    assert ran.code == 0, ran.err
    released = SemanticPlan.from_json((tmp_path / "out/release/plan.json").read_bytes())
    assert released.statement.unit.kind == unit
    assert released.statement.adjacency == adjacency
    assert released.statement.mechanism.kind == mechanism
    claims = [json.loads(line) for line in (tmp_path / "out/release/claims.jsonl").read_text().splitlines()]
    assert all(claim["verified"] for claim in claims)
    (lead, *_) = (tmp_path / "out/release/summary.txt").read_text().split("\n\n")
    told = [claim["sentence"] for claim in claims if claim["sentence"] in lead]  # what must be said, and the finding
    assert told
    assert all(sentence in " ".join(ran.out.split()) for sentence in told)


@pytest.mark.usefixtures("tickets")
def test_the_first_release_is_the_budget_and_a_person_may_raise_it(tmp_path, dpspin):
    assert dpspin(*release_words(tmp_path)).code == 0
    refused = dpspin(*release_words(tmp_path, "-K", "1"))
    assert refused.code == 3
    assert "dpspin ledger init" in refused.err
    dataset = str(tmp_path / "t.csv")
    assert dpspin("ledger", "init", "--dataset", dataset, "--epsilon", "2", "--note", "agreed").code == 0
    assert dpspin(*release_words(tmp_path, "-K", "1")).code == 0
    shown = json.loads(dpspin("ledger", "show", "--json").out)
    assert [(each["name"], each["left"]["epsilon"]) for each in shown["accounts"]] == [(dataset, 0)]
    history = json.loads(dpspin("ledger", "history", "--json").out)
    assert [row["state"] for row in history["releases"]] == ["committed", "committed"]
    assert [made["note"] for made in history["budgets"]] == ["set by the first release", "agreed"]
    assert "agreed" in dpspin("ledger", "history").out
    assert dataset in dpspin("ledger", "show").out
    assert "laplace" in dpspin("ledger", "history").out


@pytest.mark.usefixtures("tickets")
def test_the_first_release_may_say_what_all_of_them_may_cost(tmp_path, dpspin):
    assert dpspin(*release_words(tmp_path, "--budget", "2.5")).code == 0
    (account,) = json.loads(dpspin("ledger", "show", "--json").out)["accounts"]
    assert (account["cap"]["epsilon"], account["left"]["epsilon"]) == (2.5, 1.5)


MISTAKES = {
    "no such file": (("--text", "text"), "gone.csv", "no data found"),
    "no such column": (("--text", "body"), "t.csv", "no column 'body'"),
    "user column at record level": (("--text", "text", "--user", "who"), "t.csv", "goes with the user unit"),
    "a folder as ledger": (("--text", "text", "--ledger", "."), "t.csv", "is a folder"),
    "output that is a file": (("--text", "text", "--out", "t.csv"), "t.csv", "cannot write"),
    "a title of two lines": (("--text", "text", "--title", "a\nb"), "t.csv", "one line"),
    "a dataset without a name": (("--text", "text", "--dataset", ""), "t.csv", "name"),
    "bound at record level": (("--text", "text", "--bound", "2"), "t.csv", "--bound"),
    "negative epsilon": (("--text", "text", "--epsilon", "-1"), "t.csv", "epsilon must be"),
    "delta on laplace": (("--text", "text", "--delta", "1e-6"), "t.csv", "leave delta out"),
    "too large a plan": (("--text", "text", "-L", "99"), "t.csv", "plan size"),
    "bins upside down": (("--text", "text", "--bins", "0.01,0.2"), "t.csv", "--bins"),
    "bins that are none": (("--text", "text", "--bins", "many"), "t.csv", "--bins"),
    "no such pack": (("--text", "text", "--atoms", "no-such-pack"), "t.csv", "no-such-pack"),
    "zero denominator": (("--text", "text", "--denominator", "0"), "t.csv", "denominator"),
    "beta of one": (("--text", "text", "--beta", "1"), "t.csv", "beta"),
    "a fraction without selection": (("--text", "text", "--value-fraction", "0.5"), "t.csv", "--value-fraction"),
    "threshold with selection": (
        ("--text", "text", "--mechanism", "private_topL", "--delta", "1e-6", "--admission", "threshold"),
        "t.csv",
        "threshold does not apply",
    ),
    "missing users at record level": (("--text", "text", "--missing-users", "drop"), "t.csv", "--missing-users"),
    "auxiliary column without data": (("--text", "text", "--aux-text", "t"), "t.csv", "--aux"),
    "no atoms per record": (("--text", "text", "-K", "0"), "t.csv", "per-record"),
}


@pytest.mark.usefixtures("tickets")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_explained_in_one_line_and_cost_nothing(tmp_path, dpspin, mistake, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words, file, message = MISTAKES[mistake]
    base = (
        "--atoms",
        "support-tickets",
        "--map",
        "paper",
        "--unit",
        "record",
        "--epsilon",
        "1",
        "--denominator",
        "300",
    )
    ran = dpspin("release", tmp_path / file, *base, "--out", tmp_path / "out", *words)
    assert ran.code == 2
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "out").exists()
    assert json.loads(dpspin("ledger", "show", "--json").out) == {"accounts": []}


def test_the_unit_has_no_default(tmp_path, dpspin):
    ran = dpspin(*release_words(tmp_path, unit=()))
    assert ran.code == 2
    assert "--unit" in ran.err


def test_verify_prints_what_is_wrong_and_ends_with_one(tmp_path, dpspin, plan):
    assert dpspin("verify", plan, write(tmp_path / "a.txt", ACCEPTED)).out.startswith("accepted: 2 of 2")
    wrong = dpspin("verify", plan, write(tmp_path / "b.txt", REJECTED))
    assert wrong.code == 1
    assert "wrong-number" in wrong.out
    answer = json.loads(dpspin("verify", plan, tmp_path / "b.txt", "--json").out)
    assert answer["accepted"] is False
    assert answer["sentences"][0]["rule"] == "wrong-number"
    assert dpspin("verify", plan.parent, tmp_path / "a.txt").code == 0  # a release folder will do
    settled = dpspin("verify", plan, write(tmp_path / "c.txt", f"{ACCEPTED} {REJECTED}"), "--settle")
    assert (settled.code, settled.out.strip()) == (0, ACCEPTED)


def test_a_text_with_a_share_must_say_what_a_share_is(tmp_path, dpspin, plan):
    text = write(tmp_path / "a.txt", "“Long wait” has a share of 15.9%.")
    bare = dpspin("verify", plan, text)
    assert (bare.code, f"missing: Add: {NOT_A_COUNT}\n  left-unsaid" in bare.out) == (1, True)
    settled = dpspin("verify", plan, text, "--settle")
    assert settled.out.strip() == f"{text.read_text()} {NEVER_TESTED} {NOT_A_COUNT} {OF_WHAT}"
    assert dpspin("verify", plan, write(text, settled.out)).code == 0


def test_verify_sees_labels_of_the_dictionary_that_lies_beside_the_plan(tmp_path, dpspin, plan):
    text = write(tmp_path / "a.txt", "“Long wait” and “parking problems” are listed.")
    assert "unsupported-label" in dpspin("verify", plan, text).out
    (tmp_path / "atoms.json").unlink()
    alone = dpspin("verify", plan, text)
    assert (alone.code, "put its atoms.json there" in alone.err) == (2, True)


def test_verify_answers_a_batch_line_by_line(tmp_path, dpspin, plan):
    inline = json.loads(PAPER_PLAN.to_json())
    lines = [
        {"plan": inline, "mode": "display", "text": ACCEPTED, "atoms": str(plan.with_name("atoms.json"))},
        {"plan": str(plan), "mode": "display", "text": REJECTED, "id": "second"},
        {"plan": str(plan), "mode": "audit", "text": ACCEPTED.replace("”", "” [atom:17]")},
        {"plan": inline, "mode": "display", "text": ACCEPTED},
        {"plan": inline, "mode": "loud", "text": ACCEPTED},
        {"plan": {"entries": []}, "text": ACCEPTED},
        {"text": ACCEPTED},
        {"plan": "gone.json", "text": ACCEPTED},
        {"plan": inline, "text": 7},
    ]
    batch = write(tmp_path / "b.jsonl", "\n".join([*map(json.dumps, lines), "not json", "", "[1]"]) + "\n")
    ran = dpspin("verify", "--batch", batch)
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 1
    assert [answer["accepted"] for answer in answers] == [True, False, True] + [False] * 8
    assert answers[1]["id"] == "second"
    assert all("error" in answer for answer in answers[3:])
    good = write(tmp_path / "g.jsonl", json.dumps(lines[0]) + "\n")
    assert dpspin("verify", "--batch", good).code == 0


def test_verify_needs_a_plan_and_a_text_or_a_batch(dpspin, plan):
    assert dpspin("verify", plan).code == 2
    assert dpspin("verify", plan, plan, "--batch", plan).code == 2
    assert dpspin("verify", "--batch", plan, "--mode", "audit").code == 2


def test_a_file_that_is_no_plan_is_explained(tmp_path, dpspin):
    for content in ("{}", "not json", PAPER_PLAN.to_json().replace('"rank": 1', '"rank": 2')):
        ran = dpspin("narrate", write(tmp_path / "p.json", content))
        assert ran.code == 2
        assert "plan" in ran.err
        assert "is not valid" in ran.err
    assert "cannot read" in dpspin("narrate", tmp_path / "gone.json").err


def test_a_text_has_two_lengths(tmp_path, dpspin, plan):
    short, full = (dpspin("narrate", plan, "--length", length).out for length in ("short", "full"))
    assert "- “Long wait”: 15.9%" in full
    assert "- “Long wait”" not in short
    assert "Shares by theme: “long wait” (15.9%)" in short
    assert dpspin("narrate", plan).out == full
    assert dpspin("report", plan, "--out", tmp_path / "r.html", "--length", "short").code == 0
    assert "Shares by theme" in (tmp_path / "r.html").read_text()


def test_report_refuses_a_length_for_a_text_of_ones_own(tmp_path, dpspin, plan):
    text = write(tmp_path / "own.txt", ACCEPTED)
    ran = dpspin("report", plan, "--out", tmp_path / "r.html", "--text", text, "--length", "short")
    assert ran.code == 2
    assert "leave one out" in ran.err


def test_report_shows_a_text_of_ones_own_only_as_far_as_it_is_true(tmp_path, dpspin, plan):
    text = write(tmp_path / "own.txt", f"{ACCEPTED} “Friendly staff” has a share of 13.7%.")
    ran = dpspin("report", plan, "--out", tmp_path / "r.html", "--text", text)
    assert ran.code == 1
    assert "wrong-number" in ran.err
    page = (tmp_path / "r.html").read_text()
    assert LISTED in page
    assert "“Friendly staff” has a share of 13.7%" not in page
    mark = "5 of 5 sentences verified against the released numbers; 1 of the given text could not be, and is not shown"
    assert mark in page  # three are the page's own: its finding, what a share is, and of what


def test_report_names_what_a_text_of_ones_own_leaves_unsaid(tmp_path, dpspin, plan):
    rash = reading_of(PAPER_PLAN).model_copy(update={"beta": 0.2})
    write(plan, reread(PAPER_PLAN, PAPER_UNIVERSE, rash).to_json())
    ran = dpspin("report", plan, "--out", tmp_path / "r.html", "--text", write(tmp_path / "own.txt", ACCEPTED))
    assert ran.code == 1
    assert f"left-unsaid: Add: {RASH}" in ran.err
    page = (tmp_path / "r.html").read_text()
    assert LISTED in page
    assert RASH in page  # what must be said is added


def test_report_shows_no_label_that_the_plan_does_not_admit(tmp_path, dpspin, plan):
    text = write(tmp_path / "own.txt", f"{ACCEPTED} “Parking problems” is listed.")
    write(tmp_path / "atoms.json", dumps(PAPER_UNIVERSE))
    dpspin("report", plan, "--out", tmp_path / "r.html", "--text", text)
    assert "“Parking problems” is listed" not in (tmp_path / "r.html").read_text()


def test_preview_needs_no_private_file(dpspin):
    words = ("preview", "--atoms", "support-tickets", "--unit", "user", "--bound", "2", "--denominator", "10000")
    answer = json.loads(dpspin(*words, "--epsilon", "1", "--json").out)
    assert answer["noise"]["scale"] == pytest.approx(2.0)
    several = json.loads(dpspin(*words, "--json").out)
    assert len(several) > 3
    assert "epsilon" in dpspin(*words).out
    assert dpspin(*words, "--epsilon", "1").code == 0


def test_atoms_packs_show_and_lint(tmp_path, dpspin):
    assert "support-tickets" in dpspin("atoms", "packs").out
    assert json.loads(dpspin("atoms", "packs", "--json").out)["support-tickets"]["atoms"] >= 40
    assert "late delivery" in dpspin("atoms", "show", "support-tickets").out
    shown = write(tmp_path / "d.json", dpspin("atoms", "show", "support-tickets", "--json").out)
    assert dpspin("atoms", "lint", shown).code == 0
    assert "same words" not in dpspin("atoms", "lint", "support-tickets").out
    bad = write(tmp_path / "bad.txt", "other\nbilling\nbilling error\n")
    ran = dpspin("atoms", "lint", bad)
    assert ran.code == 1
    assert "vague-label" in ran.out
    assert json.loads(dpspin("atoms", "lint", bad, "--json").out)


def test_schema_describes_what_is_written(dpspin):
    schema = json.loads(dpspin("schema", "plan").out)
    left_out = {"not_read", "about", "grounded", "views", "sizes", "series"}  # nothing of it was asked for
    assert set(json.loads(PAPER_PLAN.to_json())) == set(schema["properties"]) - left_out
    assert "atoms" in json.loads(dpspin("schema", "atoms").out)["properties"]


def test_version_and_help(dpspin):
    assert dpspin("--version").out.startswith("dpspin 0.")
    assert dpspin("--help").code == 0


@pytest.mark.slow
def test_demo_twice_gives_the_same_release(tmp_path, dpspin):
    first = dpspin("demo", "--out", tmp_path / "demo", "--tickets", "800")
    assert first.code == 0, first.err
    plan = (tmp_path / "demo/release/plan.json").read_bytes()
    again = dpspin("demo", "--out", tmp_path / "demo", "--tickets", "800")
    assert (tmp_path / "demo/release/plan.json").read_bytes() == plan
    assert "at no cost" in again.err
    assert first.out == again.out


@pytest.mark.usefixtures("tickets")
def test_a_release_of_another_dataset_is_not_overwritten(tmp_path, dpspin):
    assert dpspin(*release_words(tmp_path, "--dataset", "one")).code == 0
    write(tmp_path / "t.csv", "text\nother words\n")
    ran = dpspin(*release_words(tmp_path, "--dataset", "two"))
    assert ran.code == 2
    assert "another dataset" in ran.err


def test_looking_into_a_ledger_never_makes_one(tmp_path, dpspin):
    ran = dpspin("ledger", "show", "--ledger", tmp_path / "typo.db")
    assert "no ledger yet" in ran.err
    assert not (tmp_path / "typo.db").exists()
    made = dpspin("ledger", "init", "--dataset", "d", "--epsilon", "1", "--ledger", tmp_path / "typo.db")
    assert "New ledger" in made.err
    assert dpspin("ledger", "show", "--dataset", "unknown", "--ledger", tmp_path / "typo.db").code == 2


def test_a_page_that_cannot_be_written_is_one_line_and_leaves_nothing(tmp_path, dpspin, plan):
    (tmp_path / "folder").mkdir()
    ran = dpspin("report", plan, "--out", tmp_path / "folder")
    assert ran.code == 2
    assert ran.err.startswith("dpspin: ")
    assert {path.name for path in tmp_path.iterdir()} == {"plan.json", "atoms.json", "folder"}


@pytest.mark.usefixtures("tickets")
def test_a_small_dictionary_needs_no_plan_size(tmp_path, dpspin):
    atoms = write(tmp_path / "two.txt", "late parcel\nrefund wanted\n")
    assert dpspin(*release_words(tmp_path, "--atoms", atoms)).code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("release", "x.csv", "--unit", "usr"),
            "Invalid value for '--unit': 'usr' is not one of 'record', 'user'. See: ",
        ),
        (("release", "x.csv"), "say --atoms"),
        (("ledger", "shwo"), "No such command 'shwo'. Did you mean 'show'? See: "),
        (("check",), "Missing argument 'DATA'. See: "),
        (("--nope",), "No such option: --nope. See: "),
    ],
)
def test_a_mistake_in_the_words_is_one_line(words, said, dpspin):
    ran = dpspin(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"dpspin: {said}")
    assert ran.err.count("\n") == 1


def test_a_command_without_words_shows_its_help(dpspin):
    ran = dpspin("ledger")
    assert ran.code == 2
    assert "Usage" in ran.out + ran.err
