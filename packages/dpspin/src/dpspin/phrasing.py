"""Phrases that nobody listed: from a request to what a person looks at, and from there to what is published."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Self

from pydantic import BeforeValidator, Field, model_validator

from dpspin.approvable import PHRASES, without_place, written
from dpspin.boundary.denominator import PublicNumber
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.phrases import MOST_PER_UNIT, PhraseTerms
from dpspin.boundary.privacy import EVERYONE, MASS, Adjacency, PrivacyLoss
from dpspin.boundary.request_terms import number_in_words, placed, read_as
from dpspin.boundary.signing import SigningKey
from dpspin.curator.ledger.amounts import Budget
from dpspin.curator.ledger.charges import Charge
from dpspin.curator.ledger.filings import Filed
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.release.answer_phrases import Filing, ResolvedPhrases, answer_phrases
from dpspin.curator.release.curator_folder import earlier_heads, require_single, write_account, write_approved
from dpspin.curator.release.measurement import Measurement
from dpspin.curator.release.phrase_folder import PhraseFolder, open_phrases, write_phrases
from dpspin.errors import RequestError
from dpspin.public.atoms.packs import load_named
from dpspin.public.phrases.publish import publish_phrases
from dpspin.request import Account, beyond_defaults, dataset_of

PER_UNIT: Final = 3


class PhraseRequest(FrozenModel):
    """Everything that decides a release of phrases but the records: public, and fixed before any of them is read."""

    records: Measurement
    atoms: str | None = None  # with it only sentences that none of its themes took are read
    loss: PrivacyLoss
    per_unit: int = Field(PER_UNIT, ge=1, le=MOST_PER_UNIT)
    denominator: Annotated[PublicNumber, BeforeValidator(number_in_words)]
    account: Account = Account()

    @model_validator(mode="after")
    def _is_proven(self) -> Self:
        """Refuse what the theorem does not cover, and what would do nothing."""
        asked = self.records
        if asked.adjacency is not Adjacency.ADD_DROP:
            raise RequestError(
                "phrases that nobody listed are proven for `records.adjacency: add_drop` only: leave it at that",
                code="request.unproven-phrases",
                field="records.adjacency",
            )
        if (
            asked.quantity != MASS
            or asked.sampling != EVERYONE
            or asked.asks_for_views
            or asked.window
            or asked.unit.bound != 1
        ):
            raise RequestError(
                "phrases are counted of everyone and of all records, by `per_unit` alone: leave quantity, sample, "
                "views, window and bound out"
            )
        if self.atoms is None and {"map", "auxiliary"} & asked.model_fields_set:
            raise RequestError("a map files records under themes: it goes with a dictionary (`atoms`)")
        self.terms  # noqa: B018  its constructor is a proof
        return self

    @property
    def terms(self) -> PhraseTerms:
        """What is promised."""
        return PhraseTerms(
            loss=self.loss, unit=self.records.unit.kind, per_unit=self.per_unit, denominator=self.denominator.value
        )

    @property
    def dataset(self) -> str:
        """The name in the ledger."""
        return self.account.dataset or dataset_of(self.records.data)

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> "PhraseRequest":
        """Check what was told of each field, or refuse it by the field's name."""
        return read_as(cls, placed(told))

    def resolved(self, tell: Callable[[int], None]) -> ResolvedPhrases:
        """Open the records and, with a dictionary, fit the map, before any of them is read."""
        about = (self.dataset, self.records.unit, self.terms)
        if self.atoms is None:
            corpus = open_corpus(self.records.data, self.records.columns, self.records.policy, self.records.dialect)
            return ResolvedPhrases(*about, corpus.watched(tell), self.account.snapshot, told=self.told)
        atoms = load_named(self.atoms)
        records = self.records.records(atoms, None).watched(tell)
        filing = Filing(atoms.name, records)
        return ResolvedPhrases(*about, records.corpus, self.account.snapshot, filing, self.told)

    @property
    def told(self) -> str:
        """The request as an officer reads it; nothing where its records are held in memory."""
        if not isinstance(self.records.data, str | Path):
            return ""
        return written(PHRASES, without_place(beyond_defaults(self)))


def charge_for(asked: PhraseRequest) -> Charge:
    """Say what the ledger would be asked for; no record is read."""
    return asked.resolved(lambda _records: None).as_charge(asked.account.budget or asked.loss)


def ask(asked: PhraseRequest, key: SigningKey, note: str) -> Filed:
    """Ask the officers of the account for their approval; no record is read, and nothing is charged."""
    return open_ledger(asked.account.ledger).ask(charge_for(asked), note, key)


def find(asked: PhraseRequest, out: Path, tell: Callable[[int], None]) -> tuple[PhraseFolder, Budget]:
    """Release phrases into the curator's folder, where nobody but its owner may look; nothing is published yet."""
    require_single(out, asked.dataset)
    ledger = open_ledger(asked.account.ledger, heads=earlier_heads(out), place=str(out))
    resolved = asked.resolved(tell)
    released = answer_phrases(resolved, ledger, asked.account.budget or asked.loss)
    budget = write_account(out / "curator", asked.dataset, ledger)
    if not (out / "release" / "plan.json").exists():  # the folder's approvals are then those of the plan
        write_approved(out / "curator", ledger.approved(resolved.as_charge(asked.loss)))
    return write_phrases(out / "curator", released), budget


def publish(out: Path) -> tuple[Path, ...]:
    """Publish what a person let through; refuse where something was not looked at."""
    return publish_phrases(out / "release", open_phrases(out / "curator").to_publish())
