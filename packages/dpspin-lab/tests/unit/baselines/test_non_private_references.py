"""References that are not private: what each writer sees, how they are marked, and where they may not go."""

import json

import pytest

from dpspin.boundary.plan_fields import marker_of
from dpspin.errors import EndpointError, InputError, RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.narrate.modes import Mode
from dpspin.public.report.folder import write_release
from dpspin_lab.baselines.exact_plan import plan_source, reference_plan
from dpspin_lab.baselines.references import (
    EXTRACTIVE,
    bounded_sample,
    clustering,
    raw_sample,
    redacted_sample,
    refer,
    references,
    write,
)
from factories import PAPER_BINS, PAPER_PLAN, PAPER_UNIVERSE
from fake_llm import FakeWriter

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
PARCELS = [f"My parcel was late again, order {number}." for number in range(12)]
AGENTS = [f"Such a rude agent, said Maria Lopez {number} times." for number in range(8)]
TEXTS = [*PARCELS, *AGENTS]
PLAN = reference_plan([400.0, 90.0, 30.0, 1.0], PAPER_UNIVERSE, denominator=2000, size=3, bins=PAPER_BINS)
PAPERS_RULES = (
    *(
        "1. Speak of themes that many of them share",
        "2. Quote nothing",
        "3. Leave out names, identifiers, addresses, d",
    ),
    *(
        "4. Describe no single user, reviewer, business or organisation",
        "5. Write one short paragraph; at most three sh",
    ),
)
METHODS = ["raw sample", "redacted sample", "clustering", "non-private plan"]


def test_every_reference_runs_without_a_model_and_says_that_it_is_not_private():
    found = list(references(TEXTS, plan_source(PLAN), clusters=2))
    assert [reference.method for reference in found] == METHODS
    assert {(reference.private, reference.writer) for reference in found} == {(False, EXTRACTIVE)}
    raw, _, clusters, plan = (reference.text for reference in found)
    assert "late parcel" in raw
    assert "late parcel" in clusters
    assert "rude agent" in clusters
    assert PLAN.entries[0].label in plan


def test_without_a_dictionary_there_is_no_plan():
    assert [reference.method for reference in references(TEXTS, clusters=2)] == METHODS[:3]


def test_a_model_sees_the_records_or_the_redacted_ones_and_the_papers_rules():
    with FakeWriter(["words"]) as server:
        chat = Chat(Endpoint(server.url, "tiny"))
        found = [
            refer(source, chat) for source in (raw_sample(TEXTS), redacted_sample(TEXTS), clustering(TEXTS, clusters=2))
        ]
    assert {(one.writer, one.text) for one in found} == {("tiny", "words")}
    raw, redacted, clusters = server.prompts
    assert "Maria Lopez" in raw
    assert "Maria Lopez" not in redacted
    assert "[NAME]" in redacted
    assert "size=12 | terms=late parcel" in clusters
    for prompt in server.prompts:
        assert [rule for rule in PAPERS_RULES if rule not in prompt] == []


def test_records_do_not_leave_this_machine():
    with pytest.raises(RequestError, match="do not leave this machine"):
        refer(raw_sample(["a record"]), Chat(Endpoint("https://models.example.org/v1", "big")))


def test_public_records_may_go_anywhere():
    elsewhere = Chat(Endpoint("https://models.example.org/v1", "big", retries=0))
    with pytest.raises(EndpointError, match=r"models\.example\.org"):  # allowed, and no such server answers
        refer(raw_sample(["a record"]), elsewhere, records_are_public=True)


def test_a_sample_is_bounded_repeatable_and_without_repeats():
    texts = [f"{number:03d} and more" for number in range(100)]
    drawn = bounded_sample(texts, records=30, characters=3, seed=1)
    assert len(set(drawn)) == len(drawn) == 30
    assert {len(text) for text in drawn} == {3}
    assert drawn == bounded_sample(texts, records=30, characters=3, seed=1)
    assert drawn != bounded_sample(texts, records=30, characters=3, seed=2)


def test_a_phrase_that_one_record_says_is_not_extracted():
    assert "secret" not in refer(raw_sample(["dry skin", "dry skin", "my secret illness"])).text
    assert refer(raw_sample(["my secret illness"])).text == "No phrase comes back in the sampled records."


def test_the_plans_text_names_markers_in_audit_mode_only():
    audit, display = (refer(plan_source(PLAN, mode)).text for mode in (Mode.AUDIT, Mode.DISPLAY))
    assert marker_of(PLAN.entries[0].atom_id) in audit
    assert marker_of(PLAN.entries[0].atom_id) not in display


def test_files_are_marked_and_never_lie_beside_a_release(tmp_path):
    reference = refer(raw_sample(TEXTS))
    path = write(tmp_path / "lab", reference)
    assert path.name == "NOT-PRIVATE-raw-sample.json"
    assert json.loads(path.read_text())["private"] is False
    assert "Maria" not in path.read_text()  # the sample itself is not kept
    write_release(tmp_path / "out" / "release", PAPER_PLAN, PAPER_UNIVERSE)
    with pytest.raises(InputError, match="beside a release"):
        write(tmp_path / "out" / "lab", reference)


def test_the_command_writes_one_marked_file_per_reference(tmp_path, dpspin):
    (tmp_path / "records.csv").write_text("text\n" + "we waited a long time and such a long wait\n" * 30)
    (tmp_path / "atoms.json").write_text(dumps(PAPER_UNIVERSE))
    command = ("lab", "references", tmp_path / "records.csv", "--text", "text", "--out", tmp_path / "lab")
    ran = dpspin(*command, "--atoms", tmp_path / "atoms.json", "--denominator", "30")
    assert ran.code == 0, ran.err
    assert ran.err.count("NOT PRIVATE") == 4
    assert all(path.name.startswith("NOT-PRIVATE-") for path in (tmp_path / "lab").iterdir())
    assert dpspin(*command, "--atoms", tmp_path / "atoms.json").code == 2
    assert dpspin(*command, "--llm-model", "tiny").code == 2
