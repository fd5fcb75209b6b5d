"""The release folder: everything in it is a function of the plan and the public dictionary, and may be published."""

import json
from dataclasses import dataclass
from pathlib import Path

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.folders import require_no_lab
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.safe_files import date_folder_to_the_day, write_published
from dpspin.errors import RequestError
from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Length, Mode
from dpspin.public.narrate.narrate import Narration, narrate
from dpspin.public.narrate.outline import doubts, headline, unsaid
from dpspin.public.narrate.verify import SentenceVerdict, Status, check_text, settle
from dpspin.public.report.csv_tables import plan_csv, themes_csv
from dpspin.public.report.finding import shown_sentences
from dpspin.public.report.label import label_json
from dpspin.public.report.page import render_report
from dpspin.public.report.pair_rows import pair_rows, pairs_csv
from dpspin.public.report.view_rows import views_csv

# Who wrote the summary stands under it, so that no reader has to guess whether a model spoke.
TEMPLATE = "Written by the built-in template, without a language model."
GIVEN = "Written outside this software and checked here."


@dataclass(frozen=True, slots=True)
class Narrations:
    """The two presentations of one plan: for readers, and for checkers."""

    display: Narration
    audit: Narration


def narrate_both(plan: SemanticPlan, atoms: AtomUniverse, length: Length = Length.FULL) -> Narrations:
    """Narrate a plan in both modes with the template."""
    modes = (Mode.DISPLAY, Mode.AUDIT)
    display, audit = (narrate(plan, atoms, TemplateDecoder(mode, length), mode=mode) for mode in modes)
    return Narrations(display, audit)


def write_release(folder: Path, plan: SemanticPlan, atoms: AtomUniverse, length: Length = Length.FULL) -> Narrations:
    """Write the release folder, each file whole or not at all; the plan first: it is paid for, and texts can fail."""
    require_no_lab(folder)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        write_published(folder / "plan.json", plan.to_json().encode())
        write_published(folder / "atoms.json", dumps(atoms.published).encode())
        texts = narrate_both(plan, atoms, length)
        for name, content in _derived(plan, atoms, texts).items():
            write_published(folder / name, content.encode())
    finally:
        date_folder_to_the_day(folder)
    return texts


def derived_files(plan: SemanticPlan, atoms: AtomUniverse, length: Length = Length.FULL) -> dict[str, bytes]:
    """Return the files of a release that follow from its plan and dictionary, by name."""
    made = _derived(plan, atoms, narrate_both(plan, atoms, length))
    return {name: content.encode() for name, content in made.items()}


def report(
    plan: SemanticPlan,
    atoms: AtomUniverse,
    *,
    text: str | None = None,
    narration: Narration | None = None,
    model: str | None = None,
) -> str:
    """Return the HTML report around a display text: a given one, a narration's, or else the template's.

    ``model`` names the language model behind the narration. Sentences that do not pass the verifier are not shown,
    wherever they come from.
    """
    if text is not None and narration is not None:
        raise RequestError("a report shows one text: give the text or the narration, not both")
    told = narration or narrate(plan, atoms)
    if told.mode is not Mode.DISPLAY:
        raise RequestError("a report is for readers: narrate the plan in display mode")
    if text is None:
        return _page(plan, atoms, told.text, credit_of(told, model))
    return _page(plan, atoms, text, GIVEN)


def _page(plan: SemanticPlan, atoms: AtomUniverse, text: str, credit: str) -> str:
    """Check a text against this very plan, wherever it comes from; show what stands, and what it must not leave out."""
    language = Language(Facts(plan, atoms), Mode.DISPLAY)
    verdict = check_text(text, language)
    stands = verdict if verdict.accepted else check_text(settle(text, language).text, language)
    read = (sentence for each in stands.sentences for sentence in language.read(each.text))
    told = {claim for sentence in read for claim in sentence.claims or ()}
    beside = " ".join(
        map(language.written, unsaid({*told, *headline(language.facts), *doubts(language.facts)}, language.facts))
    )
    added = shown_sentences(check_text(beside, language))  # the page's finding has shares, even where the text has none
    shown = [*shown_sentences(stands), *added, *(each for each in shown_sentences(verdict) if not each.verified)]
    return render_report(language.facts, shown, credit=credit)


def _derived(plan: SemanticPlan, atoms: AtomUniverse, texts: Narrations) -> dict[str, str]:
    facts = Facts(plan, atoms)
    return {
        "summary.txt": texts.display.text.rstrip() + "\n",
        "audit.txt": texts.audit.text.rstrip() + "\n",
        "claims.jsonl": "".join(map(claim_line, texts.display.verdict.sentences)),
        "verifier_attempts.json": json.dumps([_attempts(texts.display), _attempts(texts.audit)], indent=2) + "\n",
        "plan.csv": plan_csv(plan, atoms),
        "themes.csv": themes_csv(plan, atoms),
        **({"views.csv": views_csv(plan, atoms)} if plan.views else {}),
        **({"view_pairs.csv": pairs_csv(facts)} if pair_rows(facts) else {}),
        "label.json": label_json(plan),
        "report.html": _page(plan, atoms, texts.display.text, credit_of(texts.display)),
    }


def claim_line(sentence: SentenceVerdict) -> str:
    """Write the decision on one sentence as a line of JSON."""
    claim = {
        "sentence": sentence.text,
        "claims": list(sentence.claims),
        "atoms": list(sentence.atoms),
        "verified": sentence.status is Status.VERIFIED,
    }
    return json.dumps(claim, ensure_ascii=False) + "\n"


def _attempts(narration: Narration) -> dict[str, object]:
    attempts = [attempt.model_dump(mode="json") for attempt in narration.attempts]
    return {"mode": narration.mode.value, "used_fallback": narration.used_fallback, "attempts": attempts}


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
