"""A bounded sample of the records themselves, as they are or redacted: what people hand to a model today."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dpspin.errors import RequestError
from dpspin.text.lists import listing
from dpspin_lab.baselines.phrases import recurring
from dpspin_lab.baselines.references.prompts import sample_prompt
from dpspin_lab.baselines.references.redaction import redacted
from dpspin_lab.simulated import seeded

RECORDS, CHARACTERS = 60, 600  # the paper says "bounded" and no number: this fits a window of 16,000 tokens
PHRASES, FIRST = 12, 4


def bounded_sample(
    texts: Sequence[str], *, records: int = RECORDS, characters: int = CHARACTERS, seed: int = 0
) -> tuple[str, ...]:
    """Draw records without replacement, each cut to its first characters.

    >>> bounded_sample(["a long record"], characters=6)
    ('a long',)
    """
    if not texts or records < 1 or characters < 1:
        raise RequestError("a sample needs records to draw from, and a size above zero")
    chosen = seeded(seed).permutation(len(texts))[:records]
    return tuple(texts[place][:characters] for place in sorted(chosen.tolist()))


@dataclass(frozen=True, slots=True)
class RawSample:
    """Records as they are."""

    records: tuple[str, ...] = field(repr=False)
    method: str = field(default="raw sample", init=False)

    @property
    def settings(self) -> Mapping[str, object]:
        """The size of the sample."""
        return {"records": len(self.records)}

    def prompt(self) -> str:
        """Show the records."""
        return sample_prompt("records", "Records:", self.records)

    def extract(self) -> str:
        """Name the phrases that recur."""
        return recurring_text(self.records)


@dataclass(frozen=True, slots=True)
class RedactedSample:
    """The same records after heuristic redaction."""

    records: tuple[str, ...] = field(repr=False)
    method: str = field(default="redacted sample", init=False)

    @classmethod
    def of(cls, sample: RawSample) -> "RedactedSample":
        """Redact a sample."""
        return cls(tuple(redacted(record) for record in sample.records))

    @property
    def settings(self) -> Mapping[str, object]:
        """The size of the sample."""
        return {"records": len(self.records)}

    def prompt(self) -> str:
        """Show the redacted records."""
        return sample_prompt("heuristically redacted records", "Redacted records:", self.records)

    def extract(self) -> str:
        """Name the phrases that recur."""
        return recurring_text(self.records)


def recurring_text(records: Sequence[str]) -> str:
    """Write the template's text: it quotes nothing but phrases that at least two records share.

    >>> recurring_text(["dry skin again", "my skin is dry"])
    'The sampled records speak most often of dry skin.'
    """
    phrases = recurring(records, PHRASES)
    if not phrases:
        return "No phrase comes back in the sampled records."
    first = f"The sampled records speak most often of {listing(phrases[:FIRST])}."
    return f"{first} Also recurring: {listing(phrases[FIRST:])}." if len(phrases) > FIRST else first
