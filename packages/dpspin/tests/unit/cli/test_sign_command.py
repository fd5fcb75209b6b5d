"""``dpspin sign`` and ``dpspin verify RELEASE``: from a key to a stranger's answer."""

import json

import pytest

from dpspin.boundary.approval import APPROVALS
from dpspin.boundary.signing import write_key
from dpspin.cli.key import PASSPHRASE
from dpspin.public.report.folder import write_release
from factories import PAPER_UNIVERSE
from signed_releases import MALLORY, MARIA, PLAN, approval, approved

SECRET = "correct horse battery"


@pytest.fixture
def out(tmp_path, monkeypatch):
    """A release with its curator's folder and key, in the folder where the commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(PASSPHRASE, SECRET)
    write_key(tmp_path / "maria.key", MARIA, SECRET)
    write_release(tmp_path / "out" / "release", PLAN, PAPER_UNIVERSE)
    (tmp_path / "out" / "curator").mkdir()
    return tmp_path / "out"


def test_a_release_is_signed_and_checked_by_a_stranger(out, dpspin):
    before = dpspin("verify", out / "release")
    assert (before.code, "nobody signed it" in before.out) == (1, True)
    signed = dpspin("sign", out, "--key", "maria.key")
    assert signed.code == 0, signed.err
    assert MARIA.public.fingerprint in signed.err
    checked = dpspin("verify", out / "release", "--key", MARIA.public.text)
    assert checked.code == 0
    assert checked.out.startswith("accepted\n")
    unknown = dpspin("verify", out / "release")
    assert unknown.code == 0
    assert unknown.out.startswith("accepted, but by nobody's key")
    assert MARIA.public.fingerprint in unknown.out
    wrong = dpspin("verify", out / "release", "--key", MALLORY.public.text)
    assert (wrong.code, wrong.out.splitlines()[0]) == (1, "rejected")


def test_a_page_that_is_written_again_needs_another_signature(out, dpspin):
    dpspin("sign", out, "--key", "maria.key")
    release = out / "release"
    dpspin("report", release, "--length", "short", "--out", release / "report.html")
    stale = dpspin("verify", release)
    assert stale.code == 1
    assert "report.html was changed after it was signed" in stale.out
    assert "sign it again" in stale.out
    assert dpspin("sign", release, "--key", "maria.key").code == 0
    assert dpspin("verify", release).code == 0


def test_the_answer_as_json_has_the_same_parts(out, dpspin):
    dpspin("sign", out, "--key", "maria.key")
    told = json.loads(dpspin("verify", out, "--key", "maria.key", "--json").out)
    assert told["accepted"]
    assert told["fingerprint"] == MARIA.public.fingerprint
    assert told["wrong"] == []
    assert told["holds"]
    assert told["not_checked"]


def test_approvals_of_the_curators_folder_are_published_with_the_signature(out, dpspin):
    (out / "curator" / APPROVALS).write_text(approved().model_dump_json())
    signed = dpspin("sign", out, "--key", "maria.key")
    assert "approvals are published with it" in signed.err
    assert "it was approved, with keys in the name of" in dpspin("verify", out, "--key", "maria.key").out
    (out / "curator" / APPROVALS).write_text(approved(approval(request=f"sha256:{'2' * 64}")).model_dump_json())
    refused = dpspin("sign", out, "--key", "maria.key")
    assert (refused.code, "of another request" in refused.err) == (2, True)
    (out / "curator" / APPROVALS).write_text("{}")
    assert dpspin("sign", out, "--key", "maria.key").code == 2


def test_a_key_that_comes_with_the_release_is_no_proof(out, dpspin):
    (out / "release" / "maria.pub").write_text(MARIA.public.text)
    dpspin("sign", out, "--key", "maria.key")
    refused = dpspin("verify", out / "release", "--key", out / "release" / "maria.pub")
    assert (refused.code, "get it another way" in refused.err) == (2, True)


def test_a_wrong_passphrase_leaves_the_release_as_it_was(out, dpspin, monkeypatch):
    before = {file.name: file.read_bytes() for file in (out / "release").iterdir()}
    monkeypatch.setenv(PASSPHRASE, "another passphrase")
    refused = dpspin("sign", out, "--key", "maria.key")
    assert (refused.code, "passphrase is wrong" in refused.err) == (2, True)
    assert {file.name: file.read_bytes() for file in (out / "release").iterdir()} == before


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "out/release/plan.json"),
        ("verify", "out", "--settle"),
        ("verify", "out", "--mode", "audit"),
        ("verify", "out", "out/release/summary.txt", "--key", "maria.key"),
        ("verify", "out", "--key", "nowhere.pub"),
        ("sign", "nowhere", "--key", "maria.key"),
        ("sign", "out", "--key", "nowhere.key"),
    ],
)
def test_words_that_do_not_fit_are_bad_input(out, dpspin, words):
    assert dpspin(*words).code == 2
