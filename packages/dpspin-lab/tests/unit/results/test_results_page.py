"""The page is read from the tables of an evaluation and nothing else, and shows no word of the data."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dpspin.cli.main import app
from dpspin.errors import InputError, SourceError
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.registry import CFPB
from dpspin_lab.datasets.statistics import report_of
from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.results.claims import on_model_texts
from dpspin_lab.results.claims.claim import judge
from dpspin_lab.results.estimate import Estimate
from dpspin_lab.results.evaluation_tables import BY_DATASET, Results, read_results
from dpspin_lab.results.evidence import Stand
from dpspin_lab.results.page import OURS, THE_PAPERS, page_of
from dpspin_lab.results.verdict import above, weighed
from dpspin_lab.results.writing import write_page
from dpspin_lab.runs.evaluation_log import EvaluationLog, logged_evaluation
from dpspin_lab.runs.summary import write_table
from results_factories import RUNS, ideal_results

KEYS_TOLD = {  # numbers that the history of the rules names
    "laplace-plans": 2,
    "tight-admission": 3,
    "beats-public-only": 6,
    "asking-over-time": 12,
    "certified-loss": 16,
    "certified-values": 17,
    "asking-and-truth": 18,
    "asking-is-truer-over-time": 19,
    "planner": 4,
    "histogram-heads": 10,
    "map-and-noise": 13,
    "hybrid-map": 15,
    "record-mass-below": 20,
    "private-improves-from-below": 28,
    "mass-and-overlap-users": 29,
    "private-improves-records": 34,
}

PAPERS_TOLD = {  # the same
    "record-mass": 1,
    "mass-and-overlap": 2,
    "missed-themes-are-light": 3,
    "near-zero-losses": 5,
    "private-gains-most": 7,
    "user-mass": 8,
    "private-improves": 10,
    "probe-rare": 11,
    "mention-within-admission": 14,
    "probe-mass": 16,
    "probe-rank": 17,
    "probe-budget": 18,
    "sketch-overlap-falls-with-m": 20,
    "gaussian-text-closer": 27,
    "mention-may-be-lower": 15,
    "gaussian-model-text-closer": 34,
    "private-model-text-gains": 35,
}


def write_evaluation(out: Path) -> Path:
    """Write the tables as an evaluation leaves them: rows of other starts are in the same file."""
    results = ideal_results()
    every = {
        "": (*results.grids, *results.others),
        "probe_": results.probes,
        "model_": results.models,
        "model_probe_": results.model_probes,
    }
    for prefix, tables in every.items():
        for dataset, unit in {(table.dataset, table.unit) for table in tables}:
            rows = [row for table in tables if (table.dataset, table.unit) == (dataset, unit) for row in table.rows]
            write_table(
                out / dataset / "summaries", f"{prefix}{unit}", [{**row, "of_a_later_version": 1} for row in rows]
            )
    for name in BY_DATASET:
        for dataset, table in getattr(results, name).items():
            write_table(out / dataset / "summaries", name, table)
    _write_statistics(out)
    with logged_evaluation(out, "quick", seeds=20, workers=2):
        pass
    return out


def _write_statistics(out: Path) -> None:
    texts = ("the lender Quillfeather lost my papers", "a fee that nobody named") * 10
    ids, days, issues = tuple(map(str, range(20))), ("2020-01-01",) * 20, ("Zanzibar fees",) * 20
    corpus = Corpus("cfpb", ids, texts, None, days, issues, issues)
    (out / "cfpb" / "stats").mkdir(parents=True)
    report = report_of(CFPB, corpus, auxiliary_share=0.5, salt="0")
    (out / "cfpb" / "stats" / "dataset.json").write_text(report.model_dump_json())


@pytest.fixture
def evaluation(tmp_path: Path) -> Path:
    return write_evaluation(tmp_path / "runs")


def test_tables_are_read_back_with_rows_of_other_starts_apart(evaluation: Path):
    read, made = read_results(evaluation), ideal_results()

    assert [(table.dataset, table.unit, len(table.rows)) for table in read.grids] == [
        (table.dataset, table.unit, len(table.rows)) for table in made.grids
    ]
    assert {table.rows[0]["split"] for table in read.others} == {"hash", "time"}
    assert read.log is not None
    assert read.log.seeds == 20


def test_tables_without_the_later_columns_are_the_papers(evaluation: Path):
    path = evaluation / "yelp" / "summaries" / "user.json"
    rows = json.loads(path.read_text())["rows"]
    old = [{name: value for name, value in row.items() if name not in {"split", "dictionary"}} for row in rows]
    path.write_text(json.dumps({"private": False, "rows": old}))

    assert len(read_results(evaluation).grids[-1].rows) == len(rows)


def test_a_folder_without_summaries_is_refused(tmp_path: Path):
    with pytest.raises(SourceError, match="dpspin lab paper"):
        read_results(tmp_path)


def test_the_page_tells_every_claim_with_its_verdict(evaluation: Path):
    page = page_of(read_results(evaluation))

    assert page.count("Verdict: **holds**") == page.count("\nTest: ")
    assert "### P1\n" in page
    assert "### O1\n" in page
    assert "20 seeds" in page
    assert "**These are samples, and none is uniform.**" in page


def test_the_page_shows_no_word_of_the_records(evaluation: Path):
    page = page_of(read_results(evaluation))

    assert "Quillfeather" not in page
    assert "Zanzibar" not in page


def test_sections_without_rows_do_not_appear():
    whole = page_of(ideal_results())
    results = ideal_results()
    less = page_of(type(results)(grids=results.grids))

    assert "## All methods at the same ε" in whole
    assert "## All methods at the same ε" not in less
    assert "| cfpb, record | 1,000 + s |" in whole
    assert "The controlled probe" not in less
    assert "| cfpb, record, hash, hybrid | 3 | Laplace sketch + top-L | 1 |" in whole
    assert "| cfpb, record, time, hybrid | all | Auxiliary labels alone (no records, no map) | none |" in whole
    assert "hybrid" not in less.partition("## What we found, one by one")[0].partition("## All mechanisms")[2]


def test_what_a_model_wrote_is_told_by_writer_and_by_setting():
    page = page_of(ideal_results())
    assert "No language model wrote" not in page
    claims = "| tiny | claims, structured_claims | T=0, 2 attempts, 300 tokens | cfpb, record |"
    [rates] = [line for line in page.splitlines() if line.startswith(claims)]
    assert "| 8,000 |" in rates  # four settings, each run once
    assert "| 80 % | 90 % | 50 % |" in rates
    prose = "tiny | llm, legacy_text | T=0, 2 attempts, 300 tokens |"
    likeness = [line for line in page.splitlines() if line.startswith(f"| yelp | user | {prose} Gaussian")]
    assert [line.split(" | ")[6] for line in likeness] == ["1", "4"]
    judged = "| cfpb | record | tiny | llm | T=0, 2 attempts, 300 tokens | plan, gaussian |"
    written = [line for line in page.splitlines() if line.startswith(judged)]
    assert [line.split(" | ")[7] for line in written] == ["2000", "3"]  # scores of texts, then pairs
    [probe] = [line for line in page.splitlines() if line.startswith(f"| cfpb, record | {prose} Gaussian")]
    assert probe.endswith("| 4 | 200 | 2000 | 100 % | 90 % | 50 % |")
    assert "No language model wrote a text here" in page_of(Results())


def test_what_was_never_measured_of_a_writer_is_no_rate():
    results = ideal_results()
    [table] = results.models[:1]
    rows = [{**row, "display_named": None, "display_accepted": None, "comparisons": None} for row in table.rows]
    [probe] = results.model_probes[0].rows
    probed = Table("cfpb", "record", [{**probe, "probe_mention": None}])
    page = page_of(replace(results, models=(replace(table, rows=rows),), model_probes=(probed,)))
    told = page.partition("## What language models wrote")[2].partition("These runs are made by:")[0]

    assert [line.split(" | ")[11:14] for line in told.splitlines() if line.startswith("| tiny ")] == [
        ["-", "-", "-"],
        ["-", "-", "-"],
    ]
    assert "| 4 | 200 | 2000 | 100 % | - | 50 % |" in page


def test_texts_of_two_contracts_or_two_ways_to_ask_are_never_pooled():
    results = ideal_results()
    others = ({"decoder_contract_mode": "audit_text"}, {"decoder_attempts": 3}, {"decoder_temperature": 0.5})
    rows = [row for row in results.models[0].rows if row["decoder_backend"] == "llm"]
    spoiled = [{**row, "accepted": 0.0, "j_tok": 0.0, **other} for other in others for row in rows]
    table = Table("cfpb", "record", [*rows, *spoiled])
    page = page_of(replace(results, models=(table,)))
    rates = [line for line in page.splitlines() if line.startswith("| tiny | llm, ") and "| cfpb, record |" in line]

    assert [line.split(" | ")[5] for line in rates] == ["100 %", "0 %", "0 %", "0 %"]
    assert len({line.partition("| cfpb")[0] for line in rates}) == 4
    assert "tiny, llm, audit_text, T=0, 2 attempts, 300 tokens: single runs, by `dpspin lab run`" in page
    closer = judge(on_model_texts.CLAIMS[0], replace(results, models=(table,)))
    assert len(closer.cells) == 3 * 4  # by the paper's contract, each way to ask apart: not of all, and not of none


def test_the_page_says_by_which_command_a_model_wrote():
    page = page_of(ideal_results())
    given = "`dpspin lab paper --data DATA --out RESULTS"
    writer = "--decoder-url URL --decoder-model tiny --decoder-backend llm --decoder-attempts 2"

    assert f"{given} --dataset cfpb {writer} --decoder-plans {5 * RUNS} --embedder minilm`" in page
    assert f"{given} --dataset yelp {writer} --decoder-plans {10 * RUNS} --embedder minilm`" in page  # of two units
    assert "http" not in page.partition("## What language models wrote")[2].partition("## ")[0]


def test_what_no_model_wrote_is_named():
    results = ideal_results()
    told = page_of(results).partition("## What was not measured")[2]
    prose = [Table(each.dataset, each.unit, each.where(decoder_backend="llm").rows) for each in results.models]
    without = page_of(replace(results, models=tuple(prose[:1]), model_probes=(), judged_known={}, judged_texts={}))
    holes = without.partition("## What was not measured")[2]

    assert (
        "- tiny wrote nothing about yelp, record, only about cfpb, record (16,000 runs); yelp, user (16,000 runs)."
        in told
    )
    assert "- tiny wrote nothing about the probe of yelp, user, only about cfpb, record (2,000 runs)." in told
    assert "decoder" not in told
    assert "judge" not in told
    assert "- tiny wrote nothing about yelp, record; yelp, user, only about cfpb, record (8,000 runs)." in holes
    assert "- tiny wrote nothing about the probe of cfpb, record; yelp, user." in holes
    assert "- tiny wrote nothing by the decoder `claims` (`--decoder-backend claims`)." in holes
    assert "- No judge was asked about these texts" in holes


def test_claims_that_need_a_model_are_named_with_what_became_of_them():
    results = ideal_results()
    unjudged = page_of(replace(results, judged_known={}))

    assert "and now are: [P15](#p15) (“holds”), [P34](#p34) (“holds”), [P35](#p35) (“holds”)." in unjudged
    assert (
        "still cannot be tested: [P29](#p29), [P30](#p30), [P31](#p31), [P32](#p32), [P33](#p33), [P36](#p36) ("
        in unjudged
    )
    assert "still cannot be tested" not in page_of(results)
    assert "and now are" not in page_of(Results())


def test_a_likeness_of_two_runs_is_open_within_what_is_possible_and_says_what_would_decide_it():
    results = ideal_results()
    figures = {"gaussian": 0.6, "private_topL": 0.3}
    rows = [
        {**row, "runs": 2, "j_tok": figures[row["mechanism"]], "j_tok_sd": 0.1}
        for row in results.models[0].where(decoder_backend="llm", epsilon=1.0).rows
    ]
    bare = [{name: value for name, value in row.items() if name not in {"j_2", "j_kp", "cos_tfidf"}} for row in rows]
    page = page_of(replace(results, models=(Table("cfpb", "record", bare),)))
    told = page.partition("### P34")[2].partition("### P35")[0]

    assert "0.600 ± 0.071 against 0.300 ± 0.071 | anything from -1 to 1, bound 0 | 2 |" in told
    assert "There are 2 runs of each row; " in told
    needed = int(told.partition("1 of 1 settings would be clear with ")[2].split()[0])
    assert [_stand_of_likeness(runs) for runs in (needed - 1, needed)] == [Stand.OPEN, Stand.FOR]


def _stand_of_likeness(runs: int) -> Stand:
    """Weigh the same difference of means, of the same spread, on so many runs."""
    high, low = (Estimate(mean, 0.1 / runs**0.5, runs) for mean in (0.6, 0.3))
    return weighed([above("", "", high, low)])[0].stand


def test_what_protects_nobody_is_marked_in_the_comparison():
    page = page_of(ideal_results())

    assert "| raw sample | **nobody** |" in page
    assert "| urania | records, if drawn with secure noise | 1 |" in page


def test_what_asks_no_record_stands_once_in_each_table():
    page = page_of(ideal_results())
    compared = page.partition("## All mechanisms at the same ε")[2].partition("## All methods")[0]

    assert compared.count("Public-only plan (no records)") == 4  # Overlap, MassRetained, truth by two starts
    assert compared.count("| Public-only plan (no records) | none |") == 4
    assert "| cfpb, record, hash, ngram | 3 | Public-only plan (no records) | none |" in compared


def test_tables_of_texts_name_their_epsilon_and_tell_no_reading_ease_of_lists():
    results = ideal_results()
    short = [{**row, "sentences": 2.0 if row["method"] == "urania" else 8.0} for row in results.methods["cfpb"]]
    page = page_of(replace(results, methods={"cfpb": short}))

    assert "| cfpb, ε=1 | protects | ε |" in page
    assert "| urania | records, if drawn with secure noise | 1 | 2000 | 1.00 ± 0.00 | - | - |" in page
    assert (
        "| keyword_histogram | records, if drawn with secure noise | 1 | 2000 | 1.00 ± 0.00 | - | 30.0 ± 0.0 |" in page
    )


def test_the_summary_is_computed_from_the_tables():
    results = ideal_results()
    told = page_of(results).partition("## In short")[2].partition("## How claims are judged")[0]
    less = page_of(type(results)(grids=results.grids[1:])).partition("## In short")[2].partition("## How claims")[0]

    numbered = [line.partition(".")[0] for line in told.splitlines() if line[:1].isdigit()]
    assert numbered == [str(number) for number in range(1, 9)]
    assert "“holds” 36 (7 of them by construction); on our own 34: “holds” 34 (1 of them by construction)." in told
    assert "Gaussian noise is 2.0 times as large as Laplace noise" in told
    assert "| the paper's map, K=3 | by hash | " in told
    assert "| 0.30 | 0.50 |" in told
    assert "Beside the labels" not in less
    assert "probe" not in less


def test_the_page_says_which_rules_were_set_after_a_look():
    page = page_of(ideal_results())

    assert "## How the rules came about" in page
    assert "O16 and O17 (certificates)" in page
    assert "With 0.95 for a claim instead of 0.99, these verdicts would be others: none." in page
    assert [key for key in KEYS_TOLD if OURS[KEYS_TOLD[key] - 1].key != key] == []
    assert [key for key in PAPERS_TOLD if THE_PAPERS[PAPERS_TOLD[key] - 1].key != key] == []
    assert "P1, P5, P7 and P8 did not hold" in page
    assert "“undecided: no setting is clear”" not in page


def test_what_holds_by_construction_is_marked():
    page = page_of(ideal_results())
    at_a_glance = [line for line in page.splitlines() if line.startswith(("| [P", "| [O"))]

    assert [line.split("]")[0][3:] for line in at_a_glance if "*(by construction)*" in line] == [
        *("P14", "P16", "P17", "P21", "P23", "P24", "P25", "O7")
    ]


def test_the_text_to_which_all_are_compared_is_marked_as_itself():
    results = ideal_results()
    rows = [
        {**row, "method": row["method"].replace("raw sample", "non-private plan")} for row in results.methods["cfpb"]
    ]
    page = page_of(replace(results, methods={"cfpb": rows}))

    assert page.count("| itself | itself |") == 1
    assert "| itself |" not in page_of(results)


def test_the_same_tables_give_the_same_files(evaluation: Path, tmp_path: Path):
    first, second = (write_page(evaluation, tmp_path / name / "results.md") for name in ("a", "b"))

    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    assert all(path.suffix == ".svg" and b"NOT-PRIVATE" in path.read_bytes() for path in first[1:])
    assert sum(path.stat().st_size for path in first) < 1_500_000


def test_figures_of_other_splits_and_maps_appear_with_their_rows(evaluation: Path, tmp_path: Path):
    names = {path.stem for path in write_page(evaluation, tmp_path / "page.md")}

    assert {"time_yelp_record", "time_cfpb_record", "map_cfpb_record"} <= names
    assert "map_yelp_record" not in names


def test_figures_are_linked_from_where_the_page_lies(evaluation: Path, tmp_path: Path):
    page, *figures = write_page(evaluation, tmp_path / "docs" / "results.md")

    assert figures
    for path in figures:
        assert f"({path.relative_to(page.parent)})" in page.read_text()


def test_the_page_is_not_written_into_a_release(evaluation: Path, tmp_path: Path):
    release = tmp_path / "release"
    release.mkdir()
    (release / "plan.json").write_text("{}")

    with pytest.raises(InputError):
        write_page(evaluation, release / "results.md")


def test_the_command_names_what_it_wrote(evaluation: Path, tmp_path: Path):
    out = tmp_path / "page.md"

    said = CliRunner().invoke(app, ["lab", "results", str(evaluation), "--out", str(out)])

    assert said.exit_code == 0
    assert said.stdout.splitlines()[0] == str(out)


def _log(**fields: Any) -> EvaluationLog:
    given = {"scale": "full", "seeds": 20, "workers": 2, "day": "2026-01-01", "seconds": 600.0, "runs": 90}
    return EvaluationLog.model_validate({**given, "runs_found": 0, "software": ("dpspin",), **fields})


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, ["`dpspin lab paper --data DATA --out RESULTS`", "90 runs in 10 minutes"]),
        ({"runs_found": 90}, ["90 runs, all of them made in earlier sittings (ended"]),
        ({"scale": "quick", "runs_found": 30}, ["--quick`", "60 of 90 runs in 10 minutes", "earlier sittings"]),
    ],
)
def test_a_log_tells_its_command_and_its_time(fields: dict[str, Any], told: Sequence[str]):
    results = ideal_results()
    page = page_of(type(results)(grids=results.grids, log=_log(**fields)))

    assert all(words in page for words in told)
