"""The promise in sentences: what a reader can learn of one unit, who is covered, and what has been spent so far.

Readers understand odds better than epsilon, so the headline is an odds sentence. For an epsilon guarantee no output
moves the odds between two neighbouring datasets by more than a factor e^eps; an even guess therefore ends at
e^eps/(1 + e^eps) at most. With a delta the odds themselves have no such limit: a rare output may say more, and more
often than with probability delta. What holds then is a limit on how often any guess is right:
(e^eps + delta)/(1 + e^eps).
"""

import math
from typing import assert_never

from dpspin.boundary.accounting import AccountStatement, Balance, EpsilonBalance, RhoBalance
from dpspin.boundary.grounding import loss_of_reading
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import (
    Adjacency,
    AnyQuantity,
    MissingUsers,
    Prevalence,
    PrivacyLoss,
    RecordUnit,
    UserUnit,
)
from dpspin.boundary.statement import MapStatement, PrivacyStatement, Separation
from dpspin.boundary.views import loss_of_view
from dpspin.public.wording.numbers import out_of, plain, plain_up, small
from dpspin.public.wording.of_a_series import THIS_REPORT, series_words
from dpspin.public.wording.texts_apart import TRUSTED, apart_words

WEAK = 0.95  # an even guess that may end above this is called weakly protected
LARGEST_EXPONENT = 700.0  # e^709 is the end of the floats


def even_guess_becomes(loss: PrivacyLoss) -> float:
    """Return (e^eps + delta)/(1 + e^eps): how often the best guess between two even cases can be right.

    >>> round(even_guess_becomes(PrivacyLoss(1.0)), 3)
    0.731
    """
    return (1 + loss.delta * math.exp(-loss.epsilon)) / (1 + math.exp(-loss.epsilon))


def odds_sentence(
    unit: RecordUnit | UserUnit, adjacency: Adjacency, loss: PrivacyLoss, after: str = THIS_REPORT
) -> str:
    """Say how much surer of one unit a reader can become, after reading all that the loss is of."""
    limit = out_of(even_guess_becomes(loss))
    if loss.delta:
        return (
            f"{_even_case(unit, adjacency)} With all of this report, no guess is right in more than {limit} such cases."
        )
    return f"{_even_case(unit, adjacency)} After reading {after}, that becomes at most {limit}."


def _even_case(unit: RecordUnit | UserUnit, adjacency: Adjacency) -> str:
    whole = "record" if isinstance(unit, RecordUnit) else "user, with all of their records,"
    match adjacency:
        case Adjacency.ADD_DROP:
            return f"Suppose someone is 50 of 100 sure that a given {whole} is in the collection."
        case Adjacency.REPLACE:
            pair = "records" if isinstance(unit, RecordUnit) else "users, each with all of their records,"
            return f"Suppose someone knows that one of two given {pair} was used, and is 50 of 100 sure which."
        case _:
            assert_never(adjacency)


def promises(plan: SemanticPlan) -> tuple[str, ...]:
    """Say what else the guarantee means: for whom, with which allowance, after which spending."""
    return promised(plan.statement, plan.account)


def promised(statement: PrivacyStatement, account: AccountStatement | None) -> tuple[str, ...]:
    """Say it of a statement alone, as it is known before a release; nobody has paid for that yet."""
    unit, loss = statement.unit, statement.loss
    factor = plain_up(math.exp(min(loss.epsilon, LARGEST_EXPONENT)))
    odds = (f"Whatever the odds were before, they change by a factor of at most {factor}.",) if not loss.delta else ()
    weak = ("At this epsilon the limit is weak.",) if even_guess_becomes(loss) > WEAK else ()
    trusts = statement.contribution_map.trusts
    return (
        *odds,
        *weak,
        _coverage(unit, statement.quantity),
        *_users(account),
        *_allowance(unit, loss),
        *((trusts,) if trusts else ()),
        *on_trust(statement),
        *((reading_words(statement),) if statement.grounding is not None else ()),
        *views_words(statement),
        *series_words(statement),
        *_window(account),
        *_state(account),
        *view_words(account),
        *spent_words(account),
    )


def reading_words(statement: PrivacyStatement) -> str:
    """Say what pays for a sample that was read, why so little of epsilon is enough, and what that takes for granted."""
    grounding = statement.grounding
    if grounding is None:
        return ""
    paid, rest = loss_of_reading(statement.loss, grounding), statement.loss_of_sketch.epsilon
    one = statement.unit.kind
    return (
        f"Of epsilon {plain(statement.loss.epsilon, 9)}, {plain_up(rest)} paid for what the map filed, and "
        f"{plain_up(paid)} for the reading of a sample. Each {one} was drawn into it with probability "
        f"{plain(grounding.rate)}, by a secret coin: a {one} that may not have been drawn is protected better, so for "
        f"the same noise less is paid than if everyone were read. This rests on the sample and its size staying "
        f"secret: whoever reads knows both, and is trusted like the curator. It also takes for granted that what is "
        f"read out of a record depends on that record alone."
    )


def views_words(statement: PrivacyStatement) -> tuple[str, ...]:
    """Say what each view paid, and why many cells cost no more than few."""
    if not statement.views:
        return ()
    paid = ", ".join(
        f"{plain_up(loss_of_view(statement.loss, view).epsilon)} for {view.facet.bought}" for view in statement.views
    )
    spent = f"Of epsilon {plain(statement.loss.epsilon, 9)}, {plain_up(statement.loss_of_sketch.epsilon)} paid for the"
    return (
        f"{spent} totals, and {paid}. One {statement.unit.kind} moves all cells of a view by no more than the totals.",
    )


def spent_words(account: AccountStatement | None) -> tuple[str, ...]:
    """Say what all releases together have cost so far, this one included: losses add up."""
    return () if account is None else tuple(_balance_words(balance) for balance in account.balances)


def _balance_words(balance: Balance) -> str:
    who = "This dataset has" if balance.scope == "dataset" else "The people in it have, over all their datasets,"
    match balance:
        case EpsilonBalance():
            delta = f", delta {small(balance.spent_delta)} of {small(balance.cap_delta)}" if balance.cap_delta else ""
            return (
                f"{who} now spent epsilon {plain(balance.spent_epsilon, 9)} of {plain(balance.cap_epsilon, 9)}{delta}."
            )
        case RhoBalance():
            total = f"rho {plain(balance.spent_rho, 9)} of {plain(balance.cap_rho, 9)}"
            return f"{who} now spent {total} (zero-concentrated differential privacy)."
        case _:
            assert_never(balance)


def _users(account: AccountStatement | None) -> tuple[str, ...]:
    """Say who one user is: the software goes by a column, and only the data's owner knows what it stands for."""
    if account is None or account.user_column is None:
        return ()
    return (f"One user means all records with the same value in the column {account.user_column!r}.",)


def _state(account: AccountStatement | None) -> tuple[str, ...]:
    """Say where the ledger took the data's owner at their word about which records these were."""
    if account is None or account.state is None:
        return ()
    known = f"The ledger knows these records by a declared name, {account.state!r}, and not by their content"
    return (f"{known}: that they are the ones of that name, and did not change while they were read, is on trust.",)


def view_words(account: AccountStatement | None) -> tuple[str, ...]:
    """Say where the data's owner was taken at their word about the rows of a view, and why that matters."""
    if account is None or account.view is None:
        return ()
    declared = "each of its rows comes from one row of one table, and no other row decides over it"
    view = (
        f"The records were read from a view, a table that is made of others, of which it was declared that {declared}"
    )
    why = "A join or a choice among rows inside of it would let one record count several times, or change what is seen"
    return (f"{view}. {why} of others: the promise takes the declaration on trust.",)


def _window(account: AccountStatement | None) -> tuple[str, ...]:
    if account is None or account.window is None:
        return ()
    part = f"Only records of one window were measured: those with {account.window.name} in {account.window.partition}."
    return (f"{part} A record is in one window, so of all windows only the one that spent most counts.",)


def _allowance(unit: RecordUnit | UserUnit, loss: PrivacyLoss) -> tuple[str, ...]:
    """Say what delta is; it is not the probability that the promise fails."""
    if not loss.delta:
        return ()
    allowance = f"Delta, here {small(loss.delta)}, is a small allowance added to every probability in the guarantee"
    return (f"{allowance}; it should be far below one over the number of {unit.kind}s.",)


def _coverage(unit: RecordUnit | UserUnit, quantity: AnyQuantity) -> str:
    match unit:
        case RecordUnit():
            return (
                "The promise is for any one record. A person who wrote several records is not fully covered: "
                "for two records together epsilon counts twice, for three it counts three times."
            )
        case UserUnit():
            return (
                f"The promise is for any one user, with all of their records. {_limit(unit, quantity)}"
                f"{_without_id(unit.missing)}"
            )
        case _:
            assert_never(unit)


def _limit(unit: UserUnit, quantity: AnyQuantity) -> str:
    if isinstance(quantity, Prevalence):
        return f"Together these count for at most {quantity.most_atoms} themes, once for each."
    return f"Together these count for a mass of at most {plain_up(unit.bound)}; what goes beyond it is scaled down."


def _without_id(missing: MissingUsers) -> str:
    match missing:
        case MissingUsers.REFUSE:
            return ""
        case MissingUsers.DROP:
            return " Records without a user id were left out."
        case MissingUsers.OWN_UNIT:
            return " Records without a user id are protected one by one: who left several of them is not fully covered."
        case _:
            assert_never(missing)


OWN_MAP = (
    "The map was supplied by whoever asked for this release. That it looks at each record alone was tested on a sample "
    "of the records, not proven; its digest, and whatever else it says of itself, is its own word: the promise takes "
    "that on trust."
)


def map_text_words(statement: PrivacyStatement) -> str:
    """Say how the map's text is known to be apart from the records; numbers about labelled text stand in the plan."""
    card, stated = statement.contribution_map.card, statement.separation
    tolerated = stated.tolerated.published if card is not None and card.real_text else stated.tolerated.unpublished
    return apart_words(stated.map_text, tolerated)


def dictionary_text_words(statement: PrivacyStatement) -> str:
    """Say how the dictionary's text is known to be apart from the records; the dictionary itself is published."""
    return apart_words(statement.separation.dictionary_text, statement.separation.tolerated.published)


def maker_words(contribution_map: MapStatement) -> str:
    """Say whose map it is."""
    return "dpspin" if contribution_map.made_by is None else "whoever asked for this release"


def on_trust(statement: PrivacyStatement) -> tuple[str, ...]:
    """Say on whose words the promise rests: nobody has checked them."""
    own = statement.contribution_map.made_by == "caller"
    return (*((OWN_MAP,) if own else ()), *separation_words(statement.separation))


def separation_words(separation: Separation) -> tuple[str, ...]:
    """Say of which texts it was only declared or named that they are apart from the records."""
    texts = {"map": separation.map_text, "dictionary": separation.dictionary_text}
    return tuple(TRUSTED[stated].format(name=name) for name, stated in texts.items() if stated in TRUSTED)
