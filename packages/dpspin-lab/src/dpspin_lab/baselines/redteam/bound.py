"""What differential privacy promises about guessing one of K equally likely secrets.

The bound holds whatever the guesser knows, and whatever the other records are, poisoned ones among them.

Let Q be the law of what is published without the person's record, and P_v the law with it where the secret is v. Under
add/drop each P_v and Q are neighbours. Q does not depend on the secret, so a guess from Q is right with chance 1/K.

*Lemma.* Let S_v be the event that v is guessed, and q_v = Q(S_v), so that Σ q_v <= 1. From P_v(S_v) <= e^ε q_v + δ the
mean over v is at most e^ε/K + δ. From Q(not S_v) <= e^ε P_v(not S_v) + δ, P_v(S_v) <= 1 - e^-ε (1 - q_v - δ), and the
mean is at most 1 - e^-ε (1 - 1/K - δ). Both hold; where δ = 0 the smaller one is attained, so no better bound exists.

The well-known e^ε/(e^ε + K - 1) is another thing: it is for an ε that holds when the secret is *replaced*. Add/drop at
ε gives replacement at 2ε only, and the bound that follows, e^2ε/(e^2ε + K - 1), is never better than the lemma's.
"""

import math

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.errors import RequestError


def by_the_prior(loss: PrivacyLoss, values: int) -> float:
    """Return e^ε times the prior, plus δ: the first half of the lemma.

    >>> [round(by_the_prior(PrivacyLoss(epsilon), 10), 3) for epsilon in (1.0, 4.0, 1000.0)]
    [0.272, 1.0, 1.0]
    """
    _require_values(values)
    likelier = math.exp(min(loss.epsilon, math.log(values)))  # beyond it the chance is one, and may be no number
    return min(1.0, likelier / values + loss.delta)


def at_most_guessed(loss: PrivacyLoss, values: int) -> float:
    """Return the smaller half of the lemma: it says something at every ε.

    >>> round(at_most_guessed(PrivacyLoss(1.0), 10), 3), round(at_most_guessed(PrivacyLoss(4.0), 10), 3)
    (0.272, 0.984)
    """
    prior = 1 / values
    return min(by_the_prior(loss, values), 1 - math.exp(-loss.epsilon) * max(0.0, 1 - prior - loss.delta))


def by_replacement(epsilon: float, values: int) -> float:
    """Return the bound for an ε that holds under replacement of the secret (and δ = 0).

    >>> round(by_replacement(2.0, 10), 3)
    0.451
    """
    _require_values(values)
    return 1 / (1 + (values - 1) * math.exp(-epsilon))


def _require_values(values: int) -> None:
    if values < 2:  # noqa: PLR2004  one value is no secret
        raise RequestError("a secret has at least two values")
