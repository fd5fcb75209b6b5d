"""The statement of a release: everything a reviewer needs to check the guarantee. It travels inside the plan.

It says too why neither map nor dictionary depends on protected records: what was done, which follows from the request
alone. What a comparison found is not in it: too much in common stops a release, which only the curator sees, and so
every plan that was compared says the same.
"""

import math
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from dpspin.boundary.grounding import Grounding, loss_of_sketch
from dpspin.boundary.mechanisms import Mechanism
from dpspin.boundary.model_base import FrozenModel, GrownModel
from dpspin.boundary.noise_laws import Noise
from dpspin.boundary.privacy import (
    EVERYONE,
    MASS,
    Adjacency,
    MissingUsers,
    PrivacyLoss,
    ProtectedUnit,
    Quantity,
    Randomness,
    Sampling,
    UserUnit,
)
from dpspin.boundary.report_card import ReportCard
from dpspin.boundary.series import SeriesTerms, loss_beside_fading
from dpspin.boundary.views import View, loss_beside_views
from dpspin.errors import RequestError

Share = Annotated[float, Field(ge=0, le=1)]


class Apart(StrEnum):
    """How a text is known to be apart from the protected records.

    ``compared``: with them; for more in common than is tolerated the release would have been refused.
    ``named_not_verified``: one was named and compared; a fitted map cannot tell whether it is the one that taught it.
    ``users_compared``: users alone, as whoever asked for the release decided; a text may be in common.
    ``declared_public``: not compared; whoever asked for the release says that it is nobody's secret.
    ``no_text``: none is named. What a language or embedding model learned elsewhere is unknown, and is no part of it.
    """

    COMPARED = "compared"
    NAMED_NOT_VERIFIED = "named_not_verified"
    USERS_COMPARED = "users_compared"
    DECLARED_PUBLIC = "declared_public"
    NO_TEXT = "no_text"


class Coinciding(FrozenModel):
    """The shares of a text's different records that may stand among the protected ones too, word for word.

    ``longer`` ones have 80 characters or more; ``shorter`` ones have fewer, but four words or more; ``shortest`` ones
    have fewer words and say little. Of the last two kinds each may coincide up to ``of_all`` of all of the text too: a
    phrase of thanks among hundreds of letters is nobody's.
    """

    longer: Share
    shorter: Share
    shortest: Share
    of_all: Share


class Tolerance(FrozenModel):
    """What may coincide under ``compared``, and of a text of which aggregates are published: constants, no findings."""

    unpublished: Coinciding
    published: Coinciding


TOLERANCE = Tolerance(
    unpublished=Coinciding(longer=0.005, shorter=0.02, shortest=0.5, of_all=0.005),
    published=Coinciding(longer=0.0, shorter=0.02, shortest=0.5, of_all=0.005),
)
EARLIER_TOLERANCE = Tolerance(  # under which plans said "compared" before they stated a tolerance
    unpublished=Coinciding(longer=0.05, shorter=0.5, shortest=0.5, of_all=0.01),
    published=Coinciding(longer=0.0, shorter=0.05, shortest=0.05, of_all=0.01),
)
WITH_THE_RECORDS = frozenset((Apart.COMPARED, Apart.NAMED_NOT_VERIFIED, Apart.USERS_COMPARED))


class ApartBy(StrEnum):
    """By what auxiliary text is told from protected records, where both name users.

    ``words``: by users, and where the text is published in aggregate by its words too. ``users``: by users alone, which
    is what the paper asks for: its users are then other people than the protected ones, as far as ids tell.
    """

    WORDS = "words"
    USERS = "users"


class Separation(GrownModel):
    """The statement for the text that the map was fitted on, and for the one that the dictionary was built from.

    ``tolerance`` says what may coincide, where a text was compared; plans of earlier versions do not state it.
    """

    later: ClassVar = {"tolerance"}
    map_text: Apart
    dictionary_text: Apart
    tolerance: Tolerance | None = None

    @property
    def tolerated(self) -> Tolerance:
        """What could coincide without a refusal, also where an earlier version did not state it."""
        return self.tolerance or EARLIER_TOLERANCE

    def says_the_same_as(self, other: "Separation") -> bool:
        """Tell whether both keep the texts apart in the same way, whatever they tolerate."""
        return (self.map_text, self.dictionary_text) == (other.map_text, other.dictionary_text)


NO_TEXTS = Separation(map_text=Apart.NO_TEXT, dictionary_text=Apart.NO_TEXT)


def separation_of(
    *,
    behind_map: bool,
    map_is_public: bool,
    behind_dictionary: bool,
    dictionary_is_public: bool,
    map_came_fitted: bool = False,
    by: ApartBy = ApartBy.WORDS,
) -> Separation:
    """State how each text, where there is one, is kept apart; refuse to declare one that is not there.

    A map that came fitted keeps no trace of its text, so a comparison with the text that is named proves less.

    >>> texts = {"behind_map": True, "map_is_public": True, "behind_dictionary": True, "dictionary_is_public": False}
    >>> stated = separation_of(**texts)
    >>> stated.map_text.value, stated.dictionary_text.value, stated.tolerance == TOLERANCE
    ('declared_public', 'compared', True)
    """
    if map_is_public and not behind_map:
        raise RequestError(
            "the map has learned from no text that could be public: leave `records.auxiliary_is_public` out"
        )
    if dictionary_is_public and not behind_dictionary:
        raise RequestError("the dictionary was built from no records: leave `records.atoms_auxiliary_is_public` out")
    compared = Apart.COMPARED if by is ApartBy.WORDS else Apart.USERS_COMPARED
    of_map = Apart.NAMED_NOT_VERIFIED if map_came_fitted else compared
    map_text = _apart(of_map, text=behind_map, public=map_is_public)
    dictionary_text = _apart(compared, text=behind_dictionary, public=dictionary_is_public)
    tolerance = None if WITH_THE_RECORDS.isdisjoint((map_text, dictionary_text)) else TOLERANCE
    return Separation(map_text=map_text, dictionary_text=dictionary_text, tolerance=tolerance)


def _apart(compared: Apart, *, text: bool, public: bool) -> Apart:
    if not text:
        return Apart.NO_TEXT
    return Apart.DECLARED_PUBLIC if public else compared


class MapStatement(GrownModel):
    """How records were mapped to atoms: fixed before any protected record was read."""

    later: ClassVar = {"languages", "made_by"}
    name: str
    fitted_on: str
    atoms_per_record: int | None = Field(ge=1)
    digest: str
    answers_none: bool = False  # one more coordinate measures what the dictionary does not cover
    learned_from_auxiliary: bool = False  # then that text must not hold protected records, and this is checked
    trusts: str = ""  # what was declared part of the curator to map records, where that is more than this process
    card: ReportCard | None = None
    languages: tuple[str, ...] = ()  # that it reads; one more coordinate measures text in others. Empty: it reads all
    made_by: Literal["caller"] | None = None  # then all of this is the caller's word; else the map is one of ours

    @property
    def besides(self) -> int:
        """How many coordinates there are besides the atoms: "none of these" and "not read", where they are measured."""
        return self.answers_none + bool(self.languages)


class PrivacyStatement(GrownModel):
    """Everything a reviewer needs to check the guarantee; it travels inside the plan."""

    later: ClassVar = {"grounding", "views", "series"}
    unit: ProtectedUnit
    adjacency: Adjacency
    loss: PrivacyLoss
    mechanism: Mechanism
    noise: Noise
    randomness: Randomness
    contribution_map: MapStatement
    separation: Separation
    quantity: Quantity = MASS
    sampling: Sampling = EVERYONE
    grounding: Grounding | None = None  # a secret sample was read, and a part of the loss paid for it
    views: tuple[View, ...] = ()  # of the same mass by the values of a facet; a part of the loss paid for each
    series: SeriesTerms | None = None  # then the loss is that of a person's whole life in it, all periods together

    @property
    def loss_of_sketch(self) -> PrivacyLoss:
        """What the sketch may cost, and a count that is bought with it."""
        beside = loss_beside_fading(loss_beside_views(self.loss, self.views), self.series)
        return loss_of_sketch(beside, self.grounding)

    @model_validator(mode="after")
    def _says_how_the_text_was_kept_apart(self) -> Self:
        if self.contribution_map.learned_from_auxiliary and self.separation.map_text is Apart.NO_TEXT:
            raise ValueError("the map has learned from auxiliary text: compared, or declared public?")
        return self

    @model_validator(mode="after")
    def _reads_a_sample_where_that_is_proven(self) -> Self:
        proven = self.adjacency is Adjacency.ADD_DROP and self.sampling == EVERYONE and not self.mechanism.selects
        if self.grounding is not None and not proven:
            raise ValueError("a sample is read under add/drop, of everyone, and beside a full noisy sketch only")
        return self

    @model_validator(mode="after")
    def _has_views_where_they_are_proven(self) -> Self:
        whole = self.sampling == EVERYONE and not self.mechanism.selects and self.grounding is None
        if self.views and not (whole and math.fsum(view.share for view in self.views) < 1):
            raise ValueError("views are of everyone, beside a full noisy sketch that something is left for")
        return self

    @model_validator(mode="after")
    def _is_of_a_series_where_that_is_proven(self) -> Self:
        if self.series is None:
            return self
        users = isinstance(self.unit, UserUnit) and self.unit.missing is not MissingUsers.OWN_UNIT
        proven = users and self.adjacency is Adjacency.ADD_DROP and self.mechanism.kind == "laplace"
        plain = self.quantity == MASS and self.sampling == EVERYONE and self.grounding is None and not self.views
        if not (proven and plain):
            raise ValueError("a series is of the mass of named users, under add/drop, by laplace, and of everyone")
        if (self.unit.bound, self.loss) != (self.series.lifetime_bound, PrivacyLoss(self.series.epsilon)):
            raise ValueError("the bound and the loss of a series are those of a whole life")
        return self
