"""Texts with what their plan obliges them to say, so that a text under test fails by the rule under test alone."""

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import BULLET, HEADING, Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.outline import unsaid


def complete(text: str, plan: SemanticPlan, universe: AtomUniverse, mode: Mode = Mode.DISPLAY) -> str:
    """Put before a text what it must not leave out, whatever else is wrong with it."""
    language = Language(Facts(plan, universe), mode)
    told = {claim for sentence in language.read(text) for claim in sentence.claims or ()}
    duties = " ".join(map(language.written, unsaid(told, language.facts)))
    between = "\n\n" if text.startswith((BULLET, HEADING)) else " "
    return f"{duties}{between}{text}" if duties else text
