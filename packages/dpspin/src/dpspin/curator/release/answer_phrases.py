"""How phrases that nobody listed are released: check the budget, read, charge, draw, commit; as for a plan.

The charge is durable before noise is drawn, and what is handed out is what the ledger stored. What comes of it is
differentially private; a person looks at it before it is published (`phrase_folder`), which only leaves out.
"""

import math
from dataclasses import asdict, dataclass

from dpspin.boundary.accounting import AccountStatement, Cost, Neighbours
from dpspin.boundary.model_base import canonical_json, digest_of
from dpspin.boundary.phrases import LeftOver, NoisyPhrase, PhraseRelease, PhraseTerms
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit, UserUnit
from dpspin.curator.aggregate.likeness import likeness_of
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.phrase_counts import PhraseCounts, Unfiled, count_phrases
from dpspin.curator.ledger.charges import Charge, Committed, Reserved
from dpspin.curator.ledger.ledger import Ledger
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.curator.release.answer_request import require_about_people, require_unchanged
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.errors import BoundViolation
from dpspin.text.phrases import RULE


@dataclass(frozen=True, slots=True)
class Filing:
    """A dictionary and its map: only sentences that none of its themes took are read for phrases."""

    dictionary: str
    records: Records

    @property
    def left_over(self) -> LeftOver:
        """What a reader is told of it."""
        origin = self.records.origin
        return LeftOver(
            dictionary=self.dictionary,
            dictionary_digest=origin.universe_digest,
            map_digest=origin.contribution_map.digest,
            separation=origin.separation,
        )


@dataclass(frozen=True, slots=True)
class ResolvedPhrases:
    """Everything that decides a release of phrases but the records: nothing is charged yet."""

    dataset: str
    unit: RecordUnit | UserUnit
    terms: PhraseTerms
    corpus: ProtectedCorpus
    snapshot: str = ""
    filing: Filing | None = None
    told: str = ""  # the request as an officer reads it, where it can be written down

    @property
    def left_over(self) -> LeftOver | None:
        """What is said of a dictionary whose themes took the other records."""
        return None if self.filing is None else self.filing.left_over

    def description(self) -> str:
        """Describe in canonical JSON what decides the noisy numbers: two requests with the same text are the same."""
        dialect = {"dialect": self.corpus.declared} if self.corpus.declared else {}
        told = self.left_over
        filed = {} if told is None else {"dictionary": told.dictionary_digest, "map": told.map_digest}
        return canonical_json(
            {
                "mechanism": {"kind": "phrases", "per_unit": self.terms.per_unit, "rule": RULE},
                "snapshot": self.snapshot,
                "unit": asdict(self.unit),
                "adjacency": Adjacency.ADD_DROP.value,
                "columns": self.corpus.columns.names,
                "bad_rows": self.corpus.policy.bad_rows.value,
                "loss": asdict(self.terms.loss),
                **dialect,
                **filed,
            }
        )

    def as_charge(self, first_budget: PrivacyLoss) -> Charge:
        """Say what the ledger is asked for. No rho bounds it: delta is what may come out of one unit alone."""
        cost = Cost(self.terms.loss, math.inf, Neighbours(self.unit.kind, Adjacency.ADD_DROP))
        description, user = self.description(), self.corpus.columns.user
        view = self.corpus.declared.get("view")
        about = (None, user, first_budget, None, view, self.told)
        return Charge(self.dataset, digest_of(description), cost, description, *about)


def answer_phrases(asked: ResolvedPhrases, ledger: Ledger, first_budget: PrivacyLoss) -> PhraseRelease:
    """Answer once: charge, draw, store; or return what was stored, for free."""
    require_about_people(asked.unit, asked.dataset, ledger)
    charge = asked.as_charge(first_budget)
    ledger.check(charge)
    content = asked.corpus.content_digest()
    stored = ledger.stored(charge, content)
    if stored is None:
        stored = _released(asked, ledger, charge, content)
    # the number of units decides how the numbers are read, and not what they are
    read = PhraseRelease.from_json(stored.output)
    return read.model_copy(update={"terms": asked.terms, "account": read.account.published_as(stored.head)})


def _released(asked: ResolvedPhrases, ledger: Ledger, charge: Charge, content: str) -> Committed:
    SecureNoise().above_threshold({}, asked.terms)  # whatever the terms make impossible fails before the charge
    likeness = likeness_of(asked.corpus.batches(), ledger.likeness_key())
    ledger.require_unlike(charge, likeness)
    counts = _counted(asked)
    require_unchanged(asked.corpus, content)
    reservation = ledger.reserve(charge, content, likeness)
    match reservation:
        case Committed():  # another process finished the same request meanwhile
            return reservation
        case Reserved(statement=account):
            drawn = draw_phrases(counts, asked.terms, SecureNoise(), account, asked.left_over)
            return ledger.commit(reservation, drawn.to_json().encode())


def _counted(asked: ResolvedPhrases) -> PhraseCounts:
    if asked.filing is None:
        return count_phrases(asked.corpus, asked.terms.per_unit)
    asked.filing.records.prepare()
    return count_phrases(asked.corpus, asked.terms.per_unit, Unfiled(asked.filing.records))


def draw_phrases(
    counts: PhraseCounts,
    terms: PhraseTerms,
    noise: SecureNoise,
    account: AccountStatement,
    left_over: LeftOver | None = None,
) -> PhraseRelease:
    """Add noise, and keep what is above the threshold: the theorem of `boundary.phrases`."""
    if counts.per_unit > terms.per_unit:
        raise BoundViolation("the phrases were counted with another bound than is paid for")
    drawn = noise.above_threshold(counts.units, terms)
    ordered = sorted(drawn.items(), key=lambda each: (-each[1], each[0]))
    return PhraseRelease(
        terms=terms,
        rule=RULE,
        left_over=left_over,
        randomness=noise.randomness,
        account=account,
        phrases=tuple(NoisyPhrase(phrase=phrase, count=count) for phrase, count in ordered),
    )
