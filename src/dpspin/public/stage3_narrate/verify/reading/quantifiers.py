"""Denials and quantifiers: "not", "none", "only", "all", "several"."""

from itertools import pairwise

from dpspin.public.stage3_narrate.verify import counting
from dpspin.public.stage3_narrate.verify.denials import is_denial_of_a_claim, is_public_denial
from dpspin.public.stage3_narrate.verify.items import BIN, NUMBER, SIGN, THEME, Item
from dpspin.public.stage3_narrate.verify.quantities import Kind, Quantity
from dpspin.public.stage3_narrate.verify.reading.saying import close_waiting
from dpspin.public.stage3_narrate.verify.reading.state import Handler, Reading
from dpspin.public.stage3_narrate.verify.reading.themes import refer_anew
from dpspin.public.stage3_narrate.verify.reading.waiting import Waiting
from dpspin.public.stage3_narrate.verify.reading.words import VALUES
from dpspin.public.stage3_narrate.verify.statements import (
    Clear,
    Counted,
    InBins,
    Inseparable,
    NoTheme,
    Onlyness,
    Public,
)

_NOBODY = frozenset({"no", "none", "nothing"})
_SAYING = frozenset({"say", "says", "tells", "reveals", "imply"})
_HOLDING = frozenset({"contains", "holds", "includes", "has"})
_THE_PLAN = frozenset({"plan", "table", "list", "values", "figures", "release", "bins", "masses", "support"})
_MORE = frozenset({"more", "less", "above", "below"})
_AFTER_ALL = frozenset({"in", "with", "of", "the", "also", "listed", "released"})


# -- not


def read_not(reading: Reading, item: Item) -> None:
    """Read a negation: of a claim, of the other side of an order, or of what is so of no plan."""
    nobody = item.text in _NOBODY
    if _is_bare(reading):
        _deny_what_was_said(reading, item)
        return
    if nobody and reading.relation and reading.relation.on_right and not reading.relation.right:
        reading.relation.nobody = reading.relation.everyone = True
        return
    if nobody and not reading.here:
        reading.subject, reading.open = (), False
    if _is_inside_a_public_denial(reading, item):
        reading.say(Public(reading.span(item)))
    elif item.text == "nor" and reading.waiting and reading.waiting.item.kind == "tie" and reading.waiting.atoms:
        tie, first = reading.waiting.item, reading.waiting.atoms[:1]
        close_waiting(reading)
        reading.waiting = Waiting(tie, atoms=first)  # "A cannot be told apart from B, nor from C"
    elif item.text == "nor" and reading.last is not None and reading.last.item.kind == "tie" and reading.subject:
        reading.waiting = Waiting(reading.last.item, atoms=list(reading.subject[:1]))  # "…, nor from C"
    elif _says_that_none_is(reading, item):
        read_no_theme(reading, item)
    else:
        _deny(reading, item)


def _is_bare(reading: Reading) -> bool:
    """Tell "Five themes are clear of the noise. Battery drain is not."."""
    ends = all(each.kind == SIGN for each in reading.rest)
    return ends and bool(reading.subject) and reading.discourse.said in {"clear", "order_certain"}


def _deny_what_was_said(reading: Reading, item: Item) -> None:
    span, subject = reading.span(item), reading.subject
    clear = reading.discourse.said == "clear"
    reading.say(Clear(span, subject, up=False) if clear else Inseparable(span, subject))


def _is_inside_a_public_denial(reading: Reading, item: Item) -> bool:
    """Tell the second negation of "omission does not mean that nobody …", and "says nothing about …"."""
    inside = reading.denies_in_general() and not reading.here
    return inside or (item.text == "nothing" and reading.text_before in _SAYING)


def _says_that_none_is(reading: Reading, item: Item) -> bool:
    """Tell "none is clear" and "none is in the high bin"; of an empty plan "none" says it all."""
    if item.text != "none" or reading.names_a_theme_later():
        return False
    return not reading.plan.entries or any(each.kind in {"clear", BIN} for each in reading.rest)


def _deny(reading: Reading, item: Item) -> None:
    """Keep a denial for its claim, find it public, or refuse it."""
    if item.text in {"neither", "nor"} and any(each.kind == "tie" for each in reading.rest):
        return  # "neither A nor B can be placed above the other"
    if (
        item.text in {"neither", "nor"}
        and reading.last is not None
        and reading.last.item.kind == "tie"
        and _goes_on(reading)
    ):
        reading.waiting = Waiting(reading.last.item)  # "…, and neither can C and D"
        return
    if item.text == "neither" and not reading.is_followed_by_theme():
        refer_anew(reading, reading.discourse.many(reading.here, 2), item)
    named = reading.in_clause or _clause_names_a_theme(reading)
    if is_denial_of_a_claim(item, reading.rest):
        reading.denied = item
    elif is_public_denial(item, reading.rest, reading.passage, reading.plan, named=named):
        reading.say(Public(reading.span(item)))
    else:
        reading.leave_unexplained(item, "not")


def _goes_on(reading: Reading) -> bool:
    after = reading.after_skipping({"can", "could", "are", "is", "do", "does"})
    return after is not None and after.kind == THEME


def _clause_names_a_theme(reading: Reading) -> bool:
    """Tell whether the clause goes on to name a theme."""
    for each in reading.rest:
        if each.kind == "break" or each.text in {";", ":", "but"}:
            return False
        if each.kind == THEME:
            return True
    return False


def read_no_theme(reading: Reading, item: Item) -> None:
    """Read "no theme is listed", "none stands clear of the noise", "none is in the high bin"."""
    if reading.relation and reading.relation.on_right:
        reading.relation.nobody = reading.relation.everyone = True
        return
    if reading.waiting and reading.waiting.item.kind == BIN and not reading.waiting.atoms:
        waiting, reading.waiting = reading.waiting, None  # "Moderate bin: no theme."
        reading.say(Counted(reading.span(item), _zero(item), bins=waiting.item.bins))
        return
    said = next((each for each in reading.rest if each.kind in {"clear", "buried", BIN} | _MORE), None)
    if said is not None and said.kind in _MORE:
        reading.denied = item
        return
    if said is not None and said.kind == BIN and "other" in item.text:
        named = {*reading.discourse.named, *reading.here}
        inside = tuple(atom for atom in reading.atoms_in(said.bins) if atom in named)
        reading.say(InBins(reading.span(item), inside, said.bins, only=True))  # "no other theme has high support"
    elif said is not None and said.kind == BIN:
        reading.say(Counted(reading.span(item), _zero(item), bins=said.bins))
    else:
        reading.say(NoTheme(reading.span(item), clear=said is not None))
    reading.settled = said


def _zero(item: Item) -> Quantity:
    return Quantity(Kind.WORD, 0.0, 0, item.start, item.end)


# -- only


def read_only(reading: Reading, item: Item) -> None:
    """Read "only A is high" and "…, which contains only A"; "only low support" says no more than "low support"."""
    if item.text == "alone" and reading.waiting and reading.waiting.item.kind == BIN and reading.waiting.atoms:
        reading.waiting.only = True  # "the low bin holds A alone"
        return
    if item.text == "alone" and reading.text_before in _THE_PLAN:
        return  # "on the basis of the released plan alone"
    after = reading.after_skipping({"a", "an", "the"})
    kind = after.kind if after else ""
    bins = [each.bins for each in reading.items[: reading.at] if each.kind == BIN]
    if kind == THEME and bins and reading.text_before in _HOLDING:
        themes = tuple(atom for each in reading.rest if each.kind == THEME for atom in each.atoms)
        reading.say(InBins(reading.span(item), themes, bins[-1], only=True))
    elif kind not in {BIN, NUMBER} or reading.text_before == "the" or item.text.startswith("the"):
        reading.only = item


def read_nothing_else(reading: Reading, item: Item) -> None:
    """Read "no other theme is listed" of all themes named so far."""
    named = tuple(dict.fromkeys([*reading.discourse.named, *reading.here]))
    reading.say(Onlyness(reading.span(item), named))


# -- all, several, most


def read_every(reading: Reading, item: Item) -> None:
    """Let "all" stand where it stresses a list or speaks of values; said of anything else it would be a claim."""
    after = reading.text_after
    if reading.relation and reading.relation.on_right:
        reading.leave_unexplained(item, "quantifier")  # "above all except A"
        return
    harmless = after.startswith(VALUES) or after in _AFTER_ALL or len(reading.subject) > 1
    if reading.passage.references and not harmless and not reading.denies_in_general():
        reading.leave_unexplained(item, "quantifier")


def read_most(reading: Reading, item: Item) -> None:
    """Read "several themes have moderate support" as at least two; "most" and "few" say more than a plan can."""
    if reading.denies_in_general():
        return  # "does not mean that few people …"
    tie = next((each for each in reading.rest if each.kind in {"tie", "tie_gap"}), None)
    named = any(each.kind == THEME for each in reading.items)
    if tie is not None and named:
        return  # "some themes cannot be told apart, for example A and B": said of A and B
    if tie is not None and _has_a_tie(reading):
        reading.settled = tie
    elif item.text in {"several", "multiple", "various"} and counting.speaks_of_themes(item, reading.passage):
        _read_several(reading, item)
    else:
        reading.leave_unexplained(item, "quantifier")


def _read_several(reading: Reading, item: Item) -> None:
    said = next((each for each in reading.rest if each.kind == BIN), None)
    bins = said.bins if said else frozenset(support_bin.name for support_bin in reading.plan.rules.bins)
    if len(reading.atoms_in(bins)) > 1:
        reading.settled = None if reading.theme_follows() else said
    else:
        reading.leave_unexplained(item, "quantifier")


def _has_a_tie(reading: Reading) -> bool:
    margin = reading.plan.rules.comparison_margin
    return any(high.noisy_mass - low.noisy_mass <= margin for high, low in pairwise(reading.plan.entries))


HANDLERS: dict[str, Handler] = {
    "not": read_not,
    "no_theme": read_no_theme,
    "only": read_only,
    "nothing_else": read_nothing_else,
    "every": read_every,
    "most": read_most,
}
