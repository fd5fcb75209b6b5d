"""Why neither map nor dictionary depends on protected records: one statement for the text behind each of them.

It says what was done, and that follows from the request alone. What a comparison found is not in it: too much in common
stops a release, which only the curator sees, and so every plan that was compared says the same.
"""

from enum import StrEnum

from dpspin.boundary.sealed import Sealed
from dpspin.errors import RequestError


class Apart(StrEnum):
    """How a text is known to be apart from the protected records.

    ``compared``: with them; for more in common than chance explains the release would have been refused.
    ``named_not_verified``: one was named and compared; a fitted map cannot tell whether it is the one that taught it.
    ``declared_public``: not compared; whoever asked for the release says that it is nobody's secret.
    ``no_text``: none is named. What a language or embedding model learned elsewhere is unknown, and is no part of it.
    """

    COMPARED = "compared"
    NAMED_NOT_VERIFIED = "named_not_verified"
    DECLARED_PUBLIC = "declared_public"
    NO_TEXT = "no_text"


class Separation(Sealed):
    """The statement for the text that the map was fitted on, and for the one that the dictionary was built from."""

    map_text: Apart
    dictionary_text: Apart


NO_TEXTS = Separation(map_text=Apart.NO_TEXT, dictionary_text=Apart.NO_TEXT)


def separation_of(
    *,
    behind_map: bool,
    map_is_public: bool,
    behind_dictionary: bool,
    dictionary_is_public: bool,
    map_came_fitted: bool = False,
) -> Separation:
    """State how each text, where there is one, is kept apart; refuse to declare one that is not there.

    A map that came fitted keeps no trace of its text, so a comparison with the text that is named proves less.

    >>> separation_of(behind_map=True, map_is_public=True, behind_dictionary=True, dictionary_is_public=False)
    Separation(map_text=<Apart.DECLARED_PUBLIC: 'declared_public'>, dictionary_text=<Apart.COMPARED: 'compared'>)
    """
    if map_is_public and not behind_map:
        raise RequestError("the map has learned from no text that could be public: leave --aux-is-public out")
    if dictionary_is_public and not behind_dictionary:
        raise RequestError("the dictionary was built from no records: leave --atoms-aux-is-public out")
    compared = Apart.NAMED_NOT_VERIFIED if map_came_fitted else Apart.COMPARED
    return Separation(
        map_text=_apart(compared, text=behind_map, public=map_is_public),
        dictionary_text=_apart(Apart.COMPARED, text=behind_dictionary, public=dictionary_is_public),
    )


def _apart(compared: Apart, *, text: bool, public: bool) -> Apart:
    if not text:
        return Apart.NO_TEXT
    return Apart.DECLARED_PUBLIC if public else compared
