"""The paper's three data sets with the sizes of its protocols."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from dpspin.boundary.atoms import AtomUniverse
from dpspin.errors import RequestError
from dpspin_lab.datasets import amazon, cfpb, phrases, yelp
from dpspin_lab.datasets.amazon import read_beauty
from dpspin_lab.datasets.cfpb import NEW_ERA, read_complaints
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.public_files import found
from dpspin_lab.datasets.split import median_day
from dpspin_lab.datasets.yelp import read_restaurants

Unit = Literal["record", "user"]


@dataclass(frozen=True, slots=True)
class DatasetKind:
    """How a data set is read, what it can protect, and the sizes that the paper ran it with."""

    name: str
    title: str
    read: Callable[[Path], Corpus]
    files: tuple[Sequence[str], ...]  # of each that is needed, the names it may have
    where: str  # they come from
    units: tuple[Unit, ...]
    category_field: str  # what the categories are called in the paper's histogram baseline
    label_separator: str | None  # between the labels in a path, where it holds several
    user_id_field: str | None
    m: tuple[int, ...]  # sizes of the dictionary in the main experiments
    m_ablation: tuple[int, ...]
    n_records: int
    n_users: int | None
    bounds: tuple[float, ...]  # the paper's B in the main user-level experiments
    bounds_ablation: tuple[float, ...]
    new_era: str | None = None  # the day of the split by time; None is the median day of the records
    labelled: bool = False  # whether a record's path is the atom it is about, so that the truth is known
    written: Callable[[], AtomUniverse] | None = None  # a dictionary with examples, from which a map can learn

    def require_files(self, data: Path) -> None:
        """Refuse a folder without the files, before anything long begins."""
        for names in self.files:
            found(data / self.name, names, self.where)

    def day_of(self, corpus: Corpus) -> str:
        """Return the day of the split by time: what is older is learned from, the rest protected."""
        return self.new_era or median_day(corpus)


CFPB: Final = DatasetKind(
    name="cfpb",
    title="CFPB consumer complaints",
    read=read_complaints,
    files=(cfpb.FILES,),
    where=cfpb.WHERE,
    units=("record",),
    category_field="Issue",
    label_separator=None,
    user_id_field=None,
    m=(50, 100, 200),
    m_ablation=(),
    n_records=1000,
    n_users=None,
    bounds=(),
    bounds_ablation=(),
    new_era=NEW_ERA,
    labelled=True,
)
AMAZON: Final = DatasetKind(
    name="amazon",
    title="Amazon Reviews 2023, All_Beauty",
    read=read_beauty,
    files=(amazon.FILES,),
    where=amazon.WHERE,
    units=("record", "user"),
    category_field="rating_bin",
    label_separator=None,
    user_id_field="user_id",
    m=(46,),
    m_ablation=(),
    n_records=10_000,
    n_users=5000,
    bounds=(1.0, 2.0),
    bounds_ablation=(5.0,),
    written=partial(phrases.dictionary, phrases.AMAZON),
)
YELP: Final = DatasetKind(
    name="yelp",
    title="Yelp Restaurants",
    read=read_restaurants,
    files=(yelp.REVIEWS, yelp.BUSINESSES),
    where=yelp.WHERE,
    units=("record", "user"),
    category_field="rating_bin",
    label_separator=", ",
    user_id_field="user_id",
    m=(50, 100),
    m_ablation=(200,),
    n_records=10_000,
    n_users=5000,
    bounds=(1.0, 2.0),
    bounds_ablation=(5.0,),
    written=partial(phrases.dictionary, phrases.YELP),
)
DATASETS: Final[Mapping[str, DatasetKind]] = MappingProxyType({kind.name: kind for kind in (CFPB, AMAZON, YELP)})


def dataset(name: str) -> DatasetKind:
    """Return a data set by its name."""
    if name not in DATASETS:
        raise RequestError(f"there is no data set {name!r}; there are {', '.join(DATASETS)}")
    return DATASETS[name]
