"""Which of two summaries is better, asked blindly: the private plan's or the reference's.

The judge sees the non-private plan, which is exact. So it must be on this machine, whatever the summaries are.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from dpspin.boundary.model_base import Sealed, explained_as
from dpspin.errors import InputError
from dpspin.llm.chat import Chat
from dpspin.public.narrate.decoders.prompts import plan_lines
from dpspin_lab.judge.answers import BlindChoice, asked
from dpspin_lab.judge.case import Basis, require_here
from dpspin_lab.judge.prompts import choosing_prompt
from dpspin_lab.metrics.preference import Choice
from dpspin_lab.reference import ReferencePlan


class Pair(Sealed):
    """The paper's P_NP in words for the judge, Y_DP and Y_NP; ``name`` tells runs apart and is not shown."""

    name: str
    reference_plan: str
    dp: str
    np: str


class Preference(Sealed):
    """The unblinded answer to one pair; no choice where none could be read."""

    private: bool = False  # the reference is exact
    name: str
    judge: str
    dp_shown_first: bool
    choice: Choice | None
    rationale: str


def pair_of(plan: ReferencePlan, *, name: str, dp: str, np: str) -> Pair:
    """Put a reference plan beside the two summaries."""
    return Pair(name=name, reference_plan="\n".join(plan_lines(plan.entries)), dp=dp, np=np)


def read_pairs(source: Path) -> tuple[Pair, ...]:
    """Read a JSONL file of pairs."""
    try:
        lines = source.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError(f"cannot read {source.name!r} as a text file") from None
    with explained_as(InputError, f"a pair in {source.name!r}"):
        return tuple(Pair.model_validate_json(line) for line in lines if line.strip())


def balanced_order(count: int, seed: int) -> tuple[bool, ...]:
    """Say for each pair whether the private summary is shown first: for half of them, drawn by the seed.

    Judges favour a place, and the first at that; this cancels it out. Of an odd number one more is shown first, or
    second, by the seed as well.

    >>> sum(balanced_order(10, seed=3)), balanced_order(10, seed=3) == balanced_order(10, seed=4)
    (5, False)
    """
    rng = np.random.default_rng(seed)
    first = np.arange(count) % 2 == rng.integers(2)
    return tuple(bool(flag) for flag in rng.permutation(first))


def preferences(pairs: Sequence[Pair], chat: Chat, seed: int) -> Iterator[Preference]:
    """Ask about one pair after the other, in balanced order."""
    require_here(Basis.EXACT, chat)
    for pair, dp_first in zip(pairs, balanced_order(len(pairs), seed), strict=True):
        shown = (pair.dp, pair.np) if dp_first else (pair.np, pair.dp)
        answer = asked(chat, choosing_prompt(pair.reference_plan, *shown), BlindChoice)
        yield Preference(
            name=pair.name,
            judge=chat.endpoint.model,
            dp_shown_first=dp_first,
            choice=None if answer is None else unblinded(answer, dp_first=dp_first),
            rationale="" if answer is None else answer.rationale,
        )


def unblinded(answer: BlindChoice, *, dp_first: bool) -> Choice:
    """Translate a letter back.

    >>> letter_a = BlindChoice(choice="A", rationale="")
    >>> unblinded(letter_a, dp_first=True).value, unblinded(letter_a, dp_first=False).value
    ('DP', 'NP')
    """
    if answer.choice == "tie":
        return Choice.TIE
    return Choice.DP if (answer.choice == "A") == dp_first else Choice.NP
