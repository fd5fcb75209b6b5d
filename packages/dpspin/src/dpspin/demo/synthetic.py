"""Support tickets with known truth: seeded, nobody's secret, and too varied to be solved by matching labels.

Which themes a ticket has follows a skewed public profile, and company that makes sense.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv

from dpspin.boundary.atoms import AtomId, AtomUniverse
from dpspin.demo.chance import Chance, chance_of, pick, shuffled
from dpspin.demo.letters import CHANNELS, HABITS, Letter, handwritten, letter_about, ticket_bank
from dpspin.errors import RequestError
from dpspin.public.atoms import packs

FIRST_DAY, DAYS = date(2025, 1, 1), 365
TICKETS_PER_USER = 2
TAIL, LARGEST = 1.3, 150.0  # Pareto exponent of users' activity, and its cut: most write once, a few dozens of times
SKEW, SHIFT = 0.9, 2.0  # Zipf-Mandelbrot: the head holds about 9 %, the tail below 1 %
ATTRACTION = 5.0  # a second theme comes more often from the same group, or complains about support
SUPPORT = "support and guidance"
OFF_TOPIC = 0.065
SECOND, THIRD = 0.38, 0.25  # the chance to go on to a second theme, and from there to a third


@cache
def ticket_pack() -> AtomUniverse:
    """Return the dictionary that the tickets are written for."""
    return packs.load("support-tickets")


def public_profile() -> dict[AtomId, float]:
    """Return the shares by which themes are drawn unless the caller plants others.

    >>> profile = public_profile()
    >>> round(sum(profile.values()), 9), round(max(profile.values()), 3), round(min(profile.values()), 4)
    (1.0, 0.093, 0.0067)
    """
    ranks = np.arange(1, ticket_pack().size + 1)
    weights = (ranks + SHIFT) ** -SKEW
    return dict(zip(ticket_bank().popularity, (weights / weights.sum()).tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Mixture:
    """Theme shares in pack order, and how themes attract or exclude each other."""

    shares: NDArray[np.float64]
    affinity: NDArray[np.float64]  # (m, m), zero where two themes do not meet

    def draw(self, chance: Chance) -> list[AtomId]:
        """Return the themes of one ticket: none to three, the first one leading."""
        if chance.random() < OFF_TOPIC:
            return []
        chosen: list[int] = []
        for go_on in (1.0, SECOND, THIRD):
            weights = self.shares * self.affinity[chosen].prod(axis=0)
            if chance.random() >= go_on or not weights.any():
                break
            ladder = weights.cumsum()
            chosen.append(int(np.searchsorted(ladder, chance.random() * ladder[-1], side="right")))
        return [ticket_pack().ids[position] for position in chosen]


def mixture_of(shares: Mapping[AtomId, float]) -> Mixture:
    """Check the shares and put them into pack order; a theme that is not named never occurs."""
    unknown = sorted(set(shares) - set(ticket_pack().ids))
    if unknown:
        raise RequestError(f"the pack {ticket_pack().name} has no atom {unknown[0]}")
    weights = np.array([shares.get(atom, 0.0) for atom in ticket_pack().ids])
    if not np.isfinite(weights).all() or (weights < 0).any() or weights.sum() <= 0:
        raise RequestError("theme shares must be finite and not negative, and at least one above zero")
    return Mixture(weights / weights.sum(), _affinity())


@cache
def _affinity() -> NDArray[np.float64]:
    atoms = ticket_pack().atoms
    return np.array(
        [
            [
                0.0
                if one.id == two.id or ticket_bank().keeps_apart(one.id, two.id)
                else ATTRACTION
                if two.parent in {one.parent, SUPPORT}
                else 1.0
                for two in atoms
            ]
            for one in atoms
        ]
    )


@dataclass(frozen=True, slots=True)
class SyntheticCorpus:
    """The tickets, and apart from them what each one is about.

    ``records``: ticket_id, user_id, created, channel, text. ``truth``: ticket_id, atom_id, weight; the weights of a
    ticket sum to one, and an off-topic ticket has no row.
    """

    records: pa.Table
    truth: pa.Table
    universe: AtomUniverse


@dataclass(frozen=True, slots=True)
class Split:
    """Two corpora without a common user or ticket: one to learn from, one to protect."""

    auxiliary: SyntheticCorpus
    target: SyntheticCorpus


def generate_tickets(
    n: int, seed: int, *, users: int | None = None, shares: Mapping[AtomId, float] | None = None
) -> SyntheticCorpus:
    """Write ``n`` tickets by ``users`` customers (half as many as tickets), themes drawn by ``shares``.

    >>> generate_tickets(3, seed=1).records.column_names
    ['ticket_id', 'user_id', 'created', 'channel', 'text']
    """
    return _generate(n, chance_of(seed), users=users, shares=shares or public_profile(), first_ticket=1, first_user=1)


def generate_split(
    n_auxiliary: int, n_target: int, seed: int, *, target_shares: Mapping[AtomId, float] | None = None
) -> Split:
    """Write a user-disjoint pair; ``target_shares`` plants a shift that a map must follow."""
    profile = public_profile()
    auxiliary = _generate(n_auxiliary, chance_of(seed, "auxiliary"), shares=profile, first_ticket=1, first_user=1)
    target = _generate(
        n_target,
        chance_of(seed, "target"),
        shares=target_shares or profile,
        first_ticket=n_auxiliary + 1,
        first_user=n_auxiliary + 1,
    )
    return Split(auxiliary, target)


def write_csv(corpus: SyntheticCorpus, path: Path | str) -> None:
    """Write the tickets, without their truth."""
    csv.write_csv(corpus.records, path)


def write_truth(corpus: SyntheticCorpus, path: Path | str) -> None:
    """Write what the tickets are about: ticket_id, atom_id, weight."""
    csv.write_csv(corpus.truth, path)


def _generate(
    n: int,
    chance: Chance,
    *,
    shares: Mapping[AtomId, float],
    first_ticket: int,
    first_user: int,
    users: int | None = None,
) -> SyntheticCorpus:
    writers = _writers(n, users if users is not None else max(1, n // TICKETS_PER_USER), chance)
    habits = [pick(HABITS, chance) for _ in range(max(writers) + 1)]
    mixture = mixture_of(shares)
    channels = [pick(CHANNELS, chance) for _ in range(n)]
    letters = [letter_about(mixture.draw(chance), channel, chance) for channel in channels]
    texts = [handwritten(letter.text, habits[w], chance) for letter, w in zip(letters, writers, strict=True)]
    tickets = [f"t{number:06d}" for number in range(first_ticket, first_ticket + n)]
    records = pa.table(
        {
            "ticket_id": tickets,
            "user_id": [f"u{first_user + writer:06d}" for writer in writers],
            "created": _dates(n, chance),
            "channel": channels,
            "text": texts,
        }
    )
    return SyntheticCorpus(records, _truth_table(tickets, letters), ticket_pack())


def _writers(n: int, users: int, chance: Chance) -> list[int]:
    """Return the user number of each ticket: everyone writes once, the rest goes by a heavy-tailed activity."""
    if not 1 <= users <= n:
        raise RequestError(f"{n} tickets cannot come from {users} users: choose between 1 and the number of tickets")
    ladder: list[float] = []
    for _ in range(users):
        activity = min(LARGEST, (1 - chance.random()) ** (-1 / TAIL))
        ladder.append(activity + (ladder[-1] if ladder else 0.0))
    again = [bisect(ladder, chance.random() * ladder[-1]) for _ in range(n - users)]
    return shuffled([*range(users), *again], chance)


def _dates(n: int, chance: Chance) -> list[str]:
    days = sorted(int(chance.random() * DAYS) for _ in range(n))
    return [(FIRST_DAY + timedelta(days=day)).isoformat() for day in days]


def _truth_table(tickets: list[str], letters: list[Letter]) -> pa.Table:
    """Weigh each theme of a ticket by its number of sentences."""
    rows = [
        (ticket, atom, count / len(letter.sentence_themes))
        for ticket, letter in zip(tickets, letters, strict=True)
        for atom, count in Counter(letter.sentence_themes).items()
    ]
    names, types = ("ticket_id", "atom_id", "weight"), (pa.string(), pa.int64(), pa.float64())
    columns = [pa.array([row[i] for row in rows], type=kind) for i, kind in enumerate(types)]
    return pa.table(dict(zip(names, columns, strict=True)))


def true_mentions(corpus: SyntheticCorpus) -> NDArray[np.int64]:
    """Return by how many users each atom is mentioned, in dictionary order."""
    position = {atom: place for place, atom in enumerate(corpus.universe.ids)}
    users = dict(zip(*(corpus.records[name].to_pylist() for name in ("ticket_id", "user_id")), strict=True))
    tickets, atoms = (corpus.truth[name].to_pylist() for name in ("ticket_id", "atom_id"))
    counts: NDArray[np.int64] = np.zeros(corpus.universe.size, dtype=np.int64)
    for _, atom in {(users[ticket], atom) for ticket, atom in zip(tickets, atoms, strict=True)}:
        counts[position[atom]] += 1
    return counts
