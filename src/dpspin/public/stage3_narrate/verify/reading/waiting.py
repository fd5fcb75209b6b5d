"""What a sentence has begun to say and not yet finished: a predicate without its themes, an order without a side."""

from dataclasses import dataclass, field

from dpspin.public.stage3_narrate.verify.items import Item

Atoms = tuple[int, ...]


@dataclass(slots=True)
class Waiting:
    """A predicate that was said before its themes."""

    item: Item
    denied: bool = False
    only: bool = False
    count: Item | None = None
    atoms: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Relation:
    """An order whose sides are not complete yet."""

    item: Item
    above: bool
    denied: bool
    left: list[int]
    right: list[int] = field(default_factory=list)
    on_left: bool = False  # "higher for A …": the first side follows
    on_right: bool = False  # "than" was read: what follows is the other side
    named: bool = False  # the other side is named, not referred to
    everyone: bool = False  # "than all others"
    nobody: bool = False  # "than no other"


@dataclass(slots=True)
class Numbers:
    """The numbers of a clause, until it is known of whom they are said."""

    pending: list[Item] = field(default_factory=list)
    inside: list[Item] = field(default_factory=list)  # those in the parentheses that are open
    parentheses: int = 0  # how many are open
    run: list[int] = field(default_factory=list)  # the themes named since the last number
    last_theme: Atoms = ()  # whom parentheses speak of
    numbered: bool = False  # the run has got its number
    ahead: bool = False  # numbers stand before their themes: "318.4 for A and 271.9 for B"
    together: bool = False  # "A and B together": a sum
