"""One trial of phrases that nobody listed: what one unit more changes, exactly, and how often it is shown, counted.

Both neighbours are read and counted by the shipped code. A unit whose phrases others have too moves their counts, each
over the scale of the noise: that is epsilon. A unit whose phrases nobody else has shows one of them with a chance that
must not exceed delta: where it does, no epsilon is enough. The same chance is counted with the shipped sampler.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from dpspin.audit.trial import Effort, Outcome, bound_of
from dpspin.boundary.phrases import PhraseTerms
from dpspin.boundary.privacy import PrivacyLoss, RecordUnit, UserUnit
from dpspin.curator.aggregate.phrase_counts import count_phrases
from dpspin.curator.records.columns import TEXT, USER, Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.text.phrases import phrases_in

LOSS: Final = PrivacyLoss(1.0, 0.02)  # a delta that can be counted: for a collection of one
SHARED: Final = ("The battery overheats.", "My parcel vanished.")
OWN: Final = ("A quiet ferry.", "The purple umbrella.")
CROWD: Final = 5

Counts = Mapping[str, int]


def terms_for(unit: RecordUnit | UserUnit, per_unit: int) -> PhraseTerms:
    """Return what is claimed."""
    return PhraseTerms(loss=LOSS, unit=unit.kind, per_unit=per_unit, denominator=1)


def counted(table: pa.Table, unit: RecordUnit | UserUnit, per_unit: int) -> Counts:
    """Read and count as a release does."""
    columns = Columns(TEXT, USER) if isinstance(unit, UserUnit) else Columns(TEXT)
    return count_phrases(open_corpus(table, columns), per_unit).units


def unbounded(table: pa.Table, _unit: RecordUnit | UserUnit, _per_unit: int) -> Counts:
    """Let every record name all of its phrases."""
    return Counter(phrase for text in table.column(TEXT).to_pylist() for phrase in phrases_in([text]))


def record_by_record(table: pa.Table, _unit: RecordUnit | UserUnit, per_unit: int) -> Counts:
    """Bound each record of a user by itself."""
    return counted(table, RecordUnit(), per_unit)


def at_its_threshold(terms: PhraseTerms) -> int:
    """Return the count from which on a phrase is shown."""
    return terms.threshold + 1


def above_zero(_terms: PhraseTerms) -> int:
    """Show whatever is above zero, as if a delta cost nothing."""
    return 1


def equal_counts_too(terms: PhraseTerms) -> int:
    """Show counts that equal the threshold as well, as the library does."""
    return terms.threshold


@dataclass(frozen=True, slots=True)
class PhrasePath:
    """How phrases are counted, and from which noisy count on they are shown; by default as in a release."""

    count: Callable[[pa.Table, RecordUnit | UserUnit, int], Counts] = counted
    shown_from: Callable[[PhraseTerms], int] = at_its_threshold


@dataclass(frozen=True, slots=True)
class PhraseMutant:
    """A fault of phrases, and the units with which it must be caught."""

    fault: str
    path: PhrasePath
    units: tuple[type[RecordUnit | UserUnit], ...] = (RecordUnit, UserUnit)


PHRASE_MUTANTS: Final = (
    PhraseMutant("number of phrases not bounded", PhrasePath(count=unbounded)),
    PhraseMutant("bounded record by record", PhrasePath(count=record_by_record), (UserUnit,)),
    PhraseMutant("threshold without delta", PhrasePath(shown_from=above_zero)),
    PhraseMutant("shown at the threshold too", PhrasePath(shown_from=equal_counts_too)),
)


def phrase_trial(unit: RecordUnit | UserUnit, path: PhrasePath, effort: Effort) -> Outcome:
    """Compare neighbours exactly and, of what is shipped, count how often a unit of its own kind is shown."""
    lost = max(_lost(own, per_unit, unit, path) for own in (SHARED, OWN) for per_unit in (1, 2))
    if path != PhrasePath():
        return Outcome(0.0, 0, exact_loss=lost)
    times = _times_shown(unit, effort.releases)
    return Outcome(float(bound_of(times, 0, effort.releases, LOSS.delta, effort)), effort.releases, exact_loss=lost)


def _lost(own: tuple[str, ...], per_unit: int, unit: RecordUnit | UserUnit, path: PhrasePath) -> float:
    """Return the epsilon of one unit more, at the claimed delta."""
    terms = terms_for(unit, per_unit)
    before, after = (path.count(_records(each, unit), unit, per_unit) for each in ((), own))
    alone = [after[phrase] for phrase in after.keys() - before.keys()]
    unseen = math.prod(1 - terms.above(path.shown_from(terms) - 1 - count) for count in alone)
    moved = sum(after[phrase] - before[phrase] for phrase in before)
    return math.inf if 1 - unseen > LOSS.delta else moved / terms.scale


def _times_shown(unit: RecordUnit | UserUnit, releases: int) -> int:
    """Count how often anything is shown of a collection of one: without that unit, nothing ever is."""
    terms, noise = terms_for(unit, 1), SecureNoise()
    counts = counted(_records(OWN, unit, crowd=0), unit, 1)
    return sum(bool(noise.above_threshold(counts, terms)) for _ in range(releases))


def _records(own: tuple[str, ...], unit: RecordUnit | UserUnit, crowd: int = CROWD) -> pa.Table:
    """Return a crowd that has the shared phrases, and one unit more with its own: in two records where it is a user."""
    texts = own if isinstance(unit, UserUnit) or not own else (" ".join(own),)
    everyone = [(f"u{place}", text) for place in range(crowd) for text in SHARED]
    users, words = zip(*everyone, *(("one more", text) for text in texts), strict=True)
    return pa.table({USER: pa.array(users), TEXT: pa.array(words)})
