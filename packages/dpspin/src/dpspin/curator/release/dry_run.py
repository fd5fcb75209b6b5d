"""A release is rehearsed before it is charged: whatever its public parameters make impossible fails for free."""

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.drawable import require_drawable, within_floats
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.reading import reread
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.noise import SecureNoise
from dpspin.errors import RequestError


def rehearse(origin: SketchOrigin, universe: AtomUniverse, spec: ReleaseSpec) -> None:
    """Do all that a release does, on a sketch of nobody: draw, dress as a plan, write, read again; keep nothing.

    It depends on public parameters alone, and nothing of it is shown, so it costs no privacy. The real draw has the
    same shape and the same scales, and those fit 64 bits around any sketch: so it cannot fail where this did not.
    """
    with within_floats():
        require_drawable(
            spec.mechanism,
            spec.loss,
            spec.denominator,
            origin.sensitivity,
            size=spec.size,
            coordinates=origin.coordinates,
            besides=origin.contribution_map.besides,
            sampling=origin.sampling,
        )
    nobody = Sketch(np.zeros(origin.coordinates, np.int64), origin, units=0)
    try:
        plan = release_plan(nobody, universe, spec, SecureNoise())
        reread(SemanticPlan.from_json(plan.to_json()), universe, spec)
    except RequestError:
        raise
    except Exception as failure:  # of a library, or of our own check on it: whatever it is, it comes before the charge
        raise RequestError(
            "these parameters were rehearsed on an empty collection, and no release came of it: epsilon, delta or a "
            "fraction of them is too extreme for this mechanism. Choose it nearer to 1; nothing was charged"
        ) from failure
