"""A data set and unit, opened: split, dictionaries and prepared records, each made once and kept."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.safe_files import write_whole
from dpspin.boundary.software import SOFTWARE
from dpspin.errors import RequestError
from dpspin.public.atoms.build.manifest import Built
from dpspin.public.atoms.build.phrases import build_phrases
from dpspin.public.atoms.build.profile import read_profile
from dpspin.public.atoms.build.taxonomy import build_taxonomy
from dpspin.public.atoms.dictionary_files import dumps, load
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.registry import DatasetKind
from dpspin_lab.datasets.split import Split, split_by_hash, split_by_time
from dpspin_lab.not_private import evaluation_folder
from dpspin_lab.runs.config import DictionaryName, MapName, RunConfig, Source, SplitName, Unit
from dpspin_lab.runs.grids import Setting, Variant, setting_of
from dpspin_lab.runs.record_preparation import Recipe, digest_of_records, prepared_files

AUXILIARY_SHARE, SALT = 0.5, "0"
FEWEST: Final = (
    2  # auxiliary reviews behind a phrase: the m best supported are taken, and a manifest has their supports
)
SUPPORTED: Final = 25  # the paper's rule for Amazon: every candidate with so many auxiliary reviews is an atom
GIVEN: Final = frozenset(("written", "published"))  # dictionaries that are not built from the records at hand
Files = dict[Source, Path]
PROFILES: Final = {"amazon": "amazon-beauty", "yelp": "yelp-restaurants"}


@dataclass(frozen=True)
class Workspace:
    """What the runs of one data set and unit start from, under ``<out>/<dataset>``."""

    kind: DatasetKind
    unit: Unit
    corpus: Corpus
    out: Path
    how: SplitName = "hash"
    dictionary: DictionaryName = "built"

    @cached_property
    def split(self) -> Split:
        """The auxiliary and the target part, user-disjoint at user level."""
        by_user = self.unit == "user"
        if self.how == "time":
            return split_by_time(self.corpus, self.kind.day_of(self.corpus), by_user=by_user)
        return split_by_hash(self.corpus, by_user=by_user, auxiliary_share=AUXILIARY_SHARE, salt=SALT)

    @property
    def is_parted_by_time(self) -> bool:
        """Whether there are older and newer records: a file may have no days, or none before the day of the split."""
        days = [day for day in self.corpus.days if day]
        return bool(days) and min(days) < self.kind.day_of(self.corpus) <= max(days)

    @cached_property
    def largest(self) -> AtomUniverse:
        """The largest dictionary: built from the auxiliary part once, kept with its manifest; or one that is given."""
        if self.dictionary in GIVEN:
            return self._given()
        fewest = SUPPORTED if self.dictionary == "supported" else FEWEST
        size = None if self.dictionary == "supported" else max(self.kind.m + self.kind.m_ablation)
        made_from = digest_of([digest_of_records(self.split.auxiliary), size, fewest, SOFTWARE])[-12:]
        stem = f"{self.unit}-{'supported' if size is None else f'm{size}'}-{made_from}"
        atoms, manifest = (self.folder("atoms") / f"{stem}{ending}.json" for ending in ("", ".manifest"))
        if not (atoms.exists() and manifest.exists()):
            built = self._built(size, fewest)
            write_whole(manifest, built.manifest.to_json().encode())
            write_whole(atoms, dumps(built.universe).encode())
        return load(atoms)

    @cached_property
    def dictionaries(self) -> dict[int, AtomUniverse]:
        """The dictionaries of the paper by their size: the heads of the largest."""
        if self.dictionary != "built":
            return {self.largest.size: self.largest}
        heads = (head(self.largest, size) for size in sorted({*self.kind.m, *self.kind.m_ablation}))
        return {each.size: each for each in heads}

    @cached_property
    def setting(self) -> Setting:
        """The sizes of the runs."""
        return setting_of(self.kind, self.unit, self.split, tuple(self.dictionaries))

    def prepared(self, m: int, ks: Sequence[int], *, by: MapName = "ngram", probe: bool = False) -> Files:
        """Return the prepared file for each K, by either map; with the probe, the dictionary has one atom more."""
        recipe = Recipe(by, self.kind.labelled, probe)
        paths = prepared_files(self.folder("prepared"), self.split, head(self.largest, m - probe), ks, recipe)
        return {Source(m, k, probe, self.how, self.dictionary, by): path for k, path in paths.items()}

    def prepared_for(self, config: RunConfig) -> Path:
        """Return the prepared file of one run, whatever size of dictionary it asks for."""
        source = config.source
        self._require_atoms(source.m - source.probe)
        if source.assignment_map == "hybrid" and self.dictionary != "written" and not self.kind.labelled:
            raise RequestError(
                f"the hybrid map learns from labels or examples, and the {self.dictionary} dictionary of "
                f"{self.kind.name} has neither: set dictionary to written, or assignment_map to names"
            )
        return self.prepared(source.m, [source.K], by=source.assignment_map, probe=source.probe)[source]

    def _require_atoms(self, asked: int) -> None:
        if asked > self.largest.size:
            raise RequestError(
                f"the {self.dictionary} dictionary of {self.kind.name} has {self.largest.size} atoms here, and the run "
                f"asks for {asked}; set m to {self.largest.size} at most (a probe counts as one more)"
            )

    def folder(self, name: str) -> Path:
        """Return a folder of the data set, made and marked."""
        return evaluation_folder(self.out / self.kind.name / name)

    def _given(self) -> AtomUniverse:
        given = self.kind.published if self.dictionary == "published" else self.kind.written
        if given is None:
            raise RequestError(f"there is no {self.dictionary} dictionary for {self.kind.name}; use the built one")
        return given()

    def _built(self, size: int | None, fewest: int) -> Built:
        auxiliary = self.split.auxiliary
        if self.kind.name in PROFILES:
            profile = read_profile(PROFILES[self.kind.name])
            return build_phrases(auxiliary.texts, profile, size=size, min_support=fewest)
        if size is None:
            raise RequestError(f"the paper fixes the size of {self.kind.name}'s dictionary: set dictionary to built")
        return build_taxonomy(auxiliary.paths, size, name=self.kind.name)


def other_starts(workspace: Workspace, k: int) -> tuple[list[Variant], Files]:
    """Prepare the main configuration once more: split by time, where days allow it, and by the hybrid map.

    The hybrid learns from labels, and then by either split, and uncut as well (K = m), as the product uses it. Without
    labels it learns from examples, which built dictionaries do not have: then from the written one, and the paper's map
    stands beside it on the same atoms. So do both maps that need no more than labels, on those that the paper printed.
    """
    later = [replace(workspace, how="time")] if workspace.is_parted_by_time else []
    starts: list[tuple[Workspace, list[int], MapName]] = [(each, [k], "ngram") for each in later]
    if workspace.kind.labelled:
        starts += [(each, [k, each.setting.main_m], "hybrid") for each in (workspace, *later)]
    else:
        written = replace(workspace, dictionary="written")
        starts += [(written, [k], "hybrid"), (written, [k], "ngram")]
    if workspace.kind.published is not None:
        printed = replace(workspace, dictionary="published")
        starts += [(printed, [k], "ngram"), (printed, [k], "names")]
    every = [(start.setting.n, start.prepared(start.setting.main_m, ks, by=by)) for start, ks, by in starts]
    variants = [Variant(source, n) for n, files in every for source in files]
    return variants, {source: path for _, files in every for source, path in files.items()}


def head(universe: AtomUniverse, size: int) -> AtomUniverse:
    """Return the dictionary of the ``size`` atoms with the most support: they come first."""
    if size >= universe.size:
        return universe
    return universe.model_copy(update={"name": f"{universe.name}-{size}", "atoms": universe.atoms[:size]})


def file_of(config: RunConfig, files: Files) -> Path:
    """Return the prepared file that a run starts from."""
    return files[config.source]
