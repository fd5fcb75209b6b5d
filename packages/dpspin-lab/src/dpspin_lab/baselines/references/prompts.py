"""The paper's prompts for its non-private baselines in our own words; for clustering it prints none."""

from collections.abc import Iterable, Sequence

_TASK = "Describe in a short aggregate summary which themes come back in"
_RULES = (
    "Speak of themes that many of them share, never of a single one.",
    "Quote nothing.",
    "Leave out names, identifiers, addresses, dates and whatever else belongs to one record.",
    "Describe no single user, reviewer, business or organisation.",
    "Write one short paragraph; at most three short bullets may follow it.",
)


def sample_prompt(what: str, heading: str, records: Sequence[str]) -> str:
    """Ask for a summary of records that are shown."""
    listed = (f"- {' '.join(record.split())}" for record in records)
    return _prompt(f"The input is a bounded sample of {what}. {_TASK} these records.", heading, listed)


def cluster_prompt(lines: Sequence[str]) -> str:
    """Ask for a summary of groups of records, of which only sizes and telling terms are shown."""
    opening = f"The input lists groups of similar records: a size and the telling terms of each. {_TASK} these groups."
    return _prompt(opening, "Groups:", (f"- {line}" for line in lines))


def _prompt(opening: str, heading: str, lines: Iterable[str]) -> str:
    rules = (f"{number}. {rule}" for number, rule in enumerate(_RULES, 1))
    return "\n".join((opening, "\nRules:", *rules, f"\n{heading}", *lines))
