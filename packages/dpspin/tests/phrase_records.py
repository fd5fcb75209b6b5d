"""Made-up records for tests of phrases: a crowd that says a few things, and single writers who say their own."""

import csv
from pathlib import Path

from dpspin.boundary.accounting import AccountStatement, EpsilonBalance
from dpspin.boundary.phrases import NoisyPhrase, PhraseRelease, PhraseTerms
from dpspin.boundary.privacy import PrivacyLoss

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

COUNTS = {"subscription renewal": 210, "Maria": 190, "nuisance": 180}


def release(counts=COUNTS):
    """Return released phrases, as if drawn."""
    balance = EpsilonBalance(scope="dataset", spent_epsilon=1, spent_delta=1e-6, cap_epsilon=1, cap_delta=1e-6)
    return PhraseRelease(
        terms=PhraseTerms(loss=PrivacyLoss(1.0, 1e-6), unit="user", per_unit=3, denominator=1000),
        rule="a rule",
        randomness="os-csprng",
        account=AccountStatement(balances=(balance,), head="0" * 64, user_column="who"),
        phrases=tuple(NoisyPhrase(phrase=each, count=count) for each, count in counts.items()),
    )
