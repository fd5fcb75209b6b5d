"""A rival's release in words, which show the release alone: by a template, or by a language model that is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from dpspin.llm.chat import Chat
from dpspin.text.words import listing
from dpspin_lab.baselines.private.release import BaselineRelease, Cluster, Clusters, Histogram

MOST_CLUSTERS = 4  # the paper's summary speaks of no more
_LEADING, _IN_TOPIC = 3, 2
_NAMES = {"keyword_histogram": "keyword", "category_histogram": "category"}
_PLURALS = {"keyword": "keywords", "category": "categories"}
_COMMON = (
    "Make nothing up: no examples, names, organisations, dates, quotations, places or details of a record.",
    "You have seen no records. Do not write as if you had.",
)
_TOPIC_RULES = (
    "Use the keywords below and the noisy size, and nothing else.",
    "The size only tells how large the group is: do not repeat the number.",
    *_COMMON,
    "No XML tags and no Markdown headings.",
    "Answer in two lines: `Topic: ` with a short name, then `Description: ` with one or two sentences.",
)
_SUMMARY_FORM = "One concise paragraph; after it, only if that helps, at most three short bullets."


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
    return f"Topic: {', '.join(names[:_IN_TOPIC])}\nDescription: Records in this group mention {listing(names)}."


def _of_histogram(histogram: Histogram, name: str) -> str:
    names = [entry.name for entry in histogram.entries]
    if not names:
        return f"No public {name} has a noisy count above zero."
    leading, rest = names[:_LEADING], names[_LEADING:]
    text = f"By noisy counts, the leading public {_PLURALS[name]} are {listing(leading)}, the highest first."
    return f"{text} Then follow {listing(rest)}." if rest else text


def _of_clusters(clusters: Sequence[Cluster]) -> str:
    if not clusters:
        return "No group of records passed the noisy size test."
    count = "One group" if len(clusters) == 1 else f"The {len(clusters)} largest groups"
    lines = [f"{count} by noisy size, the largest first, with the public keywords that stand out:"]
    for cluster in clusters:
        names = [entry.name for entry in cluster.keywords]
        lines.append(f"- {listing(names)}." if names else "- no keyword stands out.")
    return "\n".join(lines)


def verbalise(release: BaselineRelease, chat: Chat) -> Verbalised:
    """Have a model put the released object into words; an empty release is left to the template."""
    match release.released:
        case Histogram(entries=()) | Clusters(clusters=()):
            return template_words(release)
        case Histogram() as histogram:
            return Verbalised(_asked(chat, histogram_prompt(histogram)))
        case Clusters(clusters=clusters):
            topics = tuple(_asked(chat, topic_prompt(cluster)) for cluster in clusters)
            summary = _asked(chat, summary_prompt(clusters[:MOST_CLUSTERS], topics[:MOST_CLUSTERS]))
            return Verbalised(summary, topics)
        case _:
            assert_never(release.released)


def topic_prompt(cluster: Cluster) -> str:
    """Ask for the name and description of one cluster."""
    return _prompt(
        "Below is one group of records as it was released: selected public keywords and a noisy size.",
        "Name its topic shortly, and describe it briefly as an aggregate.",
        _TOPIC_RULES,
        f"Noisy size of the group:\n\n{cluster.size}\n\nSelected keywords:\n\n{_keywords(cluster)}",
    )


def summary_prompt(clusters: Sequence[Cluster], topics: Sequence[str]) -> str:
    """Ask for one summary of the first clusters, from their keywords and descriptions."""
    groups = (
        f"Group {number}\nKeywords: {_keywords(cluster)}\n{topic}"
        for number, (cluster, topic) in enumerate(zip(clusters, topics, strict=True), start=1)
    )
    return _prompt(
        "Below are released groups of records, the largest first: public keywords and a description each.",
        "Write one aggregate summary of them.",
        ("Use these keywords and descriptions, and nothing else.", *_COMMON, "Give no numbers.", _SUMMARY_FORM),
        "\n\n".join(groups),
    )


def histogram_prompt(histogram: Histogram) -> str:
    """Ask for a summary of noisy counts."""
    return _prompt(
        "Below are public names with noisy counts, as they were released.",
        "Write one aggregate summary of them.",
        ("Use these names and their order, and nothing else.", *_COMMON, "Give no numbers.", _SUMMARY_FORM),
        "\n".join(f"- {entry.name}: {entry.count}" for entry in histogram.entries),
    )


def _prompt(what: str, task: str, rules: Sequence[str], released: str) -> str:
    numbered = "\n".join(f"{number}. {rule}" for number, rule in enumerate(rules, start=1))
    return f"{what}\n\n{task}\n\nRules:\n{numbered}\n\n{released}"


def _keywords(cluster: Cluster) -> str:
    return ", ".join(entry.name for entry in cluster.keywords) or "(none)"


def _asked(chat: Chat, prompt: str) -> str:
    return chat.text(({"role": "user", "content": prompt},)).strip()
