import io
import pickle
import zipfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpspin.curator.assign import array_file
from dpspin.curator.assign.array_file import ArrayFile
from dpspin.curator.assign.deal_out_mass import Calibration, Competing, Exclusive
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.assign.saved_maps import load_map, save_map
from dpspin.curator.assign.term_classifier import GRID
from dpspin.errors import RequestError, SourceError
from factories import PAPER_UNIVERSE
from restaurant_dictionary import ATOMS, MAP_KINDS, UNIVERSE, exclusive_texts, fitted, restaurant, several_texts

TEXTS = ["We waited an hour.", "No cold soup. Rude, though!", "", "Zebra ÉCLAIR", "waited 9, cold soup, rude host"]
REFUSED = r"map\.npz is not a fitted map"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "map.npz"


def resealed(path, *, header=lambda text: text, **arrays):
    """Change a saved map and seal it again, as a forger would; an array of None is left out."""
    file = ArrayFile.read(path)
    content = {**file.arrays, **{name.replace("_", ".", 1): array for name, array in arrays.items()}}
    kept = {name: array for name, array in content.items() if array is not None}
    changed = ArrayFile(header(file.header.decode()).encode(), kept)
    assert changed.seal != file.seal
    changed.write(path)


@pytest.mark.parametrize("kind", MAP_KINDS)
@pytest.mark.parametrize("k", [None, 1])
def test_a_saved_map_is_the_same_map_bit_for_bit(path, kind, k):
    save_map(fitted(kind, k), path)
    loaded = load_map(path)
    assert loaded.statement == fitted(kind, k).statement
    assert loaded.statement.card is not None
    assert loaded.weights(TEXTS).tobytes() == fitted(kind, k).weights(TEXTS).tobytes()
    ours, theirs = (one(pa.array([*TEXTS, None])) for one in (fitted(kind, k), loaded))
    assert (ours.atoms.tolist(), ours.ticks.tolist()) == (theirs.atoms.tolist(), theirs.ticks.tolist())


def test_the_same_map_gives_the_same_bytes_also_after_loading(path, tmp_path):
    save_map(fitted("cues"), path)
    save_map(load_map(path), tmp_path / "again.npz")
    assert path.read_bytes() == (tmp_path / "again.npz").read_bytes()


@pytest.mark.parametrize("kind", ["taught", "supervised"])
def test_no_auxiliary_text_is_stored_beyond_its_words(path, kind):
    save_map(fitted(kind), path)
    content = ArrayFile.read(path).header.decode()
    texts = several_texts().texts if kind == "taught" else exclusive_texts().texts
    assert not [text for text in texts if len(text.split()) > 2 and text in content]
    assert "waited" in content


def test_a_map_without_a_card_is_saved_as_such(path):
    save_map(replace(fitted("cues"), card=None), path)
    assert load_map(path).card is None


@pytest.mark.parametrize("made", [fitted("cues"), NgramMap.fit(UNIVERSE, PublicWordIdf())], ids=["cues", "paper"])
def test_a_map_to_another_version_of_its_dictionary_is_refused(path, made):
    save_map(made, path)
    assert load_map(path, UNIVERSE).statement == made.statement
    with pytest.raises(SourceError, match="another dictionary"):
        load_map(path, restaurant(version="2"))


def test_either_kind_of_map_is_read_by_its_header(tmp_path):
    paper = NgramMap.fit(PAPER_UNIVERSE, PublicWordIdf())
    save_map(paper, tmp_path / "paper.npz")
    save_map(fitted("supervised"), tmp_path / "calibrated.npz")
    assert load_map(tmp_path / "paper.npz", PAPER_UNIVERSE).statement == paper.statement
    assert load_map(tmp_path / "calibrated.npz").statement == fitted("supervised").statement
    for name in ("paper.npz", "calibrated.npz"):
        with pytest.raises(SourceError, match="fitted for"):
            load_map(tmp_path / name, restaurant(ATOMS[:2]))


@pytest.mark.parametrize("header", ["[]", "{}", '{"format": 1}', '{"format": "dpspin-calibrated-map/3"}', "nonsense"])
def test_an_unknown_header_is_refused(path, header):
    ArrayFile(header.encode(), {}).write(path)
    with pytest.raises(SourceError, match=REFUSED):
        load_map(path)


def test_a_map_of_an_earlier_format_is_refused_and_said_to_be_fitted_again(path):
    save_map(fitted("cues"), path)
    resealed(path, header=lambda text: text.replace("dpspin-calibrated-map/2", "dpspin-calibrated-map/1", 1))
    with pytest.raises(SourceError, match=r"not a fitted map of this version.* fit the map again"):
        load_map(path)


@pytest.mark.parametrize("change", [('"tells_themes":true', '"tells_themes":false'), (',"tells_themes":true', "")])
def test_a_column_of_any_theme_is_not_taken_for_an_atom(path, change):
    save_map(fitted("cues"), path)
    resealed(path, header=lambda text: text.replace(*change, 1))
    with pytest.raises(SourceError, match=REFUSED):
        load_map(path)


def test_a_missing_file_and_one_that_is_no_archive_are_refused(path):
    with pytest.raises(SourceError, match="no such file"):
        load_map(path)
    for content in (b"", b"late parcel", pickle.dumps({"weights": 1})):
        path.write_bytes(content)
        with pytest.raises(SourceError, match=REFUSED):
            load_map(path)


@pytest.mark.parametrize(
    "forged",
    [
        {"header": lambda text: text.replace('"waited"', '"waitet"', 1)},
        {"header": lambda text: text.replace('"supervised"', '"supervisor"', 1)},
        {"header": lambda text: text.replace('"atoms_per_record":null', '"atoms_per_record":2', 1)},
        {"header": lambda text: text.replace('"texts":100', '"texts":101', 1)},  # of the card
        {"header": lambda text: text.replace("labelled auxiliary texts", "labelled texts", 1)},
        {"weights": np.array([1.0 + GRID])},
        {"0_offsets": np.zeros(4)},
    ],
)
def test_a_changed_map_does_not_pass_for_the_one_its_digest_names(path, forged):
    save_map(fitted("supervised"), path)
    resealed(path, **forged)
    with pytest.raises(SourceError, match="digest"):
        load_map(path)


@pytest.mark.parametrize(
    "forged",
    [
        {"weights": np.array([np.nan])},
        {"weights": np.array([np.inf])},
        {"weights": np.array([1e200])},
        {"weights": np.array([1])},  # integers
        {"weights": np.array([1.0, 1.0])},
        {"weights": None},
        {"offsets": np.zeros(3)},
        {"0_offsets": np.zeros((4, 1))},
        {"0_coefficients": np.zeros((2, 4))},
        {"0_idf": np.zeros(3)},
        {"header": lambda text: text.replace('"exclusive"', '"competing"')},
        {"header": lambda text: text.replace('"exclusive"', '"generous"')},
        {"header": lambda text: text.replace('"size":3', '"size":4')},
        {"header": lambda text: text.replace('"kind":"classes"', '"kind":"pickles"')},
        {"header": lambda text: text.replace('"analyzer":"record"', '"analyzer":"system"')},
        {"header": lambda text: text.replace('"waited"', '"cold"', 1)},  # one term twice
        {"header": lambda text: text.replace('"atoms_per_record":null', '"atoms_per_record":0', 1)},
    ],
)
def test_wrong_shapes_numbers_and_kinds_are_refused(path, forged):
    save_map(fitted("supervised"), path)
    resealed(path, **forged)
    with pytest.raises(SourceError, match=REFUSED):
        load_map(path)


def test_cues_of_foreign_atoms_and_sources_that_do_not_fit_are_refused(path):
    save_map(fitted("cues"), path)
    resealed(path, header=lambda text: text.replace('[["long","wait"],[0]]', '[["long","wait"],[3]]'))
    with pytest.raises(SourceError, match=REFUSED):
        load_map(path)
    mixed = replace(
        fitted("supervised"), allocation=Competing(), calibration=Calibration(np.ones(1), np.zeros(UNIVERSE.size))
    )
    save_map(mixed, path)
    with pytest.raises(SourceError, match=REFUSED):
        load_map(path)
    save_map(replace(fitted("taught"), allocation=Exclusive()), path)
    with pytest.raises(SourceError, match=REFUSED):
        load_map(path)


@dataclass(frozen=True)
class Rumour:
    layers = ("rumour",)
    digest = "sha256:0"

    def __call__(self, texts):
        return np.zeros((1, len(texts), UNIVERSE.size))


def test_a_source_of_an_unknown_kind_cannot_be_saved(path):
    with pytest.raises(RequestError, match="Rumour"):
        save_map(replace(fitted("cues"), sources=(Rumour(),)), path)
    assert not path.exists()


def npy(array, *, allow_pickle=False):
    raw = io.BytesIO()
    np.lib.format.write_array(raw, array, version=(1, 0), allow_pickle=allow_pickle)
    return raw.getvalue()


def with_part(path, name, raw):
    """Put one more member, or another in its place, into the archive."""
    with zipfile.ZipFile(path) as archive:
        parts = {member: archive.read(member) for member in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in {**parts, name: raw}.items():
            archive.writestr(member, content)


class Malice:
    def __reduce__(self):
        return (pytest.fail, ("a pickle was loaded",))


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("weights.npy", npy(np.array([Malice()], dtype=object), allow_pickle=True)),
        ("header.npy", npy(np.array([Malice()], dtype=object), allow_pickle=True)),
        ("more.npy", npy(np.zeros(3))),
        ("more.npy", npy(np.asfortranarray(np.zeros((2, 2))))),
        ("more.npy", npy(np.zeros(3, np.complex128))),
        ("more.txt", b"late parcel"),
        ("weights.npy", npy(np.zeros(3))[:-8]),
        ("weights.npy", npy(np.zeros(1)).replace(b"(1,)", b"(9" + b"9" * 12 + b",)")[:-12]),  # claims terabytes
        ("weights.npy", b""),
    ],
)
def test_hostile_parts_are_refused_before_they_are_read(path, name, raw):
    save_map(fitted("supervised"), path)
    with_part(path, name, raw)
    with pytest.raises(SourceError, match=REFUSED):
        load_map(path)


def test_a_file_that_unpacks_to_too_much_is_refused_and_not_written(path, monkeypatch):
    save_map(fitted("supervised"), path)
    monkeypatch.setattr(array_file, "LARGEST", 10_000)
    with_part(path, "bomb.npy", npy(np.zeros(100_000)))
    assert path.stat().st_size < 50_000
    with pytest.raises(SourceError, match=REFUSED):
        load_map(path)
    with pytest.raises(RequestError, match="too large"):
        save_map(fitted("supervised"), path)


def test_too_many_parts_are_refused(path):
    save_map(fitted("supervised"), path)
    with zipfile.ZipFile(path, "a") as archive:
        for number in range(array_file.MOST_PARTS):
            archive.writestr(f"{number}.npy", npy(np.zeros(1)))
    with pytest.raises(SourceError, match=REFUSED):
        load_map(path)


@cache
def saved():
    with TemporaryDirectory() as folder:
        save_map(fitted("supervised"), Path(folder) / "map.npz")
        return (Path(folder) / "map.npz").read_bytes()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=st.floats(0, 1, exclude_max=True), byte=st.integers(1, 255), cut=st.booleans())
def test_a_damaged_file_is_refused_or_is_still_the_map(path, where, byte, cut):
    raw = bytearray(saved())
    place = int(where * len(raw))
    raw[place] ^= byte
    path.write_bytes(raw[:place] if cut else raw)
    try:
        loaded = load_map(path)
    except SourceError:
        return
    assert loaded.statement == fitted("supervised").statement
