"""kill -9 of the app in every step, two clicks, two windows: nothing is lost, and one release is charged once."""

import json
import os
import signal
import threading

import pytest

from dpspin.app.journey import journey_of
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger.ledger import Ledger
from dpspin.curator.ledger.stores import store_of
from reading_desk import TEXTS, write_records
from running_app import STEPS, Visitor, asked_for, digest_on, running_app

pytestmark = [pytest.mark.long, pytest.mark.allow_hosts(["127.0.0.1"])]
CANARY = "canary7f3a"


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "place"
    place.mkdir()
    write_records(place, texts=tuple(f"{text} {CANARY}" for text in TEXTS))
    return place


def charges():
    ledger = os.environ["DPSPIN_LEDGER"]
    return Ledger(store_of(ledger)).history() if os.path.exists(ledger) else ()  # noqa: PTH110  as it is spelled


def killed(app):
    os.kill(app.process.pid, signal.SIGKILL)
    app.process.wait()


def released(visitor, report):
    """Ask for the release by two clicks at once, then wait for it."""
    fields = {"digest": digest_on(visitor.text)}
    clicks = [threading.Thread(target=Visitor.post, args=(visitor, f"{report}/release"), kwargs=fields) for _ in "ab"]
    for click in clicks:
        click.start()
    for click in clicks:
        click.join()


def test_killed_in_every_step_nothing_is_lost_and_one_release_is_charged(folder, tmp_path, dpspin):
    log = tmp_path / "log"
    with running_app(folder, log) as app:
        Visitor(app).post("/reports", file="records.csv")
        killed(app)
    report = "/reports/records"
    for step, fields in STEPS:
        with running_app(folder, log) as app:
            visitor = Visitor(app)
            visitor.get(report + "/request")
            assert visitor.url == f"{report}/{step}"  # where it was
            visitor.post(f"{report}/{step}", **fields)
            killed(app)
    journey = journey_of(folder, "records")
    with running_app(folder, log) as app:
        visitor = Visitor(app)
        visitor.get(report + "/request")
        released(visitor, report)
        visitor.get(report + "/release")
        assert "At work" in visitor.text
        progress = json.loads((journey.private / "progress.json").read_text())
        killed(app)
    with running_app(folder, tmp_path / "last.log") as app:
        visitor = Visitor(app)
        visitor.get(report + "/release")
        assert "At work" in visitor.text  # the release outlived the app
        os.kill(progress["process"], signal.SIGKILL)
        visitor.wait_while("At work")
        assert "It was stopped" in visitor.text
        visitor.get(report + "/request")
        released(visitor, report)
        visitor.get(report + "/release")
        visitor.wait_while("At work")
        assert visitor.url == f"{report}/report"
        assert visitor.post(f"{report}/protection", **STEPS[-1][1]) == 400  # released is released
        visitor.get(report + "/report.html")
        pages = visitor.seen
    assert len(charges()) == 1
    assert (tmp_path / "last.log").read_text().splitlines()[2:] == []  # the link, and nothing else
    _same_by_the_command_line(dpspin, journey, tmp_path)
    _without_a_record(journey, pages)


def _same_by_the_command_line(dpspin, journey, tmp_path):
    """The saved request is the command line's own: the same numbers, at no cost."""
    ran = dpspin("release", journey.request_file, "--out", tmp_path / "again")
    assert ran.code == 0, ran.err
    assert "read again, at no cost" in ran.err
    plans = [place / "release" / "plan.json" for place in (journey.folder, tmp_path / "again")]
    assert plans[0].read_bytes() == plans[1].read_bytes()
    assert len(charges()) == 1


def _without_a_record(journey, pages):
    kept = [each for each in journey.room.rglob("*") if each.is_file()]
    assert len(kept) > 10
    assert [each.name for each in kept if CANARY.encode() in each.read_bytes()] == []
    assert [each for each in pages if CANARY in each] == []


def test_a_refusal_of_the_ledger_is_said_plainly_and_charges_nothing(folder, tmp_path):
    with running_app(folder, tmp_path / "log") as app:
        visitor = Visitor(app)
        report = asked_for(visitor)
        journey = journey_of(folder, report.rpartition("/")[2])
        journey.tell(account__dataset="parcels")
        Ledger(store_of(os.environ["DPSPIN_LEDGER"])).set_budget("parcels", PrivacyLoss(0.5))
        visitor.get(f"{report}/request")
        assert "epsilon 0.5 of epsilon 0.5" in visitor.text.replace("<strong>", "").replace("</strong>", "")
        visitor.post(f"{report}/release", digest="of another window")
        assert "changed in another window" in visitor.text
        visitor.post(f"{report}/release", digest=digest_on(visitor.text))
        visitor.wait_while("At work")
        assert "The ledger refused" in visitor.text
        assert "0.5" in visitor.text
    assert charges() == ()
