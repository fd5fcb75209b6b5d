"""Atoms from the phrases of auxiliary text, in the paper's order of steps (its appendices on Amazon and Yelp).

Never from protected records: a label that is there because a protected record holds it is a release of its own.
"""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.atoms import Atom, AtomId, AuxiliaryText
from dpspin.errors import RequestError
from dpspin.public.atoms.build.harvest import Harvest, harvest
from dpspin.public.atoms.build.manifest import OF_PHRASES, Built, PhraseRules, built, of_phrase
from dpspin.public.atoms.build.profile import Profile
from dpspin.public.atoms.build.suggestions import MOST_CUES, owners_of
from dpspin.public.atoms.build.themes import (
    Pair,
    Theme,
    canonicalised,
    extracted,
    filtered,
    filters,
    merged,
    sayings,
    settled,
)


def build_phrases(
    texts: Sequence[str],
    profile: Profile,
    *,
    size: int | None = None,
    min_support: int | None = None,
    users: Sequence[Hashable | None] | None = None,
    most_cues: int = MOST_CUES,
    name: str | None = None,
    auxiliary: AuxiliaryText | None = None,
) -> Built:
    """Build a dictionary; ``size`` and ``min_support`` are no limit and the profile's, where they are left out.

    Support is the number of documents that say a phrase or, with ``users``, the number of users who do.
    """
    fewest = profile.min_support if min_support is None else min_support
    found = harvest(texts)
    themes, steps = themes_in(found, profile)
    readers = found.documents if users is None else _user_numbers(users)[found.documents]
    support = dict(zip((theme.label for theme in themes), _supports(themes, found, readers), strict=True))
    supported = [theme for theme in themes if support[theme.label] >= fewest]
    steps["minimum support"] = len(supported)
    if profile.is_open:
        left = settled(supported, _documents(supported, found), found, fewest, frozenset(profile.labels))
        supported, steps = left.themes, steps | left.steps
        support |= zip((theme.label for theme in supported), _supports(supported, found, readers), strict=True)
    best = sorted(supported, key=lambda theme: (-support[theme.label], theme.label))[:size]
    if not best:
        who = "records" if users is None else "users"
        raise RequestError(
            f"no phrase of the profile {profile.name!r} is said by {fewest} {who}; lower the support, or give more text"
        )
    common = _common_forms(best, found, readers, fewest)
    return built(
        [_atom(place, theme, profile, most_cues, common) for place, theme in enumerate(best)],
        support,
        name=name or profile.name,
        note=f"phrases of auxiliary text by support, under the rules of the profile {profile.name}",
        auxiliary=auxiliary,
        steps=steps | {"kept": len(best)},
        rules=PhraseRules(profile=profile.name, profile_digest=profile.digest, canonical_labels=profile.labels),
        descriptions=OF_PHRASES,
        documents=found.size,
        support_counts="documents" if users is None else "users",
        min_support=fewest,
        requested_size=size,
    )


def themes_in(found: Harvest, profile: Profile) -> tuple[list[Theme], dict[str, int]]:
    """Return all themes of a corpus, and how many candidates each step left."""
    counts = extracted(found)
    pairs: list[Pair] = sorted(counts)
    steps = {"two-word phrases": len(pairs)}
    for rule_name, rule in filters(profile, found, counts).items():
        pairs = filtered(pairs, rule, profile)
        steps[f"without {rule_name}"] = len(pairs)
    say = sayings(found, profile)
    canonical = canonicalised(pairs, counts, profile, say)
    themes = merged(canonical, counts, say)
    return themes, steps | {"canonical": len(canonical), "merged": len(themes)}


def _supports(themes: Sequence[Theme], found: Harvest, readers: NDArray[np.int64]) -> list[int]:
    """Count who says each theme: documents or users, each of them once."""
    return _counted([theme.pairs for theme in themes], found, readers)


def _common_forms(themes: Sequence[Theme], found: Harvest, readers: NDArray[np.int64], fewest: int) -> frozenset[str]:
    """Return the ways to say a theme that have the minimum support by themselves."""
    said = [(pair, form) for theme in themes for pair, form in zip(theme.pairs, theme.forms, strict=True)]
    support = _counted([(pair,) for pair, _ in said], found, readers)
    return frozenset(form for (_, form), count in zip(said, support, strict=True) if count >= fewest)


def _counted(groups: Sequence[Sequence[Pair]], found: Harvest, readers: NDArray[np.int64]) -> list[int]:
    counts: list[int] = np.bincount(_once(groups, found, readers)[0], minlength=len(groups)).tolist()
    return counts


def _documents(themes: Sequence[Theme], found: Harvest) -> dict[str, frozenset[int]]:
    """Return the documents of each theme."""
    numbers, documents = _once([theme.pairs for theme in themes], found, found.documents)
    parts = np.split(documents, np.searchsorted(numbers, np.arange(1, len(themes))))
    return {theme.label: frozenset(part.tolist()) for theme, part in zip(themes, parts, strict=False)}


def _once(groups: Sequence[Sequence[Pair]], found: Harvest, readers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return each group's number with each of its readers, once, in order."""
    place = {pair: number for number, group in enumerate(groups) for pair in group}
    of_mention = np.array([place.get(mention.words, -1) for mention in found.mentions], np.int64)
    numbers = of_mention[found.numbers]
    said = numbers >= 0
    return np.unique(np.stack([numbers[said], readers[said]]), axis=1)


def _user_numbers(users: Sequence[Hashable | None]) -> NDArray[np.int64]:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(owner, len(numbers)) for owner in owners_of(users)], np.int64)


def _atom(place: int, theme: Theme, profile: Profile, most_cues: int, common: frozenset[str]) -> Atom:
    cues = [form for form in dict.fromkeys(theme.forms) if form != theme.label][:most_cues]
    return Atom(
        id=AtomId(place),
        label=theme.label,
        description=of_phrase(theme.label, [cue for cue in cues if cue in common]),
        cues=tuple(cues),
        parent=profile.topic_of(theme.keys),
    )
