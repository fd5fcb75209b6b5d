"""Candidate themes: a public list of what a dictionary may lack, from packs and other dictionaries, never from records.

Left out is what the dictionary has already, or another candidate: the same label in another word order, inflection or
degree of praise, or themes that speak in nearly the same words. Of the rest, those stay that are most like the themes
of the dictionary on average: what is of another subject is hardly missing, and would only take what belongs to others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse, Provenance
from dpspin.boundary.candidate_table import candidates_of
from dpspin.boundary.plan_fields import PlanFields
from dpspin.boundary.request_terms import CandidateChoice
from dpspin.boundary.theme_likeness import likeness_of
from dpspin.errors import DictionaryError, RequestError
from dpspin.public.atoms.build.phrase_keys import key_of
from dpspin.public.atoms.lint import DRAFT
from dpspin.public.atoms.packs import load_named
from dpspin.public.atoms.speakable_names import look_of, require_speakable
from dpspin.text.words import words_of

TOO_NEAR: Final = 0.55  # opposites within one pack reach 0.54, and are themes of their own
MOST: Final = 250  # candidates: in seven packs, at least 92 of 100 themes are among the 200 nearest to theirs


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A theme of a source that is no candidate, and what it is too near to."""

    label: str
    near: str


@dataclass(frozen=True, slots=True)
class Listed:
    """The candidates as a dictionary, and what was left out."""

    themes: AtomUniverse
    left_out: tuple[LeftOut, ...]


def list_candidates(
    atoms: AtomUniverse, sources: Sequence[AtomUniverse], *, name: str = "candidates", most: int = MOST
) -> Listed:
    """Return themes of the sources that the dictionary lacks, those of its subject; of near ones the first stays."""
    found = [(atom, source) for source in sources for atom in source.atoms]
    every = [*atoms.atoms, *(atom for atom, _ in found)]
    near, kept, left_out = likeness_of(every), list(range(atoms.size)), []
    for place, atom in enumerate(every[atoms.size :], start=atoms.size):
        twin = next((other for other in kept if near[place, other] >= TOO_NEAR or _same(atom, every[other])), None)
        if twin is None:
            kept.append(place)
        else:
            left_out.append(LeftOut(atom.label, every[twin].label))
    of_subject = sorted(kept[atoms.size :], key=lambda place: -near[place, : atoms.size].mean())[:most]
    chosen = [found[place - atoms.size] for place in of_subject]
    return Listed(_as_dictionary(chosen, atoms, sources, name), tuple(left_out))


def _as_dictionary(
    chosen: Sequence[tuple[Atom, AtomUniverse]], atoms: AtomUniverse, sources: Sequence[AtomUniverse], name: str
) -> AtomUniverse:
    if not chosen:
        raise DictionaryError("the dictionary has all of these themes already: name other sources")
    told = (
        atom.model_copy(update={"id": AtomId(place), "parent": source.name})
        for place, (atom, source) in enumerate(chosen)
    )
    return AtomUniverse(
        name=name, version=atoms.version, provenance=_provenance(atoms, sources), atoms=tuple(told), background=()
    )


def _provenance(atoms: AtomUniverse, sources: Sequence[AtomUniverse]) -> Provenance:
    """Say where candidates come from; one source at most may be built from records, which a release compares."""
    note = f"candidates for {atoms.name}, from {', '.join(source.name for source in sources)}"
    behind = {each.provenance.auxiliary for each in sources if each.provenance.needs_comparison}
    if len(behind) > 1:
        raise DictionaryError("two of these sources were built from different auxiliary records: list one at a time")
    if behind:
        return Provenance(source="auxiliary", note=note, auxiliary=behind.pop())
    return Provenance(source="handwritten", note=note)


def _same(one: Atom, other: Atom) -> bool:
    keys = (key_of(tuple(words_of(each.label))) for each in (one, other))
    return next(keys) == next(keys) or look_of(one.label) == look_of(other.label)


def candidates_in(choice: CandidateChoice | None) -> AtomUniverse | None:
    """Return the candidates that a request asks for, read from their file if need be; a report must name them."""
    if choice is None:
        return None
    given = choice.themes
    if not isinstance(given, AtomUniverse | str | Path):
        raise RequestError("`records.candidates` takes a dictionary file, or a dictionary", field="records.candidates")
    themes = given if isinstance(given, AtomUniverse) else load_named(str(given))
    require_speakable(themes)
    return themes


def adopted(atoms: AtomUniverse, candidates: AtomUniverse, plan: PlanFields, names: Sequence[str]) -> AtomUniverse:
    """Return a dictionary with some candidates as drafts: of a plan that was measured with these very candidates."""
    table = candidates_of(plan)
    if table is None or table.facet.dictionary != candidates.digest:
        raise RequestError("the plan was not measured with these candidates: give the file that its release was given")
    known = {atom.label: atom for atom in candidates.atoms}
    if unknown := [name for name in names if name not in known]:
        raise RequestError(f"there is no candidate {unknown[0]!r}: views.csv of the release names all of them")
    new = _drafts([known[name] for name in names], start=1 + max(int(atom.id) for atom in atoms.atoms))
    return AtomUniverse(
        name=atoms.name,
        version=f"{atoms.version}, draft",
        provenance=_together(atoms, candidates),
        atoms=(*atoms.atoms, *new),
        background=atoms.background,
    )


def _together(atoms: AtomUniverse, candidates: AtomUniverse) -> Provenance:
    """Keep the name of the records that either was built from, so that a release goes on comparing them."""
    behind = {each.provenance.auxiliary for each in (atoms, candidates) if each.provenance.needs_comparison}
    if len(behind) > 1:
        raise DictionaryError(
            "dictionary and candidates were built from different auxiliary records: write the theme anew"
        )
    return (
        Provenance(source="auxiliary", note=atoms.provenance.note, auxiliary=behind.pop())
        if behind
        else atoms.provenance
    )


def _drafts(chosen: Sequence[Atom], start: int) -> Iterator[Atom]:
    for place, atom in enumerate(chosen):
        told = {"id": AtomId(start + place), "parent": None, "description": f"{DRAFT}{atom.description}".strip()}
        yield atom.model_copy(update=told)
