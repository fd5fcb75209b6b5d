"""A secret sample of the records is drawn, for somebody to read; nothing is released, and nothing charged.

What is drawn depends on what is measured and on the rate, not on what the release will cost.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from dpspin.boundary.denominator import PublicNumber
from dpspin.boundary.grounding import require_groundable
from dpspin.boundary.planner import Auto
from dpspin.boundary.request_terms import Denominator, number_in_words, placed, read_as
from dpspin.curator.aggregate.read_sample import Drawing, name_of_drawing
from dpspin.curator.aggregate.reading_folder import DrawingNote, ReadingFolder, write_sample
from dpspin.curator.assign.llm.theme_question import require_answerable
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.release.measurement import Measurement
from dpspin.errors import RequestError
from dpspin.public.atoms.speakable_names import require_speakable
from dpspin.request import KEYWORDS, Account, OfDictionary, ReleaseRequest, SketchFiles, dataset_of

FINEST = 2.0**-30  # a rate that a coin of 64 bits can still toss


class SampleRequest(OfDictionary):
    """What decides a drawing but the records: the parts of a release's request about records and account."""

    records: Measurement
    denominator: Denominator | None = None
    account: Account = Account()

    @classmethod
    def of(cls, data: object = None, **keywords: object) -> "SampleRequest":
        """Build it from Python's keywords, or take its parts from the request of a release."""
        if isinstance(data, ReleaseRequest) and not keywords:
            if isinstance(data.records, SketchFiles):
                raise RequestError(
                    "a sample is read of records, and sketch files have forgotten theirs: name the records",
                    code="request.read-sketches",
                )
            chosen = data.mechanism
            selecting = chosen.kind if not isinstance(chosen, Auto) and chosen.selects else None
            require_groundable(data.records.adjacency, data.records.sampling, selecting)
            return cls(atoms=data.atoms, records=data.records, denominator=data.denominator, account=data.account)
        named = {"data": data, **keywords} if data is not None else keywords
        return cls.read({KEYWORDS.get(name, name): value for name, value in named.items()})

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> "SampleRequest":
        """Check what was told of each field, or refuse it by the field's name."""
        return read_as(cls, placed(told))

    def rate(self, read: int, of: int | str | None) -> float:
        """Return how likely each unit is drawn, so that about ``read`` are; the number of units is a public one."""
        known = self.denominator if of is None else number_in_words(of)
        known = PublicNumber.model_validate(known) if isinstance(known, Mapping) else known
        if not isinstance(known, PublicNumber):
            raise RequestError(
                "how likely each is drawn follows from about how many there are, a public number and never counted "
                "from the data: a number as `denominator`, or a guess (of)"
            )
        if not FINEST < read / known.value < 1:
            raise RequestError("read at least one of them, and fewer than there are")
        return read / known.value


def sample(
    data: object = None, *, read: int, out: str | Path, of: int | str | None = None, **fields: object
) -> ReadingFolder:
    """Draw a secret sample of about ``read`` records (users, if they are protected) into the curator's folder ``out``.

    ``data`` and the other fields are those of ``release``, as far as they are about records and account; or ``data`` is
    the ``ReleaseRequest``. ``of`` is a public guess at how many there are, where ``denominator`` is no number. Drawing
    again gives the same sample, and keeps what was read.
    """
    return draw(SampleRequest.of(data, **fields), read, Path(out), of)


def draw(
    asked: SampleRequest,
    read: int,
    out: Path,
    of: int | str | None = None,
    working: AbstractContextManager[object] | None = None,
) -> ReadingFolder:
    """Draw by the ledger's key, and write the records that were drawn, unless a release could not use them."""
    rate, atoms = asked.rate(read, of), asked.dictionary()
    require_speakable(atoms)
    require_answerable(atoms.atoms)
    require_groundable(asked.records.adjacency, asked.records.sampling, None)
    with working or nullcontext():
        records = asked.records.records(atoms, None)
        records.require_unseen()  # before somebody reads for a map that may not be used
        dataset = asked.account.dataset or dataset_of(asked.records.data)
        name = name_of_drawing(dataset, asked.account.snapshot, records.corpus, records.origin, rate)
        key = open_ledger(asked.account.ledger).drawing_key(name, records.content_digest())
        drawn = Drawing(key, rate).of(records.corpus)
    return write_sample(out, DrawingNote(name=name, rate=rate, dictionary=atoms), drawn)
