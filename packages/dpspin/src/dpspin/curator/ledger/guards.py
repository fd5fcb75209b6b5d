"""The rules that the database itself keeps, so that they also bind a program that writes without this package.

A rule is a condition in SQL that every database here understands; how it becomes a trigger is each database's matter.
"""

from typing import NamedTuple

OF_CHARGES = ("dpspin_ledger", "scope", "budget_change", "entry", "resumption", "output", "declaration", "link")
OF_PERIODS = ("period", "period_run", "period_output")
OF_APPROVALS = ("officers", "filing", "verdict")
TABLES = (*OF_CHARGES, *OF_PERIODS, *OF_APPROVALS)

# The one definition of an account's total that the triggers use. Windows of a dataset are disjoint sets of records, so
# the largest counts; a population is people, who may have records in several windows, so there everything adds up.
VIEWS = (
    """
    CREATE VIEW spent_by_part AS
    SELECT scope_id, part, sum(epsilon_nano) AS epsilon_nano, sum(delta_atto) AS delta_atto, sum(rho_nano) AS rho_nano
    FROM entry GROUP BY scope_id, part
    """,
    """
    CREATE VIEW spent AS
    SELECT scope_id, sum(epsilon_nano) AS epsilon_nano, sum(delta_atto) AS delta_atto, sum(rho_nano) AS rho_nano
    FROM (
        SELECT scope_id, epsilon_nano, delta_atto, rho_nano FROM spent_by_part WHERE part IS NULL
        UNION ALL
        SELECT scope_id, max(epsilon_nano), max(delta_atto), max(rho_nano)
        FROM spent_by_part WHERE part IS NOT NULL GROUP BY scope_id
        UNION ALL
        SELECT member.population_id, entry.epsilon_nano, entry.delta_atto, entry.rho_nano
        FROM entry JOIN scope AS member ON member.id = entry.scope_id WHERE member.population_id IS NOT NULL
    ) AS share GROUP BY scope_id
    """,
    """
    CREATE VIEW overspent AS
    SELECT scope.id FROM spent JOIN scope ON scope.id = spent.scope_id
    LEFT JOIN (SELECT scope_id, max(id) AS id FROM budget_change GROUP BY scope_id) AS newest
        ON newest.scope_id = scope.id
    LEFT JOIN budget_change AS cap ON cap.id = newest.id
    WHERE (scope.currency = 'rho' AND spent.rho_nano > coalesce(cap.rho_nano, -1))
       OR (scope.currency = 'epsilon' AND (spent.epsilon_nano > coalesce(cap.epsilon_nano, -1)
                                           OR spent.delta_atto > coalesce(cap.delta_atto, -1)))
    """,
)

# Who may approve now, and the newest verdict of each payer's officers on a request. A key is in a list of keys where
# the list without it is another one: keys are of one length.
VIEWS_OF_APPROVALS = (
    """
    CREATE VIEW officers_now AS
    SELECT officers.scope_id, officers.keys
    FROM officers JOIN (SELECT scope_id, max(id) AS id FROM officers GROUP BY scope_id) AS newest
        ON newest.id = officers.id
    WHERE officers.keys <> ''
    """,
    """
    CREATE VIEW verdict_now AS
    SELECT officers_now.scope_id AS payer_id, filing.scope_id, filing.fingerprint, max(verdict.id) AS id
    FROM verdict JOIN filing ON filing.id = verdict.filing_id
    JOIN officers_now ON replace(officers_now.keys, verdict.key, '') <> officers_now.keys
    GROUP BY officers_now.scope_id, filing.scope_id, filing.fingerprint
    """,
)


class Guard(NamedTuple):
    """Refuse a change of a table at a moment (``BEFORE INSERT``) if the condition holds."""

    name: str
    moment: str
    table: str
    refusal: str
    condition: str


_NEWEST_OF_RUN = "(SELECT coalesce(max(attempt), 1) FROM resumption WHERE entry_id = NEW.entry_id)"
_NEWEST_OF_OUTPUT = "(SELECT coalesce(max(attempt), 1) FROM resumption WHERE entry_id = NEW.id)"
_NO_ENTRY = "NOT EXISTS (SELECT 1 FROM entry WHERE id = NEW.id)"
_HAS_OUTPUT = "EXISTS (SELECT 1 FROM output WHERE id = NEW.entry_id)"

_NEWEST_OF_PERIOD = "(SELECT coalesce(max(attempt), 1) FROM period_run WHERE period_id = NEW.{key})"
_NO_LIFE = (
    "NOT EXISTS (SELECT 1 FROM entry JOIN output ON output.id = entry.id"
    " WHERE entry.id = NEW.entry_id AND entry.mechanism = 'laplace in a series')"
)
_NEXT_GENERATION = "(SELECT coalesce(max(generation), 0) + 1 FROM period WHERE entry_id = NEW.entry_id)"
_LATER_PERIOD = "EXISTS (SELECT 1 FROM period WHERE entry_id = NEW.entry_id AND name >= NEW.name)"
_PERIOD_HAS_OUTPUT = "EXISTS (SELECT 1 FROM period_output WHERE id = NEW.period_id)"
_NO_PERIOD = "NOT EXISTS (SELECT 1 FROM period WHERE id = NEW.id)"

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

_NOT_APPROVED = (
    "EXISTS (SELECT 1 FROM officers_now"
    " WHERE officers_now.scope_id IN (NEW.scope_id, (SELECT population_id FROM scope WHERE id = NEW.scope_id))"
    " AND NOT EXISTS (SELECT 1 FROM verdict_now JOIN verdict ON verdict.id = verdict_now.id"
    " JOIN filing ON filing.id = verdict.filing_id"
    " WHERE verdict_now.payer_id = officers_now.scope_id AND verdict_now.scope_id = NEW.scope_id"
    " AND verdict_now.fingerprint = NEW.fingerprint AND verdict.decision = 'approved' AND verdict.key <> filing.key"
    " AND verdict.day <= NEW.day AND verdict.expires >= NEW.day))"
)
_NO_OFFICER_OF_IT = (
    "NOT EXISTS (SELECT 1 FROM filing JOIN scope ON scope.id = filing.scope_id"
    " JOIN officers_now ON officers_now.scope_id IN (scope.id, scope.population_id)"
    " WHERE filing.id = NEW.filing_id AND filing.key <> NEW.key"
    " AND replace(officers_now.keys, NEW.key, '') <> officers_now.keys)"
)
_NOT_BY_AN_OFFICER = (
    "EXISTS (SELECT 1 FROM officers_now WHERE officers_now.scope_id = NEW.scope_id"
    " AND (NEW.signer IS NULL OR replace(officers_now.keys, NEW.signer, '') = officers_now.keys))"
)

GUARDS = (
    Guard(
        "one_version",
        "BEFORE INSERT",
        "dpspin_ledger",
        "a ledger has one version",
        "EXISTS (SELECT 1 FROM dpspin_ledger)",
    ),
    Guard(
        "population_is_one",
        "BEFORE INSERT",
        "scope",
        "a dataset belongs to a population",
        "NEW.population_id IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM scope WHERE id = NEW.population_id AND kind = 'population')",
    ),
    Guard(
        "entry_fits_its_account",
        "BEFORE INSERT",
        "entry",
        "a charge goes to a dataset, and a window to a declared partition",
        "NOT EXISTS (SELECT 1 FROM scope WHERE id = NEW.scope_id AND kind = 'dataset'"
        " AND (NEW.part IS NULL OR partition IS NOT NULL))",
    ),
    Guard(
        "entry_is_of_one_kind",
        "BEFORE INSERT",
        "entry",
        "an account adds up losses about the same neighbours only",
        f"{_DECLARED_OTHERWISE} OR {_CHARGED_OTHERWISE}",
    ),
    Guard(
        "entry_names_its_users",
        "BEFORE INSERT",
        "entry",
        "a charge about users names the column that its account declares",
        f"(NEW.unit = 'user' AND NOT {_COLUMN_IS_KNOWN}) OR (NEW.unit <> 'user' AND NEW.user_column IS NOT NULL)",
    ),
    Guard(
        "entry_is_affordable", "AFTER INSERT", "entry", "the charge exceeds the cap", "EXISTS (SELECT 1 FROM overspent)"
    ),
    Guard(
        "entry_is_approved",
        "BEFORE INSERT",
        "entry",
        "the account demands an approval of this request, and there is none that counts",
        _NOT_APPROVED,
    ),
    Guard(
        "verdict_is_of_another",
        "BEFORE INSERT",
        "verdict",
        "a request is decided by an officer of the account, other than the one who asks",
        _NO_OFFICER_OF_IT,
    ),
    Guard(
        "officers_are_changed_by_one",
        "BEFORE INSERT",
        "officers",
        "who may approve is changed by one who may",
        _NOT_BY_AN_OFFICER,
    ),
    Guard(
        "cap_covers_what_is_spent",
        "AFTER INSERT",
        "budget_change",
        "the cap is below what is spent",
        "EXISTS (SELECT 1 FROM overspent)",
    ),
    Guard(
        "resumption_is_the_next",
        "BEFORE INSERT",
        "resumption",
        "a run takes over from the newest, and not from one that has finished",
        f"NEW.attempt <> {_NEWEST_OF_RUN} + 1 OR {_HAS_OUTPUT}",
    ),
    Guard(
        "output_is_of_the_newest",
        "BEFORE INSERT",
        "output",
        "only the newest run of a charge may store its output",
        f"NEW.attempt <> {_NEWEST_OF_OUTPUT} OR {_NO_ENTRY}",
    ),
    Guard(
        "period_follows",
        "BEFORE INSERT",
        "period",
        "a period follows those before it, in a life that was paid for",
        f"{_NO_LIFE} OR NEW.generation <> {_NEXT_GENERATION} OR {_LATER_PERIOD}",
    ),
    Guard(
        "period_run_is_the_next",
        "BEFORE INSERT",
        "period_run",
        "a run takes over from the newest, and not from one that has finished",
        f"NEW.attempt <> {_NEWEST_OF_PERIOD.format(key='period_id')} + 1 OR {_PERIOD_HAS_OUTPUT}",
    ),
    Guard(
        "period_output_is_of_the_newest",
        "BEFORE INSERT",
        "period_output",
        "only the newest run of a period may store its output",
        f"NEW.attempt <> {_NEWEST_OF_PERIOD.format(key='id')} OR {_NO_PERIOD}",
    ),
    Guard(
        "link_is_the_next",
        "BEFORE INSERT",
        "link",
        "links are added at the end",
        "NEW.position <> (SELECT coalesce(max(position), 0) FROM link) + 1",
    ),
)
