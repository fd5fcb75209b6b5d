"""What a reader is told of the texts behind map and dictionary: compared with the records, or taken on trust."""

from typing import assert_never

from dpspin.boundary.separation import Apart, Coinciding
from dpspin.boundary.statement import MapStatement, PrivacyStatement
from dpspin.public.report.numbers import plain

TRUSTED = {
    Apart.DECLARED_PUBLIC: (
        "The text behind the {name} was declared public by whoever asked for this release, and was not compared with "
        "the records: the promise takes that on trust."
    ),
    Apart.NAMED_NOT_VERIFIED: (
        "The text behind the {name} was named by whoever asked for this release, and that text was compared with the "
        "records; whether it is the one that the {name} was made from cannot be checked: the promise takes that on "
        "trust."
    ),
}

OWN_MAP = (
    "The map was supplied by whoever asked for this release. That it looks at each record alone was tested on a sample "
    "of the records, not proven; its digest, and whatever else it says of itself, is its own word: the promise takes "
    "that on trust."
)


def map_text_words(statement: PrivacyStatement) -> str:
    """Say how the map's text is known to be apart from the records; numbers about labelled text stand in the plan."""
    card, stated = statement.contribution_map.card, statement.separation
    tolerated = stated.tolerated.published if card is not None and card.real_text else stated.tolerated.unpublished
    return apart_words(stated.map_text, tolerated)


def dictionary_text_words(statement: PrivacyStatement) -> str:
    """Say how the dictionary's text is known to be apart from the records; the dictionary itself is published."""
    return apart_words(statement.separation.dictionary_text, statement.separation.tolerated.published)


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


def maker_words(contribution_map: MapStatement) -> str:
    """Say whose map it is."""
    return "dpspin" if contribution_map.made_by is None else "whoever asked for this release"


def on_trust(statement: PrivacyStatement) -> tuple[str, ...]:
    """Say on whose words the promise rests: nobody has checked them."""
    separation, own = statement.separation, statement.contribution_map.made_by == "caller"
    texts = {"map": separation.map_text, "dictionary": separation.dictionary_text}
    declared = (TRUSTED[stated].format(name=name) for name, stated in texts.items() if stated in TRUSTED)
    return (*((OWN_MAP,) if own else ()), *declared)
