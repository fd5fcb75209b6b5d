"""The names ``import dpspin`` offers, in one place. They are loaded on first use: importing dpspin costs nothing."""

from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.plan import PlanEntry, SemanticPlan
from dpspin.boundary.planner import Auto
from dpspin.boundary.privacy import (
    Accounting,
    Adjacency,
    Everyone,
    Gaussian,
    Laplace,
    Mass,
    MissingUsers,
    PoissonSample,
    Prevalence,
    PrivacyLoss,
    PrivateTopL,
    RecordUnit,
    SetSelection,
    UserUnit,
)
from dpspin.curator.records.policy import BadRows
from dpspin.curator.stage1_assign.choice import MapKind, Recipe
from dpspin.curator.stage1_assign.saved import load_map, save_map
from dpspin.pipeline import Auxiliary, fit_map, release
from dpspin.public.preview.forecast import forecast
from dpspin.public.report.folder import report
from dpspin.public.stage0_atoms import packs
from dpspin.public.stage0_atoms.files import load as load_atoms
from dpspin.public.stage3_narrate.narrate import narrate
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.verifier import verify

__all__ = [
    "Accounting",
    "Adjacency",
    "Atom",
    "AtomUniverse",
    "Auto",
    "Auxiliary",
    "BadRows",
    "Everyone",
    "Gaussian",
    "Laplace",
    "MapKind",
    "Mass",
    "MissingUsers",
    "Mode",
    "PlanEntry",
    "PoissonSample",
    "Prevalence",
    "PrivacyLoss",
    "PrivateTopL",
    "Recipe",
    "RecordUnit",
    "SemanticPlan",
    "SetSelection",
    "UserUnit",
    "fit_map",
    "forecast",
    "load_atoms",
    "load_map",
    "narrate",
    "packs",
    "release",
    "report",
    "save_map",
    "verify",
]
