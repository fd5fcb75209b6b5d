"""What a period costs is never said of itself: the loss is that of all periods of a life together."""

import pytest

from dpspin.public.narrate.claims.release import LifetimeLossOf, PrivacyLossOf
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.verify import Status, check_sentence
from period_plans import IN_SERIES
from shop_plans import SHOP, USERS, stated

TRUE = "For each user, all periods of this life of the series together cost epsilon 4 and delta 0."
OF_ONE = "For each user, this release costs epsilon 1 and delta 0."


def accepted(plan, sentence):
    language = Language(Facts(plan, SHOP), Mode.DISPLAY)
    return all(check_sentence(each, language).status is Status.VERIFIED for each in language.read(sentence))


def test_the_loss_of_a_life_is_said_of_its_periods_and_of_nothing_else():
    assert LifetimeLossOf().filled(Facts(IN_SERIES, SHOP)).holds(Facts(IN_SERIES, SHOP))
    assert not PrivacyLossOf().filled(Facts(IN_SERIES, SHOP)).holds(Facts(IN_SERIES, SHOP))
    assert not LifetimeLossOf().filled(Facts(USERS, SHOP)).holds(Facts(USERS, SHOP))
    assert accepted(IN_SERIES, TRUE)
    assert accepted(USERS, OF_ONE)


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (IN_SERIES, OF_ONE.replace("1", "4")),
        (IN_SERIES, OF_ONE),
        (IN_SERIES, OF_ONE.replace("1", "0.67")),  # a sixth of it, as if periods shared it evenly
        (IN_SERIES, TRUE.replace("4", "3.6")),
        (IN_SERIES, TRUE.replace("4", "2")),
        (IN_SERIES, TRUE.replace("user", "record")),
        (IN_SERIES, TRUE.replace("delta 0", "delta 0.1")),
        (IN_SERIES, TRUE.replace("all periods", "each period")),
        (USERS, TRUE.replace("4", "1")),
        (stated(IN_SERIES, randomness="SIMULATED-NOT-PRIVATE"), TRUE),
    ],
)
def test_false_sentences_about_the_loss_do_not_pass(plan, sentence):
    assert not accepted(plan, sentence)
