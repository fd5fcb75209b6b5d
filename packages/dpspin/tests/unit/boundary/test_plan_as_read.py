"""A plan for which a sample was read, at hand: what it shows is what a reader would file."""

from dpspin.public.report.label import privacy_label
from grounded_plans import grounded
from shop_plans import SHOP, shop

PLAN = grounded(shop(none=700.0), SHOP, [300.0, 420.0, 160.0, 120.0, 60.0, 60.0, 0.0, 790.0])
RANKED = [theme.label for theme in PLAN.grounded.themes]


def test_what_leads_is_what_leads_by_the_reading():
    assert [theme.label for theme in PLAN.top(2)] == RANKED[:2] != [entry.label for entry in PLAN.entries[:2]]
    assert RANKED[0] in repr(PLAN)


def test_frames_give_the_reading_and_what_the_map_alone_filed():
    frame = PLAN.to_frame()
    assert frame["label"].tolist() == PLAN.to_polars()["label"].to_list() == RANKED
    assert dict(zip(frame["label"], frame["filed_by_map"], strict=True))["app crashes"] == 442.0 / 2000
    assert (frame["support_low"] <= frame["support_high"]).all()


def test_notebook_and_chart_call_a_best_guess_one():
    assert "a reader would file" in PLAN._repr_html_()
    assert "best guess" in PLAN._repr_html_()
    assert "best guess" in PLAN.plot().get_xlabel()


def test_the_label_states_the_second_payment():
    label = privacy_label(PLAN).reading
    assert (label.epsilon_of_sketch, label.epsilon_of_reading) == (0.5, 0.5)
    assert label.epsilon_on_sample > 1.5  # ln(1 + (e^0.5 - 1) / 0.1)
    assert "trusted like the curator" in label.words
    assert privacy_label(shop()).reading is None
