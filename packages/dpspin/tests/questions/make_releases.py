"""Make the ten releases that the questions are about: generated records, the real pipeline, noise of the system.

Their plans are kept beside this file, because what a release can say depends on the noise that was drawn. Run this only
when plans of that format can no longer be read, and then look at every question again: ``python make_releases.py``.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv

from dpspin import pipeline
from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.safe_files import write_whole
from dpspin.boundary.series import SeriesTerms
from dpspin.demo.synthetic import generate_tickets
from dpspin.public.atoms import packs
from dpspin.request import ReleaseRequest
from dpspin.sampling import sample
from dpspin.series import add_period, open_series

KEPT = Path(__file__).parent / "releases"
RECORDS, MONTHS = 8_000, ("2026-01", "2026-02", "2026-03", "2026-04")
CALENDAR = PeriodFacet(column="created", every="month", first="2026-01", last="2026-06")


def from_examples(pack, seed, **columns):
    """Write records with the examples of a pack; in the first value of each column every seventh theme is larger."""
    atoms, draw = packs.load(pack).atoms, np.random.default_rng(seed)  # noqa: TID251  generated records
    usual = (draw.permutation(len(atoms)) + 2.0) ** -0.9
    rows = {name: draw.choice(values, RECORDS).tolist() for name, values in columns.items()}
    texts = []
    for at in range(RECORDS):
        led = usual.copy()
        for place, (name, values) in enumerate(columns.items()):
            led[place::7] *= 4.0 if rows[name][at] == values[0] else 1.0
        atom = atoms[draw.choice(len(atoms), p=led / led.sum())]
        texts.append(str(draw.choice(atom.examples)))
    writers = [f"u{number}" for number in draw.integers(0, RECORDS, RECORDS)]
    return pa.table({"text": texts, "writer": writers, **rows})


def months_of_tickets(seed):
    """Write tickets of four months; from the third on, the themes of a later place in the dictionary are larger."""
    pack, tables = packs.load("support-tickets"), []
    for at, month in enumerate(MONTHS):
        shares = {atom: 1.0 + (12.0 if at > 1 and place == 20 else 0.0) for place, atom in enumerate(pack.ids)}
        made = generate_tickets(RECORDS // 4, seed + at, shares=shares).records
        users = [f"{month}-{user}" for user in made["user_id"].to_pylist()]
        days = [f"{month}-{1 + place % 28:02}" for place in range(len(made))]
        tables.append(pa.table({"text": made["text"], "user_id": users, "created": days}))
    return pa.concat_tables(tables)


def written(scratch, name, table):
    """Write records to a file of their own."""
    csv.write_csv(table, scratch / f"{name}.csv")
    return str(scratch / f"{name}.csv")


def made(scratch, name, table, **asked):
    """Release, and keep the plan, unless it is kept already."""
    if (KEPT / name).exists():
        return
    data = written(scratch, name, table)
    about = {"text": "text", "map": "cues", "ledger": str(scratch / f"{name}.db"), "date": "2026-11-02"}
    request = ReleaseRequest.of(data, **about | asked, dataset=name)
    keep(name, pipeline.run(request).plan)


def keep(name, plan):
    """Write a plan where the tests find it."""
    (KEPT / name).mkdir(parents=True, exist_ok=True)
    write_whole(KEPT / name / "plan.json", plan.to_json().encode())
    print(name, len(plan.entries), "themes listed", file=sys.stderr)  # noqa: T201


def made_grounded(scratch):
    """Release tickets of which a sample was read; the reader files what the generator meant."""
    tickets = generate_tickets(RECORDS // 2, 7)
    data = written(scratch, "support-read", tickets.records)
    fields = {"atoms": "support-tickets", "text": "text", "unit": "record", "map": "cues", "denominator": RECORDS // 2}
    place = {"dataset": "support-read", "ledger": str(scratch / "read.db")}
    drawn = sample(data, read=800, out=scratch / "reading", **fields, **place)
    labels = {atom.id: atom.label for atom in tickets.universe.atoms}
    meant = {}
    for row in tickets.truth.to_pylist():
        meant.setdefault(row["ticket_id"], []).append(labels[row["atom_id"]])
    by_text = {row["text"]: meant.get(row["ticket_id"], []) for row in tickets.records.to_pylist()}
    for record in drawn.records():
        drawn.read(record.id, "; ".join(by_text.get(record.text, [])) or "none")
    titled = {"title": "Support tickets, with a sample that was read", "date": "2026-11-02"}
    keep(
        "support-read",
        pipeline.run(ReleaseRequest.of(data, epsilon=4, reading=drawn.path, **fields, **place, **titled)).plan,
    )


def made_series(scratch):
    """Release four months of a series, and keep its index and their plans."""
    terms = SeriesTerms(every=CALENDAR, epsilon=4.0, lifetime_bound=2.0, per_period_bound=1.0)
    fields = {"atoms": "support-tickets", "text": "text", "user": "user_id", "map": "cues", "dataset": "support-months"}
    folder = scratch / "series"
    open_series(folder, terms, title="Support, month by month", ledger=str(scratch / "months.db"), **fields)
    data = written(scratch, "support-months", months_of_tickets(40))
    for month in MONTHS:
        keep(f"support-months/{month}", add_period(folder, data, month).plan)
    shutil.copy(folder / "release" / "series.json", KEPT / "support-months")


def main(scratch):
    """Make all ten."""
    user = {"unit": "user", "user": "user_id"}
    tickets = generate_tickets(RECORDS, 1).records
    made(
        scratch,
        "support",
        tickets,
        atoms="support-tickets",
        **user,
        quantity="prevalence",
        epsilon=1,
        denominator=RECORDS // 2,
        title="What customers wrote to support",
        period="2025",
    )
    made(
        scratch,
        "support-channels",
        tickets,
        atoms="support-tickets",
        unit="record",
        epsilon=2,
        denominator=RECORDS,
        views=["channel=email,form,chat,app"],
        title="Support tickets by channel",
    )
    writer = {"unit": "user", "user": "writer"}
    bank = from_examples("bank-complaints", 2)
    made(
        scratch,
        "bank",
        bank,
        atoms="bank-complaints",
        unit="record",
        mechanism="gaussian",
        epsilon=1,
        delta=1e-6,
        denominator=RECORDS,
        title="Complaints about a bank",
        period="spring 2026",
    )
    staff = from_examples("employee-survey", 3, department=("sales", "research", "warehouse"))
    made(
        scratch,
        "survey",
        staff,
        atoms="employee-survey",
        **writer,
        epsilon=3,
        denominator=RECORDS,
        views=["department=sales,research,warehouse"],
        title="What employees wrote",
    )
    meals = from_examples("restaurant-reviews", 4)
    made(
        scratch,
        "restaurants",
        meals,
        atoms="restaurant-reviews",
        unit="record",
        mechanism="private_topL",
        epsilon=2,
        delta=1e-6,
        denominator=RECORDS,
        title="Reviews of restaurants",
    )
    goods = from_examples("product-reviews", 5)
    made(
        scratch,
        "products",
        goods,
        atoms="product-reviews",
        unit="record",
        mechanism="set_em",
        epsilon=2,
        denominator=RECORDS,
        size=6,
        title="Reviews of products",
    )
    apps = from_examples("app-reviews", 6, month=MONTHS)
    apps = apps.append_column("day", pa.array([f"{month}-15" for month in apps["month"].to_pylist()]))
    made(
        scratch,
        "apps",
        apps,
        atoms="app-reviews",
        unit="record",
        epsilon=3,
        denominator="total",
        views=["day=month:2026-01..2026-04"],
        title="Reviews of an app",
    )
    chats = from_examples("assistant-chats", 8)
    made(
        scratch,
        "chats",
        chats,
        atoms="assistant-chats",
        **writer,
        quantity="prevalence",
        epsilon=1,
        denominator={"share": 0.1},
        title="What people asked an assistant",
    )
    made_grounded(scratch)
    made_series(scratch)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        main(Path(place))
