"""Candidates from the list on: fitted on public words, asked of every record, told and adopted."""

import csv

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from candidate_themes import CRASH, GIFT, LATE, MUSIC, OTHERS, SHOP, TAX
from dpspin.boundary.atoms import AuxiliaryText, Provenance
from dpspin.boundary.candidate_table import candidates_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.boundary.theme_likeness import likeness_of
from dpspin.cli.main import app
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.shards import sketch_shard
from dpspin.curator.assign.nearest_candidate import NearestCandidate, odds_before, with_candidates
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.release.measurement import Measurement
from dpspin.errors import RecordsRefused, RequestError
from dpspin.pipeline import release
from dpspin.public.atoms.candidates import list_candidates
from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.atoms.dictionary_files import load as load_dictionary
from dpspin.request import ReleaseRequest

pytestmark = pytest.mark.filterwarnings("ignore::dpspin.errors.NewLedger")
THEMES = list_candidates(SHOP, [OTHERS]).themes
NAMES = [atom.label for atom in THEMES.atoms]
FINDER = NearestCandidate.of(THEMES, SHOP)
texts = st.lists(st.none() | st.sampled_from([*GIFT, *MUSIC, *TAX, *LATE, "Hello there.", "", "xyzzy"]), max_size=6)


def masses(batch):
    found = FINDER(pa.array(batch, pa.string()))
    rows = np.zeros((len(batch), len(NAMES) + 1), np.int64)
    rows[found.rows, found.atoms] = found.ticks
    return rows.tolist()


def test_a_record_goes_to_the_candidate_that_it_is_of_and_what_the_dictionary_has_to_none():
    [missing] = masses(["My gift card is refused."])
    assert missing[NAMES.index("gift card trouble")] > TICKS_PER_MASS // 2
    for known in masses([LATE[0], CRASH[0]]):
        assert known[-1] == max(known)
    unread, nothing = masses(["", None])
    assert unread == [0] * len(NAMES) + [TICKS_PER_MASS]
    assert nothing == [0] * (len(NAMES) + 1)


@given(texts, texts)
def test_a_record_gives_the_same_alone_and_in_any_company(batch, others):
    alone = [row for text in batch for row in masses([text])]
    assert masses([*others, *batch])[len(others) :] == alone
    assert all(sum(row) <= TICKS_PER_MASS for row in alone)


def test_the_map_has_one_digest_whoever_asked_for_that_of_the_candidates_before():
    fresh = THEMES.model_validate(THEMES.model_dump())
    before = with_candidates(SHOP, fresh).digest
    assert fresh.digest != before
    assert with_candidates(SHOP, fresh).digest == before


def test_before_a_word_is_read_what_speaks_unlike_the_dictionary_or_takes_its_sentences_is_less_likely():
    before, after = odds_before(SHOP, THEMES), FINDER.fitted.calibration.offsets
    likeness = likeness_of((*SHOP.atoms, *THEMES.atoms))[SHOP.size :, : SHOP.size].mean(axis=1)
    assert np.argsort(before[SHOP.size :]).tolist() == np.argsort(likeness).tolist()
    assert before[: SHOP.size].tolist() == after[: SHOP.size].tolist() == [2.0, 2.0]
    assert (after[SHOP.size :] < before[SHOP.size :]).all()  # so few sentences leave something to each


@pytest.fixture
def records(tmp_path):
    path = tmp_path / "records.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("who", "body"))
        for number in range(1200):
            rows.writerow((f"u{number % 500}", (LATE, CRASH, GIFT)[number % 3][number % 4]))
    return path


def told(tmp_path, **changes):
    usual = {"atoms": SHOP, "text": "body", "unit": "record", "epsilon": 8, "denominator": 1200, "candidates": THEMES}
    return {**usual, "ledger": str(tmp_path / "ledger.db"), "dataset": "shop", "budget": 40, **changes}


def test_a_theme_that_the_dictionary_lacks_is_named_from_the_file_on(records, tmp_path):
    plan = release(str(records), **told(tmp_path))
    table = candidates_of(plan)
    assert table.lacking[0] == "gift card trouble"
    assert table.facet.contribution_map == FINDER.facet.contribution_map
    total = sum(column.noisy_masses[0] for column in plan.views[0].columns)
    assert total == pytest.approx(1200, abs=15)  # every record, in one place or several
    assert release(str(records), **told(tmp_path)) == plan
    other = release(str(records), **told(tmp_path, candidates=list_candidates(SHOP, [OTHERS], most=2).themes))
    assert other != plan
    assert open_ledger(str(tmp_path / "ledger.db")).require_budget("shop").spent.epsilon == 16


def test_sketch_files_keep_the_candidates_and_both_kinds_go_together(records, tmp_path):
    asked = {
        "data": str(records),
        "text": "body",
        "unit": "user",
        "user": "who",
        "examples": True,
        "candidates": THEMES,
    }
    shard = tmp_path / "shard.sketch"
    measured = Measurement.model_validate(asked).records(SHOP, None, THEMES)
    sketch_shard(shard, measured, pseudonyms=Pseudonyms(bytes(range(32))))
    terms = {"atoms": SHOP, "epsilon": 8, "denominator": 500, "dataset": "shop"}
    plan = release(sketches=[str(shard)], ledger=str(tmp_path / "ledger.db"), **terms)
    assert [view.facet.kind for view in plan.statement.views] == ["example", "candidate"]
    assert candidates_of(plan).lacking[0] == "gift card trouble"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"candidates": SHOP}, "request.candidates-known"),
        ({"quantity": "prevalence"}, "request.candidates-prevalence"),
        ({"candidates": OTHERS.without_examples()}, "request.candidates-examples"),
        ({"atoms": SHOP.without_examples()}, "request.candidates-examples"),
        (
            {
                "candidates": THEMES.model_copy(
                    update={
                        "provenance": Provenance(
                            source="auxiliary", note="x", auxiliary=AuxiliaryText(content="0" * 64, text="body")
                        )
                    }
                )
            },
            "request.candidates-auxiliary",
        ),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_charged(records, tmp_path, changes, code):
    with pytest.raises(RequestError) as refused:
        release(str(records), **told(tmp_path, **changes))
    assert refused.value.code == code
    assert not (tmp_path / "ledger.db").exists()


def test_candidates_that_would_not_be_measured_are_refused(records):
    asked = {"data": str(records), "text": "body", "unit": "record", "candidates": THEMES}
    with pytest.raises(RequestError, match="one release of records"):
        Measurement.model_validate(asked).records(SHOP, None)


def test_candidates_that_were_built_from_public_records_are_declared_so(records, tmp_path):
    behind = Provenance(source="auxiliary", note="x", auxiliary=AuxiliaryText(content="0" * 64, text="body"))
    built = THEMES.model_copy(update={"provenance": behind})
    plan = release(str(records), **told(tmp_path, candidates=built, atoms_auxiliary_is_public=True))
    assert plan.statement.separation.dictionary_text == "declared_public"


def test_candidates_that_were_built_from_the_protected_records_are_refused_whatever_is_declared(records, tmp_path):
    content = open_corpus(str(records), Columns("body", None)).content_digest()
    behind = Provenance(source="auxiliary", note="x", auxiliary=AuxiliaryText(content=content, text="body"))
    built = THEMES.model_copy(update={"provenance": behind})
    with pytest.raises(RecordsRefused, match="built from the protected data"):
        release(str(records), **told(tmp_path, candidates=built, atoms_auxiliary_is_public=True))


def test_a_request_with_candidates_in_memory_cannot_be_written(tmp_path):
    common = {"atoms": "support-tickets", "text": "body", "unit": "record", "epsilon": 1, "denominator": 9}
    with pytest.raises(RequestError, match=r"records\.candidates"):
        ReleaseRequest.of("records.csv", **common, candidates=THEMES).save(tmp_path / "request.yaml")
    asked = ReleaseRequest.of("records.csv", **common, candidates="themes.json")
    asked.save(tmp_path / "request.yaml")
    assert ReleaseRequest.load(tmp_path / "request.yaml") == asked
    with pytest.raises(RequestError, match="takes a dictionary file"):
        ReleaseRequest.of("records.csv", **common, candidates=7).candidates()


def test_the_command_line_lists_forecasts_releases_and_adopts(records, tmp_path):
    def run(*words):
        done = CliRunner().invoke(app, [*map(str, words)], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    shop, others = tmp_path / "shop.json", tmp_path / "others.json"
    shop.write_text(dumps(SHOP))
    others.write_text(dumps(OTHERS))
    listed, grown, out = tmp_path / "candidates.json", tmp_path / "grown.json", tmp_path / "out"
    assert "parcel late: too near to late parcel" in run(
        "atoms", "candidates", others, "--atoms", shop, "--out", listed
    )
    common = ("--atoms", shop, "--unit", "record", "--denominator", 1200, "--epsilon", 8, "--candidates", listed)
    assert "the dictionary may lack" in " ".join(run("preview", *common).split())
    run("release", records, "--text", "body", *common, "--out", out, "--ledger", tmp_path / "ledger.db")
    assert SemanticPlan.load(out / "release").statement.views[0].facet.dictionary == load_dictionary(listed).digest
    assert "may lack: about" in (out / "release" / "summary.txt").read_text()
    assert "for themes that the dictionary lacks" in (out / "release" / "label.json").read_text()
    run(
        "atoms", "adopt", out / "release", "gift card trouble", "--candidates", listed, "--atoms", shop, "--into", grown
    )
    assert load_dictionary(grown).atoms[-1].label == "gift card trouble"
    again = ("atoms", "adopt", out / "release", "tax", "--candidates", listed, "--atoms", shop, "--into", grown)
    assert CliRunner().invoke(app, [*map(str, again)]).exit_code != 0  # nothing is changed in place
