"""The paper's claims where it says nothing: at budgets below those that it names, and at its other level."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from dpspin_lab.results.claims import probing, utility
from dpspin_lab.results.claims.claim import NAMED_FROM, Claim, Scope, Test

SMALL_RECORDS, SMALL_USERS = Scope("record", below=NAMED_FROM), Scope("user", below=NAMED_FROM)
RECORDS, USERS = Scope("record"), Scope("user")  # at every budget
LOSS, MASS = utility.LOSS, utility.MASS

Extension = Mapping[str, tuple[str, Test]]
BELOW: Final[Extension] = {
    "record-mass": (
        "full sketches keep a large part of the mass of the exact top L (records)",
        utility.mass_at_least(SMALL_RECORDS, utility.MOST),
    ),
    "mass-and-overlap": (
        "finding exactly the right themes is harder than keeping their mass (records)",
        utility.mass_above_overlap(SMALL_RECORDS),
    ),
    "small-budgets": (
        "full sketches lose less mass than private top-L admission (records)",
        utility.loses_less(1.0, SMALL_RECORDS),
    ),
    "near-zero-losses": (
        "losses of full sketches are near zero beside those of private top-L admission (records)",
        utility.loses_less(utility.TENFOLD, SMALL_RECORDS),
    ),
    "user-mass": (
        "full sketches have MassRetained close to one (users, B=1)",
        utility.mass_at_least(SMALL_USERS, utility.NEARLY_ALL),
    ),
}
FROM_BELOW: Final[Extension] = {
    "loss-falls": ("loss generally falls (records)", utility.loss_falls(RECORDS)),
    "private-gains-most": (
        "the fall is largest for private top-L admission (records)",
        utility.gains_more(RECORDS, LOSS, -1.0),
    ),
    "private-depends-on-budget": (
        "private top-L admission depends on the budget more than the sketches do (users)",
        utility.gains_more(USERS, MASS, 1.0),
    ),
    "private-improves": ("private top-L admission becomes better (users)", utility.private_improves(USERS)),
}
AMONG_USERS: Final[Extension] = {
    "mass-and-overlap": (
        "finding exactly the right themes is harder than keeping their mass",
        utility.mass_above_overlap(USERS),
    ),
    "probe-rare": ("a theme with little support is seldom admitted", probing.rare_at_first(USERS)),
    "probe-rises": (
        "admission generally rises with the support s",
        probing.rises_with_support(probing.ADMITTED, USERS),
    ),
    "mention-rises": (
        "mention generally rises with the support s",
        probing.rises_with_support(probing.MENTIONED, USERS),
    ),
    "probe-budget": ("more noise can keep the probe out of the plan", probing.small_budgets_admit_less(USERS)),
}
AMONG_RECORDS: Final[Extension] = {
    "private-improves": (
        "private top-L admission becomes better as the budget grows",
        utility.private_improves(RECORDS),
    )
}


def _extended(told: Extension, suffix: str, where: str, scope: str) -> Iterator[Claim]:
    """Put the claims with these keys again, in other words and on other runs."""
    for number, claim in enumerate((*utility.CLAIMS, *probing.CLAIMS), 1):
        if claim.key in told:
            words, test = told[claim.key]
            said, rule = f"{where}, {words}: P{number} extended.", f"That of P{number}, {scope}."
            yield replace(claim, key=f"{claim.key}-{suffix}", source="ours", said=said, rule=rule, test=test)


CLAIMS: Final = (
    *_extended(BELOW, "below", f"Below ε={NAMED_FROM:g} too", f"but at every ε below {NAMED_FROM:g}"),
    *_extended(FROM_BELOW, "from-below", "From ε=0.1 on", "but from the smallest ε that was run"),
    *_extended(AMONG_USERS, "users", "At user level too", "but at user level, and at every ε that was run"),
    *_extended(AMONG_RECORDS, "records", "At record level too", "but at record level, and at every ε that was run"),
)
