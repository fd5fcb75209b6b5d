"""Pairs of plans that can be compared: of one dictionary, measured in the same way, with noise of their own."""

from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st

from dpspin.boundary.mechanisms import Gaussian, Laplace
from dpspin.boundary.noise_laws import GaussianNoise
from dpspin.boundary.postprocess import denominator_at, released_in
from dpspin.boundary.privacy import EVERYONE, PrivacyLoss
from dpspin.boundary.read_plan import read_noise, reading_of
from dpspin.public.narrate.facts import Facts
from random_plans import plans

STEPS = st.sampled_from((0.0, 0.3, -4.0, 12.0, -60.0, 250.0, 900.0))


def is_comparable(plan):
    """Tell whether what shares refer to is known well enough for half of the chance of error."""
    return plan.has_shares and denominator_at(plan, plan.rules.beta / 2).is_known


def measured_again(plan, universe, by, **changes):
    """Return the plan of another release: every value moved by so much, and the statement changed."""
    noisy = released_in(plan, universe.ids)
    steps = iter(by)
    beside = {
        name: None if getattr(noisy, name) is None else getattr(noisy, name) + next(steps)
        for name in ("none", "not_read")
    }
    moved = replace(noisy, masses=[mass + next(steps) for mass in noisy.masses], **beside)
    statement = plan.statement.model_copy(update=changes)
    return read_noise(moved, statement, universe, reading_of(plan), software="dpspin test")


@st.composite
def pairs(draw, *, read=None):
    """Return what is known of the change between two plans, by one mechanism or by two."""
    released = draw(plans(read=read))
    plan, universe = released.plan, released.universe
    assume(plan.statement.sampling == EVERYONE and plan.has_shares)
    by = draw(st.lists(STEPS, min_size=universe.size + 2, max_size=universe.size + 2))
    other = {"mechanism": Gaussian(), "loss": PrivacyLoss(1.0, 1e-6), "noise": GaussianNoise(sigma=5.0)}
    changes = other if isinstance(plan.statement.mechanism, Laplace) and draw(st.booleans()) else {}
    after = measured_again(plan, universe, by, **changes)
    assume(all(is_comparable(each) for each in (plan, after)) and released_in(after) != released_in(plan))
    return Facts(after, universe, plan)
