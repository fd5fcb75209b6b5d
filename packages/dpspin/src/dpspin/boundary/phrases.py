"""Phrases that nobody listed: what their release promises, which numbers it shows, and what these allow to be said.

Each unit names at most ``per_unit`` (k) of its own phrases; units per phrase are counted, discrete Laplace noise of
scale k/eps is added to every count, and what is not above a threshold t is not shown at all, not even that it is there.

Theorem (add/drop): this is (eps, delta)-DP with delta = 1 - (1 - p)^k, p = P(Z >= t) = e^(-t/b)/(1 + e^(-1/b)).
Let one unit more name the phrases S, |S| <= k. A phrase of S that others name too moves from count c to c + 1: its law
changes by a factor of at most e^(1/b). A phrase that nobody else names is shown with probability P(1 + Z > t) = p, and
without the unit never: that none of them is shown fails with probability at most 1 - (1 - p)^|S|. Where it does not
fail, all factors together are at most e^(|S|/b) <= e^eps. What is shown comes from independent noises, so a table that
is cut into parts and drawn part by part is one draw.

Which phrases a unit names may be any function of that unit's own records: the theorem holds for each one.
"""

import math
from collections.abc import Callable
from functools import cached_property
from typing import Final, Literal, Self

from pydantic import Field, field_validator, model_validator

from dpspin.boundary.accounting import AccountStatement
from dpspin.boundary.calibration import PAD, laplace_scale
from dpspin.boundary.model_base import FrozenModel, explained_as
from dpspin.boundary.printable import is_printable
from dpspin.boundary.privacy import PrivacyLoss, Randomness
from dpspin.boundary.statement import Separation
from dpspin.errors import InputError, RequestError
from dpspin.text.phrases import surprise

BETA: Final = 0.05  # the error probability of all ranges together
MOST_PER_UNIT: Final = 100
LONGEST_PHRASE: Final = 200
WIDEST: Final = 2.0**30  # scale of noise, in units


class PhraseTerms(FrozenModel):
    """All that decides the numbers but the records: public. ``denominator`` is a public number of units."""

    loss: PrivacyLoss
    unit: Literal["record", "user"]
    per_unit: int = Field(ge=1, le=MOST_PER_UNIT)
    denominator: int = Field(ge=1, le=2**53)

    @model_validator(mode="after")
    def _is_proven_and_sayable(self) -> Self:
        """Refuse a pure loss, for which there is no threshold, and a delta that would let single writers through."""
        if self.per_unit / self.loss.epsilon > WIDEST:
            raise RequestError("the noise would be wider than any count: raise epsilon (`loss.epsilon`)")
        if not 0 < self.loss.delta <= BETA / 2 / self.denominator:
            raise RequestError(
                "phrases that nobody listed need a `loss.delta`: with about that probability a phrase of one writer "
                "alone comes out, so it must be small for all writers together. Choose one above 0 and of at most "
                f"1/({2 / BETA:.0f} · {self.denominator:,})",
                code="request.phrase-delta",
                field="loss.delta",
            )
        return self

    @cached_property
    def scale(self) -> float:
        """The scale b of the noise: k/eps, never less."""
        return laplace_scale(self.per_unit, self.loss.epsilon)

    @cached_property
    def threshold(self) -> int:
        """What a noisy count must exceed: the smallest t with k·P(Z >= t) <= delta.

        >>> PhraseTerms(loss=PrivacyLoss(1.0, 1e-6), unit="record", per_unit=3, denominator=10_000).threshold
        44
        """
        return _smallest(lambda t: self.per_unit * self.above(t - 1) * (1 + PAD) <= self.loss.delta)

    def above(self, value: int) -> float:
        """Return P(Z > value) for a value of at least -1."""
        return math.exp(-(value + 1) / self.scale) / (1 + math.exp(-1 / self.scale))

    @cached_property
    def reliably_shown(self) -> int:
        """The number of units that must name a phrase so that it is shown with a chance of at least 95 %."""
        return self.threshold + 1 + _smallest(lambda more: self.above(more) <= BETA)

    @cached_property
    def below(self) -> int:
        """How far a shown count may lie above the true one: for all shown phrases together, but for beta/2.

        All counts add up to k·n at most, so whatever happens to a phrase of count c with probability f(c) happens to
        any of them with probability k·n·max f(c)/c at most. Here f(c) = P(Z > max(a, t - c)): it is shown, and errs by
        more than a. Then f(c)/c is largest at c = t - a, or at c = 1, where delta keeps it small enough.
        """
        return _smallest(lambda a: self._named * self.above(a) / max(1, self.threshold - a) <= BETA / 2)

    @cached_property
    def beyond(self) -> int:
        """How far a shown count may lie below the true one: but for beta/2; such a phrase has a count above t + a."""
        return _smallest(lambda a: self._named * self.above(a) / (self.threshold + a + 2) <= BETA / 2)

    @property
    def _named(self) -> int:
        return self.per_unit * self.denominator


def _smallest(holds: Callable[[int], bool]) -> int:
    """Return the smallest number from 0 on for which something holds that holds from there on.

    >>> _smallest(lambda number: number >= 1000)
    1000
    """
    high = 1
    while not holds(high):
        high *= 2
    low = -1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def is_showable(phrase: str) -> bool:
    """Tell plain words with single spaces between them, which nothing that shows them obeys, hides or takes apart.

    >>> is_showable("sensitive skin"), is_showable("hidden \u3164"), is_showable("a" * 201)
    (True, False, False)
    """
    plain = is_printable(phrase) and not set("“”") & set(phrase) and phrase == " ".join(phrase.split())
    return plain and 0 < len(phrase) <= LONGEST_PHRASE


class NoisyPhrase(FrozenModel):
    """A phrase, and the noisy number of units that named it among their first ones."""

    phrase: str
    count: int

    @field_validator("phrase")
    @classmethod
    def _is_plain(cls, phrase: str) -> str:
        if not is_showable(phrase):
            raise ValueError("a phrase is plain words with single spaces between them")
        return phrase


class LeftOver(FrozenModel):
    """Only sentences of which a map gave more than half to "none of these" of this dictionary were read.

    ``separation`` says how the texts behind map and dictionary are known to be apart from the records.
    """

    dictionary: str
    dictionary_digest: str
    map_digest: str
    separation: Separation


class PhraseRelease(FrozenModel):
    """Phrases above the threshold, the largest noisy count first: differentially private, and looked at or not."""

    schema_version: Literal[1] = 1
    terms: PhraseTerms
    rule: str
    left_over: LeftOver | None = None
    randomness: Randomness
    account: AccountStatement
    phrases: tuple[NoisyPhrase, ...]

    @model_validator(mode="after")
    def _are_above_the_threshold(self) -> Self:
        ordered = sorted(self.phrases, key=lambda each: (-each.count, each.phrase))
        if len({each.phrase for each in ordered}) < len(ordered) or tuple(ordered) != self.phrases:
            raise ValueError("each phrase stands once, the largest count first")
        if any(each.count <= self.terms.threshold for each in ordered):
            raise ValueError("a count that is not above the threshold is never shown")
        return self

    @property
    def most_telling_first(self) -> tuple[NoisyPhrase, ...]:
        """The phrases in the order in which people should read them: what public English has least of comes first."""
        return tuple(sorted(self.phrases, key=lambda each: -surprise(each.phrase, each.count)))

    def low(self, phrase: NoisyPhrase) -> int:
        """Return a number of units that certainly have the phrase, for all phrases together but for beta/2."""
        return max(1, phrase.count - self.terms.below)

    def high(self, phrase: NoisyPhrase) -> int:
        """Return the most units that can have named it among their first ones; others may have it too."""
        return phrase.count + self.terms.beyond

    def only(self, kept: frozenset[str]) -> "PhraseRelease":
        """Return the release with these phrases alone: leaving out after the noise costs nothing."""
        return self.model_copy(update={"phrases": tuple(each for each in self.phrases if each.phrase in kept)})

    def to_json(self) -> str:
        """Return the release as JSON."""
        return self.model_dump_json(indent=1) + "\n"

    @classmethod
    def from_json(cls, text: bytes | str, where: str = "this file of phrases") -> "PhraseRelease":
        """Read a release, or say what is wrong with it."""
        with explained_as(InputError, where):
            return cls.model_validate_json(text)
