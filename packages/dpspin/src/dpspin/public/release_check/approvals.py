"""Whether the approvals of a release are of this very release: their terms are held against its numbers."""

from collections.abc import Iterator

from dpspin.boundary.approval import ApprovedRequest, FiledRequest
from dpspin.boundary.manifest import Manifest
from dpspin.boundary.phrases import PhraseRelease
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.release_check.findings import Finding, Holds, NotChecked, Wrong
from dpspin.public.release_check.remade import Data

OF_PHRASES = "phrases"  # the mechanism that the terms of such a request name


def check_approvals(manifest: Manifest, data: Data) -> Iterator[Finding]:
    """Check the approvals that a manifest carries, and say what nobody can tell from them."""
    approved = manifest.approved
    if approved is None:
        yield NotChecked("whether anybody approved it: it carries no approval")
        return
    wrong = tuple(wrong_approvals(approved, data))
    yield from map(Wrong, wrong)
    if approved.released > manifest.day:
        yield Wrong(f"it was signed on {manifest.day}, before the day of the release that its approvals are for")
    if not wrong:
        by = ", ".join(f"{each.by.name} ({each.by.fingerprint})" for each in approved.approvals)
        yield Holds(f"it was approved, with keys in the name of {by}, and that counted on {approved.released}")
        yield NotChecked("who holds the keys of those approvals, and whether they may approve: ask for fingerprints")
        yield NotChecked(f"that it was released on {approved.released}: this is the curator's word")
    if data.plan is not None and data.phrases is not None:
        other = "plan" if approved.terms.mechanism == OF_PHRASES else "phrases"
        yield NotChecked(f"whether anybody approved the {other}, which were released by a request of their own")


def wrong_approvals(approved: ApprovedRequest, data: Data) -> Iterator[str]:
    """Yield what is wrong with approvals, in themselves and beside the released numbers."""
    yield from approved.contradictions()
    released = data.phrases if approved.terms.mechanism == OF_PHRASES else data.plan
    if released is None:
        yield "something else was approved than what is released here"
    else:
        stated = _stated(released)
        told = {what: value for what, value in _terms(approved.terms).items() if what in stated}
        yield from (f"another {what} was approved than is stated" for what in told if told[what] != stated[what])


def _terms(terms: FiledRequest) -> dict[str, object]:
    return {
        "loss": (terms.epsilon, terms.delta),
        "protected unit": terms.unit,
        "adjacency": terms.adjacency,
        "mechanism": terms.mechanism.partition(" ")[0],  # “laplace with a count” is laplace
        "dictionary": terms.dictionary,
        "map": terms.map,
    }


def _stated(released: SemanticPlan | PhraseRelease) -> dict[str, object]:
    """Say what a plan or phrases state of what an officer approves."""
    if isinstance(released, PhraseRelease):
        loss, unit = released.terms.loss, released.terms.unit
        return {"loss": (loss.epsilon, loss.delta), "protected unit": unit}
    stated = released.statement
    return {
        "loss": (stated.loss.epsilon, stated.loss.delta),
        "protected unit": stated.unit.kind,
        "adjacency": stated.adjacency,
        "mechanism": stated.mechanism.kind,
        "dictionary": released.dictionary.digest,
        "map": stated.contribution_map.digest,
    }
