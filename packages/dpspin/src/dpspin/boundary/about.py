"""What whoever asks for a release declares of it: public words for its readers, on which nothing rests."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import StringConstraints

from dpspin.boundary.model_base import Sealed

LONGEST = 200  # characters: a line, not a text
Declared = Annotated[str, StringConstraints(max_length=LONGEST, pattern=r"^[^\x00-\x1f\x7f]*$")]


class About(Sealed):
    """Period, source and owner of the records, and the date of the release, all as declared and never checked.

    None of it may be taken from the records: a plan publishes it as it stands.
    """

    period: Declared = ""
    source: Declared = ""
    owner: Declared = ""
    date: Declared = ""

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """What was declared, each with its name.

        >>> About(period="March 2026", owner="Care team").lines
        (('Period', 'March 2026'), ('Owner', 'Care team'))
        """
        named = {"Period": self.period, "Source": self.source, "Owner": self.owner, "Released": self.date}
        return tuple((name, words) for name, words in named.items() if words.strip())


NOTHING_DECLARED = About()


def today() -> str:
    """Return the day on which a report is made."""
    return datetime.now(UTC).date().isoformat()
