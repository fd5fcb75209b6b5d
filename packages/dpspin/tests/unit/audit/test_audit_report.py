from dpspin.audit import findings as report
from dpspin.audit.cases import Case, Finding, broken_passages, shipped_passages
from dpspin.audit.corpora import NAMED, USERS
from dpspin.audit.mutants import MUTANTS
from dpspin.audit.readers import EXCEL
from dpspin.audit.samplers import Fit
from dpspin.audit.trial import Effort, Outcome
from dpspin.boundary.privacy import Adjacency

STANDS = Finding(Case(NAMED["gaussian"], USERS, Adjacency.REPLACE), Outcome(0.5, 4000))
FLAGGED = Finding(Case(NAMED["gaussian"], USERS, Adjacency.REPLACE, MUTANTS[1]), Outcome(1.25, 1000))
FITS, MISFIT = Fit("Laplace", 40_000, 0.3, notices_a_tenth=True), Fit("Laplace", 40_000, 1e-9, notices_a_tenth=True)
READ = Finding(shipped_passages()[0], Outcome(0.2, 64, exact_loss=1.0))
CAUGHT = Finding(broken_passages()[1], Outcome(0.0, 0, exact_loss=21.0))
NOT_INSTALLED = Finding(shipped_passages()[0], EXCEL)
BLIND = Fit("Laplace", 40, 0.3, notices_a_tenth=False)


def test_a_row_says_claim_bound_and_verdict():
    line = report.finding_line(FLAGGED)
    assert " ".join(line.split()) == (
        "gaussian user B=2 replace 1, 0.2 1.25 1000 flagged: sensitivity of the other adjacency"
    )
    assert report.fit_line(FITS).endswith("fits")
    assert report.fit_line(MISFIT).endswith("MISFIT")


def test_an_audit_passes_only_if_everything_is_as_it_should_be():
    assert report.passed([STANDS, FLAGGED], [FITS])
    assert not report.passed([STANDS], [MISFIT])
    assert not report.passed([STANDS], [BLIND])  # a test that would notice nothing shows nothing
    assert not report.passed([Finding(STANDS.case, Outcome(1.1, 4000))], [FITS])


def test_the_rate_of_false_alarms_is_stated_for_all_trials_together():
    trials, samplers = report.closing_lines([STANDS, STANDS, FLAGGED], [FITS], Effort(10, 100, failure=1e-8))
    assert "at most 1e-08: sound code is refuted in at most 2e-08 of such audits" in trials
    assert "1e-07" in samplers
    assert report.closing_lines([STANDS], [], Effort(10, 100)) != []


def test_json_holds_every_number_of_the_table():
    answer = report.as_json([STANDS, FLAGGED], [], [], [FITS], Effort(10, 100))
    assert answer["passed"] is True
    assert answer["trials"][1] == {
        "mechanism": "gaussian",
        "unit": "user",
        "bound": 2.0,
        "adjacency": "replace",
        "fault": "sensitivity of the other adjacency",
        "epsilon": 1.0,
        "delta": 0.2,
        "epsilon_at_least": 1.25,
        "releases": 1000,
        "verdict": "flagged",
        "as_it_should_be": True,
    }
    assert answer["samplers"] == [{"sampler": "Laplace", "draws": 40_000, "chance": 0.3, "as_it_should_be": True}]


def test_a_reader_says_its_exact_loss_its_bound_and_its_verdict():
    assert " ".join(report.finding_line(READ).split()) == "csv record 1 1.00 0.20 64 stands"
    assert " ".join(report.finding_line(CAUGHT).split()) == (
        "polars lazy, grouped user B=1 1 21.00 0 flagged: lazy frame collected by column"
    )
    assert report.as_json([], [], [READ], [], Effort(10, 100))["from_the_file_on"] == [
        {
            "reader": "csv",
            "unit": "record",
            "bound": 1.0,
            "fault": None,
            "epsilon": 1.0,
            "exact_loss": 1.0,
            "epsilon_at_least": 0.2,
            "releases": 64,
            "verdict": "stands",
            "as_it_should_be": True,
        }
    ]


def test_a_reader_that_is_not_installed_is_said_and_neither_passes_nor_fails():
    assert report.finding_line(NOT_INSTALLED).endswith("not tried, needs dpspin[excel]")
    assert "pip install 'dpspin[excel]'" in report.closing_lines([READ, NOT_INSTALLED], [], Effort(10, 100))[-1]
    written = report.as_json([], [], [NOT_INSTALLED], [], Effort(10, 100))["from_the_file_on"][0]
    assert (written["as_it_should_be"], written["exact_loss"], written["releases"]) == (None, None, 0)
    assert report.passed([READ, NOT_INSTALLED], [])
    assert not report.passed([NOT_INSTALLED, Finding(READ.case, Outcome(0.0, 64, exact_loss=1.5))], [])
