"""What a series says, word for word. ``DPSPIN_RENEW=1`` writes it anew, after its words have changed on purpose."""

import os
from pathlib import Path

from dpspin.public.series.picture import Picture
from dpspin.public.series.series import Series
from series_plans import SHOP_SERIES, facts_of
from shop_plans import SHOP


def test_a_series_is_told_word_for_word():
    told = Path(__file__).parent / "reports" / "series.txt"
    page = Series(Picture(facts_of(SHOP_SERIES, SHOP), SHOP_SERIES)).on_terminal(90) + "\n"
    if os.environ.get("DPSPIN_RENEW"):
        told.write_text(page, encoding="utf-8")
    assert page == told.read_text(encoding="utf-8")
