"""The desk where a request is answered: check the budget, read, charge, draw, commit, and only then hand out.

Order is the whole point. The ledger refuses before a record is read; the charge is durable before noise exists; what
is handed out is what the ledger stored. A crash can waste budget, never grant it. Reading comes before the charge, so
that an unreadable file or a refused row costs nothing; nobody outside the curator sees that.
"""

from dataclasses import asdict, dataclass
from typing import Protocol

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import PrivacyLoss, RecordUnit, Selecting, UserUnit
from dpspin.boundary.reading import reread
from dpspin.boundary.sealed import canonical_json, digest_of
from dpspin.curator.engines.local import Diagnostics
from dpspin.curator.ledger.account import Committed, Reserved
from dpspin.curator.ledger.ledger import Ledger
from dpspin.curator.records.policy import Columns, RowPolicy
from dpspin.curator.stage2_release.noise import SecureNoise
from dpspin.curator.stage2_release.release import ReleaseSpec, release_plan, statement_of
from dpspin.curator.stage2_release.sketch import Sketch, SketchOrigin
from dpspin.errors import RecordsRefused, RequestError


class Source(Protocol):
    """Where a request gets its sketch from: records that are read now, or sketches that were made where they lie."""

    @property
    def columns(self) -> Columns:
        """The columns that are read."""
        ...

    @property
    def policy(self) -> RowPolicy:
        """What is done with rows that cannot be used."""
        ...

    def content_digest(self) -> str:
        """Identify the content; it goes into the ledger only."""
        ...

    def measure(self) -> tuple[Sketch, Diagnostics]:
        """Return the exact sketch."""
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that decides a release but the records: public, and fixed before any of them is read."""

    dataset: str
    universe: AtomUniverse
    origin: SketchOrigin  # what is measured, and whom it protects
    spec: ReleaseSpec
    snapshot: str = ""  # a public name for this state of the data

    def description(self, source: Source) -> str:
        """Describe in canonical JSON what decides the noisy numbers: two requests with the same text are the same.

        How the numbers are read (bins, title, denominator and, for a full sketch, the plan size) is not part of it.
        """
        rounds = {"size": self.spec.size} if isinstance(self.spec.mechanism, Selecting) else {}
        return canonical_json(
            {
                "snapshot": self.snapshot,
                "dictionary": self.origin.universe_digest,
                "map": self.origin.contribution_map.digest,
                "unit": asdict(self.origin.unit),
                "adjacency": self.origin.adjacency.value,
                "quantity": self.origin.quantity.model_dump(mode="json"),
                "sampling": self.origin.sampling.model_dump(mode="json"),
                "columns": source.columns.names,
                "bad_rows": source.policy.bad_rows.value,
                "loss": asdict(self.spec.loss),
                "mechanism": self.spec.mechanism.model_dump(mode="json"),
                **rounds,
            }
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The plan to publish, and what only the curator may see."""

    plan: SemanticPlan
    diagnostics: Diagnostics | None  # None: the numbers were released earlier, and no record was mapped


def answer(request: Request, source: Source, ledger: Ledger, *, first_budget: PrivacyLoss | None = None) -> Answer:
    """Answer a request once: charge, draw, store (Algorithms 1 and 2); or read the stored numbers again, for free."""
    require_answerable(request, source)
    description = request.description(source)
    fingerprint = digest_of(description)
    ledger.check(request.dataset, fingerprint, request.spec.loss, first_budget)
    content = source.content_digest()
    stored = ledger.stored(request.dataset, fingerprint=fingerprint, content=content, first=first_budget)
    if stored is not None:
        return Answer(_read_again(stored, request), diagnostics=None)
    sketch, diagnostics = source.measure()
    if sketch.origin != request.origin:
        raise RequestError("what was measured is not what was asked for; nothing was charged")
    if source.content_digest() != content:
        raise RecordsRefused("the data changed while they were being read; nothing was charged, run it again")
    reservation = ledger.reserve(
        request.dataset,
        fingerprint=fingerprint,
        content=content,
        loss=request.spec.loss,
        request_json=description,
        first=first_budget,
    )
    match reservation:
        case Committed(output=stored):  # another process finished the same request meanwhile
            pass
        case Reserved():
            plan = release_plan(sketch, request.universe, request.spec, SecureNoise())
            stored = ledger.commit(reservation, plan.to_json().encode())
    return Answer(_read_again(stored, request), diagnostics)


def _read_again(stored: bytes, request: Request) -> SemanticPlan:
    return reread(SemanticPlan.from_json(stored), request.universe, request.spec)


def require_answerable(request: Request, source: Source) -> None:
    """Refuse parameters that do not fit together, before anything is opened or spent."""
    origin, unit = request.origin, request.origin.unit
    if (origin.universe_digest, origin.universe_size) != (request.universe.digest, request.universe.size):
        raise RequestError("the sketches were made with another dictionary; give the one they were made with (--atoms)")
    statement_of(origin, request.spec, SecureNoise.randomness)
    if (source.columns.user is None) != isinstance(unit, RecordUnit):
        raise RequestError("users are protected by naming the column with the user id; records need no such column")
    if isinstance(unit, UserUnit) and source.policy.missing_users is not unit.missing:
        raise RequestError("the corpus treats records without a user id in another way than the unit states")
