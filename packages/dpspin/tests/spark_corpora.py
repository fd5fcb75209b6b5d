"""Generated corpora, and the same request measured here, in sketch files and by Spark, in a session or on a cluster."""

from dataclasses import dataclass, replace
from random import Random  # noqa: TID251  nothing here draws noise

import pyarrow as pa
import pyarrow.parquet as pq

from dpspin.boundary.accounting import Window
from dpspin.boundary.atoms import Atom
from dpspin.curator.aggregate.pseudonyms import KEY_BYTES, Pseudonyms
from dpspin.curator.aggregate.shards import open_shards, sketch_shard
from dpspin.curator.records.corpus import open_corpus
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
SIZES = (0, 1, 30, 300, 300, 300, 1000, 1000)
VIEWS = ((), ("channel=app,web",), ("channel=app,web", "day=month:2026-01..2026-03"), ("language:en,fr",))
A_FILE_EACH = {"spark.sql.files.openCostInBytes": str(2**27)}  # so that Spark reads each in a partition of its own
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
    copies: int = 1  # of all rows, by other users each

    def chance(self, choice):
        """Return coins for one choice: those of another choice do not know them."""
        return Random(f"{self.seed}: {choice}")

    @property
    def parts(self):
        """In how many files Spark finds it; copies are in one, so that one task has them all."""
        return self.chance("parts").choice(PARTS) if self.copies == 1 else 1

    @property
    def shards(self):
        """In how many sketch files it is measured."""
        return self.chance("shards").choice(PARTS)

    @property
    def size(self):
        return self.chance("size").choice(SIZES)

    def table(self):
        chance = self.chance("rows")
        rows = [self._row(chance) for _ in range(self.size)]
        names = ("who", "body", "channel", "day", "week")
        table = pa.table({name: pa.array([row[at] for row in rows], pa.string()) for at, name in enumerate(names)})
        return table if self.copies == 1 else pa.concat_tables(by_others(table, copy) for copy in range(self.copies))

    @staticmethod
    def _row(chance):
        who = chance.choice([None, "hot", "hot", f"u{chance.randrange(30)}", f"v{chance.randrange(400)}", " u1 ", ""])
        text = " ".join(chance.choices((*WORDS, *OTHER_WORDS), k=chance.randrange(12)))
        body = chance.choice([text, text, text, FRENCH, None, f"{text}. {text}!"])
        day, week = f"2026-0{chance.randrange(1, 5)}-11", chance.choice(["W05", "W05", "W06", None])
        return who, body, chance.choice(["app", "web", "fax", None]), day, week

    def fields(self):
        """Return what is asked, of every kind that both engines answer."""
        user, prevalence = self.seed % 2 == 1, self._is("prevalence", 0.4)
        unit = {"kind": "user", "missing": self.chance("missing").choice(("drop", "own_unit"))}
        if not prevalence:
            unit["bound"] = self.chance("bound").choice((0.5, 1, 2.5))
        return {
            **ASKED,
            **({"unit": unit, "user": "who"} if user else {"unit": "record"}),
            "adjacency": self.chance("adjacency").choice(("add_drop", "replace")),
            "quantity": "prevalence" if prevalence else "mass",
            "map": self.chance("map").choice(("paper", "hybrid")),
            "views": list(self.chance("views").choice(VIEWS)),
            **({"examples": True} if self._is("examples") else {}),
            **({"candidates": CANDIDATES} if self._is("candidates") and not prevalence else {}),
            **({"window": Window("week", "W05")} if self._is("window") else {}),
        }

    def kinds(self):
        """Name what this is a case of, to show that everything was tried, and with everything else."""
        fields = self.fields()
        views = "+".join(view.partition("=")[0].partition(":")[0] for view in fields["views"])
        return {
            "size": self.size,
            "parts": self.parts,
            "shards": 0 if "window" in fields else self.shards,
            "unit": "user" if "user" in fields else "record",
            **{name: fields[name] for name in ("adjacency", "quantity", "map")},
            "views": views or "none",
            **{name: name in fields for name in ("examples", "candidates", "window")},
        }

    def _is(self, choice, share=0.3):
        return self.chance(choice).random() < share


def by_others(table, copy):
    """Return the same rows by users of this copy's own; the hot one has rows in all of them."""
    who = table["who"].to_pylist()
    others = [user if user in {None, "hot"} else f"{user}-{copy}" for user in who]
    return table.set_column(0, "who", pa.array(others, pa.string()))


def require_equal(spark, folder, case):
    """Refuse a difference between what Spark, the local engine and sketch files measure; return the first two."""
    table, fields = case.table(), case.fields()
    here, there = source_of(table, fields), source_of(on_spark(spark, table, folder / "data", case.parts), fields)
    assert there.origin == here.origin, case
    expected = numbers_of(here.measure())
    assert numbers_of(there.measure()) == expected, case
    if "window" not in fields:  # a sketch file is of all its records
        assert numbers_of(sketched(here, table, folder, case.shards).measure()) == expected, case
    return here, there


def sketched(whole, table, folder, parts):
    """Sketch each part of a table apart; return the files together."""
    files = [folder / f"{part}.sketch" for part in range(parts)]
    for part, file in enumerate(files):
        corpus = open_corpus(part_of(table, part, parts), whole.columns, whole.policy)
        sketch_shard(file, replace(whole, corpus=corpus), pseudonyms=Pseudonyms(bytes(KEY_BYTES)))
    return open_shards(files)


def part_of(table, part, parts):
    """Return every so manyth row, so that users are in several parts."""
    return table.take(pa.array(range(part, table.num_rows, parts), pa.int64()))


def source_of(data, fields):
    """Return what a release would measure, with its map fitted."""
    request = ReleaseRequest.of(data, **fields)
    return _measured(request, request.dictionary(), None, UNATTENDED)[0]


def on_spark(spark, table, folder, parts):
    """Write a table as so many Parquet files, and let Spark read them."""
    folder.mkdir(parents=True)
    for part in range(parts):
        pq.write_table(part_of(table, part, parts), folder / f"{part}.parquet")
    return spark.read.parquet(str(folder))


def numbers_of(measured):
    """Return all that was measured, to be compared."""
    sketch, seen = measured
    counts = (seen.records, seen.without_text, seen.without_atom, seen.not_read)
    return [sketch.ticks.tolist(), [view.tolist() for view in sketch.views], sketch.units, counts]
