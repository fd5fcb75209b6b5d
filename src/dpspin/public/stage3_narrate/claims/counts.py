"""Claims that count themes: how many are listed, stand clear of the noise, or share a bin."""

from dataclasses import dataclass

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.claims.naming import Naming, dictionary_words


@dataclass(frozen=True, slots=True)
class Listed:
    """How many themes of the dictionary are listed, and how many of them stand clear of the noise."""

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask for listed themes."""
        return bool(plan.entries)

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Count them."""
        listed, clear = len(plan.entries), sum(entry.clears_noise for entry in plan.entries)
        if listed < min(plan.rules.size, plan.dictionary.size):  # nothing was cut off: it speaks for the dictionary
            return f"Of {dictionary_words(plan)}, {_stand_clear(clear)}."
        return f"The plan lists {_part_of_dictionary(plan)}, and {_outcome(listed, clear)}."


@dataclass(frozen=True, slots=True)
class CountInBin:
    """How many of the listed themes are in a bin."""

    bin: str

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask for such a bin, and for listed themes."""
        return bool(plan.entries) and self.bin in {support_bin.name for support_bin in plan.rules.bins}

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Count them."""
        count = sum(entry.bin == self.bin for entry in plan.entries)
        return f"{count:,} {'theme has' if count == 1 else 'themes have'} {self.bin} support."


@dataclass(frozen=True, slots=True)
class NothingClear:
    """No theme is listed, because none stands clear of the noise."""

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask for an empty plan."""
        return not plan.entries

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Say so."""
        one = plan.dictionary.size == 1
        none = "No theme of the public dictionary" if one else f"Of {dictionary_words(plan)}, none"
        return f"{none} stands clear of the noise, so no theme is listed."


def _outcome(listed: int, clear: int) -> str:
    if listed == 1:
        return f"it {'stands' if clear else 'does not stand'} clear of the noise"
    if clear == 0:
        return "none of these stands clear of the noise"
    return "all of these stand clear of the noise" if clear == listed else f"of these {_stand_clear(clear)}"


def _stand_clear(clear: int) -> str:
    return f"{clear:,} {'stands' if clear == 1 else 'stand'} clear of the noise"


def _part_of_dictionary(plan: SemanticPlan) -> str:
    listed, size = len(plan.entries), plan.dictionary.size
    if listed < size:
        return f"{listed:,} of {dictionary_words(plan)}"
    return "the only theme of the public dictionary" if size == 1 else f"all {size:,} themes of the public dictionary"
