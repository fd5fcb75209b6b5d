"""The public baseline from auxiliary text: its shares under the very map that measures the records."""

from dataclasses import replace

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.baseline import Baseline, baseline_of
from dpspin.boundary.privacy import Adjacency, MissingUsers, RecordUnit, UserUnit
from dpspin.boundary.statement import Apart, ApartBy, Separation
from dpspin.curator.aggregate.local import Records, aggregate
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.assign.calibrated_map import CalibratedMap, HeldOut, as_if_new
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.records.auxiliary import Auxiliary, open_auxiliary
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.errors import RequestError

SOURCE = (
    "the auxiliary text{apart}, mapped like the records{clipped}{heart}; its shares are exact, since auxiliary text is "
    "not protected"
)
COMPARED = " (compared with the records)"
USERS = " (its users compared with those of the records)"
DECLARED = " (declared public, not compared with the records)"
CLIPPED = " and clipped like them, user by user"
NOT_CLIPPED = ", but not clipped, since it names no users"
HELD_OUT = ", held out where it taught the map"
BY_HEART = ", as the map knows it, which is by heart where it taught the map"


def auxiliary_baseline(
    corpus: ProtectedCorpus,
    contribution_map: ContributionMap,
    universe: AtomUniverse,
    unit: RecordUnit | UserUnit,
    separation: Separation,
) -> Baseline:
    """Map auxiliary text and publish its shares without noise: it is apart from the records, as checked or declared.

    Users are clipped as those of the release are, where the text names them: else one who writes much would count for
    much in the baseline and for little beside it, and the difference would pass for news. So would what a map knows
    by heart of labelled text.
    """
    named = corpus.columns.user is not None
    clipped = replace(unit, missing=MissingUsers.OWN_UNIT) if named and isinstance(unit, UserUnit) else RecordUnit()
    origin = SketchOrigin.of(universe, contribution_map.statement, clipped, Adjacency.ADD_DROP, separation=separation)
    as_new = as_if_new(contribution_map)
    sketch, _ = aggregate(corpus, as_new, origin)
    ticks = [float(ticks) for ticks in sketch.ticks]
    if not any(ticks):
        raise RequestError("the auxiliary text expresses no theme of the dictionary, so it gives no baseline")
    none = ticks[universe.size] if origin.contribution_map.answers_none else None
    source = _source(unit, separation.map_text, _heart(as_new), named=named)
    return baseline_of(universe, dict(zip(universe.ids, ticks, strict=False)), none, source=source)


def _heart(mapping: ContributionMap) -> str:
    """Tell whether shares may be labels given back; a saved map no longer knows which texts taught it."""
    if isinstance(mapping, HeldOut):
        return HELD_OUT
    return BY_HEART if isinstance(mapping, CalibratedMap) and mapping.statement.learned_from_auxiliary else ""


def _source(unit: RecordUnit | UserUnit, stated: Apart, heart: str, *, named: bool) -> str:
    told = CLIPPED if named else NOT_CLIPPED
    apart = {Apart.DECLARED_PUBLIC: DECLARED, Apart.USERS_COMPARED: USERS}.get(stated, COMPARED)
    return SOURCE.format(apart=apart, clipped=told if isinstance(unit, UserUnit) else "", heart=heart)


def beside_auxiliary(records: Records, auxiliary: Auxiliary | None, atoms: AtomUniverse) -> tuple[Records, Baseline]:
    """Return the public baseline from the auxiliary text, and the records, with which it is compared more strictly."""
    unit = records.origin.unit
    text = open_auxiliary(auxiliary, with_users=isinstance(unit, UserUnit))
    if text is None:
        raise RequestError("a baseline from auxiliary text needs that text: name it (`records.auxiliary.source`)")
    compared = Apart.USERS_COMPARED if records.apart_by is ApartBy.USERS else Apart.COMPARED
    apart = Apart.DECLARED_PUBLIC if records.auxiliary_is_public else compared
    stated = records.origin.separation.model_copy(update={"map_text": apart})  # this text, whatever taught the map
    public = auxiliary_baseline(text, records.contribution_map, atoms, unit, stated)
    return replace(records, auxiliary_is_published=True), public
