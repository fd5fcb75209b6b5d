"""Random plans: any labels, ties, mechanisms, quantities, denominators, margins, bins and baselines."""

import os
from dataclasses import dataclass, replace
from functools import cache

from hypothesis import strategies as st

from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.certify import CertifiedMargins, FixedMargin, SupportBin, three_bins
from dpspin.boundary.denominator import CountShare, PublicNumber, TotalMass, loss_of_themes
from dpspin.boundary.grounded_shares import NoisyReadings
from dpspin.boundary.grounding import Grounding, loss_of_sketch
from dpspin.boundary.mechanisms import Gaussian, Laplace, PrivateTopL, SetSelection, noise_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.privacy import (
    EVERYONE,
    MASS,
    Adjacency,
    PoissonSample,
    Prevalence,
    PrivacyLoss,
    RecordUnit,
    UserUnit,
    sensitivity_of,
)
from dpspin.boundary.read_plan import ReaderChoices, read_noise
from dpspin.boundary.statement import NO_TEXTS, MapStatement, PrivacyStatement
from dpspin.public.atoms.speakable_names import look_of, not_speakable, spelling_of
from factories import universe_of

PLANS = int(os.environ.get("DPSPIN_RANDOM_PLANS", "150"))  # how many plans a law is tried on

PIECES = (
    "wait", "waits", "long", "food", "drink", "food and drink", "high support", "more than", "low",
    "the highest", "theme", "support", "noise", "most important", "24/7", "3", "318.4", "50%", "twice", "No. 1",
    "(a)", "/", ",", ".", "; ", "- ", ":", "'so'", "it's", "and", "while", "but", "has", "is", "many users",
    "a@b.org", "Dr. Who", "Friday", "[atom:1]", "[atom: 2]", "555-123-4567", "İstanbul", "ß", "日本", "é", "*",
    "_", "?", "belongs to none of", "[none]", "none of these", "text", "first", "second", "leads", "not",
    "together", "the listed themes", "interval", "public baseline", "above", "apart",
)  # fmt: skip
LABELS = st.one_of(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map(" ".join),
    st.text("abcIlmrnvwXYZäßçñéİ中国カードのабвгעבריתسلامहिนา0123 -–/&+(),.:;!?%#$€@_°*='’", min_size=1, max_size=8),
).map(str.strip).filter(lambda name: name and not not_speakable(name))  # fmt: skip
PARENTS = st.sampled_from((None, "delivery", "billing", "quality"))
BINS = st.sampled_from(
    (
        None,
        three_bins(0.05, 0.02),
        (SupportBin(name="any", at_least=0),),
        (
            SupportBin(name="very high", at_least=0.1),
            SupportBin(name="high", at_least=0.01),
            SupportBin(name="faint", at_least=0),
        ),
        (SupportBin(name="major", at_least=0.03), SupportBin(name="minor", at_least=0)),
    )
)
MASSES = st.one_of(
    st.sampled_from([0.0, -0.04, 7.0, 60.0, 60.5, 300.0]), st.floats(-50, 5000).map(lambda x: round(x, 3))
)
UNITS = (RecordUnit(), UserUnit(bound=1.0), UserUnit(bound=2.5))
GROUNDINGS = (
    Grounding(rate=0.015, share=0.5, reader="a person"),
    Grounding(rate=0.1, share=0.9, reader="the model tiny-1 at loopback"),
    Grounding(rate=1 / 3, share=0.25, reader="Dr. Who. All themes are equal”"),
)
MECHANISMS = (Laplace(), Gaussian(), PrivateTopL(), SetSelection())


@dataclass(frozen=True)
class Released:
    universe: AtomUniverse
    plan: SemanticPlan


@st.composite
def plans(draw, *, read=None):
    """Return any plan; ``read`` says whether a sample was read for it, None that it may have been."""
    universe = draw(_universes())
    none, not_read = draw(st.none() | MASSES), draw(st.none() | MASSES)
    mechanism = draw(st.sampled_from(MECHANISMS[:2] if read else MECHANISMS))
    size = draw(st.integers(1, universe.size))
    measured = draw(
        st.sampled_from(
            ((MASS, EVERYONE),) * 3 + ((Prevalence(), EVERYONE),) + ((MASS, PoissonSample(rate=0.25)),) * (not read)
        )
    )
    denominator = draw(_denominators(mechanism, *measured))
    is_readable = not mechanism.selects and measured[1] == EVERYONE
    is_read = is_readable and (draw(st.booleans()) if read is None else read)
    grounding = draw(st.sampled_from(GROUNDINGS)) if is_read else None
    statement = _statement(
        mechanism,
        *measured,
        denominator=denominator,
        shape=(universe.size, size, none is not None, not_read is not None),
        private=draw(st.booleans()),
        unit=draw(st.sampled_from(UNITS if measured[0] == MASS else UNITS[:2])),
        grounding=grounding,
    )
    reading = ReaderChoices(
        denominator=denominator,
        size=size,
        admission="fixed" if mechanism.selects else draw(st.sampled_from(("threshold", "fixed"))),
        margin=draw(
            st.sampled_from((CertifiedMargins(), CertifiedMargins(), FixedMargin(mass=0), FixedMargin(mass=9)))
        ),
        bins=draw(BINS),
        baseline=draw(_baselines(universe)) if measured == (MASS, EVERYONE) else None,
    )
    noisy = draw(_noisy_masses(universe.size, size, (none, not_read), chosen=mechanism.selects))
    if grounding is not None:
        noisy = replace(noisy, readings=draw(_noisy_readings(len(noisy.with_besides))))
    return Released(universe, read_noise(noisy, statement, universe, reading, software="dpspin test"))


@st.composite
def _universes(draw):
    names = draw(st.lists(LABELS, min_size=1, max_size=9, unique_by=(look_of, spelling_of)))
    return universe_of([Atom(id=i, label=name, parent=draw(PARENTS)) for i, name in enumerate(names)])


def _denominators(mechanism, quantity, sampling):
    choices = [PublicNumber(value=value) for value in (1, 100, 2000, 123456789)]
    if quantity == MASS and sampling == EVERYONE:
        choices += [CountShare(share=0.1)]
        choices += [] if mechanism.selects else [TotalMass()]
    return st.sampled_from(choices)


@cache
def _statement(mechanism, quantity, sampling, *, denominator, shape, private, unit, grounding):
    atoms, size, answers_none, has_languages = shape
    adjacency = Adjacency.ADD_DROP
    loss = PrivacyLoss(1.0, 1e-6 if isinstance(mechanism, Gaussian | PrivateTopL) else 0.0)
    return PrivacyStatement(
        unit=unit,
        adjacency=adjacency,
        loss=loss,
        mechanism=mechanism,
        noise=noise_of(
            mechanism,
            loss_of_themes(loss_of_sketch(loss, grounding), denominator),
            sensitivity_of(unit, adjacency, quantity),
            atoms=atoms,
            size=size,
            besides=answers_none + has_languages,
            sampling=sampling,
        ),
        randomness="os-csprng" if private else "SIMULATED-NOT-PRIVATE",
        separation=NO_TEXTS,
        contribution_map=MapStatement(
            name="m",
            fitted_on="nothing",
            atoms_per_record=3,
            digest="sha256:0",
            answers_none=answers_none,
            languages=("de", "en") if has_languages else (),
        ),
        quantity=quantity,
        sampling=sampling,
        grounding=grounding,
    )


@st.composite
def _baselines(draw, universe):
    if draw(st.booleans()):
        return None
    amounts = draw(st.lists(st.integers(1, 50), min_size=universe.size, max_size=universe.size))
    return baseline_of(universe, dict(zip(universe.ids, amounts, strict=True)), source="a survey")


@st.composite
def _noisy_masses(draw, atoms, size, beside, *, chosen):
    none, not_read = beside
    count = draw(st.integers(1, 5000))
    masses = draw(st.lists(MASSES, min_size=atoms, max_size=atoms))
    if not chosen:
        return NoisyMasses(masses, none, count, not_read)
    return NoisyMasses(masses[:size], none, count, not_read, positions=draw(st.permutations(range(atoms)))[:size])


@st.composite
def _noisy_readings(draw, coordinates):
    """Return sums over a sample: of a map that is nearly right, or far off."""
    reach = draw(st.sampled_from((0.5, 5.0, 60.0, 900.0)))
    sums = st.lists(st.floats(-reach, reach).map(lambda x: round(x, 3)), min_size=coordinates, max_size=coordinates)
    return NoisyReadings(corrections=draw(sums), squares=draw(sums), moved=round(draw(st.floats(-reach, reach)), 3))
