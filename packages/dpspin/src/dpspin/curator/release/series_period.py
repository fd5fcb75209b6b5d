"""How a period of a series is answered: the life's charge has paid; allowances are taken, then noise is drawn.

The order is that of every release, with the allowances in it: their new state is written whole and durable, the ledger
reserves the period together with that state's digest, noise is drawn, the output is committed, and what was committed
is published. A crash before the reservation leaves a file that nobody refers to; one after it leaves a period that the
same records resume. What a reservation took stays taken.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from dpspin.boundary.model_base import digest_of
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.boundary.safe_files import make_private_folder
from dpspin.boundary.series import SeriesStep
from dpspin.curator.aggregate.allowances import Allowances, Taken, digest_of_state, take
from dpspin.curator.aggregate.local import Diagnostics, Records, read_into
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.sketch import Sketch
from dpspin.curator.aggregate.totals import UserTotals
from dpspin.curator.aggregate.user_sums import MemorySums
from dpspin.curator.ledger.charges import Charge, Committed, Reserved
from dpspin.curator.ledger.ledger import Ledger
from dpspin.curator.ledger.periods import Claim, Generation, require_addable, require_open
from dpspin.curator.release.answer_request import Answer, ResolvedRequest, read_again, require_answerable
from dpspin.curator.release.draw_plan import dry_run, release_plan
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.errors import BoundViolation, LedgerError, RecordsChanged


@dataclass(frozen=True, slots=True)
class StateFolder:
    """The curator's folder with the allowances of one life: a file for each generation, named by its digest."""

    path: Path

    def read(self, generation: Generation) -> Allowances | None:
        """Return a state; None where its file is not there, or is another one."""
        if generation.number == 0:
            return Allowances.full()
        try:
            content = self._file(generation).read_bytes()
        except OSError:
            return None
        return Allowances.from_bytes(content) if digest_of_state(content) == generation.digest else None

    def write(self, number: int, state: Allowances) -> Generation:
        """Write a state whole, and let it survive a power cut before anybody refers to it."""
        content = state.to_bytes()
        generation = Generation(number, digest_of_state(content))
        make_private_folder(self.path)
        unfinished = self.path / f".allowances-{number:06}-{os.urandom(8).hex()}.bin"
        with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:  # noqa: PTH123
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):  # removed by a run that went past it, so that the claim will be refused
            unfinished.replace(self._file(generation))
        self._sync()
        return generation

    def drop_before(self, number: int) -> None:
        """Remove what nobody needs any more: states before this one, and what runs that died have left."""
        for file, known in self._generations():
            if known < number:
                file.unlink(missing_ok=True)

    def _generations(self) -> Iterator[tuple[Path, int]]:
        for pattern in ("allowances-*.bin", ".allowances-*.bin"):
            yield from ((file, int(file.name.split("-")[1])) for file in self.path.glob(pattern))

    def _file(self, generation: Generation) -> Path:
        return self.path / f"allowances-{generation.number:06}-{generation.digest}.bin"

    def _sync(self) -> None:
        descriptor = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def open_life(
    request: ResolvedRequest, nobody: Records, ledger: Ledger, *, first_budget: PrivacyLoss | None = None
) -> Charge:
    """Charge a whole life at once, rehearsed on nobody's records; opening it again costs nothing."""
    require_answerable(request, nobody)
    life = request.as_charge(nobody, first_budget)
    ledger.check(life)
    dry_run(request.origin, request.universe, request.spec)
    reserved = ledger.reserve(life, digest_of([life.dataset, life.fingerprint]))
    if isinstance(reserved, Reserved):
        ledger.commit(reserved, step_of(request).terms.model_dump_json().encode())
    return life


def step_of(request: ResolvedRequest) -> SeriesStep:
    """Return the period that a request is about."""
    if request.spec.series is None:
        raise BoundViolation("this request is about no period of a series")
    return request.spec.series


def answer_period(request: ResolvedRequest, source: Records, ledger: Ledger, folder: StateFolder) -> Answer:
    """Answer for one period: take, reserve, draw, store; or read what was stored again, for free."""
    require_answerable(request, source)
    life, name = request.as_charge(source, None), step_of(request).period
    found = _state_before(name, life, ledger, folder)  # lost allowances are refused before the map works
    if isinstance(found, Committed):
        return Answer(read_again(found, request), diagnostics=None)
    content = source.content_digest()
    require_addable(ledger.standing(life), name, content)
    dry_run(request.origin, request.universe, request.spec)
    likeness = source.likeness(ledger.likeness_key())
    with closing(MemorySums()) as sums:
        seen = _read_into(sums, source, Pseudonyms(ledger.allowance_key(life)))
        if source.content_digest() != content:
            raise RecordsChanged("the data changed while they were being read; nothing was taken, run it again")
        taken_from = partial(take, sums, request.origin.coordinates, terms=step_of(request).terms)
        stored = _stored(Claim(name, content, likeness), life, taken_from, request, (ledger, folder))
    folder.drop_before(ledger.standing(life).oldest_needed)
    return Answer(read_again(stored, request), seen)


def users_before(
    request: ResolvedRequest, source: Records, ledger: Ledger, folder: StateFolder
) -> tuple[Allowances, Pseudonyms]:
    """Return the allowances from which a period would take, and how users are named in them; nothing is taken."""
    life, name = request.as_charge(source, None), step_of(request).period
    require_open(ledger.standing(life), name)
    found = _state_before(name, life, ledger, folder)
    return Allowances.full() if isinstance(found, Committed) else found[1], Pseudonyms(ledger.allowance_key(life))


def _read_into(sums: MemorySums, source: Records, pseudonyms: Pseudonyms) -> Diagnostics:
    source.prepare()
    return read_into(UserTotals(source.origin, pseudonyms, sums), source.corpus, source.contribution_map)


def _stored(
    claim: Claim,
    life: Charge,
    taken_from: Callable[[Allowances], Taken],
    request: ResolvedRequest,
    kept: tuple[Ledger, StateFolder],
) -> Committed:
    """Take from the newest allowances, reserve, draw and commit; return what is stored.

    Where another period came in between, it takes from what that one left; where another run finished this very period
    meanwhile, that one's output holds.
    """
    ledger, folder = kept
    while not isinstance(found := _state_before(claim.name, life, ledger, folder), Committed):
        before, state = found
        taken = taken_from(state)
        after = folder.write(before.number + 1, taken.left)
        reservation = ledger.reserve_period(life, replace(claim, before=before, after=after))
        if isinstance(reservation, Reserved):
            return ledger.commit_period(reservation, _drawn(taken, request, reservation))
    return found


def _drawn(taken: Taken, request: ResolvedRequest, reserved: Reserved) -> bytes:
    sketch = Sketch(taken.ticks, request.origin, wanted=taken.wanted)
    noisy = release_plan(sketch, request.universe, request.spec, SecureNoise())
    return noisy.model_copy(update={"account": reserved.statement}).to_json().encode()


def _state_before(
    name: str, life: Charge, ledger: Ledger, folder: StateFolder
) -> tuple[Generation, Allowances] | Committed:
    """Read the allowances from which a period takes; refuse where they are lost, restored or another folder's."""
    seen: Generation | None = None
    while True:
        standing = ledger.standing(life)
        known, generation = standing.find(name), standing.before(name)
        if known is not None and known.committed is not None:
            return known.committed
        if (state := folder.read(generation)) is not None:
            return generation, state
        if generation == seen:  # nobody went on meanwhile: it is gone
            raise _closed()
        seen = generation


def _closed() -> LedgerError:
    return LedgerError(
        "the allowances of this series are not those that the ledger knows: the curator's folder was lost, restored "
        "from an older copy, or the series was continued from another one. Nobody can tell what each user has left, so "
        "this life is closed. Bring back the newest folder, or open the next life at a new price: dpspin series renew",
        code="ledger.allowances-lost",
    )
