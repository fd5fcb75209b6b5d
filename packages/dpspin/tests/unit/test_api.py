"""What ``import dpspin`` offers: pinned, and usable as the README shows."""

import subprocess
import sys
from importlib.metadata import version

import pandas as pd
import pytest

import dpspin
from dpspin.errors import DpSpinError, RecordsRefused, RequestError

NAMES = {
    "About",
    *("Adjacency", "Atom", "AtomUniverse", "Auxiliary", "BadRows", "Gaussian", "Laplace", "MapKind", "MissingUsers"),
    *("Mode", "PlanEntry", "PrivacyLoss", "PrivateTopL", "Recipe", "RecordUnit", "SemanticPlan", "UserUnit", "Window"),
    *("Baseline", "CountShare", "FixedMargin", "FreeTotal", "FromAuxiliary", "PaidCount", "PublicNumber", "TotalMass"),
    *("Accounting", "Auto", "Dialect", "Everyone", "Mass", "NewLedger", "OwnMap", "PoissonSample", "Prevalence"),
    *("ChangedReading", "ReadingFolder", "ReleaseRequest", "SetSelection", "open_reading", "sample"),
    *("Length", "TemplateDecoder", "ask", "compare", "read_series", "baseline_of", "build_phrases", "build_taxonomy"),
    "public_only",
    *("fit_map", "forecast", "load_atoms", "load_map", "narrate", "packs", "release", "report", "save_map", "verify"),
}


def test_the_public_names_are_these():
    assert set(dpspin.__all__) == NAMES
    assert set(dir(dpspin)) == {"__version__", *NAMES}
    assert all(getattr(dpspin, name) is not None for name in NAMES)
    with pytest.raises(AttributeError, match="nothing"):
        _ = dpspin.nothing


def test_a_name_loads_its_own_module_and_no_large_library():
    """One process per name that is asked for first: what a script pays for the import of the package."""
    heavy = ("numpy", "scipy", "sklearn", "pandas", "polars", "pyarrow", "opendp", "dp_accounting", "duckdb")
    for name in ("PrivacyLoss", "UserUnit", "PrivateTopL", "SemanticPlan", "load_atoms", "forecast"):
        program = f"import sys, dpspin; dpspin.{name}; print(*(each for each in {heavy} if each in sys.modules))"
        assert (
            subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout == "\n"
        )


def test_the_version_is_the_packages():
    assert dpspin.__version__ == version("dpspin") == version("dpspin-lab")


def test_from_a_frame_to_a_verified_text():
    frame = pd.DataFrame({"narrative": ["my parcel is late", "refund please"] * 200})
    atoms = dpspin.packs.load("support-tickets")
    plan = dpspin.release(
        frame,
        text="narrative",
        atoms=atoms,
        unit=dpspin.RecordUnit(),
        loss=dpspin.PrivacyLoss(epsilon=1.0),
        denominator=400,
    )
    assert plan.is_private
    assert list(plan.to_frame().columns)[:2] == ["atom_id", "label"]
    assert len(plan.to_frame()) == len(plan.entries) > 0
    narration = dpspin.narrate(plan, atoms)
    assert dpspin.verify(plan, narration.text, mode="display", atoms=atoms).accepted
    assert dpspin.verify(plan, dpspin.narrate(plan, atoms, mode="audit").text, mode="audit", atoms=atoms).accepted
    assert dpspin.report(plan, atoms).startswith("<!doctype html>")
    with pytest.raises(RequestError, match="audit or display"):
        dpspin.verify(plan, narration.text, mode="loud", atoms=atoms)


def test_auxiliary_text_and_users_from_python(tmp_path):
    frame = pd.DataFrame({"t": ["late parcel", "app crash"] * 50, "u": [f"u{i % 20}" for i in range(100)]})
    plan = dpspin.release(
        frame,
        text="t",
        user="u",
        atoms=dpspin.packs.load("support-tickets"),
        unit=dpspin.UserUnit(bound=2.0),
        loss=dpspin.PrivacyLoss(1.0, 1e-6),
        mechanism=dpspin.Gaussian(),
        adjacency=dpspin.Adjacency.REPLACE,
        denominator=20,
        map=dpspin.Recipe(dpspin.MapKind.PAPER),
        auxiliary=dpspin.Auxiliary(pd.DataFrame({"body": ["the parcel", "an app"]}), text="body"),
        auxiliary_is_public=True,
        ledger=tmp_path / "l.db",
        dataset="frames",
        budget=dpspin.PrivacyLoss(3.0, 1e-5),
    )
    assert plan.statement.contribution_map.fitted_on.startswith("auxiliary")


def test_a_map_is_fitted_once_saved_and_used_again(tmp_path):
    atoms = dpspin.packs.load("support-tickets")
    fitted = dpspin.fit_map(atoms, recipe=dpspin.Recipe(dpspin.MapKind.PAPER, atoms_per_record=2))
    dpspin.save_map(fitted, tmp_path / "tickets.map")
    plan = dpspin.release(
        pd.DataFrame({"narrative": ["my parcel is late", "refund please"] * 200}),
        text="narrative",
        atoms=atoms,
        unit=dpspin.RecordUnit(),
        loss=dpspin.PrivacyLoss(1.0),
        denominator=400,
        map=dpspin.load_map(tmp_path / "tickets.map", atoms),
        ledger=tmp_path / "l.db",
    )
    assert plan.statement.contribution_map == fitted.statement
    assert plan.statement.contribution_map.card.precision > 0


def test_auxiliary_users_are_compared_or_the_text_is_declared_public(tmp_path):
    def asked(**more):
        return dpspin.release(
            pd.DataFrame({"t": ["late parcel"] * 20, "u": [f"u{i}" for i in range(20)]}),
            text="t",
            user="u",
            atoms=dpspin.packs.load("support-tickets"),
            unit=dpspin.UserUnit(bound=1.0),
            loss=dpspin.PrivacyLoss(1.0),
            denominator=20,
            map=dpspin.Recipe(dpspin.MapKind.PAPER),
            ledger=tmp_path / "l.db",
            **more,
        )

    words = pd.DataFrame({"body": ["the parcel", "an app"], "who": ["u1", "x"]})
    with pytest.raises(RequestError, match=r"`records.auxiliary.user`"):
        asked(auxiliary=dpspin.Auxiliary(words, text="body"))
    with pytest.raises(RecordsRefused, match="both"):
        asked(auxiliary=dpspin.Auxiliary(words, text="body", user="who"))
    assert asked(auxiliary=dpspin.Auxiliary(words, text="body"), auxiliary_is_public=True).is_private


def test_a_map_of_another_dictionary_is_refused_before_anything_is_charged(tmp_path):
    tickets, reviews = dpspin.packs.load("support-tickets"), dpspin.packs.load("restaurant-reviews")
    fitted = dpspin.fit_map(reviews, recipe=dpspin.Recipe(dpspin.MapKind.PAPER))
    with pytest.raises(DpSpinError, match="another dictionary"):
        dpspin.release(
            pd.DataFrame({"t": ["late parcel"] * 20}),
            text="t",
            atoms=tickets,
            unit=dpspin.RecordUnit(),
            loss=dpspin.PrivacyLoss(1.0),
            denominator=20,
            map=fitted,
            ledger=tmp_path / "l.db",
        )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mechanism", dpspin.Laplace),
        ("adjacency", "both"),
        ("quantity", dpspin.Laplace()),
        ("sampling", [0.5]),
        ("dataset", 5),
        ("dataset", "\ud800"),
        ("snapshot", "\ud800"),
        ("snapshot", None),
        ("budget", [5]),
        ("window", "2024"),
        ("auxiliary", "old-tickets.csv"),
        ("baseline", 0.5),
        ("dialect", "cp1252"),
        ("ledger", 5),
    ],
)
def test_a_value_of_another_kind_is_refused_by_its_name(tmp_path, name, value):
    request = {
        "text": "text",
        "atoms": dpspin.packs.load("support-tickets"),
        "unit": dpspin.RecordUnit(),
        "loss": dpspin.PrivacyLoss(1.0),
        "denominator": 10,
        "ledger": tmp_path / "ledger.db",
    }
    with pytest.raises(RequestError) as refused:
        dpspin.release(pd.DataFrame({"text": ["late parcel"]}), **{**request, name: value})
    assert name in (refused.value.field or str(refused.value))
    assert not (tmp_path / "ledger.db").exists()


@pytest.mark.parametrize("number", [10**400, "x", None, [1]])
def test_what_is_no_number_is_refused_by_its_name(number):
    for make, name in ((dpspin.PrivacyLoss, "epsilon"), (dpspin.UserUnit, "the user bound")):
        with pytest.raises(RequestError, match=f"^{name} must be a number"):
            make(number)


def test_a_baseline_of_gigantic_amounts_is_refused():
    atoms = dpspin.packs.load("support-tickets")
    with pytest.raises(RequestError, match="amounts of a baseline"):
        dpspin.baseline_of(atoms, {atoms.ids[0]: 1e308, atoms.ids[1]: 1e308}, source="a survey")


@pytest.mark.parametrize("nothing", [None, "", 17])
def test_a_release_without_a_text_column_is_refused_before_anything_is_charged(nothing, tmp_path):
    with pytest.raises(RequestError, match="text"):
        dpspin.release(
            pd.DataFrame({"text": ["late parcel"]}),
            text=nothing,
            atoms=dpspin.packs.load("support-tickets"),
            unit=dpspin.RecordUnit(),
            loss=dpspin.PrivacyLoss(1.0),
            denominator=10,
            ledger=tmp_path / "ledger.db",
        )
    assert not (tmp_path / "ledger.db").exists()
