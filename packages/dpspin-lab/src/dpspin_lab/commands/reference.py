"""``dpspin lab reference``: the non-private reference text of public or generated records."""

from typing import Annotated

import typer

from dpspin.cli import options, writing
from dpspin.cli.narrate import ModeName, ModeOption
from dpspin.cli.terminal import say
from dpspin_lab.commands.place import OutOption


def reference(
    records: Annotated[
        str, typer.Argument(metavar="RECORDS", help="Public or generated records; NEVER protected ones.")
    ],
    atoms: options.AtomsOption,
    text: Annotated[str, typer.Option("--text", help="The column with the records' words.")],
    denominator: Annotated[int, typer.Option("--denominator", min=1, help="What support is relative to.")],
    llm_url: Annotated[str, typer.Option("--llm-url", help="An OpenAI-compatible endpoint on this machine.")],
    llm_model: Annotated[str, typer.Option("--llm-model", help="The model's name there.")],
    out: OutOption,
    size: Annotated[int, typer.Option("--size", "-L", min=1, help="How many themes.")] = 10,
    mode: ModeOption = ModeName.DISPLAY,
    temperature: writing.TemperatureOption = 0.0,
    seed: writing.LlmSeedOption = 0,
) -> None:
    """Put EXACT masses into words, as the paper does to compare with. The result is not private and not verified."""
    from dpspin.llm.chat import Chat
    from dpspin.llm.endpoint import Endpoint
    from dpspin.public.atoms.packs import load_named
    from dpspin.public.narrate.policy import mode_of
    from dpspin_lab.reference import exact_masses, reference_plan, reference_text, write_reference

    universe = load_named(atoms)
    chat = Chat(Endpoint(llm_url, llm_model), temperature, seed)
    plan = reference_plan(exact_masses(records, text, universe), universe, denominator=denominator, size=size)
    words = reference_text(plan, chat, mode_of(mode.value))
    say(f"NOT PRIVATE: wrote {write_reference(out, plan, words, mode_of(mode.value))}", err=True)
    say(words)
