"""The recipes for schedulers under examples/, run as they stand: the script for cron, and what decides for Airflow.

Airflow and a cluster are not here: the DAG is thin, and what it calls is what is tested; of the CronJob it is tested
that its words are a command, and that it treats every exit code as the documentation says.
"""

import os
import re
import runpy
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger.ledger import open_ledger

ROOT = Path(__file__).parents[4]
EXAMPLES = ROOT / "examples"
MONTH = "2026-10"
CANARY = "zqxv"
SILENT = ("", "")

pytestmark = pytest.mark.long  # every test starts a few whole commands


@pytest.fixture
def home(tmp_path):
    """A machine with a month of records, an empty folder to publish in, and the command on its path."""
    (tmp_path / "exports" / MONTH).mkdir(parents=True)
    rows = [f"u{number % 40},my parcel is late and I want a refund {CANARY}" for number in range(200)]
    (tmp_path / "exports" / MONTH / "a.csv").write_text("\n".join(["user_id,text", *rows]) + "\n")
    (tmp_path / "atoms.txt").write_text("late parcel\nrefund\napp crash\n")
    (tmp_path / "www").mkdir()
    command = tmp_path / "bin" / "dpspin"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -c "from dpspin.cli.main import run; run()" "$@"\n')
    command.chmod(0o755)
    return tmp_path


def spent(ledger):
    budget = open_ledger(ledger).budget("tickets")
    return 0.0 if budget is None else float(budget.spent.epsilon)


def by_cron(home, ledger=None, **more):
    """Run the script as cron does: a short environment, nobody at a terminal. What it prints is mailed."""
    settings = {
        "PATH": f"{home / 'bin'}:/usr/bin:/bin",
        "CURATOR": str(home / "curator"),
        "PUBLISHED": str(home / "www"),
        "EXPORTS": str(home / "exports"),
        "ATOMS": str(home / "atoms.txt"),
        "DPSPIN_LEDGER": str(ledger or home / "ledger.db"),
        "DPSPIN_CACHE": os.environ["DPSPIN_CACHE"],
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "HOME": str(home),
        "PAUSE": "0",
    }
    command = [EXAMPLES / "cron" / "monthly-report.sh", MONTH]
    return subprocess.run(
        command, env=settings | more, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def tries(home):
    return (home / "curator" / "logs" / f"{MONTH}.log").read_text().count(" try ")


def test_cron_publishes_once_and_mails_nothing(home):
    first = by_cron(home)
    assert (first.returncode, first.stdout, first.stderr) == (0, *SILENT)
    published = home / "www" / MONTH
    assert {file.name for file in (home / "www").iterdir()} == {MONTH}
    assert {"plan.json", "report.html"} <= {file.name for file in published.iterdir()}
    assert all(file.stat().st_mode & stat.S_IROTH for file in published.iterdir())
    assert {file.stat().st_mtime % 86400 for file in published.iterdir()} == {0}  # the day, and no time of it
    log = home / "curator" / "logs" / f"{MONTH}.log"
    assert (stat.S_IMODE(log.stat().st_mode), CANARY in log.read_text()) == (0o600, False)
    plan = (published / "plan.json").read_bytes()

    again = by_cron(home)
    assert (again.returncode, again.stdout, again.stderr, tries(home)) == (0, *SILENT, 1)
    published.rename(home / "lost")  # whoever loses what was published gets the same again, for free
    (home / "curator" / "reports").rename(home / "reports-lost")
    assert by_cron(home).returncode == 0
    assert ((published / "plan.json").read_bytes(), spent(home / "ledger.db")) == (plan, 0.25)


def test_cron_asks_for_a_person_once_where_the_budget_does_not_cover_it(home):
    open_ledger(home / "ledger.db").set_budget("tickets", PrivacyLoss(0.1))
    stopped = by_cron(home)
    assert (stopped.returncode, stopped.stderr, tries(home)) == (3, "", 1)
    assert re.fullmatch(rf"report {MONTH}: exit code 3 after 1 .* for the owner of the data\n", stopped.stdout)
    assert not list((home / "www").iterdir())


def test_cron_does_not_repeat_what_a_person_must_mend(home):
    (home / "exports" / MONTH / "a.csv").write_text(f"user_id,txt\nu1,{CANARY}\n")
    stopped = by_cron(home)
    assert (stopped.returncode, tries(home), stopped.stdout.count("\n")) == (2, 1, 1)
    assert CANARY not in stopped.stdout + stopped.stderr


def test_cron_repeats_what_passes_and_gives_up_in_the_end(home):
    stopped = by_cron(home, "postgresql://curator@/ledger?host=/nowhere", TRIES="2")
    assert (stopped.returncode, tries(home), stopped.stdout.count("\n")) == (75, 2, 1)


def test_cron_repeats_a_run_that_was_killed_and_publishes_nothing_that_one_has_left(home):
    """The first try meets a command that is killed; the second one is the real one."""
    (home / "www" / f".{MONTH}" / "half").mkdir(parents=True)
    command = home / "bin" / "dpspin"
    real = command.rename(home / "real")
    command.write_text(f'#!/bin/sh\n[ -e {home}/tried ] && exec {real} "$@"\ntouch {home}/tried\nkill -9 $$\n')
    command.chmod(0o755)
    done = by_cron(home)
    assert (done.returncode, done.stdout, done.stderr, tries(home)) == (0, *SILENT, 2)
    assert not (home / "www" / MONTH / "half").exists()
    assert (home / "www" / MONTH / "plan.json").exists()


def test_a_second_run_leaves_the_first_one_alone(home):
    (home / "curator").mkdir()
    with (home / "curator" / "lock").open("w") as lock:
        subprocess.run(["flock", "-n", str(lock.fileno())], pass_fds=[lock.fileno()], check=True)
        second = by_cron(home)
    assert (second.returncode, second.stdout, second.stderr) == (0, *SILENT)
    assert not list((home / "curator" / "logs").iterdir())


@pytest.fixture(scope="module")
def scheduled():
    return runpy.run_path(str(EXAMPLES / "airflow" / "run_dpspin.py"))


def release_words(home, ledger):
    return [
        *("release", str(home / "exports" / MONTH), "--atoms", str(home / "atoms.txt"), "--text", "text"),
        *("--unit", "user", "--user", "user_id", "--epsilon", "0.25", "--denominator", "10000"),
        *("--dataset", "tickets", "--snapshot", MONTH, "--ledger", str(ledger), "--out", str(home / "out")),
    ]


def test_a_task_that_is_done_says_nothing_and_its_log_is_private(home, scheduled, capfd):
    log = home / "logs" / "a.log"
    for _ in range(2):  # cleared and run again: the same request
        scheduled["run_dpspin"](release_words(home, home / "ledger.db"), log, [str(home / "bin" / "dpspin")])
    assert tuple(capfd.readouterr()) == SILENT
    assert (stat.S_IMODE(log.stat().st_mode), stat.S_IMODE(log.parent.stat().st_mode)) == (0o600, 0o700)
    assert spent(home / "ledger.db") == 0.25


@pytest.mark.parametrize(
    ("prepare", "outcome", "told"),
    [
        (lambda home: open_ledger(home / "ledger.db").set_budget("tickets", PrivacyLoss(0.1)), "NeedsAPerson", "3"),
        (lambda home: (home / "atoms.txt").unlink(), "NeedsAPerson", "2"),
        (lambda home: "postgresql://curator@/ledger?host=/nowhere", "TryAgain", "75"),
    ],
    ids=["no budget", "bad input", "no ledger"],
)
def test_a_task_is_retried_only_where_that_may_help(home, scheduled, prepare, outcome, told):
    ledger = prepare(home)
    words = release_words(home, ledger if isinstance(ledger, str) else home / "ledger.db")
    with pytest.raises(scheduled[outcome], match=rf"exit code {told}\b") as stopped:
        scheduled["run_dpspin"](words, home / "log", [str(home / "bin" / "dpspin")])
    assert (home / "log").read_text().strip() not in str(stopped.value)  # its own words stay in the log


@pytest.mark.parametrize(
    ("words", "code", "outcome"),
    [("kill -KILL $$", 137, "TryAgain"), ("kill -TERM $$", 143, "TryAgain"), ("exit 130", 130, "NeedsAPerson")],
)
def test_a_task_that_was_killed_is_retried_and_one_that_was_interrupted_is_not(home, scheduled, words, code, outcome):
    with pytest.raises(scheduled[outcome], match=str(code)):
        scheduled["run_dpspin"]([words], home / "log", ["sh", "-c"])


JOB = yaml.safe_load((EXAMPLES / "kubernetes" / "monthly-report.yaml").read_text(encoding="utf-8"))["spec"]
WORK = JOB["jobTemplate"]["spec"]
POD = WORK["template"]["spec"]
(CONTAINER,) = POD["containers"]
TABLE = re.findall(
    r"^\| (\d+) \| .* \| (.*) \|$", (ROOT / "docs/how-to/automate.md").read_text(encoding="utf-8"), re.MULTILINE
)


def test_the_job_fails_at_once_with_every_code_that_is_for_a_person():
    again = {int(code) for code, what in TABLE if "the same command" in what.lower()}
    fails, ignored = WORK["podFailurePolicy"]["rules"]
    assert (fails["action"], fails["onExitCodes"]["containerName"]) == ("FailJob", CONTAINER["name"])
    assert set(fails["onExitCodes"]["values"]) == {int(code) for code, _ in TABLE} - again - {0}
    assert ignored == {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}
    assert (POD["restartPolicy"], JOB["concurrencyPolicy"]) == ("Never", "Forbid")  # else there is no such policy


def test_the_words_of_the_job_release_into_a_fresh_worker_and_log_nothing(home):
    """The shell of the job, with its folders moved: records are read there, and nothing reaches the cluster's log."""
    command, (script,) = CONTAINER["command"], CONTAINER["args"]
    moved = script.replace("/records/$month/", f"{home}/exports/{MONTH}/").replace("/work/", f"{home}/work/")
    moved = moved.replace("support-tickets", shlex.quote(str(home / "atoms.txt")), 1)
    (home / "work").mkdir()
    settings = {"PATH": f"{home / 'bin'}:/usr/bin:/bin", "DPSPIN_LEDGER": str(home / "ledger.db"), "HOME": str(home)}
    kept = {name: os.environ[name] for name in ("PYTHONPATH", "DPSPIN_CACHE") if name in os.environ}
    ran = subprocess.run([*command, moved], env=settings | kept, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, *SILENT)
    (plan,) = (home / "work").glob("*/release/plan.json")
    assert re.fullmatch(r"\d{4}-\d{2}", plan.parts[-3])


def test_the_job_mounts_what_it_writes_to_and_is_the_user_of_the_image():
    mounted = {mount["mountPath"] for mount in CONTAINER["volumeMounts"]}
    assert mounted == {"/records", "/work", "/tmp"}
    assert {mount["name"] for mount in CONTAINER["volumeMounts"]} == {volume["name"] for volume in POD["volumes"]}
    user = re.search(r"^USER (\d+)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert POD["securityContext"]["runAsUser"] == int(user)
    (ledger,) = (each["value"] for each in CONTAINER["env"] if each["name"] == "DPSPIN_LEDGER")
    assert ledger.startswith("postgresql://")
    assert "value" not in next(each for each in CONTAINER["env"] if each["name"] == "PGPASSWORD")
