"""One request, told in three ways: it is the same value, it survives its file, and what is wrong with it has a name."""

from typing import Literal

import pandas as pd
import pytest
import yaml

import dpspin
from dpspin.boundary.atoms import Atom
from dpspin.boundary.mechanisms import MECHANISMS
from dpspin.boundary.plan_fields import About
from dpspin.boundary.request_terms import placed
from dpspin.cli.flags import FLAGS, in_options, in_users_words, in_words
from dpspin.curator.assign.chosen_map import LanguageModelMap, MapToFit, SavedMap
from dpspin.errors import InputError, RequestError
from dpspin.presets import PRESETS
from dpspin.request import KEYWORDS, ReleaseRequest
from factories import universe_of

THEMES = universe_of([Atom(id=1, label="late parcel"), Atom(id=2, label="refund")])
ESSENTIALS = {"text": "words", "atoms": "support-tickets", "unit": "record", "epsilon": 1, "denominator": 900}
OPTIONS = {
    "records.text": "words",
    "atoms": "support-tickets",
    "records.unit": "user",
    "records.user": "who",
    "records.unit.bound": 2.0,
    "records.unit.missing": "drop",
    "loss.epsilon": 1.0,
    "loss.delta": 1e-6,
    "denominator.share": 0.1,
    "mechanism": "private_topL",
    "mechanism.value_fraction": 0.3,
    "records.map": "hybrid",
    "records.map.languages": "en,de",
    "records.auxiliary.source": "aux.csv",
    "records.auxiliary.user": "who",
    "records.bad_rows": True,
    "records.dialect.delimiter": "semicolon",
    "about.period": "March",
    "account.snapshot": "second",
}
KEYWORDED = {
    "text": "words",
    "user": "who",
    "atoms": "support-tickets",
    "unit": dpspin.UserUnit(2.0, dpspin.MissingUsers.DROP),
    "loss": dpspin.PrivacyLoss(1.0, 1e-6),
    "denominator": dpspin.CountShare(share=0.1),
    "mechanism": dpspin.PrivateTopL(value_fraction=0.3),
    "map": {"languages": ["en", "de"]},
    "auxiliary": dpspin.Auxiliary("aux.csv", text="words", user="who"),
    "bad_rows": dpspin.BadRows.REFUSE,
    "dialect": dpspin.Dialect(delimiter=";"),
    "about": About(period="March"),
    "snapshot": "second",
}


def asked(**more):
    return ReleaseRequest.of("tickets.csv", **{**ESSENTIALS, **more})


def refusal(**more):
    with pytest.raises(RequestError) as refused:
        asked(**more)
    return refused.value.code, refused.value.field


def test_options_keywords_and_a_file_tell_the_same_request(tmp_path):
    by_options = ReleaseRequest.read(placed({**in_words(OPTIONS), "records.data": "tickets.csv"}))
    by_keywords = ReleaseRequest.of("tickets.csv", **KEYWORDED)
    by_file = ReleaseRequest.load(by_keywords.save(tmp_path / "request.yaml"))
    assert by_options == by_keywords == by_file
    assert by_options.digest == by_keywords.digest == by_file.digest
    assert by_keywords.digest != asked().digest


def test_a_file_says_no_more_than_it_must(tmp_path):
    told = yaml.safe_load(asked().save(tmp_path / "r.yaml").read_text())
    assert told == {
        "records": {"data": "tickets.csv", "text": "words", "unit": {"kind": "record"}},
        "atoms": "support-tickets",
        "loss": {"epsilon": 1.0, "delta": 0.0},
        "denominator": {"kind": "public", "value": 900},
    }


def test_the_digest_names_what_was_approved_and_stays():
    digest = "sha256:"
    assert asked().digest.startswith(digest)
    assert asked(size=10).digest != asked().digest  # said is not the same as left to the default


def test_the_short_ways_that_people_expect():
    short = ReleaseRequest.of(["late"], atoms="support-tickets", unit="record", epsilon=1, denominator="20,000")
    assert short.records.text == "text"
    assert short.denominator == dpspin.PublicNumber(value=20_000)
    assert short.dataset == "unnamed data in memory"
    assert dpspin.UserUnit() == dpspin.UserUnit(1.0)
    assert asked(sampling=0.5).records.sampling == dpspin.PoissonSample(rate=0.5)
    assert asked(margin=2).margin == dpspin.FixedMargin(mass=2.0)
    assert [each.at_least for each in asked(bins="0.05,0.02").bins] == [0.05, 0.02, 0.0]
    assert isinstance(asked(map="paper").records.map, MapToFit)
    assert asked(map="mine.map").records.map == SavedMap(file="mine.map")
    assert isinstance(asked(map={"kind": "llm", "url": "u", "model": "m"}).records.map, LanguageModelMap)
    assert asked(map={"kind": "hybrid", "languages": "any"}).records.map.languages == ()


def test_a_list_of_texts_is_released_like_a_column(tmp_path):
    texts = ["my parcel is late", "refund please"] * 100
    plan = dpspin.release(
        texts,
        atoms=THEMES,
        unit="record",
        epsilon=1,
        denominator=200,
        ledger=tmp_path / "l.db",
    )
    frame = pd.DataFrame({"text": texts})
    again = dpspin.release(
        frame,
        text="text",
        atoms=THEMES,
        unit="record",
        epsilon=1,
        denominator=200,
        ledger=tmp_path / "l.db",
    )
    assert again == plan  # the same records, and the same request: read again, at no cost


def test_a_request_is_released_as_it_is(tmp_path):
    request = ReleaseRequest.of(
        ["late parcel"] * 40,
        atoms=THEMES,
        unit="record",
        epsilon=1,
        denominator=40,
        ledger=tmp_path / "l.db",
    )
    assert dpspin.release(request).dictionary.size == 2
    with pytest.raises(RequestError):
        dpspin.release(request, size=1)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"denominator": None}, ("request.invalid", "denominator")),
        ({"epsilon": "much"}, ("request.invalid", "loss.epsilon")),
        ({"mechanism": "cauchy"}, ("request.unknown-choice", "mechanism")),
        ({"mechanism": {"kind": "laplace", "monotone": True}}, ("request.misplaced", "mechanism.monotone")),
        ({"unit": {"kind": "record", "bound": 2}}, ("request.misplaced", "records.unit.bound")),
        ({"quantity": {"kind": "mass", "most_atoms": 2}}, ("request.misplaced", "records.quantity.most_atoms")),
        ({"map": {"kind": "llm", "url": "u"}}, ("request.missing", "records.map.model")),
        ({"map": {"kind": "hybrid", "url": "u"}}, ("request.misplaced", "records.map.url")),
        ({"map": {"kind": "x.map", "languages": "en"}}, ("request.misplaced", "records.map.languages")),
        ({"size": 0}, ("request.invalid", "size")),
        ({"window": {"partition": "quarter"}}, ("request.missing", "records.window.name")),
        ({"colour": "red"}, ("request.misplaced", "colour")),
        ({"atoms": 7}, ("request", None)),
        ({"user": "who"}, ("request", None)),
    ],
)
def test_what_is_wrong_is_named_by_its_field(told, expected):
    assert refusal(**told) == expected


def test_a_missing_field_is_named():
    with pytest.raises(RequestError) as refused:
        ReleaseRequest.of("tickets.csv", text="words", atoms="support-tickets", unit="record", epsilon=1)
    assert (refused.value.code, refused.value.field) == ("request.missing", "denominator")


def test_no_value_is_in_an_error():
    with pytest.raises(RequestError) as refused:
        asked(size="a secret", epsilon=1)
    assert "secret" not in str(refused.value)


def test_data_in_memory_cannot_be_written(tmp_path):
    request = ReleaseRequest.of(pd.DataFrame({"t": ["a"]}), **{**ESSENTIALS, "text": "t"})
    with pytest.raises(RequestError, match="held in memory"):
        request.save(tmp_path / "r.yaml")


def test_every_option_fills_a_field_and_is_named_in_its_errors():
    assert in_options("say `records.user`, or `nothing`") == "say --user, or `nothing`"
    fields = set(KEYWORDS.values()) | set(ReleaseRequest.model_fields)
    assert {field.rpartition(".")[0] or field for field in FLAGS} <= {
        each.rpartition(".")[0] or each for each in fields
    } | {
        "records.unit",
        "records.map",
        "records.quantity",
        "records.auxiliary",
        "records.dialect",
        "records.window",
        "denominator",
        "mechanism",
        "preset",
    }


PAPERS = {
    "map": {"kind": "paper", "atoms_per_record": 3},
    "mechanism": "gaussian",
    "delta": 1e-6,
    "size": 10,
    "admission": "fixed",
    "margin": 0,
}


def test_the_papers_preset_is_its_choices_written_out(tmp_path):
    """Python, YAML and the command line know it; the request holds the choices, so its digest is theirs."""
    by_name, written_out = asked(preset="paper"), asked(**PAPERS)
    (tmp_path / "r.yaml").write_text(yaml.safe_dump({**asked().as_told(), "loss": 1, "preset": "paper"}))
    assert by_name == written_out == ReleaseRequest.load(tmp_path / "r.yaml")
    assert by_name.digest == written_out.digest
    told = {"records.data": "tickets.csv", **{KEYWORDS.get(name, name): value for name, value in ESSENTIALS.items()}}
    assert ReleaseRequest.read(placed({**told, "preset": "paper"})) == by_name
    assert FLAGS["preset"].type == Literal[tuple(PRESETS)]


def test_the_command_line_offers_every_mechanism():
    assert FLAGS["mechanism"].type == Literal[(*(each().kind for each in MECHANISMS), "auto")]


def test_what_is_told_wins_over_a_preset():
    assert asked(preset="paper", map="cues") == asked(**PAPERS | {"map": "cues"})
    of_cues = {"kind": "cues", "languages": "en"}
    assert asked(preset="paper", map=of_cues) == asked(**PAPERS | {"map": of_cues})
    told = {"margin": "certified", "size": 4, "delta": 1e-9, "admission": "threshold"}
    assert asked(preset="paper", map={"atoms_per_record": 2}, **told) == asked(
        mechanism="gaussian", map={"kind": "paper", "atoms_per_record": 2}, **told
    )
    sketches = ReleaseRequest.of(
        sketches=["a.sketch"], atoms=THEMES, epsilon=1, denominator=9, dataset="d", preset="paper"
    )
    assert sketches.admission == "fixed"  # their map was settled when they were made
    assert refusal(preset="pepper") == ("request.unknown-choice", "preset")
    assert refusal(preset="paper", mechanism="cauchy") == ("request.unknown-choice", "mechanism")


@pytest.mark.parametrize(
    ("mechanism", "delta"),
    [
        ("laplace", 0.0),
        ("set_em", 0.0),
        ({"kind": "private_topL", "value_noise": "laplace"}, 0.0),
        ("private_topL", 1e-6),
        (dpspin.PrivateTopL(), 1e-6),
    ],
)
def test_the_papers_delta_is_for_mechanisms_that_need_one(mechanism, delta):
    """The paper's appendix on privacy mechanisms and budgets: for laplace the effective delta is zero."""
    assert asked(preset="paper", mechanism=mechanism).loss == dpspin.PrivacyLoss(1.0, delta)


def test_the_command_writes_a_request_and_releases_it(tmp_path, dpspin):
    (tmp_path / "r.csv").write_text("words\n" + "late parcel\n" * 40)
    (tmp_path / "a.txt").write_text("late parcel\nrefund\n")
    options = (
        "--text",
        "words",
        "--atoms",
        tmp_path / "a.txt",
        "--unit",
        "record",
        "--epsilon",
        "1",
        "--denominator",
        "40",
    )
    saved = dpspin("release", tmp_path / "r.csv", *options, "--save-request", tmp_path / "request.yaml")
    assert saved.code == 0, saved.err
    assert "sha256:" in saved.err
    done = dpspin("release", tmp_path / "request.yaml", "--out", tmp_path / "out")
    assert done.code == 0, done.err
    again = dpspin("release", tmp_path / "r.csv", *options, "--out", tmp_path / "again")
    assert "at no cost" in again.err  # the same request
    refused = dpspin("release", tmp_path / "request.yaml", "--epsilon", "2", "--out", tmp_path / "other")
    assert refused.code == 2
    assert "--epsilon" in refused.err


def test_an_error_names_the_option(tmp_path, dpspin):
    (tmp_path / "r.csv").write_text("words\nlate\n")
    told = dpspin(
        "release",
        tmp_path / "r.csv",
        "--text",
        "words",
        "--atoms",
        "support-tickets",
        "--unit",
        "user",
        "--epsilon",
        "1",
        "--denominator",
        "9",
        "--out",
        tmp_path / "o",
    )
    assert told.code == 2
    assert "--user" in told.err
    assert "records." not in told.err


@pytest.mark.parametrize(
    ("was", "now", "named"),
    [
        ("kind: record", "kind: user\n    bond: 2", "`records.unit.bond` does not go with user"),
        ("  text: words", "  text: words\n  map: {langauges: en}", "`records.map.langauges` does not go with"),
        ("loss:\n  epsilon: 1.0\n  delta: 0.0", "epsilon: 1", "`loss.epsilon: 1`"),
    ],
)
def test_an_error_about_a_request_file_names_its_fields(tmp_path, dpspin, was, now, named):
    text = asked().save(tmp_path / "request.yaml").read_text()
    assert was in text
    (tmp_path / "request.yaml").write_text(text.replace(was, now))
    told = dpspin("release", tmp_path / "request.yaml", "--out", tmp_path / "o")
    assert told.code == 2
    assert named in told.err
    assert "--" not in told.err


def test_a_misplaced_field_is_not_told_as_the_option_of_its_part():
    wrong = RequestError("`records.unit.bond` is misplaced", code="request.misplaced", field="records.unit.bond")
    assert in_users_words(wrong) == "`records.unit.bond` is misplaced"


def test_a_request_file_is_a_mapping(tmp_path):
    (tmp_path / "request.yaml").write_text("- atoms: support-tickets\n")
    with pytest.raises(InputError, match="mapping"):
        ReleaseRequest.load(tmp_path / "request.yaml")
