"""The checks that the paper calls its verifier, one rule each: they screen drafts, and give UAR, UCR and acceptance."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import chain
from typing import Final

from pydantic import Field

from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.plan_fields import marker_of
from dpspin.public.narrate.claims.claim import is_above
from dpspin.public.narrate.contract.prose import (
    COMPARISON,
    FIGURE,
    IMPORTANCE,
    SUPERLATIVE,
    Clause,
    Mention,
    Prose,
    claimed_rank,
    raw_records_in,
)
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.verify import Span, check_text


class Violation(FrozenModel):
    """One broken rule of the contract; ``message`` tells a decoder how to mend the text at ``span``."""

    rule: str
    message: str
    span: Span


class Comparison(FrozenModel):
    """One comparison or superlative that was detected, and whether the plan supports it."""

    span: Span
    superlative: bool
    valid: bool


class Screening(FrozenModel):
    """What the screen found. A text that passes is *screened*, not verified.

    A UCR of zero means little where no comparison was made, so it is read together with their number.
    """

    accepted: bool
    violations: tuple[Violation, ...]
    unsupported_atom_rate: float = Field(ge=0, le=1)
    unsupported_comparison_rate: float = Field(ge=0, le=1)
    comparisons: int = Field(ge=0)


def screen(facts: Facts, text: str, mode: Mode) -> Screening:
    """Apply every check; a text is accepted if and only if no violation is found."""
    prose = Prose(text, facts.atoms)
    found = sorted(chain.from_iterable(rule(prose, facts, mode) for rule in RULES), key=lambda each: each.span)
    compared = list(comparisons(prose, facts))
    marked = {mention.atom for mention in prose.mentions if mention.marked}
    return Screening(
        accepted=not found,
        violations=tuple(found),
        unsupported_atom_rate=len(marked - facts.listed.keys()) / max(1, len(marked)),
        unsupported_comparison_rate=sum(not each.valid for each in compared) / max(1, len(compared)),
        comparisons=len(compared),
    )


def markers(prose: Prose, facts: Facts, mode: Mode) -> Iterator[Violation]:
    """Canonical marker check: every marker refers to an admitted atom; display text has none."""
    for mention in prose.mentions:
        if mention.marked and mode is Mode.DISPLAY:
            yield Violation(rule="marker-in-display", message="Leave the marker out.", span=mention.span)
        elif mention.marked and mention.atom not in facts.listed:
            message = f"{marker_of(mention.atom)} is not in the plan: leave it out."
            yield Violation(rule="unknown-marker", message=message, span=mention.span)


def labels(prose: Prose, facts: Facts, mode: Mode) -> Iterator[Violation]:
    """Literal label support check: a label of the dictionary is admitted and, in audit mode, has its marker."""
    for clause in prose.clauses:
        marked = {mention.atom for mention in clause.mentions if mention.marked}
        for mention in clause.mentions:
            label = facts.labels.get(mention.atom)
            if mention.marked:
                continue
            if mention.atom not in facts.listed:
                message = f"{label!r} is not in the plan: leave it out."
                yield Violation(rule="unsupported-label", message=message, span=mention.span)
            elif mode is Mode.AUDIT and mention.atom not in marked:
                message = f"Put {marker_of(mention.atom)} behind {label!r}."
                yield Violation(rule="missing-marker", message=message, span=mention.span)


def bins(prose: Prose, facts: Facts, _mode: Mode) -> Iterator[Violation]:
    """Support-bin check: a bin that is assigned to an admitted atom is the released one."""
    names = "|".join(map(re.escape, sorted((each.name for each in facts.plan.rules.bins), key=len, reverse=True)))
    assigned = re.compile(
        rf"(?:\b(?:(?P<verb>has|have|had)|(?P<with>with))\s+(?:an?\s+)?)?(?<!\w)(?P<name>{names})"
        rf"(?:-|\s+(?:(?:released|semantic)\s+)*)(?:support|bin)\b(?P<of>\s+(?:for|of|in|across)\b|:)?"
        rf"|\bbin\s*[=:]\s*(?P<given>{names})(?!\w)|\bsupport\b.*?\b(?:is|are|was|were)\s+(?P<said>{names})(?!\w)",
        re.IGNORECASE,
    )
    for clause in prose.clauses:
        found = list(assigned.finditer(clause.text))
        for mention in clause.mentions if found else ():
            name = _bin_of(mention, clause, found)
            entry = facts.listed.get(mention.atom)
            if entry is not None and name is not None and entry.bin.casefold() != name:
                message = f"{entry.label!r} has {entry.bin} support."
                yield Violation(rule="wrong-bin", message=message, span=mention.span)


def _bin_of(mention: Mention, clause: Clause, found: list[re.Match[str]]) -> str | None:
    """Return the bin of a theme: the next that looks back ("has low support"), else one that looks on.

    "With low support" looks back where its clause names a theme before any bin, and on where it opens a list.
    """
    place, lists = mention.span[0] - clause.start, clause.mentions[0].span[0] - clause.start > found[0].start()
    back = [
        one
        for one in found
        if one["given"] or one["said"] or ((one["verb"] or (one["with"] and not lists)) and not one["of"])
    ]
    on = [one for one in found if one not in back]
    behind, before = [one for one in back if one.end() > place], [one for one in on if one.start() < place]
    told = behind[:1] or before[-1:] or on[:1]
    return str(told[0]["name"] or told[0]["given"] or told[0]["said"]).casefold() if told else None


def numbers(prose: Prose, facts: Facts, mode: Mode) -> Iterator[Violation]:
    """Numeric-claim check: a number is a released value, or public post-processing of released values.

    What is such a value is known where a sentence reads back as claims that hold: sums, gaps, ends of intervals.
    """
    known = [sentence.span for sentence in check_text(prose.text, Language(facts, mode)).verified]
    for found in FIGURE.finditer(prose.blotted):
        if any(start <= found.start() < end for start, end in known):
            continue
        if not _is_released(found, prose.named_beside(found.start()), facts):
            message = "This number is not in the plan: leave it out."
            yield Violation(rule="unsupported-number", message=message, span=found.span())


def _is_released(figure: re.Match[str], named: set[int], facts: Facts) -> bool:
    """Ask that a figure beside themes is of one of them; elsewhere it may be of any, or a public number of the plan."""
    said, plan = Decimal(figure["number"].replace(",", "")), facts.plan
    half = Decimal("0.5").scaleb(int(said.as_tuple().exponent)) + Decimal("1e-9")
    entries = [entry for entry in plan.entries if entry.atom_id in named or not named]
    if figure["percent"]:
        values: list[float] = [entry.support * 100 for entry in entries]
    else:
        values = [value for entry in entries for value in (entry.noisy_mass, entry.support, entry.rank)]
        if not named:
            values += [facts.atoms.size, plan.denominator.value, plan.statement.loss.epsilon]
        if not named or figure["themes"] is not None:
            values.append(len(plan.entries))
    return any(abs(Decimal(value) - said) <= half for value in values)


def comparisons(prose: Prose, facts: Facts) -> Iterator[Comparison]:
    """Yield the comparison records of the paper: pairs by semantic support, and superlatives."""
    for clause in prose.clauses:
        text = prose.blotted[clause.start : clause.start + len(clause.text)]
        for found in COMPARISON.finditer(text):
            span = (clause.start + found.start(), clause.start + found.end())
            up = bool(found["exceeds"] or found["up"] or found["is_up"])
            yield Comparison(span=span, superlative=False, valid=_is_ordered(clause, span[0], facts, up=up))
        for found in SUPERLATIVE.finditer(text):
            span = (clause.start + found.start(), clause.start + found.end())
            yield Comparison(span=span, superlative=True, valid=_has_rank(clause, span[0], facts, claimed_rank(found)))


def _is_ordered(clause: Clause, place: int, facts: Facts, *, up: bool) -> bool:
    """Ask that each side names exactly one admitted atom, and that the masses support the order by the margin."""
    before, behind = clause.beside(place)
    if len(before) != 1 or len(behind) != 1 or not {*before, *behind} <= facts.listed.keys():
        return False
    higher, lower = (*before, *behind) if up else (*behind, *before)
    return is_above(facts, higher, lower)


def _has_rank(clause: Clause, place: int, facts: Facts, rank: int) -> bool:
    """Ask that the theme which is spoken of has the released rank that is claimed, one for a superlative."""
    before, behind = clause.beside(place)
    named = before[-1:] or behind[:1]
    return any(atom in facts.listed and facts.listed[atom].rank == rank for atom in named)


def orders(prose: Prose, facts: Facts, _mode: Mode) -> Iterator[Violation]:
    """Pairwise semantic-support check, and superlative and rank check."""
    for each in comparisons(prose, facts):
        if not each.valid:
            rule = "unsupported-superlative" if each.superlative else "unsupported-comparison"
            yield Violation(rule=rule, message="The plan does not support this order: leave it out.", span=each.span)


def importance(prose: Prose, _facts: Facts, _mode: Mode) -> Iterator[Violation]:
    """Importance-ordering check: the plan holds no importance score."""
    for found in IMPORTANCE.finditer(prose.blotted):
        message = f"{found[0]!r} claims importance, which the plan does not measure: speak of support."
        yield Violation(rule="importance-ordering", message=message, span=found.span())


def raw_records(prose: Prose, _facts: Facts, _mode: Mode) -> Iterator[Violation]:
    """Raw-record pattern check: nothing looks like a piece of a record or an identifier."""
    for what, span in raw_records_in(prose.blotted):
        message = f"This looks like {what}: remove it, a summary holds no details of any record."
        yield Violation(rule="raw-record-pattern", message=message, span=span)


RULES: Final[tuple[Callable[[Prose, Facts, Mode], Iterator[Violation]], ...]] = (
    markers,
    labels,
    bins,
    numbers,
    orders,
    importance,
    raw_records,
)
