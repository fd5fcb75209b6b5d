"""The paper's claims where it says nothing: at budgets below those that it names, and at its other level."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from dpspin_lab.results.claims import on_budgets, on_probe
from dpspin_lab.results.claims.claim import NAMED_FROM, Claim, Scope, Test

SMALL_RECORDS, SMALL_USERS = Scope("record", below=NAMED_FROM), Scope("user", below=NAMED_FROM)
RECORDS, USERS = Scope("record"), Scope("user")  # at every budget
LOSS, MASS = on_budgets.LOSS, on_budgets.MASS

Extension = Mapping[str, tuple[str, Test]]
BELOW: Final[Extension] = {
    "record-mass": (
        "full sketches keep a large part of the mass of the exact top L (records)",
        on_budgets.mass_at_least(SMALL_RECORDS, on_budgets.MOST),
    ),
    "mass-and-overlap": (
        "finding exactly the right themes is harder than keeping their mass (records)",
        on_budgets.mass_above_overlap(SMALL_RECORDS),
    ),
    "small-budgets": (
        "full sketches lose less mass than private top-L admission (records)",
        on_budgets.loses_less(1.0, SMALL_RECORDS),
    ),
    "near-zero-losses": (
        "losses of full sketches are near zero beside those of private top-L admission (records)",
        on_budgets.loses_less(on_budgets.TENFOLD, SMALL_RECORDS),
    ),
    "user-mass": (
        "full sketches have MassRetained close to one (users, B=1)",
        on_budgets.mass_at_least(SMALL_USERS, on_budgets.NEARLY_ALL),
    ),
}
FROM_BELOW: Final[Extension] = {
    "loss-falls": ("loss generally falls (records)", on_budgets.loss_falls(RECORDS)),
    "private-gains-most": (
        "the fall is largest for private top-L admission (records)",
        on_budgets.gains_more(RECORDS, LOSS, -1.0),
    ),
    "private-depends-on-budget": (
        "private top-L admission depends on the budget more than the sketches do (users)",
        on_budgets.gains_more(USERS, MASS, 1.0),
    ),
    "private-improves": ("private top-L admission becomes better (users)", on_budgets.private_improves(USERS)),
}
AMONG_USERS: Final[Extension] = {
    "mass-and-overlap": (
        "finding exactly the right themes is harder than keeping their mass",
        on_budgets.mass_above_overlap(USERS),
    ),
    "probe-rare": ("a theme with little support is seldom admitted", on_probe.rare_at_first(USERS)),
    "probe-rises": (
        "admission generally rises with the support s",
        on_probe.rises_with_support(on_probe.ADMITTED, USERS),
    ),
    "mention-rises": (
        "mention generally rises with the support s",
        on_probe.rises_with_support(on_probe.MENTIONED, USERS),
    ),
    "probe-budget": ("more noise can keep the probe out of the plan", on_probe.small_budgets_admit_less(USERS)),
}
AMONG_RECORDS: Final[Extension] = {
    "private-improves": (
        "private top-L admission becomes better as the budget grows",
        on_budgets.private_improves(RECORDS),
    )
}


def _extended(told: Extension, suffix: str, where: str, scope: str) -> Iterator[Claim]:
    """Put the claims with these keys again, in other words and on other runs."""
    for number, claim in enumerate((*on_budgets.CLAIMS, *on_probe.CLAIMS), 1):
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
