"""Ready dictionaries, written by us, so that a first run needs nothing but the records."""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from dpspin.boundary.atoms import AtomUniverse
from dpspin.errors import DictionaryError
from dpspin.public.atoms.files import load as load_file

SUFFIX = ".yaml"


def names() -> tuple[str, ...]:
    """Return the names of all packs.

    >>> "support-tickets" in names()
    True
    """
    found = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in found if name.endswith(SUFFIX)))


@cache
def load(name: str) -> AtomUniverse:
    """Return the pack of that name.

    >>> load("support-tickets").size
    54
    """
    if name not in names():
        raise DictionaryError(
            f"there is no pack {name!r}. The packs are: {', '.join(names())}; a dictionary of your own is a file "
            "(.yaml, .json or .txt)"
        )
    with as_file(files(__name__) / f"{name}{SUFFIX}") as path:
        return load_file(path)


def load_named(name_or_path: str) -> AtomUniverse:
    """Return a ready pack by its name, or the dictionary in a file."""
    path = Path(name_or_path)
    is_file = name_or_path not in names() and (path.suffix or path.exists())
    return load_file(path) if is_file else load(name_or_path)
