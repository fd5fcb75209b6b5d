"""Which map: one function from a name, a dictionary and auxiliary data to a fitted map."""

from dataclasses import replace
from enum import StrEnum

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.records.corpus import LABEL, TEXT, ProtectedCorpus
from dpspin.curator.stage1_assign.calibrated.fitting import (
    fit_cues,
    fit_hybrid,
    fit_supervised,
    fit_taught,
    has_examples,
)
from dpspin.curator.stage1_assign.calibrated.labels import LabelledTexts, read_labels
from dpspin.curator.stage1_assign.contribution import ContributionMap
from dpspin.curator.stage1_assign.examine import examine
from dpspin.curator.stage1_assign.scorers.idf import AuxiliaryIdf, PublicWordIdf
from dpspin.curator.stage1_assign.scorers.ngram import NgramMap
from dpspin.errors import RequestError

PAPERS_K = 3


class MapKind(StrEnum):
    """The maps there are. ``hybrid`` takes the best that dictionary and auxiliary data allow."""

    HYBRID = "hybrid"
    PAPER = "paper"
    CUES = "cues"
    TAUGHT = "taught"
    SUPERVISED = "supervised"


def fit_map(
    kind: MapKind, universe: AtomUniverse, auxiliary: ProtectedCorpus | None, atoms_per_record: int | None
) -> ContributionMap:
    """Fit a map on the dictionary and on auxiliary data; no protected record is read.

    ``atoms_per_record`` None is the map's own choice: three for the paper's map, no limit for calibrated ones, where
    a limit would only take away from what was measured.
    """
    if atoms_per_record is not None and atoms_per_record < 1:
        raise RequestError("a record must be allowed at least one atom (--per-record)")
    labelled = _labelled(universe, auxiliary)
    if kind is MapKind.PAPER or (kind is MapKind.HYBRID and labelled is None and not has_examples(universe)):
        fitted = _paper(universe, auxiliary, atoms_per_record)
        return replace(fitted, card=examine(fitted, universe, labelled))
    if auxiliary is not None and labelled is None:
        raise RequestError(
            "this map learns from auxiliary text only where it is labelled: name the column with the atoms of each "
            "text (--aux-label), leave the auxiliary data out, or use --map paper"
        )
    match kind:
        case MapKind.CUES:
            return fit_cues(universe, atoms_per_record)
        case MapKind.TAUGHT:
            return fit_taught(universe, _required(labelled), atoms_per_record)
        case MapKind.SUPERVISED:
            return fit_supervised(universe, _required(labelled), atoms_per_record)
        case _:
            return fit_hybrid(universe, labelled, atoms_per_record)


def _paper(universe: AtomUniverse, auxiliary: ProtectedCorpus | None, atoms_per_record: int | None) -> NgramMap:
    batches = None if auxiliary is None else (batch.column(TEXT) for batch in auxiliary.batches())
    idf = PublicWordIdf() if batches is None else AuxiliaryIdf(batches)
    return NgramMap.fit(universe, idf, PAPERS_K if atoms_per_record is None else atoms_per_record)


def _labelled(universe: AtomUniverse, auxiliary: ProtectedCorpus | None) -> LabelledTexts | None:
    if auxiliary is None or auxiliary.columns.label is None:
        return None
    texts, labels = [], []
    for batch in auxiliary.batches():
        texts += batch.column(TEXT).to_pylist()
        labels += batch.column(LABEL).to_pylist()
    return read_labels(universe, texts, labels)


def _required(labelled: LabelledTexts | None) -> LabelledTexts:
    if labelled is None:
        raise RequestError(
            "this map learns from labelled auxiliary text: give --aux and --aux-label, or use --map hybrid"
        )
    return labelled
