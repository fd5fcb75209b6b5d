"""A pipeline like Clio (Tamkin et al. 2024, arXiv:2412.13678): the thing people run today. NOT private.

Facets of each record, embeddings, k-means, a smallest group, names for groups, an audit of the names, a hierarchy. Each
step is done by code, or by a model. Its safeguards are heuristics; ``clio_membership`` measures what
they leave open. This is our own reading of the published description, with models and code of ours: it stands for the
kind of pipeline, not for Anthropic's.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache

import numpy as np

from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.sentence_terms import is_courtesy, sentences_of
from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin.public.atoms.build.candidates import RAREST
from dpspin.text.stems import public_frequency
from dpspin.text.words import listing
from dpspin_lab.baselines.grouping import Groups, Points, content_terms, grouped, telling_terms, term_points
from dpspin_lab.baselines.redaction import found, redacted
from dpspin_lab.baselines.references import Source, asked, asked_fields, cluster_prompt
from dpspin_lab.not_private import require_reader

Facets = Callable[[Sequence[str]], list[str]]
SENTENCES, CHARACTERS = 2, 300
_FACET_PROMPT = (
    "Say in one sentence what the following record is about. Leave out names, places, organisations, numbers, dates "
    "and anything else by which its writer could be found. Answer with the sentence alone.\n\nRecord:\n"
)
TITLE, DESCRIPTION = 3, 6  # terms
SHOWN = 20  # facets of either side that a model sees
UNNAMED = "unnamed"
_NAME_PROMPT = (
    "Below are short descriptions of records of one group, and of records close to it that are not in it. Give the "
    "group a title of at most eight words and a description of one sentence. Say what most of its records share and "
    "the others do not. No names, places, organisations, numbers or dates."
)
WORST, DOUBTFUL, BEST = 1, 3, 5
KEPT = 3
_HARMLESS = {"number", "amount", "date", "redacted"}
_MARK_PROMPT = (
    "Could somebody find a single person or a small group of people with the help of this title and description? "
    "Give a mark from 1 (surely) to 5 (in no way).\n\n"
)
CONTRAST = 40  # facets from outside that a name is told apart from
SPOKEN = 4


def telling_facets(texts: Sequence[str]) -> list[str]:
    """Take of each record the sentences with the most telling words, redacted and without what is mere courtesy.

    >>> telling_facets(["Hello team, my parcel 12345 is late. Nobody in the shop answers letters. Why? Thanks!"])
    ['my parcel [NUMBER] is late. Nobody in the shop answers letters.']
    """
    return [_telling(text) for text in texts]


def _telling(text: str) -> str:
    sentences = [_without_courtesy(sentence) for sentence in sentences_of(text)]
    weight = [len(content_terms(sentence)) for sentence in sentences]
    best = sorted(range(len(sentences)), key=lambda place: (-weight[place], place))[:SENTENCES]
    return redacted(" ".join(sentences[place] for place in sorted(best)))[:CHARACTERS]


def _without_courtesy(sentence: str) -> str:
    """Drop the opening clauses of a sentence that only greet or thank."""
    clauses = sentence.split(", ")
    telling = (place for place, clause in enumerate(clauses) if not is_courtesy(clause))
    return ", ".join(clauses[next(telling, len(clauses)) :])


def model_facets(chat: Chat, *, records_are_public: bool = False) -> Facets:
    """Ask a model about each record; the same words are asked about once."""

    @cache
    def facet(text: str) -> str:
        return asked(chat, _FACET_PROMPT + " ".join(text.split()), records_are_public=records_are_public)

    return lambda texts: [facet(text) for text in texts]


@dataclass(frozen=True, slots=True)
class Name:
    """What is published of a group beside its size."""

    title: str
    description: str


Namer = Callable[[Sequence[str], Sequence[str]], Name]


def term_name(inside: Sequence[str], outside: Sequence[str]) -> Name:
    """Name a group by its telling terms.

    >>> term_name(["late parcel", "the parcel was late"], ["rude agent", "my agent was rude"])
    Name(title='late parcel', description='Records about late parcel.')
    """
    sides = np.array([0] * len(inside) + [1] * len(outside), np.int64)
    terms = telling_terms([*inside, *outside], sides, DESCRIPTION)[0]
    if not terms:
        return Name(UNNAMED, "Records without terms of their own.")
    return Name(", ".join(terms[:TITLE]), f"Records about {listing(terms)}.")


def model_namer(chat: Chat, *, records_are_public: bool = False) -> Namer:
    """Ask a model for the title and the description of each group."""

    def name(inside: Sequence[str], outside: Sequence[str]) -> Name:
        prompt = f"{_NAME_PROMPT}\n\nIn the group:\n{_bullets(inside)}\n\nNot in the group:\n{_bullets(outside)}"
        kinds = {"title": "string", "description": "string"}
        answer = asked_fields(chat, prompt, "group", kinds, records_are_public=records_are_public)
        return Name(str(answer.get("title") or UNNAMED), str(answer.get("description") or ""))

    return name


def _bullets(facets: Sequence[str]) -> str:
    return "\n".join(f"- {' '.join(facet.split())}" for facet in facets[:SHOWN])


Auditor = Callable[[Name], int]


def pattern_mark(name: Name) -> int:
    """Mark by spelling: an identifier or a word that public English does not know is worst, a number doubtful.

    >>> pattern_mark(Name("late parcel", "Records about it.")), pattern_mark(Name("xqzvii jkwwq", "Records."))
    (5, 1)
    """
    kinds = {*found(name.title), *found(name.description)}
    words = _words(f"{name.title}. {name.description}")
    if kinds - _HARMLESS or any(public_frequency(word) <= RAREST for word in words):
        return WORST
    return DOUBTFUL if kinds else BEST


def model_auditor(chat: Chat, *, records_are_public: bool = False) -> Auditor:
    """Ask a model for a mark of each name; an answer that cannot be read is a refusal."""

    def mark_of(name: Name) -> int:
        prompt = f"{_MARK_PROMPT}Title: {name.title}\nDescription: {name.description}"
        answer = asked_fields(chat, prompt, "mark", {"mark": "integer"}, records_are_public=records_are_public)
        mark = answer.get("mark")
        return mark if isinstance(mark, int) and WORST <= mark <= BEST else WORST

    return mark_of


def _words(text: str) -> set[str]:
    return {word for term in content_terms(text) for word in term.split()}


@dataclass(frozen=True, slots=True)
class Tools:
    """The steps that a model or code can do. The defaults need neither a model nor an optional package."""

    facets: Facets = telling_facets
    points: Points = term_points
    namer: Namer = term_name
    auditor: Auditor = pattern_mark


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The smallest group that is published, in records and, where users are known, in users."""

    records: int = 25
    users: int = 15
    per_group: int = 50  # records that a group has on average: it decides how many groups there are

    def __post_init__(self) -> None:
        if min(self.records, self.users, self.per_group) < 1:
            raise RequestError("thresholds are at least one")


@dataclass(frozen=True, slots=True)
class Published:
    """A group that passed, with its exact size."""

    title: str
    description: str
    records: int
    mark: int
    parent: str


@dataclass(frozen=True, slots=True)
class ClioReport:
    """What is published, and what was held back and why."""

    groups: tuple[Published, ...]
    too_small: int
    failed_audit: int


def report_source(report: ClioReport) -> Source:
    """Show sizes and names of what is published: a source for a summary like any reference."""
    shown = cluster_prompt([f"size={one.records} | {one.title}: {one.description}" for one in report.groups])
    largest = listing([one.title for one in report.groups[:SPOKEN]])
    told = f"The largest groups of records are about {largest}."
    nothing = "No group of records is large enough to be published."
    settings = {"groups": [asdict(group) for group in report.groups]}
    return Source("clio-like", settings, shown, told if report.groups else nothing)


def clio(
    texts: Sequence[str],
    users: Sequence[str] | None = None,
    *,
    thresholds: Thresholds = Thresholds(),  # noqa: B008  frozen
    tools: Tools = Tools(),  # noqa: B008  frozen
    seed: int = 0,
) -> ClioReport:
    """Run the pipeline on records, and on their users where they are known."""
    facets = tools.facets(texts)
    points = tools.points(facets)
    groups = grouped(points, max(1, round(len(texts) / thresholds.per_group)), seed)
    large = [group for group in range(len(groups.centres)) if _is_large(groups.members(group), users, thresholds)]
    names = {group: _named(group, groups, facets, points, tools.namer) for group in large}
    marks = {group: tools.auditor(name) for group, name in names.items()}
    kept = [group for group in large if marks[group] >= KEPT]
    parents = _parents([names[group] for group in kept], groups.centres[kept], tools.namer, seed)
    published = (
        Published(names[group].title, names[group].description, groups.sizes[group], marks[group], parent)
        for group, parent in zip(kept, parents, strict=True)
    )
    return ClioReport(tuple(published), len(groups.centres) - len(large), len(large) - len(kept))


def with_model(chat: Chat, points: Points, *, records_are_public: bool = False) -> Tools:
    """Let a model write facets, names and marks: the curator's, unless the records are declared public."""
    require_reader(chat, records_are_public=records_are_public)
    return Tools(
        model_facets(chat, records_are_public=records_are_public),
        points,
        model_namer(chat, records_are_public=records_are_public),
        model_auditor(chat, records_are_public=records_are_public),
    )


def _is_large(members: Sequence[int], users: Sequence[str] | None, thresholds: Thresholds) -> bool:
    writers = thresholds.users if users is None else len({users[place] for place in members})
    return len(members) >= thresholds.records and writers >= thresholds.users


def _named(group: int, groups: Groups, facets: Sequence[str], points: Floats, namer: Namer) -> Name:
    near = np.argsort(-(points @ groups.centres[group]), kind="stable")
    outside = [int(place) for place in near if groups.of_point[place] != group][:CONTRAST]
    return namer([facets[place] for place in groups.members(group)], [facets[place] for place in outside])


def _parents(names: Sequence[Name], centres: Floats, namer: Namer, seed: int) -> list[str]:
    """Group the groups by their centres, about the square root of their number, and name these from the names."""
    if not names:
        return []
    above = grouped(centres, math.isqrt(len(names)), seed)
    texts = np.array([f"{name.title}. {name.description}" for name in names])
    inside = [above.of_point == one for one in range(len(above.centres))]
    titles = [namer(texts[rows].tolist(), texts[~rows].tolist()).title for rows in inside]
    return [titles[one] for one in above.of_point]
