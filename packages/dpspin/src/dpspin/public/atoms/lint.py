"""What a careful eye would say about a dictionary: small pure rules, one finding per doubt.

A finding does not stop anything. It points at atoms that a map will confuse, that a reader will not understand, or that
should not be published.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse
from dpspin.public.atoms.build.phrase_keys import PEOPLES, Key, key_of, says_nothing
from dpspin.public.atoms.speakable_names import not_speakable
from dpspin.text.personal import IDENTIFYING
from dpspin.text.words import is_capitalised, tokens, words_of

LONGEST_LABEL = 60
FEWEST_EXAMPLES = 6
FEWEST_COUNTER_EXAMPLES = 4
PATH = " / "
DRAFT = "Draft: "  # how the description of an adopted candidate begins, until somebody has read it
Doubts = Iterator[tuple[Atom, str]]
VAGUE_WORDS = frozenset(
    words_of(
        "other others else misc miscellaneous general various unknown none stuff things issue issues problem problems "
        "question questions topic topics"
    )
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One doubt about one atom. The rule name is public: it can be searched for in the docs."""

    rule: str
    atom_id: AtomId
    message: str


def lint(universe: AtomUniverse) -> tuple[Finding, ...]:
    """Return all findings, rule by rule, atoms in dictionary order.

    >>> from dpspin.boundary.atoms import Provenance
    >>> for finding in lint(AtomUniverse(
    ...     name="tiny", version="1", provenance=Provenance(source="handwritten", note="written for a doctest"),
    ...     atoms=(Atom(id=1, label="other", description="Anything else."),))):
    ...     print(finding.rule, finding.atom_id, finding.message)
    vague-label 1 'other' says nothing a reader could use; name the concept, or leave the atom out
    untested-map 1 not every atom has three examples: without labelled text the map goes by names alone, and is untested
    """
    return tuple(Finding(name, atom.id, words) for name, rule in RULES.items() for atom, words in rule(universe))


def unspeakable_name(universe: AtomUniverse) -> Doubts:
    """Point at names that no text can speak of: a release by this dictionary would be refused."""
    for atom in universe.atoms:
        for name in filter(None, (atom.label, atom.parent)):
            if wrong := not_speakable(name):
                message = f"{name!r} holds {wrong}; no release takes it, write it without"
                yield atom, message


def label_inside_label(universe: AtomUniverse) -> Doubts:
    """Point at a label whose words stand, in order, inside another one: a text that names the long one names both."""
    by_words = {_words(atom.label): atom for atom in universe.atoms}
    for atom in universe.atoms:
        for inner in sorted(_proper_runs(_words(atom.label)) & by_words.keys()):
            found = by_words[inner]
            yield (
                found,
                f"{found.label!r} is part of {atom.label!r}; reword one, or a text about the second counts for both",
            )


def same_theme(universe: AtomUniverse) -> Doubts:
    """Point at labels that say one thing in another word order, inflection or degree of praise."""
    owners: dict[Key, Atom] = {}
    for atom in universe.atoms:
        owner = owners.setdefault(key_of(_words(atom.label)), atom)
        if owner is not atom:
            yield atom, f"{atom.label!r} says what {owner.label!r} says; keep one, the other as its cue"


def long_label(universe: AtomUniverse) -> Doubts:
    """Point at labels that will not read well in a sentence; a taxonomy path may be long."""
    for atom in universe.atoms:
        if len(atom.label) > LONGEST_LABEL and PATH not in atom.label:
            yield atom, f"the label is longer than {LONGEST_LABEL} characters; move a part of it to the description"


def no_description(universe: AtomUniverse) -> Doubts:
    """Point at atoms that neither a map nor a reader can tell from their label alone."""
    for atom in universe.atoms:
        if not atom.description.strip():
            yield atom, f"{atom.label!r} has no description; add one sentence"


def unread_draft(universe: AtomUniverse) -> Doubts:
    """Point at themes that were adopted from candidates and that nobody has read yet."""
    for atom in universe.atoms:
        if atom.description.startswith(DRAFT):
            yield (
                atom,
                f"{atom.label!r} is a draft: read its examples, and take {DRAFT.strip()!r} out of the description",
            )


def shared_cue(universe: AtomUniverse) -> Doubts:
    """Point at cues that pull two ways."""
    owners: dict[tuple[str, ...], list[Atom]] = defaultdict(list)
    for atom in universe.atoms:
        for words in dict.fromkeys(_words(cue) for cue in atom.cues):
            owners[words].append(atom)
    for words, atoms in owners.items():
        for other in atoms[1:]:
            yield other, f"the cue {' '.join(words)!r} also belongs to {atoms[0].label!r}; keep it where it fits best"


def personal_data(universe: AtomUniverse) -> Doubts:
    """Point at what looks like a person or an identifier: the whole dictionary is published."""
    for atom in universe.atoms:
        for kind, pattern in IDENTIFYING.items():
            if any(pattern.search(text) for text in _texts(atom)):
                yield atom, f"the atom seems to hold {kind}; a dictionary is public, remove it"


def name_in_label(universe: AtomUniverse) -> Doubts:
    """Point at a capital in a label that is otherwise in lower case: a person, a firm or a place."""
    titled = IDENTIFYING["a person's name"]
    for atom in universe.atoms:
        for part in () if titled.search(atom.label) else atom.label.split(PATH):
            _, *later = tokens(part) or [""]
            names = [word for word in later if is_capitalised(word) and word.lower() not in PEOPLES]
            if names and any(word.islower() for word in later):
                yield (
                    atom,
                    f"{atom.label!r} seems to name someone ({', '.join(names)}); a dictionary is public, reword it",
                )


def vague_label(universe: AtomUniverse) -> Doubts:
    """Point at labels of empty words, or of praise of nothing in particular (of a taxonomy path, its last part)."""
    for atom in universe.atoms:
        words = _words(atom.label.rsplit(PATH)[-1])
        if VAGUE_WORDS.issuperset(words) or says_nothing(key_of(words)):
            yield atom, f"{atom.label!r} says nothing a reader could use; name the concept, or leave the atom out"


def repeated_example(universe: AtomUniverse) -> Doubts:
    """Point at an example that is used again: a map would learn it for two atoms, or for and against."""
    for words, (owner, *others) in _uses_of_examples(universe).items():
        for other in others:
            yield (
                other,
                f"the sentence {' '.join(words)!r} is already an example of {owner.label!r}; write another one here",
            )


def contradictory_example(universe: AtomUniverse) -> Doubts:
    """Point at a sentence that is said to express an atom and not to express it."""
    for atom in universe.atoms:
        examples = {_words(sentence) for sentence in atom.examples}
        for words in dict.fromkeys(_words(sentence) for sentence in atom.counter_examples):
            if words in examples:
                yield atom, f"the sentence {' '.join(words)!r} is an example and a counter-example; keep it on one side"


def few_examples(universe: AtomUniverse) -> Doubts:
    """Point at atoms that a map learns worse than their neighbours, once the dictionary teaches by examples."""
    for atom in universe.atoms if _teaches(universe) else ():
        if len(atom.examples) < FEWEST_EXAMPLES:
            yield (
                atom,
                f"{atom.label!r} has {len(atom.examples)} examples; write at least {FEWEST_EXAMPLES} varied sentences",
            )


def untested_map(universe: AtomUniverse) -> Doubts:
    """Point out, at the first atom, that not all have sentences to learn from and to test a map on."""
    if not universe.has_examples:
        words = "not every atom has three examples: without labelled text the map goes by names alone, and is untested"
        yield from ((atom, words) for atom in universe.atoms[:1])


def few_counter_examples(universe: AtomUniverse) -> Doubts:
    """Point at atoms whose border nobody has drawn: without near misses a map counts every use of their words."""
    for atom in universe.atoms if _teaches(universe) else ():
        if len(atom.counter_examples) < FEWEST_COUNTER_EXAMPLES:
            enough = f"write at least {FEWEST_COUNTER_EXAMPLES} near misses"
            yield atom, f"{atom.label!r} has {len(atom.counter_examples)} counter-examples; {enough}"


RULES: dict[str, Callable[[AtomUniverse], Doubts]] = {
    "unspeakable-name": unspeakable_name,
    "label-inside-label": label_inside_label,
    "same-theme": same_theme,
    "long-label": long_label,
    "no-description": no_description,
    "unread-draft": unread_draft,
    "shared-cue": shared_cue,
    "personal-data": personal_data,
    "name-in-label": name_in_label,
    "vague-label": vague_label,
    "repeated-example": repeated_example,
    "contradictory-example": contradictory_example,
    "untested-map": untested_map,
    "few-examples": few_examples,
    "few-counter-examples": few_counter_examples,
}


def _words(text: str) -> tuple[str, ...]:
    return tuple(words_of(text))


def _texts(atom: Atom) -> tuple[str, ...]:
    return (atom.label, atom.description, *atom.cues, *atom.examples, *atom.counter_examples)


def _teaches(universe: AtomUniverse) -> bool:
    return any(atom.examples or atom.counter_examples for atom in universe.atoms)


def _uses_of_examples(universe: AtomUniverse) -> dict[tuple[str, ...], list[Atom]]:
    """Return, per example, the atoms that use it: those it stands for, then others it is a counter-example of."""
    uses: dict[tuple[str, ...], list[Atom]] = defaultdict(list)
    for atom in universe.atoms:
        for sentence in atom.examples:
            uses[_words(sentence)].append(atom)
    for atom in universe.atoms:
        for words in {_words(sentence) for sentence in atom.counter_examples} & uses.keys():
            if atom not in uses[words]:
                uses[words].append(atom)
    return uses


def _proper_runs(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Return every run of consecutive words but the whole, so that the search is linear in the number of atoms.

    >>> sorted(_proper_runs(("late", "delivery")))
    [('delivery',), ('late',)]
    """
    ends = range(1, len(words) + 1)
    return {words[start:end] for end in ends for start in range(end)} - {words}
