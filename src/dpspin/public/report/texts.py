"""What a reader is told of the texts behind map and dictionary: compared with the records, or taken on trust."""

from typing import assert_never

from dpspin.boundary.separation import Apart, Separation


def apart_words(stated: Apart) -> str:
    """Say how one text is known to be apart from the records."""
    match stated:
        case Apart.COMPARED:
            return "compared with the records before they were measured"
        case Apart.DECLARED_PUBLIC:
            return "declared public by whoever asked for this release; not compared with the records"
        case Apart.NO_TEXT:
            return "none: nothing was learned from records"
        case _:
            assert_never(stated)


def on_trust(separation: Separation) -> tuple[str, ...]:
    """Say on which declarations the promise rests: nobody has checked them."""
    texts = {"map": separation.map_text, "dictionary": separation.dictionary_text}
    return tuple(_declared(name) for name, stated in texts.items() if stated is Apart.DECLARED_PUBLIC)


def _declared(name: str) -> str:
    return (
        f"The text behind the {name} was declared public by whoever asked for this release, and was not compared with "
        "the records: the promise takes that on trust."
    )
