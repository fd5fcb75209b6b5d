"""The promise of a series in sentences: the loss is that of a whole life, and not of one report."""

from typing import Final

from dpspin.boundary.statement import PrivacyStatement
from dpspin.public.wording.numbers import plain, plain_up

THIS_REPORT: Final = "everything in this report"


def what_is_read(statement: PrivacyStatement) -> str:
    """Say what the loss of a statement is of: one report, or all of a life."""
    if statement.series is None:
        return THIS_REPORT
    every = statement.series.every.declared
    return f"all reports of this life of the series ({every[0]} to {every[-1]})"


def series_words(statement: PrivacyStatement) -> tuple[str, ...]:
    """Say that the loss is that of a whole life, and what bounds and pays for its periods."""
    terms = statement.series
    if terms is None:
        return ()
    whole, periods = plain(terms.epsilon, 9), len(terms.every.declared)
    loss = (
        f"This report is of one period of a series. Epsilon {whole} is not the cost of this report: it is what all "
        f"{periods} periods of this life of the series cost together, for each user."
    )
    bounds = (
        f"The mass of at most {plain_up(terms.lifetime_bound)} is a user's for all these periods; one period counts at "
        f"most {plain_up(terms.per_period_bound)} of it, until it is used up. Who has used it up is no longer counted."
    )
    paid = (
        f"Of epsilon {whole}, {plain_up(statement.loss_of_sketch.epsilon)} pays for the masses of all periods, and "
        f"{plain_up(terms.fading_share * terms.epsilon)} for how much would have been counted without that limit."
    )
    return loss, bounds, paid
