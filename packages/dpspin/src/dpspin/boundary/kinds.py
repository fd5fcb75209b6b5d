"""What a Python caller may hand over: a value of another kind is refused by its name, before anything is opened."""

import unicodedata
from types import NoneType
from typing import Final

from dpspin.boundary.account import Window
from dpspin.boundary.mechanisms import MECHANISMS
from dpspin.boundary.planner import Auto
from dpspin.boundary.privacy import Adjacency, Everyone, Mass, PoissonSample, Prevalence, PrivacyLoss
from dpspin.errors import RequestError

KINDS: Final[dict[str, tuple[type, ...]]] = {
    "mechanism": (*MECHANISMS, Auto, NoneType),
    "adjacency": (Adjacency,),
    "quantity": (Mass, Prevalence),
    "sampling": (Everyone, PoissonSample),
    "dataset": (str, NoneType),
    "snapshot": (str,),
    "budget": (PrivacyLoss, NoneType),
    "window": (Window, NoneType),
}


def require_kinds(**values: object) -> None:
    """Refuse values of another kind than their name takes, and words that no file could hold.

    >>> require_kinds(snapshot="2024", adjacency="add_drop")
    Traceback (most recent call last):
    dpspin.errors.RequestError: adjacency must be of the kind Adjacency, not a str
    """
    for name, value in values.items():
        require_kind(name, value, *KINDS[name])
        if isinstance(value, str) and any(unicodedata.category(letter) == "Cs" for letter in value):
            raise RequestError(f"{name} must be text: it holds half a character (a lone surrogate)")


def require_kind(name: str, value: object, *kinds: type) -> None:
    """Refuse a value that is of none of the kinds."""
    if not isinstance(value, kinds):
        *most, last = [kind.__name__.replace("NoneType", "None") for kind in kinds]
        listed = f"{', '.join(most)} or {last}" if most else last
        raise RequestError(f"{name} must be of the kind {listed}, not a {type(value).__name__}")
