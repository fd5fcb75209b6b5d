"""All references of one corpus at once, as a table of methods needs them."""

from collections.abc import Iterator, Sequence

from dpspin.llm.chat import Chat
from dpspin_lab.baselines.references.clusters import CLUSTERS, Clusters
from dpspin_lab.baselines.references.plan import PlanSource
from dpspin_lab.baselines.references.samples import RECORDS, RawSample, RedactedSample, bounded_sample
from dpspin_lab.baselines.references.source import Reference, Source, refer
from dpspin_lab.reference import ReferencePlan


def references(
    texts: Sequence[str],
    plan: ReferencePlan | None = None,
    chat: Chat | None = None,
    *,
    records: int = RECORDS,
    clusters: int = CLUSTERS,
    seed: int = 0,
) -> Iterator[Reference]:
    """Write every reference: raw and redacted sample, clustering, and the plan where there is one."""
    sample = RawSample(bounded_sample(texts, records=records, seed=seed))
    sources: list[Source] = [sample, RedactedSample.of(sample), Clusters.of(texts, clusters=clusters, seed=seed)]
    if plan is not None:
        sources.append(PlanSource(plan))
    yield from (refer(source, chat) for source in sources)
