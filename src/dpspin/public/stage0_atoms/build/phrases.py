"""Atoms from the phrases of auxiliary text, in the paper's order of steps (its appendices on Amazon and Yelp).

Never from protected records: a label that is there because a protected record holds it is a release of its own.
"""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse, AuxiliaryText, Provenance
from dpspin.errors import RequestError
from dpspin.public.stage0_atoms.build.describe import OF_PHRASES, of_phrase
from dpspin.public.stage0_atoms.build.manifest import Built, Manifest, PhraseRules, Step, supports_of
from dpspin.public.stage0_atoms.build.open_field import settled
from dpspin.public.stage0_atoms.build.profile import Profile
from dpspin.public.stage0_atoms.build.steps import (
    Pair,
    Theme,
    canonicalised,
    extracted,
    filtered,
    filters,
    merged,
    sayings,
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
    readers = found.documents if users is None else _user_numbers(users)[found.documents]
    supported = [
        theme for theme, who in zip(themes, _said_by(themes, found, readers), strict=True) if len(who) >= fewest
    ]
    steps["minimum support"] = len(supported)
    if profile.is_open:
        said_in = _by_label(supported, _said_by(supported, found, found.documents))
        left = settled(supported, said_in, found, fewest, frozenset(profile.labels))
        supported, steps = left.themes, steps | left.steps
    support = {label: len(who) for label, who in _by_label(supported, _said_by(supported, found, readers)).items()}
    best = sorted(supported, key=lambda theme: (-support[theme.label], theme.label))[:size]
    if not best:
        who = "records" if users is None else "users"
        raise RequestError(
            f"no phrase of the profile {profile.name!r} is said by {fewest} {who}; lower the support, or give more text"
        )
    common = _common_forms(best, found, readers, fewest)
    universe = AtomUniverse(
        name=name or profile.name,
        version="1",
        provenance=Provenance(
            source="auxiliary",
            note=f"phrases of auxiliary text by support, under the rules of the profile {profile.name}",
            auxiliary=auxiliary,
        ),
        atoms=tuple(_atom(place, theme, profile, most_cues, common) for place, theme in enumerate(best)),
    )
    manifest = Manifest(
        dictionary=universe.name,
        dictionary_digest=universe.digest,
        rules=PhraseRules(profile=profile.name, profile_digest=profile.digest, canonical_labels=profile.labels),
        descriptions=OF_PHRASES,
        auxiliary=auxiliary,
        documents=found.size,
        support_counts="documents" if users is None else "users",
        min_support=fewest,
        requested_size=size,
        size=universe.size,
        steps=tuple(Step(name=step, candidates=count) for step, count in (steps | {"kept": len(best)}).items()),
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
    say = sayings(found, profile)
    canonical = canonicalised(pairs, counts, profile, say)
    themes = merged(canonical, counts, say)
    return themes, steps | {"canonical": len(canonical), "merged": len(themes)}


def _said_by(themes: Sequence[Theme], found: Harvest, readers: NDArray[np.int64]) -> list[frozenset[int]]:
    """Return who says each theme: documents or users, each of them once."""
    return _groups([theme.pairs for theme in themes], found, readers)


def _common_forms(themes: Sequence[Theme], found: Harvest, readers: NDArray[np.int64], fewest: int) -> frozenset[str]:
    """Return the ways to say a theme that have the minimum support by themselves."""
    said = [(pair, form) for theme in themes for pair, form in zip(theme.pairs, theme.forms, strict=True)]
    support = _groups([(pair,) for pair, _ in said], found, readers)
    return frozenset(form for (_, form), who in zip(said, support, strict=True) if len(who) >= fewest)


def _groups(pairs: Sequence[Sequence[Pair]], found: Harvest, readers: NDArray[np.int64]) -> list[frozenset[int]]:
    place = {pair: number for number, group in enumerate(pairs) for pair in group}
    of_mention = np.array([place.get(mention.words, -1) for mention in found.mentions], np.int64)
    numbers = of_mention[found.numbers]
    who: list[set[int]] = [set() for _ in pairs]
    for number, reader in zip(numbers[numbers >= 0].tolist(), readers[numbers >= 0].tolist(), strict=True):
        who[number].add(reader)
    return list(map(frozenset, who))


def _by_label(themes: Sequence[Theme], said_by: Sequence[frozenset[int]]) -> dict[str, frozenset[int]]:
    return {theme.label: who for theme, who in zip(themes, said_by, strict=True)}


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
