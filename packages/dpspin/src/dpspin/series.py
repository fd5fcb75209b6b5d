"""A series, whole: open a life, add its periods, renew it. One folder holds what is published and what is not.

``FOLDER/release`` has an index and an ordinary release folder for each period; ``FOLDER/curator`` has what was declared
and the allowances. The ledger knows which periods there are: both folders follow from it and from what was declared.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import Field

from dpspin.approvable import SERIES, without_place, written
from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import FrozenModel, explained_as
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.boundary.request_terms import placed
from dpspin.boundary.safe_files import (
    date_folder_to_the_day,
    make_private_folder,
    read_plain_text,
    today,
    write_private,
    write_published,
)
from dpspin.boundary.series import INDEX, SeriesIndex, SeriesPeriod, SeriesStep, SeriesTerms
from dpspin.boundary.signing import SigningKey
from dpspin.boundary.strict_yaml import YamlMistake, parse_yaml
from dpspin.curator.aggregate.local import Records
from dpspin.curator.assign.chosen_map import LanguageModelMap
from dpspin.curator.ledger.charges import Charge
from dpspin.curator.ledger.filings import Filed
from dpspin.curator.ledger.ledger import Ledger, open_ledger
from dpspin.curator.records.columns import Dated
from dpspin.curator.records.corpus import ProtectedCorpus, open_corpus
from dpspin.curator.release.answer_request import Answer, ResolvedRequest
from dpspin.curator.release.curator_folder import (
    DECLARED,
    RECEIPT,
    heads_in,
    require_writable,
    write_approved,
    write_receipt,
)
from dpspin.curator.release.measurement import Measurement
from dpspin.curator.release.series_period import StateFolder, answer_period, open_life
from dpspin.errors import InputError, RequestError
from dpspin.pipeline import spec_of
from dpspin.public.report.folder import write_release
from dpspin.public.series.series import write_series
from dpspin.request import KEYWORDS, ReleaseRequest

SETTLED: Final = {"records.data", "records.unit", "records.unit.bound", "loss.epsilon", "loss.delta", "denominator"}
NO_DATA: Final = ""  # stands in a request for records that come with each period


class Declared(FrozenModel):
    """What a series is, as its curator keeps it: the request without its records, and the terms of every life."""

    request: dict[str, Any]
    lives: tuple[SeriesTerms, ...] = Field(min_length=1)

    @property
    def terms(self) -> SeriesTerms:
        """The terms of the newest life."""
        return self.lives[-1]

    def asked(self, data: object = NO_DATA) -> ReleaseRequest:
        """Return the request about some records."""
        return ReleaseRequest.read({**self.request, "records": {**self.request.get("records", {}), "data": data}})


@dataclass(frozen=True)
class Series:
    """A series in its folder, with dictionary and map at hand for the records of a period, or for nobody's."""

    folder: Path
    declared: Declared
    data: object = NO_DATA
    periods: frozenset[str] = frozenset()

    @cached_property
    def request(self) -> ReleaseRequest:
        """What was declared, about these records."""
        return self.declared.asked(self.data)

    @cached_property
    def atoms(self) -> AtomUniverse:
        """The dictionary."""
        return self.request.dictionary()

    @cached_property
    def records(self) -> Records:
        """The records of the periods, each by its own date alone; the map is fitted, and none of them is read yet."""
        measured = self.request.records
        assert isinstance(measured, Measurement)  # noqa: S101  a request that names data is about records
        if isinstance(measured.map, LanguageModelMap):
            raise RequestError(
                "a model's answers are kept, so that one person's text would settle for a whole life how an equal text "
                "of another is read: choose a map that is fitted (`records.map`)",
                code="request.series-model",
                field="records.map",
            )
        columns = replace(measured.columns, dated=Dated(self.declared.terms.every, self.periods))
        if self.data == NO_DATA:
            corpus = ProtectedCorpus(lambda: iter(()), tuple, columns, measured.policy, measured.dialect)
        else:
            corpus = open_corpus(self.data, columns, measured.policy, measured.dialect)
            _require_all_rows(corpus, measured)
        return measured.records_in(corpus, self.atoms, self.folder / "curator")

    def asked(self, period: str, life: int) -> ResolvedRequest:
        """Return what is asked for a period in one of the lives."""
        terms = self.declared.lives[life - 1]
        spec = spec_of(self.request, self.atoms, self.records, None)
        about = spec.about.model_copy(update={"period": period, "date": spec.about.date or today()})
        of_life = {"loss": PrivacyLoss(terms.epsilon), "series": SeriesStep(period=period, life=life, terms=terms)}
        spec = spec.model_copy(update={"about": about, **of_life})
        told = written(SERIES, self._told(life))
        return ResolvedRequest(self.request.dataset, self.atoms, self.records.origin, spec, told=told)

    def _told(self, life: int) -> dict[str, Any]:
        """Return what an officer reads of a life: the request of all its periods, its terms, and lives before it."""
        lives = [terms.model_dump(mode="json") for terms in self.declared.lives[:life]]
        return {"folder": str(self.folder), "request": without_place(self.declared.request), "lives": lives}

    @property
    def charge(self) -> Charge:
        """What the newest life is charged with; the records are nobody's."""
        asked = self.asked(self.declared.terms.every.declared[0], self.life)
        return asked.as_charge(self.records, self.request.account.budget or PrivacyLoss(self.declared.terms.epsilon))

    def ask(self, key: SigningKey, note: str) -> Filed:
        """Ask the officers of the account for their approval of the newest life; nothing is charged."""
        return self.ledger.ask(self.charge, note, key)

    @property
    def life(self) -> int:
        """The number of the newest life."""
        return len(self.declared.lives)

    @cached_property
    def ledger(self) -> Ledger:
        """The ledger that paid: neither another one nor an older copy goes on."""
        left = (*self.folder.glob("release/*/plan.json"), *self.folder.glob(f"curator/*/{RECEIPT}"))
        return open_ledger(self.request.account.ledger, heads=heads_in(sorted(left)), place=str(self.folder))

    def state(self, life: int) -> StateFolder:
        """Return where the allowances of a life lie."""
        return StateFolder(self.folder / "curator" / f"life-{life}")

    def released(self, *, but_newest: bool = False) -> dict[str, int]:
        """Return the periods that are committed, each with its life, in the order of the calendar."""
        found: dict[str, int] = {}
        for life in range(1, self.life + 1 - but_newest):
            asked = self.asked(self.declared.lives[life - 1].every.declared[0], life)
            standing = self.ledger.standing(asked.as_charge(self.records, None))
            found |= {period.name: life for period in standing.periods if period.committed is not None}
        return dict(sorted(found.items()))

    def life_of(self, period: str) -> int:
        """Return the life to which a period belongs: the one that released it, or the newest."""
        released = self.released()
        last = max((name for name, life in released.items() if life < self.life), default="")
        if period not in released and period <= last:
            raise RequestError(
                f"period {period!r} is closed: an earlier life went on to {last!r}. One that was skipped stays skipped",
                code="request.closed-period",
            )
        return released.get(period, self.life)


def _require_all_rows(corpus: ProtectedCorpus, measured: Measurement) -> None:
    """Refuse what was declared of the rows of one period: the terms of a series hold for all of its life."""
    if corpus.declared != measured.dialect.declared:
        raise RequestError(
            "the records of a period are those of a table with their own dates in it, in every period alike: leave "
            "where= and view= out of the address",
            code="request.series-rows",
            field="records.data",
        )


@dataclass(frozen=True, slots=True)
class Added:
    """What came of a period: its plan, the folder that may be published, and what the curator alone may see."""

    plan: SemanticPlan
    folder: Path
    answer: Answer


def open_series(folder: str | Path, terms: SeriesTerms, **fields: object) -> SeriesIndex:
    """Open a series: charge the first life whole, and write its public terms.

    ``fields`` are those of ``release`` about dictionary, records, map and account (``atoms``, ``text``, ``user``,
    ``dataset``, …), without the records themselves. Everything that decides later releases is fixed here.
    """
    series = series_to_open(folder, terms, **fields)
    first = series.request.account.budget or PrivacyLoss(terms.epsilon)
    open_life(series.asked(terms.every.declared[0], 1), series.records, series.ledger, first_budget=first)
    return _kept(series)


def renew_series(
    folder: str | Path, epsilon: float, *, first: str | None = None, last: str | None = None
) -> SeriesIndex:
    """Open the next life at a new price: allowances are full again, and the losses of all lives add up.

    ``first`` and ``last`` move the calendar on, where the old one has come to its end.
    """
    series = series_to_renew(folder, epsilon, first, last)
    open_life(series.asked(series.declared.terms.every.declared[0], series.life), series.records, series.ledger)
    return _kept(series)


def series_to_open(folder: str | Path, terms: SeriesTerms, **fields: object) -> Series:
    """Return the series that `open_series` would open; nothing is charged or written."""
    place = Path(folder)
    declared = Declared(request=_told(place, terms, fields), lives=(terms,))
    require_writable(place, declared.asked().dataset)
    _require_free(place, declared)
    return Series(place, declared)


def series_to_renew(folder: str | Path, epsilon: float, first: str | None, last: str | None) -> Series:
    """Return the series with the life that `renew_series` would open; nothing is charged or written."""
    known = _declared(Path(folder))
    calendar = {"first": first or known.terms.every.first, "last": last or known.terms.every.last}
    every = known.terms.every.model_dump() | calendar
    with explained_as(RequestError, "the next life"):
        terms = SeriesTerms.model_validate(known.terms.model_dump() | {"epsilon": epsilon, "every": every})
    series = Series(Path(folder), known.model_copy(update={"lives": (*known.lives, terms)}))
    if max(series.released(but_newest=True), default="") >= terms.every.declared[-1]:
        raise RequestError(
            "no period of this calendar is left, so a life in it would be paid for nothing: move the calendar on "
            "(`first` and `last`)",
            code="request.calendar-over",
        )
    return series


def add_period(folder: str | Path, data: object, period: str) -> Added:
    """Release one period of the newest life; one that was released before is given again as it was, for free."""
    return release_period(series_with(folder, data, period), period)


def series_with(folder: str | Path, data: object, period: str) -> Series:
    """Return a series with records at hand for one of its periods; none of them is read yet."""
    declared = _declared(Path(folder))
    return Series(Path(folder), declared, data, _counted(declared, period))


def release_period(series: Series, period: str) -> Added:
    """Release a period of the records that the series has at hand."""
    life, place = series.life_of(period), series.folder
    published, receipt = place / "release" / period, place / "curator" / period
    answered = answer_period(series.asked(period, life), series.records, series.ledger, series.state(life))
    if answered.diagnostics is not None:  # else those of the run that read the records stay
        write_receipt(receipt, answered.diagnostics, series.request.dataset, series.ledger)
    write_approved(receipt, series.ledger.approved(series.asked(period, life).as_charge(series.records, None)))
    write_release(published, answered.plan, series.atoms)
    publish(series)
    write_series(place / "release")
    return Added(answered.plan, published, answered)


def publish(series: Series) -> SeriesIndex:
    """Write the index of what lies in the folder; again where another run has added a period meanwhile."""
    release = series.folder / "release"
    release.mkdir(parents=True, exist_ok=True)
    written = None
    while written != (index := _index(series, release)):
        write_published(release / INDEX, index.to_json().encode())
        written = index
    date_folder_to_the_day(release)
    return index


def _index(series: Series, release: Path) -> SeriesIndex:
    periods = (
        SeriesPeriod(name=name, life=life, plan=f"{name}/plan.json")
        for name, life in series.released().items()
        if (release / name / "plan.json").is_file()  # another run may not have published it yet
    )
    return SeriesIndex(title=series.request.title, terms=series.declared.terms, periods=tuple(periods))


def _told(folder: Path, terms: SeriesTerms, fields: Mapping[str, object]) -> dict[str, Any]:
    """Return the request of a series, as plain data; what its terms settle is not told twice."""
    told = {KEYWORDS.get(name, name): value for name, value in fields.items()}
    if settled := SETTLED & set(told):
        raise RequestError(f"the terms of a series settle `{min(settled)}`: leave it out")
    of_terms = {"records.unit": "user", "records.unit.bound": terms.lifetime_bound, "loss.epsilon": terms.epsilon}
    usual = {"account.dataset": str(folder.resolve()), "records.data": NO_DATA, "denominator": "total"}
    return ReleaseRequest.read(placed({**usual, **told, **of_terms})).as_told()


def _require_free(folder: Path, declared: Declared) -> None:
    """Refuse a folder that holds something else; the same series again is only opened again."""
    single = (folder / "release" / "plan.json", folder / "release" / "phrases.json", folder / "curator" / RECEIPT)
    if any(path.exists() for path in single):
        raise InputError(f"{str(folder)!r} holds a single release; choose another folder for a series")
    if (folder / "curator" / DECLARED).exists() and _declared(folder) != declared:
        raise InputError(f"{str(folder)!r} holds a series with other terms; choose another folder, or renew that one")


def _kept(series: Series) -> SeriesIndex:
    """Write down what was declared, once it is paid for."""
    make_private_folder(series.folder / "curator")
    told = yaml.safe_dump(series.declared.model_dump(mode="json"), sort_keys=False, allow_unicode=True)
    write_private(series.folder / "curator" / DECLARED, told.encode())
    return publish(series)


def _declared(folder: Path) -> Declared:
    path = folder / "curator" / DECLARED
    try:
        told = parse_yaml(read_plain_text(path))
    except (OSError, UnicodeDecodeError, YamlMistake):
        raise InputError(
            f"{str(folder)!r} is no series that can be continued: {DECLARED} in its curator's folder is not there, or "
            "damaged. Open one with: dpspin series open"
        ) from None
    with explained_as(InputError, f"the series {str(path)!r}"):
        return Declared.model_validate(told)


def _counted(declared: Declared, period: str) -> frozenset[str]:
    """Return the periods whose records count in this one, by the rule for late records."""
    known = next((life.every.declared for life in reversed(declared.lives) if period in life.every.declared), ())
    if not known:
        newest = declared.terms.every.declared
        raise RequestError(
            f"{period!r} is no period of the calendar, which goes from {newest[0]} to {newest[-1]}",
            code="request.unknown-period",
        )
    return frozenset(known[: known.index(period) + 1] if declared.terms.late == "next" else [period])
