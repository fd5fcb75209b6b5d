"""Candidate atoms from auxiliary text, step by step (the paper's appendices on Amazon and Yelp atoms), and their draft.

Never from the protected records: a label that was chosen because protected records hold it is a release of its own,
which no later noise covers. Each step is a pure function of this folder; here they are put in order.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from dpspin.boundary.atoms import Atom, AtomUniverse, AuxiliaryText
from dpspin.public.atoms.build.candidates import (
    Candidate,
    candidates,
    is_name_like,
    tellingness,
    without_companions,
    without_fragments,
)
from dpspin.public.atoms.build.harvest import Harvest, harvest, keys_in, telling_words
from dpspin.public.atoms.build.phrase_keys import PEOPLES, Key
from dpspin.text.personal import TELLTALE
from dpspin.text.sentences import sentences_in
from dpspin.text.words import is_capitalised, tokens, without_markup, words_of

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


# Which atom of a dictionary already speaks of a phrase, so that people see what is new.

OWN_WORDS, AN_EXAMPLE = 2, 1  # label, description and cues define an atom; one example may mention anything
ENOUGH = 2


class Coverage:
    """The phrases of all atoms of a dictionary."""

    def __init__(self, universe: AtomUniverse) -> None:
        self._labels = {atom.id: atom.label for atom in universe.atoms}
        self._weights: dict[Key, Counter[int]] = defaultdict(Counter)
        for atom in universe.atoms:
            for key, weight in _phrases(atom):
                self._weights[key][atom.id] += weight

    def of(self, keys: Iterable[Key]) -> str | None:
        """Return the label of the atom that says the phrase most, the first one where several do; None if none does."""
        total = sum((self._weights[key] for key in keys if key in self._weights), Counter[int]())
        best = max(self._labels, key=lambda atom_id: total[atom_id])
        return self._labels[best] if total[best] >= ENOUGH else None


def _phrases(atom: Atom) -> Iterable[tuple[Key, int]]:
    for text in (atom.label, atom.description, *atom.cues):
        yield from ((key, OWN_WORDS) for key in keys_in(text))
    for text in atom.examples:
        yield from ((key, AN_EXAMPLE) for key in keys_in(text))


# Sentences of the auxiliary text that show a candidate in use: short, and without what could point at a person. A
# dictionary is published, so a sentence with an address, a link, a number of some length or a word that may be a name
# is passed over, not repaired.

SHORTEST, LONGEST, LIKED = 25, 140, 60  # characters
LOOKED_AT: Final = 60  # sentences per candidate, of which the best are taken
_I: Final = re.compile(r"I(?:['’]\w+)?")


def examples(candidate: Candidate, texts: Sequence[str], most: int, used: set[str]) -> tuple[str, ...]:
    """Return up to ``most`` sentences, at most one per document; they are added to ``used`` and come only once."""
    found = islice(_sentences_with(candidate, texts, used), LOOKED_AT if most else 0)
    liked = sorted(dict(found).values(), key=lambda sentence: (abs(len(sentence) - LIKED), sentence))[:most]
    used.update(map(_bare, liked))
    return tuple(liked)


def is_quotable(sentence: str) -> bool:
    """Tell a short sentence without addresses, links, longer numbers or words that may be names.

    >>> is_quotable("The pump broke after a few uses."), is_quotable("I gave the pump to Maria at work.")
    (True, False)
    """
    if not SHORTEST <= len(sentence) <= LONGEST or sentence.isupper() or TELLTALE.search(sentence):
        return False
    if not sentence.isprintable():
        return False
    inner = tokens(sentence)[1:]
    return not any(is_capitalised(word) and not _I.fullmatch(word) and word.lower() not in PEOPLES for word in inner)


def _sentences_with(candidate: Candidate, texts: Sequence[str], used: set[str]) -> Iterator[tuple[str, str]]:
    for document in sorted(candidate.documents):
        for sentence in map(_tidy, sentences_in(without_markup(texts[document]))):
            bare = _bare(sentence)
            if bare not in used and is_quotable(sentence) and not candidate.keys.isdisjoint(keys_in(sentence)):
                yield bare, sentence
                break


def _tidy(sentence: str) -> str:
    """Return the sentence in single spaces, without the bullet of a list.

    >>> _tidy("- smells  odd")
    'smells odd'
    """
    return " ".join(sentence.split()).lstrip("-–—•*·~+>,;:) ")


def _bare(sentence: str) -> str:
    return " ".join(words_of(sentence))


# A draft as YAML with comments: what a person needs to keep, rename, merge or strike an atom.

WARNING = (
    "Only for auxiliary or public text. If these phrases come from the protected records, this list is itself an "
    "unprotected release of them: do not use it."
)
TO_DO = (
    "A draft for people to edit: strike what you do not want to measure, rename, merge, write descriptions and",
    "counter-examples, then run `dpspin atoms lint`. All but comments and salt is published, examples included:",
    "read every example, and keep only those that you may publish.",
)


NOTE = "phrases of auxiliary text by support, suggested by dpspin and edited by people"


def draft(found: Suggestions, *, name: str, origin: str, auxiliary: AuxiliaryText) -> str:
    """Return the text of the draft; ``origin`` says in one line which auxiliary text was read.

    That line and all counts are comments, since comments are not published. The salt stays with the curator likewise.
    """
    steps = ", ".join(f"{count} {step}" for step, count in found.steps.items())
    head = [
        *(f"# {line}" for line in (WARNING, *TO_DO)),
        f"# Not published: {_quoted(f'{origin}; {found.documents} documents; phrases: {steps}')}",
        f"name: {_quoted(name)}",
        'version: "draft"',
        "provenance:",
        "  source: auxiliary",
        f"  note: {_quoted(NOTE)}",
        "  # By the salt a release knows the auxiliary records again: keep it here. It is not published.",
        f"  auxiliary: {auxiliary.model_dump_json(exclude_none=True)}",  # JSON is YAML
        "atoms:",
    ]
    atoms = [line for number, one in enumerate(found.best, start=1) for line in _atom(number, one)]
    return "\n".join([*head, *atoms]) + "\n"


def _atom(number: int, one: Suggestion) -> Iterator[str]:
    yield f"  # {support_of(one)}; {f'the pack has {_quoted(one.covered_by)}' if one.covered_by else 'new'}"
    yield f"  - id: {number}"
    yield f"    label: {_quoted(one.label)}"
    if one.cues:
        yield f"    cues: [{', '.join(map(_quoted, one.cues))}]"
    if one.examples:
        yield "    examples:"
        yield from (f"      - {_quoted(sentence)}" for sentence in one.examples)


def support_of(one: Suggestion) -> str:
    """Return the support in words."""
    return f"{one.documents} documents" + ("" if one.users is None else f" of {one.users} users")


def _quoted(text: str) -> str:
    """Return a string as JSON, which is YAML too, whatever its words look like."""
    return json.dumps(text, ensure_ascii=False)
