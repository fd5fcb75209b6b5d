"""Every error a user can meet, and the exit code it becomes.

    DpSpinError
    ├── InputError            2   what was handed over cannot be used
    │   ├── SourceError           a file, a format, a header or a column
    │   │   └── SourceAway    75  those who hold the records failed
    │   ├── RecordsRefused        rows that the chosen policy does not accept
    │   │   └── RecordsChanged 75 they changed while they were read
    │   ├── DictionaryError       an atom dictionary
    │   ├── PlanError             a plan file
    │   ├── RequestError          parameters that do not fit together
    │   ├── SigningError          a key, or a release that cannot be signed
    │   ├── MissingExtra          an optional package is not installed
    │   ├── EndpointError         a language model's server that does not answer (QuestionRefused: not this one)
    │   └── MissingModel          a model's files are not on this machine
    ├── BudgetRefused         3   the ledger says no
    ├── ApprovalRefused       3   nobody who may has approved it
    ├── LedgerError           2   the ledger cannot be used or trusted
    │   └── LedgerBusy        75  it cannot be reached, or another run is using it
    ├── BoundViolation        70  a contribution map broke its contract: a bug, not an input
    └── TemplateRefused       70  the verifier refused the template's own text: a bug, not an input
    NewLedger                 a warning: a ledger was made, and it knows of no earlier release
    ChangedReading            a warning: a sample was read otherwise after its release

75 means that the same command may succeed later, unchanged: nothing is charged twice.
A message says what happened, why, and what to do. It never carries record text, user ids or counts of private things.
"""

import shlex
import traceback
from pathlib import Path
from typing import ClassVar, Final

TRY_AGAIN: Final = 75  # EX_TEMPFAIL of sysexits.h
PLACES_TOLD: Final = 6


def where_unforeseen(error: Exception) -> str:
    """Say where an error that nobody foresaw came up, and not what it says."""
    called = traceback.extract_tb(error.__traceback__)
    ours = [at for at in called if Path(__file__).parent in Path(at.filename).parents]  # others' tell us little
    places = dict.fromkeys(f"{Path(at.filename).name}:{at.lineno}" for at in (*ours[-PLACES_TOLD:], *called[-1:]))
    return (
        f"{type(error).__name__} in {' '.join(places)}: nobody foresaw it. What it says is not shown, "
        "because it may quote a record. What was charged is stored, and is not charged again. Please report this line"
    )


def command_line(*words: str, **options: str) -> str:
    """Write a command that a person may type: a remedy that is no field of a request.

    >>> command_line("ledger", "init", dataset="my tickets", epsilon="TOTAL")
    "dpspin ledger init --dataset 'my tickets' --epsilon TOTAL"
    """
    told = (word for name, value in options.items() for word in (f"--{name.strip('_').replace('_', '-')}", value))
    return shlex.join(["dpspin", *words, *told])


class DpSpinError(Exception):
    """Base of all errors raised on purpose.

    ``code`` names what happened and stays the same when the words change; ``field`` names the field of a request.
    ``of_file`` marks what is wrong with a request file: whoever wrote it knows fields, and no options.
    """

    exit_code: ClassVar[int] = 70
    code: str = "bug"
    field: str | None = None
    of_file: bool = False

    def __init__(self, message: str = "", *, code: str | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.code, self.field = code or self.code, field or self.field


class InputError(DpSpinError):
    """Something the caller handed over cannot be used."""

    code = "input"
    exit_code = 2


class SourceError(InputError):
    """A data file, its format, its header or a named column."""

    code = "source"


class SourceAway(SourceError):
    """Those who hold the records failed, or cannot be reached; nothing was charged."""

    exit_code = TRY_AGAIN


class RecordsRefused(InputError):
    """The records break the policy the caller chose (strict rows, missing user ids, auxiliary overlap)."""

    code = "records-refused"


class RecordsChanged(RecordsRefused):
    """The records changed while they were being read; nothing was charged."""

    exit_code = TRY_AGAIN


class DictionaryError(InputError):
    """An atom dictionary that is malformed or ambiguous."""

    code = "dictionary"


class PlanError(InputError):
    """A plan file that is not a plan, or contradicts itself."""

    code = "plan"


class RequestError(InputError):
    """Release parameters that do not fit together."""

    code = "request"


class SigningError(InputError):
    """A key that cannot be used, or something that cannot be signed with it."""

    code = "signing"


class MissingExtra(InputError):
    """An optional part of the package is not installed."""

    code = "missing-extra"

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional package. Install it with: pip install 'dpspin[{extra}]'")


class EndpointError(InputError):
    """A language model's server that fails, is away, or does not understand what it is asked."""

    code = "endpoint"


class QuestionRefused(EndpointError):
    """A server that works, and turns down one question: it is too long, or filtered."""

    code = "question-refused"


class MissingModel(InputError):
    """The files of a model are not on this machine; nothing is downloaded behind the user's back."""

    code = "missing-model"

    def __init__(self, why: str, install: str) -> None:
        super().__init__(f"the embedding model cannot be read: {why}. Do this: {install}")


class BudgetRefused(DpSpinError):
    """The ledger refuses: the dataset's privacy budget does not cover the request."""

    code = "budget"
    exit_code = 3


class ApprovalRefused(DpSpinError):
    """The account demands an approval of exactly this request, and there is none that counts; nothing was charged."""

    code = "approval"
    exit_code = 3


class LedgerError(DpSpinError):
    """The ledger cannot be opened, is of an unknown version, or does not know the dataset."""

    code = "ledger"
    exit_code = 2


class LedgerBusy(LedgerError):
    """The ledger cannot be reached now, or another run is using it; what was charged is taken over by the next run."""

    exit_code = TRY_AGAIN


class BoundViolation(DpSpinError):
    """A contribution broke the bound on which the privacy proof rests."""

    code = "bound-violation"


class TemplateRefused(DpSpinError):
    """The verifier refused the text of last resort, so there is none that may be shown."""

    code = "template-refused"


class NewLedger(UserWarning):
    """A ledger was made where there was none: it knows of no earlier release, so every budget in it is full."""


class ChangedReading(UserWarning):
    """What was read of a sample is not what was released of it: the released numbers stay."""
