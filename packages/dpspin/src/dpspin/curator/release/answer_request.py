"""How a request is answered: check the budget, read, charge, draw, commit, and only then hand out.

Order is the whole point. The ledger refuses before a record is read; the charge is durable before noise is drawn for
it; what is handed out is what the ledger stored. A crash can waste budget, never grant it. Reading comes before the
charge, so that an unreadable file or a refused row costs nothing; nobody outside the curator sees that. And the whole
release is rehearsed on nobody's records first, so that no choice of parameters can fail once it is paid for.
"""

from dataclasses import asdict, dataclass

from dpspin.boundary.accounting import Cost, Window, cost_of
from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.baseline import require_fitting_baseline
from dpspin.boundary.denominator import CountShare
from dpspin.boundary.grounding import Grounding
from dpspin.boundary.model_base import canonical_json, digest_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.planner import within_floats
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit, UserUnit
from dpspin.boundary.read_plan import reread
from dpspin.boundary.statement import PrivacyStatement
from dpspin.curator.aggregate.local import Diagnostics, Records
from dpspin.curator.aggregate.read_sample import Drawing, Drawn, name_of_drawing
from dpspin.curator.aggregate.shards import Shards
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.aggregate.spark_records import SparkRecords
from dpspin.curator.ledger.charges import Charge, Committed, Reserved
from dpspin.curator.ledger.ledger import Ledger
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.curator.release.draw_plan import ReleaseSpec, dry_run, release_plan, statement_of
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.errors import LedgerError, PlanError, RecordsChanged, RequestError

Source = Records | SparkRecords | Shards  # read now, here or by Spark; or sketches that were made where records lie


@dataclass(frozen=True, slots=True)
class ResolvedRequest:
    """Everything that decides a release but the records, with dictionary and map at hand: nothing is charged yet."""

    dataset: str
    universe: AtomUniverse
    origin: SketchOrigin  # what is measured, and whom it protects
    spec: ReleaseSpec
    snapshot: str = ""  # a public name for this state of the data
    told: str = ""  # the request as an officer reads it, where it can be written down

    def description(self, source: Source) -> str:
        """Describe in canonical JSON what decides the noisy numbers: two requests with the same text are the same.

        How the numbers are read (bins, title, a public denominator and, where nothing is selected, the plan size) is
        not part of it; a count that is bought is.
        """
        counted = {"count_share": self.spec.denominator.share} if isinstance(self.spec.denominator, CountShare) else {}
        rounds = {"size": self.spec.size} if self.spec.mechanism.selects else {}
        window = {} if source.columns.window is None else {"window": source.columns.window.name}
        dialect = {"dialect": source.declared} if source.declared else {}
        read = self.spec.grounding
        grounding = {} if read is None else {"grounding": {**dict(read), "drawing": self.drawing(source)}}
        viewed = [view.model_dump(mode="json") for view in self.spec.views]
        life = (
            {} if self.spec.series is None else {"series": self.spec.series.model_dump(mode="json", exclude={"period"})}
        )
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
                **counted,
                **rounds,
                **window,
                **dialect,
                **grounding,
                **({"views": viewed} if viewed else {}),
                **life,
                **({} if source.state is None else {"state": "declared"}),
            }
        )

    def drawing(self, source: Source) -> str:
        """Name the sample that is read."""
        read = _records(source)
        return name_of_drawing(self.dataset, self.snapshot, read.corpus, self.origin, self._grounding.rate)

    @property
    def _grounding(self) -> Grounding:
        assert self.spec.grounding is not None  # noqa: S101  asked for where a sample is read only
        return self.spec.grounding

    def sample(self, source: Source, ledger: Ledger, content: str) -> tuple[Drawn, ...]:
        """Find the records that are read, and that all of them were, before the map works."""
        key = ledger.drawing_key(self.drawing(source), content)
        return _records(source).drawn(Drawing(key, self._grounding.rate))

    def as_charge(self, source: Source, first_budget: PrivacyLoss | None) -> Charge:
        """Say what the ledger is asked for; the digest of the description is the request's fingerprint."""
        description, columns = self.description(source), source.columns
        about = (columns.window, columns.user, first_budget, source.state, source.declared.get("view"))
        return Charge(self.dataset, digest_of(description), self.cost, description, *about, told=self.told)

    @property
    def statement(self) -> PrivacyStatement:
        """What the release will promise."""
        return statement_of(self.origin, self.spec, SecureNoise.randomness)

    @property
    def cost(self) -> Cost:
        """The price of the release, in both currencies: it follows from public choices."""
        with within_floats():
            return cost_of(self.statement, self.spec.size, self.spec.denominator)


@dataclass(frozen=True, slots=True)
class Answer:
    """The plan to publish, and what only the curator may see."""

    plan: SemanticPlan
    diagnostics: Diagnostics | None  # None: the numbers were released earlier, and no record was mapped


def answer(
    request: ResolvedRequest, source: Source, ledger: Ledger, *, first_budget: PrivacyLoss | None = None
) -> Answer:
    """Answer a request once: charge, draw, store (Algorithms 1 and 2); or read the stored numbers again, for free."""
    require_answerable(request, source)
    require_about_people(request.origin.unit, request.dataset, ledger)
    charge = request.as_charge(source, first_budget)
    ledger.check(charge)
    content = source.content_digest()
    stored = ledger.stored(charge, content)
    if stored is not None:
        if request.spec.baseline is not None:  # it may come from auxiliary text that was not there at the release
            source.require_unseen()
        return Answer(read_again(stored, request), diagnostics=None)
    dry_run(request.origin, request.universe, request.spec)
    likeness = source.likeness(ledger.likeness_key())
    ledger.require_unlike(charge, likeness)  # before the map works, which may take long
    drawn = None if request.spec.grounding is None else request.sample(source, ledger, content)
    sketch, diagnostics = source.measure()
    if sketch.origin != request.origin:
        raise RequestError("what was measured is not what was asked for; nothing was charged")
    sample = None if drawn is None else _records(source).sums_over(drawn)
    require_unchanged(source, content)
    reservation = ledger.reserve(charge, content, likeness)
    match reservation:
        case Committed() as stored:  # another process finished the same request meanwhile
            pass
        case Reserved():
            noisy = release_plan(sketch, request.universe, request.spec, SecureNoise(), sample)
            plan = noisy.model_copy(update={"account": reservation.statement})
            stored = ledger.commit(reservation, plan.to_json().encode())
    return Answer(read_again(stored, request), diagnostics)


def require_about_people(unit: RecordUnit | UserUnit, dataset: str, ledger: Ledger) -> None:
    """Refuse to charge a loss about records to people."""
    if isinstance(unit, RecordUnit) and ledger.population_of(dataset) is not None:
        raise RequestError(
            "a population's account is about people, who may have many records: protect users there (`records.unit: "
            "user`)"
        )


def require_unchanged(source: Source | ProtectedCorpus, content: str) -> None:
    """Refuse records that are not those of the digest that was taken before they were read."""
    if source.content_digest() != content:
        raise RecordsChanged("the data changed while they were being read; nothing was charged, run it again")


def _records(source: Source) -> Records:
    """Refuse to read a sample of sketches: they have forgotten their records."""
    if not isinstance(source, Records):
        raise RequestError(
            "a sample is read of records that lie here: not of sketch files, and not where Spark holds them",
            code="request.read-sketches",
        )
    return source


def read_again(stored: Committed, request: ResolvedRequest) -> SemanticPlan:
    """Read stored numbers as a request wants them read; they are published with their own link."""
    plan = _stored_plan(stored)
    _require_one_statement(plan, request)
    return reread(plan, request.universe, request.spec)


def _require_one_statement(plan: SemanticPlan, request: ResolvedRequest) -> None:
    """Refuse a baseline whose text would be kept apart in another way than the stored plan states."""
    stated = plan.statement.separation
    if request.spec.baseline is not None and not stated.says_the_same_as(request.origin.separation):
        raise RequestError(
            "these numbers were released with another statement about the texts behind map and dictionary (compared, "
            "or declared public), and it stays: name and declare the texts as at the release, or leave `baseline` out "
            "and read the plan beside one later (dpspin report)"
        )


def _stored_plan(stored: Committed) -> SemanticPlan:
    """Read a stored answer. To ask again would find it again, so that advice would never help."""
    try:
        plan = SemanticPlan.from_json(stored.output)
    except PlanError:
        raise LedgerError(
            "these numbers were paid for under another version of dpspin, and this one cannot read them: read them "
            "with that version. A changed request, or a new `account.snapshot`, is charged anew"
        ) from None
    assert plan.account is not None  # noqa: S101  the ledger stored it with its account
    return plan.model_copy(update={"account": plan.account.published_as(stored.head)})


def require_answerable(request: ResolvedRequest, source: Source) -> None:
    """Refuse parameters that do not fit together, before anything is opened or spent."""
    origin, unit = request.origin, request.origin.unit
    if (origin.universe_digest, origin.universe_size) != (request.universe.digest, request.universe.size):
        raise RequestError("the sketches were made with another dictionary; give the one they were made with (`atoms`)")
    statement_of(origin, request.spec, SecureNoise.randomness)
    require_fitting_baseline(request.spec.baseline, request.universe, answers_none=origin.contribution_map.answers_none)
    if (source.columns.user is None) != isinstance(unit, RecordUnit):
        raise RequestError("users are protected by naming the column with the user id; records need no such column")
    if isinstance(unit, UserUnit) and source.policy.missing_users is not unit.missing:
        raise RequestError("the corpus treats records without a user id in another way than the unit states")
    if source.columns.window is not None:
        _require_parallel(origin, source.columns.window)


def _require_parallel(origin: SketchOrigin, window: Window) -> None:
    """Refuse windows where their proof does not hold: one unit must be in one window, in both neighbours."""
    if not isinstance(origin.unit, RecordUnit):
        raise RequestError(
            f"window {window.name!r}: windows compose in parallel for records only. A user may have records in several "
            "windows, so users' releases add up: leave `records.window.name` out"
        )
    if origin.adjacency is not Adjacency.ADD_DROP:
        raise RequestError(
            f"window {window.name!r}: a replaced record may move to another window and change two of them. Windows "
            "need `records.adjacency: add_drop`"
        )
