"""Who wrote the summary: a line under it, so that no reader has to guess whether a model spoke."""

from dpspin.public.narrate.narrate import Narration

TEMPLATE = "Written by the built-in template, without a language model."
GIVEN = "Written outside this software and checked here."


def credit_of(narration: Narration, model: str | None = None) -> str:
    """Name the template or the model with its attempts, or say that the template stepped in.

    ``model`` is None where no model was asked.
    """
    tries = len(narration.attempts)
    attempts = f"{tries} {'attempt' if tries == 1 else 'attempts'}"
    if narration.used_fallback:
        writer = f"the language model “{model}”" if model else "the decoder"
        return f"Written by the built-in template, because {attempts} of {writer} gave no text that passes."
    return TEMPLATE if model is None else f"Written by the language model “{model}” in {attempts}."
