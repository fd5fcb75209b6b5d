import pickle
import sys
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from dpspin.boundary.atoms import Atom
from dpspin.curator.assign.array_file import ArrayFile
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf, fastest
from dpspin.curator.assign.saved_maps import load_map, save_map
from dpspin.curator.records.cells import LONGEST_TEXT
from dpspin.errors import SourceError
from factories import universe_of

pytest.importorskip("numba")

from dpspin.curator.assign.kernels.kernel_arrays import BLOCK_BYTES, ODD, WORD
from dpspin.curator.assign.kernels.paper_kernel import score
from dpspin.curator.assign.kernels.paper_scorer import ENTRIES_AT_ONCE, ROWS_PER_THREAD, FusedScorer
from dpspin.curator.assign.kernels.paper_tables import characters, tables_of

LABELS = [
    "late parcel",
    "refund missing",
    "slow app crash",
    "crème brûlée",
    "snake_case words",
    "internationalisation internationalization",
    "東京 大阪",
    "late refund",
]


def fitted(k=3, labels=LABELS):
    return NgramMap.fit(universe_of([Atom(id=i, label=label) for i, label in enumerate(labels)]), PublicWordIdf(), k)


def parts_of(contributions):
    return [contributions.offsets.tolist(), contributions.atoms.tolist(), contributions.ticks.tolist()]


def assert_equal(ngrams, texts):
    assert isinstance(ngrams._map, FusedScorer)
    expected = ngrams.reference(texts)
    assert parts_of(ngrams(texts)) == parts_of(expected)
    return expected


@pytest.mark.parametrize("k", [1, 2, 3, 100, None])
def test_the_kernel_gives_the_same_atoms_order_and_ticks(k):
    texts = [
        "Late PARCEL, late refund!",
        "refund the missing parcel",
        "slow slow app",
        "nothing here",
        "",
        None,
        "大阪",
    ]
    expected = assert_equal(fitted(k), pa.array(texts, pa.large_string()))
    assert len(expected.atoms) >= 4


@pytest.mark.parametrize(
    ("text", "is_pair"),
    [
        ("late parcel", True),
        ("late the parcel", True),  # stop words are left out before pairs are made
        ("late and then the very parcel", True),
        ("late a parcel", True),  # so are single letters …
        ("late é 東 parcel", True),  # … of any number of bytes
        ("late\N{COMBINING ACUTE ACCENT}parcel", True),
        ("late grey parcel", False),
        ("late ab parcel", False),
        ("late éa parcel", False),
        ("late_parcel", False),
        ("lateparcel", False),
        ("parcel late", False),
    ],
)
def test_word_pairs_pass_over_stop_words_and_single_characters_only(text, is_pair):
    pair_only = NgramMap(("late parcel",), csr_array(np.array([[1]])), "nothing", 1, "sha256:any")
    assert len(assert_equal(pair_only, pa.array([text])).atoms) == is_pair


def test_pairs_do_not_reach_from_one_record_into_the_next():
    expected = assert_equal(fitted(1, ["late parcel", "late", "parcel"]), pa.array(["late", "parcel", "the", "late"]))
    assert expected.atoms.tolist() == [1, 2, 1]


@pytest.mark.parametrize(
    "text",
    [
        "internationalisation internationalization internationalizations internationali",
        "INTERNATIONALIZATION" * 3,
        "snake_case SNAKE_CASE _snake_case snake\x7fcase snake-case",
        "CRÈME BRÛLÉE creme brulee cre\N{COMBINING GRAVE ACCENT}me",
        "東京 大阪 東京大阪 京",
        "\N{KELVIN SIGN} late\x00parcel late\u00a0parcel",
        "ΣΑΣ late parcel İ",  # odd characters: read by Python
        "late" + "x" * 59 + " parcel",  # a token that ends at the end of a line
        "." * 60 + "late parcel",  # and one that lies across it
        "." * 63 + "a late" + "." * 57 + "é parcel",
    ],
)
def test_words_are_told_apart_byte_by_byte(text):
    assert_equal(fitted(None), pa.array([text, "late parcel"]))


@pytest.mark.parametrize("letter", ["x", "é", "東", "𝒜"])
@pytest.mark.parametrize("before", [4, 5, 6, 100])
def test_a_record_is_read_up_to_its_longest_length_in_characters(letter, before):
    text = letter + " " * (LONGEST_TEXT - 1 - before) + "late parcel refund"
    expected = assert_equal(fitted(None, ["late", "parcel", "late parcel"]), pa.array([text, "parcel"]))
    assert bool(expected.offsets[1]) == (before >= 4)


def test_records_longer_than_a_block_and_many_empty_ones():
    long = "refund late parcel " * (BLOCK_BYTES // 15)
    assert_equal(fitted(), pa.array(["slow app", long, *[""] * 5_000, None, "É" + long, "refund missing"]))


def test_growing_lower_case_fits_into_its_record():
    assert_equal(fitted(), pa.array(["Ⱥ" * LONGEST_TEXT, "Ⱥ" * 1_000 + " late parcel"] * 3))


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_slices_and_every_kind_of_string_column(kind):
    texts = pa.array(["refund missing", None, "late parcel", "slow app", None, "crash"], kind)
    for first, length in [(0, 6), (1, 4), (2, 3), (4, 1), (6, 0)]:
        assert_equal(fitted(), texts.slice(first, length))


def test_what_lies_behind_a_null_is_not_read():
    full = pa.array(["late parcel", "refund missing"], pa.large_string())
    _, offsets, data = full.buffers()
    hidden = pa.Array.from_buffers(pa.large_string(), 2, [pa.py_buffer(b"\x02"), offsets, data])
    assert hidden.to_pylist() == [None, "refund missing"]
    assert assert_equal(fitted(), hidden).offsets.tolist() == [0, 0, 2]


@pytest.mark.parametrize(
    "broken", [b"\xff", b"\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x28\xa1"]
)
def test_malformed_text_is_left_to_the_reference(broken):
    offsets = np.array([0, len(broken)], np.int64)
    texts = pa.Array.from_buffers(pa.large_string(), 1, [None, pa.py_buffer(offsets), pa.py_buffer(broken)])
    with pytest.raises(UnicodeDecodeError):
        fitted()(texts)


def test_only_odd_records_are_left_to_the_reference():
    ngrams, seen = fitted(), []

    def watched(texts):
        seen.extend(texts.to_pylist())
        return ngrams.reference(texts)

    scorer = replace(ngrams._map, reference=watched)
    texts = pa.array(["late parcel", "refund ΣΑΣ", "naïve brûlée", "İ slow app", "missing"])
    assert parts_of(scorer(texts)) == parts_of(ngrams.reference(texts))
    assert seen == ["refund ΣΑΣ", "İ slow app"]


def test_the_table_of_characters_is_this_pythons():
    table = characters()
    for point in range(0x110000):
        lower = chr(point).lower()
        if table[point] != ODD:
            assert table[point] == ord(lower) | (int(WORD) if lower.isalnum() or lower == "_" else 0)
    odd = {chr(point) for point in np.flatnonzero(table == ODD)}
    assert {"Σ", "İ"} <= odd
    assert len(odd - set(map(chr, range(0xD800, 0xE000)))) < 10


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_do_not_change_the_output(threads):
    ngrams = fitted()
    texts = pa.array([f"{LABELS[i % 8]} {LABELS[i % 5]} {i}" for i in range(2 * ROWS_PER_THREAD + 17)])
    assert parts_of(replace(ngrams._map, threads=threads)(texts)) == parts_of(ngrams.reference(texts))


def test_more_results_than_there_is_room_for_at_once():
    ngrams = fitted(None)
    texts = ["late parcel refund missing slow app crash", "crash"]
    rows = ENTRIES_AT_ONCE // 2
    expected, got = ngrams.reference(pa.array(texts)), ngrams(pa.array(texts * rows))
    assert got.ticks.tolist() == np.tile(expected.ticks, rows).tolist()
    assert got.atoms.tolist() == np.tile(expected.atoms, rows).tolist()


@pytest.mark.parametrize("k", [1, 2, None])
def test_any_integer_weights_and_terms_give_the_references_scores(k):
    terms = ("late", "late parcel", "only pair", "the", "a b c", "Upper", "x", "parcel")
    weights = np.array([[5, -5, 0], [-5, 9, 1], [2, 2, 2], [7, 7, 7], [7, 7, 7], [7, 7, 7], [7, 7, 7], [0, -9, -1]])
    ngrams = NgramMap(terms, csr_array(weights), "nothing", k, "sha256:any")
    assert_equal(ngrams, pa.array(["late", "late parcel", "only pair", "only the pair", "upper x a b c", "parcel"]))


@pytest.mark.parametrize("atoms", [63, 64, 65, 130])
def test_ties_go_to_the_lowest_index_whatever_the_number_of_atoms(atoms):
    ngrams = NgramMap(("late",), csr_array(np.ones((1, atoms), np.int64)), "nothing", 3, "sha256:any")
    assert assert_equal(ngrams, pa.array(["late"])).atoms.tolist() == [0, 1, 2]


def test_the_kernel_is_compiled_for_one_kind_of_array():
    fitted()(pa.array(["late parcel"], pa.large_string()))
    fitted(None)(pa.Array.from_buffers(pa.large_string(), 1, [None, *pa.array(["x"], pa.large_string()).buffers()[1:]]))
    for copied in (deepcopy(fitted()), pickle.loads(pickle.dumps(fitted()))):
        copied(pa.array(["late parcel"], pa.large_string()))
    assert len(score.signatures) == 1


def test_equal_maps_have_equal_tables():
    ours, theirs = (tables_of(ngrams.terms, ngrams.weights) for ngrams in (fitted(), fitted()))
    assert all(np.array_equal(one, other) for one, other in zip(ours, theirs, strict=True))


def test_without_numba_the_reference_is_used(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    ngrams = fitted()
    assert fastest(ngrams.terms, ngrams.weights, 3, ngrams.reference) == ngrams.reference
    assert ngrams(pa.array(["late parcel"])).atoms.tolist()[0] == 0


def test_a_saved_map_is_the_same_map(tmp_path):
    ngrams = fitted()
    save_map(ngrams, tmp_path / "map.npz")
    save_map(ngrams, tmp_path / "again.npz")
    loaded = load_map(tmp_path / "map.npz")
    assert loaded.statement == ngrams.statement
    texts = pa.array(["late refund", "CRÈME", None])
    assert parts_of(loaded(texts)) == parts_of(ngrams(texts))
    assert (tmp_path / "map.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()


def changed(path, **parts):
    with np.load(path) as file:
        content = {**file, **parts}
    with path.open("wb") as target:
        np.savez(target, **content)


@pytest.mark.parametrize(
    "parts",
    [
        {"data": np.array([1, 2, 3])},
        {"header": np.frombuffer(b"{}", np.uint8)},
        {"indices": np.array([object()])},  # would have to be unpickled
        {"seal": np.frombuffer(b"sha256:0", np.uint8)},
    ],
)
def test_an_altered_map_is_refused(tmp_path, parts):
    path = tmp_path / "map.npz"
    save_map(fitted(), path)
    changed(path, **parts)
    with pytest.raises(SourceError, match=r"map\.npz is not a fitted map"):
        load_map(path)


def test_a_map_whose_digest_names_another_is_refused(tmp_path):
    ngrams = fitted()
    save_map(ngrams, tmp_path / "map.npz")
    file = ArrayFile.read(tmp_path / "map.npz")
    ArrayFile(file.header, {**file.arrays, "data": file.arrays["data"] * 2}).write(tmp_path / "map.npz")
    with pytest.raises(SourceError, match="digest"):
        load_map(tmp_path / "map.npz")


@pytest.mark.parametrize("weight", [2**62, -(2**63)])
def test_a_map_whose_scores_could_overflow_is_refused(tmp_path, weight):
    heavy = NgramMap(("late",), csr_array(np.array([[weight]])), "nothing", 1, "sha256:any")
    save_map(heavy, tmp_path / "map.npz")
    with pytest.raises(SourceError):
        load_map(tmp_path / "map.npz")


def test_a_file_that_is_no_map_is_refused(tmp_path):
    (tmp_path / "map.npz").write_text("late parcel")
    for name in ("map.npz", "missing.npz"):
        with pytest.raises(SourceError):
            load_map(tmp_path / name)
