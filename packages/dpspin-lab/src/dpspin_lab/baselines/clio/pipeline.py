"""The whole pipeline: facets, points, groups, thresholds, names, audit, hierarchy. NOT private."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np

from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin.text.lists import listing
from dpspin_lab.baselines.clio.audit import KEPT, Auditor, LlmAuditor, pattern_mark
from dpspin_lab.baselines.clio.facets import Facets, LlmFacets, telling_facets
from dpspin_lab.baselines.clio.naming import LlmNamer, Name, Namer, term_name
from dpspin_lab.baselines.grouping import Floats, Groups, Points, grouped, term_points
from dpspin_lab.baselines.references.prompts import cluster_prompt

CONTRAST = 40  # facets from outside that a name is told apart from
SPOKEN = 4


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
    """What is published, and what was held back and why. It is a source for a summary like any reference."""

    groups: tuple[Published, ...]
    too_small: int
    failed_audit: int
    method: str = field(default="clio-like", init=False)

    @property
    def settings(self) -> Mapping[str, object]:
        """All that is published."""
        return {"groups": [asdict(group) for group in self.groups]}

    def prompt(self) -> str:
        """Show sizes and names."""
        return cluster_prompt([f"size={one.records} | {one.title}: {one.description}" for one in self.groups])

    def extract(self) -> str:
        """Name the largest groups."""
        if not self.groups:
            return "No group of records is large enough to be published."
        return f"The largest groups of records are about {listing([one.title for one in self.groups[:SPOKEN]])}."


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


def with_model(chat: Chat, points: Points) -> Tools:
    """Let a model on this machine write facets, names and marks."""
    return Tools(LlmFacets(chat), points, LlmNamer(chat), LlmAuditor(chat))


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
