"""The short form of the audit from the file on: exactly for every reader, unit and fault, with two releases each.

The exact part draws nothing, so it raises no false alarm; of the readers without an order, four readings of each
neighbour are compared. Two releases cannot refute anything: they show that the whole way is gone.
"""

import pytest

from dpspin.audit.cases import DRAWS_PER_RELEASE, broken_passages, shipped_passages
from dpspin.audit.trial import Effort

pytestmark = pytest.mark.statistical

CAUGHT_BY_RELEASES = [passage for passage in broken_passages() if passage.with_releases]


def named(passage):
    fault = f"{passage.broken.fault}: " if passage.broken else ""
    return f"{fault}{passage.reader.name} {passage.unit.kind}"


@pytest.mark.parametrize("passage", [*shipped_passages(), *broken_passages()], ids=named)
def test_every_reader_stands_and_every_broken_one_falls(passage):
    assert passage.tried(Effort(pilot=1, releases=2 * DRAWS_PER_RELEASE)).as_it_should_be


@pytest.mark.long
@pytest.mark.parametrize("passage", CAUGHT_BY_RELEASES, ids=named)
def test_releases_alone_show_every_fault(passage):
    """A bound is above the truth with a chance of 2e-8; the sums are 20 noise scales apart, so none is missed."""
    found = passage.tried(Effort(pilot=1, releases=64 * DRAWS_PER_RELEASE))
    assert found.outcome.bound > 1
