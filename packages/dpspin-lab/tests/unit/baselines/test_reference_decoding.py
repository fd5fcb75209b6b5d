"""The non-private reference: the same prompts but for two places, marked, and kept away from releases."""

import json

import pytest

from dpspin.boundary.certify import FixedMargin
from dpspin.boundary.read_plan import reading_of, reread
from dpspin.errors import InputError, RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.narrate.decoders.decoder import History
from dpspin.public.narrate.decoders.llm import LlmDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import Mode
from dpspin.public.report.folder import write_release
from dpspin_lab.baselines.exact_plan import plan_source, reference_plan, write_reference
from dpspin_lab.baselines.references import refer
from factories import PAPER_BINS, PAPER_PLAN, PAPER_UNIVERSE
from fake_llm import FakeWriter

FILE = "NOT-PRIVATE-reference.json"
pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
MASSES = [entry.noisy_mass for entry in PAPER_PLAN.entries] + [1.0]
PLAN = reference_plan(MASSES, PAPER_UNIVERSE, denominator=2000, size=3, bins=PAPER_BINS)
REFERENCE = refer(plan_source(PLAN))


def changed(released, mode):
    """Return the lines in which a model is told something else of the reference than of a release."""
    with FakeWriter(["words"]) as server:
        chat = Chat(Endpoint(server.url, "tiny"))
        LlmDecoder(chat, mode)(Facts(released, PAPER_UNIVERSE), History())
        assert refer(plan_source(PLAN, mode), chat).text == "words"
    both = (prompt.splitlines() for prompt in server.prompts)
    return [(old, new) for old, new in zip(*both, strict=True) if old != new]


@pytest.mark.parametrize("mode", list(Mode))
def test_the_prompt_differs_from_a_releases_in_two_places(mode):
    """A release with the paper's fixed margin, which ``--preset paper`` sets to zero."""
    fixed = reading_of(PAPER_PLAN).model_copy(update={"margin": FixedMargin(mass=0.0)})
    (_, opening), (_, heading) = changed(reread(PAPER_PLAN, PAPER_UNIVERSE, fixed), mode)
    assert "a non-private reference aggregate summary plan." in opening
    assert heading == "Non-private reference summary plan:"


def test_where_margins_are_certified_their_size_in_the_audit_prompt_is_a_third():
    assert len(changed(PAPER_PLAN, Mode.DISPLAY)) == 2
    _, (released, reference), _ = changed(PAPER_PLAN, Mode.AUDIT)
    assert released.endswith(f"more than {PAPER_PLAN.rules.comparison_margin:,.1f}.")
    assert reference.endswith("more than 0.0.")


def test_the_largest_exact_masses_are_taken():
    plan = reference_plan([1.0, 400.0, 30.0, 200.0], PAPER_UNIVERSE, denominator=2000, size=2, bins=PAPER_BINS)
    assert [(entry.atom_id, entry.bin) for entry in plan.entries] == [(42, "high"), (99, "moderate")]


def test_exact_masses_do_not_leave_this_machine():
    with pytest.raises(RequestError, match="do not leave"):
        refer(plan_source(PLAN), Chat(Endpoint("https://models.example.org/v1", "big")))


def test_the_file_says_that_it_is_not_private(tmp_path):
    written = json.loads(write_reference(tmp_path / "lab", REFERENCE).read_text())
    assert (written["private"], written["text"], len(written["entries"])) == (False, REFERENCE.text, 3)


@pytest.mark.parametrize("place", ["out/release", "out", "out/release/deeper", "out/lab"])
def test_it_is_not_written_where_a_release_lies(tmp_path, place):
    write_release(tmp_path / "out" / "release", PAPER_PLAN, PAPER_UNIVERSE)
    with pytest.raises(InputError, match="do not belong in or beside a release"):
        write_reference(tmp_path / place, REFERENCE)


def test_it_is_no_plan(tmp_path):
    with pytest.raises(AttributeError):
        write_release(tmp_path / "release", PLAN, PAPER_UNIVERSE)
    assert not (tmp_path / "release" / "plan.json").exists()


def test_the_command_measures_exactly_and_writes_one_marked_file(tmp_path, dpspin):
    (tmp_path / "records.csv").write_text("text\n" + "we waited a long time and such a long wait\n" * 30)
    (tmp_path / "atoms.json").write_text(dumps(PAPER_UNIVERSE))
    with FakeWriter(["Long wait has high support."]) as server:
        ran = dpspin(
            *("lab", "reference", tmp_path / "records.csv", "--atoms", tmp_path / "atoms.json", "--text", "text"),
            *("--denominator", "30", "--llm-url", server.url, "--llm-model", "tiny", "--out", tmp_path / "lab"),
        )
    assert ran.code == 0, ran.err
    assert "NOT PRIVATE" in ran.err
    assert [path.name for path in (tmp_path / "lab").iterdir()] == [FILE]
    assert json.loads((tmp_path / "lab" / FILE).read_text())["entries"][0]["noisy_mass"] > 10
