"""A data set and unit, opened: split, dictionaries and prepared records, each made once and kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.sealed import digest_of
from dpspin.boundary.software import SOFTWARE
from dpspin.lab.datasets.corpus import Corpus
from dpspin.lab.datasets.registry import DatasetKind
from dpspin.lab.datasets.split import Split, split_by_hash
from dpspin.lab.not_private import evaluation_folder
from dpspin.lab.runs.config import RunConfig, Unit
from dpspin.lab.runs.prepare import digest_of_records, prepared_files
from dpspin.lab.runs.setting import Setting, setting_of
from dpspin.public.report.folder import write_whole
from dpspin.public.stage0_atoms.build.manifest import Built
from dpspin.public.stage0_atoms.build.phrases import build_phrases
from dpspin.public.stage0_atoms.build.profile import read_profile
from dpspin.public.stage0_atoms.build.taxonomy import build_taxonomy
from dpspin.public.stage0_atoms.files import dumps, load

AUXILIARY_SHARE, SALT = 0.5, "0"
FEWEST: Final = (
    2  # auxiliary reviews behind a phrase: the m best supported are taken, and a manifest has their supports
)
Files = dict[tuple[int, int, bool], Path]  # by m, K, and whether the probe is in
PROFILES: Final = {"amazon": "amazon-beauty", "yelp": "yelp-restaurants"}


@dataclass(frozen=True)
class Workspace:
    """What the runs of one data set and unit start from, under ``<out>/<dataset>``."""

    kind: DatasetKind
    unit: Unit
    corpus: Corpus
    out: Path

    @cached_property
    def split(self) -> Split:
        """The auxiliary and the target part, user-disjoint at user level."""
        by_user = self.unit == "user"
        return split_by_hash(self.corpus, by_user=by_user, auxiliary_share=AUXILIARY_SHARE, salt=SALT)

    @cached_property
    def largest(self) -> AtomUniverse:
        """The largest dictionary: built from the auxiliary part once, and kept with its manifest."""
        size = max(self.kind.m + self.kind.m_ablation)
        made_from = digest_of([digest_of_records(self.split.auxiliary), size, FEWEST, SOFTWARE])[-12:]
        stem = f"{self.unit}-m{size}-{made_from}"
        atoms, manifest = (self.folder("atoms") / f"{stem}{ending}.json" for ending in ("", ".manifest"))
        if not (atoms.exists() and manifest.exists()):
            built = self._built(size)
            write_whole(manifest, built.manifest.to_json().encode())
            write_whole(atoms, dumps(built.universe).encode())
        return load(atoms)

    @cached_property
    def dictionaries(self) -> dict[int, AtomUniverse]:
        """The dictionaries of the paper by their size: the heads of the largest."""
        heads = (head(self.largest, size) for size in sorted({*self.kind.m, *self.kind.m_ablation}))
        return {each.size: each for each in heads}

    @cached_property
    def setting(self) -> Setting:
        """The sizes of the runs."""
        return setting_of(self.kind, self.unit, self.split, tuple(self.dictionaries))

    def prepared(self, ks: Sequence[int]) -> Files:
        """Return the prepared file for each m and K."""
        return {
            (m, k, False): path
            for m, universe in self.dictionaries.items()
            for k, path in prepared_files(self.folder("prepared"), self.split, universe, ks).items()
        }

    def prepared_probe(self, k: int) -> Files:
        """Return the prepared file of the probe: its dictionary is the main one with one atom more."""
        main = self.dictionaries[self.setting.main_m]
        paths = prepared_files(self.folder("prepared"), self.split, main, [k], probe=True)
        return {(main.size + 1, k, True): paths[k]}

    def prepared_for(self, config: RunConfig) -> Path:
        """Return the prepared file of one run, whatever size of dictionary it asks for."""
        probe = config.probe_support is not None
        universe = head(self.largest, config.m - probe)
        return prepared_files(self.folder("prepared"), self.split, universe, [config.K], probe=probe)[config.K]

    def folder(self, name: str) -> Path:
        """Return a folder of the data set, made and marked."""
        return evaluation_folder(self.out / self.kind.name / name)

    def _built(self, size: int) -> Built:
        auxiliary = self.split.auxiliary
        if self.kind.name in PROFILES:
            profile = read_profile(PROFILES[self.kind.name])
            return build_phrases(auxiliary.texts, profile, size=size, min_support=FEWEST)
        return build_taxonomy(auxiliary.paths, size, name=self.kind.name)


def head(universe: AtomUniverse, size: int) -> AtomUniverse:
    """Return the dictionary of the ``size`` atoms with the most support: they come first."""
    if size >= universe.size:
        return universe
    return universe.model_copy(update={"name": f"{universe.name}-{size}", "atoms": universe.atoms[:size]})


def file_of(config: RunConfig, files: Files) -> Path:
    """Return the prepared file that a run starts from."""
    return files[config.m, config.K, config.probe_support is not None]
