"""What a release publishes of a dictionary tells nobody which auxiliary records are behind it."""

import hashlib
import json

import pytest

import dpspin
from dpspin.boundary.atoms import AtomUniverse
from dpspin.building import build_phrases, build_taxonomy
from dpspin.curator.records.corpus import digest_of_parts
from dpspin.errors import RecordsRefused, RequestError
from dpspin.public.atoms import packs
from dpspin.public.atoms.dictionary_files import dumps, load
from dpspin.public.report.folder import write_release

HEAD = "text,who,Product,Issue\n"


def file_of(path, first, last):
    rows = (
        f'"Review {i}: such dry skin after all, and the {i}th bottle of lotion had no effect on it.",u{i},skin,dry\n'
        for i in range(first, last)
    )
    path.write_text(HEAD + "".join(rows))
    return path


@pytest.fixture
def old(tmp_path):
    return file_of(tmp_path / "zqxv-old-reviews.csv", 0, 20)


@pytest.fixture
def new(tmp_path):
    return file_of(tmp_path / "new.csv", 20, 40)


BUILDERS = {
    "phrases": lambda file: build_phrases(file, "amazon-beauty", text="text", user="who", min_support=2),
    "taxonomy": lambda file: build_taxonomy(file, text="text", size=1, name="skin", levels=["Product", "Issue"]),
}


def released(tmp_path, data, atoms, **options):
    return dpspin.release(
        data,
        text="text",
        atoms=atoms,
        unit=dpspin.RecordUnit(),
        loss=dpspin.PrivacyLoss(1.0),
        denominator=100,
        size=1,
        ledger=tmp_path / "ledger.db",
        map=dpspin.Recipe(dpspin.MapKind.PAPER, 1),
        **options,
    )


@pytest.mark.parametrize("kind", BUILDERS)
def test_a_reader_who_knows_all_but_one_record_cannot_test_a_guess_about_it(tmp_path, old, new, kind):
    atoms = BUILDERS[kind](old).universe
    plan = released(tmp_path, new, atoms, atoms_auxiliary=old)
    write_release(tmp_path / "release", plan, atoms)
    right_guess = hashlib.sha256(old.read_bytes()).hexdigest()
    told = "".join(file.read_text() for file in (tmp_path / "release").iterdir())
    for secret in (right_guess, digest_of_parts([right_guess]), "zqxv", "salt"):
        assert secret not in told


def test_the_published_copy_has_the_digest_of_the_curators_own(tmp_path, old, new):
    built = BUILDERS["phrases"](old)
    atoms = built.universe
    plan = released(tmp_path, new, atoms, atoms_auxiliary=old)
    write_release(tmp_path / "release", plan, atoms)
    (tmp_path / "own.json").write_text(dumps(atoms))
    own, published = load(tmp_path / "own.json"), load(tmp_path / "release" / "atoms.json")
    assert own == atoms != published == atoms.published
    assert own.digest == published.digest == plan.dictionary.digest == built.manifest.dictionary_digest
    assert atoms.provenance.auxiliary.salt not in built.manifest.to_json()
    assert atoms.provenance.auxiliary.salt not in repr(atoms)


def test_two_dictionaries_of_the_same_records_share_no_salt(old):
    one, other = (BUILDERS["phrases"](old).universe.provenance.auxiliary for _ in range(2))
    assert one.salt != other.salt
    assert one.content != other.content


def test_the_published_copy_cannot_be_compared_and_says_what_to_use(tmp_path, old, new):
    atoms = BUILDERS["phrases"](old).universe.published
    with pytest.raises(RequestError, match="use the file that was built"):
        released(tmp_path, new, atoms, atoms_auxiliary=old)
    assert released(tmp_path, new, atoms, atoms_auxiliary_is_public=True).is_private


def test_the_protected_data_are_known_again_by_the_curators_copy_though_declared_public(tmp_path, old):
    with pytest.raises(RecordsRefused, match="built from the protected data"):
        released(tmp_path, old, BUILDERS["phrases"](old).universe, atoms_auxiliary_is_public=True)


# As version 0.1.0 wrote it before there were salts, from 20 reviews like the ones above.
OLD = {
    "name": "amazon-beauty",
    "version": "1",
    "provenance": {
        "source": "auxiliary",
        "note": "phrases of auxiliary text by support, under the rules of the profile amazon-beauty",
        "auxiliary": {
            "content": "7a963e1ea5567bc59eb2c694253d44593deb8078f28b88eba7d1b4476fe04167",
            "text": "text",
            "user": "who",
        },
    },
    "atoms": [
        {
            "id": 0,
            "label": "dry skin",
            "description": "Anything about “dry skin”.",
            "cues": [],
            "examples": [],
            "counter_examples": [],
            "parent": "skin",
        }
    ],
    "background": [],
}
OLD_DIGEST = "sha256:4efef7c36f1f1a4d592eec229d62c4a3df3294adecad4cb62b96859c8f63f00d"


def test_a_dictionary_of_an_earlier_version_keeps_its_digest_and_its_text():
    atoms = AtomUniverse.model_validate(OLD)
    assert atoms.digest == atoms.published.digest == OLD_DIGEST
    assert json.loads(dumps(atoms)) == OLD


def test_a_dictionary_of_an_earlier_version_is_built_again_or_its_records_are_declared_public(tmp_path, old, new):
    atoms = AtomUniverse.model_validate(OLD)
    with pytest.raises(RequestError, match="build it again: its digest of those records would be published"):
        released(tmp_path, new, atoms, atoms_auxiliary=old)
    assert released(tmp_path, new, atoms, atoms_auxiliary_is_public=True).dictionary.digest == OLD_DIGEST


PACKS = {
    "app-reviews": "5ac58dd299698dd5863a89b593f8059969486f72952da2d5b5e974a379ab7bbd",
    "assistant-chats": "bfd314ac72c8f1d4b6623afaf058221dee41bc7a0f6c4e7cfdde3021e6aa83f5",
    "bank-complaints": "40e896c78260c56da4a4c3a68eaf6e7de9458ea85777221ff125d512ae127bc8",
    "employee-survey": "47e6d77fde669db188c76e6fa4889836522f312d7d591b8cb897ee5d72aa4358",
    "product-reviews": "4fa9b1e89b5f6d9d794440b315bc2d24e3c82b4a848db97b562d9dd3c1a77fbc",
    "restaurant-reviews": "43f37a9a5487dec423f6a31389c3b2eda6cf09abf0aeb312e64164d37ab0712b",
    "support-tickets": "a569114c17c935d5c58d153d98b68397d92de6083ee9a8a9f6054b7a89f01ab9",
}


@pytest.mark.parametrize("name", PACKS)
def test_the_ready_packs_keep_their_digests(name):
    assert packs.load(name).digest == f"sha256:{PACKS[name]}"
