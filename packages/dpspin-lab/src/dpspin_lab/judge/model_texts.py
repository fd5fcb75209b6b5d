"""What a judge says of texts that language models wrote: six scores, and the private text against the exact plan's.

The judge is the one of the evaluation, so its test on known answers decides here too whether it is believed.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dpspin.boundary.folders import PLAN_OF_A_RUN
from dpspin.boundary.plan import SemanticPlan
from dpspin_lab.judge.answers import Asking, KeptJudge, Scores
from dpspin_lab.judge.case import Case, case_of_plan, scoring_prompt
from dpspin_lab.judge.judging import averaged, preferred, write_judged
from dpspin_lab.judge.pairwise import Pair, preferred_by
from dpspin_lab.runs.config import RunConfig
from dpspin_lab.runs.run import TEXTS, is_finished
from dpspin_lab.runs.summary import Row

SCORES, PAIRS = "judged_texts", "judged_text_pairs"  # the tables
Writer = tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A model's text of a release; the display text of a run has a pair, with that of the exact plan."""

    setting: Writer
    case: Case = field(repr=False)
    pair: Pair | None = field(default=None, repr=False)


def written_texts(runs: Path, most: int) -> list[WrittenText]:
    """Read what models wrote in the runs of a data set and unit: of each setting the first seeds, ``most`` of them."""
    found: dict[Writer, list[tuple[int, WrittenText]]] = {}
    for folder in sorted(path.parent for path in runs.glob(f"*/{TEXTS}") if is_finished(path.parent)):
        config = RunConfig.model_validate(json.loads((folder / "metrics.json").read_text(encoding="utf-8"))["config"])
        if config.clean_reference_decoder_backend != "none":
            one = _text(folder, config)
            found.setdefault(one.setting, []).append((config.seed, one))
    by_seed = (sorted(every, key=lambda each: each[0])[:most] for every in found.values())
    return [one for every in by_seed for _, one in every]


def _text(folder: Path, config: RunConfig) -> WrittenText:
    plan = SemanticPlan.from_json((folder / PLAN_OF_A_RUN).read_text(encoding="utf-8"))
    texts = json.loads((folder / TEXTS).read_text(encoding="utf-8"))
    setting = {
        "unit": config.protected_unit,
        "decoder_model": config.decoder_model,
        "decoder_backend": config.decoder_backend,
        "method": f"plan, {config.mechanism.value}",
        "epsilon": config.epsilon,
        "units": config.n,
    }
    return WrittenText(
        tuple(setting.items()),
        case_of_plan(plan, texts["display"], dataset=config.dataset, method=f"plan, {config.mechanism.value}"),
        Pair(name=folder.name, reference_plan=texts["reference_plan"], dp=texts["display"], np=texts["reference"]),
    )


def rival_texts(cases: Iterable[Case], model: str) -> list[WrittenText]:
    """Put the rivals' texts by the same model beside them; they have no exact plan to be compared with."""
    return [WrittenText(tuple(_rival_setting(case, model).items()), case) for case in cases]


def _rival_setting(case: Case, model: str) -> Row:
    return {
        "unit": case.protected_unit,
        "decoder_model": model,
        "decoder_backend": "llm",
        "method": case.method,
        "epsilon": case.epsilon,
        "units": case.protected_units,
    }


def text_questions(texts: Sequence[WrittenText]) -> int:
    """Count what is asked: a score of each text, and each pair in both orders."""
    return len(texts) + 2 * sum(one.pair is not None for one in texts)


def judge_written(texts: Sequence[WrittenText], ask: KeptJudge, folder: Path) -> None:
    """Ask everything about them, and write both tables; rows of other judges stay."""
    write_judged(folder, SCORES, text_score_rows(texts, ask), ask.name)
    write_judged(folder, PAIRS, text_pair_rows(texts, ask), ask.name)


def text_score_rows(texts: Sequence[WrittenText], ask: Asking) -> Iterator[Row]:
    """Yield one row per setting: mean and spread of the six scores."""
    for setting, every in _settings(texts):
        yield {**setting, **averaged([ask(scoring_prompt(one.case), Scores) for one in every])}


def text_pair_rows(texts: Sequence[WrittenText], ask: Asking) -> Iterator[Row]:
    """Yield one row per setting: the paper's DPPreferred, each pair in both orders."""
    for setting, every in _settings(texts):
        if pairs := [one.pair for one in every if one.pair is not None]:
            yield {**setting, **preferred([preferred_by(ask, pair.reference_plan, pair.dp, pair.np) for pair in pairs])}


def _settings(texts: Iterable[WrittenText]) -> Iterator[tuple[Row, list[WrittenText]]]:
    groups: dict[Writer, list[WrittenText]] = {}
    for one in texts:
        groups.setdefault(one.setting, []).append(one)
    yield from ((dict(setting), every) for setting, every in groups.items())
