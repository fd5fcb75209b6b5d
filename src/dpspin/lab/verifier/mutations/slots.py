"""What the wordings' slots are filled with: drawn from the plan so that the finished sentence is false.

A slot belongs to a group that is drawn together. ``{higher}`` and ``{lower}`` are a pair whose order the plan supports,
so “{lower} has higher support than {higher}” is false for every plan. A group that a plan cannot fill gives None.
"""

from collections.abc import Callable, Mapping
from itertools import permutations
from string import Formatter

from dpspin.boundary.plan import PlanEntry
from dpspin.boundary.privacy import RecordUnit
from dpspin.lab.datasets.chance import Chance, pick
from dpspin.lab.verifier.mutations.figures import wrong_number, wrong_whole
from dpspin.lab.verifier.mutations.summary import Summary, is_above
from dpspin.lab.verifier.mutations.synonyms import INVENTED, synonyms_of
from dpspin.lab.verifier.words import in_words, ordinal

Drawn = Mapping[str, str] | None
_FRACTIONS = {"half": 1 / 2, "a third": 1 / 3, "a quarter": 1 / 4, "two thirds": 2 / 3, "three quarters": 3 / 4}
_FAR = 0.06  # of the denominator: no rounding makes a support a fraction that is this far away
_EPSILONS = ("0.01", "0.7", "3", "5", "8")  # none is a rounding of another plan's
_OTHER_NOISE = {"laplace": "Gaussian", "gaussian": "Laplace"}


def filled(wording: str, summary: Summary, chance: Chance) -> str | None:
    """Fill all slots of a wording, or return None where the plan has nothing to fill them with."""
    needed = {name for _, name, _, _ in Formatter().parse(wording) if name}
    values: dict[str, str] = {}
    for names, draw in GROUPS.items():
        if needed & set(names.split()):
            drawn = draw(summary, chance)
            if drawn is None:
                return None
            values.update(drawn)
    return _capital(wording.format_map(values))


def _capital(sentence: str) -> str:
    """Begin with a capital where the first word is a plain lower-case one: “iOS” and markdown stay.

    >>> _capital("long wait has low support."), _capital("iOS 17 crash leads.")
    ('Long wait has low support.', 'iOS 17 crash leads.')
    """
    first = sentence.split(maxsplit=1)[0]
    return sentence[0].upper() + sentence[1:] if first.islower() else sentence


def _theme(summary: Summary, chance: Chance) -> Drawn:
    if not summary.entries:
        return None
    entry = pick(summary.entries, chance)
    others = [each.name for each in summary.plan.rules.bins if each.name != entry.bin]
    plan, percent = summary.plan, 100 * entry.support
    far = [word for word, part in _FRACTIONS.items() if abs(part - entry.support) > _FAR]
    ranks = [rank for rank in range(1, len(summary.entries) + 1) if rank != entry.rank]
    return {
        "theme": summary.named(entry, chance),
        "label": entry.label,
        "bin": entry.bin,
        "other_bin": pick(others, chance),
        "wrong_mass": f"{wrong_number(plan, entry.noisy_mass, chance):.1f}",
        "wrong_mass_words": in_words(wrong_whole(plan, entry.noisy_mass, chance)),
        "wrong_percent": f"{wrong_number(plan, percent, chance):.1f}",
        "wrong_percent_words": in_words(wrong_whole(plan, percent, chance)),
        "fraction": pick(far, chance),
        "wrong_ordinal": ordinal(pick(ranks, chance)) if ranks else "second",
        "wrong_rank": str(pick(ranks, chance)) if ranks else "2",
        "mass": f"{entry.noisy_mass:.0f}",
        "percent": f"{percent:.1f}",
    }


def _ordered(summary: Summary, chance: Chance) -> Drawn:
    pairs = [pair for pair in permutations(summary.entries, 2) if is_above(summary.plan, *pair)]
    return _pair(("higher", "lower"), pairs, summary, chance)


def _doubled(summary: Summary, chance: Chance) -> Drawn:
    """Draw a pair of which neither is near the other, its double or its triple."""
    pairs = [
        (big, small)
        for big, small in permutations(summary.entries, 2)
        if all(abs(big.noisy_mass / small.noisy_mass - times) > times / 5 for times in (1 / 3, 1 / 2, 1, 2, 3))
    ]
    return _pair(("big", "small"), pairs, summary, chance)


def _close(summary: Summary, chance: Chance) -> Drawn:
    plan = summary.plan
    pairs = [
        (a, b) for a, b in permutations(summary.entries, 2) if not is_above(plan, a, b) and not is_above(plan, b, a)
    ]
    return _pair(("a", "b"), pairs, summary, chance)


def _mates(summary: Summary, chance: Chance) -> Drawn:
    pairs = [(one, mate) for one, mate in permutations(summary.entries, 2) if one.bin == mate.bin]
    return _pair(("one", "mate"), pairs, summary, chance, shared="shared_bin")


def _mixed(summary: Summary, chance: Chance) -> Drawn:
    pairs = [(one, other) for one, other in permutations(summary.entries, 2) if one.bin != other.bin]
    return _pair(("insider", "outsider"), pairs, summary, chance, shared="insider_bin")


def _pair(
    names: tuple[str, str],
    pairs: list[tuple[PlanEntry, PlanEntry]],
    summary: Summary,
    chance: Chance,
    shared: str = "_",
) -> Drawn:
    if not pairs:
        return None
    pair = pick(pairs, chance)
    return {shared: pair[0].bin, **{name: summary.named(e, chance) for name, e in zip(names, pair, strict=True)}}


def _not_first(summary: Summary, chance: Chance) -> Drawn:
    later = summary.entries[1:]
    last = summary.entries[-1:]
    if not later or later[0].noisy_mass == summary.entries[0].noisy_mass:
        return None
    return {
        "top": summary.named(summary.entries[0], chance),
        "not_top": summary.named(pick(later, chance), chance),
        "not_last": summary.named(pick(summary.entries[:-1], chance), chance),
        "last": summary.named(last[0], chance),
    }


def _not_second(summary: Summary, chance: Chance) -> Drawn:
    others = [entry for entry in summary.entries if entry.rank > 2]  # noqa: PLR2004  neither first nor second
    return {"not_second": summary.named(pick(others, chance), chance)} if others else None


def _clear(summary: Summary, chance: Chance) -> Drawn:
    clear = [entry for entry in summary.entries if entry.clears_noise]
    return {"clear": summary.named(pick(clear, chance), chance)} if clear else None


def _bins(summary: Summary, chance: Chance) -> Drawn:
    """Draw a bin that some themes have and others have not; and one that most have not."""
    held = [entry.bin for entry in summary.entries]
    some = sorted({name for name in held if held.count(name) < len(held)})
    rare = [name for name in some if 2 * held.count(name) < len(held)]
    if not rare:
        return None
    counted = pick(some, chance)
    wrong = [number for number in range(1, len(held) + 3) if abs(number - held.count(counted)) in (1, 2)]
    return {
        "some_bin": pick(some, chance),
        "rare_bin": pick(rare, chance),
        "counted_bin": counted,
        "wrong_bin_count": in_words(pick([number for number in wrong if number > 1], chance)),
    }


def _counts(summary: Summary, chance: Chance) -> Drawn:
    right = (len(summary.entries), summary.plan.dictionary.size)
    wrong = [number for number in range(2, 15) if number not in right and abs(number - right[0]) <= 3]  # noqa: PLR2004
    number = pick(wrong, chance)
    return {"wrong_count": in_words(number), "wrong_count_digits": str(number)}


def _hidden(summary: Summary, chance: Chance) -> Drawn:
    return {"hidden": summary.named(pick(summary.hidden, chance), chance)} if summary.hidden else None


def _synonym(summary: Summary, chance: Chance) -> Drawn:
    return {"synonym": pick(synonyms_of(summary.name), chance), "invented": pick(INVENTED, chance)}


def _parameters(summary: Summary, chance: Chance) -> Drawn:
    plan = summary.plan
    epsilons = [text for text in _EPSILONS if float(text) != plan.statement.loss.epsilon]
    by_record = isinstance(plan.statement.unit, RecordUnit)
    return {
        "wrong_epsilon": pick(epsilons, chance),
        "wrong_denominator": str(int(plan.denominator.value * pick((0.5, 1.2, 2, 10), chance))),
        "wrong_mechanism": _OTHER_NOISE[plan.statement.noise.kind],
        "wrong_unit": "user" if by_record else "record",
        "wrong_confidence": pick(("80", "90", "99"), chance),
        "wrong_dictionary": str(plan.dictionary.size + pick((-2, 3, 11), chance)),
        "wrong_size": str(plan.rules.size + pick((1, 2, 5), chance)),
    }


GROUPS: dict[str, Callable[[Summary, Chance], Drawn]] = {
    "theme label bin other_bin wrong_mass wrong_mass_words wrong_percent wrong_percent_words fraction wrong_ordinal "
    "wrong_rank mass percent": _theme,
    "higher lower": _ordered,
    "big small": _doubled,
    "a b": _close,
    "one mate shared_bin": _mates,
    "insider outsider insider_bin": _mixed,
    "top not_top not_last last": _not_first,
    "not_second": _not_second,
    "clear": _clear,
    "some_bin rare_bin counted_bin wrong_bin_count": _bins,
    "wrong_count wrong_count_digits": _counts,
    "hidden": _hidden,
    "synonym invented": _synonym,
    "wrong_epsilon wrong_denominator wrong_mechanism wrong_unit wrong_confidence wrong_dictionary "
    "wrong_size": _parameters,
}


def slot_names() -> set[str]:
    """Return every slot that a wording may use."""
    return {name for names in GROUPS for name in names.split()}
