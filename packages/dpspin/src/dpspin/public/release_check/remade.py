"""Whether the files of a release are what its plan and dictionary give: they are made again, and compared.

A page can show a reader anything: hidden lines, other words by a style sheet, a script. So no page is searched for what
it should say; it is written again from the plan, and must be the same to the last byte.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import digest_of, explained_as
from dpspin.boundary.phrases import PhraseRelease
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.software import SOFTWARE
from dpspin.errors import DpSpinError, InputError
from dpspin.public.atoms.dictionary_files import dumps, loads
from dpspin.public.narrate.modes import Length, Mode
from dpspin.public.narrate.narrate import Narration
from dpspin.public.narrate.verify import verify
from dpspin.public.narrate.writer import NarrationRecord
from dpspin.public.phrases.publish import phrase_files
from dpspin.public.release_check.findings import Finding, Holds, NotChecked, Wrong
from dpspin.public.report.folder import derived_files, report

PLAN, ATOMS, PHRASES, PAGE, RECORD = "plan.json", "atoms.json", "phrases.json", "report.html", "narration.json"
TEXTS: Final = {"summary.txt": Mode.DISPLAY, "audit.txt": Mode.AUDIT}
MODEL_NAME: Final = re.compile(r"[\w.:/@+-]{1,100}", re.ASCII)
Files = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Data:
    """The released numbers of a folder, read and checked: everything else in it follows from them."""

    plan: SemanticPlan | None
    phrases: PhraseRelease | None
    atoms: AtomUniverse | None

    @property
    def digest(self) -> str | None:
        """The digest of the plan."""
        return None if self.plan is None else digest_of(self.plan.model_dump(mode="json"))

    @property
    def head(self) -> str | None:
        """The hash under which the ledger stored the release."""
        account = None if self.plan is None else self.plan.account
        return None if account is None else account.head


def data_of(files: Files) -> Data:
    """Read plan, dictionary and phrases. A plan's certificates and derived numbers are calculated again on the way."""
    plan = None if PLAN not in files else SemanticPlan.from_json(files[PLAN])
    phrases = None if PHRASES not in files else PhraseRelease.from_json(files[PHRASES], f"this {PHRASES}")
    if plan is None and phrases is None:
        raise InputError(f"there is neither {PLAN} nor {PHRASES}")
    if not all(each is None or _is_private(each) for each in (plan, phrases)):
        raise InputError("its numbers are simulated: they protect nobody")
    if plan is not None and plan.account is None:
        raise InputError("the plan names no account that paid for it, as every release does")
    return Data(plan, phrases, None if plan is None else _dictionary(files, plan))


def _is_private(data: SemanticPlan | PhraseRelease) -> bool:
    return data.is_private if isinstance(data, SemanticPlan) else data.randomness == "os-csprng"


def _dictionary(files: Files, plan: SemanticPlan) -> AtomUniverse:
    try:
        atoms = loads(files.get(ATOMS, b"").decode(), Path(ATOMS))
    except UnicodeDecodeError:
        raise InputError(f"{ATOMS} is no text") from None
    if atoms.digest != plan.dictionary.digest:
        raise InputError(f"{ATOMS} is not the dictionary of the plan")
    return atoms


def check_contents(files: Files, data: Data, made_by: str = SOFTWARE) -> Iterator[Finding]:
    """Check what the files say. What another version wrote may look otherwise, and then this is said."""
    try:
        made = _made(data)
        unlike = _unlike(files, data, made)
    except DpSpinError as error:
        yield Wrong(str(error))
        return
    if data.plan is not None:
        yield Holds("the plan agrees with itself: noise, certificates, intervals and shares were calculated again")
    same = sorted(name for name in made if name in files and name not in unlike)
    yield Holds(f"made again from the released numbers, and the same: {', '.join(same)}")
    if made_by == SOFTWARE:
        yield from (Wrong(f"{each} is not what the released numbers give, so it may say anything") for each in unlike)
    else:
        yield from _by_another_version(files, data, unlike, made_by)
    if not unlike:
        yield Holds("every sentence was read back as claims that the plan supports")
    if beside := sorted(set(files) - set(made)):
        yield NotChecked(f"what these files say, which are no part of every release: {', '.join(beside)}")


def _made(data: Data, length: Length = Length.FULL) -> dict[str, bytes]:
    """Make every file again that follows from the numbers, the numbers' own files too: each has one text."""
    made: dict[str, bytes] = {} if data.phrases is None else phrase_files(data.phrases)
    if data.plan is not None and data.atoms is not None:
        made |= {PLAN: data.plan.to_json().encode(), ATOMS: dumps(data.atoms).encode()}
        made |= derived_files(data.plan, data.atoms, length)
    return made


def _unlike(files: Files, data: Data, made: Files) -> tuple[str, ...]:
    """Name the files that are not as they are made: in either length, and with a text that lies beside the page."""
    unlike = [name for name in made if name in files and files[name] != made[name]]
    if unlike:
        short = _made(data, Length.SHORT)
        unlike = [name for name in unlike if files[name] != short[name]]
    if PAGE in unlike and any(page.encode() == files[PAGE] for page in _pages_around_texts(files, data)):
        unlike.remove(PAGE)
    return tuple(unlike)


def _pages_around_texts(files: Files, data: Data) -> Iterator[str]:
    """Write the page around each text that lies beside it: a model's, by its record, or one that was given."""
    if data.plan is None or data.atoms is None:
        return
    if RECORD in files:
        with explained_as(InputError, f"this {RECORD}"):
            record = NarrationRecord.model_validate_json(files[RECORD])
        told = Narration(record.text, Mode(record.mode), record.attempts, record.used_fallback, record.verdict)
        model = None if record.model is None else record.model.model
        if model is None or MODEL_NAME.fullmatch(model):  # it stands on the page, where a sentence could hide in it
            yield report(data.plan, data.atoms, narration=told, model=model)
    for name in files:
        if name.endswith(".txt") and name not in TEXTS:
            yield report(data.plan, data.atoms, text=files[name].decode(errors="replace"))


def _by_another_version(files: Files, data: Data, unlike: Iterable[str], version: str) -> Iterator[Finding]:
    """Check texts by the verifier alone, where they look otherwise; what cannot be checked so is named."""
    texts = [name for name in TEXTS if name in unlike]
    if data.plan is not None and data.atoms is not None:
        for name in texts:
            verdict = verify(data.plan, files[name].decode(errors="replace"), TEXTS[name], data.atoms)
            told = f"{name}: every sentence holds" if verdict.accepted else f"{name}: a sentence does not hold"
            yield Holds(told) if verdict.accepted else Wrong(told)
    if left := sorted(set(unlike) - set(texts)):
        yield NotChecked(
            f"what {', '.join(left)} say: {version} was used to sign, and {SOFTWARE} writes them otherwise. Check with "
            f"{version}"
        )
