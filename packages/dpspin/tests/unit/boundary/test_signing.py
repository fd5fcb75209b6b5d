"""Keys and signatures: what a holder signs is theirs, for one purpose, and no other text passes for it."""

import base64
import stat
import sys
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from dpspin.boundary.approval import Approval, SignedApproval
from dpspin.boundary.signing import SCHEME, KeyFile, PublicKey, Purpose, make_key, read_public_key, write_key
from dpspin.errors import MissingExtra, SigningError

MARIA = make_key("Maria Lopez")
PASSPHRASE = "correct horse battery"


def approval(key=MARIA, **changed):
    told = {"request": f"sha256:{'0' * 64}", "decision": "approved", "by": key.public, "reason": "as agreed"}
    return Approval.model_validate(told | {"day": date(2026, 3, 1), "expires": date(2026, 3, 31)} | changed)


def written(folder, passphrase=PASSPHRASE):
    file = folder / "maria.key"
    write_key(file, MARIA, passphrase)
    return file


def test_a_key_is_written_for_its_owner_alone_and_opens_with_its_passphrase(tmp_path):
    file = written(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    held = KeyFile.read(file)
    assert held.needs_passphrase
    signature = held.opened(PASSPHRASE).sign(Purpose.RELEASE, b"words")
    assert MARIA.public.has_signed(Purpose.RELEASE, b"words", signature)


def test_a_key_is_never_overwritten_and_never_shown(tmp_path):
    file = written(tmp_path)
    before = file.read_bytes()
    with pytest.raises(SigningError, match="never overwritten"):
        written(tmp_path)
    assert file.read_bytes() == before
    assert "private" not in repr(KeyFile.read(file)) + repr(MARIA)


def test_a_key_in_the_clear_needs_no_passphrase(tmp_path):
    held = KeyFile.read(written(tmp_path, passphrase=None))
    assert not held.needs_passphrase
    assert held.opened(None).public == MARIA.public


@pytest.mark.parametrize(("passphrase", "why"), [("another passphrase", "passphrase is wrong"), (None, "is encrypted")])
def test_a_key_stays_closed_without_its_passphrase(tmp_path, passphrase, why):
    with pytest.raises(SigningError, match=why):
        KeyFile.read(written(tmp_path)).opened(passphrase)


def test_a_short_passphrase_makes_no_key(tmp_path):
    with pytest.raises(SigningError, match="at least 8"):
        written(tmp_path, "seven77")
    assert not list(tmp_path.iterdir())


def test_a_first_line_that_names_another_key_is_found(tmp_path):
    file = written(tmp_path, passphrase=None)
    rest = file.read_text().partition("\n")[2]
    file.write_text(f"{make_key('Mallory').public.text}\n{rest}")
    with pytest.raises(SigningError, match="first line"):
        KeyFile.read(file).opened(None)


@pytest.mark.parametrize("content", [b"", b"hello", b"\xff\xfe", b"x" * 20_000, f"{SCHEME}AAAA= Maria".encode()])
def test_a_file_that_is_no_key_is_named(tmp_path, content):
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(SigningError):
        KeyFile.read(tmp_path / "other")


def test_a_public_key_is_read_from_its_line_its_file_and_its_holders_file(tmp_path):
    (tmp_path / "maria.pub").write_text(f"{MARIA.public.text}\n")
    given_as = (MARIA.public.text, tmp_path / "maria.pub", written(tmp_path))
    assert {read_public_key(each) for each in given_as} == {MARIA.public}
    with pytest.raises(SigningError, match="public key alone"):
        KeyFile.read(tmp_path / "maria.pub")


@pytest.mark.parametrize("name", ["", " Maria", "Maria  Lopez", "Maria\nLopez", "Maria\u202eLopez", "x" * 101])
def test_a_name_is_one_visible_line(name):
    with pytest.raises(SigningError, match="name"):
        make_key(name)


def test_no_second_text_is_the_same_key():
    raw = MARIA.public.key.removeprefix(SCHEME)
    last = raw[-2]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    same_bytes = [raw[:-2] + each + "=" for each in letters if each != last]
    alike = [each for each in same_bytes if base64.b64decode(each) == base64.b64decode(raw)]
    assert alike, "base64 has several texts for the same bytes"
    for text in (*alike, raw.rstrip("="), raw + "\n", raw.replace("+", "-") + "="):
        with pytest.raises(ValidationError):
            PublicKey(key=SCHEME + text, name="Maria")


def test_a_signature_is_for_its_purpose_its_content_and_its_key():
    signature = MARIA.sign(Purpose.APPROVAL, b"words")
    assert MARIA.public.has_signed(Purpose.APPROVAL, b"words", signature)
    assert not MARIA.public.has_signed(Purpose.RELEASE, b"words", signature)
    assert not MARIA.public.has_signed(Purpose.APPROVAL, b"other words", signature)
    assert not make_key("Maria Lopez").public.has_signed(Purpose.APPROVAL, b"words", signature)


@given(st.text(max_size=100))
def test_whatever_else_is_said_to_be_a_signature_is_none(text):
    assert not MARIA.public.has_signed(Purpose.APPROVAL, b"words", text)


def test_an_approval_is_authentic_as_it_was_signed_and_no_other():
    signed = approval().signed_with(MARIA)
    assert signed.is_authentic
    assert SignedApproval.model_validate_json(signed.model_dump_json()) == signed
    changed = {
        "request": f"sha256:{'1' * 64}",
        "decision": "declined",
        "by": make_key("Maria Lopez").public,
        "reason": "as  agreed",
        "day": date(2026, 3, 2),
        "expires": date(2027, 3, 31),
        "signature": MARIA.sign(Purpose.RELEASE, signed.content),
    }
    assert set(changed) == set(SignedApproval.model_fields)
    assert not any(signed.model_copy(update={name: value}).is_authentic for name, value in changed.items())


def test_an_approval_is_signed_by_whom_it_names():
    with pytest.raises(SigningError, match="whom it names"):
        approval().signed_with(make_key("Mallory"))


def test_an_approval_counts_from_its_day_until_it_expires():
    signed = approval().signed_with(MARIA)
    days = [date(2026, 2, 28), date(2026, 3, 1), date(2026, 3, 31), date(2026, 4, 1)]
    assert [signed.counts_on(day) for day in days] == [False, True, True, False]
    assert not approval(decision="declined").signed_with(MARIA).counts_on(date(2026, 3, 1))
    with pytest.raises(ValidationError, match="expires before"):
        approval(expires=date(2026, 2, 1))


def test_the_extra_is_named_where_it_is_missing(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("cryptography") or name.endswith(".ed25519")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("dpspin.boundary.ed25519")
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(MissingExtra, match=r"dpspin\[sign\]"):
        make_key("Maria")
