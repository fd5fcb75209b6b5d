"""Prevalence and random samples are named wherever a reader looks: label, text, page; and nowhere else."""

import re
from pathlib import Path

import numpy as np
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.mechanisms import Laplace, noise_of
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
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.verify import verify
from dpspin.public.report.label import privacy_label
from factories import universe_of
from pages import page_of

UNIVERSE = universe_of([Atom(id=1, label="late parcel"), Atom(id=2, label="rude reply"), Atom(id=3, label="odd smell")])
MAP = MapStatement(name="ngram", fitted_on="nothing", atoms_per_record=3, digest="sha256:0", answers_none=True)


def plan_of(quantity=MASS, sampling=EVERYONE, unit=None):
    origin = SketchOrigin.of(UNIVERSE, MAP, unit or RecordUnit(), Adjacency.ADD_DROP, quantity, sampling)
    sketch = Sketch(np.array([500, 300, 0, 90]) * 2**30, origin)
    spec = ReleaseSpec(loss=PrivacyLoss(1.0), denominator=2000, size=3)
    return release_plan(sketch, UNIVERSE, spec, SecureNoise())


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("unit", [RecordUnit(), UserUnit(bound=1.0)])
def test_the_fixed_sentences_are_accepted_where_they_are_true_and_only_there(mode, unit):
    usual = plan_of(unit=unit)
    for plan, sentence in (
        (
            plan_of(Prevalence(), unit=unit),
            f"A share is a noisy count of {unit.kind}s with at least 10% of a record filed under a theme, out of",
        ),
        (plan_of(sampling=PoissonSample(rate=0.25), unit=unit), "The values are those of a random sample"),
    ):
        text = TemplateDecoder(mode)(Facts(plan, UNIVERSE))
        assert sentence in text
        assert verify(plan, text, mode, UNIVERSE).accepted
        assert not verify(usual, text, mode, UNIVERSE).accepted
    assert verify(usual, TemplateDecoder(mode)(Facts(usual, UNIVERSE)), mode, UNIVERSE).accepted


def test_the_label_counts_and_scales_as_the_release_does():
    usual, counted, drawn = (
        privacy_label(plan)
        for plan in (plan_of(), plan_of(Prevalence(most_atoms=2)), plan_of(sampling=PoissonSample(rate=0.25)))
    )
    assert usual.quantity.startswith("mass")
    assert usual.sampling == "all records"
    assert counted.quantity.startswith("prevalence")
    assert counted.one_unit_changes.mass == 2 * usual.one_unit_changes.mass
    assert any("a count of at most 2" in sentence for sentence in counted.sentences)
    assert "0.25" in drawn.sampling
    assert drawn.one_unit_changes.mass == 4 * usual.one_unit_changes.mass


def test_the_page_calls_a_count_of_units_a_count_and_never_a_mass():
    page, masses = (page_of(plan_of(quantity), (), atoms=UNIVERSE) for quantity in (Prevalence(), MASS))
    shown = page.split("<script")[0]
    assert "Noisy count" in shown
    assert "Noisy mass" in masses
    assert set(re.findall(r"[^.<>]*\bmass(?:es)?\b", re.sub(r"% or more of its mass", "", shown))) == set()


def test_the_page_explains_prevalence_and_samples():
    assert "mention the theme" in page_of(plan_of(Prevalence()), (), atoms=UNIVERSE)
    assert "secret coin" in page_of(plan_of(sampling=PoissonSample(rate=0.25)), (), atoms=UNIVERSE)
    usual = page_of(plan_of(), (), atoms=UNIVERSE)
    assert "mention the theme" not in usual
    assert "secret coin" not in usual


def test_a_sample_is_called_what_texts_call_it_wherever_it_is_spoken_of():
    plan = plan_of(sampling=PoissonSample(rate=0.25))
    said = privacy_label(plan).sampling
    assert said.startswith("a random sample: each ")
    assert "so it stays secret who was" in said
    root = Path(__file__).parents[4]
    read = [
        path for folder in ("src", "docs") for kind in ("py", "md", "j2") for path in (root / folder).rglob(f"*.{kind}")
    ]
    assert len(read) > 100
    assert [path.name for path in read if re.search("buys? a private count", path.read_text())] == []


def test_users_count_for_themes_and_not_for_a_mass():
    label = privacy_label(plan_of(Prevalence(most_atoms=2), unit=UserUnit(bound=1.0)))
    assert any("at most 2 themes" in sentence for sentence in label.sentences)


def test_noise_of_a_sample_follows_from_its_statement():
    plan = plan_of(sampling=PoissonSample(rate=0.25))
    needed = noise_of(
        Laplace(),
        PrivacyLoss(1.0),
        sensitivity_of(RecordUnit(), Adjacency.ADD_DROP),
        atoms=3,
        size=3,
        besides=1,
        sampling=PoissonSample(rate=0.25),
    )
    assert plan.statement.noise == needed
