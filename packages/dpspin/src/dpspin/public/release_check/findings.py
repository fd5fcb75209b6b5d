"""What a check finds, in words: what is wrong, what holds, and what nobody can tell from the folder."""

from collections.abc import Iterable
from dataclasses import dataclass

from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.signing import PublicKey


@dataclass(frozen=True, slots=True)
class Wrong:
    """Something is not as it should be: the release is rejected."""

    words: str


@dataclass(frozen=True, slots=True)
class Holds:
    """Something was checked, and holds."""

    words: str


@dataclass(frozen=True, slots=True)
class NotChecked:
    """Something was not checked, or cannot be checked from the folder."""

    words: str


Finding = Wrong | Holds | NotChecked


class ReleaseVerdict(FrozenModel):
    """The decision on a release folder; ``signed_by`` is the key that the manifest names, where there is one."""

    accepted: bool
    signed_by: PublicKey | None
    fingerprint: str | None
    wrong: tuple[str, ...]
    holds: tuple[str, ...]
    not_checked: tuple[str, ...]

    @classmethod
    def of(cls, findings: Iterable[Finding], signed_by: PublicKey | None) -> "ReleaseVerdict":
        """Sort what was found: one thing that is wrong is enough."""
        found = tuple(findings)
        wrong, holds, left = (
            tuple(each.words for each in found if isinstance(each, kind)) for kind in (Wrong, Holds, NotChecked)
        )
        return cls(
            accepted=not wrong,
            signed_by=signed_by,
            fingerprint=None if signed_by is None else signed_by.fingerprint,
            wrong=wrong,
            holds=holds,
            not_checked=left,
        )
