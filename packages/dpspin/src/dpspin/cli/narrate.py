"""``dpspin narrate``: from a plan to a verified text."""

from typing import Annotated

import typer

from dpspin.cli import writing
from dpspin.cli.options import JsonOption, PlanArgument
from dpspin.cli.terminal import say
from dpspin.cli.writing import WritingOptions, tell_fallback
from dpspin.public.narrate.modes import DecoderName, Mode

ModeOption = Annotated[Mode, typer.Option("--mode", help="display: for readers; audit: with markers and masses.")]


def narrate(
    plan: PlanArgument,
    mode: ModeOption = Mode.DISPLAY,
    length: writing.TemplateLengthOption = None,
    decoder: writing.DecoderOption = DecoderName.TEMPLATE,
    llm_url: writing.UrlOption = None,
    llm_model: writing.ModelOption = None,
    llm_price: writing.PriceOption = None,
    attempts: writing.AttemptsOption = writing.ATTEMPTS,
    temperature: writing.TemperatureOption = 0.0,
    seed: writing.LlmSeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Write the summary of a plan. Every sentence has passed the verifier; nothing but the plan is read."""
    from dpspin.cli.files import plan_in, read_plan
    from dpspin.public.atoms.packs import require_atoms_beside

    plan = plan_in(plan)
    released = read_plan(plan)
    options = WritingOptions(decoder, length, llm_url, llm_model, llm_price, attempts, temperature, seed)
    _, record = options.narrated(released, mode, require_atoms_beside(plan, released))
    tell_fallback(record)
    say(record.to_json() if as_json else record.text, nl=not as_json)
