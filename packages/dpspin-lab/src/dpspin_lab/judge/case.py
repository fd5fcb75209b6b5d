"""What is judged: one text beside the one object that its writer was given."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from pydantic import Field

from dpspin.boundary.lab_place import PLAN_OF_A_RUN
from dpspin.boundary.model_base import Sealed, explained_as
from dpspin.boundary.plan import SemanticPlan
from dpspin.errors import InputError, RequestError
from dpspin.llm.chat import Chat
from dpspin.public.narrate.decoders.prompts import plan_lines

_PLANS = (PLAN_OF_A_RUN, "plan.json")  # of a run, and of a release
_SUMMARY = "summary.txt"


class Basis(StrEnum):
    """What stands behind a released object, and so where it may be sent."""

    RELEASED = "released"  # by a private mechanism: it may go anywhere
    SIMULATED = "simulated"  # by the lab, with noise that is not secret, from public or generated records
    EXACT = "exact"  # a reference without noise, or records: it does not leave this machine


class Case(Sealed):
    """One text, and all that its judge is told."""

    dataset: str
    method: str
    decoder_input: str
    released_object_type: str
    mechanism: str
    epsilon: float | None = Field(gt=0)
    protected_unit: str
    protected_units: int = Field(ge=1)
    released_object: str
    summary: str
    basis: Basis


def case_of_plan(plan: SemanticPlan, summary: str, *, dataset: str, method: str = "DP-SPIN") -> Case:
    """Put a plan's entries and its public statement beside a text; the number of units is the public denominator."""
    statement = plan.statement
    return Case(
        dataset=dataset,
        method=method,
        decoder_input="the semantic plan and public instructions",
        released_object_type="semantic plan",
        mechanism=statement.mechanism.kind,
        epsilon=statement.loss.epsilon,
        protected_unit=statement.unit.kind,
        protected_units=max(1, round(plan.denominator.value)),
        released_object="\n".join(released_lines(plan)),
        summary=summary,
        basis=Basis.RELEASED if plan.is_private else Basis.SIMULATED,
    )


def released_lines(plan: SemanticPlan) -> Iterator[str]:
    """Write what a plan says, with all that its text may speak of: a judge would take the rest for invented."""
    yield (
        f"{len(plan.entries)} of the {plan.dictionary.size:,} themes of a public dictionary are listed, the largest "
        f"noisy mass first. Support is mass over the denominator, {plan.denominator.value:,.0f}. All intervals hold "
        f"together with {1 - plan.rules.beta:.0%} confidence. Of two masses that are less than "
        f"{plan.rules.comparison_margin:.1f} apart neither can be called larger."
    )
    for line, entry in zip(plan_lines(plan.entries), plan.entries, strict=True):
        interval = f"{entry.support_low:.1%} to {entry.support_high:.1%}"
        clear = "yes" if entry.clears_noise else "no"
        yield f"{line} | support={entry.support:.1%} | interval={interval} | clear of the noise={clear}"


def read_cases(source: Path) -> tuple[Case, ...]:
    """Read a JSONL file of cases; or the folder of a release or a run, which is one."""
    if source.is_dir():
        return (_case_in(source),)
    with explained_as(InputError, f"a case in {source.name!r}"):
        return tuple(Case.model_validate_json(line) for line in _text(source).splitlines() if line.strip())


def require_here(basis: Basis, chat: Chat) -> None:
    """Refuse to send exact data to another machine."""
    if basis is Basis.EXACT and not chat.client.is_here:
        raise RequestError("exact data do not leave this machine: serve the judge on 127.0.0.1")


def _case_in(folder: Path) -> Case:
    plan_file = next((folder / name for name in _PLANS if (folder / name).is_file()), None)
    if plan_file is None:
        raise InputError(f"{folder.name!r} holds no plan: name the folder of a release or of a run")
    plan = SemanticPlan.from_json(_text(plan_file))
    return case_of_plan(plan, _text(folder / _SUMMARY), dataset=plan.title or plan.dictionary.name)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"cannot read {path.name!r} as a text file") from None
