"""From the folder of a published series to its page, table, text and claims; and what is refused."""

import csv
import io
import json

import pytest

from dpspin.boundary.series import INDEX, SeriesIndex, SeriesPeriod
from dpspin.errors import InputError, PlanError
from dpspin.public.report.folder import write_release
from dpspin.public.series.series import read_series, write_series
from pages import words
from series_plans import SHOP_SERIES, TERMS
from shop_plans import SHOP

FILES = {"index.html", "series.csv", "summary.txt", "claims.jsonl", INDEX}


def published(folder, plans=SHOP_SERIES.released, **changes):
    periods = []
    for plan in plans:
        write_release(folder / plan.series.period, plan, SHOP)
        name = plan.series.period
        periods.append(SeriesPeriod(name=name, life=plan.series.life, plan=f"{name}/plan.json"))
    index = SeriesIndex(title="The shop", terms=TERMS, periods=tuple(periods)).model_copy(update=changes)
    (folder / INDEX).write_text(index.to_json())
    return folder


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    return published(tmp_path_factory.mktemp("release"))


def test_a_series_is_written_beside_its_plans(shop):
    written = write_series(shop)
    assert {file.name for file in shop.iterdir() if file.is_file()} == FILES
    assert (shop / "summary.txt").read_text() == f"{written.text}\n" == f"{written}\n"
    claims = [json.loads(line) for line in (shop / "claims.jsonl").read_text().splitlines()]
    assert " ".join(claim["sentence"] for claim in claims) == " ".join(written.text.split())
    assert all(claim["verified"] for claim in claims)
    before = {file: (shop / file).read_bytes() for file in FILES}
    write_series(shop)
    assert {file: (shop / file).read_bytes() for file in FILES} == before


def test_the_page_leads_to_every_report_and_says_what_was_skipped(shop):
    page = read_series(shop).to_html()
    for period in SHOP_SERIES.periods:
        assert (shop / period / "report.html").exists()
        assert f'href="{period}/report.html"' in page
    assert "2026-06/report.html" not in page
    seen = words(page)
    assert "06 skipped" in seen
    assert "2026-06 – skipped – –" in seen
    assert "a period that was skipped: nothing was released of it" in seen
    panels = page.count('<svg class="plot"')
    assert page.count('<rect class="skipped" x="5" width="1" height="100">') == panels > 0
    assert "The shop , 2026-01 to 2026-09" in seen
    assert "▲ 2026-04 : +5.97 to +7.05 points from 2026-03" in seen
    assert "above 2026-01 since 2026-04 , by 6.02 points or more" in seen
    assert "epsilon 2 for each user and life" in seen


def test_the_table_is_tidy_and_tells_what_the_sentences_tell(shop):
    rows = list(csv.DictReader(io.StringIO(read_series(shop).to_csv())))
    assert len(rows) == len(SHOP_SERIES.periods) * (SHOP.size + 2)
    found = {(row["period"], row["theme"]): row for row in rows}
    fall = found["2026-08", "lost data"]
    assert (fall["compared_with"], fall["direction"], fall["beyond_chance"]) == ("2026-07", "smaller", "yes")
    assert (fall["change_low"], fall["change_high"], fall["life"]) == ("-6.40", "-5.28", "2")
    assert float(fall["low_percent"]) < float(fall["share_percent"]) < float(fall["high_percent"])
    first = found["2026-01", "none of these"]
    assert (first["compared_with"], first["change_points"], first["atom_id"]) == ("", "", "")


def test_one_period_alone_has_a_page_and_nothing_is_compared(tmp_path):
    alone = read_series(published(tmp_path, SHOP_SERIES.released[:1]))
    assert 'class="skipped"' not in alone.to_html()
    assert alone.text.startswith("No period of this series can be compared with the one before it so far.")
    assert "What changed" not in alone.to_html()
    assert alone.on_terminal(80)


def test_a_series_without_a_period_has_nothing_to_show(tmp_path):
    with pytest.raises(InputError) as refused:
        write_series(published(tmp_path, ()))
    assert refused.value.code == "series.empty"
    assert {file.name for file in tmp_path.iterdir()} == {INDEX}


OTHERS = {
    "another name": SeriesPeriod(name="2026-02", life=1, plan="2026-02/plan.json"),
    "another life": SeriesPeriod(name="2026-01", life=2, plan="2026-01/plan.json"),
    "another place": SeriesPeriod(name="2026-01", life=1, plan="../2026-01/plan.json"),
}


@pytest.mark.parametrize("other", OTHERS)
def test_an_index_that_names_another_plan_is_refused(tmp_path, other):
    release = published(tmp_path, SHOP_SERIES.released[:1], periods=(OTHERS[other],))
    (release / "2026-02").mkdir(exist_ok=True)
    (release / "2026-02" / "plan.json").write_text((release / "2026-01" / "plan.json").read_text())
    with pytest.raises(InputError) as refused:
        read_series(release)
    assert refused.value.code == "series.index"


def test_a_plan_that_is_not_there_or_no_series_is_refused(tmp_path):
    release = published(tmp_path, SHOP_SERIES.released[:1], periods=(OTHERS["another name"],))
    with pytest.raises(PlanError):
        read_series(release)
    with pytest.raises(InputError):
        read_series(tmp_path / "nowhere")
