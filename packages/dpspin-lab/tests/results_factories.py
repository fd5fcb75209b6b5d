"""Tables of an evaluation in which every claim of the results page holds clearly; tests spoil them one by one."""

from collections.abc import Mapping
from typing import Any, Final

from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.judge.validity import LOWERED, Spoiling
from dpspin_lab.results.evaluation_tables import Results

Row = dict[str, Any]

RUNS: Final = 2000  # of each setting: enough for every interval to be clear
EPSILONS: Final = (0.1, 0.5, 1.0, 4.0)
MECHANISMS: Final = ("laplace", "gaussian", "private_topL", "private_topL_tight", "auto", "laplace_eb", "public_only")
WITH_WORDS: Final = ("laplace", "gaussian", "private_topL")
THE_PAPERS: Final = {"split": "hash", "dictionary": "built", "assignment_map": "ngram"}
_FIRST_OVERLAP = {
    "laplace": 0.88,
    "auto": 0.885,
    "laplace_eb": 0.885,
    "gaussian": 0.85,
    "private_topL": 0.2,
    "private_topL_tight": 0.3,
    "public_only": 0.5,
}
WRITER = {  # with what a model was asked
    "decoder_model": "tiny",
    "decoder_temperature": 0.0,
    "decoder_seed": 0,
    "decoder_attempts": 2,
    "decoder_max_tokens": 300,
}
_LIKENESS = ("j_tok", "j_2", "j_kp", "cos_tfidf")
_JUDGED = {"coverage": 4.5, "specificity": 4.0, "insightfulness": 3.5, "privacy_safety": 5.0, "clarity": 4.5}
_METHODS = (
    *("plan, laplace", "plan, gaussian", "plan, private_topL"),
    *("keyword_histogram", "category_histogram", "urania"),
)


def ideal_results() -> Results:
    """Return tables in which every claim holds, with as many runs as that takes."""
    return Results(
        grids=(_grid("cfpb", "record"), _grid("yelp", "record"), _grid("yelp", "user")),
        others=(_later("yelp"), _hybrid("cfpb"), _hybrid_later("cfpb"), *_both_maps_later("cfpb")),
        probes=(_probe("cfpb", "record"), _probe("yelp", "user")),
        models=(_model_texts("cfpb", "record"), _model_texts("yelp", "user")),
        model_probes=(_model_probe("cfpb", "record"),),
        rivals={"cfpb": _rivals()},
        methods={"cfpb": _methods()},
        judged={"cfpb": _judged()},
        judged_pairs={"cfpb": _judged_pairs()},
        judged_known={"cfpb": judged_known()},
        judged_texts={"cfpb": _judged_texts()},
        judged_text_pairs={"cfpb": _judged_text_pairs()},
    )


def row_of(dataset: str, unit: str, mechanism: str, epsilon: float, **fields: Any) -> Row:
    """Return one group of runs; fields overwrite what is usual."""
    bound = {"B": 1.0} if unit == "user" else {"B": None}
    setting = {"dataset": dataset, "protected_unit": unit, "m": 100, "K": 3, "L": 10, **bound, **THE_PAPERS}
    size = {"n_users" if unit == "user" else "n_records": 1000}
    spent = {"delta_eff": 0.0 if mechanism in {"laplace", "public_only"} else 1e-6, "rho": 0.5}
    given = {
        **setting,
        **size,
        **spent,
        "mechanism": mechanism,
        "epsilon": epsilon,
        "decoder_backend": "template",
        **fields,
    }
    return _with_spread({**_measures(given), **fields}, {**given, "runs": RUNS})


def _grid(dataset: str, unit: str) -> Table:
    sizes = (50, 200) if dataset == "cfpb" else (50, 100)
    main = [
        row_of(dataset, unit, mechanism, epsilon, m=m)
        for m in sizes
        for mechanism in MECHANISMS
        for epsilon in EPSILONS
    ]
    fixed = 0.5 if dataset == "cfpb" else 1.0
    size = "n_users" if unit == "user" else "n_records"
    fewer = [row_of(dataset, unit, name, fixed, m=sizes[-1], **{size: 500}) for name in WITH_WORDS]
    wider = [row_of(dataset, unit, name, fixed, m=sizes[-1], B=2.0) for name in WITH_WORDS] if unit == "user" else []
    return Table(dataset, unit, [*main, *fewer, *wider])


def _model_texts(dataset: str, unit: str) -> Table:
    """Return runs in which a model wrote prose, and others in which it chose claims."""
    rates = {"first_accepted": 0.4, "fallback": 0.25, "attempts": 2.0, "named": 0.8, "display_named": 0.9}
    written = {**rates, "display_accepted": 0.5, "questions": 4.0, "summary_embedding_backend": "minilm", **WRITER}
    contracts = {"llm": "legacy_text", "claims": "structured_claims"}
    rows = [
        row_of(dataset, unit, mechanism, epsilon, decoder_backend=backend, decoder_contract_mode=contract, **written)
        for backend, contract in contracts.items()
        for mechanism in ("gaussian", "private_topL")
        for epsilon in (1.0, 4.0)
    ]
    return Table(dataset, unit, rows)


def _model_probe(dataset: str, unit: str) -> Table:
    """Return runs of the probe in which a model wrote, and left it out in a tenth."""
    prose = {"decoder_backend": "llm", "decoder_contract_mode": "legacy_text", **WRITER}
    figures = {"probe_support": 200, "probe_admission": 1.0, "probe_mention": 0.9, "accepted": 0.5}
    return Table(dataset, unit, [row_of(dataset, unit, "gaussian", 4.0, **prose, **figures)])


_WRITTEN = {"protected_unit": "record", "decoder_backend": "llm", "epsilon": 1.0, "units": 1000, **WRITER}


def _judged_texts() -> list[Row]:
    row = {"judge": "a model", **_WRITTEN, "method": "plan, gaussian", "texts": RUNS, "invalid": 0}
    return [_with_spread({**_JUDGED, "faithfulness": 4.5}, row)]


def _judged_text_pairs() -> list[Row]:
    counts = {"pairs": 3, "same": 3, "invalid": 0, "preferred": 0.5, "preferred_sd": 0.1, "decided": 6, "first": 3}
    return [{"judge": "a model", **_WRITTEN, "method": "plan, gaussian", **counts}]


def _measures(given: Mapping[str, Any]) -> Row:
    mechanism, step = given["mechanism"], EPSILONS.index(given["epsilon"])
    size, bound = given.get("n_users") or given.get("n_records") or 0, given["B"] or 1.0
    private = mechanism.startswith("private")
    overlap = _FIRST_OVERLAP[mechanism] - given["m"] / 2_000
    overlap += 0.0 if mechanism == "public_only" else step * (0.15 if private else 0.03)
    found = {
        "overlap": overlap,
        "mass_retained": 0.5 + 0.1 * step if private else 0.97 + 0.005 * step,
        "support_mass_loss": 400.0 - 100 * step if private else {"laplace": 4.0 - step}.get(mechanism, 8.0 - 2 * step),
        "error_l2": bound * {"laplace": 10.0}.get(mechanism, 20.0) / given["epsilon"],
        "exact_mass": size * (0.8 + 0.1 * bound),
        "loss_inside": 1.0,
        "value_error_inside": 1.0,
    }
    if given["dataset"] == "cfpb":
        asked = 0.5 if mechanism == "public_only" else 0.3
        found |= {"truth_overlap": 0.2, "truth_tv": asked, "truth_tv_mapping": 0.25, "truth_tv_noise": 0.01}
    return found | (_texts(overlap) if mechanism in WITH_WORDS else {})


def _texts(overlap: float) -> Row:
    said = {"accepted": 1.0, "uar": 0.0, "ucr": 0.0, "comparisons": 1.5}
    return said | dict.fromkeys(_LIKENESS, 0.9 * overlap)


def _later(dataset: str) -> Table:
    overlaps = {"laplace": 0.8, "public_only": 0.3}
    rows = [
        row_of(dataset, "record", mechanism, epsilon, split="time", overlap=overlap)
        for mechanism, overlap in overlaps.items()
        for epsilon in EPSILONS
    ]
    return Table(dataset, "record", rows)


def _hybrid(dataset: str) -> Table:
    fields = {"assignment_map": "hybrid", "m": 200, "truth_tv": 0.2}
    return Table(dataset, "record", [row_of(dataset, "record", "laplace", epsilon, **fields) for epsilon in EPSILONS])


def _hybrid_later(dataset: str) -> Table:
    fields = {"assignment_map": "hybrid", "split": "time", "m": 200, "K": 200}
    rows = [
        row_of(dataset, "record", mechanism, epsilon, **fields, **figures)
        for mechanism, figures in {"laplace": {"truth_tv": 0.2}, "public_only": {"labels_tv": 0.3}}.items()
        for epsilon in EPSILONS
    ]
    return Table(dataset, "record", rows)


def _both_maps_later(dataset: str) -> tuple[Table, ...]:
    """The same records cut to K=3, by either map; the sketch plays no part here."""
    return tuple(
        Table(
            dataset,
            "record",
            [
                row_of(
                    dataset, "record", "laplace", epsilon, assignment_map=name, split="time", m=200, truth_tv=distance
                )
                for epsilon in EPSILONS
            ],
        )
        for name, distance in {"ngram": 0.4, "hybrid": 0.3}.items()
    )


def _probe(dataset: str, unit: str) -> Table:
    admitted = {0: 0.0, 5: 0.05, 50: 0.6}
    rows = [
        row_of(
            dataset,
            unit,
            mechanism,
            epsilon,
            m=201,
            **{"n_users" if unit == "user" else "n_records": 1000 + support},
            probe_support=support,
            probe_admission=min(1.0, rate * (1.5 if epsilon == EPSILONS[-1] else 1.0)),
            probe_mention=0.9 * rate,
            probe_mass=float(support),
            probe_rank=100.0 / (1 + support),
        )
        for mechanism in WITH_WORDS
        for epsilon in (0.5, 4.0)
        for support, rate in admitted.items()
    ]
    return Table(dataset, unit, rows)


def _rivals() -> list[Row]:
    quality = {"urania": {"cosine": 0.4, "described": 0.3}, "urania_joint": {"cosine": 0.6, "described": 0.5}}
    heads = {"keyword_histogram": {"head": 0.95}, "category_histogram": {"head": 1.0}}
    return [
        _with_spread(figures, {"method": method, "epsilon": epsilon, "draws": RUNS})
        for method, figures in (quality | heads).items()
        for epsilon in (0.5, 1.0)
    ]


def _methods() -> list[Row]:
    written = {"coverage": 1.0, "verified": None, "readability": 30.0, "j_kp": 0.5, "cos_tfidf": 0.6}
    released = [
        _with_spread(written, {"method": name, "private": True, "epsilon": 1.0, "texts": RUNS}) for name in _METHODS
    ]
    return [*released, {"method": "raw sample", "private": False, "epsilon": None, "texts": 1, **written}]


def _judged() -> list[Row]:
    counts = {"judge": "a model", "epsilon": 1.0, "units": 1000, "texts": RUNS, "invalid": 0}
    scores = {name: {**_JUDGED, "faithfulness": 3.5 if name == "urania" else 4.8} for name in _METHODS}
    return [_with_spread(scores[name], {**counts, "method": name}) for name in _METHODS]


def _judged_pairs() -> list[Row]:
    answers = {"pairs": 20, "same": 18, "decided": 40, "first": 21, "invalid": 0}
    setting = {"judge": "a model", "ours": "plan, gaussian", "epsilon": 1.0, **answers}
    return [_with_spread({"preferred": 0.75}, {**setting, "method": name}) for name in _METHODS[3:]]


def judged_known(judge: str = "a model", *, right: int = 20) -> list[Row]:
    """Return what a judge made of twenty spoiled texts of each kind."""
    told = {"cases": 20, "by_score": right, "by_pair": right, "true_score": 4.5, "worse_score": 2.0}
    places = {"decided": 40, "first": 20, "invalid": 0}
    return [{"judge": judge, "spoiled": how.value, "score": LOWERED[how], **told, **places} for how in Spoiling]


def _with_spread(figures: Mapping[str, Any], setting: Row) -> Row:
    spread = {f"{name}_sd": 0.001 for name, value in figures.items() if isinstance(value, float)}
    return {**spread, "privacy_safety_sd": 0.0, **setting, **figures}
