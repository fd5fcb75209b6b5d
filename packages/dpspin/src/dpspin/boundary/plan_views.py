"""A plan at a glance: in one line, and as a table in a notebook. Hostile words are only words in both."""

from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN
from html import escape
from typing import TYPE_CHECKING, Final

from dpspin.boundary.percentages import decimals_of, outward, rounded
from dpspin.boundary.printable import printable
from dpspin.boundary.wholes import has_shares

if TYPE_CHECKING:
    from dpspin.boundary.plan_fields import PlanEntry, PlanFields, Uncovered

HEADINGS: Final = ("rank", "theme", "share", "without the privacy noise", "", "support")
UNKNOWN: Final = "unknown"  # a share of what may be noise alone
NAMED, LONGEST = 3, 40  # themes of the short form, and characters of each
BAR: Final = "height:0.8em;background:#4477aa"
LEFT: Final = ' style="text-align:left"'


def one_line(words: str) -> str:
    r"""Show words of others in one line.

    >>> one_line("a\nb\u202e")
    'a b\\u202e'
    """
    return " ".join(printable(words).split())


def percent(plan: "PlanFields", share: float) -> str:
    """Write a share with the decimals that the noise allows."""
    return f"{rounded(share, decimals_of(plan), ROUND_HALF_EVEN):,f}%" if has_shares(plan) else UNKNOWN


def interval_words(plan: "PlanFields", value: "PlanEntry | Uncovered") -> str:
    """Write the interval of a share."""
    low, high = outward(value.support_low, value.support_high, decimals_of(plan))
    return f"{low:,f}% to {high:,f}%" if has_shares(plan) else UNKNOWN


def protection_words(plan: "PlanFields") -> str:
    """Say whom a release protects and how much, or that it protects nobody."""
    if not plan.is_private:
        return f"{plan.statement.randomness}: the numbers are simulated and protect nobody"
    loss = plan.statement.loss
    delta = f", delta {loss.delta:g}" if loss.delta else ""
    return f"protects each {plan.statement.unit.kind} with epsilon {loss.epsilon:g}{delta}"


def name_of(plan: "PlanFields") -> str:
    """Return the title, or where there is none the name of the dictionary."""
    return one_line(plan.title) or one_line(plan.dictionary.name)


def short_form(plan: "PlanFields") -> Iterator[tuple[str, object]]:
    """Yield what the short form of a plan shows, by name."""
    if not plan.is_private:
        yield "randomness", str(plan.statement.randomness)
    yield "title", name_of(plan)
    yield "epsilon", plan.statement.loss.epsilon
    yield "unit", plan.statement.unit.kind
    yield "listed", len(plan.entries)
    named = [f"{one_line(each.label)[:LONGEST]} {percent(plan, each.support)}" for each in plan.entries[:NAMED]]
    yield "themes", ", ".join([*named, "…"] if len(plan.entries) > NAMED else named)


def html_table(plan: "PlanFields") -> str:
    """Return the values as a table with shares, intervals and bars; what is no theme comes first."""
    beside = (("not in a language that the map reads", plan.not_read), ("none of these", plan.uncovered))
    rows = [_row(plan, "", name, value, "") for name, value in beside if value is not None]
    rows += [_row(plan, str(each.rank), each.label, each, each.bin) for each in plan.entries]
    head = "".join(f"<th{LEFT}>{name}</th>" for name in HEADINGS)
    caption = escape(f"{name_of(plan)} ({protection_words(plan)})")
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _row(plan: "PlanFields", rank: str, name: str, value: "PlanEntry | Uncovered", support: str) -> str:
    longest = max(each.support for each in (*plan.entries, plan.not_read, plan.uncovered) if each is not None)
    width = round(10 * value.support / longest, 2) if longest else 0
    bar = f'<div style="{BAR};width:{width:g}em"></div>'
    words = (rank, one_line(name), percent(plan, value.support), interval_words(plan, value))
    cells = [escape(each) for each in words] + [bar, escape(one_line(support))]
    return f"<tr>{''.join(f'<td{LEFT}>{cell}</td>' for cell in cells)}</tr>"
