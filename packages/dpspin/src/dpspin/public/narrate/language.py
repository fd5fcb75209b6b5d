"""The language of a plan: claims are written by its forms, and sentences are read back by the very same forms."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any, Final

from dpspin.boundary.plan_fields import MARKER, marker_of
from dpspin.errors import DpSpinError
from dpspin.public.narrate.claims.changes import totals
from dpspin.public.narrate.claims.claim import LIST_FIELDS, Claim, Problem
from dpspin.public.narrate.claims.readings import ReadShare
from dpspin.public.narrate.claims.themes import IntervalOf
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.forms import (
    CLAIM_KINDS,
    Form,
    Slot,
    Words,
    all_named,
    folded,
    forms_of,
    presets_of,
    ways_to_read,
)
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.vocabulary import SIGNS, Tokenised, Vocabulary
from dpspin.public.wording.quantities import denominator_words, unit_words
from dpspin.text.sentences import PUBLISHED_SENTENCE
from dpspin.text.words import listing

BULLET: Final = "- "
HEADING: Final = "Among the listed themes:"  # of a list, which would else belong to the sentence before
LISTABLE: Final = {IntervalOf.kind, ReadShare.kind}  # a line for each theme, and nothing else
OTHER_SPACE: Final = re.compile(r"[^\S \n]")  # white space that is neither a space nor a new line
FIGURES: Final = {"percent": "{:,f}%", "points": "{:,f}", "number": "{:,f}", "count": "{:,}", "mass": "{:,.1f}"}


class FalseClaim(DpSpinError):
    """A claim was to be written down that the plan does not support."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text, and the claims that it was read as; None where it cannot be read.

    ``misplaced`` is what its markers get wrong, whatever it says.
    """

    text: str
    span: tuple[int, int]
    bullet: bool
    claims: tuple[Claim, ...] | None
    misplaced: Problem | None = None


class Language:
    """Writes and reads sentences about one plan, in one mode."""

    def __init__(self, facts: Facts, mode: Mode) -> None:
        self.facts, self.mode = facts, mode
        self._ways = ways_to_read(tuple(self._choices.items()))
        self._names = Vocabulary(facts)

    # Writing

    def may_say(self, claim: Claim) -> bool:
        """Tell whether a claim holds, and is for those who read this mode."""
        return claim.holds(self.facts) and (self.mode.shows_exact_values or not claim.audit_only)

    def written(self, claim: Claim, turn: int = 0) -> str:
        """Write a claim as a sentence, or refuse if it does not hold: nothing false can be written.

        ``turn`` varies the words, so that one sentence does not look like the last.
        """
        broken = claim.problem(self.facts)
        if broken is not None:
            raise FalseClaim(f"the plan does not support this claim ({broken.law}): {broken.message}")
        forms = forms_of(claim.kind, _preset_of(claim))
        return self._filled(forms[turn % len(forms)], claim)

    def _filled(self, form: Form, claim: Claim) -> str:
        pieces: list[str] = []
        numbers = [_number(part, claim) for part in form.parts]
        for place, part in enumerate(form.parts):
            if isinstance(part, Slot):
                pieces.append(self._value(part, getattr(claim, part.field), first=not place))
            else:
                pieces.append(part.one if _governing(numbers, place) == 1 else part.many)
        return "".join(pieces)

    def _value(self, slot: Slot, value: Any, *, first: bool) -> str:  # noqa: ANN401  the field of a claim
        """Write one field; a name that begins the sentence has a capital letter."""
        match slot.kind:
            case "theme" | "area":
                return self._name(value, first=first)
            case "facet" | "segment" | "candidate":
                return self._name(value, first=False)
            case "themes" | "areas":
                return listing([self._name(each, first=first and not place) for place, each in enumerate(value)])
            case "items" | "area_items":
                names = [self._name(each, first=first and not place) for place, (each, _) in enumerate(value)]
                return listing([f"{name} ({share:,f}%)" for name, (_, share) in zip(names, value, strict=True)])
            case "example" | "examples":
                return listing([f"[{each}]" for each in ([value] if isinstance(value, str) else value)])
            case kind:
                return FIGURES.get(kind, "{}").format(value)

    def _name(self, value: int | str, *, first: bool) -> str:
        """Write the name of a theme, with its marker in audit mode, or of an area."""
        if isinstance(value, str):
            return self._names.written(value, first=first)
        marker = f" {marker_of(value)}" if self.mode is Mode.AUDIT else ""
        return self._names.theme(self.facts.labels[value], first=first) + marker

    # Reading

    def read(self, text: str) -> tuple[Sentence, ...]:
        """Split a text into sentences, and read each as a whole: no word is left over, and none is skipped."""
        whole = self._names.tokenised(text)
        if any(sign in text for sign in SIGNS) or OTHER_SPACE.search(whole.text):
            return (Sentence(text, (0, len(text)), bullet=False, claims=None),)
        return tuple(self._sentences(whole, text))

    def _sentences(self, whole: Tokenised, text: str) -> Iterator[Sentence]:
        for found in PUBLISHED_SENTENCE.finditer(whole.text):
            origin = whole.part(*found.span()).origin
            span = origin[0], origin[-1]
            original = text[slice(*span)]
            if original == HEADING:
                continue
            bullet = original.startswith(BULLET)
            words = original.removeprefix(BULLET)
            said = whole.part(found.end() - len(found[0].removeprefix(BULLET)), found.end())
            readings = dict(self._readings(said, words))
            listable = not bullet or all(claim.kind in LISTABLE for claim in readings)  # a list seems to be one thing
            claims, written = (tuple(readings) or None) if listable else None, next(iter(readings.values()), words)
            yield Sentence(original, span, bullet, claims, self._misplaced(said, written) if written != words else None)

    def _readings(self, said: Tokenised, original: str) -> Iterator[tuple[Claim, str]]:
        """Yield the claims that a sentence may be, each as it is written.

        But for markers, what is written must be the sentence again: so no sign can have been passed over. A sentence
        makes one claim: what stands beside another in one sentence seems to hold of it.
        """
        for way in self._ways.get(folded(said.text), ()):
            claim = way.claim(said.tokens)
            if claim is not None:
                written = self._filled(way.form, claim)
                if _unmarked(written) == _unmarked(original):
                    yield claim, written

    @property
    def _choices(self) -> Mapping[str, tuple[str, ...]]:
        """The values of fields that have few: those that a kind knows, true of this plan or not, and the plan's own."""
        return {
            **{field: values for kind in CLAIM_KINDS.values() for field, values in kind.closed.items()},
            "languages": (self.facts.languages,),
            "denominator": (denominator_words(self.facts.plan),),
            "units": (unit_words(self.facts.plan.statement.unit),),
            **{name: (words,) for name, words in zip(("total_a", "total_b"), totals(self.facts), strict=True)},
        }

    def _misplaced(self, said: Tokenised, written: str) -> Problem:
        """Say what the markers of a sentence get wrong: a theme has its own in audit mode, and nothing else has one."""
        for named in all_named(said.tokens):
            if self.mode is Mode.DISPLAY and named.marker is not None:
                return Problem("marker-in-display", "Leave out the markers: they are for audit mode.")
            if self.mode is Mode.AUDIT and named.theme is not None and named.marker is None:
                return Problem(
                    "missing-marker", f"Put {marker_of(named.theme)} behind {self.facts.labels[named.theme]!r}."
                )
        return Problem("marker-label-mismatch", f"Write: {written}")


def _preset_of(claim: Claim) -> tuple[tuple[str, str], ...]:
    return tuple((field, str(getattr(claim, field))) for field in presets_of(claim.kind))


def _unmarked(sentence: str) -> str:
    """Leave out the markers, which are judged by themselves."""
    return re.sub(f" {MARKER}", "", sentence)


def _number(part: Slot | Words, claim: Claim) -> int | None:
    """Return how many things a slot speaks of, where it counts or lists them."""
    if isinstance(part, Words) or part.kind not in {"count", *LIST_FIELDS}:
        return None
    value = getattr(claim, part.field)
    return len(value) if isinstance(value, tuple) else int(value)


def _governing(numbers: list[int | None], place: int) -> int | None:
    """Return the number that decides between singular and plural: the last before, else the first behind."""
    known = [number for number in (*reversed(numbers[:place]), *numbers[place:]) if number is not None]
    return known[0] if known else None


# What may stand between two sentences, by whether the first and the second are lines of a list.
BETWEEN: Final = {
    (False, False): (" ", "\n\n"),
    (False, True): (f"\n\n{HEADING}\n",),
    (True, True): ("\n",),
    (True, False): ("\n\n",),
}


def laid_out(paragraphs: Iterable[Iterable[str]], bullets: Iterable[str]) -> str:
    r"""Set out sentences.

    >>> laid_out([["One.", "Two."], []], ["Three."])
    'One. Two.\n\nAmong the listed themes:\n- Three.'
    """
    lines = [BULLET + sentence for sentence in bullets]
    listed = "\n".join((HEADING, *lines)) if lines else ""
    return "\n\n".join(filter(None, (*map(" ".join, paragraphs), listed)))


def is_laid_out(text: str, sentences: Sequence[Sentence], ranked: Sequence[int]) -> bool:
    """Tell whether nothing but its own layout stands between sentences: lines below one would seem to belong to it.

    The themes of a list stand there by rank, each once.
    """
    lines = [theme for each in sentences if each.bullet for claim in each.claims or () for theme in claim.rows]
    if not sentences or lines != [theme for theme in ranked if theme in lines]:
        return False
    first, last = sentences[0], sentences[-1]
    inside = all(
        text[one.span[1] : other.span[0]] in BETWEEN[one.bullet, other.bullet] for one, other in pairwise(sentences)
    )
    before = f"{HEADING}\n" if first.bullet else ""
    return inside and text[: first.span[0]] == before and text[last.span[1] :].strip("\n") == ""


class Pen:
    """Writes the sentences of one text: a kind of claims that comes again is worded in another way."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._turns: dict[str, count[int]] = {}

    def sentence(self, claim: Claim) -> str:
        """Write the next sentence."""
        return self.language.written(claim, next(self._turns.setdefault(claim.kind, count())))
