"""The names ``import dpspin`` offers, in one place. They are loaded on first use: importing dpspin costs nothing."""

from dpspin.boundary.account import Window
from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.baseline import Baseline, baseline_of, public_only
from dpspin.boundary.certify import FixedMargin
from dpspin.boundary.denominator import CountShare, FreeTotal, PaidCount, PublicNumber, TotalMass
from dpspin.boundary.mechanisms import Accounting, Gaussian, Laplace, PrivateTopL, SetSelection
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import About, PlanEntry
from dpspin.boundary.planner import Auto
from dpspin.boundary.privacy import (
    Adjacency,
    Everyone,
    Mass,
    MissingUsers,
    PoissonSample,
    Prevalence,
    PrivacyLoss,
    RecordUnit,
    UserUnit,
)
from dpspin.building import build_phrases, build_taxonomy
from dpspin.curator.assign.choice import MapKind, Recipe
from dpspin.curator.assign.chosen_map import fit_map
from dpspin.curator.assign.ours import OwnMap
from dpspin.curator.assign.saved import load_map, save_map
from dpspin.curator.records.auxiliary import Auxiliary
from dpspin.curator.records.dialect import Dialect
from dpspin.curator.records.policy import BadRows
from dpspin.errors import NewLedger
from dpspin.pipeline import release
from dpspin.public.atoms import packs
from dpspin.public.atoms.files import load as load_atoms
from dpspin.public.narrate.ask import ask
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.modes import Length, Mode
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.verify import verify
from dpspin.public.preview.forecast import forecast
from dpspin.public.report.folder import report
from dpspin.request import FromAuxiliary, ReleaseRequest

__all__ = [
    "About",
    "Accounting",
    "Adjacency",
    "Atom",
    "AtomUniverse",
    "Auto",
    "Auxiliary",
    "BadRows",
    "Baseline",
    "CountShare",
    "Dialect",
    "Everyone",
    "FixedMargin",
    "FreeTotal",
    "FromAuxiliary",
    "Gaussian",
    "Laplace",
    "Length",
    "MapKind",
    "Mass",
    "MissingUsers",
    "Mode",
    "NewLedger",
    "OwnMap",
    "PaidCount",
    "PlanEntry",
    "PoissonSample",
    "Prevalence",
    "PrivacyLoss",
    "PrivateTopL",
    "PublicNumber",
    "Recipe",
    "RecordUnit",
    "ReleaseRequest",
    "SemanticPlan",
    "SetSelection",
    "TemplateDecoder",
    "TotalMass",
    "UserUnit",
    "Window",
    "ask",
    "baseline_of",
    "build_phrases",
    "build_taxonomy",
    "fit_map",
    "forecast",
    "load_atoms",
    "load_map",
    "narrate",
    "packs",
    "public_only",
    "release",
    "report",
    "save_map",
    "verify",
]
