"""The paper's three data sets with the sizes of its protocols."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from dpspin.boundary.atoms import AtomUniverse
from dpspin.errors import RequestError
from dpspin_lab.datasets import cfpb, phrase_labels, reviews
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.public_files import found
from dpspin_lab.datasets.split import median_day

Unit = Literal["record", "user"]


@dataclass(frozen=True, slots=True)
class DatasetKind:
    """How a data set is read, what it can protect, and the sizes that the paper ran it with."""

    name: str
    title: str
    read: Callable[[Path], Corpus]
    files: tuple[Sequence[str], ...]  # of each that is needed, the names it may have
    where: str  # they come from
    category_field: str  # what the categories are called in the paper's histogram baseline
    m: tuple[int, ...]  # sizes of the dictionary in the main experiments
    n_records: int
    m_ablation: tuple[int, ...] = ()
    n_users: int | None = None
    user_id_field: str | None = None
    bounds: tuple[float, ...] = ()  # the paper's B in the main user-level experiments
    bounds_ablation: tuple[float, ...] = ()
    label_separator: str | None = None  # between the labels in a path, where it holds several
    new_era: str | None = None  # the day of the split by time; None is the median day of the records
    labelled: bool = False  # whether a record's path is the atom it is about, so that the truth is known
    written: Callable[[], AtomUniverse] | None = None  # a dictionary with examples, from which a map can learn
    published: Callable[[], AtomUniverse] | None = None  # the labels of the paper's own dictionary, and nothing else

    @property
    def units(self) -> tuple[Unit, ...]:
        """What it can protect: users only where it names them."""
        return ("record",) if self.user_id_field is None else ("record", "user")

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
    read=cfpb.read_complaints,
    files=(cfpb.FILES,),
    where=cfpb.WHERE,
    category_field="Issue",
    m=(50, 100, 200),
    n_records=1000,
    new_era=cfpb.NEW_ERA,
    labelled=True,
)
AMAZON: Final = DatasetKind(
    name="amazon",
    title="Amazon Reviews 2023, All_Beauty",
    read=reviews.read_beauty,
    files=(reviews.BEAUTY,),
    where=reviews.WHERE_BEAUTY,
    category_field="rating_bin",
    user_id_field="user_id",
    m=(46,),
    n_records=10_000,
    n_users=5000,
    bounds=(1.0, 2.0),
    bounds_ablation=(5.0,),
    written=partial(phrase_labels.dictionary, phrase_labels.AMAZON),
    published=partial(phrase_labels.published, phrase_labels.AMAZON),
)
YELP: Final = DatasetKind(
    name="yelp",
    title="Yelp Restaurants",
    read=reviews.read_restaurants,
    files=(reviews.REVIEWS, reviews.BUSINESSES),
    where=reviews.WHERE_YELP,
    category_field="rating_bin",
    label_separator=", ",
    user_id_field="user_id",
    m=(50, 100),
    m_ablation=(200,),
    n_records=10_000,
    n_users=5000,
    bounds=(1.0, 2.0),
    bounds_ablation=(5.0,),
    written=partial(phrase_labels.dictionary, phrase_labels.YELP),
    published=partial(phrase_labels.published, phrase_labels.YELP),
)
DATASETS: Final[Mapping[str, DatasetKind]] = MappingProxyType({kind.name: kind for kind in (CFPB, AMAZON, YELP)})


def dataset(name: str) -> DatasetKind:
    """Return a data set by its name."""
    if name not in DATASETS:
        raise RequestError(f"there is no data set {name!r}; there are {', '.join(DATASETS)}")
    return DATASETS[name]
