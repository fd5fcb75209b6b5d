"""From true texts to mutated cases: as many of each kind as asked for, spread over plans, modes and phrasings."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial

from dpspin.lab.datasets.chance import chance_of, pick
from dpspin.lab.verifier.cases import Case, CaseSet, written_cases
from dpspin.lab.verifier.kinds import IN_AUDIT_MODE, KINDS, TRUE
from dpspin.lab.verifier.mutations.edits import EDITS, Edit
from dpspin.lab.verifier.mutations.sentences import planted, wordings
from dpspin.lab.verifier.mutations.summary import Summary
from dpspin.lab.verifier.phrasings import PHRASINGS
from dpspin.lab.verifier.plans import benchmark_plans
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.verifier import verify

PER_KIND = 60
_TRIES = 40  # per case: not every text has a table, and few have a comparison


def mutations_of(kind: str) -> tuple[Edit, ...]:
    """Return the ways to plant a kind: edits of the text itself, and a sentence of its own where there are wordings."""
    sentences = (partial(planted, kind),) if kind in wordings() else ()
    return (*EDITS.get(kind, ()), *sentences)


def true_cases(seed: int) -> Iterator[Case]:
    """Write each plan in each mode and phrasing, by code. A plan without themes has only the template's texts."""
    for name, (plan, _) in benchmark_plans().items():
        for mode in Mode:
            for phrasing, write in PHRASINGS.items():
                if plan.entries or phrasing.startswith("template"):
                    text = write(plan, mode, chance_of(seed, name, mode, phrasing))
                    yield Case(
                        id=f"{name}, {mode}, {phrasing}", plan=name, mode=mode, verdict="accept", kind=TRUE, text=text
                    )


def mutated_cases(seed: int, per_kind: int = PER_KIND) -> Iterator[Case]:
    """Plant every kind into true texts that are accepted: where the text itself is refused, refusal proves nothing."""
    accepted = (*_accepted(true_cases(seed)), *_accepted_development())
    for kind in KINDS:
        fitting = [each for each in accepted if each.mode is Mode.AUDIT or kind not in IN_AUDIT_MODE]
        yield from _of_kind(kind, fitting, seed, per_kind)


def _of_kind(kind: str, summaries: Sequence[Summary], seed: int, wanted: int) -> Iterator[Case]:
    chance, seen = chance_of(seed, kind), set[str]()
    for _ in range(wanted * _TRIES):
        summary, mutation = pick(summaries, chance), pick(mutations_of(kind), chance)
        text = mutation(summary, chance)
        if text is not None and text != summary.text and text not in seen:
            seen.add(text)
            yield Case(
                id=f"{kind}-{len(seen)}", plan=summary.name, mode=summary.mode, verdict="reject", kind=kind, text=text
            )
        if len(seen) == wanted:
            return


@cache
def _accepted_development() -> tuple[Summary, ...]:
    return tuple(_accepted(case for case in written_cases(CaseSet.DEVELOPMENT) if case.is_true))


def _accepted(cases: Iterable[Case]) -> Iterator[Summary]:
    for case in cases:
        plan, atoms = benchmark_plans()[case.plan]
        if verify(plan, case.text, case.mode, atoms).accepted:
            yield Summary(case.plan, plan, atoms, case.mode, case.text)
