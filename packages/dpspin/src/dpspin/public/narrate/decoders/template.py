"""The template decoder: claims that hold, in the order of the outline, each written by one of its forms."""

from dataclasses import dataclass

from dpspin.public.narrate.decoders.decoder import History
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language, Pen, laid_out
from dpspin.public.narrate.modes import Length, Mode
from dpspin.public.narrate.outline import full_outline, short_outline

NO_HISTORY = History()


@dataclass(frozen=True, slots=True)
class TemplateDecoder:
    """Deterministic: the same plan gives the same text."""

    mode: Mode = Mode.DISPLAY
    length: Length = Length.FULL

    def __call__(self, facts: Facts, _history: History = NO_HISTORY, /) -> str:
        """Write the text of a plan."""
        outline = full_outline(facts) if self.length is Length.FULL else short_outline(facts)
        pen = Pen(Language(facts, self.mode))
        paragraphs = [[*map(pen.sentence, paragraph)] for paragraph in outline.paragraphs]
        return laid_out(paragraphs, [pen.language.written(claim) for claim in outline.lines])
