"""The library in the app: the folder's own releases, by the reader's pages, and what was paid for them."""

import re
from decimal import Decimal
from importlib.resources import files

import pytest

from asking_sites import HOST, get
from dpspin.app import library_page
from dpspin.app.private_work import budgets
from dpspin.app.start import BORROWS, PLACES
from dpspin.app.workplace import Workplace
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger import open_ledger
from dpspin.web.server import build_server
from dpspin.web.site import Site
from reading_rooms import put, titled
from shop_plans import MASSES, shop


@pytest.fixture
def site(tmp_path):
    put(tmp_path / "dpspin-app" / "tickets" / "release", titled("Made in the app"))
    (tmp_path / "dpspin-app" / "tickets" / "curator").mkdir()
    put(tmp_path / "march" / "release", titled("Made at the terminal", shop([*MASSES[:2], 400.0, *MASSES[3:]])))
    (tmp_path / "records.csv").write_text("text\nsecret words\n")
    place = Workplace(tmp_path)
    return build_server(
        library_page.routes(place), Site("DP-SPIN", "dpspin.app", places=PLACES, borrows=BORROWS), [HOST]
    )


def test_releases_of_the_app_and_of_the_command_line_are_on_one_shelf(site):
    shelf = get(site, "/library").text
    assert "Made in the app" in shelf
    assert "Made at the terminal" in shelf
    assert 'href="/library/release/tickets"' in shelf
    assert "secret words" not in shelf


def test_they_are_read_asked_and_compared_under_the_library(site):
    assert 'href="/library/report/tickets"' in get(site, "/library/release/tickets").text
    assert "“Late delivery”" in get(site, "/library/release/march?question=late%20delivery").text
    assert get(site, "/library/report/march").status == 200
    assert get(site, "/library/compare?a=march&b=tickets").status == 200


@pytest.mark.parametrize("name", ["../march", "dpspin-app/tickets", "tickets/curator", "dpspin-app", "march/release/x"])
def test_no_path_leads_elsewhere(site, name):
    assert get(site, f"/library/release/{name}").status == 404


def test_budgets_are_told_with_their_history(tmp_path):
    assert budgets() == ()
    book = open_ledger()
    book.set_budget("tickets", PrivacyLoss(3.0), "decided in March")
    (account,) = budgets()
    assert (account.dataset, account.charges) == ("tickets", ())
    assert Decimal(account.cap.split()[-1]) == 3


def test_the_borrowed_sheet_styles_no_class_of_the_app():
    app, borrowed = (
        set(re.findall(r"^\.([a-z-]+)", (files(house) / "assets" / sheet).read_text(encoding="utf-8"), re.MULTILINE))
        for house, sheet in (("dpspin.app", "app.css"), ("dpspin.reader", "reading.css"))
    )
    assert app
    assert borrowed
    assert not app & borrowed
