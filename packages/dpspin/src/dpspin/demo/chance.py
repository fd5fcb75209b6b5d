"""Repeatable chance for generated corpora. Not for noise: a release never comes near this module."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Chance(Protocol):
    """A stream of numbers in [0, 1).

    ``Random.random`` keeps its sequence over Python versions; the other methods of ``Random`` may not.
    """

    def random(self) -> float:
        """Return the next number."""


def chance_of(*seed: int | str) -> Chance:
    """Return the stream that belongs to a seed.

    >>> chance_of(7, "auxiliary").random() == chance_of(7, "target").random()
    False
    """
    return Random("/".join(map(str, seed)))


def pick(items: Sequence[Item], chance: Chance) -> Item:
    """Return one item, all equally likely."""
    return items[int(chance.random() * len(items))]


def pick_several(items: Sequence[Item], count: int, chance: Chance) -> list[Item]:
    """Return ``count`` different items (all of them if there are fewer), in random order."""
    left = list(items)
    return [left.pop(int(chance.random() * len(left))) for _ in range(min(count, len(left)))]


def shuffled(items: Iterable[Item], chance: Chance) -> list[Item]:
    """Return all items in random order."""
    return sorted(items, key=lambda _: chance.random())
