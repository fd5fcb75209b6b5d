"""What questions to a language model will take, reckoned from the first ones, which are asked anyway and timed."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil

from dpspin.llm.question import Price, Usage


@dataclass(frozen=True, slots=True)
class Cost:
    """What some questions take."""

    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.usage + other.usage, self.seconds + other.seconds)

    def times(self, count: int) -> "Cost":
        """Return what so many of them take."""
        calls, asked, answered = self.usage.calls, self.usage.prompt_tokens, self.usage.answer_tokens
        return Cost(Usage(count * calls, count * asked, count * answered), count * self.seconds)

    def each(self, count: int) -> "Cost":
        """Return what one of so many took on average; of none, nothing."""
        count = max(1, count)
        usage = Usage(1, ceil(self.usage.prompt_tokens / count), ceil(self.usage.answer_tokens / count))
        return Cost(usage, self.seconds / count)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is asked for, and what it will take at the least and at the most."""

    what: str
    least: Cost
    most: Cost

    def lines(self, price: Price | None) -> Iterator[str]:
        """Say it."""
        low, high = self.least, self.most
        yield (
            f"{self.what}, {low.usage.calls:,} to {high.usage.calls:,} questions: "
            f"{_thousands(low.usage.prompt_tokens)} to {_thousands(high.usage.prompt_tokens)} thousand tokens in, "
            f"{_thousands(low.usage.answer_tokens)} to {_thousands(high.usage.answer_tokens)} thousand out"
        )
        yield (
            f"{low.seconds / 60:.0f} to {high.seconds / 60:.0f} minutes, one question after the other (the first ones "
            "were timed; what was answered before is not asked again)"
        )
        if price is not None:
            yield f"{low.usage.cost(price):.2f} to {high.usage.cost(price):.2f} at these prices"


def _thousands(tokens: int) -> str:
    return f"{tokens / 1000:,.0f}"
