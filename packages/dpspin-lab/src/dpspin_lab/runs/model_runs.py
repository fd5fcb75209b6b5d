"""Runs whose texts a language model writes: which ones, what they will take, and how they are made and resumed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final, Literal

from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.llm.question import Price, Reply, Usage
from dpspin.public.narrate.decoders.decoder import History
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import DecoderName, Mode
from dpspin.public.narrate.writer import decoder_named
from dpspin_lab.datasets.registry import dataset
from dpspin_lab.not_private import endpoint_at, require_reader
from dpspin_lab.runs.config import EmbedderName, MechanismName, RunConfig, Source, Unit
from dpspin_lab.runs.costs import Cost, Estimate
from dpspin_lab.runs.grids import Setting, probed, seeded_runs
from dpspin_lab.runs.kept_answers import KeptAnswers, keeping
from dpspin_lab.runs.parallel_runs import Planned, planned, prepare_folders
from dpspin_lab.runs.prepared import key_of, prepared_at, start_of
from dpspin_lab.runs.record_preparation import SUPPORTS
from dpspin_lab.runs.releasing import released
from dpspin_lab.runs.run import is_finished, run, write_run

Files = Mapping[Source, Path]
ModelBackend = Literal["llm", "claims"]
MECHANISMS: Final = (MechanismName.GAUSSIAN, MechanismName.PRIVATE_TOP_L)  # of the paper's tables of texts
EPSILONS: Final = (1.0, 4.0)
PAPERS_UNITS: Final[Mapping[tuple[str, Unit, MechanismName], int]] = {  # protected there
    ("cfpb", "record", MechanismName.GAUSSIAN): 2000,
    ("cfpb", "record", MechanismName.PRIVATE_TOP_L): 5000,
    **{("amazon", "record", mechanism): 2000 for mechanism in MECHANISMS},
    **{("amazon", "user", mechanism): 1000 for mechanism in MECHANISMS},
    **{("yelp", "record", mechanism): 5000 for mechanism in MECHANISMS},
    **{("yelp", "user", mechanism): 2000 for mechanism in MECHANISMS},
}
PLANS_OF_A_SEED: Final = len(MECHANISMS) * len(EPSILONS) + 1  # those of as many units share the exact one
PROBE_SEEDS: Final = 2  # of the probe at its largest support and budget, where it is nearly always admitted
LONGEST: Final = 300  # tokens of an answer, as runs have by default
REMARKS: Final = 150  # tokens of the verifier's remarks on a text, roughly
CONTRACTS: Final = {"llm": "legacy_text", "claims": "structured_claims"}


@dataclass(frozen=True, slots=True)
class Decoding:
    """Which model writes the texts of an evaluation, by which decoders, and of about how many plans of a data set.

    It reads exact plans, and simulated releases whose noise anybody can take off: so it is the curator's, or all
    records are public, which only the caller knows.
    """

    endpoint: Endpoint
    backends: tuple[ModelBackend, ...] = ("llm",)
    plans: int = 20
    attempts: int = 3
    at_once: int = 1
    embedder: EmbedderName = "none"
    price: Price | None = None
    estimate_only: bool = False
    records_are_public: bool = False

    def __post_init__(self) -> None:
        require_reader(Chat(self.endpoint), records_are_public=self.records_are_public)

    def chat(self, out: Path) -> Chat:
        """Ask about other releases than runs have, as long as runs may; answers are kept."""
        asked = Chat(self.endpoint, max_tokens=LONGEST)
        return asked.through(keeping(asked, out))


def planned_texts(setting: Setting, files: Files, decoding: Decoding, out: Path) -> list[Planned]:
    """Plan the runs of one data set and unit in which the model writes."""
    configs = [*model_grid(setting, units_of(setting.dataset), decoding), *model_probe(setting, decoding)]
    return planned(configs, lambda config: files[config.source], out)


def units_of(name: str) -> int:
    """Count the units that a data set has runs for: records, and users where it names them."""
    return len(dataset(name).units)


def model_grid(setting: Setting, units: int, decoding: Decoding) -> Iterator[RunConfig]:
    """Return the runs of the paper's tables of texts: two mechanisms, two budgets, and seeds for about so many plans.

    As many units are protected as there, where the target has as many, else the next smaller number. The runs of a seed
    that protect as many share its exact plan, which is one more: CFPB's two numbers make it two, so that 20 plans are
    24 where its target has 5,000 records. ``units`` is how many units the data set has runs for, record and user level
    together.
    """
    seeds = max(1, round(decoding.plans / (units * PLANS_OF_A_SEED)))
    for backend, mechanism, epsilon in product(decoding.backends, MECHANISMS, EPSILONS):
        yield from seeded_runs(
            setting,
            seeds,
            n=_protected(setting, mechanism),
            B=next(iter(setting.bounds), None),
            mechanism=mechanism,
            epsilon=epsilon,
            summary_embedding_backend=decoding.embedder,
            **_written_by(decoding, backend),
        )


def model_probe(setting: Setting, decoding: Decoding) -> Iterator[RunConfig]:
    """Return runs of the probe where it is admitted, each with one text, which may leave it out."""
    for backend in decoding.backends:
        yield from seeded_runs(
            setting,
            PROBE_SEEDS,
            **probed(setting, max(SUPPORTS)),
            mechanism=MechanismName.GAUSSIAN,
            epsilon=max(EPSILONS),
            clean_reference_decoder_backend="none",
            **_written_by(decoding, backend),
        )


def _written_by(decoding: Decoding, backend: ModelBackend) -> dict[str, Any]:
    return {
        "decoder_backend": backend,
        "decoder_contract_mode": CONTRACTS[backend],
        "decoder_model": decoding.endpoint.model,
        "decoder_attempts": decoding.attempts,
    }


def _protected(setting: Setting, mechanism: MechanismName) -> int:
    papers = PAPERS_UNITS[setting.dataset, setting.unit, mechanism]
    return max((n for n in setting.ns if n <= papers), default=setting.n)


def make_with_a_model(
    runs: Sequence[Planned], keeper: KeptAnswers, endpoint: Endpoint, tell: Callable[[int], None], at_once: int = 1
) -> int:
    """Make every run that is not there yet, several at once; return how many that were."""
    prepare_folders(runs)
    missing = unfinished(runs)
    tell(len(runs) - len(missing))
    with ThreadPoolExecutor(at_once) as pool:
        try:
            for made in as_completed([pool.submit(_make, one, keeper, endpoint) for one in missing]):
                made.result()
                tell(1)
        finally:
            pool.shutdown(cancel_futures=True)
    return len(missing)


def unfinished(runs: Iterable[Planned]) -> list[Planned]:
    """Return the runs that are not there yet."""
    return [one for one in runs if not is_finished(one.folder)]


def chat_for(config: RunConfig, endpoint: Endpoint, keeper: KeptAnswers) -> Chat:
    """Ask as the run says, with a count of its own, through whoever keeps answers."""
    settings = (config.decoder_temperature, config.decoder_seed, config.decoder_max_tokens)
    return Chat(endpoint, *settings).through(keeper)


def writer_of(config: RunConfig, llm_url: str | None, *, trusted: bool, records_are_public: bool) -> Chat | None:
    """Return the model that a run names, at an address where it may read; nothing where no model writes."""
    if config.decoder_model is None:
        if llm_url is not None or trusted:
            raise RequestError(
                "--llm-url goes with a run in which a model writes: set decoder_backend to llm or claims"
            )
        return None
    if llm_url is None:
        raise RequestError(f"the run's text is written by {config.decoder_model}: say where it is served (--llm-url)")
    chat = Chat(endpoint_at(llm_url, config.decoder_model, trusted=trusted))
    require_reader(chat, records_are_public=records_are_public)
    return chat


def _make(one: Planned, keeper: KeptAnswers, endpoint: Endpoint) -> None:
    start = start_of(one.config, prepared_at(one.prepared))
    write_run(one.folder, run(one.config, start, chat_for(one.config, endpoint, keeper)))


def estimated(runs: Sequence[Planned], endpoint: Endpoint, out: Path) -> Estimate:
    """Ask the first two questions of each decoder, which the runs ask anyway, and reckon with what they took."""
    missing = unfinished(runs)
    least = most = Cost()
    for backend in dict.fromkeys(one.config.decoder_backend for one in missing):
        chosen = [one for one in missing if one.config.decoder_backend == backend]
        first = _first_questions(chosen[0], endpoint, out)
        attempts = chosen[0].config.decoder_attempts
        texts = _texts(chosen)
        again = (attempts - 1) * len(chosen) if backend == "llm" else texts  # claims: once more where unreadable
        longer = sum(range(attempts)) * (first.usage.answer_tokens + REMARKS) if backend == "llm" else 0
        least += first.times(texts)
        most += first.times(texts + again) + Cost(Usage(0, longer * len(chosen)))
    return Estimate(f"{len(missing)} runs", least, most)


def _texts(runs: Sequence[Planned]) -> int:
    """Count the texts of runs: one of each for the verifier and, where texts are compared, one of the private plan.

    An exact plan has a text too, which all runs from the same units share.
    """
    comparing = [one for one in runs if _compares(one)]
    return len(runs) + len(comparing) + len({(one.prepared, key_of(one.config)) for one in comparing})


def _compares(one: Planned) -> bool:
    return one.config.clean_reference_decoder_backend != "none"


def _first_questions(one: Planned, endpoint: Endpoint, out: Path) -> Cost:
    """Ask what the run asks anyway, and return what one answer takes on average; a refusal takes no tokens."""
    heard: list[Reply] = []
    start = start_of(one.config, prepared_at(one.prepared))
    plan = released(one.config, start).plan
    if plan is None:
        raise AssertionError("the paper's mechanisms release a plan")
    chat = chat_for(one.config, endpoint, keeping(Chat(endpoint), out, heard.append))
    for mode in (Mode.AUDIT, Mode.DISPLAY) if _compares(one) else (Mode.AUDIT,):
        decoder_named(DecoderName(one.config.decoder_backend), mode, chat)(
            Facts(plan, start.prepared.universe), History()
        )
    answered = sum(reply.text is not None for reply in heard)
    return Cost(chat.meter.usage, sum(reply.seconds for reply in heard)).each(answered)
