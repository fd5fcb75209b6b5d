"""The language of the text, by a fixed rule that looks at it alone."""

from typing import Literal

from pydantic import Field, field_validator

from dpspin.boundary.facets.base import MOST_VALUES, DeclaredFacet


class LanguageFacet(DeclaredFacet):
    """The language that most of the text is in, where it is a declared one; `other` where it cannot be told.

    >>> spoken = LanguageFacet(languages=("en", "de"))
    >>> [spoken.places[spoken.place(text)] for text in ("Mein Paket ist seit Montag überfällig.", "OK", None)]
    ['de', 'other', 'missing']
    """

    kind: Literal["language"] = "language"
    languages: tuple[str, ...] = Field(min_length=1, max_length=MOST_VALUES)

    @field_validator("languages")
    @classmethod
    def _are_known(cls, languages: tuple[str, ...]) -> tuple[str, ...]:
        from dpspin.text.languages import require_codes  # noqa: PLC0415  slow to import

        require_codes(languages)
        if len(set(languages)) < len(languages):
            raise ValueError("a language is declared twice")
        return languages

    @property
    def declared(self) -> tuple[str, ...]:
        """The codes of the languages."""
        return self.languages

    def among_declared(self, cell: str) -> int | None:
        """Tell the language of a text."""
        from dpspin.text.languages import language_of  # noqa: PLC0415  slow to import

        code = language_of(cell)
        return self.languages.index(code) if code in self.languages else None
