"""The controlled probe: one public atom that no real record is about, and synthetic records that express it.

The probe atom is in the dictionary before the release, and its records are in the target alone: what is measured is the
private admission of a known coordinate, not the discovery of a new one. At user level each probe record is written by
a user of its own, so that s is the number of protected units behind the probe, at either level.
"""

from typing import Final

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse

LABEL: Final = "synthetic probe zeppelin ballast"
PROBE_RECORDS: Final = (
    "Synthetic probe: the zeppelin ballast.",
    "About zeppelin ballast, a synthetic probe.",
    "Zeppelin ballast again; synthetic probe zeppelin ballast.",
    "Synthetic probe zeppelin ballast, and ballast of that zeppelin.",
    "This synthetic probe is of zeppelin ballast.",
)
SUPPORTS: Final = (0, 5, 10, 20, 50, 100, 200)


def with_probe(universe: AtomUniverse) -> AtomUniverse:
    """Return the dictionary with the probe atom at its end, so that ties go to the others."""
    probe = Atom(id=AtomId(max(universe.ids) + 1), label=LABEL, description="a controlled probe of the lab")
    return universe.model_copy(update={"name": f"{universe.name}-probe", "atoms": (*universe.atoms, probe)})


def probe_position(universe: AtomUniverse) -> int:
    """Return the coordinate of the probe atom."""
    return next(place for place, atom in enumerate(universe.atoms) if atom.label == LABEL)


def has_probe(universe: AtomUniverse) -> bool:
    """Tell whether a dictionary has the probe atom."""
    return any(atom.label == LABEL for atom in universe.atoms)
