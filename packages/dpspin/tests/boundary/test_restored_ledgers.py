"""A copy of the ledger, made at any step and put back later: what was published is never drawn a second time.

What is published names the link of the very output that the ledger stored. So a copy that knows it has the output, and
one that would draw again does not know it. Every kind of release is asked for again over every copy.
"""

import json
import shutil
from contextlib import suppress

import pytest

from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.boundary.series import SeriesTerms
from dpspin.curator.ledger.ledger import Ledger, open_ledger
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.errors import LedgerError
from dpspin.phrasing import PhraseRequest, find
from dpspin.pipeline import run
from dpspin.request import ReleaseRequest
from dpspin.series import add_period, open_series

BEFORE, CHARGED, STOPPED, RESUMED, PUBLISHED = MOMENTS = (
    "before the charge", "after the charge", "stopped run", "after the resumption", "after publication"
)  # fmt: skip


class Desk:
    """One kind of release with its ledger and its folder."""

    def __init__(self, place):
        self.place, self.ledger, self.out = place, place / "ledger.db", place / "out"
        (place / "atoms.txt").write_text("late parcel\nrefund\napp crash\n")
        rows = (f"my parcel is late,u{user},2026-01-{1 + user % 28:02}" for user in range(60))
        (place / "records.csv").write_text("\n".join(["body,who,day", *rows]) + "\n")
        self.data, self.account = str(place / "records.csv"), {"dataset": "tickets", "ledger": str(self.ledger)}
        self.told = {"text": "body", "atoms": str(place / "atoms.txt"), "map": "paper", **self.account}
        open_ledger(self.ledger)

    def keep(self, moment):
        shutil.copy(self.ledger, self.place / f"{moment}.db")

    def put_back(self, moment):
        shutil.copy(self.place / f"{moment}.db", self.ledger)

    def released(self):
        """Return what the folder holds of the one answer; nothing where it holds none."""
        found = {file.read_bytes() for name in self.files for file in self.out.rglob(name)}
        assert len(found) <= 1
        return found


class Releases(Desk):
    """A release of a plan."""

    files = ("plan.json",)

    def ask(self):
        run(ReleaseRequest.of(self.data, unit="record", epsilon=1.0, denominator=60, **self.told), self.out)


class Phrases(Desk):
    """A release of phrases, which stays with the curator until somebody has looked at it."""

    files = ("phrases.json",)

    def ask(self):
        records = {"data": self.data, "text": "body", "unit": "record"}
        loss = {"epsilon": 4.0, "delta": 1e-4}
        asked = {"records": records, "loss": loss, "denominator": 60, "account": self.account}
        find(PhraseRequest.read(asked), self.out, lambda _: None)


class Periods(Desk):
    """A period of a series."""

    files = ("plan.json",)

    def __init__(self, place):
        super().__init__(place)
        calendar = PeriodFacet(column="day", every="month", first="2026-01", last="2026-06")
        terms = SeriesTerms(every=calendar, epsilon=1.0, lifetime_bound=2.0, per_period_bound=1.0)
        open_series(self.out, terms, user="who", **self.told)

    def ask(self):
        add_period(self.out, self.data, "2026-01")


@pytest.fixture(params=[Releases, Phrases, Periods])
def desk(request, tmp_path):
    return request.param(tmp_path)


def stop(desk, monkeypatch):
    """Ask, and stop when noise has been drawn and nothing is stored."""
    with monkeypatch.context() as patched:
        for name in ("commit", "commit_period"):
            patched.setattr(Ledger, name, lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            desk.ask()


def publish(desk, monkeypatch, moment):
    """Ask, and keep a copy of the ledger while the noise is being drawn; return what was published."""

    def keeping(name, real):
        def reserve(*asked):
            reserved = real(*asked)
            desk.keep(moment)
            return reserved

        return name, reserve

    with monkeypatch.context() as patched:
        for name in ("reserve", "reserve_period"):
            patched.setattr(Ledger, *keeping(name, getattr(Ledger, name)))
        desk.ask()
    desk.keep(PUBLISHED)
    [published] = desk.released()
    return published


def ask_over(desk, moment):
    """Put a copy back, ask again, and return what the folder holds then."""
    desk.put_back(moment)
    with suppress(LedgerError):
        desk.ask()
    return desk.released()


def draw_otherwise(monkeypatch):
    """Move what is drawn of phrases: two small counts alone come out the same again in one draw of six."""
    drawn = SecureNoise.above_threshold

    def moved(*asked):
        return {phrase: count + 1000 for phrase, count in drawn(*asked).items()}

    monkeypatch.setattr(SecureNoise, "above_threshold", moved)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_copy_of_any_moment_gives_what_was_published_or_nothing(desk, monkeypatch, moment):
    desk.keep(BEFORE)
    if moment != CHARGED:  # else a backup is made while an undisturbed run is drawing
        stop(desk, monkeypatch)
        desk.keep(STOPPED)
    published = publish(desk, monkeypatch, CHARGED if moment == CHARGED else RESUMED)
    assert ask_over(desk, moment) == {published}
    if moment != PUBLISHED:
        with pytest.raises(LedgerError, match=r"does not know \(head .* an older copy"):
            desk.ask()


@pytest.mark.parametrize("moment", MOMENTS[:-1])
def test_the_receipt_remembers_what_was_moved_away(desk, monkeypatch, moment):
    desk.keep(BEFORE)
    if moment != CHARGED:
        stop(desk, monkeypatch)
        desk.keep(STOPPED)
    publish(desk, monkeypatch, CHARGED if moment == CHARGED else RESUMED)
    for file in (*desk.out.rglob("plan.json"), *desk.out.rglob("phrases.json")):
        file.unlink()
    assert ask_over(desk, moment) == set()


def test_the_receipt_remembers_a_release_that_another_one_of_the_folder_has_replaced(tmp_path, monkeypatch):
    desk = Releases(tmp_path)
    open_ledger(desk.ledger).set_budget("tickets", PrivacyLoss(5.0))
    desk.ask()
    [first] = desk.released()
    desk.told["snapshot"] = "second"
    publish(desk, monkeypatch, CHARGED)
    del desk.told["snapshot"]
    desk.ask()  # for free: the folder holds the first again
    assert desk.released() == {first}
    desk.told["snapshot"] = "second"
    assert ask_over(desk, CHARGED) == {first}


def test_every_published_head_is_the_link_of_an_output(desk, monkeypatch):
    stop(desk, monkeypatch)
    desk.keep(STOPPED)
    head = json.loads(publish(desk, monkeypatch, RESUMED))["account"]["head"]
    known = [open_ledger(desk.place / f"{moment}.db").verify(head).holds for moment in (STOPPED, RESUMED, PUBLISHED)]
    assert known == [False, False, True]


def test_a_copy_of_everything_with_the_folder_is_not_noticed_here_but_by_what_was_published(desk, monkeypatch):
    """The limit that the page on the ledger names: nothing that is left could tell. A reader's copy of the plan can."""
    stop(desk, monkeypatch)
    desk.keep(STOPPED)
    shutil.copytree(desk.out, desk.place / "copy") if desk.out.exists() else (desk.place / "copy").mkdir()
    published = publish(desk, monkeypatch, RESUMED)
    shutil.rmtree(desk.out)
    shutil.move(desk.place / "copy", desk.out)
    with monkeypatch.context() as patched:
        draw_otherwise(patched)
        [again] = ask_over(desk, STOPPED)
    assert json.loads(again) != json.loads(published)
    assert not open_ledger(desk.ledger).verify(json.loads(published)["account"]["head"]).holds
