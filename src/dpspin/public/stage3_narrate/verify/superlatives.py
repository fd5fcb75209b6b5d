"""Read superlatives and ranks out of a text and judge each by the released ranks (definition 3, item iv).

The paper asks for released rank one. Ranks of noisy masses can be wrong, so "highest" must also lead the second by more
than the public superlative margin; an explicit rank ("rank 3") reports a released field and needs no margin. Where a
private selection chose the themes, a larger one may be missing: "highest" then has to say "of the listed themes".
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import PlanEntry, SemanticPlan
from dpspin.boundary.postprocess import lead_over_the_rest
from dpspin.public.stage3_narrate.verify.check import entries_named, named
from dpspin.public.stage3_narrate.verify.comparisons import Comparison
from dpspin.public.stage3_narrate.verify.passages import BLOT, Passage, clauses_of
from dpspin.public.stage3_narrate.verify.quantities import NUMBER_WORDS
from dpspin.public.stage3_narrate.verify.text import Text

_ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_ORDINALS = {word: rank for rank, word in enumerate(_ORDINAL_WORDS.split(), start=1)}
_ORDINAL = rf"(?:{'|'.join(word for word in _ORDINALS if word != 'first')}|\d{{1,3}}(?:st|nd|rd|th))"
_CARDINAL = rf"(?:\d{{1,3}}|{'|'.join(word for word, value in NUMBER_WORDS.items() if value)})"
_QUALITY = r"(?:prominent|supported|salient|prevalent|pronounced|dominant|notable|visible|discussed|mentioned)"
_NOUN = r"(?:\w+[-\s]+){0,2}?(?:support|mass)"
_NOT_A_BIN = r"(?!(?:[-\s]+\w+){0,2}[-\s]+bins?\b)"
_THEME = r"(?:theme|entry|atom)"

_RANK = re.compile(
    rf"\brank(?:s|ed|ing)?\s*(?:at|as|in|of|is|:|=)?\s*(?:number|no\.?|\#)?\s*(?P<cardinal>{_CARDINAL})\b(?![.,]\d|\s*%)"
    rf"|(?<!\ba\s)\b(?P<ordinal>{_ORDINAL})\b(?:[-\s]+(?:highest|largest|greatest|strongest|ranked|most|place))?",
    re.IGNORECASE,
)
_TOP_K = re.compile(rf"\btop[-\s]+(?P<size>{_CARDINAL})\b", re.IGNORECASE)
_SUPERLATIVE = re.compile(
    rf"(?P<high>\b(?:highest|largest|greatest|biggest|strongest|heaviest|foremost)\b{_NOT_A_BIN}"
    rf"|\bmost\s+{_NOUN}\b|\bmost[-\s]+{_QUALITY}\b|\bbest[-\s]supported\b"
    rf"|\btop(?:most)?[-\s]+(?:released[-\s]+)?(?:ranked|{_THEME}s?|entries|rank|support)\b{_NOT_A_BIN}"
    r"|\brank(?:s|ed|ing)?\s+(?:first|highest|top|at\s+the\s+top)\b|\bfirst[-\s](?:ranked|place)\b"
    r"|\b(?:comes?|placed|stands?|is|are)\s+first\b|\bat\s+the\s+top\b|\btops\s+the\b|\#1\b|\bnumber\s+one\b"
    rf"|\b(?:leads|leading|lead)\b(?!\s+to\b)(?!\s*[“\"]?{BLOT})|\b(?:leading|top)(?=\s*[“\"]?{BLOT})"
    rf"|\bdominat(?:es?|ing)\b|\bdominant\b|\b(?:main|primary|principal|chief)\s+{_THEME}\b"
    rf"|\b(?:higher|more|greater|larger|stronger)\b[^;]*?\bthan\s+(?:for\s+)?(?:any|all|every|each)?\s*(?:of\s+)?"
    r"(?:the\s+)?(?:others?|rest|remaining)\b)"
    rf"|(?P<low>\b(?:lowest|smallest|weakest|lightest)\b{_NOT_A_BIN}|\bleast\s+{_NOUN}\b|\bleast[-\s]+{_QUALITY}\b"
    r"|\brank(?:s|ed|ing)?\s+(?:last|lowest|at\s+the\s+bottom)\b|\blast[-\s](?:ranked|place)\b|\bcomes?\s+last\b"
    rf"|\bbottom[-\s]+(?:ranked|{_THEME}s?)\b|\bat\s+the\s+bottom\b"
    r"|\b(?:lower|less|smaller|weaker)\b[^;]*?\bthan\s+(?:for\s+)?(?:any|all|every|each)?\s*(?:of\s+)?"
    r"(?:the\s+)?(?:others?|rest|remaining)\b)",
    re.IGNORECASE,
)
_PRENOMINAL = re.compile(rf"(?:\s+{_THEME}s?)?[\s,:“\"(]*{BLOT}", re.IGNORECASE)
_ANNOUNCES = re.compile(
    rf"(?:\s+{_THEME})?(?:\s+(?:is|comes)\b|:)[\s“\"(]*{BLOT}|\s+{_THEME}[\s“\"(]*{BLOT}", re.IGNORECASE
)
_PLURAL = re.compile(r"(?:[-\s]+\w+){0,2}?[-\s]*\b(?:themes|entries|atoms)\b", re.IGNORECASE)
_AMONG = re.compile(r"\b(?:among|amongst|one\s+of)\s+(?:the\s+)?$", re.IGNORECASE)
_OF_THE_LISTED = re.compile(
    r"\b(?:of|among|amongst|in)\s+(?:all\s+)?(?:the\s+|these\s+)?(?:listed|released|admitted|chosen|selected|plan)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(?:not|never|neither|nor)\b|n['’]t\b", re.IGNORECASE)
_CHAIN = re.compile(r"\b(?:followed|trailed|ahead|then|above|exceed\w*|trail\w*)\b", re.IGNORECASE)


def superlatives_of(text: Text, plan: SemanticPlan) -> tuple[Comparison, ...]:
    """Return the superlative and rank records of a text."""
    return tuple(record for sentence in text.sentences for record in superlatives_in(sentence, plan))


def superlatives_in(sentence: Passage, plan: SemanticPlan) -> tuple[Comparison, ...]:
    """Return the records of one sentence, from the clauses that name an atom."""
    clauses = (clause for clause in clauses_of(sentence) if clause.references)
    return tuple(record for clause in clauses for record in _in_clause(clause, plan))


def _in_clause(clause: Passage, plan: SemanticPlan) -> Iterator[Comparison]:
    taken = list[tuple[int, int]]()
    for match in _TOP_K.finditer(clause.masked):
        taken.append(match.span())
        yield Comparison(clause.at(match), _top_k_problem(clause, match, plan))
    for match in _RANK.finditer(clause.masked):
        taken.append(match.span())
        yield Comparison(clause.at(match), _rank_problem(_one_subject(clause, match), _rank_in(match), plan))
    for match in _SUPERLATIVE.finditer(clause.masked):
        if not any(start < match.end() and match.start() < end for start, end in taken):
            yield Comparison(clause.at(match), _superlative_problem(clause, match, plan))


def _superlative_problem(clause: Passage, match: re.Match[str], plan: SemanticPlan) -> str | None:
    entries = entries_named(_subjects(clause, match), plan)
    if not entries:
        return "Name the one theme of the plan that this superlative is about, or remove it."
    if _NEGATION.search(clause.masked, 0, match.start()):
        return "Say what the plan releases instead of denying a superlative."
    if _AMONG.search(clause.masked, 0, match.start()):
        return _among_problem(entries, plan, match)
    if match["low"] is not None:
        return _lowest_problem(entries, plan)
    if plan.noisy_sketch is None and not _OF_THE_LISTED.search(clause.masked):
        return "The themes were chosen privately, so a larger one may be missing: say 'of the listed themes'."
    return _highest_problem(entries, plan) if len(entries) == 1 else _leading_set_problem(entries, plan)


def _highest_problem(entries: list[PlanEntry], plan: SemanticPlan) -> str | None:
    entry, margin = entries[0], plan.rules.superlative_margin
    if entry.rank != 1:
        return f"{named(entry)} has released rank {entry.rank}: only rank 1 may be called highest."
    if lead_over_the_rest(plan, {entry.atom_id}) <= margin:
        return (
            f"{named(entry)} has rank 1 but does not lead the second theme by more than the superlative margin "
            f"{margin:.1f}: give its rank or its bin instead of calling it highest."
        )
    return None


def _lowest_problem(entries: list[PlanEntry], plan: SemanticPlan) -> str | None:
    entry, margin = entries[0], plan.rules.comparison_margin
    if len(entries) > 1 or entry.rank != len(plan.entries):
        return f"{named(entry)} has released rank {entry.rank}: only the last rank, alone, may be called lowest."
    if len(plan.entries) > 1 and plan.entries[-2].noisy_mass - entry.noisy_mass <= margin:
        return (
            f"{named(entry)} has the last rank but is not below the next theme by more than the comparison margin "
            f"{margin:.1f}: give its rank or its bin instead of calling it lowest."
        )
    return None


def _leading_set_problem(entries: list[PlanEntry], plan: SemanticPlan) -> str | None:
    """Judge "the leading themes are A and B": they must be the first ranks, and clear of the next one."""
    size, margin = len(entries), plan.rules.comparison_margin
    if {entry.rank for entry in entries} != set(range(1, size + 1)):
        return f"These themes do not hold the released ranks 1 to {size}: give their ranks or bins instead."
    if lead_over_the_rest(plan, {entry.atom_id for entry in entries}) <= margin:
        return f"The next theme is within the comparison margin {margin:.1f}: do not set these themes above it."
    return None


def _among_problem(entries: list[PlanEntry], plan: SemanticPlan, match: re.Match[str]) -> str | None:
    best = plan.entries[-1 if match["low"] is not None else 0].bin
    outside = [entry for entry in entries if entry.bin != best]
    return f"{named(outside[0])} is in the bin {outside[0].bin}: give its bin instead." if outside else None


def _top_k_problem(clause: Passage, match: re.Match[str], plan: SemanticPlan) -> str | None:
    size, entries = _cardinal(match["size"]), entries_named(clause.atom_ids, plan)
    if len(entries) != size:
        return f"Name exactly the {size} themes with the released ranks 1 to {size}, or remove the claim."
    return _leading_set_problem(entries, plan)


def _rank_problem(atom_ids: tuple[int, ...], rank: int, plan: SemanticPlan) -> str | None:
    entries = entries_named(atom_ids, plan)
    if not entries:
        return "Name the theme of the plan that holds this rank, or remove it."
    wrong = [entry for entry in entries if entry.rank != rank]
    return (
        f"{named(wrong[0])} has released rank {wrong[0].rank}, not {rank}: write its released rank." if wrong else None
    )


def _subjects(clause: Passage, match: re.Match[str]) -> tuple[int, ...]:
    """Return whom a superlative is about: the noun it stands before, else its subject, else what follows."""
    chain = _CHAIN.search(clause.masked, match.end())
    end = chain.start() if chain else len(clause.masked)
    before, after = clause.named(0, match.start()), clause.named(match.end(), end)
    if before and not (_PRENOMINAL.match(clause.masked, match.end()) and after):
        return before
    return after if _PLURAL.match(clause.masked, match.end()) or _ends_plural(match) else after[:1]


def _ends_plural(match: re.Match[str]) -> bool:
    return match[0].casefold().endswith(("themes", "entries", "atoms"))


def _one_subject(clause: Passage, match: re.Match[str]) -> tuple[int, ...]:
    """Return whom a rank is about: the atom right after it ("second is B"), else the last one before, else the next."""
    before = [r.atom_id for r in clause.references if r.span[0] < clause.start + match.start()]
    if before and not _ANNOUNCES.match(clause.masked, match.end()):
        return (before[-1],)
    return clause.named(match.end())[:1]


def _rank_in(match: re.Match[str]) -> int:
    if match["cardinal"]:
        return _cardinal(match["cardinal"])
    word = match["ordinal"].casefold()
    return _ORDINALS[word] if word in _ORDINALS else int(re.sub(r"\D", "", word))


def _cardinal(written: str) -> int:
    return int(written) if written.isdigit() else NUMBER_WORDS[written.casefold()]
