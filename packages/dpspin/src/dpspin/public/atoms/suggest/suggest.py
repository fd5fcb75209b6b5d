"""Candidate atoms from auxiliary text, step by step (the paper's appendices on Amazon and Yelp atoms).

Never from the protected records: a label that was chosen because protected records hold it is a release of its own,
which no later noise covers. Each step is a pure function in a file of this folder; this one puts them in order.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from dpspin.boundary.atoms import AtomUniverse
from dpspin.public.atoms.suggest.candidates import Candidate, candidates
from dpspin.public.atoms.suggest.coverage import Coverage
from dpspin.public.atoms.suggest.examples import examples
from dpspin.public.atoms.suggest.extract import telling_words
from dpspin.public.atoms.suggest.harvest import Harvest, harvest
from dpspin.public.atoms.suggest.merge import without_companions, without_fragments
from dpspin.public.atoms.suggest.names import is_name_like
from dpspin.public.atoms.suggest.rank import tellingness

MOST_CUES = 8


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A candidate atom, as a person edits it."""

    label: str
    documents: int
    users: int | None
    cues: tuple[str, ...]
    examples: tuple[str, ...]
    covered_by: str | None


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The best candidates, most telling first, and how many phrases each step left over."""

    best: tuple[Suggestion, ...]
    documents: int
    steps: dict[str, int]


def suggest(
    texts: Sequence[str],
    *,
    users: Sequence[Hashable | None] | None = None,
    size: int = 60,
    min_support: int = 25,
    most_examples: int = 6,
    known: AtomUniverse | None = None,
) -> Suggestions:
    """Propose atoms from auxiliary texts; with ``users``, the minimum support is one of users, not of documents."""
    found = harvest(texts)
    owners = None if users is None else owners_of(users)
    supported = [one for one in candidates(found, min_support) if _support(one, owners) >= min_support]
    nameless = [one for one in supported if not is_name_like(telling_words(one.label), found.words, found.capitals)]
    whole = without_fragments(nameless)
    merged = without_companions(most_telling_first(whole, found, owners))
    coverage, used = known and Coverage(known), set[str]()
    best = tuple(
        Suggestion(
            label=one.label,
            documents=one.support,
            users=None if owners is None else _support(one, owners),
            cues=one.forms[1 : MOST_CUES + 1],
            examples=examples(one, texts, most_examples, used),
            covered_by=coverage.of(one.keys) if coverage else None,
        )
        for one in merged[:size]
    )
    steps = {
        "different phrases": len(found.mentions),
        "telling and supported": len(supported),
        "without names": len(nameless),
        "without fragments": len(whole),
        "after merging": len(merged),
    }
    return Suggestions(best, found.size, steps)


def most_telling_first(
    found: Iterable[Candidate], read: Harvest, owners: Sequence[Hashable] | None = None
) -> list[Candidate]:
    """Rank candidates; ties are broken by key, so that the order is fixed."""
    length = read.words.total() / max(1, read.size)

    def order(one: Candidate) -> tuple[float, tuple[str, ...]]:
        return -tellingness(_support(one, owners), read.size, length, telling_words(one.label)), one.key

    return sorted(found, key=order)


def owners_of(users: Sequence[Hashable | None]) -> list[Hashable]:
    """Name the user of each document; one without a user is a user of its own."""
    return [("alone", place) if user is None else ("user", user) for place, user in enumerate(users)]


def _support(one: Candidate, owners: Sequence[Hashable] | None) -> int:
    return one.support if owners is None else len({owners[document] for document in one.documents})
