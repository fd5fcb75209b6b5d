"""What a plan says about the account that paid for it: spent after this release, the cap, and the ledger's head.

All of it follows from the requests that were answered; a request that was refused, for whatever reason, is not in it.
Names of accounts are left out: by default a dataset is named by its path.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import (
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from dpspin.boundary.model_base import Sealed
from dpspin.errors import RequestError

Scope = Literal["dataset", "population"]


@dataclass(frozen=True, slots=True)
class Window:
    """One part of a collection: the records with this value in the column that the account declared as its partition.

    Every record has one value, so windows are disjoint by a rule that looks at each record alone. Releases of different
    windows then compose in parallel, at record level and under add/drop: a record is in one of them.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")
    partition: str
    name: str

    def __post_init__(self) -> None:
        if not all(word and word.isprintable() for word in (self.partition, self.name)):
            raise RequestError("a window needs the column of its partition and a value, both printable text")


class EpsilonBalance(Sealed):
    """What an account that is decided in (epsilon, delta) has spent, this release included."""

    currency: Literal["epsilon"] = "epsilon"
    scope: Scope
    spent_epsilon: float = Field(ge=0)
    spent_delta: float = Field(ge=0)
    cap_epsilon: float = Field(ge=0)
    cap_delta: float = Field(ge=0)

    @model_validator(mode="after")
    def _stays_within_its_cap(self) -> Self:
        if self.spent_epsilon > self.cap_epsilon or self.spent_delta > self.cap_delta:
            raise ValueError("more is spent than the cap allows")
        return self


class RhoBalance(Sealed):
    """What an account that is decided in rho (zero-concentrated differential privacy) has spent."""

    currency: Literal["rho"] = "rho"
    scope: Scope
    spent_rho: float = Field(ge=0)
    cap_rho: float = Field(ge=0)

    @model_validator(mode="after")
    def _stays_within_its_cap(self) -> Self:
        if self.spent_rho > self.cap_rho:
            raise ValueError("more is spent than the cap allows")
        return self


Balance = Annotated[EpsilonBalance | RhoBalance, Field(discriminator="currency")]


class AccountStatement(Sealed):
    """Who paid for a release. ``head`` is the ledger's last hash when it did: the ledger can be asked for it.

    ``window`` names the part of the collection that was measured, where it was one; ``user_column`` the column by which
    users were told apart, where they are protected. Plans from before there was one do not state it.
    """

    balances: tuple[Balance, ...] = Field(min_length=1, max_length=2)  # the dataset, then its population
    window: Window | None = None
    head: str = Field(pattern="^[0-9a-f]{64}$")
    user_column: str | None = Field(None, min_length=1)

    @field_validator("user_column")
    @classmethod
    def _is_printable(cls, column: str | None) -> str | None:
        if column is not None and not column.isprintable():
            raise ValueError("the name of a column must be printable text")
        return column

    @model_serializer(mode="wrap")
    def _as_before_where_there_is_none(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out a column that is not stated, so that plans from before there was one keep their text."""
        written: dict[str, Any] = handler(self)
        if self.user_column is None:
            written.pop("user_column", None)
        return written
