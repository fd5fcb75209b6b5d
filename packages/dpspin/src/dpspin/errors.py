"""Every error a user can meet, and the exit code it becomes.

    DpSpinError
    ├── InputError            2   what was handed over cannot be used
    │   ├── SourceError           a file, a format, a header or a column
    │   ├── RecordsRefused        rows that the chosen policy does not accept
    │   ├── DictionaryError       an atom dictionary
    │   ├── PlanError             a plan file
    │   ├── RequestError          parameters that do not fit together
    │   ├── MissingExtra          an optional package is not installed
    │   ├── EndpointError         a language model's server that does not answer (QuestionRefused: not this one)
    │   └── MissingModel          a model's files are not on this machine
    ├── BudgetRefused         3   the ledger says no
    ├── LedgerError           2   the ledger cannot be used or trusted
    ├── BoundViolation        70  a contribution map broke its contract: a bug, not an input
    └── TemplateRefused       70  the verifier refused the template's own text: a bug, not an input
    NewLedger                 a warning: a ledger was made, and it knows of no earlier release

A message says what happened, why, and what to do. It never carries record text, user ids or counts of private things.
"""

from typing import ClassVar


class DpSpinError(Exception):
    """Base of all errors raised on purpose."""

    exit_code: ClassVar[int] = 70


class InputError(DpSpinError):
    """Something the caller handed over cannot be used."""

    exit_code = 2


class SourceError(InputError):
    """A data file, its format, its header or a named column."""


class RecordsRefused(InputError):
    """The records break the policy the caller chose (strict rows, missing user ids, auxiliary overlap)."""


class DictionaryError(InputError):
    """An atom dictionary that is malformed or ambiguous."""


class PlanError(InputError):
    """A plan file that is not a plan, or contradicts itself."""


class RequestError(InputError):
    """Release parameters that do not fit together."""


class MissingExtra(InputError):
    """An optional part of the package is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional package. Install it with: pip install 'dpspin[{extra}]'")


class EndpointError(InputError):
    """A language model's server that fails, is away, or does not understand what it is asked."""


class QuestionRefused(EndpointError):
    """A server that works, and turns down one question: it is too long, or filtered."""


class MissingModel(InputError):
    """The files of a model are not on this machine; nothing is downloaded behind the user's back."""

    def __init__(self, why: str, install: str) -> None:
        super().__init__(f"the embedding model cannot be read: {why}. Do this: {install}")


class BudgetRefused(DpSpinError):
    """The ledger refuses: the dataset's privacy budget does not cover the request."""

    exit_code = 3


class LedgerError(DpSpinError):
    """The ledger cannot be opened, is of an unknown version, or does not know the dataset."""

    exit_code = 2


class BoundViolation(DpSpinError):
    """A contribution broke the bound on which the privacy proof rests."""


class TemplateRefused(DpSpinError):
    """The verifier refused the text of last resort, so there is none that may be shown."""


class NewLedger(UserWarning):
    """A ledger was made where there was none: it knows of no earlier release, so every budget in it is full."""
