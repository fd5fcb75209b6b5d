"""Generated corpora, and the same request measured here and by Spark, in one session or on a cluster."""

from dataclasses import dataclass
from random import Random  # noqa: TID251  nothing here draws noise

import pyarrow as pa
import pyarrow.parquet as pq

from dpspin.boundary.accounting import Window
from dpspin.boundary.atoms import Atom
from dpspin.pipeline import UNATTENDED, _measured
from dpspin.request import ReleaseRequest
from factories import universe_of

ATOMS = universe_of(
    [
        Atom(id=1, label="late parcel", examples=("my parcel came too late", "the delivery is late again", "so late!")),
        Atom(id=2, label="app crash", examples=("the app crashed today", "it crashes when I log in", "another crash")),
        Atom(id=3, label="slow refund", examples=("where is my refund", "the refund takes for ever", "no refund yet")),
        Atom(id=4, label="rude staff", examples=("the staff was rude", "nobody there was friendly", "how rude")),
    ]
)
CANDIDATES = universe_of(
    [
        Atom(
            id=1, label="gift card", examples=("my gift card is refused", "the gift card fails", "an empty gift card")
        ),
        Atom(id=2, label="loud music", examples=("the music is too loud", "loud music all night", "turn it down")),
    ]
)
WORDS = ("parcel", "late", "app", "crash", "refund", "slow", "staff", "rude", "gift", "music", "the", "my", "is", "not")
OTHER_WORDS = ("café", "müde", "наша", "包裹", "🙂", "again!")
FRENCH = "le colis est arrivé trop tard et personne ne répond au téléphone depuis une semaine"
ASKED = {"atoms": ATOMS, "text": "body", "epsilon": 4, "denominator": 300, "dataset": "shop", "snapshot": "v1"}
PARTS = (1, 2, 5)
SAID = ("the parcel is late", "an app crash", "my refund is slow", "thanks")
TABLE = pa.table(
    {"who": [f"u{number % 30}" for number in range(400)], "body": [SAID[number % 4] for number in range(400)]}
)
UNITS = {
    "record": {**ASKED, "map": "paper", "unit": "record"},
    "user": {**ASKED, "map": "paper", "unit": "user", "user": "who"},
}


@dataclass(frozen=True)
class Case:
    """One generated corpus, and what is asked of it."""

    seed: int

    @property
    def chance(self):
        return Random(self.seed)

    @property
    def parts(self):
        return self.chance.choice(PARTS)

    def table(self):
        chance = self.chance
        rows = [self._row(chance) for _ in range(chance.choice((0, 1, 7, 60, 300)))]
        names = ("who", "body", "channel", "day", "week")
        return pa.table({name: pa.array([row[place] for row in rows], pa.string()) for place, name in enumerate(names)})

    @staticmethod
    def _row(chance):
        who = chance.choice([None, "hot", "hot", f"u{chance.randrange(30)}", " u1 ", ""])
        text = " ".join(chance.choices((*WORDS, *OTHER_WORDS), k=chance.randrange(12)))
        body = chance.choice([text, text, text, FRENCH, None, f"{text}. {text}!"])
        day, week = f"2026-0{chance.randrange(1, 5)}-11", chance.choice(["W05", "W05", "W06", None])
        return who, body, chance.choice(["app", "web", "fax", None]), day, week

    def fields(self):
        """Return what is asked, of every kind that both engines answer."""
        chance = self.chance
        user = self.seed % 2 == 1
        prevalence = chance.random() < 0.3
        unit = {"kind": "user", "missing": chance.choice(("drop", "own_unit")), "bound": chance.choice((0.5, 1, 2.5))}
        if prevalence:
            unit.pop("bound")
        views = chance.choice(
            ([], ["channel=app,web"], ["channel=app,web", "day=month:2026-01..2026-03"], ["language:en,fr"])
        )
        return {
            **ASKED,
            **({"unit": unit, "user": "who"} if user else {"unit": "record"}),
            "adjacency": chance.choice(("add_drop", "replace")),
            "quantity": "prevalence" if prevalence else "mass",
            "map": chance.choice(("paper", "hybrid")),
            "views": views,
            **({"examples": True} if chance.random() < 0.3 else {}),
            **({"candidates": CANDIDATES} if chance.random() < 0.3 and not prevalence else {}),
            **({"window": Window("week", "W05")} if chance.random() < 0.3 else {}),
        }


def require_equal(spark, folder, case):
    """Refuse a difference between what Spark and the local engine measure; return both sources."""
    table, fields = case.table(), case.fields()
    here, there = source_of(table, fields), source_of(on_spark(spark, table, folder / "data", case.parts), fields)
    assert there.origin == here.origin, case
    assert numbers_of(there.measure()) == numbers_of(here.measure()), case
    return here, there


def source_of(data, fields):
    """Return what a release would measure, with its map fitted."""
    request = ReleaseRequest.of(data, **fields)
    return _measured(request, request.dictionary(), None, UNATTENDED)[0]


def on_spark(spark, table, folder, parts):
    """Write a table as so many Parquet files, and let Spark read them."""
    folder.mkdir(parents=True)
    for part in range(parts):
        every = pa.array(range(part, table.num_rows, parts), pa.int64())
        pq.write_table(table.take(every), folder / f"{part}.parquet")
    return spark.read.parquet(str(folder))


def numbers_of(measured):
    """Return all that was measured, to be compared."""
    sketch, seen = measured
    counts = (seen.records, seen.without_text, seen.without_atom, seen.not_read)
    return [sketch.ticks.tolist(), [view.tolist() for view in sketch.views], sketch.units, counts]
