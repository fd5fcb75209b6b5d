"""CPU seconds of the commands that read a plan, each in a process of its own; the smallest of several runs.

    python bench/start_up.py [--runs 5]

The plan is one of the verifier's benchmark: Laplace noise, a public denominator, no baseline. The first run, which
writes bytecode, is not counted. User and system time of the child are added up: waiting for other processes is not in
it, though a busy machine still slows what it measures.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from dpspin.public.atoms.files import dumps
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import Mode
from dpspin_lab.verifier.benchmark import benchmark_plans

BAR = 0.6  # CPU seconds of `dpspin verify`
COMMANDS = (
    ("--version",),
    ("verify", "plan.json", "text.txt"),
    ("narrate", "plan.json"),
    ("report", "plan.json", "--out", "report.html"),
)


def cpu_seconds(words, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", "from dpspin.cli.main import run; run()", *words]
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)  # noqa: S603  our own command
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_release(folder):
    plan, atoms = benchmark_plans()["support-tickets"]
    (folder / "plan.json").write_text(plan.to_json())
    (folder / "atoms.json").write_text(dumps(atoms))
    (folder / "text.txt").write_text(TemplateDecoder(Mode.DISPLAY)(Facts(plan, atoms)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        write_release(Path(folder))
        for words in COMMANDS:
            least = min([cpu_seconds(words, folder) for _ in range(runs + 1)][1:])
            bar = f" (bar: {BAR})" if words[0] == "verify" else ""
            print(f"dpspin {words[0]:10} {least:.2f} s of CPU{bar}")


if __name__ == "__main__":
    main()
