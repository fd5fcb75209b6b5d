"""The listed themes of a plan as data frames."""

from typing import TYPE_CHECKING, Final

from dpspin.errors import MissingExtra

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from dpspin.boundary.plan_fields import PlanFields

KINDS: Final[dict[str, type]] = {  # the columns, and what is in them: known also where there are no rows
    "atom_id": int,
    "label": str,
    "description": str,
    "parent": str,
    "noisy_mass": float,
    "mass": float,
    "support": float,
    "bin": str,
    "rank": int,
    "low": float,
    "high": float,
    "support_low": float,
    "support_high": float,
    "clears_noise": bool,
}


def pandas_frame(plan: "PlanFields") -> "pd.DataFrame":
    """Return one row per listed theme."""
    try:
        import pandas as pd  # noqa: PLC0415  optional
    except ImportError as missing:
        raise MissingExtra("plan.to_frame()", extra="frames") from missing
    return pd.DataFrame([entry.model_dump() for entry in plan.entries], columns=list(KINDS))


def polars_frame(plan: "PlanFields") -> "pl.DataFrame":
    """Return one row per listed theme."""
    try:
        import polars as pl  # noqa: PLC0415  optional
    except ImportError as missing:
        raise MissingExtra("plan.to_polars()", extra="frames") from missing
    return pl.DataFrame([entry.model_dump() for entry in plan.entries], schema=KINDS)
