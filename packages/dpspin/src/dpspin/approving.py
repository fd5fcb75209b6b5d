"""What an officer looks at before deciding about a request: all of it in public terms; no record is read for it.

What was filed is not taken on trust. The request is read again as it was told, its dictionary and map are made anew,
and what would be charged must be what was filed: else somebody shows one request and asks for another.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from dpspin import phrasing, pipeline
from dpspin.boundary.denominator import PublicNumber
from dpspin.curator.ledger.charges import Charge
from dpspin.curator.ledger.filings import Filed
from dpspin.curator.ledger.ledger import Ledger
from dpspin.curator.ledger.overviews import HistoryRow
from dpspin.curator.release.answer_request import ResolvedRequest
from dpspin.errors import LedgerError
from dpspin.public.preview import in_short
from dpspin.public.preview.forecast import forecast
from dpspin.public.preview.render import render_forecast
from dpspin.public.wording.not_covered import not_covered
from dpspin.public.wording.promise import odds_sentence, promised
from dpspin.request import ReleaseRequest
from dpspin.series import Declared, Series

NO_SHARES = "Shares refer to what is released itself, so how large a theme must be is known with the release only."
OF_PHRASES = "Phrases that nobody listed: which come out depends on the records; a noisy count must exceed {least:,}."
RECORDS_MAY_CHANGE = (
    "The state of the records: the question is approved, and it is asked of what the file or table holds on the day of "
    "the release."
)
WHOM = {"record": "each record by itself", "user": "each person, with everything they wrote"}
OF_SERIES = "A whole life of a series: every period of its calendar is released under this one approval."


@dataclass(frozen=True, slots=True)
class Looked:
    """A request that was made again from what was filed: what it would be charged, and what it promises."""

    charge: Charge
    promise: tuple[str, ...]
    forecast: str
    in_short: tuple[str, ...]  # the same in plain sentences


@dataclass(frozen=True, slots=True)
class Review:
    """Everything that an officer is shown, in words."""

    filed: Filed
    facts: tuple[tuple[str, str], ...]
    told: str  # the request as a file of its own
    promise: tuple[str, ...]
    forecast: str
    in_short: tuple[str, ...]
    not_covered: tuple[str, ...]
    spent: tuple[HistoryRow, ...]
    budgets: tuple[str, ...]


def review(ledger: Ledger, filed: Filed) -> Review:
    """Make a request again, hold it against what was filed, and say what it would mean."""
    kind, told = next(iter(json.loads(filed.told).items()))
    looked = look_again(kind, told)
    if looked.charge.digest != filed.terms.charge:
        raise LedgerError(
            "what was filed is not what this request asks for now: a dictionary, a map or another file behind it has "
            "changed since, or whoever filed it asked for another thing. It cannot be approved; let it be asked for "
            "again",
            code="ledger.filed-otherwise",
        )
    loss = looked.charge.cost.loss
    return Review(
        filed,
        facts_of(filed),
        yaml.safe_dump(told, sort_keys=False, allow_unicode=True),
        looked.promise,
        looked.forecast,
        looked.in_short,
        (*not_covered(filed.terms.unit, loss), RECORDS_MAY_CHANGE),
        ledger.history(filed.dataset),
        _budgets(ledger, filed.dataset),
    )


def look_again(kind: str, told: dict[str, Any]) -> Looked:
    """Make a request anew from what was told of it: dictionary, map and price; no record is read."""
    match kind:
        case "release":
            prepared = pipeline.prepare(ReleaseRequest.read(told))
            return Looked(prepared.charge, _promise(prepared.asked), *_forecast(prepared.asked))
        case "phrases":
            phrases = phrasing.PhraseRequest.read(told)
            of_one = odds_sentence(phrases.records.unit, phrases.records.adjacency, phrases.loss)
            told_of = OF_PHRASES.format(least=phrases.terms.threshold)
            return Looked(phrasing.charge_for(phrases), (of_one,), told_of, (told_of,))
        case "series":
            declared = Declared.model_validate({"request": told["request"], "lives": told["lives"]})
            series = Series(Path(told["folder"]), declared)
            asked = series.asked(declared.terms.every.declared[0], series.life)
            return Looked(series.charge, _promise(asked), OF_SERIES, (OF_SERIES,))
        case _:
            raise LedgerError("this version of dpspin does not know what was asked for here: use the one that asked")


def _promise(asked: ResolvedRequest) -> tuple[str, ...]:
    statement = asked.statement
    return (odds_sentence(statement.unit, statement.adjacency, statement.loss), *promised(statement, None))


def _forecast(asked: ResolvedRequest) -> tuple[str, tuple[str, ...]]:
    spec, statement = asked.spec, asked.statement
    if not isinstance(spec.denominator, PublicNumber):
        return NO_SHARES, (NO_SHARES,)
    told = forecast(
        asked.origin.unit,
        asked.origin.adjacency,
        spec.loss if spec.grounding is None else statement.loss_of_sketch,
        spec.mechanism,
        atoms=asked.universe.size,
        size=spec.size,
        denominator=spec.denominator.value,
        beta=spec.beta,
        bins=spec.bins,
        besides=statement.contribution_map.besides,
        quantity=asked.origin.quantity,
        sampling=asked.origin.sampling,
        views=spec.views,
    )
    return render_forecast(told), tuple(say(told) for say in (in_short.seen, in_short.unseen, in_short.compared))


def facts_of(filed: Filed) -> tuple[tuple[str, str], ...]:
    """Say what was filed, in a few words."""
    terms = filed.terms
    loss = f"epsilon {terms.epsilon:g}" + (f", delta {terms.delta:g}" if terms.delta else "")
    return (
        ("request", filed.short),
        ("dataset", filed.dataset),
        ("asked by", f"{terms.by.name} ({terms.by.fingerprint}), on {terms.day}"),
        ("for", filed.note),
        ("protects", f"{WHOM[terms.unit]} ({terms.adjacency})"),
        ("costs", loss),
        ("noise by", terms.mechanism.replace("_", " ")),
    )


def _budgets(ledger: Ledger, dataset: str) -> tuple[str, ...]:
    """Say what is left, and every decision on the total: anybody may raise it, and an officer should see who did."""
    names = {dataset, ledger.population_of(dataset)}
    left = tuple(
        f"{each.kind} {each.name!r}: spent {each.budget.words(each.budget.spent)} of "
        f"{each.budget.words(each.budget.cap)}, left {each.budget.words(each.budget.left)}"
        for each in ledger.overviews()
        if each.name in names
    )
    decided = (each for each in ledger.decisions() if each.name in names)
    told = (f"{each.day}: {each.cap.words(each.currency)} decided in all. {each.note}" for each in decided)
    return (*left, *(words.rstrip() for words in told))
