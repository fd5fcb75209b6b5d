"""Every figure family is drawn from summary tables alone, and equal tables give equal pictures."""

from itertools import product

import pytest

from dpspin.errors import RequestError, SourceError
from dpspin_lab.figures.families import FAMILIES, OF_RUNS, OF_THE_PROBE, draw_family
from dpspin_lab.figures.summary_tables import Table, as_in_the_paper, read_tables
from dpspin_lab.runs.config import PAPERS, MechanismName
from dpspin_lab.runs.summary import KEY, MEASURES, write_table

BUILT = {"dictionary": "built"}
PAPERS_START = {"split": "hash", "assignment_map": "ngram", **BUILT}


def row(**fields):
    measured = dict.fromkeys(MEASURES, 0.5) | {f"{name}_sd": 0.1 for name in MEASURES}
    return {**dict.fromkeys(KEY), **measured, "support_mass_loss": 40.0, "probe_rank": 12, **fields}


def rows_of(unit, sizes):
    users = unit == "user"
    for m, epsilon, k, size, name in product(sizes, (0.5, 1.0), (1, 3), (5, 10), PAPERS):
        for bound, n in product((1.0, 2.0) if users else (None,), (500, 1000) if (k, size) == (3, 10) else (1000,)):
            count = {"n_users" if users else "n_records": n, "B": bound}
            yield row(m=m, epsilon=epsilon, K=k, L=size, mechanism=name.value, **count, **PAPERS_START)


def variant_rows():
    """Rows of other starts, as the record table has them beside the paper's."""
    fields = {"K": 3, "L": 10, "n_records": 900, "m": 200, "support_mass_loss": 7777.0}
    for epsilon, name in product((0.5, 1.0), MechanismName):
        yield row(epsilon=epsilon, mechanism=name.value, split="time", **fields, **BUILT, assignment_map="ngram")
        yield row(
            epsilon=epsilon,
            mechanism=name.value,
            split="hash",
            **{**fields, "n_records": 1000},
            **BUILT,
            assignment_map="hybrid",
        )


def probe_rows():
    for support, epsilon, name in product((0, 10, 100), (0.5, 4.0), PAPERS):
        yield row(m=47, epsilon=epsilon, K=3, L=10, mechanism=name.value, probe_support=support, n_records=1000)


@pytest.fixture
def out(tmp_path):
    write_table(
        tmp_path / "cfpb" / "summaries", "record", [*rows_of("record", (50, 200)), *variant_rows()], columns=KEY
    )
    write_table(tmp_path / "amazon" / "summaries", "user", list(rows_of("user", (46,))), columns=KEY)
    write_table(tmp_path / "amazon" / "summaries", "probe_record", list(probe_rows()), columns=KEY)
    return tmp_path


@pytest.mark.parametrize(
    "other",
    [
        {"adjacency": "replace"},
        {"rho": 0.3},
        {"selected_value_mechanism": "laplace"},
        {"selection_shares": "0.6,0.4"},
        {"comparison_margin": 0.0},
        {"decoder_contract_mode": "legacy_text"},
    ],
)
def test_a_run_that_no_grid_makes_is_in_no_figure(out, other):
    """Its curve would be called by the name of the grid's own, with another law behind it."""
    rows = [*rows_of("record", (50, 200)), *variant_rows()]
    by_hand = row(**{**rows[0], "overlap": 0.0, **other})
    write_table(out / "cfpb" / "summaries", "record", [*rows, by_hand], columns=KEY)
    [table] = [each for each in read_tables(out) if each.dataset == "cfpb"]
    assert len(table.rows) == len(rows)


MEASURED = ("overlap", "mass_retained", "support_mass_loss", "j_kp", "cos_tfidf")
EXPECTED = {
    "epsilon": {f"epsilon_bounds_{name}_amazon_user" for name in MEASURED}
    | {f"epsilon_{name}_{part}" for name in MEASURED for part in ("cfpb_record", "amazon_user")},
    "utility": {"utility_record", "utility_user"},
    "loss": {"loss_record", "loss_user"},
    "n": {"n_cfpb_record", "n_amazon_user"},
    "beyond": {"beyond_cfpb_record", "beyond_amazon_user"},
    "heat": {"heat_cfpb_record", "heat_amazon_user"},
    "probe": {"probe_amazon_record"},
    "time": {"time_cfpb_record"},
    "map": {"map_cfpb_record"},
    "rank": {"probe_rank_amazon_record"},
    "m": {f"m_{name}_cfpb_record" for name in MEASURED},
}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_drawn_in_both_formats(out, family):
    paths = draw_family(family, out)
    stems = {path.stem for path in paths}
    assert {path.suffix for path in paths} == {".svg", ".png", ".txt"}
    assert len(paths) == 3 * len(stems)
    assert stems == EXPECTED.get(family, stems)
    assert all(path.stat().st_size for path in paths)


AXES = {"epsilon": ("epsilon", "ε"), "m": ("m", "dictionary size m"), "bound": ("B", "user bound B")}
NAMES = ("Overlap@L", "MassRetained", "Loss_L (mass)", "keyphrase Jaccard", "TF-IDF cosine")


def coded(rows, number):
    """Give each measure of each row a value that tells which one it is, and of which row."""
    return [each | {name: 1000 * place + number(each) for place, name in enumerate(MEASURED)} for each in rows]


@pytest.mark.parametrize("family", AXES)
@pytest.mark.parametrize(("dataset", "fixed"), [("cfpb", 0.5), ("amazon", 1.0)])
def test_a_curve_is_of_its_measure_over_its_axis_at_the_papers_epsilon(family, dataset, fixed):
    field, name = AXES[family]
    rows = coded(rows_of("user", (46, 50)), lambda row: 10 * row[field] + (row["epsilon"] if field != "epsilon" else 0))
    drawn = [each for each in OF_RUNS[family]([Table(dataset, "user", rows)]) if "bounds" not in each.name]
    assert len(drawn) == len(MEASURED)
    for place, (each, measure) in enumerate(zip(drawn, NAMES, strict=True)):
        panels = each.figure.axes
        assert {(axes.get_xlabel(), axes.get_ylabel()) for axes in panels} == {(name, measure)}
        assert [axes.get_title() for axes in panels] == ["K=1, L=5", "K=1, L=10", "K=3, L=5", "K=3, L=10"]
        for line in (line for axes in panels for line in axes.lines):
            xs, ys = (list(map(float, side)) for side in (line.get_xdata(), line.get_ydata()))
            assert ys == [1000 * place + 10 * x + (fixed if field != "epsilon" else 0) for x in xs]
            assert len(xs) == 2


def test_every_panel_over_epsilon_has_the_papers_user_level_configurations():
    rows = coded(rows_of("user", (46, 50)), lambda row: 100 * row["m"] + 10 * row["B"] + row["epsilon"])
    drawn = [each for each in OF_RUNS["epsilon"]([Table("amazon", "user", rows)]) if "bounds" in each.name]
    assert len(drawn) == len(MEASURED)
    for place, each in enumerate(drawn):
        assert [axes.get_title() for axes in each.figure.axes] == ["K=1, L=5", "K=1, L=10", "K=3, L=5", "K=3, L=10"]
        for axes in each.figure.axes:
            ys = sorted(tuple(line.get_ydata()) for line in axes.lines)
            configured = [(base + 0.5, base + 1.0) for base in (1000 * place + 5000 + 10 * bound for bound in (1, 2))]
            assert ys == sorted(configured * len(PAPERS))


OVERVIEWS = {"utility": ["Overlap@L", "MassRetained"], "loss": ["Loss_L (mass)"]}


@pytest.mark.parametrize("family", OVERVIEWS)
@pytest.mark.parametrize("unit", ["record", "user"])
def test_an_overview_shows_the_main_configuration_of_its_measure_over_its_axis(family, unit):
    """At user level with a bound of one, though the table has both."""
    rows = coded(rows_of(unit, (50, 200)), lambda row: 10 * (row["B"] or 1) + row["epsilon"] + 100 * (row["m"] == 200))
    (drawn,) = OF_RUNS[family]([Table("cfpb", unit, [each for each in rows if each["K"] == 3 and each["L"] == 10])])
    names = OVERVIEWS[family]
    assert [axes.get_ylabel() for axes in drawn.figure.axes] == names
    for axes, name in zip(drawn.figure.axes, names, strict=True):
        assert axes.get_xlabel() == "ε"
        curves = [list(map(float, line.get_ydata())) for line in axes.lines]
        assert curves == [[1000 * NAMES.index(name) + 110 + epsilon for epsilon in (0.5, 1.0)]] * len(PAPERS)


def test_the_probe_is_shown_over_its_support_and_its_rank_beside_the_edge_of_the_plan():
    measures = ("probe_admission", "probe_mention", "probe_rank")
    rows = [
        each | {name: 1000 * place + each["probe_support"] + each["epsilon"] for place, name in enumerate(measures)}
        for each in probe_rows()
    ]
    table = Table("amazon", "probe_record", rows)
    [shown], [ranks] = OF_THE_PROBE["probe"]([table]), OF_THE_PROBE["rank"]([table])
    for place, axes in enumerate(shown.figure.axes):
        curves = sorted(tuple(map(float, line.get_ydata())) for line in axes.lines)
        expected = [tuple(1000 * place + s + epsilon for s in (0, 10, 100)) for epsilon in (0.5, 4.0)]
        assert curves == sorted(expected * len(PAPERS))
    [panel] = ranks.figure.axes
    curve, edge = panel.lines
    assert list(map(float, curve.get_ydata())) == [2000 + s + 0.5 for s in (0, 10, 100)]
    assert (set(edge.get_ydata()), edge.get_linestyle()) == ({10}, "--")


@pytest.mark.parametrize(
    ("dataset", "sizes", "m", "fixed"), [("cfpb", (50, 200), 200, 0.5), ("amazon", (46,), 46, 1.0)]
)
def test_heat_maps_are_of_the_papers_m_and_epsilon(dataset, sizes, m, fixed):
    rows = coded(rows_of("record", sizes), lambda row: 1e6 * row["m"] + 1e4 * row["epsilon"] + 10 * row["K"] + row["L"])
    (drawn,) = OF_RUNS["heat"]([Table(dataset, "record", rows)])
    for axes in drawn.figure.axes[: len(PAPERS)]:
        shown = sorted(axes.images[0].get_array().ravel().tolist())
        assert shown == sorted(2000 + 1e6 * m + 1e4 * fixed + 10 * k + size for k in (1, 3) for size in (5, 10))


def test_equal_tables_give_equal_pictures(out):
    svg, png, _ = draw_family("heat", out)[:3]
    before = svg.read_bytes(), png.read_bytes()
    draw_family("heat", out)
    assert (svg.read_bytes(), png.read_bytes()) == before


def test_the_papers_figures_are_of_its_own_split_and_map(out):
    [table] = [as_in_the_paper(each) for each in read_tables(out) if each.dataset == "cfpb"]
    assert table.values("support_mass_loss") == [40.0]
    assert len(table.rows) == len(list(rows_of("record", (50, 200))))


def test_the_loss_axis_is_symlog(out):
    from dpspin_lab.figures.overviews import support_loss

    drawn = next(support_loss(read_tables(out)))
    assert {axes.get_yscale() for axes in drawn.figure.axes} == {"symlog"}


def test_main_rows_are_of_the_usual_size_and_the_first_bound():
    main = Table("amazon", "user", list(rows_of("user", (46,)))).main
    assert (main.values("n_users"), main.values("B")) == ([1000], [1.0])


def test_an_unknown_family_and_missing_tables_are_refused(tmp_path):
    with pytest.raises(RequestError, match="there are utility"):
        draw_family("pie", tmp_path)
    with pytest.raises(SourceError, match="no summaries"):
        draw_family("heat", tmp_path)
