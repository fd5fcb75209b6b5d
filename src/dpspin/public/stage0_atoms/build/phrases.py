"""Atoms from the phrases of auxiliary text, in the paper's order of steps (its appendices on Amazon and Yelp).

Never from protected records: a label that is there because a protected record holds it is a release of its own.
"""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse, AuxiliaryText, Provenance
from dpspin.errors import RequestError
from dpspin.public.stage0_atoms.build.manifest import Built, Manifest, PhraseRules, Step, supports_of
from dpspin.public.stage0_atoms.build.profile import Profile
from dpspin.public.stage0_atoms.build.steps import (
    Pair,
    Theme,
    canonicalised,
    extracted,
    filtered,
    filters,
    merged,
)
from dpspin.public.stage0_atoms.suggest.harvest import Harvest, harvest
from dpspin.public.stage0_atoms.suggest.suggest import MOST_CUES, owners_of


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
    support = _supports(themes, found, users)
    supported = [theme for theme in themes if support[theme.label] >= fewest]
    best = sorted(supported, key=lambda theme: (-support[theme.label], theme.label))[:size]
    if not best:
        raise RequestError(f"no phrase of the profile has a support of {fewest}; lower it, or give more text")
    universe = AtomUniverse(
        name=name or profile.name,
        version="1",
        provenance=Provenance(
            source="auxiliary",
            note=f"phrases of auxiliary text by support, under the rules of the profile {profile.name}",
            auxiliary=auxiliary,
        ),
        atoms=tuple(_atom(place, theme, profile, most_cues) for place, theme in enumerate(best)),
    )
    steps |= {"minimum support": len(supported), "kept": len(best)}
    manifest = Manifest(
        dictionary=universe.name,
        dictionary_digest=universe.digest,
        rules=PhraseRules(profile=profile.name, profile_digest=profile.digest, canonical_labels=profile.labels),
        auxiliary=auxiliary,
        documents=found.size,
        support_counts="documents" if users is None else "users",
        min_support=fewest,
        requested_size=size,
        size=universe.size,
        steps=tuple(Step(name=step, candidates=count) for step, count in steps.items()),
        supports=supports_of(universe, support),
    )
    return Built(universe, manifest)


def themes_in(found: Harvest, profile: Profile) -> tuple[list[Theme], dict[str, int]]:
    """Return all themes of a corpus, and how many candidates each step left."""
    counts = extracted(found)
    pairs: list[Pair] = sorted(counts)
    steps = {"two-word phrases": len(pairs)}
    for rule_name, rule in filters(profile, found, counts).items():
        pairs = filtered(pairs, rule, profile)
        steps[f"without {rule_name}"] = len(pairs)
    canonical = canonicalised(pairs, counts, profile)
    themes = merged(canonical, counts)
    return themes, steps | {"canonical": len(canonical), "merged": len(themes)}


def _supports(themes: Sequence[Theme], found: Harvest, users: Sequence[Hashable | None] | None) -> Mapping[str, int]:
    """Count the documents (or users) of each theme, each of them once."""
    place = {pair: number for number, theme in enumerate(themes) for pair in theme.pairs}
    of_mention = np.array([place.get(mention.words, -1) for mention in found.mentions], np.int64)
    theme_numbers = of_mention[found.numbers]
    said = theme_numbers >= 0
    supporters = found.documents if users is None else _user_numbers(users)[found.documents]
    once = np.unique(np.stack([theme_numbers[said], supporters[said]]), axis=1)
    counts = np.bincount(once[0], minlength=len(themes))
    return {theme.label: int(count) for theme, count in zip(themes, counts, strict=True)}


def _user_numbers(users: Sequence[Hashable | None]) -> NDArray[np.int64]:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(owner, len(numbers)) for owner in owners_of(users)], np.int64)


def _atom(place: int, theme: Theme, profile: Profile, most_cues: int) -> Atom:
    said = dict.fromkeys(" ".join(pair) for pair in theme.pairs)
    cues = [form for form in said if form != theme.label][:most_cues]
    return Atom(id=AtomId(place), label=theme.label, cues=tuple(cues), parent=profile.topic_of(theme.keys))
