"""The names ``import dpspin`` offers, in one place. They are loaded on first use: importing dpspin costs nothing."""

from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.plan import PlanEntry, SemanticPlan
from dpspin.boundary.privacy import (
    Adjacency,
    Gaussian,
    Laplace,
    MissingUsers,
    PrivacyLoss,
    PrivateTopL,
    RecordUnit,
    UserUnit,
)
from dpspin.curator.records.policy import BadRows
from dpspin.pipeline import Auxiliary, release
from dpspin.public.preview.forecast import forecast
from dpspin.public.report.folder import report
from dpspin.public.stage0_atoms import packs
from dpspin.public.stage0_atoms.files import load as load_atoms
from dpspin.public.stage3_narrate.narrate import narrate
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.verifier import verify

__all__ = [
    "Adjacency",
    "Atom",
    "AtomUniverse",
    "Auxiliary",
    "BadRows",
    "Gaussian",
    "Laplace",
    "MissingUsers",
    "Mode",
    "PlanEntry",
    "PrivacyLoss",
    "PrivateTopL",
    "RecordUnit",
    "SemanticPlan",
    "UserUnit",
    "forecast",
    "load_atoms",
    "narrate",
    "packs",
    "release",
    "report",
    "verify",
]
