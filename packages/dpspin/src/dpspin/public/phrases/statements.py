"""What may be said of released phrases: one form of sentence, which is read back and held against the numbers."""

import re
from dataclasses import dataclass
from typing import Final

from dpspin.boundary.phrases import NoisyPhrase, PhraseRelease
from dpspin.boundary.privacy import Adjacency, RecordUnit, UserUnit
from dpspin.errors import TemplateRefused
from dpspin.public.wording.numbers import plain_up, small
from dpspin.public.wording.promise import odds_sentence, separation_words, spent_words, view_words

_FORM: Final = re.compile(
    r"At least (?P<least>[1-9][\d,]*) (?P<unit>record|user)s? ha(?:s|ve) the phrase “(?P<phrase>[^“”]+)”\."
)


@dataclass(frozen=True, slots=True)
class HasPhrase:
    """At least so many units have a phrase.

    A unit names at most k of its phrases, so more may have it than were counted: nothing is said of how many at most.
    """

    phrase: str
    at_least: int
    unit: str

    def sentence(self) -> str:
        """Write it."""
        many = "has" if self.at_least == 1 else "have"
        return f"At least {self.at_least:,} {self.unit}{'s' * (self.at_least > 1)} {many} the phrase “{self.phrase}”."

    def holds(self, release: PhraseRelease) -> bool:
        """Tell whether the numbers allow it, for all phrases together."""
        found = next((each for each in release.phrases if each.phrase == self.phrase), None)
        return found is not None and self.unit == release.terms.unit and self.at_least <= release.low(found)


def claim_in(sentence: str) -> HasPhrase | None:
    """Read a sentence back; None where it is not of the form.

    >>> claim_in("At least 1,200 users have the phrase “sensitive skin”.")
    HasPhrase(phrase='sensitive skin', at_least=1200, unit='user')
    """
    found = _FORM.fullmatch(sentence)
    if found is None:
        return None
    claim = HasPhrase(found["phrase"], int(found["least"].replace(",", "")), found["unit"])
    return claim if claim.sentence() == sentence else None  # one number, one spelling


def is_verified(sentence: str, release: PhraseRelease) -> bool:
    """Tell whether a sentence, whoever wrote it, is of the form and holds."""
    claim = claim_in(sentence)
    return claim is not None and claim.holds(release)


def sentences_of(release: PhraseRelease) -> list[str]:
    """Return a sentence for each phrase; each was read back and holds."""
    told = [_strongest(each, release).sentence() for each in release.most_telling_first]
    if not all(is_verified(sentence, release) for sentence in told):
        raise TemplateRefused("a sentence about phrases does not hold, so nothing is shown: please report this")
    return told


def _strongest(phrase: NoisyPhrase, release: PhraseRelease) -> HasPhrase:
    return HasPhrase(phrase.phrase, release.low(phrase), release.terms.unit)


def promises_of(release: PhraseRelease) -> tuple[str, ...]:
    """Say what is promised, to whom, and on whose word."""
    terms, one = release.terms, release.terms.unit
    unit = RecordUnit() if one == "record" else UserUnit()
    alone = plain_up(100 * terms.denominator * terms.loss.delta, 2)
    return (
        odds_sentence(unit, Adjacency.ADD_DROP, terms.loss),
        (
            f"Each {one} counts for at most {terms.per_unit} of its phrases. A phrase whose noisy count is not above "
            f"{terms.threshold:,} is not shown; nor is what a person found unfit when looking through the list."
        ),
        (
            f"Delta, here {small(terms.loss.delta)}, is about the probability with which a phrase of one {one} alone "
            f"would come out; for all {terms.denominator:,} {one}s together that is at most {alone} %."
        ),
        *(() if release.left_over is None else separation_words(release.left_over.separation)),
        *view_words(release.account),
        *spent_words(release.account),
    )
