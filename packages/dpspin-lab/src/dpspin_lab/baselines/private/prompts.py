"""A rival's release in a language model's words: the paper's prompts in our wording, which show the release alone."""

from collections.abc import Sequence
from typing import assert_never

from dpspin.llm.chat import Chat
from dpspin_lab.baselines.private.release import BaselineRelease, Cluster, Clusters, Histogram
from dpspin_lab.baselines.private.words import MOST_CLUSTERS, Verbalised, template_words

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
