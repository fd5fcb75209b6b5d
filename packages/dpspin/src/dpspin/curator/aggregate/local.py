"""One process, one pass over the corpus, batch by batch."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import AuxiliaryText
from dpspin.boundary.privacy import Everyone
from dpspin.boundary.statement import WITH_THE_RECORDS, Apart, ApartBy
from dpspin.curator.aggregate.joint_cells import NO_FINDERS, Finders, joint_places
from dpspin.curator.aggregate.likeness import Likeness, likeness_of
from dpspin.curator.aggregate.read_sample import Drawing, Drawn, Readings, SampleSums, require_read, sums_over
from dpspin.curator.aggregate.secret_sample import draw_for
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.aggregate.storage import Storage, user_sums
from dpspin.curator.aggregate.totals import RecordTotals, UserTotals, totals_for
from dpspin.curator.assign.contribution import ContributionMap, Contributions
from dpspin.curator.assign.map_trust import ConsistencyChecked, is_ours
from dpspin.curator.records.columns import TEXT, USER, Columns, RowPolicy
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.curator.records.disjoint import Compared, Unseen, require_disjoint, require_other_data
from dpspin.errors import BoundViolation, RecordsRefused, RequestError

MOST_RECORDS = 2**32  # each has at most 2^30 ticks, so that no int64 sum can wrap


@dataclass(slots=True)
class Diagnostics:
    """Counts for the curator's own eyes: as private as the records, never part of a release."""

    records: int = 0
    without_text: int = 0
    without_atom: int = 0
    not_read: int = 0  # in languages that the map does not read

    def __repr__(self) -> str:
        return "Diagnostics(<private>)"


@dataclass(frozen=True, slots=True)
class Records:
    """Records that are measured here and now: a corpus, the map, and what their sketch will mean."""

    corpus: ProtectedCorpus
    contribution_map: ContributionMap
    origin: SketchOrigin
    auxiliary: ProtectedCorpus | None = None  # what the map was fitted on, or the baseline comes from
    auxiliary_is_public: bool = False  # so it is not compared, whether or not the map learned from it
    apart_by: ApartBy = ApartBy.WORDS  # what is compared of it, and of the text behind the dictionary
    auxiliary_is_published: bool = False  # its exact shares stand in the plan, as the baseline
    built_from: tuple[AuxiliaryText, ...] = ()  # what dictionary and candidates say that they were built from, …
    behind_dictionary: ProtectedCorpus | None = None  # … and the same text, to be compared
    announce: Callable[[], None] | None = None  # told to the curator before the map reads a record
    readings: Readings | None = field(default=None, repr=False)  # of a secret sample of them, by somebody
    finders: Finders = field(default_factory=dict, repr=False)  # of facets that look at the text

    def __post_init__(self) -> None:
        self._require_texts()
        # asked by name: the one map that keeps answers is an optional extra, and not imported here
        if getattr(self.contribution_map, "leaves_a_trace", False) and not isinstance(self.origin.sampling, Everyone):
            raise RequestError(
                "a random sample must leave no list of who was drawn, and this map keeps its answers in a file: "
                "give it AnswersOfThisRun()"
            )

    def _require_texts(self) -> None:
        """Refuse a statement that is not true of these texts."""
        stated = self.origin.separation
        if self.auxiliary is None and stated.map_text in WITH_THE_RECORDS:
            raise RequestError(
                "this map has learned from auxiliary text: name that text again (`records.auxiliary.source`), so that "
                "it can be compared with the records, or declare it public (`records.auxiliary_is_public`)"
            )
        hidden = bool(self.built_from) and stated.dictionary_text is Apart.NO_TEXT
        if hidden or _contradicts(stated.dictionary_text, self.behind_dictionary):
            raise RequestError(
                "this dictionary was built from auxiliary text: name that text again (`records.atoms_auxiliary`), so "
                "that it can be compared with the records, or declare it public (`records.atoms_auxiliary_is_public`)"
            )

    @property
    def columns(self) -> Columns:
        """The columns that are read."""
        return self.corpus.columns

    @property
    def policy(self) -> RowPolicy:
        """What is done with rows that cannot be used."""
        return self.corpus.policy

    @property
    def declared(self) -> dict[str, str]:
        """What was declared about how the files are written."""
        return self.corpus.declared

    @property
    def state(self) -> None:
        """No name was declared for the state of the data: it is known by its content."""

    def content_digest(self) -> str:
        """Identify the content; it goes into the ledger only."""
        return self.corpus.content_digest()

    def content_parts(self) -> tuple[str, ...]:
        """Identify each file; private like the content."""
        return self.corpus.content_parts()

    def likeness(self, key: bytes) -> Likeness:
        """Sample texts and users for the ledger, of all records: a random sample is drawn later."""
        return likeness_of(self.corpus.batches(), key)

    def watched(self, tell: Callable[[int], None]) -> "Records":
        """Return the same records; each batch that is read is told, for a progress display."""
        return replace(self, corpus=self.corpus.watched(tell))

    def require_unseen(self) -> Unseen:
        """Refuse a map or a dictionary that was made from some of these records; say how that was found out."""
        if any(text.is_of(self.corpus.content_digest()) for text in self.built_from):
            raise RecordsRefused(
                "the dictionary, or its candidates, were built from the protected data; build them from other records"
            )
        stated = self.origin.separation
        card = self.contribution_map.statement.card
        published = self.auxiliary_is_published or (card is not None and card.real_text)
        return Unseen(
            self._compared(
                self.auxiliary,
                declared=self.auxiliary_is_public or stated.map_text is Apart.DECLARED_PUBLIC,
                published=published,
            ),
            self._compared(
                self.behind_dictionary,
                declared=stated.dictionary_text is Apart.DECLARED_PUBLIC,
                published=True,  # it stands in the report
            ),
        )

    def _compared(self, text: ProtectedCorpus | None, *, declared: bool, published: bool) -> Compared | None:
        if text is None:
            return None
        if declared:
            require_other_data(text, self.corpus)
            return None
        return require_disjoint(text, self.corpus, published=published, by=self.apart_by)

    def prepare(self) -> Unseen:
        """Do what comes before the map reads a record, and after the ledger has agreed."""
        check = self.require_unseen()
        if self.announce is not None:
            self.announce()
        return check

    def drawn(self, drawing: Drawing) -> tuple[Drawn, ...]:
        """Return the records of a sample; refuse readings that are not of these very records."""
        drawn = drawing.of(self.corpus)
        require_read(drawn, self.readings or {})
        return drawn

    def sums_over(self, drawn: tuple[Drawn, ...]) -> SampleSums:
        """Hold what was read against what the map makes of the same records."""
        ask = self.checked_map()
        mapped = ask(pa.array([each.text for each in drawn], pa.large_string()))
        ask.require_the_same_again()
        return sums_over(drawn, self.readings or {}, mapped, self.origin)

    def checked_map(self) -> ConsistencyChecked:
        """Return the map under the eyes of one who asks again."""
        return _checked(self.contribution_map, self.origin)

    def measure(self, storage: Storage | None = None) -> tuple[Sketch, Diagnostics]:
        """Read every record once; the map must not have been fitted on any of them."""
        self.prepare()
        return aggregate(self.corpus, self.contribution_map, self.origin, storage, self.finders)


def _contradicts(stated: Apart, text: ProtectedCorpus | None) -> bool:
    """Tell a comparison with a text that is not there, and a text of which the statement says nothing."""
    return stated in WITH_THE_RECORDS if text is None else stated is Apart.NO_TEXT


def aggregate(
    corpus: ProtectedCorpus,
    contribution_map: ContributionMap,
    origin: SketchOrigin,
    storage: Storage | None = None,
    finders: Finders = NO_FINDERS,
) -> tuple[Sketch, Diagnostics]:
    """Map every batch, keep integer totals, finish the sketch. It is the same, bit for bit, for any storage."""
    with closing(user_sums(storage)) as sums:
        totals = totals_for(origin, sums=sums)
        seen = read_into(totals, corpus, contribution_map, finders)
        return totals.finish(), seen


def read_into(
    totals: RecordTotals | UserTotals,
    corpus: ProtectedCorpus,
    contribution_map: ContributionMap,
    finders: Finders = NO_FINDERS,
) -> Diagnostics:
    """Map every batch of the corpus, or a random sample of its units, and add it to the totals.

    Some of the records are then mapped again: a map that looks at more than one of them at a time is refused.
    """
    if contribution_map.statement != totals.origin.contribution_map:
        raise RequestError("the records would be mapped by another map than the sketch states")
    seen = Diagnostics()
    draw = draw_for(totals.origin)
    checked_map = _checked(contribution_map, totals.origin)
    for read in corpus.batches():
        seen.records += read.num_rows
        require_countable(seen)
        batch = draw(read)
        users = batch.column(USER) if USER in batch.schema.names else None
        contributions = checked_map(batch.column(TEXT))
        totals.add(contributions, users, joint_places(batch, totals.origin.facets, finders))
        seen.without_text += batch.column(TEXT).null_count
        seen.without_atom += contributions.records - _with_atom(contributions, totals.origin)
        seen.not_read += _in_other_languages(contributions, totals.origin)
    checked_map.require_the_same_again()
    return seen


def _checked(contribution_map: ContributionMap, origin: SketchOrigin) -> ConsistencyChecked:
    """Let a map work under the eyes of one who asks again."""
    return ConsistencyChecked(partial(_mapped, contribution_map, origin), trusted=is_ours(contribution_map))


def _mapped(contribution_map: ContributionMap, origin: SketchOrigin, texts: pa.StringArray) -> Contributions:
    """Ask a map, and refuse an answer that does not fit the texts or the sketch."""
    contributions = contribution_map(texts)
    if not isinstance(contributions, Contributions):  # only their constructor has checked the bounds
        raise BoundViolation("a map must return Contributions")
    if contributions.records != len(texts):  # else one record could count several times
        raise BoundViolation("a map must return one row per record")
    if contributions.universe_size != origin.coordinates:  # else "none of these" could pass for an atom
        raise BoundViolation(
            "a map must return one coordinate per atom of the dictionary, and one more exactly if it answers none"
        )
    return contributions


def _with_atom(contributions: Contributions, origin: SketchOrigin) -> int:
    """Count the records that gave something to an atom; "none of these" is not one."""
    return int(np.count_nonzero(np.bincount(contributions.rows[contributions.atoms < origin.universe_size])))


def _in_other_languages(contributions: Contributions, origin: SketchOrigin) -> int:
    last = origin.coordinates - 1  # "not read" comes last, where it is measured
    return int((contributions.atoms == last).sum()) if origin.contribution_map.languages else 0


def require_countable(seen: Diagnostics) -> None:
    """Refuse more records than a sketch can hold."""
    if seen.records > MOST_RECORDS:
        raise RequestError("the corpus is too large for one sketch: more than 2^32 records; release it in parts")
