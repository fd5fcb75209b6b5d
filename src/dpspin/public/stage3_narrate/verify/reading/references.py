"""References to themes that were named before: "it", "which", "the former", "the second", "ranks 4 and 5"."""

from dpspin.public.stage3_narrate.verify.items import NUMBER, Item
from dpspin.public.stage3_narrate.verify.reading import numbers
from dpspin.public.stage3_narrate.verify.reading.closing import boundary, close_relation
from dpspin.public.stage3_narrate.verify.reading.predicates import read_ordinal
from dpspin.public.stage3_narrate.verify.reading.saying import close_waiting
from dpspin.public.stage3_narrate.verify.reading.state import Handler, Reading
from dpspin.public.stage3_narrate.verify.reading.themes import refer, refer_anew
from dpspin.public.stage3_narrate.verify.reading.waiting import Atoms
from dpspin.public.stage3_narrate.verify.reading.words import PLAN_VERBS, RANGE_OF_RANKS
from dpspin.public.stage3_narrate.verify.statements import Ranked

_PLURAL = frozenset({"are", "were", "have", "both", "all", "fall", "show", "rank"})
_OF_THEMES = frozenset(
    {"have", "rank", "reach", "fall", "stand", "share", "carry", "lie", "sit", "exceed", "belong", "meet"}
)
_VALUES = frozenset({"order", "ordering", "bins", "masses", "values", "ranks", "intervals", "figures", "percentages"})
_PAIR = 2


def read_it(reading: Reading, item: Item) -> None:
    """Read "it" and "which"; not "that of B", where B itself follows, nor "it lists A", where it is the plan."""
    if item.text == "which" and reading.text_before == "of" and reading.items[reading.at - 2].kind != NUMBER:
        reading.lay_count_aside()  # "seven themes, of which A and B have …"
        reading.count = None
    if item.text in {"which", "whose"}:
        read_relative(reading)
    elif not item.text.startswith("that") and (reading.text_after not in PLAN_VERBS or _does_what_themes_do(reading)):
        _read_pronoun(reading, item)


def _does_what_themes_do(reading: Reading) -> bool:
    """Tell "it does have more support" from "it does not say", which only a plan does."""
    verb = reading.after_skipping({"does", "not"})
    return reading.text_after == "does" and verb is not None and verb.text in _OF_THEMES


def _read_pronoun(reading: Reading, item: Item) -> None:
    """Read "it" of the subject; after "than" of the subject of the sentence before."""
    if reading.relation and reading.relation.right:
        boundary(reading)
    before = reading.discourse.subject
    atoms = (before if reading.on_other_side() and reading.here else reading.subject) or before
    if len(atoms) == 1:
        refer_anew(reading, atoms, item)


def read_relative(reading: Reading, *, plural: bool = False) -> None:
    """Read "A and B, which are …" of both, and "A and B, which is …" of B; after "than B" of B too."""
    if reading.comparing and reading.compared:
        numbers.speak_of(reading, tuple(reading.compared[-1:]))
        return  # "Compared with A whose noisy mass is …, B …"
    run = _themes_just_read(reading)
    if reading.relation and reading.relation.right:
        close_relation(reading)
    if reading.waiting and reading.waiting.atoms:
        close_waiting(reading)
    tied = any(each.kind == "tie" for each in reading.rest[:2])
    several = plural or tied or reading.text_after in _PLURAL or _speaks_of_several_values(reading)
    reading.subject = run if several else run[-1:]
    reading.open = bool(reading.subject)
    numbers.speak_of(reading, reading.subject)


def _speaks_of_several_values(reading: Reading) -> bool:
    """Tell "whose bins are …" and "whose noisy masses are …"."""
    after = reading.after_skipping({"noisy", "released", "support", "own", "relative"})
    return reading.items[reading.at].text == "whose" and after is not None and after.text in _VALUES


def _themes_just_read(reading: Reading) -> Atoms:
    relation, waiting = reading.relation, reading.waiting
    run = (relation.right or relation.left if relation else []) or (waiting.atoms if waiting else [])
    return tuple(run) or reading.subject or reading.discourse.subject


def read_by_rank(reading: Reading, item: Item) -> None:
    """Read "ranks 4 and 5" and "items 2 to 4" as themes, and "A and B rank 5 and 6" as a claim."""
    if reading.open and len(reading.subject) == _PAIR and item.text.startswith("rank"):
        pairs = zip(reading.subject, (item.place or 0, item.upto or 0), strict=True)
        reading.say(*(Ranked(reading.span(item), (atom,), rank) for atom, rank in pairs))
        reading.open = False
        return
    ranks = {item.place, item.upto}
    if RANGE_OF_RANKS.search(item.text) and item.place and item.upto:
        ranks = set(range(item.place, item.upto + 1))
    refer_anew(reading, tuple(entry.atom_id for entry in reading.plan.entries if entry.rank in ranks), item)


def read_former(reading: Reading, item: Item) -> None:
    """Read "the former"."""
    _refer_within_series(reading, reading.discourse.pair(reading.here)[:1], item)


def read_latter(reading: Reading, item: Item) -> None:
    """Read "the latter"."""
    _refer_within_series(reading, reading.discourse.pair(reading.here)[-1:], item)


def read_first_of_these(reading: Reading, item: Item) -> None:
    """Read "the first three"."""
    _refer_within_series(reading, _series(reading, item.place or 2)[: item.place], item)
    reading.series_at = item.place or 0


def read_next_of_these(reading: Reading, item: Item) -> None:
    """Read "the next two"."""
    _refer_within_series(reading, _series(reading, 3)[reading.series_at :][: item.place], item)
    reading.series_at += item.place or 0


def read_last_one(reading: Reading, item: Item) -> None:
    """Read "the last one"."""
    _refer_within_series(reading, _series(reading, 2)[-1:], item)


def read_last_of_these(reading: Reading, item: Item) -> None:
    """Read "the last two"."""
    _refer_within_series(reading, _series(reading, item.place or 2)[-(item.place or 0) :], item)


def read_nth_of_these(reading: Reading, item: Item) -> None:
    """Read "the second" of what was listed; "the third is A" goes on with a list."""
    place = item.place or 1
    atoms = _series(reading, max(2, place))[place - 1 :][:1]
    if atoms:
        _refer_within_series(reading, atoms, item)
    elif not reading.is_followed_by_theme():
        read_ordinal(reading, item)


def _series(reading: Reading, at_least: int) -> Atoms:
    return reading.discourse.series(reading.here, at_least)


def _refer_within_series(reading: Reading, atoms: Atoms, item: Item) -> None:
    """Speak of some themes of a series, in a clause of its own unless it is the other side of an order."""
    if not atoms:
        reading.leave_unexplained(item, "reference")
        return
    if reading.relation and reading.relation.right:
        boundary(reading)  # "A has more support than B: the former …"
    tie = reading.waiting is not None and reading.waiting.item.kind == "tie" and not reading.waiting.atoms
    if not reading.on_other_side() and not tie:  # "no order is stated between the last two"
        reading.open = False
        close_relation(reading)
        close_waiting(reading)
    refer(reading, atoms, item)


HANDLERS: dict[str, Handler] = {
    "it": read_it,
    "by_rank": read_by_rank,
    "former": read_former,
    "latter": read_latter,
    "first_of_these": read_first_of_these,
    "next_of_these": read_next_of_these,
    "last_one": read_last_one,
    "last_of_these": read_last_of_these,
    "nth_of_these": read_nth_of_these,
}
