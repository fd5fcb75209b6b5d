"""An approval, signed: who decided about exactly which request, why, on which day, and until when."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from dpspin.boundary.model_base import FrozenModel, canonical_json, digest_of, explained_as
from dpspin.boundary.privacy import Adjacency
from dpspin.boundary.safe_files import read_plain
from dpspin.boundary.signing import SCHEME, PublicKey, Purpose, SigningKey
from dpspin.errors import SigningError

APPROVALS: Final = "approvals.json"  # in the curator's folder, until a signature publishes them
LONGEST_REASON: Final = 1000
LENGTH_OF_KEY: Final = len(SCHEME) + 44
LinkHash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Digest = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
Decision = Literal["approved", "declined"]


class Approval(FrozenModel):
    """What an officer decides; ``request`` is the digest of the request, ``by`` the officer's key with the name."""

    request: Digest
    decision: Decision
    by: PublicKey
    reason: Annotated[str, StringConstraints(max_length=LONGEST_REASON, pattern=r"^[^\x00-\x1f\x7f]*$")]
    day: date
    expires: date  # the last day on which it counts

    @model_validator(mode="after")
    def _lasts_a_day(self) -> Self:
        if self.expires < self.day:
            raise ValueError("it expires before the day on which it was given")
        return self

    @property
    def content(self) -> bytes:
        """What is signed."""
        fields = {name: value for name, value in self.model_dump(mode="json").items() if name in Approval.model_fields}
        return canonical_json(fields).encode()

    def signed_with(self, key: SigningKey) -> "SignedApproval":
        """Sign it; the key must be the one that it names."""
        if key.public != self.by:
            raise SigningError("an approval is signed with the key of whom it names: name this key's holder")
        return SignedApproval(**dict(self), signature=key.sign(Purpose.APPROVAL, self.content))


class SignedApproval(Approval):
    """An approval as it travels: in the ledger's chain, and in the manifest of a release."""

    signature: str = Field(max_length=100)

    @property
    def is_authentic(self) -> bool:
        """Whether the holder of the key that it names signed exactly this."""
        return self.by.has_signed(Purpose.APPROVAL, self.content, self.signature)

    def counts_on(self, day: date) -> bool:
        """Whether it says yes, and has begun and not expired on a day."""
        return self.decision == "approved" and self.day <= day <= self.expires


class FiledRequest(FrozenModel):
    """What is asked for, by whom, and after which row of which ledger: no other filing has these terms.

    ``after`` is the end of the ledger's chain when the request was filed. ``charge`` covers everything that would be
    charged and the whole request as it was told: what is no reader's business (the dataset's name, files, columns) is
    in it by digest only. The other fields a reader can hold against the plan.
    """

    after: LinkHash
    charge: Digest
    epsilon: float
    delta: float
    unit: Literal["record", "user"]
    adjacency: Adjacency
    mechanism: str
    dictionary: str | None
    map: str | None
    by: PublicKey
    day: date

    @property
    def digest(self) -> str:
        """What an approval is given for."""
        return digest_of(self.model_dump(mode="json"))

    @property
    def content(self) -> bytes:
        """What whoever asks signs."""
        return canonical_json(self.model_dump(mode="json")).encode()

    def signed_with(self, key: SigningKey) -> str:
        """Return the signature of whoever asks."""
        return key.sign(Purpose.REQUEST, self.content)

    def is_authentic(self, signature: str) -> bool:
        """Whether the one whom it names asked for exactly this."""
        return self.by.has_signed(Purpose.REQUEST, self.content, signature)


class ApprovedRequest(FrozenModel):
    """The request behind a release, the day on which it was charged, and the approvals that it was released under.

    ``terms`` are what the request is the digest of: with them a reader sees that this very plan was approved.
    """

    request: Digest
    terms: FiledRequest
    released: date
    approvals: Annotated[tuple[SignedApproval, ...], Field(min_length=1, max_length=20)]

    def contradictions(self) -> Iterator[str]:
        """Yield what is wrong with these approvals."""
        if self.terms.digest != self.request:
            yield "the terms that it states are not those of the request that was approved"
        for each in self.approvals:
            if each.by.key == self.terms.by.key:
                yield f"{each.by.name} approved what the same key had asked for"
            if not each.is_authentic:
                yield f"the approval of {each.by.name} is not signed with the key that it names"
            if each.request != self.request:
                yield f"the approval of {each.by.name} is of another request"
            if not each.counts_on(self.released):
                yield f"the approval of {each.by.name} did not count on the day of the release, {self.released}"


def read_approved(path: Path) -> ApprovedRequest:
    """Read what `dpspin release` left of the approvals in the curator's folder."""
    with explained_as(SigningError, f"{str(path)!r}"):
        return ApprovedRequest.model_validate_json(read_plain(path))
