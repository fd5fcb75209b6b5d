"""Algorithm 1: from private records to a plan, and from the plan alone to a verified report.

This is the lowest module that sees both sides. What passes between them is the plan, and nothing else.
"""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from types import NoneType

from dpspin.boundary.account import Window
from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.baseline import Baseline
from dpspin.boundary.certify import Admission, CertifiedMargins, FixedMargin, SupportBin
from dpspin.boundary.denominator import CountShare, PublicNumber, TotalMass
from dpspin.boundary.drawable import within_floats
from dpspin.boundary.kinds import require_kind, require_kinds
from dpspin.boundary.mechanisms import AnyMechanism, Laplace
from dpspin.boundary.model_base import explained_as
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import NOTHING_DECLARED, About
from dpspin.boundary.planner import Auto, planned
from dpspin.boundary.privacy import (
    EVERYONE,
    MASS,
    Adjacency,
    AnyQuantity,
    AnySampling,
    PrivacyLoss,
    RecordUnit,
    UserUnit,
)
from dpspin.boundary.separation import Apart, separation_of
from dpspin.curator.aggregate.auxiliary import auxiliary_baseline
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.shards import Shards
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.assign.calibrated.mapping import CalibratedMap
from dpspin.curator.assign.choice import Recipe
from dpspin.curator.assign.choice import fit_map as fit_by_recipe
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.assign.ours import require_known_maker
from dpspin.curator.assign.scorers.ngram import NgramMap
from dpspin.curator.ledger.ledger import Ledger, open_ledger
from dpspin.curator.records.auxiliary import Auxiliary, open_auxiliary, require_comparable
from dpspin.curator.records.corpus import ProtectedCorpus, open_corpus
from dpspin.curator.records.dialect import FROM_THE_HEADER, Dialect
from dpspin.curator.records.frames import is_frame
from dpspin.curator.records.policy import BadRows, Columns, RowPolicy
from dpspin.curator.records.provenance import records_behind
from dpspin.curator.release.answer_request import Answer, Request, answer
from dpspin.curator.release.draw_plan import ReleaseSpec
from dpspin.errors import DictionaryError, RequestError
from dpspin.public.atoms.names import require_speakable

UNNAMED = "unnamed data in memory"


@dataclass(frozen=True, slots=True)
class FromAuxiliary:
    """Take the shares of the auxiliary text, under the same map, as the public baseline."""


def release(
    data: object,
    *,
    text: str,
    atoms: AtomUniverse,
    unit: RecordUnit | UserUnit,
    loss: PrivacyLoss,
    denominator: int | PublicNumber | CountShare | TotalMass,
    user: str | None = None,
    mechanism: AnyMechanism | Auto | None = None,
    adjacency: Adjacency = Adjacency.ADD_DROP,
    quantity: AnyQuantity = MASS,
    sampling: AnySampling = EVERYONE,
    size: int | None = None,
    admission: Admission | None = None,
    beta: float = 0.05,
    margin: CertifiedMargins | FixedMargin | None = None,
    bins: tuple[SupportBin, ...] | None = None,
    contribution_map: Recipe | ContributionMap | None = None,
    auxiliary: Auxiliary | None = None,
    auxiliary_is_public: bool = False,
    atoms_auxiliary: object | None = None,
    atoms_auxiliary_is_public: bool = False,
    baseline: Baseline | FromAuxiliary | None = None,
    bad_rows: BadRows = BadRows.ZERO,
    dialect: Dialect = FROM_THE_HEADER,
    title: str = "",
    about: About = NOTHING_DECLARED,
    dataset: str | None = None,
    snapshot: str = "",
    budget: PrivacyLoss | None = None,
    window: Window | None = None,
    ledger: str | Path | None = None,
) -> SemanticPlan:
    """Release a differentially private plan of the records in ``data`` (a path, or a pandas, polars or Arrow table).

    ``denominator`` is a public number, never one counted from the data; ``CountShare(share=0.1)`` buys a private count
    of the protected units with a tenth of epsilon, ``TotalMass()`` takes the sum of all released masses, for free. The
    release is charged to the budget of ``dataset`` in the ledger before noise is drawn; without a budget decided
    earlier, this one release is all of it, unless ``budget`` says more. Asking again for the same numbers, also with
    another size, title or bins, costs nothing; when the data have changed, give the new state a name with
    ``snapshot``: it is measured and charged anew. ``contribution_map`` says how the map from records to atoms is
    fitted, on ``atoms`` and ``auxiliary`` and before a record is read (``hybrid`` by default); a fitted map is used as
    it is, and a map of your own is given as ``OwnMap(map)``, which the plan then says. ``atoms_auxiliary`` are the
    records that ``atoms`` was built from, where they are others than ``auxiliary``. Each of the two texts is compared
    with the records, or declared public; the plan states which.
    ``baseline`` is public: shares that the release is read beside, given or ``FromAuxiliary()``; it costs
    nothing and may be exchanged afterwards. ``about`` declares period, source, owner and date for the readers. With
    ``window`` only its records count, and windows of a declared partition cost no more than the largest of them.
    ``dialect`` declares how files are written (encoding, delimiter, sheet) where their first line does not tell.
    """
    require_kinds(mechanism=mechanism, adjacency=adjacency, quantity=quantity, sampling=sampling, window=window)
    require_kinds(dataset=dataset, snapshot=snapshot, budget=budget)
    require_kind("auxiliary", auxiliary, Auxiliary, NoneType)
    require_kind("baseline", baseline, Baseline, FromAuxiliary, NoneType)
    require_kind("dialect", dialect, Dialect)
    require_kind("loss", loss, PrivacyLoss)
    require_kind("denominator", denominator, int, PublicNumber, CountShare, TotalMass)
    require_kind("ledger", ledger, str, Path, NoneType)
    if not isinstance(atoms, AtomUniverse):
        raise RequestError("atoms must be a dictionary: dpspin.packs.load(name) or dpspin.load_atoms(path)")
    if not isinstance(unit, RecordUnit | UserUnit):
        raise RequestError("unit must be dpspin.RecordUnit() or dpspin.UserUnit(bound=…)")
    with explained_as(RequestError, "the request"):
        spec = ReleaseSpec(
            loss=loss,
            denominator=denominator,
            size=min(10, atoms.size) if size is None else size,
            admission=admission,
            beta=beta,
            margin=margin or CertifiedMargins(),
            bins=bins,
            title=title,
            about=about,
        )
    records = records_of(
        open_corpus(data, columns_of(text, user, unit, window), row_policy(bad_rows, unit), dialect),
        atoms=atoms,
        unit=unit,
        adjacency=adjacency,
        contribution_map=contribution_map or Recipe(),
        auxiliary=auxiliary,
        auxiliary_is_public=auxiliary_is_public,
        atoms_auxiliary=atoms_auxiliary,
        atoms_auxiliary_is_public=atoms_auxiliary_is_public,
        quantity=quantity,
        sampling=sampling,
    )
    records, public = beside_baseline(baseline, records, atoms, auxiliary)
    return release_to_curator(
        records,
        atoms=atoms,
        spec=with_mechanism(spec.model_copy(update={"baseline": public}), mechanism or Laplace(), records.origin),
        dataset=dataset or dataset_name(data),
        snapshot=snapshot,
        budget=budget,
        ledger=open_ledger(ledger or default_ledger()),
    ).plan


def records_of(
    corpus: ProtectedCorpus,
    *,
    atoms: AtomUniverse,
    unit: RecordUnit | UserUnit,
    adjacency: Adjacency,
    contribution_map: Recipe | ContributionMap,
    auxiliary: Auxiliary | None,
    auxiliary_is_public: bool = False,
    atoms_auxiliary: object | None = None,
    atoms_auxiliary_is_public: bool = False,
    quantity: AnyQuantity = MASS,
    sampling: AnySampling = EVERYONE,
) -> Records:
    """Fit the map on auxiliary text, before any protected record is read, and say what the records' sketch will mean.

    Auxiliary text, of the map and of the dictionary, is compared with them, unless it is declared public by itself.
    """
    if atoms_auxiliary_is_public and atoms_auxiliary is not None:
        raise RequestError("what is declared public is not compared: leave --atoms-aux or --atoms-aux-is-public out")
    if atoms_auxiliary is not None and not atoms.provenance.needs_comparison:  # else a reader would think it compared
        raise RequestError("this dictionary names no records that it was built from: leave --atoms-aux out")
    named = auxiliary.source if atoms_auxiliary is None and auxiliary is not None else atoms_auxiliary
    behind = None if atoms_auxiliary_is_public else records_behind(atoms.provenance, named, unit)
    text = open_auxiliary(auxiliary, with_users=corpus.columns.user is not None)
    fitted = fitted_map(contribution_map, atoms, text)
    if not auxiliary_is_public:
        require_comparable(auxiliary, unit)
    came_fitted = not isinstance(contribution_map, Recipe)
    learned = fitted.statement.learned_from_auxiliary or (text is not None and not came_fitted)
    separation = separation_of(
        behind_map=learned,
        map_is_public=auxiliary_is_public and (learned or text is None),  # else it is said of the baseline's text
        map_came_fitted=came_fitted,
        behind_dictionary=atoms.provenance.needs_comparison,
        dictionary_is_public=atoms_auxiliary_is_public,
    )
    return Records(
        corpus,
        fitted,
        SketchOrigin.of(atoms, fitted.statement, unit, adjacency, quantity, sampling, separation),
        text,
        auxiliary_is_public=auxiliary_is_public,
        built_from=atoms.provenance.auxiliary,
        behind_dictionary=behind,
    )


def beside_baseline(
    choice: Baseline | FromAuxiliary | None, records: Records, atoms: AtomUniverse, auxiliary: Auxiliary | None
) -> tuple[Records, Baseline | None]:
    """Return the public baseline: as it is given, or from the auxiliary text, which is then compared more strictly."""
    if not isinstance(choice, FromAuxiliary):
        return records, choice
    unit = records.origin.unit
    text = open_auxiliary(auxiliary, with_users=isinstance(unit, UserUnit))
    if text is None:
        raise RequestError("a baseline from auxiliary text needs that text: name it with --aux")
    apart = Apart.DECLARED_PUBLIC if records.auxiliary_is_public else Apart.COMPARED
    stated = records.origin.separation.model_copy(update={"map_text": apart})  # this text, whatever taught the map
    public = auxiliary_baseline(text, records.contribution_map, atoms, unit, stated)
    return replace(records, auxiliary_is_published=True), public


def fitted_map(
    choice: Recipe | ContributionMap, atoms: AtomUniverse, auxiliary: ProtectedCorpus | None
) -> ContributionMap:
    """Fit the map of Stage I, or take a fitted one: a release and the shards of a corpus must all use the same."""
    if isinstance(choice, Recipe):
        fitted = fit_by_recipe(choice, atoms, auxiliary)
        require_known_maker(fitted)  # the recipe may name an embedding model of the caller's
        return fitted
    require_known_maker(choice)
    if auxiliary is not None and auxiliary.columns.label is not None:
        raise RequestError("a fitted map learns nothing more from labels: leave --aux-label out, or fit the map again")
    if isinstance(choice, CalibratedMap | NgramMap) and choice.universe_digest != atoms.digest:
        raise DictionaryError("this map was fitted for another dictionary; fit it again")
    return choice


def fit_map(
    atoms: AtomUniverse, *, recipe: Recipe | None = None, auxiliary: Auxiliary | None = None
) -> ContributionMap:
    """Fit a map once, to look at its report card (``.statement.card``), to save it, and to give it to releases."""
    return fit_by_recipe(recipe or Recipe(), atoms, open_auxiliary(auxiliary, with_users=False))


def with_mechanism(spec: ReleaseSpec, choice: AnyMechanism | Auto, origin: SketchOrigin) -> ReleaseSpec:
    """Name the mechanism of a release; ``Auto`` lets public numbers decide, and leaves out a delta it does not need."""
    if not isinstance(choice, Auto):
        return spec.model_copy(update={"mechanism": choice})
    with within_floats():
        found = planned(
            spec.loss,
            origin.sensitivity,
            atoms=origin.universe_size,
            size=spec.size,
            besides=origin.contribution_map.besides,
            sampling=origin.sampling,
        )
    return spec.model_copy(update={"mechanism": found.mechanism, "loss": found.loss})


def release_to_curator(
    source: Records | Shards,
    *,
    atoms: AtomUniverse,
    spec: ReleaseSpec,
    dataset: str,
    snapshot: str,
    budget: PrivacyLoss | None,
    ledger: Ledger,
) -> Answer:
    """Ask at the desk for a plan of records, or of the shards of a corpus, once it is known that it can be told."""
    require_speakable(atoms)
    if isinstance(source, Shards):
        source.require_compared(atoms.provenance)
    request = Request(dataset, atoms, source.origin, spec, snapshot)
    return answer(request, source, ledger, first_budget=budget or spec.loss)


def dataset_name(data: object) -> str:
    """Name a dataset that the caller did not name: files by their place, frames not at all."""
    return UNNAMED if is_frame(data) else str(Path(str(data)).resolve())


def default_ledger() -> str:
    """Return where the ledger is kept: $DPSPIN_LEDGER (a path or a URL), or the user's data folder."""
    if chosen := os.environ.get("DPSPIN_LEDGER"):
        return chosen
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return str(Path(home) / "dpspin" / "ledger.db")


def columns_of(text: str, user: str | None, unit: RecordUnit | UserUnit, window: Window | None = None) -> Columns:
    """Name the columns to read; a user column goes with the user unit, and with no other."""
    match unit, user:
        case RecordUnit(), str():
            raise RequestError("a user column goes with the user unit: leave it out, or protect users (--unit user)")
        case UserUnit(), None:
            raise RequestError("users are protected, so name the column with the user id (--user)")
        case _:
            return Columns(text, user, window=window)


def row_policy(bad_rows: BadRows, unit: RecordUnit | UserUnit) -> RowPolicy:
    """Join the two policies on rows; what happens to records without a user id belongs to the unit."""
    return RowPolicy(bad_rows, unit.missing) if isinstance(unit, UserUnit) else RowPolicy(bad_rows)
