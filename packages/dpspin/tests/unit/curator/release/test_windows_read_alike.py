"""Windows compose in parallel because a record is in one of them: however it is read, it must not be in two."""

import csv

import pandas as pd
import pytest

import dpspin
from dpspin.boundary.accounting import Window
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.errors import LedgerError, RequestError

ATOMS = dpspin.AtomUniverse(
    name="two",
    version="1",
    provenance={"source": "handwritten", "note": "for a test"},
    atoms=({"id": 0, "label": "late parcel"}, {"id": 1, "label": "rude staff"}),
)
ROWS = [(month, f"letter {n} on a late parcel, für {month}") for n, month in enumerate(["März", "Mai"] * 60)]


def written(path, rows, encoding="utf-8"):
    with path.open("w", newline="", encoding=encoding) as file:
        csv.writer(file).writerows([("month", "text"), *rows])
    return path


@pytest.fixture
def ledger(tmp_path):
    open_ledger(tmp_path / "ledger.db").set_budget("letters", dpspin.PrivacyLoss(1.0), partition="month")
    return tmp_path / "ledger.db"


def asked(data, ledger, window=None, dataset="letters", **how):
    return dpspin.release(
        data,
        text="text",
        atoms=ATOMS,
        unit=dpspin.RecordUnit(),
        loss=dpspin.PrivacyLoss(1.0),
        denominator=100,
        map=dpspin.Recipe(dpspin.MapKind.PAPER),
        window=None if window is None else Window("month", window),
        ledger=ledger,
        dataset=dataset,
        **how,
    )


def test_a_window_read_by_another_encoding_is_refused(tmp_path, ledger):
    path = written(tmp_path / "letters.csv", ROWS)
    asked(path, ledger, "März")
    with pytest.raises(RequestError, match="one record could then be in two windows"):
        asked(path, ledger, "MÃ¤rz", dialect=dpspin.Dialect(encoding="latin-1"))
    assert len(open_ledger(ledger).history()) == 1
    asked(path, ledger, "Mai")


def test_records_that_are_known_as_another_window_are_refused(tmp_path, ledger):
    frame = pd.DataFrame(ROWS, columns=["month", "text"])
    asked(frame.assign(month=frame.month == "Mai"), ledger, "true", snapshot="a")
    with pytest.raises(RequestError, match="is known as window 'true'"):
        asked(frame.assign(month=(frame.month == "Mai").astype(str)), ledger, "True", snapshot="b")
    assert len(open_ledger(ledger).history()) == 1


def test_a_near_copy_read_by_another_encoding_is_known(tmp_path, ledger):
    asked(written(tmp_path / "a.csv", ROWS), ledger, dataset="a")
    copy = written(tmp_path / "b.csv", ROWS[:-1])
    for how in ({}, {"dialect": dpspin.Dialect(encoding="latin-1")}):
        with pytest.raises(LedgerError, match="known to this ledger as dataset 'a'"):
            asked(copy, ledger, dataset="b", **how)
