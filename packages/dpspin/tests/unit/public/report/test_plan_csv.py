"""The tidy table carries every released number, and no spreadsheet runs it."""

import csv
import io

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.errors import InputError
from dpspin.public.report.csv_tables import COLUMNS, defused, plan_csv
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_every_number_of_an_entry_survives_the_round_trip():
    rows = rows_of(plan_csv(PAPER_PLAN, PAPER_UNIVERSE))
    for entry in PAPER_PLAN.entries:
        mine = {row["variable"]: row for row in rows if row["atom_id"] == str(entry.atom_id)}
        assert float(mine["noisy_mass"]["value"]) == entry.noisy_mass
        assert [float(mine["mass"][key]) for key in ("value", "low", "high")] == [entry.mass, entry.low, entry.high]
        assert float(mine["support"]["value"]) == entry.support
        assert float(mine["support"]["high"]) == entry.high / PAPER_PLAN.denominator.value
        assert int(mine["rank"]["value"]) == entry.rank
        assert {row["bin"] for row in mine.values()} == {entry.bin}
        assert {row["label"] for row in mine.values()} == {entry.label}


def test_atoms_that_were_not_admitted_follow_with_their_noisy_mass():
    assert [row for row in rows_of(plan_csv(PAPER_PLAN, PAPER_UNIVERSE)) if row["admitted"] == "false"] == [
        dict(zip(COLUMNS, ("99", "parking problems", "false", "", "noisy_mass", "1.3", "", ""), strict=True))
    ]


def test_a_plan_without_a_full_sketch_lists_its_entries_only():
    plan = PAPER_PLAN.model_copy(update={"noisy_sketch": None})
    assert {row["admitted"] for row in rows_of(plan_csv(plan, PAPER_UNIVERSE))} == {"true"}


def test_another_dictionary_is_refused():
    with pytest.raises(InputError, match=r"atoms\.json"):
        plan_csv(PAPER_PLAN, universe_of([Atom(id=17, label="something else")]))


@pytest.mark.parametrize("label", ["=1+1", "+41 79", "-cmd", "@sum", "a,b"])
def test_labels_come_back_and_never_begin_like_a_formula(label):
    universe = universe_of([Atom(id=0, label=label), Atom(id=1, label="plain")])
    cells = {row["label"] for row in rows_of(plan_csv(plan_of(universe, [500.0, -3.5]), universe))}
    assert not any(cell.startswith(("=", "+", "-", "@", "＝")) for cell in cells)
    assert {cell.removeprefix("'") for cell in cells} == {label, "plain"}


def test_negative_masses_stay_numbers():
    universe = universe_of([Atom(id=0, label="a"), Atom(id=1, label="b")])
    assert "-3.5" in [row["value"] for row in rows_of(plan_csv(plan_of(universe, [500.0, -3.5]), universe))]


@pytest.mark.parametrize("words", ["  =1", "'quoted", '"; DROP', "＝1"])
def test_words_that_no_label_may_be_are_defused_too(words):
    expected = words if words.startswith('"') else f"'{words}"
    assert defused(words) == expected


def test_none_of_these_comes_first_and_is_no_atom():
    first, second, third, fourth, *_ = rows_of(plan_csv(COVERED_PLAN, PAPER_UNIVERSE))
    assert [row["variable"] for row in (first, second, third)] == ["noisy_mass", "mass", "support"]
    assert {(row["atom_id"], row["label"], row["admitted"]) for row in (first, second, third)} == {
        ("", "none of these", "")
    }
    assert (float(first["value"]), float(third["value"])) == (248.1, COVERED_PLAN.uncovered.support)
    assert [float(second[end]) for end in ("low", "high")] == [COVERED_PLAN.uncovered.low, COVERED_PLAN.uncovered.high]
    assert fourth["atom_id"] == "17"
    assert "none of these" not in plan_csv(PAPER_PLAN, PAPER_UNIVERSE)
