"""The preview knows the noise: golden numbers, monotone in epsilon, and advice that fits them."""

import pytest

from dpspin.boundary.certify import SupportBin
from dpspin.boundary.mechanisms import Gaussian, Laplace, PrivateTopL
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit, UserUnit
from dpspin.errors import RequestError
from dpspin.public.preview.forecast import EPSILONS, forecast
from dpspin.public.preview.render import render_forecast, render_forecast_table
from factories import PAPER_PLAN

SHAPE = {"atoms": 46, "size": 10, "denominator": 2000}
AMOUNTS = (
    "noise_std",
    "admission_threshold",
    "reliably_seen",
    "interval_below",
    "interval_above",
    "comparison_margin",
    "superlative_margin",
    "reliably_right",
    "reliably_certified",
)


def paper_forecast_of_users():
    return forecast(UserUnit(bound=3.0), Adjacency.ADD_DROP, PrivacyLoss(1.0), Laplace(), **SHAPE)


def paper_forecast(epsilon=1.0, **changes):
    return forecast(RecordUnit(), Adjacency.ADD_DROP, PrivacyLoss(epsilon), Laplace(), **(SHAPE | changes))


def forecasts(delta, mechanism, **changes):
    losses = [PrivacyLoss(epsilon, delta) for epsilon in EPSILONS]
    return tuple(forecast(RecordUnit(), Adjacency.ADD_DROP, loss, mechanism, **(SHAPE | changes)) for loss in losses)


@pytest.mark.parametrize(
    ("name", "mass"),
    [
        ("noise_std", 1.4142),
        ("admission_threshold", 6.1062),
        ("reliably_seen", 8.4088),
        ("interval_below", 6.3544),
        ("interval_above", 6.2146),
        ("comparison_margin", 8.4565),
        ("superlative_margin", 4.1758),
    ],
)
def test_golden_numbers_for_records_at_epsilon_one(name, mass):
    amount = getattr(paper_forecast(), name)
    assert amount.mass == pytest.approx(mass, abs=1e-4)
    assert amount.points == pytest.approx(100 * amount.mass / 2000)
    assert amount.units == amount.mass


def test_the_forecast_is_what_a_plan_will_state():
    known = PAPER_PLAN.rules.certificates
    seen = paper_forecast(atoms=4, size=3)
    assert seen.noise == PAPER_PLAN.statement.noise
    assert seen.admission_threshold.mass == known.admission_threshold
    assert seen.comparison_margin.mass == known.comparison_margin


@pytest.mark.parametrize(("mechanism", "delta"), [(Laplace(), 0.0), (Gaussian(), 1e-6), (PrivateTopL(), 1e-6)], ids=str)
def test_every_distance_shrinks_when_epsilon_grows(mechanism, delta):
    table = forecasts(delta, mechanism)
    assert [row.request.loss.epsilon for row in table] == list(EPSILONS)
    for name in AMOUNTS:
        masses = [getattr(row, name).mass for row in table]
        assert masses == sorted(masses, reverse=True)
        assert len(set(masses)) == len(masses)


def test_a_larger_bound_costs_in_proportion():
    user = paper_forecast_of_users()
    assert user.admission_threshold.mass == pytest.approx(3 * paper_forecast().admission_threshold.mass)
    assert user.admission_threshold.units == pytest.approx(paper_forecast().admission_threshold.units)


def test_advice_names_the_detection_limit_and_what_more_epsilon_buys():
    advice = paper_forecast().advice
    assert "a theme below about 0.305% of the denominator cannot be told from zero" in advice[0]
    assert "From 0.42% on it is seen with 95% probability" in advice[0]
    assert any("even guess about one record becomes at most 74 of 100" in line for line in advice)
    assert any("Doubling epsilon to 2 would lower the detection limit to 0.153%." in line for line in advice)


def test_advice_tells_what_the_unit_means_and_what_the_plan_size_costs():
    record, user = paper_forecast().advice, paper_forecast_of_users().advice
    assert any("One record is protected, not one person" in line for line in record)
    assert any("B = 3: all records of one user together weigh at most 3" in line for line in user)
    assert "0.423 points; 0.339 points with L = 5, 0.502 points with L = 20" in record[-1]
    assert paper_forecast(atoms=4, size=4).advice[-1].endswith("compared: 0.31 points.")
    assert "A plan of one theme compares nothing." in paper_forecast(size=1).advice


def test_advice_names_the_epsilon_that_shows_the_lowest_named_bin():
    assert any(
        "To see a theme of 2.2% with 95% probability, epsilon 0.192 is enough." in x for x in paper_forecast().advice
    )
    one_bin = paper_forecast(bins=(SupportBin(name="any", at_least=0.0),))
    assert one_bin.needed is None
    assert not any("bin" in line or "is enough" in line for line in one_bin.advice)


def test_advice_warns_when_bins_begin_below_the_detection_limit():
    assert any("begins above the detection limit" in line for line in paper_forecast().advice)
    assert any("lies above the floor of 'moderate'" in line for line in paper_forecast(epsilon=0.1).advice)


def test_advice_says_when_nothing_at_all_could_be_seen():
    assert paper_forecast(denominator=5).advice[0].startswith("No theme can stand clear of the noise")


def test_private_top_l_is_not_said_to_see_a_theme_reliably():
    chosen = forecast(RecordUnit(), Adjacency.ADD_DROP, PrivacyLoss(1.0, 1e-6), PrivateTopL(), **SHAPE)
    assert "only the data know" in chosen.advice[0]
    assert "Each may take a theme smaller than the largest that is left, by up to 18.3 points" in chosen.advice[-1]
    text = render_forecast(chosen)
    assert "reliably seen" not in text
    assert "once it is chosen" in text
    assert "What the private choice may miss" in text
    assert chosen.needed is None


@pytest.mark.parametrize("wrong", [{"size": 47}, {"size": 0}, {"denominator": 0}, {"beta": 0.5}, {"beta": 0.0}])
def test_inputs_that_do_not_fit_are_refused(wrong):
    with pytest.raises(RequestError):
        paper_forecast(**wrong)


def test_a_delta_that_laplace_would_not_use_is_refused():
    with pytest.raises(RequestError, match="leave delta out"):
        forecast(RecordUnit(), Adjacency.ADD_DROP, PrivacyLoss(1.0, 1e-6), Laplace(), **SHAPE)


def test_the_terminal_text_shows_every_amount_and_all_advice():
    shown = paper_forecast()
    text = render_forecast(shown)
    assert "detection limit                           6.11       0.305        6.11" in text.splitlines()
    assert all(" ".join(line.split()) in " ".join(text.split()) for line in shown.advice)
    assert max(map(len, text.splitlines())) <= 80


def test_the_terminal_text_shows_chances_at_round_supports_and_mechanisms():
    lines = [line.split() for line in render_forecast(paper_forecast()).splitlines()]
    assert ["0.4%", "92.5%", "##################"] in lines
    assert ["0.2", "97.3%", "1.9%", "<0.1%"] in lines
    assert {line[0] for line in lines if line} >= {"laplace", "set_em"}


def test_a_plan_of_one_theme_has_no_order_to_show():
    assert "true gap" not in render_forecast(paper_forecast(size=1))


def test_the_table_has_one_line_per_epsilon():
    table = forecasts(0.0, Laplace())
    lines = render_forecast_table(table).splitlines()
    assert [line.split()[0] for line in lines[:7]] == ["epsilon", "0.1", "0.25", "0.5", "1", "2", "4"]
    assert lines[4].split()[2] == "0.305"
    assert max(map(len, lines)) <= 80


def test_the_table_repeats_which_epsilon_a_wish_costs_and_leaves_out_what_is_not_promised():
    table = forecasts(0.0, Laplace(), see=0.01)
    assert "To see a theme of 1% with 95% probability, epsilon 0.421 is enough." in render_forecast_table(table)
    chosen = forecasts(1e-6, PrivateTopL(), see=0.01)
    assert render_forecast_table(chosen).splitlines()[1].split()[3] == "-"
    assert "it may not be chosen" in " ".join(render_forecast_table(chosen).split())


def test_a_map_that_answers_none_widens_the_intervals_and_nothing_else():
    before, after = paper_forecast(), paper_forecast(besides=1)
    wider = {name for name in AMOUNTS if getattr(after, name).mass > getattr(before, name).mass}
    assert wider == {"interval_below", "interval_above"}
    assert all(getattr(after, name) == getattr(before, name) for name in set(AMOUNTS) - wider)
    assert "and on “none of these”" in " ".join(render_forecast(after).split())
    assert "none of these" not in render_forecast(before)
