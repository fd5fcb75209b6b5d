"""Is a theme that was taken out of a pack among the first candidates of a release? With rivals that need no data.

Some themes are taken out of a pack at once, and are among the candidates with those of all other packs. The records of
one trial are drawn, with repeats, from texts that express none of those but one: is that one among the first three?
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import yaml

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.candidate_table import candidate_reach
from dpspin.boundary.noise_laws import LaplaceNoise
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.boundary.views import SHARE_OF_CANDIDATES
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.nearest_candidate import NearestCandidate
from dpspin.demo.synthetic import generate_tickets, ticket_pack
from dpspin.public.atoms import packs
from dpspin.public.atoms.candidates import list_candidates
from dpspin_lab.datasets import phrase_labels

RECORDS, FIRST, BETA = 10_000, 3, 0.05
NOISE = LaplaceNoise(scale=1 / SHARE_OF_CANDIDATES)  # at epsilon 1


@dataclass(frozen=True, slots=True)
class Texts:
    """Records with the ids of the themes that each expresses."""

    words: list[str]
    themes: list[frozenset[int]]


@dataclass(frozen=True, slots=True)
class MissingRow:
    """Of the themes that were taken out: the part that is listed, is among the first three, and clear of the noise.

    Rivals: the list in the order of likeness to the dictionary, and in any order.
    """

    records: str
    taken: int
    candidates: int
    listed: float
    first: float
    clear: float
    by_likeness: float
    in_any_order: float


def missing_table(truth: Path, data: Path | None, taken: int, trials: int, seed: int) -> Iterator[MissingRow]:
    """Measure every pack on its truth set; the tickets also on generated ones, and where there is data on real text."""
    for path in sorted(truth.glob("*.yaml")):
        yield from _of_pack(path.stem, _texts_of(path, data, seed), taken, trials, seed)


def _texts_of(path: Path, data: Path | None, seed: int) -> dict[str, Texts]:
    told = yaml.safe_load(path.read_text(encoding="utf-8"))
    found = {path.stem: Texts([each["text"] for each in told], [frozenset(each["atoms"]) for each in told])}
    if path.stem == ticket_pack().name:
        found["generated tickets"] = _tickets(seed)
    for corpus in phrase_labels.OF_PACKS if data is not None else ():
        if data is not None and phrase_labels.dictionary(corpus).name == path.stem:
            found[f"{path.stem}, real"] = _real(corpus, data)
    return found


def _real(corpus: phrase_labels.PhraseCorpus, data: Path) -> Texts:
    ids = phrase_labels.dictionary(corpus).ids
    both = [phrase_labels.labelled(corpus, data, "taught"), phrase_labels.labelled(corpus, data, "held")]
    themes = [frozenset(int(ids[place]) for place in places) for part in both for places in part.atoms]
    return Texts([text for part in both for text in part.texts], themes)


def _tickets(seed: int) -> Texts:
    made = generate_tickets(RECORDS, seed)
    themes: dict[object, set[int]] = {ticket: set() for ticket in made.records.column("ticket_id").to_pylist()}
    for ticket, atom in zip(*(made.truth.column(name).to_pylist() for name in ("ticket_id", "atom_id")), strict=True):
        themes[ticket].add(atom)
    return Texts(made.records.column("text").to_pylist(), [*map(frozenset, themes.values())])


def _of_pack(pack: str, texts: dict[str, Texts], taken: int, trials: int, seed: int) -> Iterator[MissingRow]:
    whole, chance = packs.load(pack), np.random.default_rng(seed)
    out = [int(atom) for atom in chance.choice([int(atom.id) for atom in whole.atoms], taken, replace=False)]
    own, gone = (_part(whole, out, inside=inside) for inside in (False, True))
    others = [packs.load(name) for name in packs.names() if name != pack]
    themes = list_candidates(own, [gone, *others]).themes
    finder = NearestCandidate.of(themes, own)
    places = {atom: _place(themes, whole, atom) for atom in out}
    for name, each in texts.items():
        masses = split_mass(finder, each.words)
        tried = [_tried(masses, each, out, atom, place, chance, trials) for atom, place in places.items()]
        yield _row(name, tried, [*places.values()], themes.size)


def _part(whole: AtomUniverse, out: Sequence[int], *, inside: bool) -> AtomUniverse:
    kept = [atom.model_dump() for atom in whole.atoms if (int(atom.id) in out) is inside]
    return AtomUniverse.model_validate({**whole.model_dump(), "atoms": kept})


def _place(themes: AtomUniverse, whole: AtomUniverse, atom: int) -> int | None:
    label = next(each.label for each in whole.atoms if int(each.id) == atom)
    named = (place for place, each in enumerate(themes.atoms) if (each.label, each.parent) == (label, whole.name))
    return next(named, None)


def split_mass(finder: NearestCandidate, words: Sequence[str]) -> Floats:
    """Return what each text gives to each candidate, as a release adds it up."""
    given = finder(pa.array(words, pa.large_string()))
    masses = np.zeros((given.records, given.universe_size))
    masses[given.rows, given.atoms] = given.ticks / TICKS_PER_MASS
    return masses[:, :-1]


def _tried(  # noqa: PLR0917  a trial, and all that it is of
    masses: Floats,
    texts: Texts,
    out: Sequence[int],
    atom: int,
    place: int | None,
    chance: np.random.Generator,
    trials: int,
) -> list[tuple[bool, bool]]:
    """Tell for each draw whether a theme is among the first three, and whether it stands clear of the noise."""
    if place is None:
        return [(False, False)] * trials
    rows = [row for row, themes in enumerate(texts.themes) if not themes & (set(out) - {atom})]
    reach = candidate_reach(NOISE, masses.shape[1], BETA)
    drawn = (masses[chance.choice(rows, RECORDS)].sum(axis=0) for _ in range(trials))
    noisy = [each + chance.laplace(scale=NOISE.scale, size=len(each)) for each in drawn]
    return [(bool((each > each[place]).sum() < FIRST), bool(each[place] > reach)) for each in noisy]


def _row(name: str, tried: Sequence[list[tuple[bool, bool]]], places: Sequence[int | None], size: int) -> MissingRow:
    first, clear = np.mean(np.array(tried, float), axis=(0, 1))
    known = [place for place in places if place is not None]
    return MissingRow(
        records=name,
        taken=len(places),
        candidates=size,
        listed=len(known) / len(places),
        first=float(first),
        clear=float(clear),
        by_likeness=sum(place < FIRST for place in known) / len(places),
        in_any_order=FIRST / size,
    )


def missing_lines(rows: Iterator[MissingRow]) -> Iterator[str]:
    """Write the table."""
    yield f"{'records':<26}{'taken':>7}{'listed':>8}{'first 3':>9}{'clear':>7}{'by likeness':>13}{'any order':>11}"
    for row in rows:
        rates = (f"{row.listed:>8.0%}", f"{row.first:>9.0%}", f"{row.clear:>7.0%}", f"{row.by_likeness:>13.0%}")
        yield f"{row.records:<26}{row.taken:>7}{''.join(rates)}{row.in_any_order:>11.0%}"
