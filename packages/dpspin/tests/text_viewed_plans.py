"""Plans of a small café with views by the text itself, of masses that are given."""

from collections.abc import Sequence

from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.facets import AnyTextFacet, CandidateFacet, ExampleFacet
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import released_in
from dpspin.boundary.privacy import PrivacyLoss, sensitivity_of
from dpspin.boundary.read_plan import read_noise, reading_of
from dpspin.boundary.views import NoisyColumn, NoisyView, View, noise_of_view
from factories import plan_of, universe_of
from report_cards import well_sorted

CAFE = universe_of(
    [
        Atom(
            id=1,
            label="long wait",
            examples=("We waited an hour for a table.", "The queue was endless.", "Our food took forever to come."),
        ),
        Atom(id=2, label="rude staff", examples=("The waiter rolled his eyes.", "She shouted at us.")),
        Atom(
            id=3, label="good coffee", examples=("The espresso is superb.", "Best flat white in town!", "Lovely beans.")
        ),
        Atom(id=4, label="cold food", examples=("My soup was cold.",)),
        Atom(id=5, label="fair price", examples=("It costs little.", "Cheap and cheerful.", "Good value for 5 euros.")),
    ]
)
MASSES = [400.0, 300.0, 250.0, 200.0, 3.0]
BY_EXAMPLE = ExampleFacet.of(CAFE)


def text_viewed(
    facet: AnyTextFacet,
    rows: Sequence[Sequence[float]],
    *,
    atoms: AtomUniverse = CAFE,
    masses: Sequence[float] = MASSES,
    epsilon: float = 4.0,
    **changes: object,
) -> SemanticPlan:
    """Return a plan with one view at half of epsilon: one list of masses, by places, for each measured coordinate."""
    told = {"none": 300.0, "size": min(4, atoms.size), **changes}
    plain = well_sorted(plan_of(atoms, masses, epsilon=epsilon / 2, **told), atoms)
    view = View(facet=facet, share=0.5)
    statement = plain.statement.model_copy(update={"views": (view,), "loss": PrivacyLoss(epsilon)})
    sensitivity = sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
    noise = noise_of_view(statement.mechanism, statement.loss, sensitivity, view)
    columns = tuple(
        NoisyColumn(value=value, noisy_masses=tuple(column))
        for value, column in zip(facet.places, zip(*rows, strict=True), strict=True)
    )
    noisy = released_in(plain)
    released = noisy.__class__(
        noisy.masses, noisy.none, not_read=noisy.not_read, views=(NoisyView(noise=noise, columns=columns),)
    )
    return read_noise(released, statement, atoms, reading_of(plain), software=plain.software)


VOTES = [
    [250.0, 90.0, 40.0, 0.3, -1.0, 0.2, 20.0],  # one leads
    [150.0, 149.0, 0.4, -0.3, 0.0, 1.0, 2.0],  # of two, nobody can tell
    [120.0, 119.0, 10.0, 0.5, 0.1, -0.6, 1.0],  # one of two of three
    [195.0, 0.1, -0.2, 1.2, 0.9, -2.0, 5.0],  # has one only
    [1.0, 0.4, -1.0, 0.2, 0.7, 0.1, 0.3],  # is not listed
]
NEAREST = text_viewed(BY_EXAMPLE, VOTES)
BY_CANDIDATE = CandidateFacet(
    names=("gift cards", "loud music", "dog friendly", "slow wifi"),
    dictionary="sha256:of candidates",
    contribution_map="sha256:of their map",
)
LACKING = text_viewed(BY_CANDIDATE, [[60.0, 25.0, 1.0, -2.0, 200.0]])
