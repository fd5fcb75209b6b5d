"""Releases that a clever forger would try. Each is signed with a key, some of them the curator's own: none passes.

A signature says who published something. So what a curator who cheats could sign must be found by its content alone.
"""

import json
import os
from dataclasses import dataclass

import pytest

from dpspin.boundary.manifest import MANIFEST
from dpspin.errors import InputError, SigningError
from dpspin.public.narrate.modes import DecoderName, Mode
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.writer import ModelRecord, Writer
from dpspin.public.release_check.check import check_published, check_release
from dpspin.public.release_check.published_folder import PublishedFolder
from dpspin.public.release_check.sign import sign_release
from dpspin.public.report.folder import report, write_release
from factories import PAPER_UNIVERSE
from signed_releases import MALLORY, MARIA, OTHER_PLAN, PLAN, released, signed_anyhow


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    return released(tmp_path_factory.mktemp("release") / "release").files


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    return released(tmp_path_factory.mktemp("other") / "release", OTHER_PLAN).files


def in_json(files, name, **changed):
    return {**files, name: (json.dumps(json.loads(files[name]) | changed, indent=2) + "\n").encode()}


def replaced(files, name, old, new):
    assert old.encode() in files[name], "the forger found nothing to change"
    return {**files, name: files[name].replace(old.encode(), new.encode())}


def simulated(files):
    return replaced(files, "plan.json", '"os-csprng"', '"SIMULATED-NOT-PRIVATE"')


def without_account(files):
    return {**files, "plan.json": PLAN.model_copy(update={"account": None}).to_json().encode()}


BY_A_CURATOR_WHO_CHEATS = {
    "a page that hides its sentences by a style": lambda it, _: replaced(
        it, "report.html", "</head>", "<style>main{display:none}body:before{content:'All is well'}</style></head>"
    ),
    "a page with a script": lambda it, _: replaced(it, "report.html", "</body>", "<script>x()</script></body>"),
    "a page with one more sentence": lambda it, _: replaced(it, "report.html", "</main>", "<p>All is well.</p></main>"),
    "a page with another share": lambda it, _: replaced(it, "report.html", "15.9%", "25.9%"),
    "the page of another plan": lambda it, other: {**it, "report.html": other["report.html"]},
    "a text with another share": lambda it, _: replaced(it, "summary.txt", "15.9%", "25.9%"),
    "a text with one more sentence": lambda it, _: {**it, "summary.txt": it["summary.txt"] + b"Nobody complains.\n"},
    "the text of another plan": lambda it, other: {**it, "summary.txt": other["summary.txt"]},
    "audit text of another plan": lambda it, other: {**it, "audit.txt": other["audit.txt"]},
    "a smaller epsilon on the label": lambda it, _: in_json(it, "label.json", epsilon=0.1),
    "a table with another number": lambda it, _: replaced(it, "themes.csv", "15.9", "25.9"),
    "claims that no text has": lambda it, _: {**it, "claims.jsonl": it["claims.jsonl"] * 2},
    "a plan with spaces": lambda it, _: {**it, "plan.json": it["plan.json"] + b" "},
    "a plan in which a key stands twice": lambda it, _: replaced(
        it, "plan.json", '"title": "a test corpus"', '"title": "nothing",\n  "title": "a test corpus"'
    ),
    "texts of another plan around this one": lambda it, other: {**other, "plan.json": it["plan.json"]},
    "a narration whose record says what the page shows": lambda it, _: {
        **replaced(it, "report.html", "</main>", "<p>All is well.</p></main>"),
        "narration.json": b"{}",
    },
    "a text beside the page that it was not made with": lambda it, _: {
        **replaced(it, "report.html", "</main>", "<p>All is well.</p></main>"),
        "given.txt": b"All is well.",
    },
}
WITHOUT_A_PLAN_TO_SIGN = {
    "a plan with simulated noise": simulated,
    "a plan that nobody paid for": without_account,
    "a plan with another mass": lambda it: replaced(it, "plan.json", "318.4", "918.4"),
    "a plan that promises less noise": lambda it: replaced(it, "plan.json", '"epsilon": 1.0', '"epsilon": 0.1'),
    "a dictionary with another label": lambda it: replaced(it, "atoms.json", "long wait", "long walk"),
    "no dictionary": lambda it: {name: it[name] for name in it if name != "atoms.json"},
    "a plan that never ends": lambda it: {**it, "plan.json": b'{"title":' * 100_000},
}


@pytest.mark.parametrize("forge", BY_A_CURATOR_WHO_CHEATS.values(), ids=BY_A_CURATOR_WHO_CHEATS)
def test_what_a_curator_who_cheats_signs_is_rejected_for_what_it_says(honest, other, forge):
    forged = forge(honest, other)
    verdict = check_published(signed_anyhow(forged), MARIA.public)
    assert not verdict.accepted
    assert any("may say anything" in each or "is not valid" in each for each in verdict.wrong)


@pytest.mark.parametrize("forge", WITHOUT_A_PLAN_TO_SIGN.values(), ids=WITHOUT_A_PLAN_TO_SIGN)
def test_numbers_that_cannot_be_a_release_are_rejected(honest, forge):
    stated = {"plan": f"sha256:{'0' * 64}", "head": None}
    unsigned = {name: content for name, content in forge(honest).items() if name != MANIFEST}
    assert len(check_published(PublishedFolder(unsigned, ())).wrong) > 1
    signed = _signed_blindly(unsigned, **stated)
    assert not check_published(signed, MARIA.public).accepted


def _signed_blindly(files, **stated):
    """Sign what cannot even be read as a release."""
    from dpspin.boundary.manifest import Manifest, published
    from dpspin.boundary.safe_files import today
    from dpspin.boundary.software import SOFTWARE

    told = {"software": SOFTWARE, "day": today(), "files": published(files), "approved": None}
    manifest = Manifest(**told, **stated, curator=MARIA.public).signed_with(MARIA)
    return PublishedFolder({**files, MANIFEST: manifest.to_text().encode()}, ())


@pytest.mark.parametrize("stated", [{"plan": f"sha256:{'0' * 64}"}, {"head": "0" * 64}, {"head": None}])
def test_a_manifest_that_names_another_plan_or_head_is_rejected(honest, stated):
    verdict = check_published(signed_anyhow(honest, **stated), MARIA.public)
    assert verdict.wrong == ("manifest.json is of another plan than plan.json",)


def test_a_whole_other_release_is_the_curators_only_with_the_curators_key(other):
    forged = signed_anyhow(other, MALLORY)
    assert not check_published(forged, MARIA.public).accepted
    assert any(MALLORY.public.fingerprint in each for each in check_published(forged).not_checked)


def test_an_older_version_of_the_software_hides_no_false_sentence(honest, other):
    forged = {**honest, "summary.txt": other["summary.txt"]}
    verdict = check_published(signed_anyhow(forged, software="dpspin 0.0.1"), MARIA.public)
    assert verdict.wrong == ("summary.txt: a sentence does not hold",)
    page = signed_anyhow({**honest, "report.html": other["report.html"]}, software="dpspin 0.0.1")
    verdict = check_published(page, MARIA.public)
    assert verdict.accepted
    assert any("Check with dpspin 0.0.1" in each and "report.html" in each for each in verdict.not_checked)


@dataclass(frozen=True)
class Planted:
    """A folder of a signed release, with something put beside its files."""

    name: str
    make: object

    def __str__(self):
        return self.name


PLANTED = [
    Planted("a hidden file", lambda at: (at / ".hidden").write_text("x")),
    Planted("an added file", lambda at: (at / "more.html").write_text("x")),
    Planted("an empty folder", lambda at: (at / "extra").mkdir()),
    Planted("a look-alike", lambda at: (at / "rеport.html").write_text("Cyrillic e")),
    Planted("a look-alike by a space at its end", lambda at: (at / "report.html ").write_text("x")),
    Planted("a name that a terminal obeys", lambda at: (at / "a\x1b[2Jb").write_text("x")),
    Planted("a name that is no text", lambda at: (at / os.fsdecode(b"\xff.txt")).write_text("x")),
    Planted("a pipe", lambda at: os.mkfifo(at / "pipe")),
    Planted("a link to the same file", lambda at: _linked(at / "summary.txt")),
    Planted("another case of a name", lambda at: (at / "Plan.json").write_text("{}")),
    Planted("too many files", lambda at: [(at / f"{n}.txt").touch() for n in range(300)]),
]


def _linked(file):
    elsewhere = file.parent.parent / "elsewhere.txt"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)


@pytest.mark.parametrize("planted", PLANTED, ids=str)
def test_what_is_put_beside_the_files_is_found_and_not_signed(tmp_path, planted):
    released(tmp_path / "release")
    planted.make(tmp_path / "release")
    assert not check_release(tmp_path, MARIA.public).accepted
    if planted.name != "an added file":
        with pytest.raises(SigningError, match=r"not signed|each once"):
            sign_release(tmp_path, MARIA)


def test_a_huge_file_is_refused_before_it_is_read_whole(tmp_path, monkeypatch):
    monkeypatch.setattr("dpspin.public.release_check.published_folder.MOST_BYTES", 10_000_000)
    released(tmp_path / "release")
    with (tmp_path / "release" / "huge.txt").open("wb") as file:
        file.truncate(10**12)  # holes take no place
    verdict = check_release(tmp_path)
    assert any("too large" in each for each in verdict.wrong)


def test_a_page_around_a_text_that_lies_beside_it_is_accepted(tmp_path):
    text = narrate(PLAN, PAPER_UNIVERSE).text
    write_release(tmp_path, PLAN, PAPER_UNIVERSE)
    (tmp_path / "report.html").write_text(report(PLAN, PAPER_UNIVERSE, text=text))
    with pytest.raises(SigningError, match=r"must lie beside it, as a \.txt file"):
        sign_release(tmp_path, MARIA)
    (tmp_path / "given.txt").write_text(text)
    sign_release(tmp_path, MARIA)
    verdict = check_release(tmp_path, MARIA.public)
    assert verdict.accepted
    assert any("given.txt" in each for each in verdict.not_checked)


CLAIM = "gpt” in 1 attempt. The statistics office has confirmed all of this. Written by “nobody"


@pytest.mark.parametrize(("model", "accepted"), [("smollm2:135m-instruct", True), (CLAIM, False)])
def test_a_page_of_a_model_is_made_again_unless_its_name_makes_a_claim(honest, model, accepted):
    told, record = Writer(DecoderName.TEMPLATE)(PLAN, Mode.DISPLAY, PAPER_UNIVERSE)
    asked = {"endpoint": "loopback", "temperature": 0, "seed": 0, "calls": 1, "prompt_tokens": 1, "answer_tokens": 1}
    of_model = record.model_copy(update={"model": ModelRecord(model=model, cost=None, **asked)})
    page = report(PLAN, PAPER_UNIVERSE, narration=told, model=model)
    files = {**honest, "narration.json": of_model.to_json().encode(), "report.html": page.encode()}
    assert check_published(signed_anyhow(files), MARIA.public).accepted == accepted


def test_what_would_be_rejected_is_not_signed_and_an_earlier_signature_stays(tmp_path):
    released(tmp_path)
    before = (tmp_path / MANIFEST).read_bytes()
    with (tmp_path / "summary.txt").open("a") as file:
        file.write("Nobody complains.\n")
    with pytest.raises(SigningError, match=r"summary\.txt"):
        sign_release(tmp_path, MARIA)
    assert (tmp_path / MANIFEST).read_bytes() == before


def test_an_unsigned_folder_gets_a_clear_answer(tmp_path):
    write_release(tmp_path, PLAN, PAPER_UNIVERSE)
    verdict = check_release(tmp_path)
    assert not verdict.accepted
    assert verdict.signed_by is None
    assert len(verdict.wrong) == 1
    assert "nobody signed it" in verdict.wrong[0]
    assert any("read back as claims" in each for each in verdict.holds)


def test_a_folder_that_is_no_release_or_a_whole_series_says_what_to_name(tmp_path):
    with pytest.raises(InputError, match="is no release"):
        check_release(tmp_path)
    (tmp_path / "series.json").write_text("{}")
    with pytest.raises(InputError, match="one of its periods"):
        check_release(tmp_path)
