"""A report each month, by Airflow 3. Decide the total first, once and by hand: dpspin ledger init.

The month is the data interval. It is also the snapshot, so a task that is retried, cleared or run twice makes the same
request: it takes over what was charged, or hands out what is stored. Ledger and folders are the curator's; whoever can
read the logs of Airflow sees exit codes and paths, and no word of dpspin.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from airflow.sdk import CronDataIntervalTimetable, dag, task
from airflow.sdk.exceptions import AirflowFailException
from run_dpspin import NeedsAPerson, run_dpspin

EXPORTS, CURATOR = Path("/srv/exports"), Path("/srv/curator")


@dag(
    schedule=CronDataIntervalTimetable("0 4 3 * *", timezone="UTC"),  # on the third: the export is complete by then
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,  # what was skipped is a person's decision: each month costs
    max_active_runs=1,
)
def dpspin_monthly():
    @task(retries=4, retry_delay=timedelta(minutes=5), retry_exponential_backoff=True)
    def release(data_interval_start: datetime | None = None) -> str:
        month = f"{data_interval_start:%Y-%m}"
        out = CURATOR / "reports" / month
        words = [
            *("release", f"{EXPORTS / month}/", "--atoms", "support-tickets", "--text", "text"),
            *("--unit", "user", "--user", "user_id", "--epsilon", "0.25", "--denominator", "10000"),
            *("--dataset", "tickets", "--snapshot", month, "--title", f"Support tickets, {month}"),
            *("--ledger", "postgresql://curator@db.example.org/privacy", "--out", str(out)),
        ]
        try:
            run_dpspin(words, CURATOR / "logs" / f"{month}.log")
        except NeedsAPerson as stopped:
            raise AirflowFailException(str(stopped)) from None  # fails at once, however many retries are left
        return str(out / "release")  # this folder may be published, and no other

    release()


dpspin_monthly()
