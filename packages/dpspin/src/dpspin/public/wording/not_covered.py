"""What a promise leaves open, for whoever decides about a release before it is made."""

from typing import Literal

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.public.wording.numbers import plain


def not_covered(unit: Literal["record", "user"], loss: PrivacyLoss) -> tuple[str, ...]:
    """Say what a release does not protect, as the page on the promise does.

    >>> not_covered("user", PrivacyLoss(1.0))[0]
    'Groups: for two users together epsilon counts twice (2), for three three times (3).'
    """
    twice, thrice = plain(2 * loss.epsilon, 9), plain(3 * loss.epsilon, 9)
    people = (
        "People: it protects records one by one. Whoever wrote several is a group of records."
        if unit == "record"
        else "People under two ids: one user is one id, and a person with two is a group of two."
    )
    return (
        f"Groups: for two {unit}s together epsilon counts twice ({twice}), for three three times ({thrice}).",
        people,
        "What is true of everybody: a reader may conclude it of a person whose records were never read.",
        "Other releases: losses add up over all releases from these records, in whatever ledger they are.",
        (
            "Choices made after a look at the records: a dictionary, a title or an epsilon that was chosen by them "
            "tells of them without noise, and no software can notice it."
        ),
        "The curator's machine, and everybody who may read the records there.",
    )
