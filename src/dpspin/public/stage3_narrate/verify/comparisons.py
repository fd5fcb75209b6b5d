"""Read pairwise comparisons out of a text and judge each by the released noisy masses (definition 3, item iii).

Every comparison found is a record: the valid and the invalid ones together are the paper's Comp(Y). A valid one names
exactly one admitted atom on each side, and its order holds by more than the public comparison margin.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.check import entries_named, named
from dpspin.public.stage3_narrate.verify.passages import BLOT, Passage, clauses_of
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Span

_MORE = r"(?:higher|more|greater|larger|bigger|stronger|heavier)"
_LESS = r"(?:lower|less|smaller|weaker|fewer|lighter)"
_NOUN = (
    r"(?:[-\s]+(?:semantic|released|noisy|aggregate|overall|measured|estimated))*[-\s]+(?:support|mass|masses|rank)\b"
)
_COMPARED = r"\b(?:compared\s+(?:with|to)|relative\s+to|versus|vs\.?|in\s+comparison\s+(?:with|to))"

_DEGREE = re.compile(
    rf"\b(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\b(?:(?={_NOUN})|(?=[^;]*?(?:\bthan\b|{_COMPARED})))", re.IGNORECASE
)
_VERB = re.compile(
    r"\b(?:(?P<less_passive>(?:exceeded|outweighed|surpassed|outranked|outpaced|topped|beaten|overtaken)\s+by)"
    r"|(?P<more_passive>(?:trailed|followed)\s+by)"
    r"|(?P<more>exceed(?:s|ing)?|outweigh(?:s|ing)?|surpass(?:es|ing)?|outranks?|outpaces?|outstrips?|overtakes?|beats?|tops"
    rf"|above|ahead\s+of|lead(?:s|ing)?(?=\s*[“\"]?{BLOT}))"
    r"|(?P<less>trail(?:s|ing)?|lag(?:s|ging)?(?:\s+behind)?|below|behind|falls?\s+short\s+of|follows))\b",
    re.IGNORECASE,
)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_COMPARED_TO = re.compile(_COMPARED, re.IGNORECASE)
_OTHERS = re.compile(
    r"\s+(?:for\s+)?(?:any|all|every|each)?\s*(?:of\s+)?(?:the\s+)?(?:others?|rest|remaining)\b", re.IGNORECASE
)
_FIGURE = re.compile(r"\s+(?:about\s+|around\s+)?[-−]?\d")
_NOISE = re.compile(r"\s+(?:\w+\s+){0,3}?(?:noise|threshold|zero|margin|chance)\b", re.IGNORECASE)
_NEGATION = re.compile(r"\b(?:not|never|neither|nor|no|cannot)\b|n['’]t\b", re.IGNORECASE)
_UNRESOLVED = re.compile(
    r"\b(?:cannot|can\s*not|can['’]t)\s+be\s+(?:told\s+apart|distinguished|separated|ordered|ranked)|\bindistinguishable\b"
    r"|\bnot\s+(?:told\s+apart|distinguishable|separable)\b|\b(?:do|does|did|can)\s*not\s+(?:tell|separate|distinguish|order)\b",
    re.IGNORECASE,
)
_EQUAL = re.compile(
    r"\b(?:equal|identical|same|similar|comparable|equivalent)\b(?!(?:[-\s]+\w+){0,3}[-\s]+bins?\b)(?=[^;]*\b(?:support|mass))"
    r"|\bon\s+(?:a\s+)?par\s+with\b|\bas\s+(?:much|high|large|strong|low)\b[^;,]*?\bas\b|\btied\s+with\b|\blevel\s+with\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One comparison record; ``problem`` says why the plan does not support it, or is None."""

    span: Span
    problem: str | None


def comparisons_of(text: Text, plan: SemanticPlan) -> tuple[Comparison, ...]:
    """Return the pairwise comparison records of a text."""
    return tuple(record for sentence in text.sentences for record in comparisons_in(sentence, plan))


def comparisons_in(sentence: Passage, plan: SemanticPlan) -> tuple[Comparison, ...]:
    """Return the records of one sentence; a sentence that names no atom compares nothing."""
    return tuple(_in_sentence(sentence, plan)) if sentence.references else ()


def _in_sentence(sentence: Passage, plan: SemanticPlan) -> Iterator[Comparison]:
    for clause in clauses_of(sentence):
        ties = list(_ties(clause, plan))
        yield from ties
        if not ties:
            yield from _orderings(clause, plan)


def _ties(clause: Passage, plan: SemanticPlan) -> Iterator[Comparison]:
    entries = entries_named(clause.atom_ids, plan)
    if len(entries) < 2:  # noqa: PLR2004  a tie needs two
        return
    for match in _UNRESOLVED.finditer(clause.masked):
        masses = [entry.noisy_mass for entry in entries]
        apart = max(masses) - min(masses) > plan.rules.comparison_margin
        yield Comparison(
            clause.at(match), "The plan does tell these themes apart: remove the claim." if apart else None
        )
    for match in _EQUAL.finditer(clause.masked):
        problem = (
            "Equal support cannot be certified under noise: say that the themes cannot be told apart, or share a bin."
        )
        yield Comparison(clause.at(match), problem)


def _orderings(clause: Passage, plan: SemanticPlan) -> Iterator[Comparison]:
    matches = sorted((*_DEGREE.finditer(clause.masked), *_VERB.finditer(clause.masked)), key=re.Match.start)
    subject = clause.named(0, matches[0].start()) if matches else ()
    ends = [*(match.start() for match in matches[1:]), len(clause.masked)]
    for match, end in zip(matches, ends, strict=False):
        judge = _judge_degree if match.re is _DEGREE else _judge_verb
        yield from judge(clause, match, end, subject, plan)


def _judge_degree(
    clause: Passage, match: re.Match[str], end: int, subject: tuple[int, ...], plan: SemanticPlan
) -> Iterator[Comparison]:
    """Judge "A has higher support than B", "compared with B, A has lower support", "higher for A than for B"."""
    up = (match["more"] is not None) != _is_negated(clause, match)
    than = _THAN.search(clause.masked, match.end(), end)
    if than and (_OTHERS.match(clause.masked, than.end()) or _FIGURE.match(clause.masked, than.end())):
        return  # a superlative, or a number: other rules judge them
    if than and _NOISE.match(clause.masked, than.end()):
        yield _against_noise(clause, match, subject, plan, up=up)
        return
    left, right = _sides(clause, match, than, end, subject)
    if clause.references:
        yield Comparison(clause.at(match), _problem(left, right, plan, up=up))


def _sides(
    clause: Passage, match: re.Match[str], than: re.Match[str] | None, end: int, subject: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if than:
        return subject or clause.named(match.end(), than.start()), clause.named(than.end(), end)
    compared = _COMPARED_TO.search(clause.masked)
    if compared and compared.start() < match.start():
        comma = clause.masked.find(",", compared.end(), match.start())
        split = comma if comma >= 0 else match.start()
        return clause.named(split, match.start()), clause.named(compared.end(), split)
    return subject, clause.named(compared.end(), end) if compared else ()


def _judge_verb(
    clause: Passage, match: re.Match[str], end: int, subject: tuple[int, ...], plan: SemanticPlan
) -> Iterator[Comparison]:
    """Judge "A exceeds B", "A trails B", "A is exceeded by B", "A, followed by B and C"."""
    up = bool(match["more"] or match["more_passive"]) != _is_negated(clause, match)
    right = clause.named(match.end(), end)
    if subject and not right and _NOISE.match(clause.masked, match.end()):
        yield _against_noise(clause, match, subject, plan, up=up)
    elif match["more_passive"] and subject and right:
        for follower in right:  # in a chain each one stands behind the first
            yield Comparison(clause.at(match), _problem(subject[-1:], (follower,), plan, up=up))
    elif subject and right:
        yield Comparison(clause.at(match), _problem(subject, right, plan, up=up))


def _against_noise(
    clause: Passage, match: re.Match[str], atom_ids: tuple[int, ...], plan: SemanticPlan, *, up: bool
) -> Comparison:
    wrong = [entry for entry in entries_named(atom_ids, plan) if entry.clears_noise != up]
    state = "does not stand" if up else "stands"
    problem = (
        f"{named(wrong[0])} {state} clear of the noise in the plan: say so or remove the claim." if wrong else None
    )
    return Comparison(clause.at(match), problem)


def _problem(left: tuple[int, ...], right: tuple[int, ...], plan: SemanticPlan, *, up: bool) -> str | None:
    sides = entries_named(left, plan), entries_named(right, plan)
    if any(len(ids) != 1 or len(side) != 1 for ids, side in zip((left, right), sides, strict=True)):
        return (
            "A comparison must name exactly one theme of the plan on each side: rewrite it as such pairs or remove it."
        )
    higher, lower = (sides[0][0], sides[1][0]) if up else (sides[1][0], sides[0][0])
    margin = plan.rules.comparison_margin
    if higher.noisy_mass - lower.noisy_mass > margin:
        return None
    return (
        f"The noisy mass of {named(higher)} does not exceed that of {named(lower)} by more than the comparison margin "
        f"{margin:.1f}: remove the comparison or say that the two cannot be told apart."
    )


def _is_negated(clause: Passage, match: re.Match[str]) -> bool:
    before = [r.span[1] - clause.start for r in clause.references if r.span[1] - clause.start <= match.start()]
    return bool(_NEGATION.search(clause.masked, max([0, *before]), match.start()))
