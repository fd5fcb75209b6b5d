"""A rival's release in plain words, without a model: its own names in its own order, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from dpspin_lab.baselines.private.release import BaselineRelease, Cluster, Clusters, Histogram

MOST_CLUSTERS = 4  # the paper's summary speaks of no more
_LEADING, _IN_TOPIC = 3, 2
_NAMES = {"keyword_histogram": "keyword", "category_histogram": "category"}
_PLURALS = {"keyword": "keywords", "category": "categories"}


@dataclass(frozen=True, slots=True)
class Verbalised:
    """The words of a release; ``topics`` are those of its clusters, in the release's order."""

    summary: str
    topics: tuple[str, ...] = ()


def template_words(release: BaselineRelease) -> Verbalised:
    """Write what was released: post-processing of the released object alone."""
    match release.released:
        case Histogram() as histogram:
            return Verbalised(_of_histogram(histogram, _NAMES[release.method]))
        case Clusters(clusters=clusters):
            return Verbalised(_of_clusters(clusters[:MOST_CLUSTERS]), tuple(map(topic_text, clusters)))
        case _:
            assert_never(release.released)


def topic_text(cluster: Cluster) -> str:
    r"""Describe one cluster in the form that a model is asked for.

    >>> from dpspin_lab.baselines.private.release import Entry
    >>> topic_text(Cluster(185, (Entry("credit", 90), Entry("report", 70), Entry("dispute", 20))))
    'Topic: credit, report\nDescription: Records in this group mention credit, report and dispute.'
    """
    names = [entry.name for entry in cluster.keywords]
    if not names:
        return "Topic: no keyword\nDescription: No public keyword stands out in this group."
    return f"Topic: {', '.join(names[:_IN_TOPIC])}\nDescription: Records in this group mention {joined(names)}."


def joined(names: Sequence[str]) -> str:
    """Write names as a list in a sentence.

    >>> joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _of_histogram(histogram: Histogram, name: str) -> str:
    names = [entry.name for entry in histogram.entries]
    if not names:
        return f"No public {name} has a noisy count above zero."
    leading, rest = names[:_LEADING], names[_LEADING:]
    text = f"By noisy counts, the leading public {_PLURALS[name]} are {joined(leading)}, the highest first."
    return f"{text} Then follow {joined(rest)}." if rest else text


def _of_clusters(clusters: Sequence[Cluster]) -> str:
    if not clusters:
        return "No group of records passed the noisy size test."
    count = "One group" if len(clusters) == 1 else f"The {len(clusters)} largest groups"
    lines = [f"{count} by noisy size, the largest first, with the public keywords that stand out:"]
    for cluster in clusters:
        names = [entry.name for entry in cluster.keywords]
        lines.append(f"- {joined(names)}." if names else "- no keyword stands out.")
    return "\n".join(lines)
