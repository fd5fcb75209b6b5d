"""A signed release is accepted as it was signed, and every change after that is found."""

import time
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.boundary.manifest import MANIFEST, SignedManifest
from dpspin.public.narrate.modes import Length
from dpspin.public.release_check.check import check_published, check_release
from dpspin.public.release_check.published_folder import PublishedFolder, read_folder
from dpspin.public.report.folder import derived_files
from drawing import seeded
from factories import PAPER_UNIVERSE
from signed_releases import (
    ANALYST,
    DAY,
    MALLORY,
    MARIA,
    OTHER_PLAN,
    PLAN,
    approval,
    approved,
    released,
    signed_anyhow,
    terms_of,
)

CHANGES = 10_000
SEED = 21


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    return released(tmp_path_factory.mktemp("release") / "release", behind=approved())


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    return released(tmp_path_factory.mktemp("other") / "release", OTHER_PLAN)


def is_found(files):
    """Tell whether a reader with the curator's key rejects a folder; without a key no change may pass either."""
    folder = PublishedFolder(files, ())
    return not (check_published(folder, MARIA.public).accepted or check_published(folder).accepted)


def test_an_honest_release_is_accepted_and_says_what_was_not_checked(honest):
    verdict = check_published(honest, MARIA.public)
    assert verdict.accepted, verdict.wrong
    assert verdict.fingerprint == MARIA.public.fingerprint
    assert any("signed by Maria Lopez" in each for each in verdict.holds)
    assert any("it was approved, with keys in the name of Data protection" in each for each in verdict.holds)
    assert any("read back as claims" in each for each in verdict.holds)
    assert any("noise was drawn" in each for each in verdict.not_checked)


def test_without_a_key_only_agreement_is_claimed_and_the_fingerprint_shown(honest):
    verdict = check_published(honest)
    assert verdict.accepted
    assert not any("signed by" in each for each in verdict.holds)
    assert any(MARIA.public.fingerprint in each and "anybody can say so" in each for each in verdict.not_checked)


def test_a_check_takes_at_most_two_seconds(honest):
    began = time.process_time()
    assert check_published(honest, MARIA.public).accepted
    assert time.process_time() - began < 2


def test_ten_thousand_single_bytes_changed_are_found(honest):
    chance, names = seeded(SEED), sorted(honest.files)
    missed, hit = [], dict.fromkeys(names, 0)
    for _ in range(CHANGES):
        name = names[chance.integers(len(names))]
        content = bytearray(honest.files[name])
        place = chance.integers(len(content))
        content[place] ^= int(chance.integers(1, 256))
        hit[name] += 1
        folder = replace(honest, files={**honest.files, name: bytes(content)})
        if check_published(folder, MARIA.public).accepted:
            missed.append((name, place))
    assert not missed
    assert min(hit.values()) > CHANGES / len(names) / 2


def test_every_byte_of_the_manifest_counts_without_a_key_too(honest):
    content = honest.files[MANIFEST]
    for place in range(len(content)):
        changed = content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
        assert not check_published(replace(honest, files={**honest.files, MANIFEST: changed})).accepted, place


@given(st.data())
def test_truncated_lengthened_missing_renamed_and_swapped_files_are_found(honest, other, data):
    name = data.draw(st.sampled_from(sorted(honest.names)))
    content = honest.files[name]
    rest = {each: found for each, found in honest.files.items() if each != name}
    swapped = other.files[name]
    tampered = data.draw(
        st.sampled_from(
            [
                {**rest, name: content[: data.draw(st.integers(0, len(content) - 1))]},
                {**rest, name: content + data.draw(st.binary(min_size=1, max_size=5))},
                rest,
                {**rest, f"{name}.bak": content},
                {**honest.files, "more.txt": data.draw(st.binary(max_size=5))},
                *([{**rest, name: swapped}] if swapped != content else []),
            ]
        )
    )
    assert is_found(tampered)


def test_the_manifest_of_another_release_is_found(honest, other):
    assert is_found({**honest.files, MANIFEST: other.files[MANIFEST]})


def test_a_signature_by_another_key_is_found_whatever_name_it_has(honest):
    forged = signed_anyhow(honest.files, MALLORY)
    assert MALLORY.public.name == MARIA.public.name
    verdict = check_published(forged, MARIA.public)
    assert not verdict.accepted
    assert any("another key" in each for each in verdict.wrong)
    assert check_published(forged, MALLORY.public).accepted, "it is wrong by nothing but the key"


def test_a_key_put_into_the_manifest_without_its_signature_is_found(honest):
    text = honest.files[MANIFEST].replace(MARIA.public.key.encode(), MALLORY.public.key.encode())
    assert is_found({**honest.files, MANIFEST: text})


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (approval(request=f"sha256:{'2' * 64}"), "of another request"),
        (approval(day=DAY - timedelta(9), expires=DAY - timedelta(1)), "did not count on the day"),
        (approval(day=DAY + timedelta(1), expires=DAY + timedelta(9)), "did not count on the day"),
        (approval(ANALYST), "the same key had asked for"),
        (approval(decision="declined"), "did not count on the day"),
        (approval().model_copy(update={"reason": "another"}), "not signed with the key"),
        (approval().model_copy(update={"by": MALLORY.public}), "not signed with the key"),
    ],
)
def test_approvals_that_do_not_belong_are_found_though_the_curator_signed_them(honest, given, why):
    verdict = check_published(signed_anyhow(honest.files, approved=approved(given)), MARIA.public)
    assert not verdict.accepted
    assert any(why in each for each in verdict.wrong)


@pytest.mark.parametrize("mechanism", ["phrases", "gaussian"])
def test_an_approval_of_something_else_is_found(honest, mechanism):
    elsewhere = approved(terms=terms_of(PLAN, mechanism=mechanism))
    assert not check_published(signed_anyhow(honest.files, approved=elsewhere), MARIA.public).accepted


def test_terms_that_were_not_approved_cannot_stand_beside_an_approval(honest):
    dearer = approved().model_copy(update={"terms": terms_of(PLAN, epsilon=9.0)})
    wrong = check_published(signed_anyhow(honest.files, approved=dearer), MARIA.public).wrong
    assert any("not those of the request" in each for each in wrong)


def test_a_release_is_not_signed_before_its_day(honest):
    later = approved(approval(expires=DAY + timedelta(9)), released=DAY + timedelta(5))
    verdict = check_published(signed_anyhow(honest.files, approved=later), MARIA.public)
    assert len(verdict.wrong) == 1
    assert "before the day of the release" in verdict.wrong[0]


def test_an_approval_cannot_be_taken_out_or_put_in_later(honest):
    manifest = SignedManifest.from_bytes(honest.files[MANIFEST])
    without = manifest.model_copy(update={"approved": None})
    assert is_found({**honest.files, MANIFEST: without.to_text().encode()})


def test_a_release_written_again_with_another_text_is_stale_until_it_is_signed_again(tmp_path):
    released(tmp_path / "release")
    for name, content in derived_files(PLAN, PAPER_UNIVERSE, Length.SHORT).items():
        (tmp_path / "release" / name).write_bytes(content)
    assert any("changed after" in each for each in check_release(tmp_path / "release", MARIA.public).wrong)
    assert check_release(released(tmp_path / "release") and tmp_path, MARIA.public).accepted


def test_the_folder_above_is_the_same_release(tmp_path, honest):
    released(tmp_path / "out" / "release")
    assert check_release(tmp_path / "out", MARIA.public).accepted
    assert read_folder(tmp_path / "out" / "release").names == honest.names
