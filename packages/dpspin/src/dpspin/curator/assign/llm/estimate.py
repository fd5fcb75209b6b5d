"""What a run will take, before the first record is sent. For the curator's own terminal: it tells how many records."""

from dataclasses import dataclass

from dpspin.llm.usage import Price, Usage

CHARACTERS_PER_TOKEN = 4.0  # of English text, about


@dataclass(frozen=True, slots=True)
class Trial:
    """Averages per call over a few public texts of the dictionary."""

    characters: float
    prompt_tokens: float
    answer_tokens: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls, tokens, time and cost of a run: as private as the number of records."""

    calls: int
    prompt_tokens: int
    answer_tokens: int
    seconds: float
    cost: float | None

    def times(self, rate: float) -> "Estimate":
        """Return what a sample at this rate takes, on average."""
        calls, read, written = (round(rate * part) for part in (self.calls, self.prompt_tokens, self.answer_tokens))
        return Estimate(calls, read, written, rate * self.seconds, None if self.cost is None else rate * self.cost)

    def __repr__(self) -> str:
        return "Estimate(<private>)"

    def __str__(self) -> str:
        """One line for the terminal."""
        cost = "" if self.cost is None else f", cost {self.cost:.2f}"
        tokens = f"{self.prompt_tokens:,} tokens to read and {self.answer_tokens:,} to write"
        return f"about {self.calls:,} calls, {tokens}, {_duration(self.seconds)}{cost}"


def estimate(calls: int, trial: Trial, *, characters: float | None = None, price: Price | None = None) -> Estimate:
    """Scale a trial up to ``calls`` texts of ``characters`` each on average (unknown: as long as the trial's).

    >>> print(estimate(2000, Trial(100, 400, 12, 0.5), characters=500, price=Price(prompt=0.5, answer=2.0)))
    about 2,000 calls, 1,000,000 tokens to read and 24,000 to write, 21 min, cost 0.55
    """
    longer = 0.0 if characters is None else (characters - trial.characters) / CHARACTERS_PER_TOKEN
    prompt = max(trial.prompt_tokens + longer, 0.0)
    slower = (prompt + trial.answer_tokens) / max(trial.prompt_tokens + trial.answer_tokens, 1.0)
    read, written = round(calls * prompt), round(calls * trial.answer_tokens)
    cost = None if price is None else Usage(calls, read, written).cost(price)
    return Estimate(calls, read, written, calls * trial.seconds * slower, cost)


def _duration(seconds: float) -> str:
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
