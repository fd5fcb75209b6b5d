"""How the texts behind map and dictionary are known to be apart from the records, in words."""

from typing import assert_never

from dpspin.boundary.statement import Apart, Coinciding
from dpspin.public.wording.numbers import plain

TRUSTED = {
    Apart.DECLARED_PUBLIC: (
        "The text behind the {name} was declared public by whoever asked for this release, and was not compared with "
        "the records: the promise takes that on trust."
    ),
    Apart.USERS_COMPARED: (
        "The text behind the {name} is of other users than the records, by their ids; its words were not compared. "
        "What two users wrote alike, such as a copied review, or one person under two ids, was seen when the {name} "
        "was made. That ids tell people apart cannot be checked: the promise takes that on trust."
    ),
    Apart.NAMED_NOT_VERIFIED: (
        "The text behind the {name} was named by whoever asked for this release, and that text was compared with the "
        "records; whether it is the one that the {name} was made from cannot be checked: the promise takes that on "
        "trust."
    ),
}


def apart_words(stated: Apart, tolerated: Coinciding) -> str:
    """Say how one text is known to be apart from the records, and how much could have coincided."""
    match stated:
        case Apart.COMPARED:
            return f"compared with the records before they were measured: {_tolerance_words(tolerated)}"
        case Apart.NAMED_NOT_VERIFIED:
            return (
                "a text was named and compared with the records; that it is the right one is taken on trust. "
                f"Compared means: {_tolerance_words(tolerated)}"
            )
        case Apart.USERS_COMPARED:
            return (
                "no user in common with the records, as whoever asked for this release decided; words were compared of "
                "records without a user id only, so that two users may have a text in common"
            )
        case Apart.DECLARED_PUBLIC:
            return "declared public by whoever asked for this release; not compared with the records"
        case Apart.NO_TEXT:
            return "none is named; what a language or embedding model learned elsewhere, if one was used, is unknown"
        case _:
            assert_never(stated)


def _tolerance_words(tolerated: Coinciding) -> str:
    """Say what a comparison lets pass. Which way it was done is not said: that may depend on the records."""
    return (
        "no user in common where all records name users; else texts were compared word for word, and "
        f"{_up_to(tolerated.longer)} of the longer ones (80 characters or more) may coincide, "
        f"{_up_to(tolerated.shorter)} of the shorter ones, {_up_to(tolerated.shortest)} of those of fewer than four "
        f"words; of the last two kinds also {_up_to(tolerated.of_all)} of all"
    )


def _up_to(share: float) -> str:
    return f"up to {plain(100 * share)} %" if share else "none"
