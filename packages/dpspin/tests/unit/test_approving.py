"""From asking to an approved release: by the commands, and every way that charges goes through the same gate."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from dpspin import approving, phrasing, pipeline
from dpspin.boundary.accounting import Neighbours
from dpspin.boundary.approval import APPROVALS, ApprovedRequest
from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.privacy import Adjacency, PrivacyLoss
from dpspin.boundary.series import SeriesTerms
from dpspin.boundary.signing import make_key, write_key
from dpspin.cli.officers import standing_of
from dpspin.curator.ledger.approvals import Verdict
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.errors import ApprovalRefused, LedgerError, RequestError
from dpspin.public.release_check.check import check_published
from dpspin.request import ReleaseRequest
from dpspin.series import add_period, open_series, renew_series, series_to_open, series_to_renew
from signed_releases import MARIA, PLAN, approved, released, signed_anyhow, terms_of

ANNA, OLGA = make_key("Anna Analyst"), make_key("Olga Officer")
OF_USERS = Neighbours("user", Adjacency.ADD_DROP)
ROWS = "".join(
    f"{text},u{place},2026-01-{1 + place % 28:02}\n" for place in range(40) for text in ("late parcel", "refund")
)
ASKED = {
    "atoms": "atoms.txt", "records.data": "records.csv", "records.text": "body", "records.unit": "user",
    "records.user": "who", "records.map": "paper", "loss.epsilon": 0.5, "denominator": 400,
    "account.dataset": "tickets", "account.ledger": "ledger.db", "title": "March",
}  # fmt: skip


@pytest.fixture
def ledger(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("atoms.txt").write_text("late parcel\nrefund\napp crash\n")
    Path("records.csv").write_text("body,who,day\n" + ROWS)
    for name, key in (("anna.key", ANNA), ("olga.key", OLGA)):
        write_key(tmp_path / name, key, None)
    book = open_ledger("ledger.db")
    book.set_budget("tickets", PrivacyLoss(9.0, 1e-3), neighbours=OF_USERS, user_column="who")
    book.name_officers("tickets", [OLGA.public], "four eyes")
    return book


@pytest.fixture
def unread(monkeypatch):
    """Let no record be read."""

    def read(*_):
        raise AssertionError("a record was read")

    for name in ("batches", "content_digest"):
        monkeypatch.setattr(ProtectedCorpus, name, read)


def asked(**changes):
    told = ASKED | {name.replace("__", "."): value for name, value in changes.items()}
    from dpspin.boundary.request_terms import placed

    return ReleaseRequest.read(placed(told))


def approve(ledger, filed):
    return ledger.decide(filed, Verdict("approved", "as agreed", 30), OLGA)


def spent(ledger):
    return float(ledger.budget("tickets").spent.epsilon)


# --- the commands -----------------------------------------------------------------------------------------------------


def test_the_whole_way_by_commands(ledger, dpspin):
    asked().save("request.yaml")
    book = ("--ledger", "ledger.db")
    first = dpspin("release", "request.yaml", "--out", "march")
    assert (first.code, "--ask-approval KEY" in first.err, spent(ledger)) == (3, True, 0.0)
    filed = dpspin("release", "request.yaml", "--ask-approval", "anna.key", "--note", "the monthly report")
    digest = filed.out.strip()
    assert (filed.code, digest) == (0, ledger.filings()[0].digest)
    waits = dpspin("ledger", "requests", "--waiting", *book)
    assert "waiting" in waits.out
    assert "asked by Anna Analyst: the monthly report" in waits.out
    own = dpspin("approve", "request.yaml", "--key", "anna.key", "--reason", "mine", "--yes", *book)
    assert own.code == 3
    unasked = dpspin("approve", "request.yaml", "--key", "olga.key", "--reason", "fine", *book)
    assert (unasked.code, "--yes" in unasked.err) == (2, True)
    shown = dpspin("approve", digest, "--key", "olga.key", "--reason", "as agreed", "--yes", *book)
    for part in (
        "asked by  Anna Analyst", "everything they wrote (add_drop)", "title: March", "What it promises",
        "What it does not protect",
        "What it would be able to say", "dataset 'tickets': spent epsilon 0",
    ):  # fmt: skip
        assert part in shown.out
    assert "approved by Olga Officer" in shown.err
    assert dpspin("release", "request.yaml", "--out", "march").code == 0
    assert dpspin("release", "request.yaml", "--out", "march").code == 0
    assert spent(ledger) == 0.5
    approved = ApprovedRequest.model_validate_json((Path("march") / "curator" / APPROVALS).read_bytes())
    assert [*approved.contradictions()] == []
    assert approved.terms.digest == digest
    write_key(Path("curator.key"), OLGA, None)
    assert dpspin("sign", "march", "--key", "curator.key").code == 0
    checked = dpspin("verify", "march/release", "--key", "curator.key")
    assert (checked.code, "it was approved, with keys in the name of Olga Officer" in checked.out) == (0, True)
    told = dpspin("ledger", "history", *book).out
    assert "asked by Anna Analyst, approved by Olga Officer" in told
    assert "needs  the approval of Olga Officer for every release" in dpspin("ledger", "show", *book).out
    assert "tickets: approval by Olga Officer  four eyes" in dpspin("ledger", "verify", *book).out
    listed = json.loads(dpspin("ledger", "requests", "--json", *book).out)["requests"]
    assert [each["standing"] for each in listed] == ["charged"]


def test_declined_by_a_command_and_officers_changed_by_one(ledger, dpspin):
    book = ("--ledger", "ledger.db")
    asked().save("request.yaml")
    nobody = dpspin("decline", "request.yaml", "--key", "olga.key", "--reason", "no", "--yes")
    assert "nobody asked for an approval of exactly this request" in nobody.err
    pipeline.ask(asked(), ANNA, "why")
    declined = dpspin("decline", "request.yaml", "--key", "olga.key", "--reason", "not now", "--yes")
    assert (declined.code, standing_of(ledger.filings()[0])) == (0, "declined")
    assert "Olga Officer declined" in dpspin("release", "request.yaml", "--out", "march").err
    for words in (("--officer", "anna.key"), ("--nobody",)):
        assert dpspin("ledger", "officers", "--dataset", "tickets", "--note", "x", *words, *book).code == 3
    ended = dpspin(
        "ledger", "officers", "--dataset", "tickets", "--nobody", "--note", "over", "--key", "olga.key", *book
    )
    assert ended.code == 0
    assert "no approval any more  over" in dpspin("ledger", "verify", *book).out
    for words in ((), ("--nobody", "--officer", "anna.key"), ("--nobody", "--population", "p")):
        assert dpspin("ledger", "officers", "--dataset", "tickets", "--note", "x", *words, *book).code == 2


# --- exactly this request ---------------------------------------------------------------------------------------------

CHANGED = {
    "title": "April", "loss__epsilon": 0.6, "denominator": 401, "size": 2, "beta": 0.1, "bins": "0.3,0.1",
    "about__source": "another", "about__owner": "somebody", "mechanism": "set_em", "account__snapshot": "2026-02",
    "account__budget": 8, "records__data": "copy.csv", "records__text": "day",
    "records__unit__bound": 2.0, "records__sampling": 0.5, "atoms": "more.txt",
    "records__bad_rows": "refuse", "records__unit__missing": "drop", "records__quantity": "prevalence",
}  # fmt: skip


@pytest.mark.parametrize("field", CHANGED)
def test_an_approval_is_of_no_request_with_another_field(ledger, unread, field):
    Path("copy.csv").write_text("body,who,day\n" + ROWS)
    Path("more.txt").write_text("late parcel\nrefund\napp crash\nlogin\n")
    approve(ledger, pipeline.ask(asked(), ANNA, "why"))
    with pytest.raises(ApprovalRefused):
        pipeline.run(asked(**{field: CHANGED[field]}))
    assert spent(ledger) == 0.0


def test_an_approval_is_of_no_file_of_the_same_name_elsewhere(ledger, unread, tmp_path, monkeypatch):
    approve(ledger, pipeline.ask(asked(), ANNA, "why"))
    other = tmp_path / "elsewhere"
    other.mkdir()
    for name in ("atoms.txt", "records.csv"):
        (other / name).write_bytes(Path(name).read_bytes())
    monkeypatch.chdir(other)
    with pytest.raises(ApprovalRefused):
        pipeline.run(asked(account__ledger=str(tmp_path / "ledger.db")))
    assert spent(ledger) == 0.0


def test_an_officer_may_look_from_any_folder(ledger, unread, tmp_path, monkeypatch):
    filed = pipeline.ask(asked(atoms=str(Path("atoms.txt").resolve())), ANNA, "why")
    monkeypatch.chdir(tmp_path.parent)
    assert str(tmp_path / "records.csv") in approving.review(ledger, filed).told


def test_a_dictionary_that_was_changed_after_the_approval_is_not_approved(ledger, unread):
    approve(ledger, pipeline.ask(asked(), ANNA, "why"))
    Path("atoms.txt").write_text("late parcel\nrefund\napp crash\nthe plans of the board\n")
    with pytest.raises(ApprovalRefused):
        pipeline.run(asked())


def test_what_was_filed_is_made_again_before_it_is_approved(ledger, unread):
    filed = pipeline.ask(asked(), ANNA, "why")
    looked = approving.review(ledger, filed)
    assert yaml.safe_load(looked.told)["title"] == "March"
    assert "ledger.db" not in looked.told
    assert "400" in looked.forecast
    Path("atoms.txt").write_text("late parcel\nrefund\napp crash\nsomething else\n")
    with pytest.raises(LedgerError) as why:
        approving.review(ledger, filed)
    assert why.value.code == "ledger.filed-otherwise"


def test_one_request_shown_and_another_charged_is_found(ledger, unread):
    """Whoever files with a program of their own may show a small request, and name the charge of a large one."""
    from dataclasses import replace

    small, large = pipeline.prepare(asked()).charge, pipeline.prepare(asked(loss__epsilon=5)).charge
    filed = ledger.ask(replace(large, told=small.told), "only a little", ANNA)
    with pytest.raises(LedgerError) as why:
        approving.review(ledger, filed)
    assert why.value.code == "ledger.filed-otherwise"


def test_the_day_of_the_report_and_the_place_of_the_ledger_are_no_part_of_it(ledger):
    filed = pipeline.ask(asked(about__date="2026-03-01"), ANNA, "why")
    approve(ledger, filed)
    pipeline.run(asked(about__date="2026-03-02", account__ledger=str(Path("ledger.db").resolve())))
    assert spent(ledger) == 0.5


def test_data_in_memory_are_refused_where_an_approval_is_demanded(ledger):
    held = {"atoms": "atoms.txt", "unit": "user", "user": "who", "text": "body", "map": "paper", "epsilon": 0.5}
    import pyarrow as pa

    table = pa.table({"body": ["late parcel"], "who": ["u1"]})
    request = ReleaseRequest.of(table, **held, denominator=9, dataset="tickets", ledger="ledger.db")
    with pytest.raises(ApprovalRefused):
        pipeline.run(request)
    with pytest.raises(RequestError) as why:
        pipeline.ask(request, ANNA, "why")
    assert why.value.code == "request.not-written"


# --- every way that charges -------------------------------------------------------------------------------------------


def test_phrases_need_an_approval(ledger, monkeypatch):
    told = {"records.data": "records.csv", "records.text": "body", "records.unit": "user", "records.user": "who"}
    paid = {"loss.epsilon": 1.0, "loss.delta": 1e-6, "denominator": "50"}
    phrases = phrasing.PhraseRequest.read({**told, **paid, "account": {"dataset": "tickets", "ledger": "ledger.db"}})
    with monkeypatch.context() as nobody_reads:
        nobody_reads.setattr(ProtectedCorpus, "content_digest", lambda _: pytest.fail("a record was read"))
        with pytest.raises(ApprovalRefused):
            phrasing.find(phrases, Path("out"), lambda _: None)
        filed = phrasing.ask(phrases, ANNA, "what else they wrote")
        assert approving.review(ledger, filed).facts[5] == ("costs", "epsilon 1, delta 1e-06")
    approve(ledger, filed)
    phrasing.find(phrases, Path("out"), lambda _: None)
    assert spent(ledger) == 1.0
    assert (Path("out") / "curator" / APPROVALS).is_file()


def test_a_life_of_a_series_needs_an_approval_and_its_periods_need_none(ledger):
    calendar = PeriodFacet(column="day", every="month", first="2026-01", last="2026-06")
    terms = SeriesTerms(every=calendar, epsilon=1.0, lifetime_bound=2.0, per_period_bound=1.0)
    fields = {"atoms": "atoms.txt", "text": "body", "user": "who", "map": "paper", "dataset": "tickets"}
    fields |= {"ledger": "ledger.db"}
    with pytest.raises(ApprovalRefused):
        open_series("series", terms, **fields)
    assert not Path("series").exists()
    filed = series_to_open("series", terms, **fields).ask(ANNA, "a year of months")
    approving.review(ledger, filed)
    approve(ledger, filed)
    open_series("series", terms, **fields)
    add_period("series", "records.csv", "2026-01")
    assert spent(ledger) == 1.0
    assert (Path("series") / "curator" / "2026-01" / APPROVALS).is_file()
    with pytest.raises(ApprovalRefused):
        renew_series("series", 0.5)
    again = series_to_renew("series", 0.5, None, None).ask(ANNA, "one more")
    approving.review(ledger, again)
    approve(ledger, again)
    renew_series("series", 0.5)
    assert spent(ledger) == 1.5
    assert ledger.verify().holds


def test_a_run_that_is_killed_between_charge_and_answer_keeps_its_approval(ledger):
    approve(ledger, pipeline.ask(asked(), ANNA, "why"))
    asked().save("request.yaml")
    script = Path(__file__).parents[1] / "boundary" / "killed_release.py"
    words = [sys.executable, script, "after-reserve", "release", "request.yaml", "--out", "march"]
    killed = subprocess.run(words, capture_output=True, check=False)
    assert (killed.returncode, spent(ledger)) == (9, 0.5), killed.stderr
    ledger.name_officers("tickets", [ANNA.public], "another officer", key=OLGA)
    pipeline.run(asked(), Path("march"))
    assert spent(ledger) == 0.5
    assert ledger.verify().holds


# --- what a stranger sees of it ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [{"epsilon": 0.1}, {"unit": "user"}, {"dictionary": "sha256:0"}, {"map": "sha256:1"}, {"mechanism": "gaussian"}],
)
def test_an_approval_of_other_terms_than_the_plan_states_is_found(tmp_path, change):
    """A curator who cheats signs a release with a real approval of something smaller."""
    published = released(tmp_path / "release").files
    for terms, wrong in ((terms_of(PLAN), False), (terms_of(PLAN, **change), True)):
        found = check_published(signed_anyhow(published, approved=approved(terms=terms)), MARIA.public).wrong
        assert any("was approved than is stated" in each for each in found) == wrong
