"""The rules that the database itself keeps, so that they also bind a program that writes without this package.

A rule is a condition in SQL that every database here understands; how it becomes a trigger is each database's matter.
"""

from dataclasses import dataclass

TABLES = ("dpspin_ledger", "scope", "budget_change", "entry", "resumption", "output", "declaration", "link")


@dataclass(frozen=True, slots=True)
class Guard:
    """Refuse a new row of a table if the condition holds, before or after it is there."""

    name: str
    moment: str
    table: str
    refusal: str
    condition: str


_NEWEST_OF_RUN = "(SELECT coalesce(max(attempt), 1) FROM resumption WHERE entry_id = NEW.entry_id)"
_NEWEST_OF_OUTPUT = "(SELECT coalesce(max(attempt), 1) FROM resumption WHERE entry_id = NEW.id)"
_NO_ENTRY = "NOT EXISTS (SELECT 1 FROM entry WHERE id = NEW.id)"
_HAS_OUTPUT = "EXISTS (SELECT 1 FROM output WHERE id = NEW.entry_id)"

_DECLARED_OTHERWISE = (
    "EXISTS (SELECT 1 FROM scope AS payer WHERE"
    " payer.id IN (NEW.scope_id, (SELECT population_id FROM scope WHERE id = NEW.scope_id))"
    " AND (payer.unit <> NEW.unit OR payer.adjacency <> NEW.adjacency))"
)
_CHARGED_OTHERWISE = (
    "EXISTS (SELECT 1 FROM entry AS earlier JOIN scope AS member ON member.id = earlier.scope_id"
    " WHERE (member.id = NEW.scope_id"
    " OR member.population_id = (SELECT population_id FROM scope WHERE id = NEW.scope_id))"
    " AND (earlier.unit <> NEW.unit OR earlier.adjacency <> NEW.adjacency))"
)
_COLUMN_IS_KNOWN = (
    "EXISTS (SELECT 1 FROM declaration JOIN scope AS payer ON payer.name = declaration.dataset"
    " WHERE payer.id = NEW.scope_id AND payer.kind = 'dataset'"
    " AND declaration.subject = 'user_column' AND declaration.value = NEW.user_column)"
)

GUARDS = (
    Guard(
        "one_version",
        "BEFORE",
        "dpspin_ledger",
        "a ledger has one version",
        "EXISTS (SELECT 1 FROM dpspin_ledger)",
    ),
    Guard(
        "population_is_one",
        "BEFORE",
        "scope",
        "a dataset belongs to a population",
        "NEW.population_id IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM scope WHERE id = NEW.population_id AND kind = 'population')",
    ),
    Guard(
        "entry_fits_its_account",
        "BEFORE",
        "entry",
        "a charge goes to a dataset, and a window to a declared partition",
        "NOT EXISTS (SELECT 1 FROM scope WHERE id = NEW.scope_id AND kind = 'dataset'"
        " AND (NEW.part IS NULL OR partition IS NOT NULL))",
    ),
    Guard(
        "entry_is_of_one_kind",
        "BEFORE",
        "entry",
        "an account adds up losses about the same neighbours only",
        f"{_DECLARED_OTHERWISE} OR {_CHARGED_OTHERWISE}",
    ),
    Guard(
        "entry_names_its_users",
        "BEFORE",
        "entry",
        "a charge about users names the column that its account declares",
        f"(NEW.unit = 'user' AND NOT {_COLUMN_IS_KNOWN}) OR (NEW.unit <> 'user' AND NEW.user_column IS NOT NULL)",
    ),
    Guard(
        "entry_is_affordable",
        "AFTER",
        "entry",
        "the charge exceeds the cap",
        "EXISTS (SELECT 1 FROM overspent)",
    ),
    Guard(
        "cap_covers_what_is_spent",
        "AFTER",
        "budget_change",
        "the cap is below what is spent",
        "EXISTS (SELECT 1 FROM overspent)",
    ),
    Guard(
        "resumption_is_the_next",
        "BEFORE",
        "resumption",
        "a run takes over from the newest, and not from one that has finished",
        f"NEW.attempt <> {_NEWEST_OF_RUN} + 1 OR {_HAS_OUTPUT}",
    ),
    Guard(
        "output_is_of_the_newest",
        "BEFORE",
        "output",
        "only the newest run of a charge may store its output",
        f"NEW.attempt <> {_NEWEST_OF_OUTPUT} OR {_NO_ENTRY}",
    ),
    Guard(
        "link_is_the_next",
        "BEFORE",
        "link",
        "links are added at the end",
        "NEW.position <> (SELECT coalesce(max(position), 0) FROM link) + 1",
    ),
)
