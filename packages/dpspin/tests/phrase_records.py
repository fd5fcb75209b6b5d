"""Made-up records for tests of phrases: a crowd that says a few things, and single writers who say their own."""

import csv
from pathlib import Path

CROWD = 400
SAID = "The subscription renewal was a nuisance."  # by everyone
RARE = "zqxvcanary"


def write_records(folder, crowd=CROWD, extra=()):
    """Write a CSV file of a crowd, two records each, and of whoever else is there."""
    rows = [(f"{RARE}u{place}", text) for place in range(crowd) for text in (SAID, "Thanks, it works.")]
    path = Path(folder) / "records.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("who", "body"), *rows, *extra])
    return path


def find(path, out, *more, epsilon="1", delta="1e-6", denominator="500"):
    """Return the words of the command."""
    return (
        *("phrases", "find", path, "--text", "body", "--epsilon", epsilon, "--delta", delta),
        *("--denominator", denominator, "--dataset", "letters", "--out", out, *more),
    )


UNITS = {"record": ("--unit", "record"), "user": ("--unit", "user", "--user", "who")}
