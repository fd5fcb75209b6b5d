"""All that the lab reads is public or generated, and its plans say that of the texts behind map and dictionary."""

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.privacy import MapStatement
from dpspin.boundary.separation import Separation, separation_of


def declared_public(universe: AtomUniverse, contribution_map: MapStatement) -> Separation:
    """Declare public what was read to build the dictionary and to fit the map, where anything was."""
    read, learned = universe.provenance.needs_comparison, contribution_map.learned_from_auxiliary
    return separation_of(behind_map=learned, map_is_public=learned, behind_dictionary=read, dictionary_is_public=read)
