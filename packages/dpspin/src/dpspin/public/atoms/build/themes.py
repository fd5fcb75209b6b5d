"""The steps of the paper's phrase construction, each a pure function from candidates to candidates.

A candidate is a pair of words in the order in which it was said. Filters look at pairs; canonicalisation and merging
turn what is left into themes.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from dpspin.public.atoms.build.candidates import MOST_OF_IT, SAME_COMPANY, Candidate, candidates, is_name_like
from dpspin.public.atoms.build.harvest import Harvest
from dpspin.public.atoms.build.phrase_keys import (
    Key,
    has_praise_or_blame,
    is_generic,
    is_sentiment_only,
    key_of,
    repeats_itself,
)
from dpspin.public.atoms.build.profile import Profile

Pair: TypeAlias = tuple[str, ...]
Rule: TypeAlias = Callable[[Pair], bool]
Saying: TypeAlias = Callable[[Pair], str]

PHRASE_WORDS: Final = 2
SLIP_SHARE: Final = 0.05  # an order in which so few say a phrase is an accident of where sentences meet


ABOUT_AS_OFTEN: Final = 3


@dataclass(frozen=True, slots=True)
class Theme:
    """A label, and the pairs that count for it, the most frequent first; ``forms`` is how people say them."""

    label: str
    pairs: tuple[Pair, ...]
    forms: tuple[str, ...]

    @property
    def keys(self) -> tuple[Key, ...]:
        """The different phrases among the pairs."""
        return tuple(dict.fromkeys(map(key_of, self.pairs)))

    def with_variant(self, other: "Theme") -> "Theme":
        """Return this theme with another one counted as a way to say it."""
        return Theme(self.label, (*self.pairs, *other.pairs), (*self.forms, *other.forms))


def extracted(found: Harvest) -> Counter[Pair]:
    """Return all two-word candidates with the number of documents that say them."""
    counts: Counter[Pair] = Counter()
    for number in found.numbers.tolist():
        words = found.mentions[number].words
        if len(words) == PHRASE_WORDS:
            counts[words] += 1
    return counts


def filters(profile: Profile, found: Harvest, counts: Mapping[Pair, int]) -> dict[str, Rule]:
    """Return the rules that drop a candidate, in order; each has a name under which it is counted.

    The border of a field is its topics. An open field has none, and there praise or blame of what people judge in
    general ("bad service") is a theme.
    """
    applause = is_sentiment_only if profile.is_open else has_praise_or_blame
    inside: dict[str, Rule] = {
        "generic": lambda pair: repeats_itself(key_of(pair)) or _is_generic_here(key_of(pair), profile),
        "sentiment only": lambda pair: applause(key_of(pair)),
        "names": lambda pair: is_name_like(pair, found.words, found.capitals),
        "word order": lambda pair: is_slip(pair, counts),
    }
    if profile.is_open:
        return inside
    return inside | {"outside the domain": lambda pair: profile.topic_of([key_of(pair)]) is None}


def is_slip(pair: Pair, counts: Mapping[Pair, int]) -> bool:
    """Tell a word order that hardly anybody uses, beside the one that people do.

    >>> is_slip(("skin", "sensitive"), {("skin", "sensitive"): 1, ("sensitive", "skin"): 136})
    True
    >>> is_slip(("skin", "soft"), {("skin", "soft"): 28, ("soft", "skin"): 41})
    False
    """
    here, turned = counts.get(pair, 0), counts.get(pair[::-1], 0)
    return here < SLIP_SHARE * (here + turned)


def filtered(pairs: Iterable[Pair], rule: Rule, profile: Profile) -> list[Pair]:
    """Drop what the rule drops, but never a phrase that the profile names."""
    return [pair for pair in pairs if key_of(pair) in profile.label_of or not rule(pair)]


def sayings(found: Harvest, profile: Profile) -> Saying:
    """Return how a pair is said: word by word, as in the paper; in an open field as most people do ("line of credit").

    >>> from dpspin.public.atoms.build.harvest import harvest
    >>> anything = Profile(name="any", domain="any text", min_support=1)
    >>> sayings(harvest(["A waste of money.", "Waste of my money!", "waste money"]), anything)(("waste", "money"))
    'waste of money'
    """
    if not profile.is_open:
        return " ".join
    times = Counter(found.numbers.tolist())
    spoken: dict[Pair, str] = {}
    for number in sorted(times, key=lambda one: (-times[one], found.mentions[one])):
        spoken.setdefault(found.mentions[number].words, found.mentions[number].spoken)
    return spoken.__getitem__


def canonicalised(
    pairs: Iterable[Pair], counts: Mapping[Pair, int], profile: Profile, say: Saying = " ".join
) -> list[Theme]:
    """Bring inflections and word orders of a phrase together, under the profile's label or a plain one."""
    variants: dict[Key, list[Pair]] = defaultdict(list)
    for pair in _most_said_first(pairs, counts):
        variants[key_of(pair)].append(pair)
    return [
        Theme(profile.label_of.get(key) or plainest(forms, counts, say), tuple(forms), tuple(map(say, forms)))
        for key, forms in sorted(variants.items())
    ]


def plainest(forms: Sequence[Pair], counts: Mapping[Pair, int], say: Saying = " ".join) -> str:
    """Return the shortest of the forms that are said about as often as the first: the singular, where people use it.

    >>> plainest([("low", "prices"), ("low", "price")], {("low", "prices"): 7, ("low", "price"): 5})
    'low price'
    """
    common = [form for form in forms if ABOUT_AS_OFTEN * counts[form] >= counts[forms[0]]]
    return min(map(say, common), key=len)


def merged(themes: Iterable[Theme], counts: Mapping[Pair, int], say: Saying = " ".join) -> list[Theme]:
    """Join themes of one label: different phrases that the profile counts as the same."""
    pairs: dict[str, list[Pair]] = defaultdict(list)
    for theme in themes:
        pairs[theme.label] += theme.pairs
    ordered = {label: tuple(_most_said_first(forms, counts)) for label, forms in pairs.items()}
    return [Theme(label, forms, tuple(map(say, forms))) for label, forms in ordered.items()]


def _most_said_first(pairs: Iterable[Pair], counts: Mapping[Pair, int]) -> list[Pair]:
    return sorted(pairs, key=lambda pair: (-counts[pair], pair))


def _is_generic_here(key: Key, profile: Profile) -> bool:
    return is_generic(key) or not profile.generic_words.isdisjoint(key)


# Themes of a field that no profile borders: parts of longer phrases go, and phrases that keep company become one. A
# profile's topics decide what is a theme. Without them the text itself must: "reporting act" is nearly always said
# inside "credit reporting act", and a form letter says all its phrases together.

Documents = Mapping[str, frozenset[int]]  # by label


@dataclass(frozen=True, slots=True)
class Settled:
    """What is left, and how many themes each step left."""

    themes: list[Theme]
    steps: dict[str, int]


def settled(themes: Sequence[Theme], said_in: Documents, found: Harvest, fewest: int, named: frozenset[str]) -> Settled:
    """Drop fragments and merge companions; what the profile names stays as it is."""
    longer = [one for one in candidates(found, fewest) if len(one.key) > PHRASE_WORDS]
    whole = without_fragments(themes, said_in, longer, named)
    merged = without_companions(whole, said_in, named)
    return Settled(merged, {"without fragments": len(whole), "without companions": len(merged)})


def without_fragments(
    themes: Sequence[Theme], said_in: Documents, longer: Sequence[Candidate], named: frozenset[str]
) -> list[Theme]:
    """Drop a theme that is mostly said inside a longer phrase, if another part of that phrase stands for it."""
    left = {theme.label: theme for theme in themes}
    for phrase in sorted(longer, key=lambda one: (one.support, one.key)):
        parts = [theme for theme in left.values() if any(set(key) < set(phrase.key) for key in theme.keys)]
        inside = [theme for theme in parts if _is_mostly_in(said_in[theme.label], phrase.documents)]
        free = [theme for theme in inside if theme.label not in named]
        stands = len(parts) > len(inside) or len(inside) > len(free)
        best = None if stands else min(free, key=lambda one: (-len(said_in[one.label]), one.label), default=None)
        for theme in free:
            if theme is not best:
                del left[theme.label]
    return list(left.values())


def without_companions(themes: Sequence[Theme], said_in: Documents, named: frozenset[str]) -> list[Theme]:
    """Merge a theme into one with more support that shares a word with it and stands in mostly the same documents."""
    kept: list[Theme] = []
    for theme in sorted(themes, key=lambda one: (-len(said_in[one.label]), one.label)):
        free = theme.label not in named
        place = next((i for i, better in enumerate(kept) if free and _keep_company(better, theme, said_in)), None)
        if place is None:
            kept.append(theme)
        else:
            kept[place] = kept[place].with_variant(theme)
    return kept


def _keep_company(better: Theme, theme: Theme, said_in: Documents) -> bool:
    if _words(better).isdisjoint(_words(theme)):
        return False
    one, other = said_in[better.label], said_in[theme.label]
    return len(one & other) >= SAME_COMPANY * len(one | other)


def _is_mostly_in(part: frozenset[int], whole: frozenset[int]) -> bool:
    return len(part & whole) >= MOST_OF_IT * len(part)


def _words(theme: Theme) -> set[str]:
    return {word for key in theme.keys for word in key}
