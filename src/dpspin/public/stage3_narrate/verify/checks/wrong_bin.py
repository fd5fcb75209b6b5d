"""``wrong-bin``: a support bin given to an atom must be its released bin, or a public coarsening that contains it."""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.check import entries_named, named
from dpspin.public.stage3_narrate.verify.items import BIN
from dpspin.public.stage3_narrate.verify.statements import BinOrder, InBins, SameBin, Unexplained
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "wrong-bin"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report atoms that are placed in a bin the plan does not give them."""
    for statement in text.statements:
        match statement:
            case InBins():
                yield from _misplaced(statement, plan)
                if statement.only:
                    yield from _not_alone(statement, plan)
            case SameBin(span=span, atoms=atoms, denied=denied) if _share(atoms, plan) == denied:
                yield Violation(rule=RULE, message="Give each of these themes its own released bin.", span=span)
            case BinOrder(span=span, higher=higher, lower=lower) if not _is_higher(higher, lower, plan):
                yield Violation(
                    rule=RULE, message="The released bins are not ordered so: give each theme its own.", span=span
                )
            case Unexplained(span=span, kind=kind, text=words) if kind in {BIN, "same_bin"}:
                message = f"It is not clear which theme is {words!r}: name the theme and give its support bin."
                yield Violation(rule=RULE, message=message, span=span)
            case _:
                pass


def _share(atoms: tuple[int, ...], plan: SemanticPlan) -> bool:
    return len({entry.bin for entry in entries_named(atoms, plan)}) == 1


def _is_higher(higher: tuple[int, ...], lower: tuple[int, ...], plan: SemanticPlan) -> bool:
    place = {support_bin.name: index for index, support_bin in enumerate(plan.rules.bins)}
    above, below = entries_named(higher, plan), entries_named(lower, plan)
    return bool(above and below) and max(place[e.bin] for e in above) < min(place[e.bin] for e in below)


def _misplaced(claim: InBins, plan: SemanticPlan) -> Iterator[Violation]:
    for entry in entries_named(claim.atoms, plan):
        if (entry.bin in claim.bins) == claim.denied:
            message = f"The released support bin of {named(entry)} is {entry.bin}: say {entry.bin} support."
            yield Violation(rule=RULE, message=message, span=claim.span)


def _not_alone(claim: InBins, plan: SemanticPlan) -> Iterator[Violation]:
    others = [entry for entry in plan.entries if entry.bin in claim.bins and entry.atom_id not in claim.atoms]
    if others:
        message = f"{named(others[0])} is in this bin too: do not say 'only'."
        yield Violation(rule=RULE, message=message, span=claim.span)
