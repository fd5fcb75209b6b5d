import sys
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibrated_maps import small_map
from dpspin.boundary.atoms import Atom
from dpspin.curator.assign.calibrated_map import AT_ONCE, fastest
from dpspin.curator.assign.deal_out_mass import Calibration
from dpspin.curator.assign.dictionary_sentences import DictionarySentences
from dpspin.curator.assign.evidence_sources import NOTHING, CueEvidence, stacked
from dpspin.curator.assign.familiar_words import familiar
from dpspin.curator.assign.sentence_evidence import ExampleEvidence
from dpspin.curator.assign.sentence_terms import MOST_SENTENCES
from dpspin.curator.records.cells import LONGEST_TEXT
from factories import universe_of

pytest.importorskip("numba")
from dpspin.curator.assign.kernels.read_sentences import read
from dpspin.curator.assign.kernels.recognise_words import recognise
from dpspin.curator.assign.kernels.sentence_layout import BLOCK_BYTES, OWN_LETTERS
from dpspin.curator.assign.kernels.sentence_scorer import FusedLayers, add_up
from dpspin.curator.assign.kernels.sentence_tables import compile_sentences

EXAMPLES = small_map()
WITH_COURTESY = small_map(courtesy=False)
KINDS = {kind: small_map(kind) for kind in ("examples", "themes", "taught", "both", "classes")}


def parts_of(contributions):
    return [contributions.offsets.tolist(), contributions.atoms.tolist(), contributions.ticks.tolist()]


def assert_equal(fitted, texts):
    column = pa.array(texts, pa.large_string())
    assert isinstance(fastest(fitted.sources), FusedLayers)
    layers, known = fastest(fitted.sources)(column)
    words = [text or "" for text in texts]
    assert np.array_equal(layers, stacked(fitted.sources, words))
    assert np.array_equal(known, familiar(fitted.sources, words))
    assert parts_of(fitted(column)) == parts_of(fitted.reference(column))
    return layers


def read_by_python(fitted, texts):
    """Return the texts that the kernel leaves to the sources."""
    seen = []

    class Watched:
        layers = ("none",)

        def __call__(self, given):
            seen.extend(given)
            return stacked(fitted.sources, given)

    replace(fastest(fitted.sources), sources=(Watched(),))(pa.array(texts))
    return seen


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [None, 1, 2])
def test_every_kind_of_map_has_the_same_contributions(kind, k):
    texts = [
        "Hello! My parcel hasn't arrived. Where is my money?",
        "The app crashed and crashed again.\nThanks in advance",
        "",
        None,
        "Ünal’s refund – missing…",
        "late late late parcel<br />no refund<br>of the refund",
    ]
    assert_equal(replace(KINDS[kind], atoms_per_record=k), texts)


@pytest.mark.parametrize(
    "text",
    [
        "late. parcel",
        "late.parcel",
        "late.Parcel",
        "Late.Parcel",
        "LATE.Parcel",
        "late!Parcel?Refund",
        ".Parcel late",
        "a.B",
        "late .Parcel",
        "late;parcel",
        "late; parcel",
        "late ;\tparcel",
        "late\nparcel",
        "late \n\n parcel",
        "late. \n parcel",
        "late\x1cparcel",
        "late.\x1fparcel",
        "late.\x85parcel",
        "late<br>parcel",
        "late<br/>parcel",
        "late<br \n />parcel",
        "late<br / >parcel",
        "late<BR>parcel",
        "late<br",
        "late<br ",
        "<br",
        "<",
        "late<br/",
        "<<br>",
        "late.<br>Parcel",
        "late<br>.Parcel",
        "...!!!",
        "? !",
        "12345. late parcel",
        "  ",
        "\n",
        ".",
        "late\r\nparcel",
    ],
)
@pytest.mark.parametrize("fitted", [EXAMPLES, WITH_COURTESY])
def test_sentences_end_where_the_reference_ends_them(text, fitted):
    assert_equal(fitted, [text, f"{text} {text}", f"refund {text}", f"{text} refund."])


@pytest.mark.parametrize(
    "text",
    [
        "it's",
        "it's5 days",
        "didn't come",
        "didn’t come",
        "didn't've come",
        "a'b'c",
        "'late'",
        "late' parcel",
        "5'late",
        "late'5",
        "rock'n'roll",
        "rock’n’roll",
        "rock'n’roll",
        "where's my money",
        "where’s my money gone",
        "I'm I'm",
        "late_parcel",
        "_late_",
        "late-parcel",
        "LATE Parcel",
        "parcel's parcels parceling parcelly",
        "s es ing",
        "xing",
        "internationalization",
        "internationalizations",
        "Internationali",
        "a" * 70,
        "x",
        "is",
        "v2",
        "2v",
        "the app v2",
    ],
)
def test_words_stems_and_pieces_are_those_of_the_reference(text):
    for fitted in KINDS.values():
        assert_equal(fitted, [text, f"{text} {text}", f"late {text}", f"{text} parcel"])


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("the app crashed", [0, 0, 2]),
        ("the app the app the app the app", [0, 0, 4]),
        ("no app crashed", [0, 0, 0]),
        ("not one two three crashed", [0, 0, 0]),
        ("not one two three four crashed", [0, 0, 1]),
        ("It isn't crashed", [0, 0, 0]),
        ("It isn’t crashed", [0, 0, 0]),
        ("n't crashed", [0, 0, 0]),
        ("It didn't. It crashed", [0, 0, 1]),
        ("still waiting for my late parcel", [1, 0, 0]),
        ("still waiting for my parcel", [1, 0, 0]),
        ("rock'n'roll", [1, 0, 0]),
        ("where is my money? no refund", [0, 2, 0]),
    ],
)
def test_cues_count_unless_they_are_denied(text, hits):
    layers = assert_equal(EXAMPLES, [text])
    assert layers[1, 0].tolist() == np.minimum(hits, 3).tolist()


@pytest.mark.parametrize(
    "text",
    [
        "Thanks",
        "Thanks!",
        "Dear Sir or Madam",
        "thanks5",
        "5thanks6dear",
        "thanks'",
        "'thanks'",
        "thanks'dear",
        "thanks'5",
        "can't",
        "thanks_dear",
        "THANKS",
        "Thanks late",
        "12",
        "Dear 12",
        "hi. 5 hi, late",
    ],
)
def test_courtesy_is_skipped_like_in_the_reference(text):
    for fitted in (EXAMPLES, WITH_COURTESY):
        assert_equal(fitted, [text, f"{text}. The parcel is late", f"Late parcel. {text}. Refund"])


EVERY_SCRIPT = [
    "late — “parcel” 🎉 didn’t come…",
    "crème brûlée, CRÈME BRÛLÉE, cre\u0300me bru\u0302le\u0301e",
    "late\u00a0parcel.\u2003Refund\u2028late",
    "x² refund٣ ٣ thanks٣",
    "Thanksé. Thanks'é! é'thanks",
    "l'été d'accordé refund’é",
    "İSTANBUL'DA late. İ. thİnks İ.App İ",
    "\u212a.App \u212aapp isn't\u212a parce\u212a",
    "ΟΔΟΣ. ΑΣ.Α Σ late ὈΔΥΣΣΕΎΣ",
    "東京。late 안녕 नमस्ते שלום مرحبا สวัสดี Привет ПРИВЕТ",
    "👩\u200d🍳late\u200bparcel\ufeffrefund 🇮🇳",
    "ﬁne ǅ ẞ ß Ⅷ ½ ⓐ 𝒜𝒷 𐐀 \U000e0067",
    "late.É late.é É.Late é.Late",
]


@pytest.mark.parametrize("text", EVERY_SCRIPT)
def test_every_script_is_read_by_the_compiled_stages(text):
    texts = [text, f"{text} {text}", f"late {text}", f"{text} parcel. Crashed"]
    for fitted in (*KINDS.values(), WITH_COURTESY):
        assert_equal(fitted, texts)
        assert not read_by_python(fitted, texts)


def map_of(*words):
    """Return a map whose dictionary has such words."""
    taught = [
        Atom(id=place, label=f"{word} label", cues=(word,), examples=(f"{word} one", f"two {word}", f"{word} {word}s"))
        for place, word in enumerate(words)
    ]
    universe = universe_of(taught)
    sources = (CueEvidence.of(universe), ExampleEvidence.fit(DictionarySentences.of(universe)))
    offsets = np.linspace(-1, 1, universe.size)
    return replace(
        EXAMPLES, sources=sources, calibration=Calibration(np.array([1.0, 0.5, 1.5]), offsets), size=universe.size
    )


def test_letters_of_a_dictionary_are_told_apart():
    fitted = map_of("größe", "straße", "МОСКВА", "d’été", "iş²٣", "kelvin")
    texts = ["GRÖSSE Größe grösse große", "STRASSE STRAẞE straße", "москва Москв МосквЭ", "D'ÉTÉ d’eté", "iş²٣ İş²٤"]
    layers = assert_equal(fitted, [*texts, "\u212aelvin kelvins", *EVERY_SCRIPT])
    assert layers[0].any(axis=1)[:6].all()
    assert not read_by_python(fitted, texts)


def test_a_capital_sigma_is_left_to_the_reference_where_the_dictionary_has_sigmas():
    fitted, texts = map_of("οδος", "app"), ["ΟΔΟΣ app", "οδος app", "ΟΔΟς", "ΟΔΟΣ.", "ΑΣ'Α"]
    assert_equal(fitted, texts)
    assert read_by_python(fitted, texts) == ["ΟΔΟΣ app", "ΟΔΟΣ.", "ΑΣ'Α"]


def test_of_more_letters_than_there_are_bytes_the_rarest_are_left_to_the_reference():
    many = "".join(map(chr, range(0x4E00, 0x4E00 + len(OWN_LETTERS) + 1)))
    fitted = map_of(many[:60], many[60:], many[:-1])
    texts = [many[:5], many[-1], f"{many[50:70]} app", "漢字"]
    assert_equal(fitted, texts)
    assert read_by_python(fitted, texts) == [many[-1]]


@pytest.mark.parametrize("before", [4, 5, 10, 11, 100])
@pytest.mark.parametrize("letter", ["x", "—", "é", "İ", "𝒜"])
def test_a_record_is_read_up_to_its_longest_length_in_characters(before, letter):
    text = letter * 100 + " " * (LONGEST_TEXT - 100 - before) + "late parcel. Refund"
    for fitted in KINDS.values():
        assert_equal(fitted, [text, "late parcel"])


def test_only_so_many_sentences_are_read():
    for extra in (-1, 0, 1):
        assert_equal(EXAMPLES, ["x. " * (MOST_SENTENCES + extra) + "late parcel", "late"])


def test_long_records_and_many_empty_ones():
    long = "the app crashed. It's late! " * (BLOCK_BYTES // 20)
    many = ["late", long, *[""] * 2_000, *["é"] * 2_000, None, "a" * LONGEST_TEXT, "ab " * (LONGEST_TEXT // 3), "late"]
    assert_equal(KINDS["both"], many)


@pytest.mark.parametrize("threads", [1, 3, 7])
def test_a_record_gets_the_same_in_any_batch_and_by_any_number_of_threads(threads):
    texts = [f"{i} parcels late. {'The app crashed. ' * (i % 4)}{'é' * (i % 7 == 0)}" for i in range(AT_ONCE + 50)]
    together = replace(KINDS["both"], threads=threads)(pa.array(texts))
    for i in (0, 1, 7, 50, AT_ONCE - 1, AT_ONCE, AT_ONCE + 49):
        alone = KINDS["both"](pa.array([texts[i]]))
        span = slice(together.offsets[i], together.offsets[i + 1])
        assert parts_of(alone)[1:] == [together.atoms[span].tolist(), together.ticks[span].tolist()]


@given(st.lists(st.text("late parcel.\nTé") | st.just("<br>no refund"), max_size=30), st.integers(1, 5))
@settings(max_examples=25, deadline=None)
def test_any_number_of_threads_gives_the_same_bits(texts, at_once):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("dpspin.curator.assign.calibrated_map.AT_ONCE", at_once)
        results = [
            parts_of(replace(KINDS["both"], threads=threads)(pa.array(texts, pa.string()))) for threads in (1, 3, 7)
        ]
    assert results[0] == results[1] == results[2] == parts_of(KINDS["both"].reference(pa.array(texts, pa.string())))


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_slices_and_every_kind_of_string_column(kind):
    texts = pa.array(["refund missing", None, "late parcel", "é app", None, "crashed"], kind)
    for first, length in [(0, 6), (1, 4), (2, 3), (4, 1), (6, 0)]:
        part = texts.slice(first, length)
        assert parts_of(EXAMPLES(part)) == parts_of(EXAMPLES.reference(part))


@pytest.mark.parametrize(
    "broken",
    [
        b"\xff",
        b"\xc3",
        b"\xc0\xaf",
        b"\xe0\x81\x81",
        b"\xf0\x80\x81\x81",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80",
        b"\xe2\x28\xa1",
    ],
)
def test_malformed_text_is_left_to_the_reference(broken):
    offsets = np.array([0, len(broken)], np.int64)
    texts = pa.Array.from_buffers(pa.large_string(), 1, [None, pa.py_buffer(offsets), pa.py_buffer(broken)])
    with pytest.raises(UnicodeDecodeError):
        EXAMPLES(texts)


def test_words_with_too_many_parts_for_one_row_are_added_term_by_term():
    sources = EXAMPLES.sources
    word = "x".join("abcdefghijklmnopqrstuvwxyz")
    vectors = replace(sources[1].vectors)
    long = replace(vectors, terms=(*vectors.terms, word), idf=np.append(vectors.idf, 3.0))
    model = sources[1].model
    heavier = replace(model, coefficients=np.vstack([model.coefficients, [5.0, -5.0, 0.5]]))
    fitted = replace(EXAMPLES, sources=(sources[0], replace(sources[1], vectors=long, model=heavier)))
    assert_equal(fitted, [word, f"{word} late {word}", f"{word}y"])


def test_any_theme_is_one_layer_with_the_same_number_for_all_atoms():
    texts = ["My parcel hasn't arrived.", "I live near the station.", "Thanks!", "crème brûlée", "", None]
    any_theme = assert_equal(KINDS["themes"], texts)[-1]
    assert (any_theme == any_theme[:, :1]).all()
    assert any_theme[0, 0] > any_theme[1, 0] > any_theme[2, 0] == NOTHING


def test_a_source_that_is_not_compiled_is_scored_by_itself():
    class Other:
        layers, digest = ("other",), "sha256:0"

        def __call__(self, texts):
            return np.ones((1, len(texts), 3))

    assert fastest((Other(),))(pa.array(["late", None])).layers.tolist() == [[[1.0] * 3] * 2]


def test_without_numba_the_sources_are_used(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    scored = fastest(EXAMPLES.sources)
    assert not isinstance(scored, FusedLayers)
    assert np.array_equal(scored(pa.array(["late", None])).layers, stacked(EXAMPLES.sources, ["late", ""]))


@pytest.mark.parametrize("kind", ["examples", "themes"])
def test_equal_sources_have_equal_tables(kind):
    ours, theirs = (compile_sentences(*small_map(kind).sources) for _ in range(2))
    for one, other in zip((*ours.tables, *ours.weights), (*theirs.tables, *theirs.weights), strict=True):
        parts = zip(one, other, strict=True) if isinstance(one, tuple) else [(one, other)]
        assert all(np.array_equal(part, twin) for part, twin in parts)


def test_the_stages_are_compiled_for_one_kind_of_array():
    text = pa.array(["late parcel, no refund"], pa.large_string())
    for fitted in (*KINDS.values(), *map(deepcopy, KINDS.values())):
        fitted(text)
    assert [len(stage.signatures) for stage in (read, recognise, add_up)] == [1, 1, 1]
