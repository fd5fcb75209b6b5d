"""What a library answers to agents and to pages: verified sentences with their rows, or that it cannot say, and why.

Nothing else is ever said. Names of themes, titles and other words of whoever made a release are data: they are told
in quotation marks, in bounded fields, and never as ours.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.printable import printable
from dpspin.errors import DpSpinError
from dpspin.public.compare.compare import Compared, compare
from dpspin.public.narrate.ask import asked_in
from dpspin.public.narrate.ask_series import asked_of_series
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.verify import SentenceVerdict, Status, check_text
from dpspin.public.release_check.check import check_release
from dpspin.reader.library import Library, Opened, OpenSeries
from dpspin.reader.signatures import Signature, Standing, signature_of

LONGEST_TITLE, LONGEST_FINDING = 120, 300
LONGEST_TEXT: Final = 20_000  # of a text to verify, characters
A_PAGE: Final = 50  # releases that are listed at once
CANNOT_COMPARE: Final = (
    "These two releases cannot be compared: only releases of the same dictionary, map, unit and quantity can."
)
NO_SERIES: Final = "This is a single release and no series, so it cannot say what changed over time."
CHANGED: Final = (
    "This release was changed after it was signed, so no question about it is answered: verify says what differs."
)
A_SERIES: Final = "This is a series: compare two of its periods, each by its own name (series/period)."


class Told(FrozenModel):
    """A sentence that was read back and holds: the kinds of its claims, and the themes whose rows it rests on."""

    sentence: str
    claims: tuple[str, ...]
    themes: tuple[int, ...]


class Row(FrozenModel):
    """A theme as the plan has it; shares are parts of one, and None where the release has none."""

    theme: int
    label: str
    area: str | None
    listed: bool
    rank: int | None
    share: float | None
    low: float | None
    high: float | None


class InShort(FrozenModel):
    """A release of the library, in short; ``problem`` says why one cannot be read."""

    id: str
    kind: str
    title: str = ""
    period: str = ""
    date: str = ""
    dictionary: str = ""
    protects: str = ""
    epsilon: float | None = None
    periods: tuple[str, ...] = ()
    signature: Signature = Signature(standing=Standing.UNSIGNED)
    problem: str = ""


class Listed(FrozenModel):
    """A part of the library's list."""

    releases: tuple[InShort, ...]
    total: int
    next: int | None


class Reply(FrozenModel):
    """An answer: verified sentences with the rows that they rest on; or ``cannot_say``, and nothing else.

    ``beside`` are verified sentences too, that must be told with every answer: of what shares are, and how sure.
    """

    id: str
    sentences: tuple[Told, ...] = ()
    beside: tuple[Told, ...] = ()
    rows: tuple[Row, ...] = ()
    cannot_say: str | None = None
    period: str = ""  # of a series: the one that shares are of
    signature: Standing = Standing.UNSIGNED


class PlanRows(FrozenModel):
    """A plan: what was promised, in verified sentences, and every listed theme."""

    release: InShort
    sentences: tuple[Told, ...]
    rows: tuple[Row, ...]


class CheckedSentence(FrozenModel):
    """What became of one sentence of a text; ``rule`` names what is wrong with it."""

    sentence: str
    status: str
    rule: str | None
    themes: tuple[int, ...]


class Checked(FrozenModel):
    """What a check found: of a text, whether it says nothing but what the plan supports; of a release, of its files.

    Of a release, ``accepted`` is about the folder alone: compare the key's fingerprint with one from the curator.
    """

    id: str
    accepted: bool
    signature: Signature
    sentences: tuple[CheckedSentence, ...] = ()
    missing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()


def listed(library: Library, start: int = 0, most: int = A_PAGE) -> Listed:
    """Return a part of the list, in the order of names; only that part is read."""
    names = library.names()
    part = names[max(0, start) :][: max(1, min(most, A_PAGE))]
    end = max(0, start) + len(part)
    shown = tuple(library.in_short(name, partial(in_short, name)) for name in part)
    return Listed(releases=shown, total=len(names), next=end if end < len(names) else None)


def in_short(name: str, found: Opened | str, folder: Path) -> InShort:
    """Return what a list says of a release."""
    if isinstance(found, str):
        return InShort(id=name, kind="unreadable", problem=found)
    plan = found.plan
    return InShort(
        id=name,
        kind="series" if isinstance(found, OpenSeries) else "release",
        title=bounded(found.title),
        period=bounded(plan.about.period),
        date=bounded(plan.about.date),
        dictionary=bounded(plan.dictionary.name),
        protects=plan.statement.unit.kind,
        epsilon=plan.statement.loss.epsilon,
        periods=found.periods if isinstance(found, OpenSeries) else (),
        signature=signature_of(folder),
        problem="" if plan.is_private else "SIMULATED, NOT PRIVATE: an experiment, and no release.",
    )


def rows_of_plan(library: Library, name: str) -> PlanRows:
    """Return the rows of a plan, and the sentences of its report."""
    found = library.open(name)
    facts = found.language.facts
    text = str(found.series) if isinstance(found, OpenSeries) else narrate(found.plan, found.atoms).text
    told = _told(check_text(text, found.language).sentences)
    return PlanRows(
        release=library.in_short(name, partial(in_short, name)),
        sentences=told,
        rows=tuple(row_of(facts, theme) for theme in facts.ranked),
    )


def answered(library: Library, name: str, question: str) -> Reply:
    """Answer a question, or say that the release cannot, and why."""
    found, signature = library.open(name), signature_of(library.folder_of(name)).standing
    if signature is Standing.BROKEN:
        return Reply(id=name, cannot_say=CHANGED, signature=signature)
    asks = asked_of_series if isinstance(found, OpenSeries) else asked_in
    asked = asks(found.language, question)
    [answer] = asked.answers
    period = found.periods[-1] if isinstance(found, OpenSeries) else ""
    if answer.cannot_say is not None:
        return Reply(id=name, cannot_say=answer.cannot_say, period=period, signature=signature)
    said = [each for part in answer.found for each in part.sentences]
    told, beside = _told(said), _told([*asked.before, *asked.after])
    rows = _rows(found.language.facts, told)
    return Reply(id=name, sentences=told, beside=beside, rows=rows, period=period, signature=signature)


def compared(library: Library, a: str, b: str) -> Reply | Compared:
    """Compare two releases; a reply only says why that cannot be done."""
    plans = []
    for name in (a, b):
        found = library.open(name)
        if isinstance(found, OpenSeries):
            return Reply(id=name, cannot_say=A_SERIES)
        plans.append(found)
    try:
        both = compare(plans[0].plan, plans[1].plan, plans[1].atoms)
        return both if both.text else Reply(id=f"{a} {b}", cannot_say=CANNOT_COMPARE)
    except DpSpinError:
        return Reply(id=f"{a} {b}", cannot_say=CANNOT_COMPARE)


def change_told(library: Library, a: str, b: str) -> Reply:
    """Tell what differs between two releases, in verified sentences with the rows of the later one."""
    found = compared(library, a, b)
    if isinstance(found, Reply):
        return found
    told = _told(found.verify(found.text).sentences)
    return Reply(id=f"{a} {b}", sentences=told, rows=_rows(found.facts.each[-1], told))


def series_told(library: Library, name: str) -> Reply:
    """Tell what changed in a series, in verified sentences with the rows of its last period."""
    found = library.open(name)
    if not isinstance(found, OpenSeries):
        return Reply(id=name, cannot_say=NO_SERIES)
    told = _told(found.series.verify(found.series.text).sentences)
    return Reply(id=name, sentences=told, rows=_rows(found.language.facts, told))


def checked(library: Library, name: str, text: str) -> Checked:
    """Check a text against a release, sentence by sentence."""
    verdict, signature = check_text(text, library.open(name).language), signature_of(library.folder_of(name))
    sentences = tuple(
        CheckedSentence(sentence=printable(each.text), status=each.status.value, rule=each.rule, themes=each.atoms)
        for each in verdict.sentences
    )
    missing = tuple(each.rule for each in verdict.missing)
    return Checked(id=name, accepted=verdict.accepted, signature=signature, sentences=sentences, missing=missing)


def checked_release(library: Library, name: str) -> Checked:
    """Check a whole release: that its files belong together, and say what its plan supports."""
    folder = library.folder_of(name)
    verdict = check_release(folder)
    wrong, holds, left = (
        tuple(bounded(each, LONGEST_FINDING) for each in part)
        for part in (verdict.wrong, verdict.holds, verdict.not_checked)
    )
    return Checked(
        id=name,
        accepted=verdict.accepted,
        signature=signature_of(folder),
        wrong=wrong,
        holds=holds,
        not_checked=left,
    )


def bounded(words: str, most: int = LONGEST_TITLE) -> str:
    r"""Cut words of others to a length that fits a line, with everything visible that would be obeyed or hidden.

    >>> bounded("a\x1b" + "b" * 200)[:12], len(bounded("b" * 900))
    ('a\\u001bbbbbb', 120)
    """
    seen = " ".join(printable(words).split())
    return seen if len(seen) <= most else f"{seen[: most - 1]}…"


def row_of(facts: Facts, theme: int) -> Row:
    """Return the row of a theme: as a reader would file it, where a sample was read."""
    entry, plan = facts.listed.get(theme), facts.plan
    known = facts.has_shares and (facts.read is not None or theme in facts.masses)
    estimate = None if not known else facts.theme(theme) if facts.read is None else facts.read.theme(theme)
    rank = facts.ranked.index(theme) + 1 if theme in facts.ranked else None
    return Row(
        theme=theme,
        label=facts.labels[theme],
        area=next((atom.parent for atom in facts.atoms.atoms if atom.id == theme), None),
        listed=entry is not None or rank is not None,
        rank=rank if plan.entries else None,
        share=None if estimate is None else float(estimate.share),
        low=None if estimate is None else float(estimate.low),
        high=None if estimate is None else float(estimate.high),
    )


def _rows(facts: Facts, told: Iterable[Told]) -> tuple[Row, ...]:
    themes = dict.fromkeys(theme for each in told for theme in each.themes)
    return tuple(row_of(facts, theme) for theme in themes if theme in facts.labels)


def _told(sentences: Sequence[SentenceVerdict]) -> tuple[Told, ...]:
    verified = (each for each in sentences if each.status is Status.VERIFIED)
    kept = {each.text: each for each in verified}
    return tuple(Told(sentence=text, claims=each.claims, themes=each.atoms) for text, each in kept.items())
