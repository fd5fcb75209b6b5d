"""Non-private clustering: TF-IDF, SVD, k-means, and the terms that tell each group from the rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dpspin.text.lists import listing
from dpspin_lab.baselines.grouping import grouped, term_points
from dpspin_lab.baselines.phrases import telling_terms
from dpspin_lab.baselines.references.prompts import cluster_prompt

CLUSTERS, TERMS = 10, 10  # as many as the paper's private clustering has
SPOKEN, NAMED = 4, 4  # groups in the paragraph, and terms that name one


@dataclass(frozen=True, slots=True)
class Cluster:
    """An exact size, and terms from the records."""

    size: int
    terms: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Clusters:
    """Groups of records, the largest first."""

    clusters: tuple[Cluster, ...]
    method: str = field(default="clustering", init=False)

    @classmethod
    def of(cls, texts: Sequence[str], *, clusters: int = CLUSTERS, terms: int = TERMS, seed: int = 0) -> "Clusters":
        """Cluster records."""
        groups = grouped(term_points(texts, seed), clusters, seed)
        found = telling_terms(texts, groups.of_point, terms)
        return cls(tuple(Cluster(size, words) for size, words in zip(groups.sizes, found, strict=True)))

    @property
    def settings(self) -> Mapping[str, object]:
        """The groups themselves: they are what the writer saw."""
        return {"clusters": [{"size": cluster.size, "terms": list(cluster.terms)} for cluster in self.clusters]}

    def prompt(self) -> str:
        """Show sizes and terms."""
        return cluster_prompt([f"size={one.size} | terms={', '.join(one.terms)}" for one in self.clusters])

    def extract(self) -> str:
        """Name the largest groups by their first terms."""
        named = [cluster for cluster in self.clusters if cluster.terms]
        if not named:
            return "No group of records has terms of its own."
        bullets = [f"- {listing(cluster.terms[:NAMED])}" for cluster in named[1:SPOKEN]]
        return "\n".join((f"The largest group of records is about {listing(named[0].terms[:NAMED])}.", *bullets))
