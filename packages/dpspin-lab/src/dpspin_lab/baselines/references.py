"""The paper's non-private references: what a text can say whose writer has seen the records. NOT private.

A language model that reads exact data is the curator's, unless the records are declared public.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from dpspin.curator.records.columns import TEXT, USER, Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin.text.words import listing
from dpspin_lab.baselines.grouping import grouped, recurring, telling_terms, term_points
from dpspin_lab.baselines.redaction import redacted
from dpspin_lab.not_private import require_reader, write_not_private
from dpspin_lab.studies.simulated_releases import seeded

EXTRACTIVE = "extractive template"
_TASK = "Describe in a short aggregate summary which themes come back in"
_RULES = (
    "Speak of themes that many of them share, never of a single one.",
    "Quote nothing.",
    "Leave out names, identifiers, addresses, dates and whatever else belongs to one record.",
    "Describe no single user, reviewer, business or organisation.",
    "Write one short paragraph; at most three short bullets may follow it.",
)
RECORDS, CHARACTERS = 60, 600  # the paper says "bounded" and no number: this fits a window of 16,000 tokens
PHRASES, FIRST = 12, 4
CLUSTERS, TERMS = 10, 10  # as many as the paper's private clustering has
SPOKEN, NAMED = 4, 4  # groups in the paragraph, and terms that name one


def asked(chat: Chat, prompt: str, *, records_are_public: bool = False) -> str:
    """Ask for words."""
    require_reader(chat, records_are_public=records_are_public)
    return chat.text(({"role": "user", "content": prompt},)).strip()


def asked_fields(
    chat: Chat, prompt: str, name: str, kinds: Mapping[str, str], *, records_are_public: bool = False
) -> dict[str, object]:
    """Ask for a JSON object with these fields; what comes back may lack some, or all of them."""
    require_reader(chat, records_are_public=records_are_public)
    schema = {
        "type": "object",
        "properties": {field: {"type": kind} for field, kind in kinds.items()},
        "required": list(kinds),
        "additionalProperties": False,
    }
    try:
        answer = json.loads(chat.json(({"role": "user", "content": prompt},), name, schema))
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def read_records(source: str, text: str, user: str | None = None) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """Read the texts of all records that have one, and whose they are where a column says so."""
    rows = [
        (row[TEXT], row.get(USER))
        for batch in open_corpus(source, Columns(text=text, user=user)).batches()
        for row in batch.to_pylist()
        if row[TEXT]
    ]
    if not rows:
        raise RequestError("there is no record with a text; check the file and the text column (--text)")
    texts, users = zip(*rows, strict=True)
    return texts, users if user is not None else None


@dataclass(frozen=True, slots=True)
class Source:
    """Something exact that a text is written from: what a model is asked, and the text that needs no model."""

    method: str
    settings: Mapping[str, object]  # what it was made with, for the record
    prompt: str = field(repr=False)
    extract: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Reference:
    """A text that protects nobody, and says so wherever it is stored."""

    method: str
    writer: str
    text: str = field(repr=False)
    settings: Mapping[str, object]
    private: Literal[False] = False


def refer(source: Source, chat: Chat | None = None, *, records_are_public: bool = False) -> Reference:
    """Have a source put into words, by a model that may read it or by the template; nothing verifies the text."""
    if chat is None:
        return Reference(source.method, EXTRACTIVE, source.extract, source.settings)
    text = asked(chat, source.prompt, records_are_public=records_are_public)
    return Reference(source.method, chat.endpoint.model, text, source.settings)


def write(folder: Path, reference: Reference) -> Path:
    """Write one marked file, never beside a release."""
    return write_not_private(folder, reference.method.replace(" ", "-"), asdict(reference))


def sample_prompt(what: str, heading: str, records: Sequence[str]) -> str:
    """Ask for a summary of records that are shown."""
    listed = (f"- {' '.join(record.split())}" for record in records)
    return _prompt(f"The input is a bounded sample of {what}. {_TASK} these records.", heading, listed)


def cluster_prompt(lines: Sequence[str]) -> str:
    """Ask for a summary of groups of records, of which only sizes and telling terms are shown."""
    opening = f"The input lists groups of similar records: a size and the telling terms of each. {_TASK} these groups."
    return _prompt(opening, "Groups:", (f"- {line}" for line in lines))


def _prompt(opening: str, heading: str, lines: Iterable[str]) -> str:
    rules = (f"{number}. {rule}" for number, rule in enumerate(_RULES, 1))
    return "\n".join((opening, "\nRules:", *rules, f"\n{heading}", *lines))


def bounded_sample(
    texts: Sequence[str], *, records: int = RECORDS, characters: int = CHARACTERS, seed: int = 0
) -> tuple[str, ...]:
    """Draw records without replacement, each cut to its first characters.

    >>> bounded_sample(["a long record"], characters=6)
    ('a long',)
    """
    if not texts or records < 1 or characters < 1:
        raise RequestError("a sample needs records to draw from, and a size above zero")
    chosen = seeded(seed).permutation(len(texts))[:records]
    return tuple(texts[place][:characters] for place in sorted(chosen.tolist()))


def raw_sample(records: Sequence[str]) -> Source:
    """Show records as they are."""
    shown = sample_prompt("records", "Records:", records)
    return Source("raw sample", {"records": len(records)}, shown, recurring_text(records))


def redacted_sample(records: Sequence[str]) -> Source:
    """Show the same records after heuristic redaction."""
    hidden = [redacted(record) for record in records]
    shown = sample_prompt("heuristically redacted records", "Redacted records:", hidden)
    return Source("redacted sample", {"records": len(records)}, shown, recurring_text(hidden))


def recurring_text(records: Sequence[str]) -> str:
    """Write the template's text: it quotes nothing but phrases that at least two records share.

    >>> recurring_text(["dry skin again", "my skin is dry"])
    'The sampled records speak most often of dry skin.'
    """
    phrases = recurring(records, PHRASES)
    if not phrases:
        return "No phrase comes back in the sampled records."
    first = f"The sampled records speak most often of {listing(phrases[:FIRST])}."
    return f"{first} Also recurring: {listing(phrases[FIRST:])}." if len(phrases) > FIRST else first


def clustering(texts: Sequence[str], *, clusters: int = CLUSTERS, seed: int = 0) -> Source:
    """Show exact sizes of groups of records, the largest first, and terms from the records."""
    groups = grouped(term_points(texts, seed), clusters, seed)
    found = list(zip(groups.sizes, telling_terms(texts, groups.of_point, TERMS), strict=True))
    shown = cluster_prompt([f"size={size} | terms={', '.join(terms)}" for size, terms in found])
    settings = {"clusters": [{"size": size, "terms": list(terms)} for size, terms in found]}
    return Source("clustering", settings, shown, _largest_groups([terms for _, terms in found if terms]))


def references(
    texts: Sequence[str],
    plan: Source | None = None,
    chat: Chat | None = None,
    *,
    records: int = RECORDS,
    clusters: int = CLUSTERS,
    seed: int = 0,
    records_are_public: bool = False,
) -> Iterator[Reference]:
    """Write every reference: raw and redacted sample, clustering, and the plan where there is one."""
    sample = bounded_sample(texts, records=records, seed=seed)
    sources = [raw_sample(sample), redacted_sample(sample), clustering(texts, clusters=clusters, seed=seed)]
    every = (*sources, *([plan] if plan else []))
    yield from (refer(source, chat, records_are_public=records_are_public) for source in every)


def _largest_groups(named: Sequence[Sequence[str]]) -> str:
    """Name the largest groups by their first terms."""
    if not named:
        return "No group of records has terms of its own."
    bullets = [f"- {listing(terms[:NAMED])}" for terms in named[1:SPOKEN]]
    return "\n".join((f"The largest group of records is about {listing(named[0][:NAMED])}.", *bullets))
