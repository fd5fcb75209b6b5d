"""Whatever is typed: an answer, or one refusal with exit code 2 or 3. No traceback, no hang, nothing charged.

A fixed seed in CI; ``DPSPIN_FUZZ=3000`` tries more, from other seeds (``DPSPIN_FUZZ_SEED``).
"""

import os
import random  # noqa: TID251  parameters of a test, no noise
import signal
from functools import cache
from pathlib import Path

import pytest
from typer.main import get_command

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.cli.main import app
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.public.atoms.dictionary_files import dumps
from factories import PAPER_PLAN, PAPER_UNIVERSE

CASES = int(os.environ.get("DPSPIN_FUZZ", "150"))
SEED = int(os.environ.get("DPSPIN_FUZZ_SEED", "0"))
PATIENCE = 60  # seconds for one command


def words(text):
    return text.split()


NUMBERS = words(
    "0 -0 -1 1 2 0.5 0.999999 1e-6 1e-9 3e-6 1e-12 1e-17 1e-300 1e-320 5e-324 709 710 1e3 1e6 1e7 1e10 1e19 1e300 "
    "1e308 1e309 nan NaN inf -inf 1_000 1,000 0x10 ٣ ½ 2147483648 9223372036854775808 18446744073709551616"
)
NUMBERS += ["9" * 400, "9" * 5000, "0." + "0" * 5000 + "1", "1e" + "9" * 400]
WORDS = [*words("- -- . .. / é ש {} %s%n $(x) ' CON None null =1+1"), "", " ", "a b", '"', "\\"]
WORDS += ["x" * 300, "x" * 70_000]
WORDS += ["\n", "\t", "\x1b[31m", "\x07", "\u202e", "\udcff", "\U0001f469\u200d\U0001f527"]
FILES = words("data.csv atoms.json plan.json none.csv /dev/null folder folder/x/y empty.json pipe *")

NUMERIC = words(
    "--epsilon --delta --bound --denominator --count-share --value-fraction --beta --margin --sample-rate --size "
    "--budget --per-record --prevalence-atoms --see --at-delta --min-support --examples --temperature --attempts "
    "--seed --bins --reading-share --read --of"
)
NAMED = words(
    "--title --dataset --snapshot --partition --window --text --user --note --population --head --level --aux-text "
    "--aux-user --aux-label --llm-model --llm-url --llm-price --embedder --mode --decoder --length"
)
FILED = words(
    "--atoms --aux --atoms-aux --baseline --map --ledger --profile --from-pack --sketch --user-key --text --batch "
    "--picture --reading"
)
CHOICES = {
    "--mechanism": ["laplace", "gaussian", "private_topL", "set_em", "auto"],
    "--adjacency": ["add_drop", "replace"],
    "--unit": ["record", "user"],
    "--quantity": ["mass", "prevalence"],
    "--accounting": ["basic", "zcdp"],
    "--admission": ["threshold", "fixed"],
    "--missing-users": ["refuse", "drop", "own_unit"],
}
FLAGS = ["--monotone", "--strict-rows", "--json", "--pld", "--aux-is-public", "--count-users", "--atoms-aux-is-public"]

RELEASE = (
    "release data.csv --atoms atoms.json --text text --unit record --epsilon 1 --denominator 30 --map paper --dataset d"
)
PREVIEW = "preview --atoms atoms.json --unit record --epsilon 1 --denominator 1000 --map paper"
COMMANDS = [
    (RELEASE, 6),
    (PREVIEW, 5),
    ("ledger init --dataset d2 --epsilon 1", 2),
    ("ledger show", 2),
    ("ledger history", 1),
    ("ledger verify", 1),
    ("atoms show atoms.json", 1),
    ("atoms lint atoms.json", 1),
    ("atoms test atoms.json --map paper", 1),
    ("atoms suggest data.csv --text text --out draft.yaml --min-support 2", 1),
    ("atoms build phrases data.csv --text text --out built.json", 1),
    ("atoms build taxonomy data.csv --text text --out tax.json --size 3 --level who", 1),
    ("sketch data.csv --atoms atoms.json --text text --unit record --map paper --out s.sketch", 1),
    ("sample data.csv --atoms atoms.json --text text --unit record --map paper --of 30 --read 9 --out drawn", 1),
    ("read drawn", 1),
    ("narrate plan.json", 1),
    ("verify plan.json data.csv", 1),
    ("verify --batch data.csv", 1),
    ("report plan.json --out page.html", 1),
]


def case_of(seed):
    """Take a command that works and change some of it; what a command does not know is part of the game."""
    chance = random.Random(seed)
    command = chance.choices([words for words, _ in COMMANDS], [weight for _, weight in COMMANDS])[0].split()
    for _ in range(chance.choice([1, 1, 2, 3])):
        option, value = changed(chance, command)
        if option in command and chance.random() < 0.9:
            at = command.index(option)
            command[at : at + 1 + len(value)] = [option, *value]
        else:
            command += [option, *value]
    if chance.random() < 0.1:
        command[chance.randrange(1, len(command))] = chance.choice(WORDS + FILES)
    return command


def changed(chance, command):
    """Return an option, mostly one that the command knows, and a value, mostly of the kind that it takes."""
    known = options_of(tuple(word for word in command[:3] if word.isalpha()))
    kinds = [(NUMERIC, NUMBERS)] * 2 + [(NAMED, WORDS), (FILED, FILES + WORDS), (FLAGS, None), (CHOICES, None)]
    names, values = chance.choice(kinds)
    fitting = [name for name in names if name in known]
    option = chance.choice(fitting if fitting and chance.random() < 0.95 else list(names))
    if option in FLAGS:
        return option, []
    if option in CHOICES:
        return option, [chance.choice(CHOICES[option])]
    return option, [chance.choice(values if chance.random() < 0.9 else WORDS + FILES + NUMBERS)]


@cache
def options_of(words):
    """Return the options of a command."""
    command = get_command(app)
    for word in words:
        command = getattr(command, "commands", {}).get(word, command)
    return {name for param in command.params for name in param.opts}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"a long wait and friendly staff {n % 5},u{n % 9}\n" for n in range(60)]
    Path("data.csv").write_text("text,who\n" + "".join(rows))
    Path("atoms.json").write_text(dumps(PAPER_UNIVERSE))
    Path("plan.json").write_text(PAPER_PLAN.to_json())
    Path("empty.json").touch()
    Path("folder").mkdir()
    os.mkfifo("pipe")
    return open_ledger(tmp_path / "default-ledger.db")


@pytest.fixture(autouse=True)
def _patience():
    def stop(*_):
        raise TimeoutError("the command hangs")

    signal.signal(signal.SIGALRM, stop)
    yield
    signal.alarm(0)


def test_every_parameter_ends_in_an_answer_or_in_one_refusal(dpspin, here):
    here.set_budget("d", PrivacyLoss(1e6, 0.9))
    released = 0
    for number in range(SEED, SEED + CASES):
        command = case_of(number)
        if command[0] == "release":
            command += ["--out", f"out{number}"]
        before = charges(here)
        signal.alarm(PATIENCE)
        ran = run(dpspin, command, number)
        signal.alarm(0)
        assert ran.code in {0, 1, 2, 3}, (number, command, ran)
        assert ran.code != 1 or command[0] in {"verify", "report", "atoms", "ledger"}, (number, command, ran)
        assert "Traceback" not in ran.err + ran.out, (number, command)
        if ran.code:
            assert charges(here) == before, (number, command, ran.err)
        released += command[0] == "release" and ran.code == 0
    assert CASES < 100 or released  # some of it works


def run(dpspin, command, number):
    try:
        return dpspin(*command)
    except BaseException as escaped:
        escaped.add_note(f"case {number}: dpspin {' '.join(ascii(word)[:200] for word in command)}")
        raise


def charges(ledger):
    return len(ledger.history(None))
