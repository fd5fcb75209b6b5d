"""What a reader keeps in mind halfway through a passage, and how far it looks around."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.discourse import Discourse
from dpspin.public.stage3_narrate.verify.items import THEME, Item
from dpspin.public.stage3_narrate.verify.passages import Passage
from dpspin.public.stage3_narrate.verify.reading.waiting import Atoms, Numbers, Relation, Waiting
from dpspin.public.stage3_narrate.verify.reading.words import INTRODUCING, PLAN_VERBS, PREDICATES, RELATIONS
from dpspin.public.stage3_narrate.verify.statements import Public, Statement, Unexplained
from dpspin.public.stage3_narrate.verify.verdict import Span


@dataclass(slots=True)
class Reading:
    """One pass over one passage: whom it speaks of, what it has said, and what it has left open."""

    passage: Passage
    items: tuple[Item, ...]
    plan: SemanticPlan
    discourse: Discourse
    heading: Waiting | None
    at: int = 0  # the place of the item that is read
    statements: list[Statement] = field(default_factory=list)

    # whom it speaks of
    here: list[int] = field(default_factory=list)  # every theme that the passage named so far
    referred: list[int] = field(default_factory=list)  # every theme that it refers to without naming it
    spoken_of: list[int] = field(default_factory=list)  # whom the last clauses spoke of
    subject: Atoms = ()
    subject_named: bool = False
    open: bool = False  # the subject is still being listed
    in_clause: bool = False  # the clause names a theme
    among: Atoms = ()  # "of the two", "in the moderate bin"
    excepted: set[int] = field(default_factory=set)
    topic: Atoms = ()  # whom "its order relative to B" speaks of
    series_at: int = 0  # how far "the first three, the next two" have come

    # what waits for its other half
    waiting: Waiting | None = None
    relation: Relation | None = None
    compared: list[int] | None = None  # "Compared with A, …"
    comparing: bool = False  # A is still being listed
    attribute: Item | None = None  # "two high-support themes, A and B" as the other side of an order
    denied: Item | None = None
    only: Item | None = None
    count: Item | None = None
    counts: list[Item] = field(default_factory=list)  # numbers of themes of which nothing more was said
    numbers: Numbers = field(default_factory=Numbers)

    # what was said last
    last: Waiting | None = None  # the last predicate, for "as does B"
    sharing: bool = False  # "as does" was read
    last_object: Atoms = ()  # the lower side of the last order, for "then C"
    first_is_higher: bool = True  # of the last order
    ranking: bool = False  # ranks are being given: "A ranks first, B second"
    sorted: Item | None = None  # the themes are said to stand in order
    spent: set[int] = field(default_factory=set)  # where items start that were read already
    settled: Item | None = None  # a predicate that was judged with "no theme"

    # -- looking around

    @property
    def before(self) -> Item | None:
        """The item just read."""
        return self.items[self.at - 1] if self.at else None

    @property
    def after(self) -> Item | None:
        """The item to be read next."""
        return self.items[self.at + 1] if self.at + 1 < len(self.items) else None

    @property
    def rest(self) -> tuple[Item, ...]:
        """All items to be read."""
        return self.items[self.at + 1 :]

    @property
    def text_before(self) -> str:
        """The words of the item just read."""
        return self.before.text if self.before else ""

    @property
    def text_after(self) -> str:
        """The words of the item to be read next."""
        return self.after.text if self.after else ""

    @property
    def masked(self) -> str:
        """The words of the passage, its themes blotted out."""
        return self.passage.masked

    def after_skipping(self, words: Iterable[str]) -> Item | None:
        """Return the next item that is none of these words."""
        return next((each for each in self.rest if each.text not in words), None)

    def after_themes(self, position: int) -> Item | None:
        """Return the first item after a position that is no theme."""
        return next((each for each in self.items[position + 1 :] if each.kind != THEME), None)

    def names_a_theme_later(self) -> bool:
        """Tell whether any theme is still to be named."""
        return any(each.kind == THEME for each in self.rest)

    def is_followed_by_theme(self) -> bool:
        """Tell "both A and B", "the themes are A and B": names follow at once."""
        after = self.after_skipping(INTRODUCING)
        return after is not None and after.kind == THEME

    def theme_follows(self) -> bool:
        """Tell whether a theme is named before the next predicate, order or clause."""
        for each, following in zip(self.rest, (*self.rest[1:], None), strict=False):
            if each.kind == "it" and (each.text.startswith("that") or (following and following.text in PLAN_VERBS)):
                continue  # "that of B", "it lists B"
            if each.kind in {THEME, "former", "latter", "it"}:
                return each.kind == THEME
            if each.kind in PREDICATES or each.kind in RELATIONS or each.kind == "break" or each.text == ";":
                return False
        return False

    def on_other_side(self) -> bool:
        """Tell whether what follows is the other side of an order."""
        return self.relation is not None and self.relation.on_right

    def atoms_in(self, bins: frozenset[str]) -> Atoms:
        """Return the listed themes of these bins."""
        return tuple(entry.atom_id for entry in self.plan.entries if entry.bin in bins)

    def rank_of(self, atoms: Atoms) -> int:
        """Return the released rank of a theme, or one behind all of them."""
        return next((entry.rank for entry in self.plan.entries if entry.atom_id in atoms), len(self.plan.entries) + 1)

    def skips(self, item: Item, atoms: Atoms) -> bool:
        """Tell "B is next" where the theme before B was not named."""
        named = {*self.discourse.named, *self.here, *self.referred}
        before = self.rank_of(atoms[:1]) - 1
        claims = "next" in item.text or "then come" in item.text
        return claims and not any(e.rank == before and e.atom_id in named for e in self.plan.entries)

    # -- writing down

    def span(self, item: Item) -> Span:
        """Return where an item stands in the whole text."""
        return self.passage.start + item.start, self.passage.start + item.end

    def say(self, *statements: Statement) -> None:
        """Write down what the passage says."""
        self.statements += statements

    def leave_unexplained(self, item: Item, kind: str) -> None:
        """Write down that a phrase found nobody to speak of."""
        self.say(Unexplained(self.span(item), kind, item.text))

    def denies_in_general(self) -> bool:
        """Tell whether the passage has denied what is so of no plan."""
        return any(isinstance(statement, Public) for statement in self.statements)

    def name(self, atoms: Atoms) -> None:
        """Note that the passage names these themes."""
        self.here += [atom for atom in atoms if atom not in self.here]

    def spend(self, *items: Item) -> None:
        """Note that items were read ahead of their turn."""
        self.spent |= {each.start for each in items}

    def take_denied(self) -> bool:
        """Return whether what follows is denied; a denial reaches one predicate."""
        denied, self.denied = self.denied is not None, None
        return denied

    def take_only(self) -> bool:
        """Return whether "only" was said; it reaches one predicate."""
        only, self.only = self.only is not None, None
        return only

    def lay_count_aside(self) -> None:
        """Keep a number of themes for the end, as nothing more was said of it."""
        if self.count is not None:
            self.counts.append(self.count)


Handler = Callable[[Reading, Item], None]
