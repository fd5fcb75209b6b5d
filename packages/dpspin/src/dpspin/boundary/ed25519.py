"""What is asked of the optional package `cryptography`, and nothing else: the one module that imports it."""

from dpspin.errors import MissingExtra

try:
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
except ModuleNotFoundError:
    raise MissingExtra("a key or a signature", "sign") from None

PrivateKey = Ed25519PrivateKey


def new_private() -> PrivateKey:
    """Make a private key from the operating system's secure generator."""
    return Ed25519PrivateKey.generate()


def public_bytes(private: PrivateKey) -> bytes:
    """Return the 32 bytes of its public key."""
    return private.public_key().public_bytes_raw()


def is_valid(public: bytes, signature: bytes, content: bytes) -> bool:
    """Tell whether the holder of a public key signed this content."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, content)
    except (InvalidSignature, ValueError):  # ValueError: no point of the curve
        return False
    return True


def to_pem(private: PrivateKey, secret: bytes | None) -> bytes:
    """Write a private key as PKCS8, encrypted unless there is no secret."""
    protection: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if secret is not None:
        protection = serialization.BestAvailableEncryption(secret)
    return private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, protection)


def from_pem(text: bytes, secret: bytes | None) -> PrivateKey | None:
    """Read a private key; None where the secret is wrong, or the text is damaged or of another kind of key."""
    try:
        private = serialization.load_pem_private_key(text, secret)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None
    return private if isinstance(private, Ed25519PrivateKey) else None
