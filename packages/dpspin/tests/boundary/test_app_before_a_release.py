"""What the app says before a release: an approval that is needed, an account that is missing, text that is not read."""

import pytest

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.boundary.signing import make_key, write_key
from dpspin.curator.ledger.approvals import Verdict
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.records.places import dataset_at
from reading_desk import write_records
from running_app import Visitor, asked_for, digest_on, running_app

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def test_a_report_is_asked_for_approved_and_released(tmp_path, monkeypatch):
    folder, ledger = tmp_path / "work", tmp_path / "ledger.db"
    folder.mkdir()
    write_records(folder)
    monkeypatch.setenv("DPSPIN_LEDGER", str(ledger))
    anna, olga = make_key("Anna Analyst"), make_key("Olga Officer")
    write_key(folder / "anna.key", anna, "a long secret of Anna")
    book, dataset = open_ledger(ledger), dataset_at(str(folder / "records.csv"))
    book.set_budget(dataset, PrivacyLoss(9.0))
    book.name_officers(dataset, [olga.public], "four eyes")
    with running_app(folder, tmp_path / "app.log") as app:
        visitor = Visitor(app)
        report = asked_for(visitor)
        assert "needs the approval of <bdi>Olga Officer</bdi>" in visitor.text
        digest = digest_on(visitor.text)
        visitor.post(f"{report}/release", digest=digest)
        visitor.wait_while('http-equiv="refresh"')
        assert "demands the approval of Olga Officer" in visitor.text
        visitor.get(f"{report}/request")
        visitor.post(f"{report}/ask", note="for the board", key="anna.key", passphrase="wrong passphrase")
        assert "does not open" in visitor.text
        assert book.filings() == ()
        visitor.get(f"{report}/request")
        visitor.post(f"{report}/ask", note="for the board", key="anna.key", passphrase="a long secret of Anna")
        assert visitor.url == f"{report}/request"
        assert "<strong>waiting</strong>" in visitor.text
        assert "disabled>Release the report" in visitor.text
        (filed,) = book.filings()
        book.decide(filed, Verdict("approved", "as agreed", 3), olga)
        visitor.get(f"{report}/request")
        assert "<strong>approved</strong> <bdi>by Olga Officer" in visitor.text
        assert "<button>Release the report" in visitor.text
        visitor.post(f"{report}/release", digest=digest_on(visitor.text))
        visitor.wait_while('http-equiv="refresh"')
        assert visitor.url == f"{report}/report"
    assert [row.people for row in book.history()] == ["asked by Anna Analyst, approved by Olga Officer"]
    assert b"secret of Anna" not in (tmp_path / "app.log").read_bytes()


def test_beside_a_guarded_account_a_report_opens_none_of_its_own(tmp_path, monkeypatch):
    folder, ledger = tmp_path / "work", tmp_path / "ledger.db"
    folder.mkdir()
    write_records(folder)
    monkeypatch.setenv("DPSPIN_LEDGER", str(ledger))
    book = open_ledger(ledger)
    book.set_budget("parcels", PrivacyLoss(9.0))
    book.name_officers("parcels", [make_key("Olga Officer").public], "four eyes")
    with running_app(folder, tmp_path / "app.log") as app:
        visitor = Visitor(app)
        report = asked_for(visitor)
        assert "officers guard <bdi>parcels</bdi> (<bdi>Olga Officer</bdi>)" in visitor.text
        visitor.post(f"{report}/release", digest=digest_on(visitor.text))
        visitor.wait_while('http-equiv="refresh"')
        assert "a release opens none" in visitor.text
    assert book.datasets() == ("parcels",)


def test_much_text_in_another_language_is_told_before_anybody_pays(tmp_path, monkeypatch):
    monkeypatch.setenv("DPSPIN_LEDGER", str(tmp_path / "ledger.db"))
    folder = tmp_path / "work"
    folder.mkdir()
    said = ["Where is my parcel? It should have come on Monday.", "Mein Paket ist seit Montag nicht angekommen."]
    rows = "".join(f'"{said[place % 2]} ({place})",u{place}\n' for place in range(300))
    (folder / "records.csv").write_text(f"words,who\n{rows}")
    with running_app(folder, tmp_path / "app.log") as app:
        visitor = Visitor(app)
        visitor.post("/reports", file="records.csv")
        report = visitor.url.rpartition("/")[0]
        visitor.post(f"{report}/data", text="0", user="1")
        visitor.wait_while("Looking at the records")
        for step, fields in (
            ("question", {"atoms": "support-tickets"}),
            ("protection", {"unit": "user", "denominator": "400", "epsilon": "5"}),
        ):
            assert visitor.post(f"{report}/{step}", **fields) == 200, visitor.text
        assert "50% of the text is not in English, and the map reads nothing else." in visitor.text
