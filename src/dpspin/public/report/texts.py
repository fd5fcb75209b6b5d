"""What a reader is told of the texts behind map and dictionary: compared with the records, or taken on trust."""

from typing import assert_never

from dpspin.boundary.separation import Apart, Separation

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


def apart_words(stated: Apart) -> str:
    """Say how one text is known to be apart from the records."""
    match stated:
        case Apart.COMPARED:
            return "compared with the records before they were measured"
        case Apart.NAMED_NOT_VERIFIED:
            return "a text was named and compared with the records; that it is the right one is taken on trust"
        case Apart.DECLARED_PUBLIC:
            return "declared public by whoever asked for this release; not compared with the records"
        case Apart.NO_TEXT:
            return "none is named; what a language or embedding model learned elsewhere, if one was used, is unknown"
        case _:
            assert_never(stated)


def on_trust(separation: Separation) -> tuple[str, ...]:
    """Say on whose words the promise rests: nobody has checked them."""
    texts = {"map": separation.map_text, "dictionary": separation.dictionary_text}
    return tuple(TRUSTED[stated].format(name=name) for name, stated in texts.items() if stated in TRUSTED)
