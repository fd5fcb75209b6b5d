"""``dpspin preview``: the map it stands for, wishes, the picture, and a rehearsal on auxiliary text only."""

import json

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.cli.preview import MapOptions
from dpspin.curator.assign.recipes import MapKind, Recipe, fit_by_recipe
from dpspin.curator.assign.saved_maps import save_map
from dpspin.public.atoms.dictionary_files import dumps
from factories import universe_of

ATOMS = ("a late parcel", "a broken cup", "a kind clerk")
WORDS = ("preview", "--unit", "record", "--denominator", "10000", "--epsilon", "1")


@pytest.fixture
def bare(tmp_path):
    """A dictionary without examples: from it, hybrid is the paper's map."""
    path = tmp_path / "bare.json"
    path.write_text(dumps(bare_universe()))
    return path


def bare_universe():
    return universe_of([Atom(id=i, label=label) for i, label in enumerate(ATOMS)])


def taught_universe():
    examples = ("{} came today", "we saw {} again", "{} is what we had", "for us it was {}")
    return universe_of(
        [Atom(id=i, label=label, examples=tuple(e.format(label) for e in examples)) for i, label in enumerate(ATOMS)]
    )


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "aux.csv"
    rows = ["late parcel,ann", "late parcel,ann", "broken cup,bob", "weather,cid"] * 20
    path.write_text("words,who\n" + "\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize(
    ("name", "universe"),
    [
        *((name, bare_universe()) for name in ("hybrid", "paper", "names")),
        *((name, taught_universe()) for name in ("hybrid", "paper", "cues")),  # cues need examples
    ],
    ids=["hybrid bare", "paper bare", "names bare", "hybrid taught", "paper taught", "cues taught"],
)
def test_what_is_said_of_a_map_beforehand_is_what_it_states_once_fitted(name, universe):
    fitted = fit_by_recipe(Recipe(MapKind(name)), universe, None)
    assert MapOptions(name).besides(universe) == fitted.statement.besides


def test_a_saved_map_says_itself_whether_it_answers_none(tmp_path):
    universe = bare_universe()
    save_map(fit_by_recipe(Recipe(MapKind.PAPER), universe, None), tmp_path / "map.npz")
    assert not MapOptions(str(tmp_path / "map.npz")).besides(universe)
    assert MapOptions("llm").besides(universe) == 1
    assert MapOptions("hybrid").besides(universe)


def test_the_map_decides_whether_none_of_these_shares_in_the_intervals(dpspin):
    default = json.loads(dpspin(*WORDS, "--atoms", "support-tickets", "--json").out)
    papers = json.loads(dpspin(*WORDS, "--atoms", "support-tickets", "--map", "paper", "--json").out)
    assert default["request"]["besides"] == 2
    assert papers["request"]["besides"] == 0
    assert default["interval_below"]["mass"] > papers["interval_below"]["mass"]


def test_a_bought_count_leaves_less_for_the_themes(dpspin, bare):
    """A share of 0.2 of epsilon 1 leaves the noise of epsilon 0.8; only intervals share their beta with the count."""
    counted = json.loads(dpspin(*WORDS, "--atoms", bare, "--size", "2", "--count-share", "0.2", "--json").out)
    less = [word if word != "1" else "0.8" for word in WORDS]
    themes = json.loads(dpspin(*less, "--atoms", bare, "--size", "2", "--json").out)
    for name in ("noise", "admission_threshold", "comparison_margin", "reliably_seen"):
        assert counted[name] == themes[name]
    assert counted["interval_below"]["mass"] > themes["interval_below"]["mass"]
    assert counted["needed"]["epsilon"] == pytest.approx(themes["needed"]["epsilon"] / 0.8, rel=0.01)
    told = dpspin(*WORDS, "--atoms", bare, "--count-share", "0.2").out
    assert "epsilon 0.2 buys a count of records; 0.8 is left for the themes" in told


def test_auto_with_a_count_pays_for_both_out_of_epsilon(dpspin, bare):
    told = json.loads(dpspin(*WORDS, "--atoms", bare, "--mechanism", "auto", "--count-share", "0.5", "--json").out)
    assert told["request"]["loss"]["epsilon"] == 1.0
    assert told["noise"]["scale"] == pytest.approx(2.0)


def test_json_holds_curves_mechanisms_and_the_answer_to_a_wish(dpspin, bare):
    answer = json.loads(dpspin(*WORDS, "--atoms", bare, "--size", "2", "--see", "0.01", "--json").out)
    assert len(answer["admission"]) == len(answer["order"]) > 40
    assert answer["mechanisms"]["rows"][0]["mechanism"]["kind"] == "laplace"
    assert answer["needed"]["support"] == 0.01
    assert 0 < answer["needed"]["epsilon"] < 1
    assert "rehearsal" not in answer


def test_a_wish_is_answered_below_the_table(dpspin, bare):
    told = dpspin("preview", "--unit", "record", "--denominator", "10000", "--atoms", bare, "--see", "0.01").out
    assert "To see a theme of 1% with 95% probability, epsilon" in told


def test_the_picture_is_written_and_a_bad_place_is_refused(dpspin, bare, tmp_path):
    assert dpspin(*WORDS, "--atoms", bare, "--picture", tmp_path / "p.svg").code == 0
    assert (tmp_path / "p.svg").read_text().startswith("<svg")
    refused = dpspin(*WORDS, "--atoms", bare, "--picture", tmp_path / "nowhere" / "p.svg")
    assert refused.code == 2
    assert "change --picture" in refused.err


def test_a_rehearsal_is_told_and_in_the_json(dpspin, bare, text):
    words = (*WORDS, "--atoms", bare, "--map", "paper", "--aux", text, "--aux-text", "words")
    told = dpspin(*words)
    assert told.code == 0, told.err
    assert "simulated releases of the auxiliary text (80 records" in told.out
    assert "never on protected records" in told.err
    rehearsal = json.loads(dpspin(*words, "--json").out)["rehearsal"]
    assert rehearsal["themes"][0]["label"] == "a late parcel"
    assert rehearsal["learned_from_it"]
    assert rehearsal["clipping"] == []


def test_users_of_auxiliary_text_show_what_clipping_takes(dpspin, bare, text):
    words = ("preview", "--unit", "user", "--denominator", "10000", "--epsilon", "1", "--atoms", bare)
    aux = ("--aux", text, "--aux-text", "words", "--aux-user", "who")
    rehearsal = json.loads(dpspin(*words, *aux, "--json").out)["rehearsal"]
    assert rehearsal["units"] == 3
    assert rehearsal["clipping"][1]["bound"] == 1.0
    assert rehearsal["clipping"][1]["lost"] > 0.9


def test_a_saved_map_rehearses_without_learning_from_the_text(dpspin, tmp_path, text):
    universe = taught_universe()
    (tmp_path / "d.json").write_text(dumps(universe))
    save_map(fit_by_recipe(Recipe(), universe, None), tmp_path / "map.npz")
    aux = ("--map", tmp_path / "map.npz", "--aux", text, "--aux-text", "words")
    rehearsal = json.loads(dpspin(*WORDS, "--atoms", tmp_path / "d.json", *aux, "--json").out)["rehearsal"]
    assert not rehearsal["learned_from_it"]
    assert rehearsal["uncovered"] > 0


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--aux-text", "words"), "describe --aux"),
        (("--aux", "AUX"), "--aux-text"),
        (("--aux", "AUX", "--aux-text", "words", "--aux-user", "who"), "user unit"),
        (("--aux", "AUX", "--aux-text", "words", "--map", "llm"), "language model"),
        (("--aux", "AUX", "--aux-text", "wrods"), "no column"),
        (("--map", "hybird"), "--map takes"),
        (("--see", "2"), "between 0 and 1"),
        (("--count-share", "1"), "between 0 and 1"),
        (("--count-share", "0.1", "--adjacency", "replace"), "bought under add_drop"),
        (("--count-share", "0.1", "--sample-rate", "0.1"), "bought under add_drop"),
        (("--count-share", "0.1", "--aux", "AUX", "--aux-text", "words"), "without a count"),
    ],
)
def test_options_that_do_not_fit_are_refused(dpspin, bare, text, more, why):
    ran = dpspin(*WORDS, "--atoms", bare, *(str(text) if word == "AUX" else word for word in more))
    assert ran.code == 2
    assert why in ran.err


def test_protected_users_need_auxiliary_users(dpspin, bare, text):
    words = ("preview", "--unit", "user", "--denominator", "100", "--epsilon", "1", "--atoms", bare)
    assert "--aux-user" in dpspin(*words, "--aux", text, "--aux-text", "words").err


@pytest.mark.parametrize(
    "more", [("--picture", "p.svg"), ("--aux", "x.csv", "--aux-text", "t")], ids=["picture", "aux"]
)
def test_one_release_is_shown_so_epsilon_is_needed(dpspin, bare, more):
    ran = dpspin("preview", "--unit", "record", "--denominator", "100", "--atoms", bare, *more)
    assert ran.code == 2
    assert "--epsilon" in ran.err


def test_labels_teach_the_map_that_is_rehearsed(dpspin, bare, tmp_path):
    rows = [f"{label} number {i},{label}" for i in range(12) for label in ATOMS]
    path = tmp_path / "labelled.csv"
    path.write_text("words,atom\n" + "\n".join(rows) + "\n")
    aux = ("--aux", path, "--aux-text", "words", "--aux-label", "atom")
    ran = dpspin(*WORDS, "--atoms", bare, *aux, "--json")
    assert ran.code == 0, ran.err
    answer = json.loads(ran.out)
    assert answer["request"]["besides"]
    assert not answer["rehearsal"]["learned_from_it"]  # each text is mapped by what was learned from the others
    assert answer["rehearsal"]["uncovered"] is not None


@pytest.mark.slow
def test_the_lab_compares_forecast_and_releases(dpspin):
    lines = dpspin("lab", "forecast", "--releases", "100", "--json").out.splitlines()
    assert {json.loads(line)["mechanism"] for line in lines} == {"laplace", "gaussian"}
    assert all(json.loads(line)["listed"] < 0.05 for line in lines)


def test_what_it_buys_to_read_a_sample_is_told_and_written(dpspin, bare):
    words = (*WORDS, "--atoms", bare, "--size", "2", "--read", "300")
    assert "Reading about 300 of 10,000 records" in dpspin(*words).out
    found = json.loads(dpspin(*words, "--of", "20000", "--json").out)["reading"]
    assert (found["readings"], found["of"], found["agreement"]) == (300, 20_000, 0.7)
    assert [each["support"] for each in found["widths"]] == [0.01, 0.05, 0.1, 0.2]


@pytest.mark.parametrize("words", [["--of", "500"], ["--read", "10000"], ["--read", "300", "--agreement", "2"]])
def test_a_reading_that_cannot_be_is_refused(dpspin, bare, words):
    asked = dpspin(*WORDS, "--atoms", bare, "--size", "2", *words)
    assert asked.code != 0
    assert not asked.out
