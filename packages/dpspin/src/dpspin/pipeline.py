"""Algorithm 1, whole: a request becomes a differentially private plan, and the plan alone a verified report.

This is the lowest module that sees both sides. What passes between them is the plan, and nothing else.
"""

import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from dpspin.approvable import told_release
from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.baseline import Baseline
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.boundary.safe_files import today
from dpspin.boundary.signing import SigningKey
from dpspin.curator.aggregate.auxiliary_baseline import beside_auxiliary
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.reading_folder import ReadingFolder, open_reading
from dpspin.curator.aggregate.shards import open_shards
from dpspin.curator.aggregate.spark_records import NamedState, SparkRecords
from dpspin.curator.ledger.charges import Charge
from dpspin.curator.ledger.filings import Filed
from dpspin.curator.ledger.ledger import Ledger, open_ledger
from dpspin.curator.records.frames import is_spark_frame
from dpspin.curator.release.answer_request import Answer, ResolvedRequest, Source, answer
from dpspin.curator.release.curator_folder import earlier_heads, require_single, write_approved, write_receipt
from dpspin.curator.release.draw_plan import ReleaseSpec, with_mechanism
from dpspin.curator.release.measurement import Measurement
from dpspin.errors import ChangedReading
from dpspin.public.narrate.modes import Length
from dpspin.public.report.folder import Narrations, write_release
from dpspin.request import FromAuxiliary, ReleaseRequest, SketchFiles

CHANGED_READING = (
    "The reading of the sample has changed since it was released. The released numbers stay as they are: a sample pays "
    "for one release"
)


class Attendant(Protocol):
    """A person at the curator's terminal, who sees what goes on and may stop it before anything is charged."""

    def look_at_data(self, measured: Measurement, atoms: AtomUniverse) -> None:
        """Look at the records as they lie, before the map is fitted."""
        ...

    def look_at_map(self, records: Records) -> Records:
        """Look at what the fitted map makes of them; return them with whatever is to be announced."""
        ...

    def fitting(self, atoms: AtomUniverse) -> AbstractContextManager[None]:
        """See that a map is being fitted."""
        ...

    def reading(self) -> AbstractContextManager[Callable[[int], None]]:
        """See how many records have been read."""
        ...


class Unattended:
    """Nobody is there: nothing is looked at, so nothing can be decided by the data."""

    def look_at_data(self, measured: Measurement, atoms: AtomUniverse) -> None:
        """Do not look."""

    def look_at_map(self, records: Records) -> Records:
        """Do not look."""
        return records

    def fitting(self, atoms: AtomUniverse) -> AbstractContextManager[None]:
        """Show nothing."""
        del atoms
        return nullcontext()

    def reading(self) -> AbstractContextManager[Callable[[int], None]]:
        """Show nothing."""
        return nullcontext(lambda _records: None)


UNATTENDED = Unattended()


@dataclass(frozen=True, slots=True)
class Released:
    """What came of a request: the plan to publish, what only the curator may see, the verified texts of a folder."""

    answer: Answer
    atoms: AtomUniverse
    dataset: str
    ledger: Ledger
    texts: Narrations | None = None

    @property
    def plan(self) -> SemanticPlan:
        """The plan, which may be published."""
        return self.answer.plan


def release(data: object = None, **fields: object) -> SemanticPlan:
    """Release a differentially private plan of the records in ``data``, or of a whole ``ReleaseRequest``.

    ``data`` is a path, a pandas, polars or Arrow table, or a list of texts; or a table of a (classic) Spark session,
    whose workers measure it where it lies, and which needs ``dataset`` and ``snapshot``. The other fields are those of
    the request, by their names: ``atoms`` (a pack's name, a file or a dictionary), ``unit`` (``RecordUnit()`` or
    ``UserUnit()``), ``epsilon`` and ``denominator`` are needed; ``text`` and ``user`` name columns; ``map``,
    ``mechanism``, ``quantity``, ``auxiliary``, ``size``, ``baseline``, ``reading``, ``title``, ``dataset``,
    ``snapshot``, ``budget``, ``ledger`` and others have defaults (see the page on Python). The release is charged to
    the budget of ``dataset`` in the ledger before noise is drawn; without a budget decided earlier, this one release is
    all of it, unless ``budget`` says more. Asking again for the same numbers, also with another title, bins or (but for
    mechanisms that select) size, costs nothing; when the data have changed, give the new state a name with
    ``snapshot``: it is measured and charged anew.
    """
    request = data if isinstance(data, ReleaseRequest) and not fields else ReleaseRequest.of(data, **fields)
    return run(request).plan


def dated(request: ReleaseRequest) -> ReleaseRequest:
    """Let the report bear today's date, where none was told."""
    if request.about.date:
        return request
    return request.model_copy(update={"about": request.about.model_copy(update={"date": today()})})


def run(
    request: ReleaseRequest,
    folder: Path | None = None,
    attendant: Attendant = UNATTENDED,
    length: Length = Length.FULL,
) -> Released:
    """Answer a request: check, read, charge, draw and commit; then write what may be published, and what may not."""
    prepared = prepare(request, folder, attendant)
    asked, source, reading = prepared.asked, prepared.source, prepared.reading
    heads = () if folder is None else earlier_heads(folder)
    ledger = open_ledger(request.account.ledger, heads=heads, place=str(folder))
    with attendant.reading() as tell:
        answered = answer(asked, source.watched(tell), ledger, first_budget=prepared.first_budget)
    if reading is not None and isinstance(source, Records) and not reading.is_as_released(source.readings or {}):
        warnings.warn(CHANGED_READING, ChangedReading, stacklevel=2)
    released = Released(answered, asked.universe, request.dataset, ledger)
    if folder is None:
        return released
    write_receipt(folder / "curator", answered.diagnostics, request.dataset, ledger)
    write_approved(folder / "curator", ledger.approved(prepared.charge))
    return replace(released, texts=write_release(folder / "release", answered.plan, asked.universe, length))


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request with dictionary, map and records at hand: none of these is read yet, and nothing is charged."""

    asked: ResolvedRequest
    source: Source
    reading: ReadingFolder | None
    first_budget: PrivacyLoss

    @property
    def charge(self) -> Charge:
        """What the ledger would be asked for."""
        return self.asked.as_charge(self.source, self.first_budget)


def prepare(request: ReleaseRequest, folder: Path | None = None, attendant: Attendant = UNATTENDED) -> Prepared:
    """Open everything that a request names, and fit its map, before a record is read."""
    atoms = request.dictionary()
    if folder is not None:
        require_single(folder, request.dataset)
    baseline = request.given_baseline(atoms)
    reading = None if request.reading is None else open_reading(request.reading.folder)
    if reading is not None and folder is not None:
        reading.require_apart_from(folder / "release")
    source, beside = _measured(request, atoms, folder, attendant)
    spec = spec_of(request, atoms, source, beside or baseline, reading)
    about = (request.account.snapshot, told_release(request))
    asked = ResolvedRequest(request.dataset, atoms, source.origin, spec, *about)
    if reading is not None and isinstance(source, Records):  # a request for sketches has refused it
        reading.require_drawn_for(asked.drawing(source))
        source = replace(source, readings=reading.readings())
    return Prepared(asked, source, reading, request.account.budget or spec.loss)


def ask(request: ReleaseRequest, key: SigningKey, note: str) -> Filed:
    """Ask the officers of the account for their approval of a request; no record is read, and nothing is charged."""
    charge = prepare(request).charge
    return open_ledger(request.account.ledger).ask(charge, note, key)


def _measured(
    request: ReleaseRequest, atoms: AtomUniverse, folder: Path | None, attendant: Attendant
) -> tuple[Source, Baseline | None]:
    """Open the records and fit the map, or open the sketches that were made of them; nothing is read yet."""
    asked = request.records
    if isinstance(asked, SketchFiles):
        shards = open_shards(asked.files())
        shards.require_compared(atoms.provenance)
        return shards, None
    if is_spark_frame(asked.data):
        return _held_by_spark(request, asked, atoms, attendant)
    attendant.look_at_data(asked, atoms)
    with attendant.fitting(atoms):
        fitted = asked.records(atoms, None if folder is None else folder / "curator", request.candidates())
    records = attendant.look_at_map(fitted)
    if isinstance(request.baseline, FromAuxiliary):
        return beside_auxiliary(records, asked.auxiliary, atoms)
    return records, None


def _held_by_spark(
    request: ReleaseRequest, asked: Measurement, atoms: AtomUniverse, attendant: Attendant
) -> tuple[SparkRecords, Baseline | None]:
    """Fit the map for records that Spark holds; nobody looks at them here."""
    with attendant.fitting(atoms):
        records = asked.records(atoms, None, request.candidates())
    baseline = None
    if isinstance(request.baseline, FromAuxiliary):
        records, baseline = beside_auxiliary(records, asked.auxiliary, atoms)
    named = NamedState(request.account.dataset or "", request.account.snapshot)
    return SparkRecords.of(records, asked.data, asked.rows, named), baseline


def spec_of(
    request: ReleaseRequest,
    atoms: AtomUniverse,
    source: Source,
    baseline: Baseline | None,
    reading: ReadingFolder | None = None,
) -> ReleaseSpec:
    """Return what is asked of Stage II; where ``auto`` is to decide, public numbers name the mechanism."""
    asked = None if request.reading is None else request.reading.share
    spec = ReleaseSpec(
        loss=request.loss,
        denominator=request.denominator,
        size=request.size_of(atoms.size),
        admission=request.admission,
        beta=request.beta,
        margin=request.margin,
        bins=request.bins,
        title=request.title,
        about=request.about,
        baseline=baseline,
        sizes=request.sizes,
        grounding=None if reading is None else reading.grounding(request.loss, asked, source.origin.sensitivity),
        views=request.views_of(source.origin.facets),
    )
    return with_mechanism(spec, request.mechanism, source.origin)
