"""Ed25519 keys and signatures: who approved a request, and who published a release.

What is signed begins with its purpose, so an approval's signature is never one of a release. A key file is text: its
first line is the public key, the rest the private one (PKCS8), encrypted by a passphrase. The library stretches a
passphrase by two thousand rounds only, so it gets what scrypt makes of it.
"""

import base64
import binascii
import hashlib
import os
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import field_validator

from dpspin.boundary.model_base import FrozenModel, explained_as
from dpspin.boundary.printable import is_printable
from dpspin.boundary.safe_files import read_plain
from dpspin.errors import SigningError

if TYPE_CHECKING:
    from dpspin.boundary.ed25519 import PrivateKey

SCHEME: Final = "dpspin-ed25519:"
LONGEST_NAME: Final = 100
LARGEST_KEY_FILE: Final = 10_000
SHORTEST_PASSPHRASE: Final = 8
ENCRYPTED: Final = b"-----BEGIN ENCRYPTED PRIVATE KEY-----"
KEY_BYTES, SIGNATURE_BYTES, FINGERPRINT_BYTES = 32, 64, 16


class Purpose(StrEnum):
    """What a signature is for; none is valid for another."""

    APPROVAL = "dpspin approval 1"
    RELEASE = "dpspin release 1"
    REQUEST = "dpspin request 1"
    OFFICERS = "dpspin officers 1"


class PublicKey(FrozenModel):
    """A key that anybody may have, and the name that its holder gave: who that is must be known from elsewhere.

    >>> PublicKey.from_text("dpspin-ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo= Maria Lopez").fingerprint
    '21fe 31df a154 a261 626b f854 046f d227'
    """

    key: str
    name: str

    @field_validator("key")
    @classmethod
    def _is_a_key(cls, key: str) -> str:
        if not key.startswith(SCHEME) or exact_bytes(key.removeprefix(SCHEME), KEY_BYTES) is None:
            raise ValueError(f"a public key is written as {SCHEME} and 44 characters, with nothing between")
        return key

    @field_validator("name")
    @classmethod
    def _is_a_name(cls, name: str) -> str:
        if not 1 <= len(name) <= LONGEST_NAME or name != " ".join(name.split()) or not is_printable(name):
            raise ValueError(f"a key's holder has a name of one line, of at most {LONGEST_NAME} letters")
        return name

    @property
    def text(self) -> str:
        """The one line in which it is handed on."""
        return f"{self.key} {self.name}"

    @property
    def raw(self) -> bytes:
        """Its 32 bytes."""
        return base64.b64decode(self.key.removeprefix(SCHEME))

    @property
    def fingerprint(self) -> str:
        """What two people read to each other to know that they have the same key; the name is no part of it."""
        digest = hashlib.sha256(self.raw).digest()[:FINGERPRINT_BYTES].hex()
        return " ".join(digest[at : at + 4] for at in range(0, len(digest), 4))

    @classmethod
    def from_text(cls, text: str) -> "PublicKey":
        """Read the line in which a key is handed on."""
        key, _, name = text.strip().partition(" ")
        try:
            return cls(key=key, name=name)
        except ValueError:
            raise SigningError(
                f"this is no public key: it is one line, {SCHEME}… and the name of its holder, as `dpspin key show` "
                "writes it"
            ) from None

    def has_signed(self, purpose: Purpose, content: bytes, signature: str) -> bool:
        """Tell whether the holder of this key signed exactly this, for exactly this purpose."""
        from dpspin.boundary import ed25519  # noqa: PLC0415  optional

        signed = exact_bytes(signature, SIGNATURE_BYTES)
        return signed is not None and ed25519.is_valid(self.raw, signed, _with_purpose(purpose, content))


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key in memory, with its public one; it is never shown."""

    public: PublicKey
    private: "PrivateKey" = field(repr=False)

    def sign(self, purpose: Purpose, content: bytes) -> str:
        """Return the signature in base64."""
        return base64.b64encode(self.private.sign(_with_purpose(purpose, content))).decode()


def make_key(name: str) -> SigningKey:
    """Make a new key for somebody."""
    from dpspin.boundary import ed25519  # noqa: PLC0415  optional

    private = ed25519.new_private()
    with explained_as(SigningError, "the name of the key's holder"):
        return SigningKey(
            PublicKey(key=SCHEME + base64.b64encode(ed25519.public_bytes(private)).decode(), name=name), private
        )


def write_key(path: Path, key: SigningKey, passphrase: str | None) -> None:
    """Write a key file that only its owner can read; None leaves it without a passphrase. Nothing is overwritten."""
    from dpspin.boundary import ed25519  # noqa: PLC0415  optional

    if passphrase is not None and len(passphrase) < SHORTEST_PASSPHRASE:
        raise SigningError(f"a passphrase has at least {SHORTEST_PASSPHRASE} characters: choose a longer one")
    private = ed25519.to_pem(key.private, None if passphrase is None else _stretched(passphrase, key.public))
    _write_new(path, f"{key.public.text}\n".encode() + private)


def _write_new(path: Path, content: bytes) -> None:
    """Write a file for its owner alone; one that is there already stays as it is."""
    try:
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise SigningError(f"{str(path)!r} is there already, and a key is never overwritten: name another") from None
    except OSError as error:
        raise SigningError(f"cannot write the key to {str(path)!r}: {error.strerror}") from None
    with os.fdopen(made, "wb") as file:
        file.write(content)


@dataclass(frozen=True, slots=True)
class KeyFile:
    """A key file as it lies: whose it is can be seen, and signing needs it opened."""

    path: Path
    public: PublicKey
    private_text: bytes = field(repr=False)

    @classmethod
    def read(cls, path: str | Path) -> "KeyFile":
        """Read a key file, or say why it is none."""
        public, private = _lines_of(path)
        if not private.startswith(b"-----BEGIN "):
            raise SigningError(f"{str(path)!r} has a public key alone: to sign, name the file that `dpspin key` made")
        return cls(Path(path), public, private)

    @property
    def needs_passphrase(self) -> bool:
        """Whether it is encrypted."""
        return self.private_text.startswith(ENCRYPTED)

    def opened(self, passphrase: str | None) -> SigningKey:
        """Return the key itself; a file without a passphrase needs none."""
        from dpspin.boundary import ed25519  # noqa: PLC0415  optional

        if self.needs_passphrase and not passphrase:
            raise SigningError(f"the key {str(self.path)!r} is encrypted: its passphrase is needed")
        secret = _stretched(passphrase, self.public) if passphrase and self.needs_passphrase else None
        private = ed25519.from_pem(self.private_text, secret)
        if private is None:
            why = "the passphrase is wrong, or the file is damaged" if secret else "the file is damaged"
            raise SigningError(f"the key {str(self.path)!r} does not open: {why}")
        if ed25519.public_bytes(private) != self.public.raw:
            raise SigningError(f"{str(self.path)!r} is damaged: its first line is not the public key of the rest")
        return SigningKey(self.public, private)


def read_public_key(given: str | Path) -> PublicKey:
    """Read a public key from its line, from a file with that line, or from the key file of its holder."""
    if str(given).startswith(SCHEME):
        return PublicKey.from_text(str(given))
    return _lines_of(given)[0]


def exact_bytes(text: str, length: int) -> bytes | None:
    """Decode the one base64 text of so many bytes; None for any other, so that no two texts mean the same."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return found if len(found) == length and base64.b64encode(found).decode() == text else None


def _lines_of(path: str | Path) -> tuple[PublicKey, bytes]:
    try:
        first, _, rest = read_plain(path, LARGEST_KEY_FILE).partition(b"\n")
        text = first.decode()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise SigningError(f"cannot read a key from {str(path)!r}: {why}") from None
    return PublicKey.from_text(text), rest


def _with_purpose(purpose: Purpose, content: bytes) -> bytes:
    return purpose.value.encode() + b"\n" + content


def _stretched(passphrase: str, public: PublicKey) -> bytes:
    """Make guessing slow: every try costs 32 MiB of memory. The public key is the salt, since each has its own."""
    cost = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26, "dklen": 32}
    return hashlib.scrypt(passphrase.encode(), salt=public.raw, **cost).hex().encode()
