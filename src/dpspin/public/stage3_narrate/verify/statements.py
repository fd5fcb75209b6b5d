"""What a text says, read out of it: each statement is judged by the check that knows its kind."""

from dataclasses import dataclass
from enum import Enum

from dpspin.public.stage3_narrate.verify.quantities import Quantity
from dpspin.public.stage3_narrate.verify.verdict import Span


@dataclass(frozen=True, slots=True)
class InBins:
    """These themes have the support of one of these bins; or, denied, of none of them."""

    span: Span
    atoms: tuple[int, ...]
    bins: frozenset[str]
    denied: bool = False
    only: bool = False  # and no other listed theme


@dataclass(frozen=True, slots=True)
class SameBin:
    """These themes are in one bin; or, denied, are not."""

    span: Span
    atoms: tuple[int, ...]
    denied: bool = False


@dataclass(frozen=True, slots=True)
class BinOrder:
    """Each of the first is in a higher bin than each of the second."""

    span: Span
    higher: tuple[int, ...]
    lower: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """Each of the first has more support than each of the second; or, denied, has not."""

    span: Span
    higher: tuple[int, ...]
    lower: tuple[int, ...]
    denied: bool = False
    skipping: bool = False  # "B is next", though the text has not named the theme before it


@dataclass(frozen=True, slots=True)
class Extreme:
    """These themes are the highest (or lowest) of ``among``; None stands for the whole plan."""

    span: Span
    atoms: tuple[int, ...]
    high: bool
    among: tuple[int, ...] | None = None
    beyond: bool = False  # of more than the plan: "of all topics", "in the reviews"
    loosely: bool = False  # "among the highest"
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """A theme has a released rank."""

    span: Span
    atoms: tuple[int, ...]
    rank: int
    by_support: bool = False  # "second-highest support" is an order, "rank 2" a released field
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Inseparable:
    """These themes cannot be told apart."""

    span: Span
    atoms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sorted:
    """These themes are named in the order of their released masses; or, by support, of what the plan supports."""

    span: Span
    atoms: tuple[int, ...]
    by_support: bool = False


@dataclass(frozen=True, slots=True)
class Certain:
    """The order of these themes is certain."""

    span: Span
    atoms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Equal:
    """These themes are alike: no noisy plan can say so."""

    span: Span


@dataclass(frozen=True, slots=True)
class Clear:
    """These themes stand clear of the noise, or do not."""

    span: Span
    atoms: tuple[int, ...]
    up: bool
    only: bool = False  # and no other listed theme


@dataclass(frozen=True, slots=True)
class Beside:
    """A theme's share lies above or below its public baseline."""

    span: Span
    atoms: tuple[int, ...]
    above: bool
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """A number that is said of themes: one of their released values, or, together, a sum of them."""

    span: Span
    atoms: tuple[int, ...]
    number: Quantity
    other: Quantity | None = None  # the upper end of an interval
    percent: bool = False  # by the column's heading
    together: bool = False


class Scope(Enum):
    """What a plain number of themes counts."""

    LISTED = "listed"
    DICTIONARY = "dictionary"
    ASKED = "asked"
    UNLISTED = "unlisted"
    BINS = "bins"
    EACH_BIN = "each bin"


@dataclass(frozen=True, slots=True)
class Constant:
    """A number that its words bind to a parameter of the plan: it has one of these values."""

    span: Span
    number: Quantity
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """A number of themes: of those in a bin, of those that stand clear, of those listed."""

    span: Span
    number: Quantity
    bins: frozenset[str] | None = None
    clear: bool | None = None
    scope: Scope = Scope.LISTED
    listed_here: tuple[int, ...] = ()  # the themes that the sentence itself names for this number
    partial: bool = False  # "two of them", not all
    said_of_them: bool = False  # "they are two themes of the dictionary"
    rest: int | None = None  # how many listed themes were not named yet, where the number is of the others


@dataclass(frozen=True, slots=True)
class Onlyness:
    """These themes, and no others, are listed."""

    span: Span
    atoms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NoTheme:
    """No theme is listed, or none stands clear."""

    span: Span
    clear: bool = False


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A claim phrase that could not be bound to anything: what it says is not known, so it is refused."""

    span: Span
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Public:
    """A phrase that was found to be public text, and needs no judgement."""

    span: Span


Statement = (
    InBins
    | SameBin
    | BinOrder
    | Order
    | Extreme
    | Ranked
    | Inseparable
    | Sorted
    | Certain
    | Equal
    | Clear
    | Beside
    | Value
    | Constant
    | Counted
    | Onlyness
    | NoTheme
    | Unexplained
    | Public
)
