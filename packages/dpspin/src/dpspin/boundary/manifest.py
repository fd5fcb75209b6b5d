"""The manifest of a release: every file by its digest, the plan, the ledger's head and approvals, under one signature.

The file holds what is signed and the signature, and is written in one way only: whoever reads it writes it again and
compares, so that not even a space can change.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Final, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from dpspin.boundary.approval import ApprovedRequest, Digest
from dpspin.boundary.certify import OneLine
from dpspin.boundary.model_base import FrozenModel, canonical_json, explained_as
from dpspin.boundary.signing import PublicKey, Purpose, SigningKey
from dpspin.errors import SigningError

MANIFEST: Final = "manifest.json"
MOST_FILES: Final = 200
PLAIN_NAME: Final = r"^[A-Za-z0-9]([A-Za-z0-9._ -]{0,98}[A-Za-z0-9])?$"  # letters of other scripts look like these


def is_plain_name(name: str) -> bool:
    """Tell whether a file of a release may have this name: no folder, nothing hidden, no look-alike.

    >>> [is_plain_name(each) for each in ("plan.json", "my chart.svg", "../plan.json", ".hidden", "plаn.json", "a ")]
    [True, True, False, False, False, False]
    """
    return re.fullmatch(PLAIN_NAME, name) is not None


def digest_of_bytes(content: bytes) -> str:
    """Return ``sha256:…`` of a file."""
    return "sha256:" + hashlib.sha256(content).hexdigest()


class PublishedFile(FrozenModel):
    """One file of a release."""

    name: Annotated[str, StringConstraints(pattern=PLAIN_NAME)]
    size: int = Field(ge=0)
    digest: Digest

    def is_of(self, content: bytes) -> bool:
        """Tell whether a file is this one."""
        return (self.size, self.digest) == (len(content), digest_of_bytes(content))


class Manifest(FrozenModel):
    """What a curator signs. ``plan`` and ``head`` are null where a folder has phrases, and no plan."""

    format: Literal["dpspin release manifest 1"] = "dpspin release manifest 1"
    software: OneLine  # that made sure of every file before it was signed
    day: date
    plan: Digest | None
    head: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")] | None
    files: Annotated[tuple[PublishedFile, ...], Field(min_length=1, max_length=MOST_FILES)]
    approved: ApprovedRequest | None
    curator: PublicKey

    @model_validator(mode="after")
    def _names_each_file_once(self) -> Self:
        names = [each.name for each in self.files]
        if names != sorted(names) or len({name.casefold() for name in (*names, MANIFEST)}) != len(names) + 1:
            raise ValueError("files are listed by name, each once, and the manifest is none of them")
        return self

    @property
    def content(self) -> bytes:
        """What is signed."""
        return canonical_json(self.model_dump(mode="json", exclude={"signature"})).encode()

    def signed_with(self, key: SigningKey) -> "SignedManifest":
        """Sign it; the key must be the curator's that it names."""
        if key.public != self.curator:
            raise SigningError("a release is signed with the key of the curator whom it names")
        return SignedManifest(**dict(self), signature=key.sign(Purpose.RELEASE, self.content))


class SignedManifest(Manifest):
    """A manifest as it is published."""

    signature: str = Field(max_length=100)

    @property
    def is_authentic(self) -> bool:
        """Whether the holder of the key that it names signed exactly this."""
        return self.curator.has_signed(Purpose.RELEASE, self.content, self.signature)

    def to_text(self) -> str:
        """Return the file's one text."""
        return json.dumps(self.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_bytes(cls, content: bytes) -> "SignedManifest":
        """Read the file, or say why it is none: what it says, written again, must be the very same bytes."""
        with explained_as(SigningError, f"this {MANIFEST}"):
            read = cls.model_validate_json(content)
        if read.to_text().encode() != content:
            raise SigningError(f"this {MANIFEST} is not valid: it is not written as it was signed")
        return read


def published(files: Mapping[str, bytes]) -> tuple[PublishedFile, ...]:
    """List files by name, size and digest."""
    return tuple(
        PublishedFile(name=name, size=len(content), digest=digest_of_bytes(content))
        for name, content in sorted(files.items())
    )
